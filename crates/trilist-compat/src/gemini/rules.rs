//! The ignore files of a release.
//!
//! Both judge an entry as if it were a file, so a pattern that ends in a slash hides nothing in the
//! listed directory itself. The early release reads the ignore files of the workspace alone and
//! takes spaces off the ends of lines, escaped ones too.

use trilist::PathArg;

use super::guard::Workspace;
use super::{Args, Release};
use crate::faults::Faults;
use crate::node_ignore::{As, NodeIgnore, trimmed_lines};
use crate::read::joined;
use crate::text;

/// The rules that hold for the entries of one directory.
pub(super) struct Rules {
    git: Option<NodeIgnore>,
    own: Option<NodeIgnore>,
    /// Whether the program's own rules stand in the same list as git's, so that they can bring
    /// back what git's hide.
    joined: bool,
}

/// Which rules hide an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hidden {
    ByGit,
    ByOwn,
}

impl Rules {
    /// Reads what counts for the entries of `dir`, a path from the workspace.
    pub(super) fn read(
        args: &Args,
        workspace: &Workspace<'_>,
        dir: &[u8],
        faults: &mut Faults,
    ) -> Rules {
        let mut files = Files { workspace, release: args.release, faults };
        let own = args.respect_gemini_ignore.then(|| files.content(b".geminiignore"));
        let git = args.respect_git_ignore && files.is_repository();
        let joined = args.release == Release::Current && git && own.is_some();
        let extra = own.clone().flatten().filter(|_| joined).unwrap_or_default();
        Rules {
            git: git.then(|| files.git_rules(dir, &extra)),
            own: own.filter(|_| !joined).map(|own| {
                let mut rules = NodeIgnore::default();
                rules.add(b"", &own.unwrap_or_default());
                rules
            }),
            joined,
        }
    }

    /// Whether, and by which rules, a path from the workspace is hidden.
    pub(super) fn hide(&self, path: &[u8]) -> Option<Hidden> {
        let ignores = |rules: &Option<NodeIgnore>| {
            rules.as_ref().is_some_and(|rules| rules.ignores(path, As::File))
        };
        if ignores(&self.git) {
            return Some(Hidden::ByGit);
        }
        (!self.joined && ignores(&self.own)).then_some(Hidden::ByOwn)
    }
}

struct Files<'a> {
    workspace: &'a Workspace<'a>,
    release: Release,
    faults: &'a mut Faults,
}

impl Files<'_> {
    /// A file's rules as the release reads them.
    fn content(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        let file = joined(self.workspace.target().as_bytes(), path);
        let bytes = self.faults.rules(self.workspace.lister, &file, &text::lossy(path))?;
        if self.release == Release::Current {
            return Some(bytes);
        }
        Some(trimmed_lines(&bytes))
    }

    /// Whether the workspace, or a directory above it in the same root, has a `.git` of any kind.
    fn is_repository(&self) -> bool {
        let mut dir = self.workspace.target().as_bytes();
        loop {
            let git = PathArg::from(joined(dir, b".git"));
            match self.workspace.lister.look(&git) {
                Ok(_) => return true,
                Err(trilist::ListError::OutsideRoot { .. }) => return false,
                Err(_) => {}
            }
            match dir.iter().rposition(|byte| *byte == b'/') {
                Some(slash) => dir = &dir[..slash],
                None => return false,
            }
        }
    }

    /// Git's rules for the entries of `dir`, and behind them those of `extra`.
    fn git_rules(&mut self, dir: &[u8], extra: &[u8]) -> NodeIgnore {
        let mut rules = NodeIgnore::default();
        rules.add(b"", b".git");
        let excludes = self.content(b".git/info/exclude").unwrap_or_default();
        let top = self.content(b".gitignore").unwrap_or_default();
        match self.release {
            Release::Early => {
                rules.add(b"", &top);
                rules.add(b"", &excludes);
            }
            Release::Current => {
                rules.add(b"", &excludes);
                rules.add(b"", &top);
                self.add_nested(dir, extra, &mut rules);
                rules.add(b"", extra);
            }
        }
        rules
    }

    /// The ignore files on the way to `dir`, unless that is ignored from above.
    fn add_nested(&mut self, dir: &[u8], extra: &[u8], rules: &mut NodeIgnore) {
        let ends = dir.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for end in ends.chain([dir.len()]).filter(|end| *end > 0) {
            let above = &dir[..end];
            let mut with_extra = NodeIgnore::default();
            with_extra.add(b"", extra);
            if rules.ignores(above, As::File) && !with_extra.ignores(above, As::File) {
                return;
            }
            let file = joined(above, b".gitignore");
            rules.add(above, &self.content(&file).unwrap_or_default());
        }
    }
}
