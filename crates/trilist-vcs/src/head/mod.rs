//! HEAD's tree as a stream.

mod packed;
mod refs;
mod stream;

pub(crate) use refs::{HeadFault, from_hex, resolve};
pub(crate) use stream::{HeadItem, HeadStream, Region};
