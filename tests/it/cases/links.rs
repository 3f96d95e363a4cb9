//! Links: dangling, to files, to directories, in circles.

use trilist::{ListRequest, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{Right, ask, check};

#[test]
fn sym01_dangling_links_are_entries() {
    let tree = TreeBuilder::new().symlink("broken", "missing/target").file("real.txt", "").build();
    for mode in [Mode::Fs, Mode::Files] {
        check(&tree, &ask(mode, "."), Right::rows(&["broken@", "real.txt"]));
        let followed = ListRequest { follow_symlinks: true, ..ask(mode, ".") };
        let told = ["link_unresolved broken"];
        check(&tree, &followed, Right::rows(&["broken@", "real.txt"]).warned(&told));
        let first = ListRequest { limit: Some(1), metadata: true, ..ask(mode, ".") };
        let page = crate::harness::page(&crate::harness::lister(tree.path()), &first);
        assert!(page.truncated);
        assert_eq!(page.entries[0].target.as_deref(), Some("missing/target"));
        assert_eq!(page.entries[0].size, Some(14));
    }
}

fn repo_with_links() -> Tree {
    TreeBuilder::new()
        .repo()
        .file("real/f", "")
        .symlink("ld", "real")
        .symlink("lf", "real/f")
        .commit("one")
        .build()
}

#[test]
fn sym02_a_link_is_neither_file_nor_directory() {
    let tree = repo_with_links();
    let deep = ListRequest { depth: Some(3), ..ask(Mode::Fs, ".") };
    check(&tree, &deep, Right::rows(&[".git/ protected", "ld@", "lf@", "real/", "real/f"]));
    check(
        &tree,
        &ask(Mode::Files, "."),
        Right::rows(&["ld@", "lf@", "real/f"]).omitted(&["protected 1: .git/"]),
    );
    check(&tree, &ask(Mode::Vcs, "."), Right::rows(&["ld@", "lf@", "real/f"]));
}

fn circle() -> Tree {
    TreeBuilder::new()
        .files(["a/f", "b/g"])
        .symlink("a/tob", "../b")
        .symlink("b/toa", "../a")
        .symlink("self", ".")
        .build()
}

#[test]
fn sym03_circles_are_not_entered() {
    let deep = ListRequest { depth: Some(50), ..ask(Mode::Fs, ".") };
    let tree = circle();
    check(&tree, &deep, Right::rows(&["a/", "a/f", "a/tob@", "b/", "b/g", "b/toa@", "self@"]));
    check(&tree, &ask(Mode::Files, "."), Right::rows(&["a/f", "a/tob@", "b/g", "b/toa@", "self@"]));
}

#[test]
fn sym03_followed_circles_end_with_a_notice_each() {
    let tree = circle();
    // `b` is entered where it is met first, which is through the link.
    let deep = ListRequest { depth: Some(50), follow_symlinks: true, ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &deep,
        Right::rows(&[
            "a/",
            "a/f",
            "a/tob@",
            "a/tob/g",
            "a/tob/toa@ loop",
            "b/ loop",
            "self@ loop",
        ])
        .warned(&["link_loop a/tob/toa", "link_loop b", "link_loop self"]),
    );
}

#[test]
fn sym03_followed_circles_in_mode_files_list_each_file_once_and_always_the_same() {
    let tree = circle();
    let request = ListRequest { follow_symlinks: true, ..ask(Mode::Files, ".") };
    let told = ["link_loop a/tob/toa", "link_loop b", "link_loop self"];
    let right = ["a/f", "a/tob@", "a/tob/g", "a/tob/toa@ loop", "b/ loop", "self@ loop"];
    check(&tree, &request, Right::rows(&right).warned(&told));
    let lister = crate::harness::lister(tree.path());
    let first = crate::harness::whole(&lister, &request);
    assert_eq!(crate::harness::whole(&lister, &request), first);
}

#[test]
fn a_followed_link_to_what_is_ignored_or_outside_is_a_row() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "out/\n")
        .files(["out/x", "real/f"])
        .symlink("to-ignored", "out")
        .symlink("to-outside", "../elsewhere")
        .symlink("to-real", "real")
        .build();
    std::fs::create_dir(tree.outside().join("elsewhere")).unwrap();
    let request =
        ListRequest { follow_symlinks: true, include_hidden: Some(false), ..ask(Mode::Files, ".") };
    // Rules are about paths: what is reached by another one is not ignored there.
    check(
        &tree,
        &request,
        Right::rows(&["real/f", "to-ignored@", "to-ignored/x", "to-outside@", "to-real@ loop"])
            .omitted(&["protected 1: .git/", "hidden 1: .gitignore", "ignored 1: out/"])
            .warned(&["link_unresolved to-outside", "link_loop to-real"]),
    );
}

#[test]
fn a_followed_link_does_not_lead_into_protected_state() {
    let tree = TreeBuilder::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .symlink("way-in", ".git")
        .symlink("far", "way-in")
        .file("sub/real/config", "")
        .symlink("sub/.git", "real")
        .build();
    let deep = ListRequest { depth: Some(9), follow_symlinks: true, ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &deep,
        Right::rows(&[
            ".git/ protected",
            "far@ protected",
            "sub/",
            "sub/.git@ protected",
            "sub/real/",
            "sub/real/config",
            "way-in@ protected",
        ]),
    );
    // Named in the path it is listed.
    let inside = ListRequest { follow_symlinks: true, ..ask(Mode::Fs, ".git") };
    check(&tree, &inside, Right::rows(&["HEAD"]));
    check(&tree, &ask(Mode::Fs, "way-in"), Right::rows(&["HEAD"]));
}
