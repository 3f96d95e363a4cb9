//! Lists directories for coding agents, in three modes behind one request.
//!
//! A [`Lister`] is opened on the roots that a host names and answers a [`ListRequest`] with a
//! [`Page`]; [`render`] turns a page into text or JSON. The request names the product:
//! [`Mode::Fs`] is what is on disk, [`Mode::Files`] what a ripgrep user sees, [`Mode::Vcs`] what
//! HEAD and the index name.
//!
//! ```
//! use trilist::{Cancel, Lister, ListRequest, Mode, Policy, View, render};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("trilist-lib-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(folder.join("tools"))?;
//! # std::fs::write(folder.join("main.rs"), "")?;
//! # std::fs::write(folder.join("tools/mod.rs"), "")?;
//! let lister = Lister::open(&[&folder], Policy::default())?;
//! let mut request = ListRequest::new(Mode::Files, ".");
//! request.limit = Some(1);
//! let page = lister.list(&request, &Cancel::new())?;
//! assert!(page.truncated);
//! println!("{}", render::text(&page, View::Tree));
//!
//! request.cursor = page.next_cursor;
//! let next = lister.list(&request, &Cancel::new())?;
//! assert_eq!(next.entries[0].path, "tools/mod.rs");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! With the feature `tokio` (off by default) there is `AsyncLister`, whose calls are futures.
//!
//! Left out on purpose: the environment, the clock, the working directory and standard output,
//! which belong to front ends; and every foreign program.

mod approval;
#[cfg(feature = "tokio")]
mod async_face;
mod beyond;
mod chat;
pub mod compare;
mod config;
mod earlier;
mod excludes;
mod explain;
mod fit;
mod gate;
mod host;
mod ignoring;
mod in_time;
mod lister;
mod locate;
mod look;
pub mod overview;
mod pinned;
mod pins;
mod plan;
mod policy;
pub mod render;
mod reply;
mod resume;
mod roots;
pub mod schema;
mod sources;

pub use approval::{Approver, Decision, Permission, Question, QuestionKind};
#[cfg(feature = "tokio")]
pub use async_face::{AsyncLister, Pages, Workers};
pub use chat::read_session;
pub use compare::{CompareItem, CompareRequest, Comparison};
pub use config::{Config, ConfigError, Item, Setting, SettingValue, Source};
pub use earlier::Earlier;
pub use excludes::git_excludes_file;
pub use explain::MAX_EXPLAINED;
pub use host::HostSide;
pub use in_time::{GRACE, MAX_AT_ONCE};
pub use lister::{Lister, OpenError, RootInfo, StreamItem};
pub use look::Look;
pub use overview::{Overview, OverviewRequest};
pub use policy::Policy;
pub use trilist_core::chat::{Bucket, Chat, ChatFile, ChatFiles, ChatGroup, RepoGroup};
pub use trilist_core::cursor::Cursor;
pub use trilist_core::since::{Change, Changes, Field, What};
pub use trilist_core::{
    ByMode, Cancel, Contents, Entry, EntryRef, ErrorReply, ExplainedRule, Explanation, FaultCode,
    IgnorePolicy, IgnoredBy, Kind, LinkOnWay, ListError, ListRequest, MAX_DEPTH, Metadata, Mode,
    Modified, Omission, OnDisk, Page, PathArg, RawName, Reason, RelPath, RuleCount, RuleDialect,
    Seen, Show, Skip, Sort, Standing, Summary, TruncatedBy, VcsInfo, VcsState, View, Warning,
    quote,
};
pub use trilist_ignore::{Case, GitRules, PathspecRules};

/// The example in the README has to compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
