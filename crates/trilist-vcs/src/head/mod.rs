//! HEAD's tree as a stream.

mod objects;
mod packed;
mod refs;
mod stream;

pub(crate) use objects::Objects;
pub(crate) use refs::{HeadFault, resolve};
pub(crate) use stream::{HeadItem, HeadStream, Region};
