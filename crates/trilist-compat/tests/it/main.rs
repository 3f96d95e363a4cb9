//! What contracts promise beside the recorded cases, which `cargo xtask conformance` replays.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod aider;
mod arguments;
mod documented;
mod facts;
mod faults;
mod forgiving;
mod gemini;
mod gencode;
mod hosts;
mod library;
mod orders;
mod random;
mod roo;
mod sii;
mod support;
