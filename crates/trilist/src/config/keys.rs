//! The keys that a configuration knows.

use crate::Policy;
use crate::config::values::Value;

/// One key.
#[derive(Debug)]
pub(super) struct Key {
    /// Section and key.
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    pub(super) tree: Tree,
    /// The value without a configuration, in a host's policy; absent where nothing is set.
    pub(super) default: fn(&Policy) -> Option<Value>,
}

/// What a key's value must be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Takes {
    Flag,
    /// A whole number in these bounds.
    Whole(u64, u64),
    Show,
    Globs,
    ToolFiles,
    /// Names of directories.
    Names,
}

/// How a tree's own file may use a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tree {
    Never,
    /// By a lower number than the one in force.
    Lower,
    /// By switching it on.
    On,
    /// By adding to the list.
    Adds,
}

/// The sections.
pub(super) const SECTIONS: [&str; 4] = ["limits", "ignore", "policy", "builtin"];

/// Every key, in the order in which they are shown.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "limits.limit",
        takes: Takes::Whole(1, 1_000_000),
        tree: Tree::Lower,
        default: |policy| Some(Value::Number(policy.default_limit.into())),
    },
    Key {
        name: "limits.max_limit",
        takes: Takes::Whole(1, 1_000_000),
        tree: Tree::Never,
        default: |policy| Some(Value::Number(policy.max_limit.into())),
    },
    Key {
        name: "limits.max_bytes",
        takes: Takes::Whole(1_024, 1 << 20),
        tree: Tree::Lower,
        default: |policy| policy.default_max_bytes.map(|bytes| Value::Number(bytes.into())),
    },
    Key {
        name: "limits.deadline_ms",
        takes: Takes::Whole(1, 60_000),
        tree: Tree::Lower,
        default: |policy| Some(Value::Number(policy.default_deadline_ms.into())),
    },
    Key {
        name: "limits.max_deadline_ms",
        takes: Takes::Whole(1, 60_000),
        tree: Tree::Never,
        default: |policy| Some(Value::Number(policy.max_deadline_ms.into())),
    },
    Key {
        name: "limits.scan_cap",
        takes: Takes::Whole(1, 1_000_000_000),
        tree: Tree::Never,
        default: |policy| Some(Value::Number(policy.scan_cap)),
    },
    Key {
        name: "ignore.builtin",
        takes: Takes::Flag,
        tree: Tree::On,
        default: |policy| policy.ignore.builtin.map(Value::Flag),
    },
    Key {
        name: "ignore.git",
        takes: Takes::Flag,
        tree: Tree::On,
        default: |policy| policy.ignore.git.map(Value::Flag),
    },
    Key {
        name: "ignore.dot_ignore",
        takes: Takes::Flag,
        tree: Tree::On,
        default: |policy| policy.ignore.dot_ignore.map(Value::Flag),
    },
    Key {
        name: "ignore.global_excludes",
        takes: Takes::Flag,
        tree: Tree::Never,
        default: |policy| Some(Value::Flag(policy.global_excludes.is_some())),
    },
    // A tool's file can take back what git's rules hide, so naming one can widen.
    Key {
        name: "ignore.tool_files",
        takes: Takes::ToolFiles,
        tree: Tree::Never,
        default: |policy| Some(Value::List(policy.ignore.tool_files.clone())),
    },
    Key {
        name: "ignore.patterns",
        takes: Takes::Globs,
        tree: Tree::Adds,
        default: |policy| Some(Value::List(policy.ignore.patterns.clone())),
    },
    Key {
        name: "ignore.keep",
        takes: Takes::Globs,
        tree: Tree::Never,
        default: |policy| Some(Value::List(policy.ignore.keep.clone())),
    },
    Key {
        name: "ignore.show",
        takes: Takes::Show,
        tree: Tree::Never,
        default: |policy| Some(Value::Show(policy.ignore.show.unwrap_or_default())),
    },
    // What a request can do without, a tree's file cannot say for the host.
    Key {
        name: "policy.deny",
        takes: Takes::Globs,
        tree: Tree::Never,
        default: |policy| Some(Value::List(policy.deny.clone())),
    },
    Key {
        name: "policy.allow",
        takes: Takes::Globs,
        tree: Tree::Never,
        default: |policy| Some(Value::List(policy.allow.clone())),
    },
    Key {
        name: "policy.protected",
        takes: Takes::Names,
        tree: Tree::Never,
        default: |policy| Some(Value::List(policy.protected.clone())),
    },
    Key { name: "builtin.replace", takes: Takes::Names, tree: Tree::Never, default: |_| None },
    Key {
        name: "builtin.extend",
        takes: Takes::Names,
        tree: Tree::Adds,
        default: |_| Some(Value::List(Vec::new())),
    },
];

/// The key or section that is nearest to an unknown one, if one is near enough to be meant.
pub(super) fn similar(name: &str) -> Option<String> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let (whole, key) = (name.to_lowercase(), last(name));
    let sections = SECTIONS.into_iter().filter(|_| !name.contains('.'));
    let names = KEYS.iter().map(|key| key.name).chain(sections);
    let near = names.filter_map(|known| {
        let distances =
            [crate::roots::distance(known, &whole), crate::roots::distance(&last(known), &key)];
        Some((distances.into_iter().flatten().min()?, known))
    });
    near.min().map(|(_, known)| known.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{KEYS, SECTIONS, similar};

    #[test]
    fn every_key_is_in_a_section() {
        for key in KEYS {
            let (section, _) = key.name.split_once('.').expect("a section and a key");
            assert!(SECTIONS.contains(&section), "{}", key.name);
        }
    }

    #[test]
    fn what_is_near_is_found() {
        let cases = [
            ("limits.limt", Some("limits.limit")),
            ("limits.limits", Some("limits.limit")),
            ("limit", Some("limits.limit")),
            ("ignored.git", Some("ignore.git")),
            ("ignores", Some("ignore")),
            ("ignore.toolfiles", Some("ignore.tool_files")),
            ("colour.theme", None),
        ];
        for (given, wanted) in cases {
            assert_eq!(similar(given).as_deref(), wanted, "{given}");
        }
    }
}
