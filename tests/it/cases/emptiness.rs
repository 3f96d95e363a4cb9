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

/// What text and JSON say of a directory that is asked for by its path.
#[test]
fn out01_every_mode_tells_empty_from_left_out_in_text_and_json() {
    let tree = TreeBuilder::new()
        .repo()
        .dir("void")
        .files(["hidden/.x", "logs/a.log", "deps/node_modules/m", "tracked/b.log"])
        .file(".ignore", "*.log\n")
        .git(&["add", "-f", "tracked"])
        .git(&["commit", "-q", "-m", "one"])
        .build();
    let cases: &[(Mode, &str, &str, u64)] = &[
        (Mode::Fs, "void", "the directory is empty", 0),
        (Mode::Files, "void", "there is no file in it", 0),
        (Mode::Vcs, "void", "nothing in it is tracked", 0),
        (Mode::Vcs, "logs", "nothing in it is tracked", 0),
        (Mode::Fs, "hidden", "everything in it is left out", 1),
        (Mode::Files, "hidden", "everything in it is left out", 1),
        (Mode::Fs, "logs", "everything in it is left out", 1),
        (Mode::Files, "logs", "everything in it is left out", 1),
        (Mode::Vcs, "tracked", "everything in it is left out", 1),
    ];
    for (mode, path, words, left_out) in cases {
        let mut request = ask(*mode, path);
        request.include_hidden = Some(false);
        match mode {
            Mode::Fs => request.ignore.dot_ignore = Some(true),
            Mode::Files => {}
            Mode::Vcs => request.ignore.patterns = vec!["*.log".to_owned()],
        }
        let page = whole(&lister(tree.path()), &request);
        let text = render::text(&page, View::Tree);
        assert!(text.contains(&format!("0 entries, complete: {words}. ")), "{mode} {path}: {text}");
        let json: serde_json::Value = serde_json::from_str(&render::json(&page)).unwrap();
        let count = |omitted: &serde_json::Value| omitted["count"].as_u64().unwrap();
        let sum: u64 = json["omitted"].as_array().unwrap().iter().map(count).sum();
        assert_eq!((json["complete"].as_bool(), json["returned"].as_u64()), (Some(true), Some(0)));
        assert_eq!(sum, *left_out, "{mode} {path}");
    }
    // What is cut by name is a row: neither empty nor left out.
    for mode in [Mode::Fs, Mode::Files] {
        check(&tree, &ask(mode, "deps"), Right::rows(&["node_modules/ builtin"]));
    }
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
