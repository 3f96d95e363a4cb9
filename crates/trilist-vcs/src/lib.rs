//! Mode `vcs`: what HEAD and the index name.
//!
//! [`VcsSource`] lists the union of HEAD's tree and the index as [`trilist_core::Events`]: a
//! file whose removal is staged is still there and marked, and so is one that is only staged.
//! Both are read as streams and merged lazily, so a page costs what the page costs. Git itself is
//! never run, and neither its environment variables nor the user's configuration matter.
//!
//! ```
//! use std::sync::Arc;
//! use trilist_core::{Cancel, Event, ListError, ListSource, Query, RelPath, RelPathBuf};
//! use trilist_root::Root;
//! use trilist_vcs::VcsSource;
//!
//! fn names(folder: &std::path::Path) -> Result<Vec<String>, ListError> {
//!     let root = Arc::new(Root::open(folder).expect("the folder exists"));
//!     let source = VcsSource::open(root, RelPath::EMPTY)?;
//!     let (query, cancel) = (Query::new(RelPathBuf::default()), Cancel::new());
//!     let mut events = source.open(&query, &cancel)?;
//!     let mut names = Vec::new();
//!     while events.advance()? {
//!         if let Event::Entry(entry) = events.event() {
//!             names.push(entry.path.to_string());
//!         }
//!     }
//!     Ok(names)
//! }
//! ```
//!
//! Left out on purpose: untracked files and what differs on disk (that is a status, not a
//! listing), replacement objects and grafts, and writing. Reftable is refused.

mod beyond;
mod fault;
mod filter;
mod format;
mod head;
mod held;
mod ignore_file;
pub mod index;
mod index_file;
mod index_side;
mod listing;
mod memory;
pub mod objects;
mod parts;
mod probe;
mod source;
mod union;
mod work_tree;

pub use memory::Memory;
pub use source::{Tracked, VcsSource};
