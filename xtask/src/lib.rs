//! Developer commands of trilist, run as `cargo xtask COMMAND`.
//!
//! They are a library too, so that `cargo test` can hold the house rules without another build:
//!
//! ```no_run
//! let broken = xtask::tidy::check(&xtask::workspace()).expect("the sources can be read");
//! assert!(broken.is_empty());
//! ```
//!
//! Left out on purpose: any dependency on trilist but its contract, from which the schemas are
//! made, so that the commands work while the rest does not compile.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "developer commands read files, run programs and talk to a person"
)]

pub mod bench;
pub mod ci;
pub mod clients;
pub mod conformance;
pub mod dist;
pub mod fuzz;
mod run;
pub mod schema;
pub mod security;
pub mod setup;
pub mod tidy;
mod tools;

use std::path::{Path, PathBuf};

/// The folder that holds the workspace's manifest.
pub fn workspace() -> PathBuf {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    parent.expect("this package lies in the workspace").to_path_buf()
}

/// Where cargo builds: `CARGO_TARGET_DIR`, else `target` in the workspace.
pub fn target_dir() -> PathBuf {
    let chosen = std::env::var_os("CARGO_TARGET_DIR");
    workspace().join(chosen.unwrap_or_else(|| "target".into()))
}
