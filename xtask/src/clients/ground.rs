//! What the clients list.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use trilist_tests::{Tree, TreeBuilder};

/// Names whose ignore rules take seconds to match.
const SLOW_NAMES: usize = 12_000;
const SLOW_RULES: usize = 5_000;

/// A tree, and the server's program.
pub(crate) struct Ground {
    pub(crate) program: PathBuf,
    tree: Tree,
}

impl Ground {
    /// 250 files, and a directory that takes long in mode `files`.
    pub(crate) fn new(program: PathBuf) -> Result<Ground> {
        let rules = (0..SLOW_RULES).map(|n| format!("**/*a*a*a*a*a*z{n}\n")).collect::<String>();
        let files = (0..250).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n:03}"), ""));
        let tree = files.file("slow/.gitignore", rules).repo().build();
        let name = "a".repeat(200);
        for number in 0..SLOW_NAMES {
            fs::write(tree.join(format!("slow/{name}{number:05}")), "")?;
        }
        Ok(Ground { program, tree })
    }

    /// The root to serve.
    pub(crate) fn root(&self) -> &Path {
        self.tree.path()
    }
}
