//! `.rooignore`, and the names of the program's own files.

use trilist::{Lister, PathArg};

use super::Args;
use crate::faults::{Faults, rule_file};
use crate::node_ignore::{As, NodeIgnore};
use crate::{node_path, text};

/// The program's own files, which it does not change without being told.
const OWN: &str = ".rooignore\n.roomodes\n.roorules*\n.clinerules*\n.roo/**\n.vscode/**\n\
                   *.code-workspace\n.rooprotected\nAGENTS.md\nAGENT.md\n";

/// What an entry is marked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    /// The workspace's `.rooignore` names it.
    Ignored,
    /// It is one of the program's own files.
    Protected,
}

/// The rules of a workspace.
pub(super) struct Judge<'a> {
    lister: &'a Lister,
    args: &'a Args,
    /// The listed directory, absolute.
    dir: String,
    /// The workspace's canonical path, where it exists.
    workspace: String,
    ignored: Option<NodeIgnore>,
    own: NodeIgnore,
}

impl<'a> Judge<'a> {
    pub(super) fn of(args: &'a Args, lister: &'a Lister, faults: &mut Faults) -> Self {
        let file = rule_file(&args.workspace, ".rooignore");
        let content = faults.rules(lister, &file, ".rooignore");
        let ignored = content.filter(|content| !content.is_empty()).map(|content| {
            let mut rules = NodeIgnore::default();
            rules.add(b"", &content);
            rules.add(b"", b".rooignore");
            rules
        });
        let mut own = NodeIgnore::default();
        own.add(b"", OWN.as_bytes());
        let workspace = real(lister, &args.workspace).unwrap_or_else(|| args.workspace.clone());
        Judge { lister, args, dir: args.dir(), workspace, ignored, own }
    }

    /// The mark of an entry, given by its path from the listed directory.
    pub(super) fn mark(&self, path: &str) -> Mark {
        let absolute = node_path::resolve(&self.dir, path);
        if self.is_ignored(&absolute) {
            Mark::Ignored
        } else if holds(&self.own, &self.args.workspace, &absolute) {
            Mark::Protected
        } else {
            Mark::Plain
        }
    }

    /// Judged by where links lead; what lies outside the workspace is never ignored.
    fn is_ignored(&self, absolute: &str) -> bool {
        let Some(rules) = &self.ignored else { return false };
        match real(self.lister, absolute) {
            Some(real) => holds(rules, &self.workspace, &real),
            None => holds(rules, &self.args.workspace, absolute),
        }
    }
}

/// The canonical path, if it can be told.
fn real(lister: &Lister, path: &str) -> Option<String> {
    let found = lister.look(&PathArg::from(path)).ok()?;
    Some(text::lossy(&found.absolute()).into_owned())
}

fn holds(rules: &NodeIgnore, base: &str, path: &str) -> bool {
    let way = node_path::relative(base, path).replace('\\', "/");
    let is_below = !way.is_empty() && way != ".." && !way.starts_with("../");
    is_below && rules.ignores(way.as_bytes(), As::File)
}
