//! What the sources of a crate must not name.

use std::path::Path;

use anyhow::{Context, Result};

use crate::tidy::files::rust_files;
use crate::tidy::source::mentions;

/// Paths that some crates may not name, and why.
struct Absence {
    paths: &'static [&'static str],
    held: Held,
    reason: &'static str,
}

/// Which crates an absence holds for.
enum Held {
    AllBut(&'static [&'static str]),
    Only(&'static [&'static str]),
}

const ABSENCES: &[Absence] = &[
    Absence {
        paths: &["std::fs", "rustix::fs"],
        held: Held::AllBut(&["trilist-root"]),
        reason: "only trilist-root touches the file system",
    },
    Absence {
        paths: &["std::env", "std::io::stdout", "std::io::stdin", "std::io::stderr"],
        held: Held::AllBut(&["trilist-cli", "trilist-mcp"]),
        reason: "environment, working directory and streams belong to the front ends",
    },
    Absence {
        paths: &["std::process::Command"],
        held: Held::AllBut(&[]),
        reason: "nothing is ever executed",
    },
    Absence { paths: &["std::net"], held: Held::AllBut(&[]), reason: "nothing talks to a network" },
    Absence {
        paths: &["rustix", "libc", "std::os::fd", "std::os::unix::fs"],
        held: Held::Only(&["trilist-core"]),
        reason: "the core does no I/O",
    },
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    for path in rust_files(&root.join("crates"))? {
        let rel = path.strip_prefix(root).context("it was found below the root")?;
        let parts: Vec<&str> = rel.iter().filter_map(|part| part.to_str()).collect();
        // Tests and benches may make files and run programs; only what ships is held.
        let ["crates", name, "src", ..] = parts[..] else {
            continue;
        };
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", rel.display()))?;
        for (line, reason) in judge(name, &text) {
            broken.push(format!("{}:{line}: {reason}", rel.display()));
        }
    }
    Ok(broken)
}

impl Held {
    fn holds_for(&self, name: &str) -> bool {
        match self {
            Held::AllBut(names) => !names.contains(&name),
            Held::Only(names) => names.contains(&name),
        }
    }
}

fn judge(name: &str, text: &str) -> Vec<(usize, String)> {
    let mut broken = Vec::new();
    for (path, line) in mentions(text) {
        for absence in ABSENCES.iter().filter(|absence| absence.held.holds_for(name)) {
            if absence.paths.iter().any(|banned| lies_in(&path, banned)) {
                broken.push((line, format!("{path}: {}", absence.reason)));
                break;
            }
        }
    }
    broken
}

fn lies_in(path: &str, banned: &str) -> bool {
    path.strip_prefix(banned).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::judge;

    #[test]
    fn banned_paths_are_told_with_their_line() {
        let text = "use std::{\n    io,\n    fs::{self, File},\n};\n";
        let broken = judge("trilist-walk", text);
        assert_eq!(broken.len(), 2, "{broken:?}");
        assert_eq!(broken[0].0, 3);
        assert!(broken[0].1.starts_with("std::fs::self: only trilist-root"), "{broken:?}");
    }

    #[test]
    fn whole_names_are_compared() {
        assert!(judge("trilist-core", "use std::fsx::A; use std::io::Error;").is_empty());
        assert!(judge("trilist-root", "use rustix::fs::openat;").is_empty());
        assert_eq!(judge("trilist-core", "let x = std::env::var(\"X\");").len(), 1);
        assert_eq!(judge("trilist-cli", "std::process::Command::new(\"git\")").len(), 1);
    }
}
