//! Git's object store: commits and trees, from loose files and packs.
//!
//! A reader of our own, because every byte of a repository is anybody's. Each read goes by
//! descriptor through [`trilist_root`] and copies: nothing is mapped into memory, so a pack that
//! shrinks meanwhile is a fault and not a signal, and nothing but regular files is opened, so
//! a pipe is a fault and not a wait. Sizes, offsets and chains of deltas are bounded before
//! anything is allocated or followed, and reading stops at the caller's [`Cancel`].
//!
//! [`Objects`] is the store. What it is made of can be called on any bytes, which is what tests
//! need: [`PackIndex`], [`Pack`], [`read_packed`], [`apply_delta`], [`decode_loose`].
//!
//! An object is looked for in the packs, then among the loose ones, then in the packs once more if
//! their directory has changed: somebody may be packing meanwhile. A copy that cannot be read
//! does not hide a good one elsewhere. What is found is checked against its id, also in packs,
//! where git itself trusts the pack's index in everyday reading.
//!
//! Left out on purpose: blobs and tags, which no listing needs; replacement objects and grafts,
//! which would put other objects in place of those that are asked for; multi-pack indexes, since
//! git keeps each pack's own index beside them.
//!
//! [`Cancel`]: trilist_core::Cancel

mod cache;
mod chain;
mod delta;
mod error;
mod files;
mod hash;
mod inflate;
mod input;
mod kind;
mod loose;
mod pack;
mod pack_index;
mod packs;
mod store;

pub use chain::read_packed;
pub use delta::apply_delta;
pub use error::{ObjectError, ObjectFault};
pub use hash::Hash;
pub use input::ReadAt;
pub use kind::ObjectKind;
pub use loose::decode_loose;
pub use pack::{Base, Entry, Pack};
pub use pack_index::PackIndex;
pub use store::Objects;

/// The most bytes of one object: a directory of a million names has about 47 MB.
pub const OBJECT_BYTES: usize = 64 << 20;
