//! The views for people and for a whole repository: `-l`, `--tree`, `--view overview`.

use insta::assert_snapshot;
use serde_json::Value;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new()
        .files(["src/main.rs", "src/bin/a.rs", "src/bin/b.rs", "a", "a-b"])
        .symlink("link", "src")
        .dir("docs")
        .file("two\nlines", "")
        .build()
}

#[test]
fn a_drawn_tree() {
    let tree = tree();
    let answer = trilist(&tree).args(["--tree", "-d", "3"]).ok();
    assert_snapshot!(answer, @r#"
    /repo  mode=fs depth=3
    ├── a
    ├── a-b
    ├── docs/ [empty]
    ├── link@
    ├── src/
    │   ├── bin/
    │   │   ├── a.rs
    │   │   └── b.rs
    │   └── main.rs
    └── "two\nlines"
    10 entries, complete. Left out: nothing.
    "#);
    assert_eq!(trilist(&tree).args(["--view", "drawn", "-d", "3"]).ok().stdout, answer.stdout);
}

#[test]
fn a_table() {
    let tree = tree();
    let touch = std::process::Command::new("find")
        .args([".", "-exec", "touch", "-h", "-d", "2024-02-03T04:05:06.7Z", "{}", "+"])
        .current_dir(tree.path())
        .status();
    assert!(touch.unwrap().success());
    let answer = trilist(&tree).args(["-l", "-m", "files"]).ok();
    assert_snapshot!(answer, @r#"
    /repo  mode=files
    file                 2 2024-02-03T04:05:06Z 0644  a
    file                 2 2024-02-03T04:05:06Z 0644  a-b
    symlink              3 2024-02-03T04:05:06Z 0777  link -> src
    file                 2 2024-02-03T04:05:06Z 0644  src/bin/a.rs
    file                 2 2024-02-03T04:05:06Z 0644  src/bin/b.rs
    file                 2 2024-02-03T04:05:06Z 0644  src/main.rs
    file                 0 2024-02-03T04:05:06Z 0644  "two\nlines"
    7 entries, complete. Left out: nothing.
    "#);
    assert_eq!(trilist(&tree).args(["-l", "-m", "files", "-a"]).ok().stdout, answer.stdout);
    let bare = trilist(&tree).args(["--view", "table", "-d", "1", "docs"]).ok();
    assert!(bare.stdout.contains("0 entries, complete: the directory is empty"), "{bare}");
}

#[test]
fn an_overview() {
    let tree = tree();
    let answer = trilist(&tree).args(["--view", "overview"]).ok();
    assert_snapshot!(answer, @r#"
    /repo  mode=fs overview
    a
    a-b
    docs/ (empty)
    link@
    src/ (3 files)
      bin/ (2 files)
        a.rs
        b.rs
      main.rs
    "two\nlines"
    7 files, 3 directories, complete. Left out: nothing.
    "#);
    let shut = trilist(&tree).args(["--view", "overview", "--no-count"]).ok();
    assert!(shut.stdout.contains("\nsrc/\n  bin/\n    a.rs\n"), "{shut}");
    let below = trilist(&tree).args(["--view", "overview", "-m", "files", "src"]).ok();
    assert!(
        below.stdout.starts_with("/repo/src  mode=files overview\nbin/ (2 files)\n"),
        "{below}"
    );
}

#[test]
fn an_overview_keeps_its_budget_in_either_form() {
    let names = (0..500).map(|number| format!("d{}/file-{number}", number % 50));
    let tree = TreeBuilder::new().files(names).build();
    let args = ["--view", "overview", "--max-bytes", "2000"];
    let text = trilist(&tree).args(args).ok();
    assert!(text.bytes.len() <= 2000 && text.stdout.starts_with("OVERVIEW: "), "{text}");
    let json = trilist(&tree).args(args).arg("--json").ok();
    assert!(json.bytes.len() <= 2001, "{}", json.bytes.len());
    let reply: Value = json.json();
    assert_eq!(
        (&reply["truncated_by"], &reply["counts"]["files"]),
        (&"budget".into(), &500.into())
    );
    trilist(&tree).args(args).arg("--fail-on-truncation").exits(1);
    trilist(&tree).args(["--view", "overview", "--max-bytes", "10"]).exits(2);
    trilist(&tree).args(["--view", "overview", "missing"]).exits(4);
    trilist(&tree).args(["--view", "overview", "-m", "vcs"]).exits(8);
}

#[test]
fn views_that_do_not_go_together_are_refused() {
    let tree = Tree::empty();
    for words in [
        &["--view", "tree", "--json"][..],
        &["--view", "overview", "--all"],
        &["--tree", "--all"],
        &["--view", "drawn", "--all"],
        &["--no-count"],
        &["-l", "--tree"],
        &["-l", "--json"],
        &["--tree", "-1"],
        &["--view", "table", "-0"],
        &["--tree", "-s", "size"],
    ] {
        let answer = trilist(&tree).args(words).exits(2);
        let told = format!("{}{}", answer.stdout, answer.stderr);
        assert!(told.contains("invalid_argument"), "{words:?}: {answer}");
    }
}

#[test]
fn the_readme_shows_a_real_overview() {
    let tree = Tree::build("readme");
    let answer = trilist(&tree).args(["--view", "overview", "-m", "files"]).ok();
    let readme = std::fs::read_to_string(trilist_tests::workspace().join("README.md")).unwrap();
    let shown = readme.split("$ trilist --view overview -m files /repo\n").nth(1).unwrap();
    assert_eq!(answer.stdout, shown.split("```").next().unwrap());
}
