//! An opened root: every read goes by descriptor beneath it.
//!
//! A [`Root`] is a directory that the host named, opened once. [`Root::resolve`] turns what a
//! model asked for into a canonical path and an open [`Dir`]; from there a walk goes from
//! descriptor to descriptor, one name at a time, and follows no link. Nothing is checked by
//! path and opened afterwards, so a tree that changes meanwhile can spoil a listing but never
//! lead it outside.
//!
//! ```
//! use std::ops::ControlFlow;
//! use trilist_root::{ResolveError, Root, Scratch};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("trilist-root-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(folder.join("src/tools"))?;
//! # let folder = std::fs::canonicalize(folder)?;
//! let root = Root::open(&folder)?;
//! let found = root.resolve(b"./src//tools/..")?;
//! assert_eq!(found.path.as_bytes(), b"src");
//!
//! let mut names = Vec::new();
//! found.dir.entries(&mut Scratch::default(), &mut |entry| {
//!     names.push(entry.name.to_vec());
//!     Ok(ControlFlow::Continue(()))
//! })?;
//! assert_eq!(names, [b"tools"]);
//!
//! assert!(matches!(root.resolve(b"src/../../elsewhere"), Err(ResolveError::OutsideRoot)));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! [`gitdir`] finds the repository around a directory and decides whether its git directory,
//! which may lie elsewhere, may be read.
//!
//! Left out on purpose: order, ignore rules and listings (they belong to the walk), policy and
//! approval (they belong to the host's `Lister`), and writing.

mod dir;
mod entries;
mod errno;
mod file;
pub mod gitdir;
mod open;
mod resolve;
mod root;
mod sys;

pub use dir::Dir;
pub use entries::{RawEntry, Scratch};
pub use errno::errno_name;
pub use file::{FileId, FileStamp, ReadError, RegularFile, read_host_file};
pub use open::OpenDirError;
pub use resolve::{Looked, ResolveError, Resolved};
pub use root::{Beneath, Root};
