//! Repositories that somebody packs while they are read.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use trilist_core::{Cancel, FaultCode, ListSource};
use trilist_tests::{git, require};

use trilist_vcs::VcsSource;
use trilist_vcs::objects::Hash;

use super::{
    add_commit_of_odd_names, add_commits, head_names, history, id, lines, list, loose_path,
    objects, open, packs, unhex, whole,
};
use crate::support::{Told, faults, names, query};

#[test]
fn a_source_that_is_kept_goes_on_after_packing() {
    if !require("git") {
        return;
    }
    let tree = history(&[], "1000000", 3);
    let dir = tree.path();
    let source = open(dir).expect("it opens");
    for round in 0..4 {
        let right = head_names(dir);
        assert_eq!(whole(&source), right, "round {round}, before");
        match round % 2 {
            0 => drop(git(dir, &["repack", "-q", "-adf"])),
            _ => drop(git(dir, &["gc", "-q", "--prune=now"])),
        }
        git(dir, &["prune-packed", "-q"]);
        assert_eq!(packs(dir, "pack").len(), 1);
        assert_eq!(whole(&source), right, "round {round}, after");
        let next = 3 + round * 5;
        add_commits(dir, ["1000000", "1"][round % 2], next..next + 5);
    }
}

/// Lists, and does something after each event, by its number.
fn list_and(source: &VcsSource, mut each: impl FnMut(usize)) -> Vec<Told> {
    let (query, cancel) = (query(), Cancel::new());
    let mut events = source.open(&query, &cancel).expect("it is listed");
    let mut told = Vec::new();
    while events.advance().expect("it is listed") {
        told.push(Told::of(events.event()));
        each(told.len());
    }
    told
}

/// Half of a listing comes from loose objects, the rest from the pack that replaces them, and
/// then from a pack that replaces that.
#[test]
fn objects_that_are_packed_during_a_listing_are_found() {
    if !require("git") {
        return;
    }
    let tree = history(&[], "1000000", 3);
    let dir = tree.path();
    let right = head_names(dir);
    let source = open(dir).expect("it opens");
    let told = list_and(&source, |told| match told {
        5 => {
            git(dir, &["repack", "-q", "-ad"]);
            git(dir, &["prune-packed", "-q"]);
            assert!(!loose_path(dir, &id(dir, "HEAD:wide")).exists());
        }
        30 => drop(git(dir, &["repack", "-q", "-adf", "--depth=9", "--window=5"])),
        _ => {}
    });
    assert_eq!((names(&told), faults(&told)), (right, vec![]));
}

#[test]
fn threads_list_while_the_repository_is_packed() {
    if !require("git") {
        return;
    }
    let tree = history(&[], "1000000", 3);
    let dir = tree.path();
    let right = head_names(dir);
    let source = open(dir).expect("it opens");
    let done = AtomicBool::new(false);
    let rounds: usize = thread::scope(|scope| {
        let lister = || {
            let mut rounds = 0;
            while !done.load(Ordering::Relaxed) || rounds == 0 {
                assert_eq!(whole(&source), right);
                rounds += 1;
            }
            rounds
        };
        let listers: Vec<_> = (0..3).map(|_| scope.spawn(lister)).collect();
        for depth in ["--depth=1", "--depth=9", "--depth=50", "--depth=2"] {
            git(dir, &["repack", "-q", "-adf", depth]);
            git(dir, &["prune-packed", "-q"]);
        }
        done.store(true, Ordering::Relaxed);
        listers.into_iter().map(|lister| lister.join().expect("it ends")).sum()
    });
    assert!(rounds >= 3);
}

/// A pack that is cut short while it is open: a gap, not a signal.
#[test]
fn a_pack_that_shrinks_is_a_gap() {
    if !require("git") {
        return;
    }
    let tree = history(&[], "1", 3);
    let dir = tree.path();
    add_commit_of_odd_names(dir);
    git(dir, &["repack", "-q", "-adf", "--window=0"]);
    let pack = packs(dir, "pack").remove(0);
    assert!(fs::metadata(pack).expect("there").len() > 150_000, "more than is read ahead");
    let right = head_names(dir);
    let source = open(dir).expect("it opens");
    let told = list_and(&source, |told| {
        if told == 1 {
            let pack = packs(dir, "pack").remove(0);
            let file = fs::OpenOptions::new().write(true).open(pack).expect("it opens");
            file.set_len(40).expect("it is cut");
        }
    });
    assert!(names(&told).iter().all(|name| right.contains(name)));
    assert!(!faults(&told).is_empty());
    assert!(faults(&told).iter().all(|fault| *fault == (FaultCode::VcsObjectInvalid, true)));
    let error = open(dir).and_then(|source| list(&source)).expect_err("HEAD's commit is gone too");
    assert_eq!(error.code(), "vcs_invalid");
}

#[test]
fn few_files_are_held_open() {
    if !require("git") {
        return;
    }
    let tree = history(&[], "1", 1);
    let dir = tree.path();
    for at in 1..60 {
        add_commits(dir, "1", at..at + 1);
    }
    assert_eq!(packs(dir, "pack").len(), 60);
    let (mut objects, cancel) = (objects(dir, Hash::Sha1), Cancel::new());
    for commit in lines(dir, &["rev-list", "HEAD"]) {
        let tree = objects.tree_of(&unhex(&commit), &cancel).expect("it is read");
        objects.tree(&tree, &cancel).expect("it is read");
    }
    let inside = fs::canonicalize(dir).expect("there");
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return };
    let paths = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let held = paths.filter(|path| path.starts_with(&inside)).count();
    // Those of packs, and the directory.
    assert!((30..=33).contains(&held), "{held}");
}
