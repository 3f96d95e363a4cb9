//! Objects that are another repository's, or nobody's.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use trilist_core::{FaultCode, ListError, RelPath};
use trilist_root::Root;
use trilist_tests::{Tree, TreeBuilder, git, require};
use trilist_vcs::VcsSource;

use super::{head_names, lines, list, text, whole};
use crate::support::{Told, git_with_input, names};

/// A folder with the repository `origin`, all of it packed.
fn origin() -> Tree {
    TreeBuilder::new()
        .git(&["init", "-q", "origin"])
        .files(["origin/a/b/c", "origin/d", "origin/e/f"])
        .git_in("origin", &["add", "-A"])
        .git_in("origin", &["commit", "-q", "-m", "one"])
        .file("origin/g", "g")
        .git_in("origin", &["add", "-A"])
        .git_in("origin", &["commit", "-q", "-m", "two"])
        .git_in("origin", &["config", "uploadpack.allowFilter", "true"])
        .git_in("origin", &["repack", "-q", "-ad"])
        .build()
}

const NAMES: [&str; 4] = ["a/b/c", "d", "e/f", "g"];

fn clone(tree: &Tree, args: &[&str], from: &str, to: &str) {
    git(tree.path(), &[&["clone", "-q", "--no-checkout"], args, &[from, to]].concat());
}

fn open_in(root: &Path, others: &[&Path], base: &str) -> Result<VcsSource, ListError> {
    let root = Arc::new(Root::open(root).expect("it exists"));
    let others: Vec<_> = others.iter().map(|other| Root::open(other).expect("there")).collect();
    let others: Vec<_> = others.iter().collect();
    let base = RelPath::new(base.as_bytes()).expect("relative");
    VcsSource::open_among(root, &others, base, &Arc::default())
}

fn assert_refused(result: Result<VcsSource, ListError>) {
    match result {
        Err(ListError::VcsRefused { reason }) => assert!(reason.contains("alternates"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn objects_of_another_store() {
    if !require("git") {
        return;
    }
    let tree = origin();
    clone(&tree, &["--shared"], "origin", "shared");
    clone(&tree, &["--shared"], "shared", "again");
    let from = format!("file://{}", tree.path().join("origin").display());
    clone(&tree, &["--reference", "origin"], &from, "referring");
    for name in ["shared", "again", "referring"] {
        let dir = tree.path().join(name);
        assert!(dir.join(".git/objects/info/alternates").exists(), "{name}");
        assert_eq!(lines(&dir, &["count-objects", "-v"])[0], "count: 0", "{name}");
        assert!(super::packs(&dir, "pack").is_empty(), "{name}");
        // In a root that holds both, whole; in one of its own, only where the other is listed.
        let listed = [tree.path().join("origin"), tree.path().join("shared")];
        let listed: Vec<_> = listed.iter().map(std::path::PathBuf::as_path).collect();
        assert_eq!(list_names(open_in(tree.path(), &[], name)), NAMES, "{name}");
        assert_eq!(list_names(open_in(&dir, &listed, "")), NAMES, "{name}");
        assert_refused(open_in(&dir, &[], ""));
    }
    let dir = tree.path().join("again");
    // The first store is listed and leads on to one that is not.
    assert_refused(open_in(&dir, &[&tree.path().join("shared")], ""));
}

fn list_names(source: Result<VcsSource, ListError>) -> Vec<String> {
    whole_below(&source.expect("it opens"))
}

/// A listing of the repository's top, wherever it is in the root.
fn whole_below(source: &VcsSource) -> Vec<String> {
    use trilist_core::{Cancel, Event, ListSource, Query};
    let (query, cancel) = (Query::new(source.top().to_buf()), Cancel::new());
    let mut events = source.open(&query, &cancel).expect("it is listed");
    let mut names = Vec::new();
    while events.advance().expect("it is listed") {
        match events.event() {
            Event::Entry(entry) => names.push(entry.path.to_string()),
            other => panic!("{other:?}"),
        }
    }
    names
}

/// What was checked is what is read, whatever its path names later.
#[test]
fn a_store_that_moves_is_still_the_one_that_was_checked() {
    if !require("git") {
        return;
    }
    let tree = origin();
    clone(&tree, &["--shared"], "origin", "shared");
    let source = open_in(tree.path(), &[], "shared").expect("it opens");
    let objects = tree.path().join("origin/.git/objects");
    fs::rename(&objects, tree.path().join("elsewhere")).expect("it moves");
    std::os::unix::fs::symlink("/nowhere", &objects).expect("a link");
    assert_eq!(whole_below(&source), NAMES);
}

#[test]
fn trees_that_were_not_fetched() {
    if !require("git") {
        return;
    }
    let tree = origin();
    let from = format!("file://{}", tree.path().join("origin").display());
    clone(&tree, &["--filter=blob:none"], &from, "no-blobs");
    let dir = tree.path().join("no-blobs");
    assert!(!super::packs(&dir, "promisor").is_empty());
    assert_eq!(whole(&super::open(&dir).expect("it opens")), NAMES);

    clone(&tree, &["--filter=tree:0"], &from, "no-trees");
    let dir = tree.path().join("no-trees");
    let blob = git_with_input(&dir, &["hash-object", "-w", "--stdin"], b"x");
    let info = format!("100644 {blob}\ta/x\n100644 {blob}\tg\n");
    git_with_input(&dir, &["update-index", "--index-info"], info.as_bytes());
    let told = list(&super::open(&dir).expect("it opens")).expect("it is listed");
    assert_eq!(names(&told), ["a/x", "g"]);
    let top = text(git(&tree.path().join("origin"), &["rev-parse", "HEAD^{tree}"]));
    let top = top.trim();
    let gaps: Vec<_> = told.iter().filter(|told| matches!(told, Told::Fault(..))).collect();
    let why = format!("object {top}: it was not fetched (partial clone)");
    assert_eq!(gaps, [&Told::Fault(Vec::new(), FaultCode::VcsObjectInvalid, true, why)]);
}

#[test]
fn a_shallow_clone_is_whole_as_far_as_head_goes() {
    if !require("git") {
        return;
    }
    let tree = origin();
    let from = format!("file://{}", tree.path().join("origin").display());
    clone(&tree, &["--depth=1"], &from, "shallow");
    let dir = tree.path().join("shallow");
    assert!(dir.join(".git/shallow").exists());
    assert_eq!(whole(&super::open(&dir).expect("it opens")), head_names(&dir));
}
