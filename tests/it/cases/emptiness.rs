//! Empty, all left out, unreadable, absent: each reads differently.

use trilist::{ListRequest, Mode, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::again::as_ordinary_user;
use crate::harness::{Right, ask, check, check_error, lister, whole};

fn tree() -> Tree {
    TreeBuilder::new()
        .dir("task.js")
        .dir("TODO")
        .dir("void")
        .files(["task.js/x", "f", "onlylog/a.log"])
        .repo()
        .file(".gitignore", "*.log\n")
        .build()
}

fn text(tree: &Tree, request: &ListRequest) -> String {
    render::text(&whole(&lister(tree.path()), request), View::Tree)
}

#[test]
fn out01_directories_end_in_a_slash_and_say_why_they_show_nothing() {
    let tree = tree();
    let mut request = ask(Mode::Fs, ".");
    request.ignore.git = Some(true);
    check(
        &tree,
        &request,
        Right::rows(&[
            ".git/ protected",
            "TODO/ empty",
            "f",
            "onlylog/ all-omitted",
            "task.js/",
            "task.js/x",
            "void/ empty",
        ])
        .omitted(&["hidden 1: .gitignore", "ignored 1: onlylog/a.log"]),
    );
    let text = text(&tree, &request);
    assert!(
        text.contains("\nvoid/ [empty]\n") && text.contains("\nonlylog/ [all left out]\n"),
        "{text}"
    );
}

#[test]
fn out01_listed_by_themselves_they_read_differently_too() {
    let tree = tree();
    for (mode, empty) in [
        (Mode::Fs, "0 entries, complete: the directory is empty. Left out: nothing."),
        (Mode::Files, "0 entries, complete: there is no file in it. Left out: nothing."),
    ] {
        assert!(
            text(&tree, &ask(mode, "void")).contains(empty),
            "{}",
            text(&tree, &ask(mode, "void"))
        );
    }
    let ignored = text(&tree, &ask(Mode::Files, "onlylog"));
    assert!(
        ignored.contains(
            "0 entries, complete: everything in it is left out. Left out: 1 ignored \
             (.gitignore:1 `*.log` 1)."
        ),
        "{ignored}"
    );
    check_error(&tree, &ask(Mode::Files, "nowhere"), "not_found");
    check_error(&tree, &ask(Mode::Files, "f"), "not_directory");
    let untracked = text(&tree, &ask(Mode::Vcs, "void"));
    assert!(untracked.contains("nothing in it is tracked"), "{untracked}");
}

#[test]
fn t47_hiding_everything_is_told_and_can_be_undone() {
    let tree = TreeBuilder::new().repo().file(".gitignore", "*\n").files(["a", "b/c"]).build();
    check(
        &tree,
        &ask(Mode::Files, "."),
        Right::rows(&[]).omitted(&["protected 1: .git/", "ignored 3: .gitignore a b/"]),
    );
    let mut shown = ask(Mode::Files, ".");
    shown.ignore.git = Some(false);
    check(&tree, &shown, Right::rows(&[".gitignore", "a", "b/c"]).omitted(&["protected 1: .git/"]));
    let mut kept = ask(Mode::Files, ".");
    kept.ignore.keep = vec!["b/**".to_owned()];
    let page = whole(&lister(tree.path()), &kept);
    assert_eq!(crate::harness::rows(&page), ["b/c"]);
}

#[test]
fn directories_that_show_nothing_are_told_apart() {
    if !as_ordinary_user(module_path!(), "directories_that_show_nothing_are_told_apart") {
        return;
    }
    // As the fixture `emptiness`, which an ordinary user may not be able to read.
    let tree = TreeBuilder::new()
        .dir("empty")
        .dir("only-dirs/inner")
        .files(["only-hidden/.x", "only-ignored/a.log", "locked/secret.txt", "full/a.txt"])
        .file(".gitignore", "*.log\n")
        .repo()
        .chmod("locked", 0o000)
        .build();
    let mut request = ask(Mode::Fs, ".");
    request.ignore.git = Some(true);
    check(
        &tree,
        &request,
        Right::rows(&[
            ".git/ protected",
            "empty/ empty",
            "full/",
            "full/a.txt",
            "locked/ unreadable",
            "only-dirs/",
            "only-dirs/inner/ depth",
            "only-hidden/ all-omitted",
            "only-ignored/ all-omitted",
        ])
        .omitted(&["hidden 2: .gitignore only-hidden/.x", "ignored 1: only-ignored/a.log"])
        .warned(&["permission_denied locked gap"]),
    );
}
