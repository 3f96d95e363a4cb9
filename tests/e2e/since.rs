//! `--since`: an earlier reply, compared.

use std::fs;

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder, git};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a.txt", "src/b.rs", "src/c.rs"])
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

/// Saves a reply outside the tree and gives the file's path.
fn save(tree: &Tree, name: &str, words: &[&str]) -> String {
    let file = tree.outside().join(name);
    fs::write(&file, trilist(tree).args(words).ok().bytes).unwrap();
    file.to_str().unwrap().to_owned()
}

fn edit(tree: &Tree) {
    git(tree.path(), &["mv", "a.txt", "c.txt"]);
    fs::write(tree.join("src/b.rs"), "longer than before").unwrap();
    fs::write(tree.join("src/new.rs"), "").unwrap();
}

#[test]
fn a_saved_reply_is_compared_without_saying_its_options_again() {
    let tree = tree();
    let json = save(&tree, "json", &["-m", "files", "--metadata", "--json"]);
    let lines = save(&tree, "lines", &["-m", "files", "--metadata", "--jsonl"]);
    let all = save(&tree, "all", &["-m", "files", "--metadata", "--all", "--json"]);
    edit(&tree);
    let told = trilist(&tree).args(["--since", &json]).ok().stdout;
    let told = told.split_once(" since=").unwrap().1.split_once('\n').unwrap().1.to_owned();
    assert_snapshot!(told, @r"
    a.txt [gone]
    c.txt [new]
    src/
      b.rs [changed: size, modified]
      new.rs [new]
    4 changes, complete: 2 new, 1 gone, 1 changed, 0 renamed. Renames show as gone and new. Left out: 1 protected (.git/).
    ");
    for file in [&json, &lines, &all] {
        let rows = trilist(&tree).args(["--since", file, "-1"]).ok();
        assert_eq!(rows.stdout, "- a.txt\n+ c.txt\n~ src/b.rs\n+ src/new.rs\n");
        assert!(rows.stderr.starts_with("4 changes, complete: "), "{}", rows.stderr);
    }
    let reply = trilist(&tree).args(["--since", &all, "--json"]).ok().json();
    assert_eq!(reply["changes"]["added"], 2);
    assert_eq!(reply["entries"][2]["change"]["fields"], serde_json::json!(["size", "modified"]));
}

#[test]
fn of_a_cut_reply_nothing_behind_the_cut_is_news() {
    let tree = tree();
    let cut = save(&tree, "cut", &["-m", "vcs", "-n", "1", "--json"]);
    let told = trilist(&tree).args(["--since", &cut]).ok().stdout;
    assert!(told.contains("0 changes: 0 new"), "{told}");
    assert!(told.contains("NOT COMPARED: what comes behind a.txt, "), "{told}");
}

#[test]
fn a_part_in_another_order_is_not_compared_with() {
    // The two largest files are also the first two by path.
    let tree = TreeBuilder::new()
        .file("a", "4444")
        .file("b", "333")
        .file("c", "22")
        .file("d", "1")
        .build();
    let parts: [(&str, &[&str]); 4] = [
        ("first", &["-s", "size", "-n", "2", "--json"]),
        ("lines", &["-s", "size", "-n", "2", "--jsonl"]),
        ("last", &["-s", "size", "--offset", "3", "--json"]),
        ("reverse", &["-r", "-n", "1", "--json"]),
    ];
    let saved = parts.map(|(name, words)| save(&tree, name, &[&["-m", "fs"], words].concat()));
    let whole = save(&tree, "whole", &["-m", "fs", "-s", "size", "--json"]);
    for file in &saved {
        let refused = trilist(&tree).args(["--since", file]).exits(2).stderr;
        assert!(refused.contains("another order than that of paths"), "{file}: {refused}");
    }
    let told = trilist(&tree).args(["--since", &whole]).ok().stdout;
    assert!(told.contains("0 changes"), "{told}");
}

#[test]
fn pages_of_changes_go_on_by_cursor_and_file() {
    let tree = tree();
    let file = save(&tree, "json", &["-m", "files", "--json"]);
    edit(&tree);
    let mut rows = String::new();
    let mut words = vec!["--since".to_owned(), file.clone(), "-n1".into(), "--json".into()];
    loop {
        let reply = trilist(&tree).args(&words).ok().json();
        rows += reply["entries"][0]["path"].as_str().unwrap();
        rows += " ";
        let Some(cursor) = reply["next_cursor"].as_str() else { break };
        words.truncate(4);
        words.extend(["--cursor".to_owned(), cursor.to_owned()]);
    }
    assert_eq!(rows, "a.txt c.txt src/new.rs ");
}

#[test]
fn what_cannot_be_compared_with_is_an_invalid_argument() {
    let tree = tree();
    let file = save(&tree, "json", &["-m", "files", "--json"]);
    let text = save(&tree, "text", &["-m", "files"]);
    for words in [
        &["--since", &file, "-m", "fs"][..],
        &["--since", &file, "src"],
        &["--since", &file, "-d", "1"],
        &["--since", &file, "-a"],
        &["--since", &file, "-0"],
        &["--since", &text],
    ] {
        trilist(&tree).args(words).exits(2);
    }
    trilist(&tree).args(["--since", "absent"]).exits(6);
}
