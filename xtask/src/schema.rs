//! JSON Schemas of the contract, kept as files under `schemas/`.
//!
//! The contract's types are the source; the files are for those who read or vendor them, and
//! their history shows when the contract changes.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace;

/// What to do with the files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Schemas {
    /// Changes nothing and reports what differs.
    Check,
    /// Brings the files up to date and reports which it wrote.
    Write,
}

/// Runs `schema --check` or `schema --write` and says which files differed.
///
/// # Errors
///
/// As [`sync`].
pub fn run(what: Schemas) -> Result<ExitCode> {
    let differing = sync(&workspace().join("schemas"), &texts()?, what)?;
    let word = if what == Schemas::Write { "written" } else { "differs from the types" };
    for name in &differing {
        println!("schemas/{name}: {word}");
    }
    let ok = what == Schemas::Write || differing.is_empty();
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn texts() -> Result<Vec<(String, String)>> {
    let types = trilist::schema::all().into_iter();
    let types = types.map(|(name, schema)| (name.to_owned(), schema));
    types
        .chain(trilist_mcp::schema::files())
        .map(|(name, schema)| Ok((name, serde_json::to_string_pretty(&schema)? + "\n")))
        .collect()
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
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names
        .filter(|name| name.ends_with(".json") && schemas.iter().all(|(known, _)| known != name))
        .collect();
    names.sort();
    names
}
