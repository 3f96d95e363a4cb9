//! Everything, entry by entry.

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    let deep = format!("{}x", "d/".repeat(60));
    TreeBuilder::new().files(["a/x", "a-b", "a.txt"]).file(deep, "").file(".h", "").build()
}

#[test]
fn a_stream_is_as_deep_as_the_tree() {
    let tree = tree();
    assert_eq!(trilist(&tree).args(["-a", "-1"]).ok().lines().len(), 4 + 61);
    assert_eq!(trilist(&tree).args(["-a", "-1", "-d", "3"]).ok().lines().len(), 4 + 3);
}

#[test]
fn a_streamed_tree_never_shows_a_child_under_a_wrong_parent() {
    assert_snapshot!(trilist(&tree()).args(["-a", "-d", "2"]).ok(), @"
    /repo  mode=fs depth=2
    a/
    a-b
    a.txt
    a/ (continued)
      x
    d/
      d/
    6 entries, complete. Left out: 1 hidden (.h).
    ");
}

#[test]
fn a_streamed_object_is_one_reply() {
    let tree = tree();
    let mut page = trilist(&tree).args(["-d", "2", "--json"]).ok().json();
    let answer = trilist(&tree).args(["-a", "-d", "2", "--json"]).ok();
    assert_eq!(answer.stdout.lines().count(), 1);
    let mut all = answer.json();
    // The identity covers the entries, which a stream does not hold.
    for reply in [&mut page, &mut all] {
        reply.as_object_mut().unwrap().remove("snapshot_id");
    }
    assert_eq!(all, page);
}

#[test]
fn an_empty_stream_is_a_whole_reply() {
    let tree = Tree::empty();
    assert_eq!(trilist(&tree).args(["-a", "--json"]).ok().json()["complete"], true);
    assert_eq!(trilist(&tree).args(["-a", "--jsonl"]).ok().json_lines().len(), 1);
    assert_snapshot!(trilist(&tree).args(["-a"]).ok(), @"
    /repo  mode=fs
    0 entries, complete: the directory is empty. Left out: nothing.
    ");
    assert_eq!(trilist(&tree).args(["-a", "-1"]).ok().to_string(), "");
}

#[test]
fn a_stream_that_cannot_start_leaves_nothing_but_its_error() {
    let tree = tree();
    assert_snapshot!(trilist(&tree).args(["-a", "nowhere"]).exits(4), @"
    --- standard error
    not_found: there is no `nowhere` in /repo
    ");
    assert_snapshot!(trilist(&tree).args(["-a", "nowhere", "--json"]).exits(4), @r#"{"error":{"code":"not_found","message":"there is no `nowhere` in /repo"}}"#);
    assert_snapshot!(trilist(&tree).args(["-a", "-s", "size", "--jsonl"]).exits(2), @r#"{"error":{"code":"invalid_argument","message":"`--sort` is set; only path order can be streamed; ask for pages instead"}}"#);
}

#[test]
fn a_time_that_is_up_with_nothing_listed_is_an_error() {
    // Each of these directories is read, and each time the clock.
    let tree = TreeBuilder::new().files((0..2_000).map(|n| format!("d{n}/x"))).build();
    let words = ["-g", "nothing", "--timeout", "1ms"];
    assert_snapshot!(trilist(&tree).args(words).exits(7), @"
    --- standard error
    timeout: nothing could be listed before the deadline. Ask for a smaller directory or depth, or allow more time.
    ");
    assert_snapshot!(trilist(&tree).args(words).args(["--all", "--json"]).exits(7), @r#"{"error":{"code":"timeout","message":"nothing could be listed before the deadline","hint":"Ask for a smaller directory or depth, or allow more time."}}"#);
}
