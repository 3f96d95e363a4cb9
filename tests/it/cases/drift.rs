//! What a later page says of changes since the one before.

use std::fs;

use trilist::{ListRequest, Lister, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{ask, lister, page};

/// A listing that is cut inside `a/way`, and the request for the page behind it.
fn cut(mode: Mode) -> (Tree, Lister, ListRequest) {
    let tree = TreeBuilder::new()
        .dir(".git")
        .files(["a/way/1", "a/way/2", "a/way/3", "a/other/x", "b/y", "z"])
        .file("a/.gitignore", "nothing\n")
        .build();
    let lister = lister(tree.path());
    let behind = if mode == Mode::Fs { 6 } else { 3 };
    let mut request = ask(mode, ".");
    (request.depth, request.limit) = (Some(9), Some(behind));
    let first = page(&lister, &request);
    assert_eq!(first.entries.last().unwrap().path, "a/way/1");
    (request.cursor, request.limit) = (first.next_cursor, None);
    (tree, lister, request)
}

#[track_caller]
fn drifts(mode: Mode, change: impl Fn(&Tree), right: bool) {
    let (tree, lister, request) = cut(mode);
    assert!(!page(&lister, &request).drifted);
    change(&tree);
    let next = page(&lister, &request);
    assert_eq!(next.drifted, right, "{mode}");
    assert_eq!(next.total.is_none(), right, "{mode}");
}

#[test]
fn names_on_the_way_are_seen_and_nothing_else() {
    for mode in [Mode::Fs, Mode::Files] {
        let rename = |from: &'static str, to: &'static str| {
            move |tree: &Tree| fs::rename(tree.join(from), tree.join(to)).unwrap()
        };
        drifts(mode, rename("a/way/3", "a/way/4"), true);
        drifts(mode, rename("a/other", "a/others"), true);
        drifts(mode, rename("z", "zz"), true);
        drifts(mode, |tree| fs::remove_dir_all(tree.join("a")).unwrap(), true);
        // Neither what is finished, nor what comes, nor what an editor saves.
        drifts(mode, rename("a/other/x", "a/other/y"), false);
        drifts(mode, rename("b/y", "b/x"), false);
        drifts(mode, |tree| fs::write(tree.join("a/way/1"), "saved").unwrap(), false);
        drifts(mode, |tree| fs::write(tree.join("z"), "saved").unwrap(), false);
    }
}

#[test]
fn a_name_that_changes_its_kind_is_seen() {
    for mode in [Mode::Fs, Mode::Files] {
        let change = |tree: &Tree| {
            fs::remove_file(tree.join("z")).unwrap();
            fs::create_dir(tree.join("z")).unwrap();
        };
        drifts(mode, change, true);
    }
}

#[test]
fn rules_on_the_way_are_seen_where_they_are_in_force() {
    let change = |tree: &Tree| fs::write(tree.join("a/.gitignore"), "other\n").unwrap();
    drifts(Mode::Files, change, true);
    drifts(Mode::Fs, change, false);
}
