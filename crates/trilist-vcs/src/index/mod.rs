//! The index as a stream.
//!
//! A reader of our own: mapping a file that somebody else may shorten is a crash, and a parser
//! that needs the whole file costs memory and the first page. Formats 2, 3 and 4 are read, with
//! SHA-1 and SHA-256; entries come one at a time, checked for order and for names that must not
//! be there. A split index is two such files, merged on the way.

mod bitmap;
mod error;
mod extensions;
mod link;
mod names;
mod reader;
mod tree;
mod window;

pub use error::IndexError;
pub use extensions::{Extension, Extensions};
pub use link::Link;
pub use names::NameFault;
pub use reader::{Flags, IndexReader, Step};
pub use tree::{CachedTree, NodeId};

pub(crate) use names::check_component;

/// How many bytes a name may have; git itself stays far below on every system.
pub const MAX_NAME_BYTES: usize = 1 << 16;
