//! Requested paths: spellings, neighbours, several roots, absent ones.

use std::fs;

use trilist::{Cancel, ListRequest, Lister, Mode, OpenError, PathArg, Policy, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{ask, check_error, lister, page, paths};

/// A request for a path that need not be text.
fn at(mode: Mode, path: impl AsRef<std::ffi::OsStr>) -> ListRequest {
    use std::os::unix::ffi::OsStrExt;
    let path = PathArg::from(path.as_ref().as_bytes().to_vec());
    ListRequest { path, ..ask(mode, ".") }
}

#[test]
fn path01_neighbours_and_dots() {
    let tree = TreeBuilder::new().files(["project/src/a", "project-evil/x"]).build();
    let lister = lister(&tree.join("project"));
    let evil = tree.join("project-evil");
    for mode in [Mode::Fs, Mode::Files] {
        for path in [evil.to_str().unwrap(), "../project-evil", "src/../../project-evil", ".."] {
            let error = lister.list(&at(mode, path), &Cancel::new()).unwrap_err();
            assert_eq!(error.code(), "outside_root", "{path}");
            let reply = serde_json::to_string(&error.reply()).unwrap();
            assert!(!reply.contains("\"x\""), "{reply}");
        }
        let around = tree.join("project/../project/src");
        for path in ["src/../src", around.to_str().unwrap()] {
            assert_eq!(paths(&page(&lister, &at(mode, path))), ["a"], "{path}");
        }
    }
}

#[test]
fn path02_spellings_of_one_directory() {
    let tree = TreeBuilder::new().file("src/utils/u", "").build();
    let lister = lister(tree.path());
    let text = |mode, path: &str| render::text(&page(&lister, &at(mode, path)), View::Tree);
    for mode in [Mode::Fs, Mode::Files] {
        let same = |paths: &[&str]| {
            let texts: Vec<_> = paths.iter().map(|path| text(mode, path)).collect();
            assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{texts:?}");
        };
        let absolute = tree.path().to_str().unwrap();
        same(&[".", "./", "", absolute, &format!("{absolute}/"), "src/.."]);
        same(&["src", "src/", "src//", "./src", &format!("{absolute}/src/")]);
        same(&["src/utils", "./src//utils/", "src/./utils", "src/utils/../utils"]);
    }
}

#[test]
fn path03_not_there_and_not_a_directory() {
    let tree = TreeBuilder::new().file("src/main.rs", "").build();
    for mode in [Mode::Fs, Mode::Files] {
        let error = check_error(&tree, &at(mode, "src/main.rs"), "not_directory");
        assert_eq!(error.to_string(), "`src/main.rs` is a file, not a directory");
        check_error(&tree, &at(mode, "src/main.rs/x"), "not_directory");
        let error = check_error(&tree, &at(mode, "src/mian.rs"), "not_found");
        assert_eq!(error.hint().as_deref(), Some("Did you mean `main.rs`?"));
        let error = check_error(&tree, &at(mode, "scr/main"), "not_found");
        assert_eq!(
            error.to_string(),
            format!("there is no `scr/main` in {}", tree.path().display())
        );
        assert_eq!(error.hint().as_deref(), Some("Did you mean `src`?"));
    }
}

fn several_roots() -> Tree {
    TreeBuilder::new().files(["one/a", "private/t/x/f"]).symlink("t", "private/t").build()
}

#[test]
fn path04_several_roots() {
    let tree = several_roots();
    let roots = [tree.join("one"), tree.join("gone"), tree.join("t")];
    let lister = Lister::open(&roots, Policy::default()).unwrap();
    let available: Vec<_> = lister.roots().iter().map(|root| root.available).collect();
    assert_eq!(available, [true, false, true]);
    let list = |path| page(&lister, &at(Mode::Fs, tree.join(path)));
    assert_eq!(paths(&list("one")), ["a"]);
    assert_eq!(paths(&list("t/x")), ["f"]);
    assert_eq!(paths(&list("private/t/x")), ["f"]);
    assert_eq!(list("t/x").root, list("private/t/x").root);
    let gone = lister.list(&at(Mode::Fs, tree.join("gone")), &Cancel::new()).unwrap_err();
    assert_eq!(gone.code(), "io_error", "{gone}");
    assert!(gone.to_string().contains("is not available"), "{gone}");
    fs::create_dir(tree.join("gone")).unwrap();
    fs::write(tree.join("gone/late"), "").unwrap();
    assert_eq!(paths(&list("gone")), ["late"]);
}

#[test]
fn path04_a_root_that_disappears_is_unavailable_until_a_directory_is_there_again() {
    let tree = several_roots();
    let (root, away) = (tree.join("one"), tree.join("away"));
    let lister = Lister::open(std::slice::from_ref(&root), Policy::default()).unwrap();
    let list = |path| page(&lister, &ListRequest::new(Mode::Fs, path));
    let check_gone = || {
        assert!(!lister.roots()[0].available);
        let whole = root.to_str().unwrap();
        for (mode, path) in Mode::ALL.iter().flat_map(|mode| [(*mode, "."), (*mode, whole)]) {
            let gone = lister.list(&ListRequest::new(mode, path), &Cancel::new()).unwrap_err();
            assert_eq!(gone.code(), "io_error", "{gone}");
            assert!(gone.to_string().contains("is not available"), "{gone}");
        }
    };
    assert_eq!(paths(&list(".")), ["a"]);
    fs::rename(&root, &away).unwrap();
    check_gone();
    // A file is no root either.
    fs::write(&root, "").unwrap();
    check_gone();
    fs::remove_file(&root).unwrap();
    // Another directory is there, with other contents.
    fs::create_dir(&root).unwrap();
    assert!(lister.roots()[0].available);
    assert_eq!(paths(&list(".")), [""; 0]);
    fs::write(root.join("new"), "").unwrap();
    assert_eq!(paths(&list(".")), ["new"]);
    assert_eq!(paths(&list(root.to_str().unwrap())), ["new"]);
    // One that is removed, and the first one put back.
    fs::remove_dir_all(&root).unwrap();
    check_gone();
    fs::rename(&away, &root).unwrap();
    assert_eq!(paths(&list(".")), ["a"]);
}

#[test]
fn path04_no_usable_root_is_a_failure_at_start() {
    let tree = several_roots();
    let gone = [tree.join("gone"), tree.join("gone-too")];
    assert!(matches!(Lister::open(&gone, Policy::default()), Err(OpenError::NoneUsable { .. })));
    let none: [&str; 0] = [];
    assert!(matches!(Lister::open(&none, Policy::default()), Err(OpenError::NoRoot)));
    assert!(matches!(
        Lister::open(&["relative"], Policy::default()),
        Err(OpenError::Relative { .. })
    ));
}

#[test]
fn a_cursor_goes_on_in_its_own_root() {
    let tree = TreeBuilder::new().files(["one/a", "one/b", "two/a", "two/b"]).build();
    let roots = [tree.join("one"), tree.join("two")];
    let lister = Lister::open(&roots, Policy::default()).unwrap();
    let request = ListRequest { limit: Some(1), ..at(Mode::Fs, tree.join("two")) };
    let first = page(&lister, &request);
    let alone = ListRequest { cursor: first.next_cursor.clone(), ..ask(Mode::Fs, ".") };
    let next = page(&lister, &alone);
    assert_eq!((next.root.as_str(), paths(&next)), (first.root.as_str(), vec!["b"]));
    let other = Lister::open(&roots[..1], Policy::default()).unwrap();
    let error = other.list(&alone, &Cancel::new()).unwrap_err();
    assert_eq!(error.code(), "invalid_cursor");
    let elsewhere = ListRequest { cursor: first.next_cursor, ..at(Mode::Fs, tree.join("one")) };
    assert_eq!(lister.list(&elsewhere, &Cancel::new()).unwrap_err().code(), "invalid_cursor");
}

/// A clone that borrows its objects is listed if the host lists their place too.
#[test]
fn a_repository_may_borrow_from_another_root() {
    let tree = TreeBuilder::new()
        .git(&["init", "-q", "origin"])
        .file("origin/a/b", "")
        .git_in("origin", &["add", "-A"])
        .git_in("origin", &["commit", "-q", "-m", "one"])
        .git(&["clone", "-q", "--shared", "origin", "clone"])
        .remove("clone/.git/index")
        .build();
    let roots = [tree.join("clone"), tree.join("origin")];
    let both = Lister::open(&roots, Policy::default()).unwrap();
    assert_eq!(paths(&page(&both, &ask(Mode::Vcs, "."))), ["a/b"]);
    let alone = lister(&roots[0]).list(&ask(Mode::Vcs, "."), &Cancel::new()).unwrap_err();
    assert_eq!(alone.code(), "vcs_refused");
}
