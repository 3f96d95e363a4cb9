//! Rules about files: their length, what they give away, and where recorded data comes from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run::{command, printed};

/// Where a file is to be split.
const LINES_MAX: usize = 600;

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut broken = lengths(root)?;
    broken.extend(machine_paths(root));
    broken.extend(provenance(root)?);
    Ok(broken)
}

/// All Rust sources below a folder, sorted.
pub(crate) fn rust_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in children(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn children(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

fn lengths(root: &Path) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    for path in rust_files(&root.join("crates"))? {
        let text = fs::read_to_string(&path).context("a source is text")?;
        let lines = text.lines().count();
        if lines > LINES_MAX {
            let name = shown(root, &path);
            broken.push(format!("{name}: {lines} lines, split it (at most {LINES_MAX})"));
        }
    }
    Ok(broken)
}

/// Files that name a place of somebody's machine. Nothing to say outside a git work tree.
fn machine_paths(root: &Path) -> Vec<String> {
    let list = ["-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"];
    let listed = printed(command("git", &list).current_dir(root)).unwrap_or_default();
    let places = places(root);
    let mut broken = Vec::new();
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        // Bytes that are not text say nothing about a machine; a name listed may be gone, too.
        let Ok(text) = fs::read_to_string(root.join(name)) else {
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            if let Some(place) = places.iter().find(|place| names(line, place)) {
                broken.push(format!("{name}:{}: names a place of a machine: {place}", index + 1));
            }
        }
    }
    broken
}

/// Homes as they are usually called, and the places of this very checkout.
fn places(root: &Path) -> Vec<String> {
    // Put together here, or this file would name them itself.
    let homes = ["home", "root", "Users"].map(|home| format!("/{home}/"));
    let own = [root.to_path_buf(), crate::target_dir()].into_iter();
    // A short path such as `/repo` may well be an example in a text.
    let own = own.filter(|path| path.components().count() > 2);
    homes.into_iter().chain(own.map(|path| path.display().to_string())).collect()
}

/// Whether the line holds the place at the start of a path, not inside one.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|sign| sign.is_alphanumeric() || "._-}/*~".contains(sign))
    })
}

/// Every recorded case says what it was recorded from, and on a tree that exists.
fn provenance(root: &Path) -> Result<Vec<String>> {
    let fixtures = root.join("fixtures");
    let mut broken = Vec::new();
    for folder in children(&fixtures.join("conformance/cases"))? {
        for path in children(&folder)? {
            let name = shown(root, &path);
            let text = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
            let case: Value = serde_json::from_slice(&text).with_context(|| name.clone())?;
            if case["peer_version"].as_str().is_none_or(str::is_empty) {
                broken.push(format!("{name}: does not say what it was recorded from"));
            }
            let tree = case["tree"].as_str();
            if tree.is_some_and(|tree| !fixtures.join(format!("trees/{tree}.json")).is_file()) {
                broken.push(format!("{name}: its tree is not among the fixtures"));
            }
        }
    }
    Ok(broken)
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_place_counts_only_at_the_start_of_a_path() {
        let home = format!("/{}/", "home");
        assert!(names(&format!("see {home}me/x"), &home));
        assert!(names(&format!("\"{home}me/x\""), &home));
        assert!(!names(&format!("example.org{home}page"), &home));
        assert!(!names(&format!("a{home}b"), &home));
    }
}
