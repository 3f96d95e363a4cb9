//! Makes the trees that are timed, under `target/corpus`, once.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::run::{command, run};

/// An ordinary tree of so many files, in an empty git work tree.
pub(super) fn tree(files: u64) -> Result<PathBuf> {
    make("tree", files, &[])
}

/// So many files in directories of a hundred, all directly below the root.
pub(super) fn wide(files: u64) -> Result<PathBuf> {
    make("wide", files, &[])
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

/// The `index` corpus with one removal and one addition staged.
pub(super) fn index_staged(files: u64) -> Result<PathBuf> {
    let script = r#"
        half=$(($(git ls-files | wc -l) / 2))
        line=$(git ls-files -s | sed -n "${half}p")
        path=$(printf %s "$line" | cut -f 2)
        id=$(printf %s "$line" | cut -d ' ' -f 2)
        git update-index --force-remove "$path"
        git update-index --add --cacheinfo "100644,$id,$path-added"
    "#;
    variant(files, "staged", script)
}

/// The `index` corpus with an index that has no cached trees.
pub(super) fn index_without_trees(files: u64) -> Result<PathBuf> {
    let script = r#"
        git ls-files -s > ../entries
        rm .git/index
        git update-index --index-info < ../entries
        rm ../entries
    "#;
    variant(files, "without-trees", script)
}

/// A copy of the `index` corpus, changed once by a script. Its objects are the same files. In a
/// shell, because a million lines held here would count as memory of every process that is timed.
fn variant(files: u64, name: &str, script: &str) -> Result<PathBuf> {
    let origin = index(files)?;
    let dest = origin.with_file_name(format!("index-{files}-{name}"));
    let done = dest.join("made");
    if done.exists() {
        return Ok(dest);
    }
    // Git replaces an index and never writes into it, so hard links are safe.
    run(command("rm", &["-rf"]).arg(&dest))?;
    run(command("cp", &["-al"]).arg(&origin).arg(&dest))?;
    let mut change = command("sh", &["-ec", script]);
    change.current_dir(&dest).env("GIT_CONFIG_GLOBAL", "/dev/null");
    run(change.env("GIT_CONFIG_NOSYSTEM", "1"))?;
    std::fs::write(&done, "").with_context(|| format!("cannot write {}", done.display()))?;
    Ok(dest)
}
