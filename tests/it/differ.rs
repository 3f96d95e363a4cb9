//! Other programs on the same trees: ripgrep for mode `files`, find for mode `fs`.

use std::path::Path;
use std::process::Command;

use trilist::{IgnorePolicy, Kind, ListRequest, Mode, Skip};
use trilist_tests::oracle::{FoundKind, find_paths, rg_files};
use trilist_tests::{Tree, git, require, tree_names, workspace};

use crate::forest::{Ground, plant};
use crate::harness::{ask, everything, lister, whole};
use crate::props::for_forests;

/// Trees on which ripgrep and trilist differ by design, or which ripgrep reports errors on.
const DIFFERENT: &[(&str, &str)] = &[
    ("emptiness", "holds a directory without permissions; see the cases of faults"),
    ("locked", "as `emptiness`"),
];

/// Files as ripgrep gives them: without links and special files, which it leaves out.
fn files(dir: &Path) -> Vec<Vec<u8>> {
    let ignore = IgnorePolicy { builtin: Some(false), ..IgnorePolicy::default() };
    let request = ListRequest { ignore, ..ask(Mode::Files, ".") };
    let page = whole(&lister(dir), &request);
    let files = page.entries.iter().filter(|entry| entry.kind == Kind::File);
    files.map(|entry| entry.bytes().to_vec()).collect()
}

fn as_ripgrep(dir: &Path) -> Vec<Vec<u8>> {
    // A glob on the command line comes before every ignore file, so nothing is taken back by it.
    // Messages about lines that are no patterns would count as errors.
    rg_files(dir, &["--hidden", "--glob=!.git", "--no-ignore-messages", "--no-ignore-global"])
}

#[track_caller]
fn same_as_ripgrep(dir: &Path, what: &str) {
    assert_eq!(shown(files(dir)), shown(as_ripgrep(dir)), "{what}");
}

fn shown(paths: Vec<Vec<u8>>) -> Vec<String> {
    paths.iter().map(|path| path.escape_ascii().to_string()).collect()
}

#[test]
fn files_is_what_ripgrep_lists_on_every_fixture() {
    if !require("rg") {
        return;
    }
    for name in tree_names() {
        if DIFFERENT.iter().any(|(other, _)| *other == name) {
            continue;
        }
        same_as_ripgrep(Tree::build(&name).path(), &name);
    }
}

#[test]
fn files_is_what_ripgrep_lists_on_random_trees() {
    if !require("rg") {
        return;
    }
    for_forests(60, Ground { rules: true, bad_rules: false, git: true }, |forest| {
        let tree = plant(forest);
        same_as_ripgrep(tree.path(), "at the root");
    });
}

#[test]
fn files_is_what_ripgrep_lists_on_a_large_tree() {
    if !require("rg") || !require("python3") {
        return;
    }
    let place = Tree::empty();
    let corpus = place.join("corpus");
    let script = workspace().join("xtask/corpus/make_corpus.py");
    let mut make = Command::new("python3");
    make.arg(script).arg("tree").arg(&corpus).args(["--files", "10000"]);
    assert!(make.output().unwrap().status.success());
    same_as_ripgrep(&corpus, "the corpus");
    same_as_find(&corpus, "the corpus");
}

#[test]
fn files_is_what_ripgrep_lists_here() {
    let here = workspace();
    let top =
        Command::new("git").args(["rev-parse", "--show-toplevel"]).current_dir(&here).output();
    if !top.is_ok_and(|top| top.status.success()) || !require("rg") {
        return;
    }
    // A clone, since builds write into the folder meanwhile.
    let place = Tree::empty();
    git(place.path(), &["clone", "-q", "--no-hardlinks", here.to_str().unwrap(), "clone"]);
    same_as_ripgrep(&place.join("clone"), "this repository");
    same_as_find(&place.join("clone"), "this repository");
}

/// Everything on disk, as `find` tells it, but for what is below `.git`.
#[track_caller]
fn same_as_find(dir: &Path, what: &str) {
    let page = whole(&lister(dir), &everything("."));
    let ours: Vec<(String, FoundKind)> = page
        .entries
        .iter()
        .map(|entry| {
            assert!(
                matches!(entry.skipped, None | Some(Skip::Protected)),
                "{what}: {}",
                entry.path
            );
            (entry.bytes().escape_ascii().to_string(), kind(entry.kind))
        })
        .collect();
    let protected = |path: &[u8]| {
        let mut parents = path.split(|byte| *byte == b'/').rev().skip(1);
        parents.any(|part| part == b".git")
    };
    let theirs: Vec<(String, FoundKind)> = find_paths(dir)
        .into_iter()
        .filter(|(path, _)| !protected(path))
        .map(|(path, kind)| (path.escape_ascii().to_string(), kind))
        .collect();
    assert_eq!(ours, theirs, "{what}");
    assert!(page.complete && page.omitted.is_empty(), "{what}");
}

fn kind(kind: Kind) -> FoundKind {
    match kind {
        Kind::File => FoundKind::File,
        Kind::Dir => FoundKind::Dir,
        Kind::Symlink => FoundKind::Symlink,
        Kind::Other | Kind::Submodule => FoundKind::Other,
    }
}

#[test]
fn fs_is_what_find_lists_on_every_fixture() {
    for name in tree_names() {
        let tree = Tree::build(&name);
        // Root alone reads what has no permissions; the cases of faults are about the others.
        if matches!(name.as_str(), "emptiness" | "locked") && !rustix::process::geteuid().is_root()
        {
            continue;
        }
        same_as_find(tree.path(), &name);
    }
}

#[test]
fn fs_is_what_find_lists_on_random_trees() {
    for_forests(60, Ground { rules: false, bad_rules: false, git: true }, |forest| {
        same_as_find(plant(forest).path(), "a random tree");
    });
}
