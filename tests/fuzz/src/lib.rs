//! What the fuzz targets do with the bytes that they are given, and their replay as tests.
//!
//! Each function takes any bytes and panics when trilist does not do what it promises. libFuzzer
//! calls them from `fuzz/`; the tests of this package call them with the kept inputs of
//! `fuzz/corpus/` and with some thousand random ones, so that every change is held to them without
//! a fuzzer being installed.
//!
//! ```
//! for data in [&b""[..], b"\"", b"caf\xe9"] {
//!     trilist_fuzz::quote(data);
//! }
//! ```
//!
//! Left out on purpose: bounds of time and memory, which libFuzzer sets from outside
//! (`cargo xtask fuzz`).

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files and run programs; what they check must not"
)]

mod choices;
mod cursor;
mod gitfile;
mod glob;
mod ignore;
mod index;
mod objects;
mod path;
mod place;
mod quote;
mod request;

pub use cursor::cursor;
pub use gitfile::gitfile;
pub use glob::glob;
pub use ignore::ignore;
pub use index::{Files, Row, index, made_index, read_index};
pub use objects::objects;
pub use path::path;
pub use quote::quote;
pub use request::request;

/// A target: its name, which is also that of its corpus, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: &[Target] = &[
    ("index", index),
    ("gitfile", gitfile),
    ("objects", objects),
    ("ignore", ignore),
    ("glob", glob),
    ("cursor", cursor),
    ("quote", quote),
    ("request", request),
    ("path", path),
];
