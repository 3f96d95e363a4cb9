//! Damage: nothing panics, nothing is invented, every gap is told.

use std::fs;
use std::path::Path;

use trilist_core::{FaultCode, ListError};
use trilist_tests::{Tree, TreeBuilder, git, require};

use super::{commit_to, head_names, id, list, loose_path, open, overwrite, packs};
use crate::support::{Told, faults, git_with_input, names};

/// A few directories, of which two are alike so that one becomes a delta, and no index.
fn small() -> Tree {
    let names = (0..12).flat_map(|at| [format!("a/{at}"), format!("b/{at}")]);
    let tree = TreeBuilder::new().repo().files(names).files(["a/x", "c/d"]).commit("i").build();
    fs::remove_file(tree.path().join(".git/index")).expect("removed");
    tree
}

/// What cannot be read is told; the rest is there, and nothing else.
fn check(right: &[String], result: Result<Vec<Told>, ListError>, context: &str) {
    let told = match result {
        Ok(told) => told,
        Err(error) => return assert_eq!(error.code(), "vcs_invalid", "{context}: {error}"),
    };
    let found = names(&told);
    assert!(found.iter().all(|name| right.contains(name)), "{context}: {told:?}");
    assert_eq!(found.len() < right.len(), !faults(&told).is_empty(), "{context}: {told:?}");
    assert!(faults(&told).iter().all(|fault| *fault == (FaultCode::VcsObjectInvalid, true)));
}

/// Lists with every bit of a file flipped, one at a time, and with the file cut at each place.
/// Says how often something was wrong.
fn try_all(dir: &Path, path: &Path) -> usize {
    let right = head_names(dir);
    let whole = fs::read(path).expect("read");
    let mut wrong = 0;
    let mut try_one = |bytes: &[u8], context: &str| {
        overwrite(path, bytes);
        let result = open(dir).and_then(|source| list(&source));
        wrong += usize::from(!result.as_ref().is_ok_and(|told| faults(told).is_empty()));
        check(&right, result, context);
    };
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        try_one(&bytes, &format!("bit {bit}"));
    }
    for len in 0..whole.len() {
        try_one(&whole[..len], &format!("cut to {len}"));
    }
    overwrite(path, whole);
    wrong
}

#[test]
fn a_loose_tree() {
    if !require("git") {
        return;
    }
    let tree = small();
    let path = loose_path(tree.path(), &id(tree.path(), "HEAD:c"));
    let bytes = fs::metadata(&path).expect("there").len() as usize;
    // Two bits of the stream's head say nothing of what is in it.
    assert!(try_all(tree.path(), &path) >= bytes * 9 - 8);
}

#[test]
fn a_pack() {
    if !require("git") {
        return;
    }
    let tree = small();
    git(tree.path(), &["repack", "-q", "-adf"]);
    let path = packs(tree.path(), "pack").remove(0);
    let told = git(tree.path(), &["verify-pack", "-v", path.to_str().expect("UTF-8")]);
    assert!(String::from_utf8_lossy(&told).contains("chain length = 1: 1 object"));
    assert!(try_all(tree.path(), &path) > 1000);
}

#[test]
fn an_index_of_a_pack() {
    if !require("git") {
        return;
    }
    let tree = small();
    for version in ["pack.indexVersion=2", "pack.indexVersion=1"] {
        git(tree.path(), &["-c", version, "repack", "-q", "-adf"]);
        let path = packs(tree.path(), "idx").remove(0);
        assert!(try_all(tree.path(), &path) > 1000, "{version}");
    }
}

/// Another object's file in the place of a tree's, and files with something more.
#[test]
fn loose_files_that_are_something_else() {
    if !require("git") {
        return;
    }
    let tree = small();
    let dir = tree.path();
    let right: Vec<_> = head_names(dir).into_iter().filter(|name| !name.starts_with('c')).collect();
    let tree_id = id(dir, "HEAD:c");
    let path = loose_path(dir, &tree_id);
    let file_of = |revision: &str| fs::read(loose_path(dir, &id(dir, revision))).expect("read");
    let more = [file_of("HEAD:c"), b"\n".to_vec()].concat();
    git(dir, &["tag", "-a", "-m", "t", "tag", "HEAD"]);
    for (bytes, why) in [
        (file_of("HEAD:a/x"), "it is a blob, not a tree"),
        (file_of("HEAD"), "it is a commit, not a tree"),
        (file_of("tag"), "it is a tag, not a tree"),
        (file_of("HEAD:a"), "it is damaged: its contents do not have its hash"),
        (more, "it is damaged: something follows it in its file"),
        (Vec::new(), "it is damaged: its packed bytes end early"),
        (vec![0; 100], "it is damaged: it cannot be unpacked"),
    ] {
        overwrite(&path, bytes);
        let told = list(&open(dir).expect("it opens")).expect("it is listed");
        assert_eq!(names(&told), right);
        let message = format!("object {tree_id}: {why}");
        let gap = Told::Fault(b"c".to_vec(), FaultCode::VcsObjectInvalid, true, message);
        assert_eq!(told.last(), Some(&gap));
        assert_eq!(told.len(), right.len() + 1);
    }
}

/// A copy that cannot be read does not hide a good one.
#[test]
fn one_good_copy_is_enough() {
    if !require("git") {
        return;
    }
    let tree = small();
    let dir = tree.path();
    let right = head_names(dir);
    git(dir, &["repack", "-q", "-adf"]);
    git(dir, &["repack", "-q", "-af"]);
    let pack = packs(dir, "pack").remove(0);
    // The objects are loose again, too; the packed ones become zeros.
    let bytes = fs::read(&pack).expect("read");
    let copy = dir.join("aside.pack");
    fs::rename(&pack, &copy).expect("moved");
    let index = packs(dir, "idx").remove(0);
    let index_bytes = fs::read(&index).expect("read");
    fs::remove_file(&index).expect("removed");
    git_with_input(dir, &["unpack-objects", "-q"], &bytes);
    overwrite(&index, index_bytes);
    let end = bytes.len() - 20;
    let zeros = [&bytes[..12], &vec![0; end - 12], &bytes[end..]].concat();
    overwrite(&pack, zeros);
    let told = list(&open(dir).expect("it opens")).expect("it is listed");
    assert_eq!((names(&told), faults(&told)), (right.clone(), vec![]));
    // The other way round: the loose ones are damaged.
    overwrite(&pack, &bytes);
    for revision in ["HEAD", "HEAD:", "HEAD:a", "HEAD:b", "HEAD:c"] {
        overwrite(&loose_path(dir, &id(dir, revision)), "garbage");
    }
    let told = list(&open(dir).expect("it opens")).expect("it is listed");
    assert_eq!((names(&told), faults(&told)), (right, vec![]));
}

#[test]
fn commits_that_name_no_tree() {
    if !require("git") {
        return;
    }
    for tree in ["", "xyz", "1234", &"g".repeat(40), &"1".repeat(41)] {
        let repository = small();
        let dir = repository.path();
        commit_to(dir, tree);
        let error = list(&open(dir).expect("it opens")).expect_err("there is no tree");
        assert_eq!(error.code(), "vcs_invalid");
        assert!(error.to_string().ends_with("it is damaged: it names no tree"), "{error}");
    }
}
