//! Links: dangling, to files, to directories, in circles.

use std::collections::BTreeSet;

use trilist::{ListRequest, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::forest::plant;
use crate::harness::{Right, ask, check, whole};
use crate::props::{RICH, for_forests, requests};

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
    // `b` is entered where it lies, not where it is met first.
    let deep = ListRequest { depth: Some(50), follow_symlinks: true, ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &deep,
        Right::rows(&["a/", "a/f", "a/tob@ loop", "b/", "b/g", "b/toa@ loop", "self@ loop"])
            .warned(&["link_loop a/tob", "link_loop b/toa", "link_loop self"]),
    );
}

#[test]
fn sym03_followed_circles_in_mode_files_list_each_file_once_and_always_the_same() {
    let tree = circle();
    let request = ListRequest { follow_symlinks: true, ..ask(Mode::Files, ".") };
    let told = ["link_loop a/tob", "link_loop b/toa", "link_loop self"];
    let right = ["a/f", "a/tob@ loop", "b/g", "b/toa@ loop", "self@ loop"];
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

#[test]
fn a_link_takes_nothing_away_from_the_directory_that_it_leads_to() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\n!/src/*.log\n/a/*\n")
        .files(["src/a.log", "src/b.rs"])
        .symlink("a", "src")
        .build();
    let request = ListRequest { follow_symlinks: true, ..ask(Mode::Files, ".") };
    // `rg --files --hidden -L` names .gitignore and both files in src.
    check(
        &tree,
        &request,
        Right::rows(&[".gitignore", "a@ loop", "src/a.log", "src/b.rs"])
            .omitted(&["protected 1: .git/"])
            .warned(&["link_loop a"]),
    );
}

#[test]
fn a_link_is_entered_if_its_target_is_not_entered_where_it_lies() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "build/\n")
        .files(["build/out/x", ".h/x", "node_modules/m/x", "d/e/f/x"])
        .symlink("a-builtin", "node_modules/m")
        .symlink("a-deep", "d/e/f")
        .symlink("a-hidden", ".h")
        .symlink("a-ignored", "build/out")
        .symlink("z-again", "build/out")
        .build();
    let request = ListRequest {
        follow_symlinks: true,
        include_hidden: Some(false),
        depth: Some(2),
        ..ask(Mode::Files, ".")
    };
    check(
        &tree,
        &request,
        Right::rows(&[
            "a-builtin@",
            "a-builtin/x",
            "a-deep@",
            "a-deep/x",
            "a-hidden@",
            "a-hidden/x",
            "a-ignored@",
            "a-ignored/x",
            "d/e/ depth",
            "node_modules/ builtin",
            "z-again@ loop",
        ])
        .omitted(&["protected 1: .git/", "hidden 2: .gitignore .h/", "ignored 1: build/"])
        .warned(&["link_loop z-again"]),
    );
}

#[test]
fn what_is_listed_without_following_is_listed_with_it() {
    for_forests(60, RICH, |forest| {
        let tree = plant(forest);
        let lister = crate::harness::lister(tree.path());
        for request in requests() {
            let listed = |follow_symlinks| {
                let page = whole(&lister, &ListRequest { follow_symlinks, ..request.clone() });
                page.entries.iter().map(|entry| entry.bytes().to_vec()).collect::<BTreeSet<_>>()
            };
            let (without, with) = (listed(false), listed(true));
            let lost: Vec<_> = without.difference(&with).collect();
            assert!(lost.is_empty(), "{lost:?} lost in {request:?}");
        }
    });
}
