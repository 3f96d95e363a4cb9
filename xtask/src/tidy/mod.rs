//! `cargo xtask tidy`: the rules of the house that no compiler holds.

mod absent;
mod arrows;
mod files;
mod source;

use std::path::Path;

use anyhow::Result;

pub(crate) use files::rust_files;

/// Returns one line for each broken rule of the workspace at `root`; none is good.
///
/// # Errors
///
/// Fails when manifests or sources cannot be read.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut broken = arrows::check(root)?;
    broken.extend(absent::check(root)?);
    broken.extend(files::check(root)?);
    Ok(broken)
}
