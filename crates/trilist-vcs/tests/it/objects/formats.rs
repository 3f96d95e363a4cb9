//! Whatever form git keeps objects in, they are the same objects.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use trilist_core::Cancel;
use trilist_tests::{git, require};
use trilist_vcs::objects::Hash;

use super::{add_commits, head_names, history, id, lines, objects, open, packs, unhex, whole};

const LOOSE: &str = "1000000";
const PACKED: &str = "1";

/// HEAD's names and every tree of its last commits are as git says.
fn check(dir: &Path, hash: Hash, context: &str) {
    assert!(!dir.join(".git/index").exists());
    assert_eq!(whole(&open(dir).expect(context)), head_names(dir), "{context}");
    let (mut objects, cancel) = (objects(dir, hash), Cancel::new());
    let mut trees = BTreeSet::new();
    for commit in lines(dir, &["rev-list", "--max-count=9", "HEAD"]) {
        let top = id(dir, &format!("{commit}^{{tree}}"));
        let found = objects.tree_of(&unhex(&commit), &cancel).expect(context);
        assert_eq!(found, unhex(&top), "{context}");
        let below = lines(dir, &["ls-tree", "-r", "-d", "--object-only", &commit]);
        trees.extend(below);
        trees.insert(top);
    }
    assert!(trees.len() > 20, "{context}: {}", trees.len());
    for tree in trees {
        let right = git(dir, &["cat-file", "tree", &tree]);
        let found = objects.tree(&unhex(&tree), &cancel);
        assert_eq!(*found.expect(context), right, "{context}, {tree}");
    }
}

/// The longest chain of deltas that git tells of in the packs.
fn longest_chain(dir: &Path) -> usize {
    let longest = |pack: &std::path::PathBuf| {
        let name = pack.to_str().expect("UTF-8");
        let lines = lines(dir, &["verify-pack", "-v", name]);
        let chains = lines.iter().filter_map(|line| line.strip_prefix("chain length = "));
        chains.filter_map(|rest| rest.split(':').next()?.parse().ok()).max()
    };
    packs(dir, "idx").iter().filter_map(longest).max().unwrap_or(0)
}

#[test]
fn loose_objects() {
    if !require("git") {
        return;
    }
    let tree = history(&[], LOOSE, 30);
    assert!(packs(tree.path(), "pack").is_empty());
    check(tree.path(), Hash::Sha1, "loose");
}

#[test]
fn one_pack_in_every_form() {
    if !require("git") {
        return;
    }
    let tree = history(&[], PACKED, 300);
    let dir = tree.path();
    let repack = ["repack", "-q", "-adf"];
    for (context, settings, more, deltas) in [
        ("one pack", &[][..], &[][..], 1),
        ("deep", &[], &["--depth=250", "--window=50"][..], 60),
        ("bases by id", &["-c", "repack.useDeltaBaseOffset=false"][..], &["--depth=90"], 30),
        ("an index of version 1", &["-c", "pack.indexVersion=1"], &[], 1),
        ("with a bitmap", &[], &["-b"], 1),
        ("without deltas", &[], &["--window=0"], 0),
    ] {
        git(dir, &[settings, &repack, more].concat());
        assert_eq!(packs(dir, "pack").len(), 1, "{context}");
        assert!(longest_chain(dir) >= deltas, "{context}: {}", longest_chain(dir));
        check(dir, Hash::Sha1, context);
    }
    let first = fs::read(&packs(dir, "idx")[0]).expect("read")[..8].to_vec();
    assert_eq!(first, b"\xfftOc\0\0\0\x02");
    git(dir, &["-c", "pack.indexVersion=1", "repack", "-q", "-adf", "--window=0"]);
    let index = fs::read(&packs(dir, "idx")[0]).expect("read");
    assert_ne!(index[..4], *b"\xfftOc", "version 1 has no mark");
}

#[test]
fn offsets_of_64_bits() {
    if !require("git") {
        return;
    }
    let tree = history(&[], PACKED, 40);
    let dir = tree.path();
    git(dir, &["repack", "-q", "-adf"]);
    let (pack, index) = (packs(dir, "pack").remove(0), packs(dir, "idx").remove(0));
    let small = fs::metadata(&index).expect("there").len();
    fs::remove_file(&index).expect("removed");
    let pack = pack.to_str().expect("UTF-8");
    git(dir, &["index-pack", "--index-version=2,0x40", pack]);
    let large = fs::metadata(&index).expect("there").len();
    assert!(large > small + 8 * 50, "{small} {large}");
    check(dir, Hash::Sha1, "large offsets");
}

#[test]
fn several_packs() {
    if !require("git") {
        return;
    }
    let tree = history(&[], PACKED, 5);
    let dir = tree.path();
    for start in (5..50).step_by(5) {
        add_commits(dir, PACKED, start..start + 5);
    }
    add_commits(dir, LOOSE, 50..53);
    assert_eq!(packs(dir, "pack").len(), 10);
    check(dir, Hash::Sha1, "several packs and loose objects");
    git(dir, &["multi-pack-index", "write"]);
    assert!(dir.join(".git/objects/pack/multi-pack-index").exists());
    check(dir, Hash::Sha1, "a multi-pack index");
    let kept = packs(dir, "pack")[3].with_extension("keep");
    fs::write(&kept, "").expect("written");
    git(dir, &["repack", "-q", "-ad"]);
    assert_eq!(packs(dir, "pack").len(), 2);
    check(dir, Hash::Sha1, "a pack that is kept");
    fs::remove_file(kept).expect("removed");
    git(dir, &["gc", "-q"]);
    check(dir, Hash::Sha1, "after a collection");
}

#[test]
fn sha256() {
    if !require("git") {
        return;
    }
    let tree = history(&["--object-format=sha256"], LOOSE, 30);
    let dir = tree.path();
    assert_eq!(id(dir, "HEAD").len(), 64);
    check(dir, Hash::Sha256, "loose");
    git(dir, &["repack", "-q", "-adf", "--depth=50"]);
    check(dir, Hash::Sha256, "packed");
    git(dir, &["-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-adf"]);
    check(dir, Hash::Sha256, "bases by id");
}

#[test]
fn replacements_have_no_say() {
    if !require("git") {
        return;
    }
    let tree = history(&[], LOOSE, 3);
    let dir = tree.path();
    let right = head_names(dir);
    git(dir, &["replace", &id(dir, "HEAD"), &id(dir, "HEAD~2")]);
    assert_ne!(head_names(dir), right, "git itself heeds it");
    assert_eq!(whole(&open(dir).expect("it opens")), right);
}
