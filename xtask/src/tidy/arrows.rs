//! Which crate may depend on which.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A crate of the house: its name, its floor, and what it may depend on.
struct Room {
    name: &'static str,
    floor: u8,
    may_use: &'static [&'static str],
}

const HOUSE: &[Room] = &[
    Room { name: "trilist-core", floor: 1, may_use: &[] },
    Room { name: "trilist-root", floor: 2, may_use: &["trilist-core"] },
    Room { name: "trilist-ignore", floor: 2, may_use: &["trilist-core"] },
    Room {
        name: "trilist-walk",
        floor: 3,
        may_use: &["trilist-core", "trilist-root", "trilist-ignore"],
    },
    Room {
        name: "trilist-fs",
        floor: 4,
        may_use: &["trilist-core", "trilist-root", "trilist-ignore", "trilist-walk"],
    },
    Room {
        name: "trilist-files",
        floor: 4,
        may_use: &["trilist-core", "trilist-root", "trilist-ignore", "trilist-walk"],
    },
    Room {
        name: "trilist-vcs",
        floor: 4,
        may_use: &["trilist-core", "trilist-root", "trilist-ignore"],
    },
    Room {
        name: "trilist",
        floor: 5,
        may_use: &[
            "trilist-core",
            "trilist-root",
            "trilist-ignore",
            "trilist-walk",
            "trilist-fs",
            "trilist-files",
            "trilist-vcs",
        ],
    },
    // It knows the trait and the `Lister`, never a concrete source.
    Room { name: "trilist-compat", floor: 6, may_use: &["trilist-core", "trilist"] },
    Room { name: "trilist-mcp", floor: 7, may_use: &["trilist-core", "trilist", "trilist-compat"] },
    // The one sideways arrow: one binary, and it serves too.
    Room {
        name: "trilist-cli",
        floor: 7,
        may_use: &["trilist-core", "trilist", "trilist-compat", "trilist-mcp"],
    },
];

/// The members without a floor: tests and developer commands.
const OUTSIDE: &[&str] = &["trilist-tests", "trilist-fuzz", "xtask"];

/// Dependencies that only these crates may bring in, outside their tests.
const KEPT: &[(&str, &[&str])] = &[
    ("rustix", &["trilist-root", "trilist-cli", "trilist-mcp"]),
    ("clap", &["trilist-cli"]),
    ("tokio", &["trilist", "trilist-mcp", "trilist-cli"]),
    ("anyhow", &["trilist-cli", "trilist-mcp"]),
    ("tempfile", &[]),
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    for package in packages(root)? {
        let name = text(&package, "name")?;
        if OUTSIDE.contains(&name) {
            continue;
        }
        let Some(room) = HOUSE.iter().find(|room| room.name == name) else {
            broken.push(format!("{name}: this crate has no place in the table of arrows"));
            continue;
        };
        for dependency in array(&package, "dependencies")? {
            let target = text(dependency, "name")?;
            broken.extend(judge(room, target, dependency["kind"].as_str()));
        }
    }
    Ok(broken)
}

fn judge(room: &Room, target: &str, kind: Option<&str>) -> Option<String> {
    let name = room.name;
    let is_for_tests = kind == Some("dev");
    if OUTSIDE.contains(&target) {
        let message = format!("{name} -> {target}: only tests may depend on it");
        return (!is_for_tests || target != "trilist-tests").then_some(message);
    }
    if let Some((_, allowed)) = KEPT.iter().find(|(kept, _)| *kept == target) {
        let message = format!("{name} -> {target}: only for {}", allowed.join(", "));
        return (!is_for_tests && !allowed.contains(&name)).then_some(message);
    }
    if !target.starts_with("trilist") || room.may_use.contains(&target) {
        return None;
    }
    let floor = HOUSE.iter().find(|room| room.name == target).map_or(0, |room| room.floor);
    // A test may look at what lies on lower floors; cargo itself refuses most of what does not.
    if is_for_tests && floor < room.floor {
        return None;
    }
    Some(format!("{name} (floor {}) -> {target} (floor {floor}): no such arrow", room.floor))
}

/// The workspace's members as cargo reads their manifests.
fn packages(root: &Path) -> Result<Vec<Value>> {
    let mut command = crate::run::cargo();
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).current_dir(root);
    let output = command.output().context("cannot run cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    Ok(array(&metadata, "packages")?.clone())
}

fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str> {
    value[field].as_str().with_context(|| format!("cargo metadata has no {field}"))
}

fn array<'a>(value: &'a Value, field: &str) -> Result<&'a Vec<Value>> {
    value[field].as_array().with_context(|| format!("cargo metadata has no {field}"))
}

#[cfg(test)]
mod tests {
    use super::{HOUSE, judge};

    fn says(name: &str, target: &str, kind: Option<&str>) -> bool {
        judge(HOUSE.iter().find(|room| room.name == name).expect("in the table"), target, kind)
            .is_some()
    }

    #[test]
    fn arrows_lead_down() {
        for room in HOUSE {
            for target in room.may_use {
                let below = HOUSE.iter().find(|room| room.name == *target).expect("in the table");
                let serves = room.name == "trilist-cli" && below.name == "trilist-mcp";
                assert!(below.floor < room.floor || serves, "{} -> {target}", room.name);
            }
        }
    }

    #[test]
    fn wrong_arrows_are_told() {
        assert!(says("trilist-core", "trilist-root", None));
        assert!(says("trilist-fs", "trilist-files", None));
        assert!(says("trilist-vcs", "trilist-walk", None));
        assert!(says("trilist-compat", "trilist-fs", None));
        assert!(says("trilist-fs", "trilist-tests", None));
        assert!(says("trilist-vcs", "trilist-fuzz", Some("dev")));
        assert!(says("trilist-fs", "clap", None));
        assert!(says("trilist-core", "trilist", Some("dev")));
    }

    #[test]
    fn right_arrows_are_not() {
        assert!(!says("trilist-fs", "trilist-walk", None));
        assert!(!says("trilist-fs", "trilist-tests", Some("dev")));
        assert!(!says("trilist-cli", "clap", None));
        assert!(!says("trilist-ignore", "clap", Some("dev")));
        assert!(!says("trilist-cli", "trilist-mcp", None));
        assert!(!says("trilist-core", "serde", None));
    }
}
