//! Makes the trees that are timed, under `target/corpus`, once.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::run::{command, run};

/// An ordinary tree of so many files, in an empty git work tree.
pub(super) fn tree(files: u64) -> Result<PathBuf> {
    make("tree", files)
}

/// A repository whose HEAD and index name so many files, none of them checked out.
pub(super) fn index(files: u64) -> Result<PathBuf> {
    make("index", files)
}

fn make(kind: &str, files: u64) -> Result<PathBuf> {
    let corpora = crate::target_dir().join("corpus");
    std::fs::create_dir_all(&corpora)
        .with_context(|| format!("cannot make {}", corpora.display()))?;
    let dest = corpora.join(format!("{kind}-{files}"));
    let script = crate::workspace().join("xtask/corpus/make_corpus.py");
    let mut python = command("python3", &[]);
    python.arg(script).arg(kind).arg(&dest).args(["--files", &files.to_string()]);
    run(&mut python).context("remove the folder if an earlier run was interrupted")?;
    Ok(dest)
}
