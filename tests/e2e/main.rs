//! Runs of the binary: wiring, exit statuses, and every kind of bad input.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make files and run programs, and fail where they stand"
)]

mod alone;
mod bad_input;
mod chat;
mod colour;
mod compare;
mod compat;
mod config;
#[cfg(feature = "vcs")]
mod explain;
mod faults;
mod fence;
mod html;
mod mcp;
mod names;
mod output;
mod pages;
mod place;
#[cfg(feature = "vcs")]
mod policy;
mod signals;
mod silent;
#[cfg(feature = "vcs")]
mod since;
mod stream;
mod support;
mod syscalls;
mod usage;
#[cfg(feature = "vcs")]
mod vcs;
mod views;
