//! The forms of the output, and which stream gets what.

use insta::assert_snapshot;
use serde_json::json;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn small() -> Tree {
    TreeBuilder::new()
        .file("main.rs", "fn main() {}\n")
        .file("tools/mod.rs", "x")
        .file(".env", "x")
        .file("node_modules/a/index.js", "x")
        .symlink("link", "main.rs")
        .file(".gitignore", "*.log\n")
        .file("build.log", "x")
        .repo()
        .build()
}

fn plain() -> Tree {
    TreeBuilder::new().files(["a", "b/c", "b/d"]).build()
}

#[test]
fn the_tree_says_it_all_on_standard_output() {
    assert_snapshot!(trilist(&small()).ok(), @"
    /repo  mode=fs depth=2
    .git/ [skipped: protected]
    build.log
    link@
    main.rs
    node_modules/ [skipped: builtin]
    tools/
      mod.rs
    7 entries, complete. Left out: 2 hidden (.env, .gitignore).
    ");
}

#[test]
fn mode_files_is_what_a_searcher_sees() {
    assert_snapshot!(trilist(&small()).args(["--mode", "files"]).ok(), @"
    /repo  mode=files
    .env
    .gitignore
    link@
    main.rs
    node_modules/ [skipped: builtin]
    tools/
      mod.rs
    6 entries, complete. Left out: 1 protected (.git/), 1 ignored (.gitignore:1 `*.log` 1).
    ");
}

#[test]
fn paths_go_to_one_stream_and_what_there_is_to_know_to_the_other() {
    assert_snapshot!(trilist(&small()).args(["-1"]).ok(), @"
    .git/
    build.log
    link
    main.rs
    node_modules/
    tools/
    tools/mod.rs
    --- standard error
    7 entries, complete. Left out: 2 hidden (.env, .gitignore).
    ");
}

#[test]
fn a_complete_list_of_paths_says_nothing_else() {
    assert_snapshot!(trilist(&plain()).args(["--view", "paths"]).ok(), @"
    a
    b/
    b/c
    b/d
    ");
    assert_snapshot!(trilist(&plain()).args(["--all", "--view", "paths"]).ok(), @"
    a
    b/
    b/c
    b/d
    ");
}

#[test]
fn entries_are_objects() {
    assert_snapshot!(trilist(&plain()).args(["--view", "entries"]).ok(), @r#"
    {"path":"a","kind":"file","depth":1}
    {"path":"b","kind":"dir","depth":1}
    {"path":"b/c","kind":"file","depth":2}
    {"path":"b/d","kind":"file","depth":2}
    "#);
}

#[test]
fn a_cut_list_says_so_on_standard_error() {
    assert_snapshot!(trilist(&plain()).args(["-1", "-n", "2"]).ok(), @r#"
    a
    b/
    --- standard error
    CUT after 2 entries, at least 1 more. Next page: cursor="c1.…"
    Left out: nothing.
    "#);
}

#[test]
fn null_gives_exact_bytes() {
    let tree = TreeBuilder::new()
        .files([&b"caf\xe9"[..], b"two\nlines", b"\"quoted\""])
        .file("d/x", "")
        .build();
    let page = trilist(&tree).arg("-0").ok();
    assert_eq!(page.bytes, b"\"quoted\"\0caf\xe9\0d\0d/x\0two\nlines\0");
    let all = trilist(&tree).args(["--null", "--all"]).ok();
    assert_eq!(all.bytes, page.bytes);
    assert_eq!(all.stderr + &page.stderr, "");
}

#[test]
fn json_agrees_with_text() {
    let tree = small();
    let reply = trilist(&tree).arg("--json").ok();
    assert_eq!(reply.stderr, "");
    let reply = reply.json();
    let paths: Vec<_> = reply["entries"].as_array().unwrap().iter().collect();
    let text = trilist(&tree).arg("-1").ok();
    let bare: Vec<_> = text.lines().iter().map(|line| line.trim_end_matches('/')).collect();
    assert_eq!(paths.iter().map(|entry| &entry["path"]).collect::<Vec<_>>(), bare);
    assert_eq!(reply["complete"], true);
    assert_eq!(reply["omitted"][0]["reason"], "hidden");
    assert!(text.stderr.contains("complete. Left out: 2 hidden"), "{}", text.stderr);
}

#[test]
fn the_last_line_of_json_lines_is_the_rest_of_the_reply() {
    let tree = small();
    let reply = trilist(&tree).arg("--json").ok().json();
    for words in [&["--jsonl"][..], &["--jsonl", "--all", "-d", "2"]] {
        let answer = trilist(&tree).args(words).ok();
        let lines = answer.json_lines();
        let (rest, entries) = lines.split_last().unwrap();
        assert_eq!(json!(entries), reply["entries"]);
        assert_eq!(rest.get("entries"), None);
        for field in ["root", "path", "mode", "returned", "total", "complete", "omitted"] {
            assert_eq!(rest[field], reply[field], "{field} of {words:?}");
        }
        assert_eq!(answer.stderr, "");
    }
}

#[test]
fn metadata_is_in_the_tree_and_in_json() {
    let tree = TreeBuilder::new().file("a", "12345").symlink("l", "a").build();
    assert_snapshot!(trilist(&tree).args(["--metadata", "-t", "file"]).ok(), @"
    /repo  mode=fs depth=2
    a  5 B 2024-01-01T00:00:00Z 0644
    1 entry, complete. Left out: 1 of other kinds (l).
    ");
    let reply = trilist(&tree).args(["--metadata", "--json"]).ok().json();
    assert_eq!(reply["entries"][0]["size"], 5);
    assert_eq!(reply["entries"][1]["target"], "a");
    let plain = trilist(&tree).arg("--json").ok().json();
    assert_eq!(plain["entries"][0].get("size"), None);
}

#[test]
fn other_orders_are_lists_of_paths() {
    let tree = TreeBuilder::new().file("a", "1").file("b", "123").file("c", "12").build();
    assert_snapshot!(trilist(&tree).args(["-s", "size"]).ok(), @"
    b
    c
    a
    ");
    assert_snapshot!(trilist(&tree).args(["--reverse"]).ok(), @"
    c
    b
    a
    ");
    assert_snapshot!(trilist(&tree).args(["-s", "size", "--view", "tree"]).exits(2), @"
    --- standard error
    invalid_argument: `--view` is `tree`; a tree shows path order only; take `paths` or `entries` with another order
    ");
}

#[test]
fn marks_that_an_order_takes_away_are_told() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\n")
        .file("a.log", "1")
        .file("b", "123")
        .build();
    let sorted = ["-m", "files", "--no-hidden", "--mark-ignored", "-s", "kind"];
    let answer = trilist(&tree).args(sorted).exits(0);
    assert_eq!(answer.stdout, "a.log\nb\n");
    let told = "Ignored: 1 of 2. Paths have no marks; --view table has them.\n";
    assert!(answer.stderr.starts_with(told), "{answer}");
    let table = trilist(&tree).args(sorted).args(["--view", "table"]).exits(0);
    assert!(table.stdout.contains("[ignored: .gitignore:1]"), "{table}");
    // Who asks for bare paths gets them.
    assert!(!trilist(&tree).args(sorted).arg("-1").exits(0).stderr.contains("Ignored"));
}

#[test]
fn layers_can_be_switched_one_by_one() {
    let tree = small();
    let paths = |words: &[&str]| {
        let answer = trilist(&tree).args(["-1", "-d", "1"]).args(words).ok();
        answer.lines().join(" ")
    };
    assert_snapshot!(paths(&["--hidden"]), @".env .git/ .gitignore build.log link main.rs node_modules/ tools/");
    assert_snapshot!(paths(&["--gitignore"]), @".git/ link main.rs node_modules/ tools/");
    assert_snapshot!(paths(&["-I", "--gitignore"]), @".git/ link main.rs node_modules/ tools/");
    assert_snapshot!(paths(&["-E", "*.rs", "--exclude", "tools"]), @".git/ build.log link node_modules/");
    assert_snapshot!(paths(&["--gitignore", "--keep", "build.log"]), @".git/ build.log link main.rs node_modules/ tools/");
    assert_snapshot!(paths(&["-g", "*.rs"]), @"main.rs");
    assert_snapshot!(paths(&["-t", "dir,symlink"]), @".git/ link node_modules/ tools/");
    assert_snapshot!(paths(&["-m", "files", "--no-gitignore", "--no-hidden"]), @"build.log link main.rs node_modules/ tools/");
    assert_snapshot!(paths(&["--hidden", "--no-hidden"]), @".git/ build.log link main.rs node_modules/ tools/");
}

#[test]
fn depth_has_two_names() {
    let tree = small();
    let by = |name: &str| trilist(&tree).args([name, "1"]).ok().stdout;
    assert_eq!(by("-d"), by("-L"));
    assert_eq!(by("-d"), by("--depth"));
}

#[test]
fn a_full_disk_is_an_io_error() {
    let tree = plain();
    for words in [&["-1"][..], &["--all"], &["--help"]] {
        let mut run = trilist(&tree).args(words);
        run.command().stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
        let answer = run.exits(6);
        let message = "io_error: cannot write to standard output: No space left on device";
        assert!(answer.stderr.starts_with(message), "{}", answer.stderr);
    }
}
