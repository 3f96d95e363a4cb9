//! Hidden names, and directories that are cut by name.

use trilist::{IgnorePolicy, ListRequest, Mode};
use trilist_tests::TreeBuilder;

use crate::harness::{Right, ask, check};

#[test]
fn hid01_a_hidden_directory_asked_for_by_name_is_listed() {
    let tree = TreeBuilder::new().files([".mem/T.md", ".mem/sub/D.md"]).build();
    let hidden_off = |mode| ListRequest { include_hidden: Some(false), ..ask(mode, ".mem") };
    check(&tree, &hidden_off(Mode::Fs), Right::rows(&["T.md", "sub/", "sub/D.md"]));
    check(&tree, &hidden_off(Mode::Files), Right::rows(&["T.md", "sub/D.md"]));
    let tree =
        TreeBuilder::new().repo().files([".mem/T.md", ".mem/sub/D.md"]).commit("one").build();
    check(&tree, &hidden_off(Mode::Vcs), Right::rows(&["T.md", "sub/D.md"]));
}

#[test]
fn hid02_hidden_entries_are_counted() {
    let tree = TreeBuilder::new()
        .dir(".github")
        .files([".env.example", ".tool-versions", "src/a"])
        .build();
    let shallow = ListRequest { depth: Some(1), ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &shallow,
        Right::rows(&["src/ depth"]).omitted(&["hidden 3: .env.example .github/ .tool-versions"]),
    );
    let all = ListRequest { include_hidden: Some(true), ..shallow };
    check(
        &tree,
        &all,
        Right::rows(&[".env.example", ".github/ depth", ".tool-versions", "src/ depth"]),
    );
}

#[test]
fn hid03_source_folders_are_never_cut_in_silence() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["vendor/lib/v.c", "bin/run.sh", "node_modules/x/i.js", "src/build/gen.rs"])
        .git(&["add", "-f", "vendor", "bin", "src"])
        .git(&["commit", "-q", "-m", "one"])
        .build();
    let git = &["protected 1: .git/"];
    check(
        &tree,
        &ask(Mode::Files, "."),
        Right::rows(&["bin/run.sh", "node_modules/ builtin", "src/build/gen.rs", "vendor/lib/v.c"])
            .omitted(git),
    );
    let off = IgnorePolicy { builtin: Some(false), ..IgnorePolicy::default() };
    check(
        &tree,
        &ListRequest { ignore: off, ..ask(Mode::Files, ".") },
        Right::rows(&["bin/run.sh", "node_modules/x/i.js", "src/build/gen.rs", "vendor/lib/v.c"])
            .omitted(git),
    );
    check(
        &tree,
        &ask(Mode::Vcs, "."),
        Right::rows(&["bin/run.sh", "src/build/gen.rs", "vendor/lib/v.c"]),
    );
}

#[test]
fn what_the_request_keeps_is_shown_below_the_builtin_list_and_the_rest_is_counted() {
    let tree = TreeBuilder::new()
        .files(["node_modules/a/keep.js", "node_modules/a/other.js", "node_modules/b/x", "src/m"])
        .build();
    let keep =
        IgnorePolicy { keep: vec!["node_modules/a/keep.js".into()], ..IgnorePolicy::default() };
    let request = ListRequest { ignore: keep, depth: Some(9), ..ask(Mode::Files, ".") };
    check(
        &tree,
        &request,
        Right::rows(&["node_modules/ builtin", "node_modules/a/keep.js", "src/m"])
            .omitted(&["builtin 2: node_modules/a/other.js node_modules/b/"]),
    );
}
