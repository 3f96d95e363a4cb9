//! Mode `vcs` from the command line.

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new()
        .files(["kept", "gone/a", "gone/b", "sub/c"])
        .repo()
        .commit("one")
        .remove("gone")
        .file("new", "")
        .build()
}

#[test]
fn tracked_names_are_listed() {
    assert_snapshot!(trilist(&tree()).args(["-m", "vcs", "-1"]).ok(), @r"
    gone/a
    gone/b
    kept
    sub/c
    ");
}

#[test]
fn a_directory_that_is_gone_from_disk_still_has_tracked_names() {
    let words = ["-m", "vcs", "-1", "../gone"];
    assert_snapshot!(trilist(&tree()).in_dir("sub").args(words).ok(), @r"
    a
    b
    ");
    assert_snapshot!(trilist(&tree()).args(["-m", "vcs", "gon"]).exits(4), @r"
    --- standard error
    not_found: there is no `gon` in /repo
    ");
}

#[test]
fn outside_a_repository() {
    let tree = TreeBuilder::new().file("a", "").build();
    assert_snapshot!(trilist(&tree).args(["-m", "vcs"]).exits(8), @r"
    --- standard error
    not_a_repository: `/repo` is not in a git repository. Mode `files` lists it.
    ");
    let answer = trilist(&tree).args(["-m", "vcs", "--json"]).exits(8);
    assert_eq!(answer.json()["error"]["code"], "not_a_repository");
}

#[test]
fn the_whole_repository_can_be_listed_from_below() {
    let reply = trilist(&tree()).in_dir("sub").args(["-m", "vcs", "--no-subtree", "--json"]).ok();
    assert_eq!(reply.json()["returned"], 4);
    assert_eq!(reply.json()["path"], ".");
}
