//! Explanations agree with listings, with git and with the disk.

mod alike;
mod cost;
mod props;
mod reasons;

pub(crate) use props::check;
