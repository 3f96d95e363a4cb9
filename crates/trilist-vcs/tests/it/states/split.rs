//! Split indexes: what has changed since a shared index was written.

use std::fs;

use trilist_core::{Query, RelPathBuf};
use trilist_tests::{TreeBuilder, git, require};

use super::{FILES, Place, State, committed};
use crate::support::{blob, expected, git_union, index_info, is_split, list, query};

fn variant(which: &'static str, make: fn() -> Place) -> State {
    State { name: "split index", which, make }
}

/// Never joined again by itself, however much is changed.
fn split(tree: TreeBuilder) -> TreeBuilder {
    tree.git(&["config", "splitIndex.maxPercentChange", "100"])
        .git(&["update-index", "--split-index"])
}

fn checked(tree: &TreeBuilder) -> Place {
    let place = Place::made(tree);
    assert!(is_split(place.tree.path()));
    place
}

pub(super) fn states() -> Vec<State> {
    vec![
        variant("without changes", || checked(&split(committed()))),
        variant("by configuration", || {
            let tree = committed().git(&["config", "core.splitIndex", "true"]);
            let files = (0..40).map(|number| format!("many/{number:02}"));
            checked(&tree.files(files).git(&["add", "-A"]).files(["n"]).git(&["add", "n"]))
        }),
        variant("with replaced entries", || {
            checked(&split(committed()).file("a/d", "1").file("z", "2").git(&["add", "-A"]))
        }),
        variant("with deleted entries", || {
            checked(&split(committed()).git(&["rm", "-q", "-r", "--cached", ".x", "a", "z"]))
        }),
        variant("with new entries", || {
            checked(&split(committed()).files(["A", "a/c", "zz"]).git(&["add", "-A"]))
        }),
        variant("with everything at once", || {
            let tree = split(committed()).file("a/b/c", "1").files(["a/c", "n/n"]);
            let tree = tree.git(&["add", "-A"]).git(&["rm", "-q", "--cached", "a/d", "z"]);
            checked(&tree.git(&["update-index", "--chmod=+x", "e"]))
        }),
        variant("with nothing left of the shared one", || {
            let tree = split(committed()).git(&["rm", "-q", "-r", "--cached", "."]);
            checked(&tree.files(["q"]).git(&["add", "q"]))
        }),
        variant("in version 4", || {
            let tree = committed().git(&["update-index", "--index-version", "4"]);
            let tree = split(tree).file("a/d", "1").file("f/g", "1").files(["a/c", "f/h"]);
            checked(&tree.git(&["add", "-A"]).git(&["rm", "-q", "--cached", "z"]))
        }),
        variant("with intent to add and skip-worktree", || {
            let tree = split(committed()).files(["n", "zz"]).git(&["add", "-N", "n"]);
            checked(&tree.git(&["update-index", "--skip-worktree", "a/d"]))
        }),
        variant("of SHA-256", || {
            let tree = TreeBuilder::new().git(&["init", "-q", "--object-format=sha256"]);
            let tree = split(tree.files(FILES).commit("i")).file("e", "1").files(["n"]);
            checked(&tree.git(&["add", "-A"]).git(&["rm", "-q", "--cached", "f/g"]))
        }),
        variant("before the first commit", || {
            let tree = split(TreeBuilder::new().repo().files(FILES).git(&["add", "-A"]));
            let tree = tree.files(["n"]).git(&["add", "n"]);
            Place { has_head: false, ..checked(&tree) }
        }),
        variant("with a conflict", || conflict(false)),
        variant("with a conflict in the shared index", || conflict(true)),
        variant("in several steps", several_steps),
        variant("joined again, the shared file left behind", || {
            let tree = split(committed()).files(["n"]).git(&["add", "n"]);
            let place = Place::made(&tree.git(&["update-index", "--no-split-index"]));
            assert!(!is_split(place.tree.path()));
            place
        }),
        variant("without a shared file", no_base),
        variant("with more deleted entries than are passed at once", || {
            let place = Place::made(&committed());
            let dir = place.tree.path();
            let (blob, gone) = (blob(dir), "0".repeat(40));
            index_info(dir, &many(&format!("100644 {blob}")));
            git(dir, &["config", "splitIndex.maxPercentChange", "100"]);
            git(dir, &["update-index", "--split-index"]);
            index_info(dir, &many(&format!("0 {gone}")));
            assert!(is_split(dir));
            place
        }),
        variant("larger than what is looked through at once", large),
    ]
}

fn conflict(shared: bool) -> Place {
    let tree = committed();
    let tree = if shared { tree } else { split(tree) }.build();
    let dir = tree.path();
    let blob = blob(dir);
    let gone = "0".repeat(40);
    for (path, stages) in [("a/d", "123"), ("e", "13"), ("new", "2"), ("z", "1")] {
        index_info(dir, &format!("0 {gone}\t{path}\n"));
        for stage in stages.chars() {
            index_info(dir, &format!("100644 {blob} {stage}\t{path}\n"));
        }
    }
    if shared {
        git(dir, &["config", "splitIndex.maxPercentChange", "100"]);
        git(dir, &["update-index", "--split-index"]);
        // One is resolved, one is changed, one is gone.
        index_info(dir, &format!("0 {gone}\ta/d\n100644 {blob}\ta/d\n0 {gone}\tz\n"));
        index_info(dir, &format!("100755 {blob} 3\te\n"));
    }
    assert!(is_split(dir));
    Place::of(tree)
}

/// Entries that come, go, and come again, one command each.
fn several_steps() -> Place {
    let tree = split(committed()).build();
    let dir = tree.path();
    let blob = blob(dir);
    let gone = "0".repeat(40);
    for number in 0..60 {
        let line = match number % 5 {
            0 => format!("100644 {blob}\tn{}\n", number / 10),
            1 => format!("0 {gone}\t{}\n", FILES[number % FILES.len()]),
            2 => format!("100755 {blob}\t{}\n", FILES[(number + 3) % FILES.len()]),
            3 => format!("0 {gone}\tn{}\n", number / 20),
            _ => format!("100644 {blob}\ta/b/n{number}\n"),
        };
        index_info(dir, &line);
    }
    assert!(is_split(dir));
    Place::of(tree)
}

/// The extension is there and names nothing.
fn no_base() -> Place {
    let place = Place::made(&committed());
    let path = place.tree.path().join(".git/index");
    let mut bytes = fs::read(&path).expect("read");
    let end = bytes.len() - 20;
    bytes.truncate(end);
    bytes.extend(b"link\0\0\0\x14");
    // No other file, and no checksum of its own.
    bytes.extend([0; 40]);
    fs::write(&path, bytes).expect("written");
    place
}

/// Both files are above the size up to which checksums are compared.
fn large() -> Place {
    let tree = split(committed()).build();
    let dir = tree.path();
    let blob = blob(dir);
    let lines = |range: std::ops::Range<u32>| {
        range.map(|number| format!("100644 {blob}\tb/{:03}/{number:06}\n", number % 50))
    };
    index_info(dir, &lines(0..2500).collect::<String>());
    git(dir, &["update-index", "--no-split-index"]);
    git(dir, &["commit", "-q", "-m", "many"]);
    git(dir, &["update-index", "--split-index"]);
    index_info(dir, &lines(2500..5000).collect::<String>());
    let gone = "0".repeat(40);
    let deleted = (0..2500).filter(|number| number % 7 == 0);
    let deleted =
        deleted.map(|number: u32| format!("0 {gone}\tb/{:03}/{number:06}\n", number % 50));
    index_info(dir, &deleted.collect::<String>());
    let replaced = (0..2500).filter(|number| number % 11 == 1);
    let replaced =
        replaced.map(|number: u32| format!("100755 {blob}\tb/{:03}/{number:06}\n", number % 50));
    index_info(dir, &replaced.collect::<String>());
    assert!(is_split(dir));
    assert!(fs::metadata(dir.join(".git/index")).expect("there").len() > 128 * 1024);
    Place::of(tree)
}

/// A line for each of more names than are passed at once.
fn many(what: &str) -> String {
    (0..20_000).map(|number| format!("{what}\tb/{number:05}\n")).collect()
}

/// The entries that replace others stand before the new ones, so a page has to pass them.
#[test]
fn more_replaced_entries_than_are_passed_at_once() {
    if !require("git") {
        return;
    }
    let tree = committed().build();
    let dir = tree.path();
    let blob = blob(dir);
    index_info(dir, &many(&format!("100644 {blob}")));
    git(dir, &["config", "splitIndex.maxPercentChange", "100"]);
    git(dir, &["update-index", "--split-index"]);
    index_info(dir, &many(&format!("100755 {blob}")));
    index_info(dir, &format!("100644 {blob}\tb/1\n"));
    assert!(is_split(dir));
    let right = expected(&git_union(dir, true), &query());
    assert_eq!(list(dir, &query()).expect("listed"), right);
    let last = right.iter().position(|told| told.path() == b"b/19998").expect("listed");
    let after = RelPathBuf::new("b/19998").ok();
    let rest = list(dir, &Query { after, want: Some(3), ..query() }).expect("listed");
    assert_eq!(rest, right[last + 1..]);
}
