//! Pages joined are the whole.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    let deep = (0..40).map(|n| format!("d{}/e{}/f{n}", n % 3, n % 2));
    TreeBuilder::new().files(deep).files(["a", "a-b", "a.txt", "d1.x"]).repo().build()
}

fn whole(tree: &Tree, words: &[&str]) -> Vec<String> {
    let answer = trilist(tree).args(words).args(["--all", "-1"]).ok();
    answer.lines().into_iter().map(str::to_owned).collect()
}

fn paths(reply: &Value) -> Vec<String> {
    let entries = reply["entries"].as_array().unwrap();
    let path = |entry: &Value| {
        let slash = if entry["kind"] == "dir" { "/" } else { "" };
        format!("{}{slash}", entry["path"].as_str().unwrap())
    };
    entries.iter().map(path).collect()
}

#[test]
fn pages_by_cursor_join_to_the_whole() {
    let tree = tree();
    for words in
        [&["-d", "9", "-n", "7"][..], &["-m", "files", "-n", "1"], &["-n", "7", "-d", "9", "d1"]]
    {
        let mut reply = trilist(&tree).args(words).arg("--json").ok().json();
        let mut joined = paths(&reply);
        while let Some(cursor) = reply["next_cursor"].as_str().map(str::to_owned) {
            // The cursor alone goes on with the same request in the same root.
            reply = trilist(&tree).args(["--cursor", &cursor, "-n", "7", "--json"]).ok().json();
            joined.extend(paths(&reply));
        }
        let rest: Vec<_> =
            words.iter().copied().filter(|word| !["-n", "7", "1"].contains(word)).collect();
        assert_eq!(joined, whole(&tree, &rest), "{words:?}");
    }
}

#[test]
fn pages_by_offset_join_to_the_whole() {
    let tree = tree();
    let mut joined = Vec::new();
    let mut offset = Some(1);
    while let Some(at) = offset {
        let words = ["-m", "files", "-n", "7", "--json", "--offset"];
        let reply = trilist(&tree).args(words).arg(at.to_string()).ok().json();
        joined.extend(paths(&reply));
        offset = reply["next_offset"].as_u64();
    }
    assert_eq!(joined, whole(&tree, &["-m", "files"]));
}

#[test]
fn a_stream_goes_on_from_a_cursor() {
    let tree = tree();
    let first = trilist(&tree).args(["-m", "files", "-n", "7", "--json"]).ok().json();
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = trilist(&tree).args(["--all", "-1", "--cursor", cursor]).ok();
    let mut joined = paths(&first);
    joined.extend(rest.lines().into_iter().map(str::to_owned));
    assert_eq!(joined, whole(&tree, &["-m", "files"]));
}

fn cursor(tree: &Tree, words: &[&str]) -> String {
    let reply = trilist(tree).args(words).args(["-n", "2", "--json"]).ok().json();
    reply["next_cursor"].as_str().unwrap().to_owned()
}

#[test]
fn a_cursor_that_cannot_be_used() {
    let tree = tree();
    let good = cursor(&tree, &[]);
    assert_snapshot!(trilist(&tree).args(["--cursor", "../../etc/passwd"]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: it does not start with `c1.`. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
    let (head, tail) = good.split_at(20);
    let other = if tail.starts_with('A') { 'B' } else { 'A' };
    let damaged = format!("{head}{other}{}", &tail[1..]);
    assert_snapshot!(trilist(&tree).args(["--cursor", &damaged]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: it is damaged. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
    let long = format!("c1.{}", "A".repeat(9 << 10));
    assert_snapshot!(trilist(&tree).args(["--cursor", &long]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: it is longer than any cursor. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
    assert_snapshot!(trilist(&tree).args(["--cursor", &good, "--offset", "3"]).exits(2), @"
    --- standard error
    invalid_argument: `--offset` is 3; a cursor already says where the page starts; give one of the two
    ");
}

#[test]
fn a_cursor_of_another_request() {
    let tree = tree();
    let good = cursor(&tree, &[]);
    assert_snapshot!(trilist(&tree).args(["--cursor", &good, "-m", "files"]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: `--mode` differs from the request that it continues. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
    assert_snapshot!(trilist(&tree).args(["--cursor", &good, "-d", "1"]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: `--depth` differs from the request that it continues. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
    assert_snapshot!(trilist(&tree).args(["--cursor", &good, "d1"]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: `PATH` differs from the request that it continues. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
}

#[test]
fn a_cursor_of_another_root() {
    let tree = tree();
    let good = cursor(&tree, &["--root", "d1"]);
    assert_snapshot!(trilist(&tree).args(["--cursor", &good]).exits(2), @"
    --- standard error
    invalid_cursor: the cursor cannot be used: it was made for another root, so give the same PATH or --root as for the page before. Start again without a cursor, or pass the last `next_cursor` as it is.
    ");
    trilist(&tree).args(["--root", "d1", "--cursor", &good]).ok();
    assert_snapshot!(trilist(&tree).args(["--cursor", &good, "--json"]).exits(2), @r#"{"error":{"code":"invalid_cursor","message":"the cursor cannot be used: it was made for another root, so give the same PATH or --root as for the page before","hint":"Start again without a cursor, or pass the last `next_cursor` as it is."}}"#);
}

#[test]
fn a_change_on_the_way_is_told() {
    let tree = tree();
    let good = cursor(&tree, &["-m", "files"]);
    fs::write(tree.join("a-new"), "").unwrap();
    let answer = trilist(&tree).args(["--cursor", &good, "-1", "-n", "2"]).ok();
    assert_snapshot!(answer, @r#"
    a-new
    a.txt
    --- standard error
    DRIFTED: the way to this page's start has changed since the page before.
    CUT after 2 entries, at least 1 more. Next page: cursor="c1.…"
    Left out: nothing.
    "#);
}

#[test]
fn a_cut_fails_only_on_request() {
    let tree = tree();
    trilist(&tree).args(["-n", "2"]).ok();
    trilist(&tree).args(["-n", "2", "--fail-on-truncation"]).exits(1);
    trilist(&tree).args(["-a", "--fail-on-truncation"]).ok();
}

#[test]
fn a_page_keeps_to_its_bytes_and_counts_on_request() {
    let tree = tree();
    let reply = trilist(&tree).args(["-m", "files", "--max-bytes", "2048", "--json"]).ok();
    assert!(reply.bytes.len() <= 2049, "{}", reply.bytes.len());
    assert_eq!(reply.json()["truncated_by"], "budget");
    let reply = trilist(&tree).args(["-m", "files", "-n", "1", "--count", "--json"]).ok().json();
    assert_eq!(reply["total"], 44);
}
