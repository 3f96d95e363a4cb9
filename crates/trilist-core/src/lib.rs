//! The contract of trilist: what a listing is asked, what it answers, and in which order.
//!
//! Three products hide behind the word "list": what is on disk ([`Mode::Fs`]), what a searcher
//! would see ([`Mode::Files`]) and what version control knows ([`Mode::Vcs`]). Each is a
//! [`ListSource`]; the [`pager`] turns any of them into [`Page`]s.
//!
//! Left out on purpose: this crate does no input or output and knows no tool's name.

mod cancel;
pub mod chat;
mod closed;
mod contents;
pub mod cursor;
mod digest;
mod error;
mod event;
mod explanation;
mod kind;
mod later;
mod page;
pub mod pager;
mod path;
mod query;
pub mod quote;
mod request;
mod rows;
pub mod schema;
mod select;
pub mod since;
pub mod snapshot;
pub mod sorted;
mod source;
pub mod stream;
pub mod tally;
mod watch;

pub use cancel::Cancel;
pub use closed::Closed;
pub use digest::{Digest, Identity, SetDigest};
pub use error::{ErrorReply, ListError};
pub use event::{
    EntryRef, Event, FaultRef, Metadata, Modified, NodeId, OmissionRef, RuleDialect, RuleRef, Seen,
};
pub use explanation::{ByMode, ExplainedRule, Explanation, LinkOnWay, Standing};
pub use kind::{FaultCode, Kind, KindSet, Mode, OnDisk, Reason, Skip, VcsInfo, VcsState};
pub use page::{
    Contents, Entry, IgnoredBy, Omission, Page, RawName, RuleCount, Summary, TruncatedBy, Warning,
};
pub use path::{RelPath, RelPathBuf, RelPathError};
pub use query::{Bound, IgnoreQuery, MAX_DEPTH, Origin, Query};
pub use request::{IgnorePolicy, ListRequest, PathArg, Show, Sort, View};
pub use select::{Matches, Selected};
pub use source::{Each, Events, ListSource};
