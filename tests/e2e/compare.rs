//! `trilist compare`.

use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["src/main.rs", "src/lib.rs", "old.rs"])
        .file(".gitignore", "/target/\n")
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .remove("old.rs")
        .files(["target/a", "target/b", "new.rs"])
        .build()
}

#[test]
fn the_modes_side_by_side() {
    let tree = tree();
    let answer = trilist(&tree).args(["compare", "--chat", "new.rs"]).ok();
    insta::assert_snapshot!(answer, @r"
    /repo  compare depth=all hidden=shown
    fs files vcs  path
    +  -     -    .git/  fs: not entered, protected; files vcs: protected
    +  +     -    new.rs [in chat]  vcs: untracked
    -  -     +    old.rs  fs files: not on disk
    +  -     -    target/ [folded: 2 files, only in fs]  files: ignored (.gitignore:1 `/target/`); vcs: untracked
    5 of 8 paths differ; complete.
    fs: 7 listed; not listed: 1 not on disk.
    files: 4 listed; not listed: 1 protected, 2 ignored, 1 not on disk.
    vcs: 4 listed; not listed: 1 protected, 3 untracked.
    In the chat: 1 file; 1 with a row, 1 shown here.
    ");
}

#[test]
fn a_stream_is_the_page_without_a_limit() {
    let tree = tree();
    for form in [&[][..], &["--json"], &["--same", "--unfold", "--json"]] {
        let page = trilist(&tree).args(["compare"]).args(form).ok();
        let stream = trilist(&tree).args(["compare", "--all"]).args(form).ok();
        if form.is_empty() {
            assert_eq!(stream.stdout, page.stdout);
            continue;
        }
        let (mut stream, mut page) = (stream.json(), page.json());
        for mode in ["fs", "files", "vcs"] {
            // A page has a deadline of its own.
            for reply in [&mut stream, &mut page] {
                reply["modes"][mode]["asked"].as_object_mut().unwrap().remove("deadline_ms");
            }
        }
        assert_eq!(stream, page);
    }
}

#[test]
fn pages_and_statuses() {
    let tree = tree();
    let first = trilist(&tree).args(["compare", "-n", "1", "--json"]).ok().json();
    assert_eq!(first["next_offset"], 2);
    let next = trilist(&tree).args(["compare", "-n", "1", "--offset", "2", "--json"]).ok().json();
    assert_eq!(next["rows"][0]["path"], "new.rs");
    trilist(&tree).args(["compare", "-n", "1", "--fail-on-truncation"]).exits(1);
    trilist(&tree).args(["compare", "--offset", "9"]).exits(2);
    trilist(&tree).args(["compare", "-a", "-n", "1"]).exits(2);
    trilist(&tree).args(["compare", "missing"]).exits(4);
    let error = trilist(&tree).args(["compare", "missing", "--json"]).exits(4).json();
    assert_eq!(error["error"]["code"], "not_found");
    let gone = trilist(&tree).args(["compare", "src", "-d", "1"]).ok();
    assert!(gone.stdout.contains("0 of 2 paths differ; complete."), "{gone}");
}

#[test]
fn the_readme_shows_a_real_comparison() {
    let tree = Tree::build("readme");
    let answer = trilist(&tree).arg("compare").ok();
    let readme = std::fs::read_to_string(trilist_tests::workspace().join("README.md")).unwrap();
    let shown = readme.split("$ trilist compare /repo\n").nth(1).unwrap();
    assert_eq!(answer.stdout, shown.split("```").next().unwrap());
}
