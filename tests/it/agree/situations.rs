//! The rows of `docs/ignore.md`, and places that rules do not reach or that lie oddly to them.

use std::path::Path;

use trilist::{IgnorePolicy, ListRequest, Mode};
use trilist_tests::oracle::{git_check_ignore, rg_files};
use trilist_tests::{Tree, TreeBuilder, require, workspace};

use super::git::assert_agrees;
use crate::harness::{ask, lister, warned, whole};

/// A row of the table of differences.
struct Row {
    rules: String,
    lines: Vec<u8>,
    file: Vec<u8>,
    /// Whether trilist, git and ripgrep ignore it, in this order.
    ignored: Vec<bool>,
}

#[test]
fn every_difference_is_as_documented() {
    let rows = rows(&std::fs::read_to_string(workspace().join("docs/ignore.md")).unwrap());
    assert_eq!(rows.len(), 22);
    for row in rows {
        let tree =
            TreeBuilder::new().repo().file(&row.file, "").file(&row.rules, &row.lines).build();
        let what = format!("{} {:?} {:?}", row.rules, show(&row.lines), show(&row.file));
        let by_git =
            git_check_ignore(tree.path(), std::slice::from_ref(&row.file))[0].rule.is_some();
        let mut found = vec![!ours(tree.path()).contains(&row.file), by_git];
        let mut right = row.ignored;
        match require("rg") {
            true => found.push(!ripgreps(tree.path()).contains(&row.file)),
            false => right.truncate(2),
        }
        assert_eq!(found, right, "{what}");
        // What git owns means what git means; each row is a difference.
        assert!(row.rules != ".gitignore" || right[0] == right[1], "{what}");
        assert!(right.len() < 3 || right[0] != right[2], "{what}");
    }
}

fn rows(text: &str) -> Vec<Row> {
    let (_, table) = text.split_once("<!-- differences -->").unwrap();
    let (table, _) = table.split_once("<!-- end of differences -->").unwrap();
    table.trim().lines().skip(2).map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    assert_eq!(cells.len(), 7, "{line}");
    let code = |cell: &str| cell.strip_prefix('`').unwrap().strip_suffix('`').unwrap().to_owned();
    let ignored = cells[3..6].iter().map(|cell| match *cell {
        "ignored" => true,
        "listed" => false,
        other => panic!("{other} in {line}"),
    });
    Row {
        rules: code(cells[0]),
        lines: bytes(&code(cells[1])),
        file: bytes(&code(cells[2])),
        ignored: ignored.collect(),
    }
}

/// What the signs of the table stand for.
fn bytes(text: &str) -> Vec<u8> {
    let signs: [(&str, &[u8]); 6] = [
        ("⏎", b"\n"),
        ("␠", b" "),
        ("⇥", b"\t"),
        ("␍", b"\r"),
        ("⸨BOM⸩", b"\xef\xbb\xbf"),
        ("⸨FF⸩", b"\xff"),
    ];
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let sign = signs.iter().find(|(sign, _)| rest.starts_with(sign));
        let (len, meant) = sign
            .map_or((c.len_utf8(), &rest.as_bytes()[..c.len_utf8()]), |(sign, meant)| {
                (sign.len(), meant)
            });
        bytes.extend_from_slice(meant);
        rest = &rest[len..];
    }
    bytes
}

fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn ours(dir: &Path) -> Vec<Vec<u8>> {
    listed(dir, ".")
}

fn listed(root: &Path, path: &str) -> Vec<Vec<u8>> {
    let ignore = IgnorePolicy { builtin: Some(false), ..IgnorePolicy::default() };
    let page = whole(&lister(root), &ListRequest { ignore, ..ask(Mode::Files, path) });
    page.entries.iter().map(|entry| entry.bytes().to_vec()).collect()
}

fn ripgreps(dir: &Path) -> Vec<Vec<u8>> {
    rg_files(dir, &["--hidden", "--glob=!.git", "--no-ignore-messages", "--no-ignore-global"])
}

#[test]
fn ignored_directories_that_are_the_start() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "out/\nall/*\n*.log\n")
        .files(["out/x", "out/a.log", "out/deep/y", "all/x", "all/deep/y"])
        .build();
    // The start itself is not asked about, but its names are.
    let text =
        |paths: &[&str]| paths.iter().map(|path| path.as_bytes().to_vec()).collect::<Vec<_>>();
    assert_eq!(listed(tree.path(), "out"), text(&["deep/y", "x"]));
    assert_eq!(listed(tree.path(), "out/deep"), text(&["y"]));
    assert_eq!(listed(tree.path(), "all"), text(&[]));
    assert_eq!(listed(tree.path(), "all/deep"), text(&["y"]));
    if require("rg") {
        for dir in ["out", "out/deep", "all", "all/deep"] {
            assert_eq!(listed(tree.path(), dir), ripgreps(&tree.join(dir)), "{dir}");
        }
    }
    // With the root there, what lies above it is told and not read.
    let page = whole(&lister(&tree.join("out")), &ask(Mode::Files, "."));
    assert_eq!(crate::harness::rows(&page), ["a.log", "deep/y", "x"]);
    assert_eq!(warned(&page), ["ignore_beyond_root ."]);
}

#[test]
fn outside_every_repository_only_ripgreps_files_count() {
    let tree = TreeBuilder::new()
        .file(".gitignore", "*.log\n")
        .file(".ignore", "*.tmp\n")
        .file("sub/.rgignore", "!b.tmp\n")
        .files(["a.log", "a.tmp", "sub/b.log", "sub/b.tmp", "sub/c.tmp"])
        .build();
    let right = [".gitignore", ".ignore", "a.log", "sub/.rgignore", "sub/b.log", "sub/b.tmp"];
    let right: Vec<Vec<u8>> = right.iter().map(|path| path.as_bytes().to_vec()).collect();
    assert_eq!(ours(tree.path()), right);
    if require("rg") {
        assert_eq!(ripgreps(tree.path()), right);
    }
}

#[test]
fn nested_repositories_each_have_their_own_rules_and_case() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\nBUILD\n")
        .file(".git/info/exclude", "*.x\n")
        .files(["a.log", "a.x", "build/f", "in/a.log", "in/a.x", "in/a.y", "in/build/f", "in/c"])
        .git(&["config", "core.ignorecase", "true"])
        .git(&["init", "-q", "in"])
        .file("in/.gitignore", "/C\n")
        .file("in/.git/info/exclude", "*.Y\n*.y\n")
        .files(["in/deep/.git/HEAD", "in/deep/a.y"])
        .build();
    let inner = ["in/.gitignore", "in/a.log", "in/a.x", "in/build/f", "in/c", "in/deep/a.y"];
    let right = [&[".gitignore"][..], &inner].concat();
    let right: Vec<Vec<u8>> = right.iter().map(|path| path.as_bytes().to_vec()).collect();
    assert_eq!(ours(tree.path()), right);
    // Git, asked in the inner one, says the same of it, and of the outer one without it.
    assert_agrees(&tree, "in", &["deep"]);
    assert_agrees(&tree, "", &["in"]);
}

#[test]
fn a_linked_work_tree_has_the_excludes_and_the_case_of_its_repository() {
    let tree = TreeBuilder::new()
        .git(&["init", "-q", "main"])
        .files(["main/f"])
        .git_in("main", &["add", "-A"])
        .git_in("main", &["commit", "-q", "-m", "one"])
        .git_in("main", &["config", "core.ignorecase", "true"])
        .git_in("main", &["worktree", "add", "-q", "../linked"])
        .file("main/.git/info/exclude", "*.LOG\n")
        .file("linked/.gitignore", "/TMP/\n")
        .files(["linked/a.log", "linked/tmp/x", "linked/b.txt", "main/a.log"])
        .build();
    assert_agrees(&tree, "linked", &[]);
    assert_agrees(&tree, "main", &[]);
    let right: Vec<Vec<u8>> =
        [".gitignore", "b.txt", "f"].iter().map(|path| path.as_bytes().to_vec()).collect();
    // Also with the root at the work tree: its repository points back.
    let page = whole(&lister(&tree.join("linked")), &ask(Mode::Files, "."));
    let files: Vec<_> = page.entries.iter().map(|entry| entry.bytes().to_vec()).collect();
    assert_eq!(files, right);
    assert!(warned(&page).is_empty(), "{:?}", warned(&page));
}

#[test]
fn a_work_trees_own_configuration_counts_too() {
    let tree = |on: &[&str]| {
        TreeBuilder::new()
            .repo()
            .file(".gitignore", "*.LOG\n*.tmp\n")
            .files(["a.log", "b.txt", "c.tmp"])
            .git(on)
            .file(".git/config.worktree", "[core]\n\tignorecase = 1k\n")
            .build()
    };
    let names = |names: &[&str]| names.iter().map(|name| name.as_bytes().to_vec()).collect();
    for (on, right) in [
        (&["config", "extensions.worktreeConfig", "true"], &[".gitignore", "b.txt"][..]),
        (&["config", "extensions.worktreeConfig", "0"], &[".gitignore", "a.log", "b.txt"]),
    ] {
        let tree = tree(on);
        let right: Vec<Vec<u8>> = names(right);
        assert_eq!(ours(tree.path()), right, "{on:?}");
        assert_agrees(&tree, "", &[]);
    }
}

#[test]
fn allow_lists_marks_and_ends_of_lines() {
    let cases: &[(&str, &[u8])] = &[
        ("suffix", b"*\n!*/\n!*.md\n"),
        ("dir", b"*\n!/tools/\n!/tools/**\n"),
        ("contents", b"tools/*\n!tools/a.md\n"),
        ("excluded", b"tools/\n!tools/a.md\n"),
        ("bom", b"\xef\xbb\xbftop.txt\r\n*.md\r\n"),
        ("spaces", b"top.txt   \n\\ lead\ntrail\\ \ntab\t\n"),
        ("escapes", b"\\#hash\n\\!bang\n\\*star\nback\\\\slash\n"),
        ("comments", b"#top.txt\n # x\n\n   \n"),
        ("anchors", b"/a.md\ntools/a.md\n**/deep\ndeep/**\na/**/z\n"),
        ("last", b"*.md\n!a.md\n*.md"),
        ("bad", b"[z-a]\nend\\\n*.md\n"),
    ];
    let mut tree = TreeBuilder::new().repo();
    for (name, rules) in cases {
        let at = |path: &str| format!("{name}/{path}");
        tree = tree.file(at(".gitignore"), rules).files([
            at("top.txt"),
            at("a.md"),
            at("tools/a.md"),
            at("tools/deep/h.js"),
            at("a/z"),
            at("a/b/c/z"),
            at(" lead"),
            at("trail "),
            at("tab"),
            at("tab\t"),
            at("#hash"),
            at("!bang"),
            at("*star"),
            at("back\\slash"),
        ]);
    }
    assert_agrees(&tree.build(), "", &[]);
}

#[test]
fn a_repository_whose_configuration_cannot_be_read_is_one_in_which_case_counts() {
    let tree = |config: &[u8]| {
        TreeBuilder::new()
            .file(".git/HEAD", "ref: refs/heads/main\n")
            .file(".git/config", config)
            .file(".gitignore", "BUILD\n")
            .files(["build", "x"])
            .build()
    };
    let listed = |tree: &Tree| {
        let request = ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") };
        let page = whole(&lister(tree.path()), &request);
        (crate::harness::rows(&page), warned(&page))
    };
    let both = vec!["build".to_owned(), "x".to_owned()];
    let told = vec!["ignore_unreadable .git/config".to_owned()];
    assert_eq!(listed(&tree(b"[core]\n\tignorecase = true\n")), (vec!["x".to_owned()], vec![]));
    assert_eq!(listed(&tree(b"[core]\n\tignorecase = false\n")), (both.clone(), vec![]));
    assert_eq!(listed(&tree(b"[core\n")), (both.clone(), told.clone()));
    let odd = TreeBuilder::new()
        .fifo(".git/config")
        .file(".gitignore", "BUILD\n")
        .files(["build", "x"])
        .build();
    assert_eq!(listed(&odd), (both, told));
}
