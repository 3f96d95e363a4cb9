//! What there is to do but listing, one module each.

pub(crate) mod config;
