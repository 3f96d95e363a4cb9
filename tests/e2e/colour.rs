//! Colours come only where they are asked for, and never into data.

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{Run, trilist};

fn tree() -> Tree {
    TreeBuilder::new().file("src/main.rs", "").fifo("pipe").symlink("to", "src").build()
}

fn painted(run: Run<'_>) -> String {
    run.ok().stdout.replace('\x1b', "^")
}

#[test]
fn kinds_have_colours() {
    let tree = tree();
    assert_snapshot!(painted(trilist(&tree).args(["--color", "always"])), @"
    /repo  mode=fs depth=2
    ^[33mpipe?^[0m
    ^[1;34msrc/^[0m
      main.rs
    ^[36mto@^[0m
    4 entries, complete. Left out: nothing.
    ");
    assert_snapshot!(painted(trilist(&tree).args(["--color", "always", "-1"])), @"
    ^[33mpipe^[0m
    ^[1;34msrc/^[0m
    src/main.rs
    ^[36mto^[0m
    ");
}

#[test]
fn a_stream_has_the_same_colours() {
    let tree = tree();
    for view in ["tree", "paths"] {
        let words = ["--color", "always", "--view", view];
        let page = painted(trilist(&tree).args(words));
        let all = painted(trilist(&tree).args(words).args(["-a", "-d", "2"]));
        assert_eq!(page, all);
    }
}

#[test]
fn colours_need_a_terminal_or_a_request() {
    let tree = tree();
    assert!(!painted(trilist(&tree)).contains('^'));
    assert!(painted(trilist(&tree).env("CLICOLOR_FORCE", "1")).contains('^'));
    assert!(!painted(trilist(&tree).env("CLICOLOR_FORCE", "0")).contains('^'));
    let both = trilist(&tree).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert!(!painted(both).contains('^'));
    let forced = trilist(&tree).env("NO_COLOR", "1").args(["--color", "always"]);
    assert!(painted(forced).contains('^'));
}

#[test]
fn data_has_no_colours() {
    let tree = tree();
    for format in [&["--json"][..], &["--jsonl"], &["-0"], &["--view", "entries"]] {
        assert!(!painted(trilist(&tree).args(["--color", "always"]).args(format)).contains('^'));
    }
}
