//! What there is to do but listing, one module each.

pub(crate) mod compare;
pub(crate) mod compat;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod mcp;
pub(crate) mod schema;
