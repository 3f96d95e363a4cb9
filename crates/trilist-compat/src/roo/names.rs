//! The names that the program leaves out.

use crate::node_path;

/// Directories that are left out wherever they are, and their contents; hidden ones are another
/// matter.
pub(super) const SKIPPED: &[&str] = &[
    "node_modules",
    "__pycache__",
    "env",
    "venv",
    "target/dependency",
    "build/dependencies",
    "dist",
    "out",
    "bundle",
    "vendor",
    "tmp",
    "temp",
    "deps",
    "pkg",
    "Pods",
    ".git",
];

/// The few that are left out also below a hidden directory that was asked for.
pub(super) const CRITICAL: &[&str] = &["node_modules", ".git", "__pycache__", "venv", "env"];

/// Names of directories that are neither shown nor entered: of a pair, the first part.
pub(super) fn first_parts() -> impl Iterator<Item = &'static str> {
    SKIPPED.iter().map(|name| name.split('/').next().unwrap_or(name))
}

/// The path as exclusions see it: from the process's own directory if it lies below that.
pub(super) fn seen_from(cwd: &str, path: &str) -> String {
    match node_path::is_within(cwd, path) {
        true => node_path::relative(cwd, path),
        false => path.trim_start_matches('/').to_owned(),
    }
}

/// What a recursive listing leaves out by the path alone.
pub(super) struct Exclusions {
    skipped: Vec<Vec<&'static str>>,
    hidden: bool,
}

impl Exclusions {
    /// Those for a listed directory. A skipped name that is asked for is not left out, nor are
    /// hidden directories below a hidden one that is asked for.
    pub(super) fn of(dir: &str) -> Exclusions {
        let target = node_path::basename(dir);
        let skipped = SKIPPED.iter().filter(|name| **name != target);
        Exclusions {
            skipped: skipped.map(|name| name.split('/').collect()).collect(),
            hidden: !is_below_hidden(dir),
        }
    }

    /// Whether a file is left out; `parts` is its path as exclusions see it.
    pub(super) fn hold(&self, parts: &[&str]) -> bool {
        let Some((_, dirs)) = parts.split_last() else { return false };
        let is_skipped =
            |names: &Vec<&str>| dirs.windows(names.len()).any(|window| window == &names[..]);
        self.skipped.iter().any(is_skipped)
            || self.hidden && dirs.iter().any(|dir| dir.starts_with('.'))
    }

    /// The same as globs of the engine, which so does not enter what is left out.
    pub(super) fn globs(&self) -> Vec<String> {
        let skipped = self.skipped.iter().map(|names| match names.as_slice() {
            [name] => format!("{name}/"),
            names => format!("**/{}/", names.join("/")),
        });
        skipped.chain(self.hidden.then(|| ".*/".to_owned())).collect()
    }
}

/// Whether no ignore file holds below a directory that was asked for by its name.
pub(super) fn lifts_ignores(dir: &str) -> bool {
    is_below_hidden(dir) || SKIPPED.contains(&node_path::basename(dir))
}

fn is_below_hidden(dir: &str) -> bool {
    dir.split('/').any(|part| part.starts_with('.'))
}
