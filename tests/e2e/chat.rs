//! `--chat`, `--read-only` and `--session`.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;
use serde_json::json;
use trilist_tests::{Tree, TreeBuilder, require};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["README.md", "src/a.rs", "src/b.rs", "src/c.log"])
        .file(".gitignore", "*.log\n")
        .build()
}

#[test]
fn rows_are_marked_and_groups_are_named() {
    let answer = trilist(&tree())
        .args(["-m", "files", "--chat", "src/a.rs", "--chat", "src/c.log"])
        .args(["--read-only", "README.md", "--read-only", "/etc/hosts"])
        .ok();
    assert_snapshot!(answer.stdout, @r"
    /repo  mode=files
    .gitignore
    README.md [read-only]
    src/
      a.rs [in chat]
      b.rs
    4 entries, complete. Left out: 1 protected (.git/), 1 ignored (.gitignore:1 `*.log` 1).
    In the chat: 2 (src/a.rs, src/c.log [ignored: .gitignore:1]).
    Read-only: 2 (README.md, /etc/hosts [outside the root]).
    Not in the chat: 2.
    ");
}

#[test]
fn names_are_taken_from_where_one_stands() {
    let tree = tree();
    let reply = trilist(&tree)
        .in_dir("src")
        .args(["..", "-m", "files", "--json", "--chat", "a.rs", "--read-only", "../README.md"])
        .ok()
        .json();
    let buckets: Vec<_> = reply["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["path"].as_str().unwrap(), entry["bucket"].as_str().unwrap()))
        .collect();
    let right = [
        (".gitignore", "repo"),
        ("README.md", "read_only"),
        ("src/a.rs", "in_chat"),
        ("src/b.rs", "repo"),
    ];
    assert_eq!(buckets, right);
    assert_eq!(reply["chat"]["repo"], json!({ "count": 2, "returned": 2 }));
}

#[test]
fn a_session_file_gives_both_lists() {
    let tree = tree();
    let file = tree.outside().join("session.json");
    fs::write(&file, r#"{"in_chat": ["src/a.rs"], "read_only": ["README.md"]}"#).unwrap();
    let file = file.to_str().unwrap();
    let words = ["-m", "files", "--json", "--session", file, "--chat", "src/b.rs"];
    let reply = trilist(&tree).args(words).ok().json();
    assert_eq!(reply["chat"]["in_chat"]["count"], 2);
    assert_eq!(reply["chat"]["read_only"]["files"][0]["path"], "README.md");
    let paths = trilist(&tree).args(["-m", "files", "-1", "--session", file]).ok();
    assert!(paths.stderr.contains("In the chat: 1 (src/a.rs).\n"), "{paths}");
}

#[test]
fn what_is_no_session_is_an_invalid_argument() {
    let tree = tree();
    let file = tree.outside().join("session.json");
    fs::write(&file, "[]").unwrap();
    trilist(&tree).args(["--session", file.to_str().unwrap()]).exits(2);
    trilist(&tree).args(["--session", "absent"]).exits(6);
    trilist(&tree).args(["--chat", ""]).exits(2);
    trilist(&tree).args(["-a", "--chat", "README.md"]).exits(2);
    trilist(&tree).args(["--view", "overview", "--chat", "README.md"]).exits(2);
}

#[test]
fn names_of_the_chat_read_no_directory_more() {
    if !require("strace") {
        return;
    }
    let names: Vec<String> = (0..40).map(|at| format!("many/f{at:02}")).collect();
    let tree = TreeBuilder::new().files(&names).files(["many/sub/x", "beside/y"]).build();
    let asked = ["many/f07", "many/gone", "many/sub/x", "many/sub/gone", "gone/x", "many/f39"];
    let readings = |mode: &str, chat: &[&str]| {
        let trace = tree.outside().join("trace");
        let program = trilist(&tree).command().get_program().to_owned();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", "signal=none", "-e", "trace=getdents64", "-o"]);
        strace.arg(&trace).arg(program).args(["--no-config", "-m", mode, "-d", "9"]);
        strace.args(chat.iter().flat_map(|name| ["--chat", name]));
        let output = strace.current_dir(tree.path()).env("HOME", "/nonexistent").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(trace).unwrap();
        text.lines().filter(|line| line.contains("getdents64(")).count()
    };
    for mode in ["fs", "files"] {
        let alone = readings(mode, &[]);
        assert!(alone > 0, "{mode}");
        assert_eq!(readings(mode, &asked), alone, "{mode}");
    }
}
