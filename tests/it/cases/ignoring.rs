//! Which ignore files are in force, beyond what the trees of `reports` say.

use trilist::{IgnorePolicy, ListRequest, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{Right, ask, check, lister, rows, warned, whole};

#[test]
fn ign01_a_listing_below_is_the_part_of_the_listing_above() {
    let tree = Tree::build("ign01-anchored-nested");
    let lister = lister(tree.path());
    let above = whole(&lister, &ask(Mode::Files, "."));
    let below = whole(&lister, &ask(Mode::Files, "foo"));
    let part: Vec<_> =
        above.entries.iter().filter_map(|entry| entry.path.strip_prefix("foo/")).collect();
    assert_eq!(part, crate::harness::paths(&below));
}

#[test]
fn ign04_no_pattern_brings_git_back() {
    let tree = Tree::build("ign04-metadata");
    for pattern in ["*", "**/*", ".git/**", "**"] {
        let request = ListRequest { pattern: vec![pattern.to_owned()], ..ask(Mode::Files, ".") };
        let page = whole(&lister(tree.path()), &request);
        assert!(rows(&page).iter().all(|row| !row.starts_with(".git/")), "{pattern}");
        let keep = IgnorePolicy { keep: vec![pattern.to_owned()], ..IgnorePolicy::default() };
        for mode in [Mode::Files, Mode::Fs] {
            let page = whole(
                &lister(tree.path()),
                &ListRequest { ignore: keep.clone(), ..ask(mode, ".") },
            );
            assert!(
                rows(&page).iter().all(|row| !row.starts_with(".git/") || row == ".git/ protected")
            );
        }
    }
}

#[test]
fn ign06_the_line_that_cannot_be_used_is_named() {
    let tree = Tree::build("ign06-malformed-line");
    let page = whole(&lister(tree.path()), &ask(Mode::Files, "."));
    assert!(page.complete);
    assert_eq!(warned(&page), ["ignore_pattern_invalid .gitignore"]);
    assert!(page.warnings[0].message.starts_with("line 2: "), "{}", page.warnings[0].message);
}

#[test]
fn ign07_tracked_files_that_a_rule_hides() {
    let tree = Tree::build("ign07-tracked-ignored");
    check(&tree, &ask(Mode::Vcs, "."), Right::rows(&["file", "s.txt"]));
    check(
        &tree,
        &ask(Mode::Files, "."),
        Right::rows(&[".gitignore", "s.txt"]).omitted(&["protected 1: .git/", "ignored 1: file"]),
    );
    let shallow = ListRequest { depth: Some(1), ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &shallow,
        Right::rows(&[".git/ protected", "file", "s.txt"]).omitted(&["hidden 1: .gitignore"]),
    );
}

/// A repository around the root, and one of its own inside.
fn nested() -> Tree {
    TreeBuilder::new()
        .dir(".git")
        .file(".gitignore", "*.log\n")
        .files(["sub/a.log", "sub/b", "sub/own/a.log", "sub/own/b"])
        .file("sub/own/.git/HEAD", "ref: refs/heads/main\n")
        .build()
}

#[test]
fn a_repository_that_begins_above_the_root_is_told() {
    let tree = nested();
    let listed = |root: &str, path: &str| {
        let request = ListRequest { include_hidden: Some(false), ..ask(Mode::Files, path) };
        let page = whole(&lister(&tree.join(root)), &request);
        (rows(&page), warned(&page))
    };
    let beyond = vec!["ignore_beyond_root .".to_owned()];
    assert_eq!(
        listed("sub", "."),
        (["a.log", "b", "own/a.log", "own/b"].map(str::to_owned).to_vec(), beyond)
    );
    // The inner repository is a border: nothing above it counts, wherever the root is.
    let own = ["a.log", "b"].map(str::to_owned).to_vec();
    assert_eq!(listed("sub", "own"), (own.clone(), vec![]));
    assert_eq!(listed("sub/own", "."), (own.clone(), vec![]));
    assert_eq!(listed(".", "sub/own"), (own, vec![]));
    assert_eq!(listed(".", "sub").0, ["b", "own/a.log", "own/b"]);
}

#[test]
fn an_ignore_file_above_the_root_is_told() {
    let tree = TreeBuilder::new().file(".ignore", "*.log\n").files(["sub/a", "sub/x.log"]).build();
    let listed = |root: &str, path: &str| {
        let page = whole(&lister(&tree.join(root)), &ask(Mode::Files, path));
        (rows(&page), warned(&page))
    };
    let beyond = vec!["ignore_beyond_root .".to_owned()];
    assert_eq!(listed("sub", "."), (vec!["a".to_owned(), "x.log".to_owned()], beyond));
    assert_eq!(listed(".", "sub"), (vec!["a".to_owned()], vec![]));
}
