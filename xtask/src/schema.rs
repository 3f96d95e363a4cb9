//! JSON Schemas of the contract, kept as files under `schemas/`.
//!
//! This half knows nothing of trilist: it writes texts to files, or says which files differ from
//! them. Making the texts from the contract's types comes with the command itself.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What to do with the files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Schemas {
    /// Changes nothing and reports what differs.
    Check,
    /// Brings the files up to date and reports which it wrote.
    Write,
}

/// Compares each `(file name, text)` with the file in `dir`, and returns the names that differ or
/// are too many.
///
/// # Errors
///
/// Fails when a file cannot be read, written or removed.
pub fn sync(dir: &Path, schemas: &[(String, String)], what: Schemas) -> Result<Vec<String>> {
    let mut differing = Vec::new();
    for (name, text) in schemas {
        let path = dir.join(name);
        if fs::read_to_string(&path).is_ok_and(|found| found == *text) {
            continue;
        }
        differing.push(name.clone());
        if what == Schemas::Write {
            fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    for name in left_over(dir, schemas) {
        if what == Schemas::Write {
            fs::remove_file(dir.join(&name)).with_context(|| format!("cannot remove {name}"))?;
        }
        differing.push(name);
    }
    Ok(differing)
}

/// Files that no schema bears the name of any more.
fn left_over(dir: &Path, schemas: &[(String, String)]) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter(|name| name.ends_with(".json") && schemas.iter().all(|(known, _)| known != name))
        .collect();
    names.sort();
    names
}
