//! wip
pub mod index;
