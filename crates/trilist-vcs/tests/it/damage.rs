//! Damage: nothing panics, nothing is invented, every gap is told.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use trilist_core::{FaultCode, ListError, Query, RelPathBuf};
use trilist_tests::{Tree, TreeBuilder, git, require};

use crate::support::{Told, faults, list, names, query};

fn small() -> TreeBuilder {
    let files = [".x", "a-b", "a/b/c", "a/d", "e", "f/g"];
    TreeBuilder::new().repo().files(files).commit("i").file("new", "n").git(&["add", "new"])
}

#[test]
fn t53_every_truncation_and_flipped_bit_of_an_index_is_survived() {
    if !require("git") {
        return;
    }
    for version in ["2", "4"] {
        let tree = small().git(&["update-index", "--index-version", version]).build();
        let path = tree.path().join(".git/index");
        let right = list(tree.path(), &query()).expect("it is listed");
        let whole = fs::read(&path).expect("read");
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).expect("written");
            check(&right, list(tree.path(), &query()));
        }
        for bit in 0..whole.len() * 8 {
            check_flipped(&tree, &path, &whole, bit, &right);
        }
    }
}

fn check_flipped(tree: &Tree, path: &Path, whole: &[u8], bit: usize, right: &[Told]) {
    let mut bytes = whole.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    fs::write(path, &bytes).expect("written");
    let want = [None, Some(2)][bit % 2];
    check(right, list(tree.path(), &Query { want, ..query() }));
}

/// Every bit of these formats is flipped in `mutations`; here one bit of each byte goes through
/// the whole listing.
#[test]
fn t53_damage_in_any_file_of_an_index_is_a_gap() {
    if !require("git") {
        return;
    }
    let flags = small().git(&["update-index", "--skip-worktree", "a/d"]);
    let split = small()
        .git(&["config", "splitIndex.maxPercentChange", "100"])
        .git(&["update-index", "--split-index"])
        .file("e", "changed")
        .git(&["add", "e"])
        .git(&["rm", "-q", "--cached", "f/g"]);
    for (tree, shared) in [(flags, false), (split.clone(), false), (split, true)] {
        let tree = tree.build();
        let git_dir = tree.path().join(".git");
        let files = fs::read_dir(&git_dir).expect("there").flatten().map(|file| file.path());
        let is_wanted = |path: &PathBuf| {
            let name = path.file_name().expect("a file").as_encoded_bytes();
            if shared { name.starts_with(b"sharedindex.") } else { name == b"index" }
        };
        let path = files.into_iter().find(is_wanted).expect("written by git");
        let right = list(tree.path(), &query()).expect("it is listed");
        let whole = fs::read(&path).expect("read");
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).expect("written");
            check(&right, list(tree.path(), &query()));
        }
        for byte in 0..whole.len() {
            check_flipped(&tree, &path, &whole, byte * 8 + byte * 5 % 8, &right);
        }
    }
}

/// A gap is told; what HEAD has is there in any case, and nothing is invented.
fn check(right: &[Told], result: Result<Vec<Told>, ListError>) {
    let told = match result {
        Ok(told) => told,
        Err(error) => return assert_eq!(error.code(), "vcs_refused"),
    };
    let has_gap = faults(&told).iter().any(|(_, gap)| *gap);
    let found: BTreeSet<_> = names(&told).into_iter().collect();
    let all: BTreeSet<_> = names(right).into_iter().collect();
    let missing: Vec<_> = all.difference(&found).collect();
    assert!(missing.iter().all(|name| *name == "new"), "{missing:?}");
    assert!(has_gap && found.is_subset(&all), "{told:?}");
    let paths = told.iter().filter(|told| !matches!(told, Told::Fault(..))).map(Told::path);
    assert!(paths.is_sorted(), "{told:?}");
}

/// An index of version 2 with these names, in this order.
fn index(names: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"DIRC\0\0\0\x02".to_vec();
    bytes.extend(u32::try_from(names.len()).expect("few").to_be_bytes());
    for name in names {
        let start = bytes.len();
        bytes.extend([0; 24]);
        bytes.extend(0o100_644_u32.to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend([7; 20]);
        bytes.extend(u16::try_from(name.len().min(0xfff)).expect("capped").to_be_bytes());
        bytes.extend_from_slice(name);
        let len = bytes.len() - start;
        bytes.resize(start + (len / 8 + 1) * 8, 0);
    }
    bytes.extend([0; 20]);
    bytes
}

#[test]
fn t52_names_that_must_not_be_there_are_dropped() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().build();
    let long = [&b"long/"[..], &[b'n'; 5000]].concat();
    let wrong: [&[u8]; 9] =
        [b"../../x", b"/x", b"a//b", b"a/.git/config", b"a/.GiT", b"a/.", b"a/b/", b"", b"a/../b"];
    for name in wrong {
        let mut all: Vec<&[u8]> = vec![b"A", name, b"z"];
        all.sort();
        fs::write(tree.path().join(".git/index"), index(&all)).expect("written");
        let told = list(tree.path(), &query()).expect("it is listed");
        assert_eq!(names(&told), ["A", "z"], "{}", name.escape_ascii());
        assert_eq!(faults(&told), [(FaultCode::VcsEntryInvalid, true)], "{}", name.escape_ascii());
    }
    let odd: [&[u8]; 5] = [b"b", b"a", b"c", b"c", &long];
    fs::write(tree.path().join(".git/index"), index(&odd)).expect("written");
    let told = list(tree.path(), &query()).expect("it is listed");
    assert_eq!(told.len(), 5);
    assert_eq!(faults(&told), [(FaultCode::VcsEntryInvalid, true); 2]);
}

/// The directory of a sparse index holds all that its tree holds, so nothing else is below it.
#[test]
fn t52_entries_below_a_directory_of_a_sparse_index_are_dropped() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().files(["a/b", "a/d", "z"]).commit("i").build();
    let mut bytes = index(&[b"a/", b"a/", b"a/b", b"a/c/", b"a/e", b"a0", b"z"]);
    // The first entry is such a directory.
    bytes[12 + 24..12 + 28].copy_from_slice(&0o040_000_u32.to_be_bytes());
    bytes[12 + 40..12 + 60].copy_from_slice(&id(tree.path(), "HEAD:a"));
    fs::write(tree.path().join(".git/index"), bytes).expect("written");
    let told = list(tree.path(), &query()).expect("it is listed");
    assert_eq!(names(&told), ["a/b", "a/d", "a0", "z"], "{told:?}");
    assert_eq!(faults(&told), [(FaultCode::VcsEntryInvalid, true); 4], "{told:?}");
}

fn id(dir: &Path, revision: &str) -> Vec<u8> {
    let digits = git(dir, &["rev-parse", revision]);
    let digits = String::from_utf8(digits).expect("hexadecimal");
    (0..20)
        .map(|at| u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16).expect("hexadecimal"))
        .collect()
}

#[test]
fn t53_a_lying_cached_tree_is_noticed() {
    if !require("git") {
        return;
    }
    // Of a smaller one the cached trees are not used.
    let files: Vec<String> = (0..2000).map(|at| format!("a/file-{at:04}")).collect();
    let tree = TreeBuilder::new().repo().files(&files).file("b", "").commit("i").build();
    let id = id(tree.path(), "HEAD^{tree}");
    let names: Vec<&[u8]> = files[1..].iter().map(String::as_bytes).chain([&b"b"[..]]).collect();
    let mut bytes = index(&names);
    assert!(bytes.len() > 128 * 1024);
    let contents = [&b"\x002001 0\n"[..], &id].concat();
    let size = u32::try_from(contents.len()).expect("short").to_be_bytes();
    let at = bytes.len() - 20;
    bytes.splice(at..at, [b"TREE", &size[..], &contents].concat());
    fs::write(tree.path().join(".git/index"), bytes).expect("written");
    let told = list(tree.path(), &query()).expect("it is listed");
    assert!(faults(&told).contains(&(FaultCode::VcsIndexInvalid, true)), "{told:?}");
}

/// Ten levels of ten equal subtrees: ten thousand million names in eleven small objects.
#[test]
fn t54_a_bomb_is_read_only_as_far_as_it_is_wanted() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().files(["blob"]).build();
    let dir = tree.path();
    let blob = String::from_utf8(git(dir, &["hash-object", "-w", "blob"])).expect("hexadecimal");
    let mut line = format!("100644 blob {}\tf", blob.trim());
    let mut id = String::new();
    for _ in 0..11 {
        id = crate::support::git_with_input(dir, &["mktree"], line.as_bytes());
        let level = (0..10).map(|at| format!("040000 tree {id}\td{at}\n"));
        line = level.collect();
    }
    let commit = git(dir, &["commit-tree", "-m", "bomb", &id]);
    let commit = String::from_utf8(commit).expect("hexadecimal");
    git(dir, &["update-ref", "HEAD", commit.trim()]);
    let start = Instant::now();
    let (told, _, seen) = crate::support::page(dir, &Query { want: Some(100), ..query() }, 100);
    assert_eq!(told.len(), 100);
    assert!(seen.directories < 130, "{seen:?}");
    let capped = list(dir, &Query { scan_cap: Some(50_000), ..query() });
    assert_eq!(capped, Err(ListError::ScanCap { cap: 50_000 }));
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// A cursor deep in an index comes to its place whatever the cap: what is only passed over does
/// not count.
#[test]
fn the_scan_cap_counts_from_where_the_page_starts() {
    if !require("git") {
        return;
    }
    let names: Vec<String> = (0..300).map(|number| format!("f{number:03}")).collect();
    let tree = TreeBuilder::new().repo().files(names.iter().map(String::as_str)).build();
    git(tree.path(), &["add", "."]);
    let capped = Query { scan_cap: Some(20), ..query() };
    assert_eq!(list(tree.path(), &capped), Err(ListError::ScanCap { cap: 20 }));
    let after = RelPathBuf::new(b"f289".to_vec()).ok();
    let told = list(tree.path(), &Query { after, ..capped }).expect("eleven are read");
    assert_eq!(crate::support::names(&told), names[290..]);
}
