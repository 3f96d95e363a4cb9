//! What cannot be read, vanishes, or must not be opened.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use trilist::{Cancel, ListRequest, Mode, OnDisk, View, render};
use trilist_tests::{TreeBuilder, require};

use crate::again::as_ordinary_user;
use crate::harness::{Right, ask, check, check_error, everything, lister, paths, whole};

#[test]
fn io01_one_unreadable_directory_does_not_cost_the_rest() {
    if !as_ordinary_user(module_path!(), "io01_one_unreadable_directory_does_not_cost_the_rest") {
        return;
    }
    let tree =
        TreeBuilder::new().files(["ok/a", "z"]).dir("secret/in").chmod("secret", 0o000).build();
    let deep = ListRequest { depth: Some(3), ..ask(Mode::Fs, ".") };
    let told = &["permission_denied secret gap"];
    check(&tree, &deep, Right::rows(&["ok/", "ok/a", "secret/ unreadable", "z"]).warned(told));
    check(&tree, &ask(Mode::Files, "."), Right::rows(&["ok/a", "z"]).warned(told));
    let text = render::text(&whole(&lister(tree.path()), &deep), View::Tree);
    assert!(text.contains("Warning: secret: permission_denied: EACCES"), "{text}");
    assert!(text.contains("INCOMPLETE"), "{text}");
}

#[test]
fn t20_a_directory_that_is_asked_for_and_unreadable_is_an_error() {
    let name = "t20_a_directory_that_is_asked_for_and_unreadable_is_an_error";
    if !as_ordinary_user(module_path!(), name) {
        return;
    }
    let tree = TreeBuilder::new()
        .files(["shut/a", "names/a", "names/b"])
        .chmod("shut", 0o000)
        .chmod("names", 0o444)
        .build();
    for mode in [Mode::Fs, Mode::Files] {
        check_error(&tree, &ask(mode, "shut"), "permission_denied");
    }
    // Names may be read, but nothing behind them.
    let request = ListRequest { metadata: true, ..ask(Mode::Fs, ".") };
    let page = whole(&lister(tree.path()), &request);
    let rows = ["names", "names/a", "names/b", "shut"];
    assert_eq!(paths(&page), rows);
    assert!(page.entries[1].size.is_none());
    let codes: Vec<_> =
        page.warnings.iter().map(|warning| (warning.code.name(), &*warning.path)).collect();
    assert_eq!(
        codes,
        [
            ("metadata_unreadable", "names/a"),
            ("metadata_unreadable", "names/b"),
            ("permission_denied", "shut")
        ]
    );
}

#[test]
fn t19_every_unreadable_child_is_told() {
    if !as_ordinary_user(module_path!(), "t19_every_unreadable_child_is_told") {
        return;
    }
    // As the fixture `locked`, which an ordinary user may not be able to read.
    let tree = TreeBuilder::new()
        .files(["open/a.txt", "locked/secret.txt", "zlast.txt", "noexec/b.txt", "noread/c.txt"])
        .file("unreadable.txt", "")
        .chmod("locked", 0o000)
        .chmod("noexec", 0o644)
        .chmod("noread", 0o311)
        .chmod("unreadable.txt", 0o000)
        .build();
    let page = whole(&lister(tree.path()), &everything("."));
    let gaps: Vec<_> =
        page.warnings.iter().filter(|warning| warning.gap).map(|warning| &*warning.path).collect();
    assert_eq!(gaps, ["locked", "noread"]);
    assert!(paths(&page).contains(&"noexec/b.txt") && paths(&page).contains(&"zlast.txt"));
}

#[test]
fn io02_entries_that_vanish_are_no_errors() {
    let tree = TreeBuilder::new().files(["stable/a", "stable/b"]).dir("churn").build();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for number in 0..50 {
                    let dir = tree.join(format!("churn/d{number}"));
                    let _ = fs::create_dir(&dir);
                    let _ = fs::write(dir.join("x"), "");
                    let _ = fs::write(tree.join(format!("churn/x{number}")), "");
                }
                for number in 0..50 {
                    let _ = fs::remove_dir_all(tree.join(format!("churn/d{number}")));
                    let _ = fs::remove_file(tree.join(format!("churn/x{number}")));
                }
            }
        });
        let lister = lister(tree.path());
        for metadata in [true, false] {
            let request = ListRequest { metadata, depth: Some(3), ..ask(Mode::Fs, ".") };
            for _ in 0..100 {
                let page = whole(&lister, &request);
                let stable: Vec<_> =
                    paths(&page).into_iter().filter(|path| path.starts_with("stable")).collect();
                assert_eq!(stable, ["stable", "stable/a", "stable/b"]);
                let in_order = paths(&page);
                assert!(in_order.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn io03_pipes_and_sockets_are_listed_and_never_opened() {
    let tree = TreeBuilder::new().fifo("p").file("f", "").build();
    let _socket = UnixListener::bind(tree.join("s")).unwrap();
    for mode in [Mode::Fs, Mode::Files] {
        for follow_symlinks in [false, true] {
            let request = ListRequest { follow_symlinks, metadata: true, ..ask(mode, ".") };
            check(&tree, &request, Right::rows(&["f", "p?", "s?"]));
        }
    }
    check_error(&tree, &ask(Mode::Fs, "p"), "not_directory");
}

#[test]
fn what_a_repository_names_and_nobody_may_look_at_is_unknown_and_told() {
    let name = "what_a_repository_names_and_nobody_may_look_at_is_unknown_and_told";
    if !as_ordinary_user(module_path!(), name) || !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().files(["a", "shut/b", "z"]).commit("one").build();
    let shut = tree.path().join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    for depth in [None, Some(9)] {
        let request = ListRequest { metadata: true, depth, ..ask(Mode::Vcs, ".") };
        let page = whole(&lister(tree.path()), &request);
        assert_eq!(paths(&page), ["a", "shut/b", "z"]);
        let on_disk = page.entries.iter().map(|entry| entry.vcs.unwrap().on_disk.unwrap());
        let expected = [OnDisk::Present, OnDisk::Unknown, OnDisk::Present];
        assert_eq!(on_disk.collect::<Vec<_>>(), expected);
        let warned = page.warnings.iter().map(|told| (&*told.path, told.code.name(), told.gap));
        assert_eq!(warned.collect::<Vec<_>>(), [("shut/b", "metadata_unreadable", false)]);
        assert!(page.complete, "no name is missing");
    }
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_repository_that_cannot_be_read_says_which_part() {
    let name = "a_repository_that_cannot_be_read_says_which_part";
    if !as_ordinary_user(module_path!(), name) || !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().files(["a"]).commit("one").build();
    for (part, named) in [(".git/objects", "objects"), (".git/refs", "refs"), (".git", ".git")] {
        let shut = tree.path().join(part);
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
        let request = ask(Mode::Vcs, ".");
        let error = lister(tree.path()).list(&request, &Cancel::new()).unwrap_err().to_string();
        assert!(error.contains(&format!("`{named}`")) && error.contains("EACCES"), "{error}");
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
