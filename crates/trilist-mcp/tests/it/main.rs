//! The server, driven as a client drives it: lines in, lines out.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make files and fail where they stand; what they check must not"
)]

mod compare_modes;
mod explain_path;
mod hostile;
mod lenient;
mod list_dir;
mod many;
mod policy;
mod profiles;
mod schemas;
mod session;
mod support;
