//! The `ignore` package of Node, with which several programs judge paths by flat lists of rules.
//!
//! Patterns mean what they mean to git, with three differences: letters of either case are the
//! same, all files make one list in which the last match decides, and a path is a directory only
//! if the program says so. A path below an ignored directory is ignored.

use trilist::{Case, GitRules};

/// Files of rules, in the order in which they were added.
#[derive(Default)]
pub(crate) struct NodeIgnore {
    files: Vec<(Vec<u8>, GitRules)>,
}

/// Rules without the white space around each, escaped or not, as some programs read them.
pub(crate) fn trimmed_lines(rules: &[u8]) -> Vec<u8> {
    let lines = rules.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// What the program takes a path for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum As {
    File,
    Dir,
}

impl NodeIgnore {
    /// Adds rules that count from `base`, a path without a slash at its end.
    pub(crate) fn add(&mut self, base: &[u8], rules: &[u8]) {
        self.files.push((base.to_vec(), GitRules::parse(rules, Case::Insensitive).0));
    }

    /// Whether a path is ignored.
    pub(crate) fn ignores(&self, path: &[u8], what: As) -> bool {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut parents = slashes.map(|(at, _)| &path[..at]);
        parents.any(|parent| self.decides(parent, As::Dir)) || self.decides(path, what)
    }

    /// What the rules say of a path itself.
    fn decides(&self, path: &[u8], what: As) -> bool {
        let decided = self.files.iter().rev().find_map(|(base, rules)| {
            let below = below(base, path)?;
            let rule = rules.matched(below, what == As::Dir)?;
            Some(!rules.rule(rule).negated)
        });
        decided.unwrap_or(false)
    }
}

fn below<'p>(base: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
    let below = match base {
        b"" => path,
        base => path.strip_prefix(base)?.strip_prefix(b"/")?,
    };
    (!below.is_empty()).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::{As, NodeIgnore};

    #[test]
    fn the_last_match_decides_and_parents_come_first() {
        let mut rules = NodeIgnore::default();
        rules.add(b"", b"dist/\n*.LOG\n");
        rules.add(b"src", b"!keep.log\n/gen\n");
        assert!(!rules.ignores(b"dist", As::File) && rules.ignores(b"dist", As::Dir));
        assert!(rules.ignores(b"dist/x", As::File) && rules.ignores(b"a.log", As::File));
        assert!(!rules.ignores(b"src/keep.log", As::File) && rules.ignores(b"src/gen", As::File));
        assert!(!rules.ignores(b"gen", As::File));
    }
}
