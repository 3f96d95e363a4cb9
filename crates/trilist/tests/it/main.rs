//! What a host meets.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

#[cfg(feature = "tokio")]
mod async_face;
