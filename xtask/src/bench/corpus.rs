//! Makes the trees that are timed, under `target/corpus`, once.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::run::{command, run};

/// An ordinary tree of so many files, in an empty git work tree.
pub(super) fn tree(files: u64) -> Result<PathBuf> {
    make("tree", files, &[])
}

/// A repository whose HEAD and index name so many files, none of them checked out.
pub(super) fn index(files: u64) -> Result<PathBuf> {
    make("index", files, &[])
}

/// A work tree of so many tracked files, with so many more in folders that are ignored.
pub(super) fn monorepo(files: u64, ignored: u64) -> Result<PathBuf> {
    make("monorepo", files, &["--ignored", &ignored.to_string()])
}

fn make(kind: &str, files: u64, more: &[&str]) -> Result<PathBuf> {
    let corpora = crate::target_dir().join("corpus");
    std::fs::create_dir_all(&corpora)
        .with_context(|| format!("cannot make {}", corpora.display()))?;
    let size = more.last().map_or(String::new(), |more| format!("-{more}"));
    let dest = corpora.join(format!("{kind}-{files}{size}"));
    let script = crate::workspace().join("xtask/corpus/make_corpus.py");
    let mut python = command("python3", &[]);
    python.arg(script).arg(kind).arg(&dest).args(["--files", &files.to_string()]).args(more);
    run(&mut python).context("remove the folder if an earlier run was interrupted")?;
    Ok(dest)
}
