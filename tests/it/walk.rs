//! The walk itself: resuming, the hint of how much is wanted, and what is not reached.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use trilist::{Cancel, Kind};
use trilist_core::{Event, Events, IgnoreQuery, Query, RelPathBuf, Seen};
use trilist_root::Root;
use trilist_tests::{Tree, TreeBuilder};
use trilist_walk::{Style, Walk};

use crate::forest::plant;
use crate::props::{RICH, for_forests};

const STYLES: [Style; 2] = [Style::Rows, Style::Leaves];

/// Every event of a walk as text.
fn events(root: &Root, query: &Query, style: Style) -> (Vec<(Vec<u8>, String)>, Seen) {
    let cancel = Cancel::new();
    let mut walk = Walk::open(root, query, style, &cancel).unwrap();
    let mut all = Vec::new();
    while walk.advance().unwrap() {
        let path = walk.event().path().as_bytes().to_vec();
        all.push((path, format!("{:?}", walk.event())));
    }
    (all, walk.seen())
}

fn queries() -> Vec<Query> {
    let plain = Query::new(RelPathBuf::default());
    let layers =
        IgnoreQuery { builtin: true, git: true, dot_ignore: true, ..IgnoreQuery::default() };
    let keep = IgnoreQuery { keep: vec!["a0".to_owned(), "a/*".to_owned()], ..layers.clone() };
    vec![
        plain.clone(),
        Query { include_hidden: false, depth: 2, ..plain.clone() },
        Query { ignore: layers.clone(), ..plain.clone() },
        Query { ignore: layers, follow_symlinks: true, depth: 9, ..plain.clone() },
        Query { ignore: keep, ..plain },
    ]
}

#[test]
fn resuming_equals_continuing() {
    for_forests(30, RICH, |forest| {
        let tree = plant(forest);
        let root = Root::open(tree.path()).unwrap();
        for (query, style) in
            queries().into_iter().flat_map(|query| STYLES.map(|style| (query.clone(), style)))
        {
            let (all, _) = events(&root, &query, style);
            for at in 0..all.len() {
                if all[at].1.starts_with("Fault") {
                    continue;
                }
                let after = RelPathBuf::new(all[at].0.clone()).ok();
                let (rest, _) = events(&root, &Query { after, ..query.clone() }, style);
                assert_eq!(rest, all[at + 1..], "{query:?} {style:?} after {:?}", all[at].1);
            }
        }
    });
}

#[test]
fn resuming_after_what_was_never_there_is_a_place_too() {
    for_forests(30, RICH, |forest| {
        let tree = plant(forest);
        let root = Root::open(tree.path()).unwrap();
        for style in STYLES {
            let query = Query::new(RelPathBuf::default());
            let (all, _) = events(&root, &query, style);
            for after in ["A/zz", "a", "a-", "a-b/x", "a/a", "a/a0/y", "a0", "b", "~"] {
                let path = RelPathBuf::new(after).ok();
                let (rest, _) = events(&root, &Query { after: path, ..query.clone() }, style);
                let behind = all.iter().filter(|(path, _)| path.as_slice() > after.as_bytes());
                assert_eq!(rest, behind.cloned().collect::<Vec<_>>(), "{style:?} after {after}");
            }
        }
    });
}

#[test]
fn a_directory_that_became_something_else_between_pages_is_not_missed() {
    let tree = TreeBuilder::new().file("a", "").symlink("b", "c").file("c/x", "").build();
    let root = Root::open(tree.path()).unwrap();
    for (after, right) in [("a/x", ["b", "c", "c/x"].as_slice()), ("b/x", &["c", "c/x"])] {
        let query =
            Query { after: RelPathBuf::new(after).ok(), ..Query::new(RelPathBuf::default()) };
        let (rest, _) = events(&root, &query, Style::Rows);
        let paths: Vec<_> = rest.iter().map(|(path, _)| String::from_utf8_lossy(path)).collect();
        assert_eq!(paths, right);
    }
}

/// A directory with so many names that a walk which is asked for few keeps only some of them.
fn wide() -> Tree {
    let tree = Tree::empty();
    for number in 0..3_000 {
        match number % 5 {
            0 => fs::create_dir(tree.join(format!("n{number:04}"))).unwrap(),
            1 => fs::write(tree.join(format!(".n{number:04}")), "").unwrap(),
            _ => fs::write(tree.join(format!("n{number:04}-x")), "").unwrap(),
        }
        if number % 500 == 0 {
            fs::write(tree.join(format!("n{number:04}/inside")), "").unwrap();
        }
    }
    // Between a directory and what is in it lie more names than are kept.
    fs::create_dir_all(tree.join("m/inside")).unwrap();
    for number in 0..2_500 {
        fs::write(tree.join(format!("m-{number:04}")), "").unwrap();
    }
    tree
}

#[test]
fn the_hint_never_changes_the_result() {
    let tree = wide();
    let root = Root::open(tree.path()).unwrap();
    for style in STYLES {
        for hidden in [true, false] {
            let query = Query { include_hidden: hidden, ..Query::new(RelPathBuf::default()) };
            let (all, seen) = events(&root, &query, style);
            for want in [1, 100, 600, 10_000] {
                let hinted = Query { want: Some(want), ..query.clone() };
                let (events, again) = events(&root, &hinted, style);
                assert_eq!(events, all, "{style:?} want {want}");
                assert!(again.directories <= seen.directories + 3, "{again:?}");
            }
            // Resumed at every place of the wide directory's crowd.
            for at in (0..all.len()).step_by(331) {
                let after = RelPathBuf::new(all[at].0.clone()).ok();
                let resumed = Query { want: Some(1), after, ..query.clone() };
                assert_eq!(events(&root, &resumed, style).0, all[at + 1..], "{style:?}");
            }
        }
    }
}

#[test]
fn hinted_walks_of_random_trees_give_the_same() {
    for_forests(20, RICH, |forest| {
        let tree = plant(forest);
        let root = Root::open(tree.path()).unwrap();
        for query in queries() {
            for style in STYLES {
                let hinted = Query { want: Some(1), ..query.clone() };
                assert_eq!(events(&root, &hinted, style).0, events(&root, &query, style).0);
            }
        }
    });
}

/// What a walk names as not reached when it stops behind the first `taken` entries.
fn not_reached(tree: &Tree, query: &Query, style: Style, taken: usize, most: usize) -> Vec<String> {
    let root = Root::open(tree.path()).unwrap();
    let cancel = Cancel::new();
    let mut walk = Walk::open(&root, query, style, &cancel).unwrap();
    let mut last = RelPathBuf::default();
    let mut left = taken + 1;
    while left > 0 && walk.advance().unwrap() {
        if let Event::Entry(entry) = walk.event() {
            left -= 1;
            if left > 0 {
                last = entry.path.to_buf();
            }
        }
    }
    let dirs = walk.not_reached(last.as_path(), most).unwrap();
    dirs.iter().map(ToString::to_string).collect()
}

#[test]
fn a_directory_whose_contents_are_not_reached_is_named() {
    let tree = TreeBuilder::new().files(["a-b", "a/x", "a/y", "a0", "b/z"]).build();
    let query = Query::new(RelPathBuf::default());
    // In rows `a` is shown before `a-b`; drawn from paths it comes with `a/x`.
    assert_eq!(not_reached(&tree, &query, Style::Rows, 2, 9), ["b"]);
    assert_eq!(not_reached(&tree, &query, Style::Leaves, 1, 9), ["a", "b"]);
    assert_eq!(not_reached(&tree, &query, Style::Leaves, 2, 9), ["b"]);
    assert_eq!(not_reached(&tree, &query, Style::Leaves, 1, 1), ["a"]);
}

#[test]
fn what_is_not_reached_is_known_without_holding_all_names() {
    let tree = wide();
    for style in STYLES {
        let query = Query::new(RelPathBuf::default());
        let few = Query { want: Some(3), ..query.clone() };
        for taken in [1, 3] {
            assert_eq!(
                not_reached(&tree, &few, style, taken, 50),
                not_reached(&tree, &query, style, taken, 50),
                "{style:?}"
            );
        }
    }
}

#[test]
fn what_is_left_out_is_not_named_as_not_reached() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "/c/\n")
        .files(["a", "b/x", "c/x", ".d/x", "node_modules/x"])
        .build();
    let ignore =
        IgnoreQuery { builtin: true, git: true, dot_ignore: true, ..IgnoreQuery::default() };
    let query = Query { include_hidden: false, ignore, ..Query::new(RelPathBuf::default()) };
    assert_eq!(not_reached(&tree, &query, Style::Leaves, 1, 9), ["b", "node_modules"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    /// The order of a walk is the byte order of whole paths, whatever the names.
    #[test]
    fn order_is_byte_order(paths in prop::collection::btree_set("[ab.0\u{e9}-]{1,3}(/[ab.0\u{e9}-]{1,3}){0,2}", 1..20)) {
        let tree = Tree::empty();
        for path in &paths {
            let path = tree.join(path);
            // A path may need a directory where another needs a file, or be made of dots.
            if fs::create_dir_all(path.parent().unwrap()).is_ok() {
                let _ = fs::write(path, "");
            }
        }
        let root = Root::open(tree.path()).unwrap();
        let (all, _) = events(&root, &Query::new(RelPathBuf::default()), Style::Rows);
        let mut sorted = all.clone();
        sorted.sort();
        prop_assert_eq!(&all, &sorted);
        let found = trilist_tests::oracle::find_paths(tree.path());
        prop_assert_eq!(all.len(), found.len());
    }
}

#[test]
fn kinds_are_told_as_they_are() {
    let tree = TreeBuilder::new().file("f", "").dir("d").symlink("l", "d").fifo("p").build();
    let root = Root::open(tree.path()).unwrap();
    let query = Query::new(RelPathBuf::default());
    let cancel = Cancel::new();
    let mut walk = Walk::open(&root, &query, Style::Rows, &cancel).unwrap();
    let mut kinds = Vec::new();
    while walk.advance().unwrap() {
        if let Event::Entry(entry) = walk.event() {
            kinds.push(entry.kind);
        }
    }
    assert_eq!(kinds, [Kind::Dir, Kind::File, Kind::Symlink, Kind::Other]);
}
