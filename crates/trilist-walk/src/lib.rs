//! The lazy walk in path order, over descriptors beneath an opened root.
//!
//! A directory contributes two keys: its name, to show it, and its name plus `/`, to enter it.
//! Sorting these keys in each directory and walking depth first gives the byte order of whole
//! paths while reading only the directories that the caller pulls for.
//!
//! The walk serves two products, told apart by [`Style`]: mode `fs` shows directories as rows,
//! mode `files` draws them from the paths below.
//!
//! Left out on purpose: limits, pages and text; and any opinion about which ignore layers are in
//! force, which the query says.

mod frame;
mod names;
mod overruled;
mod repository;
mod rules;
mod walk;

pub use overruled::overruled;
pub use walk::{Style, Walk};
