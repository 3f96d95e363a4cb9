//! Mount points and file systems that the kernel makes up.

use std::process::Command;

use trilist::{ListRequest, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::again::{alone, may_mount};
use crate::harness::{Right, ask, check, everything, lister, rows, warned, whole};

const OWN_MOUNTS: &str = "exec unshare -m \"$0\" --exact \"$1\" --nocapture;";

fn mount(tree: &Tree, words: &[&str], at: &str) {
    let done = Command::new("mount").args(words).arg(tree.join(at)).status().unwrap();
    assert!(done.success(), "mount {words:?}");
}

#[test]
fn t27_mounts_are_shown_and_not_entered_when_asked() {
    if !may_mount()
        || !alone(module_path!(), "t27_mounts_are_shown_and_not_entered_when_asked", OWN_MOUNTS)
    {
        return;
    }
    let tree = TreeBuilder::new().files(["plain/x"]).dir("mnt").build();
    mount(&tree, &["-t", "tmpfs", "none"], "mnt");
    std::fs::write(tree.join("mnt/in"), "").unwrap();
    let right = ["mnt/ mount", "plain/", "plain/x"];
    let one = ListRequest { same_filesystem: true, ..everything(".") };
    check(&tree, &one, Right::rows(&right).warned(&["mount_skipped mnt"]));
    let files = ListRequest { same_filesystem: true, ..ask(Mode::Files, ".") };
    check(&tree, &files, Right::rows(&["mnt/ mount", "plain/x"]).warned(&["mount_skipped mnt"]));
    check(&tree, &everything("."), Right::rows(&["mnt/", "mnt/in", "plain/", "plain/x"]));
    // A mount that is named is listed.
    check(&tree, &ListRequest { same_filesystem: true, ..everything("mnt") }, Right::rows(&["in"]));
}

#[test]
fn t27_a_bind_mount_of_the_same_device() {
    if !may_mount() || !alone(module_path!(), "t27_a_bind_mount_of_the_same_device", OWN_MOUNTS) {
        return;
    }
    let tree = TreeBuilder::new().files(["plain/x"]).dir("bound").build();
    mount(&tree, &["--bind", tree.join("plain").to_str().unwrap()], "bound");
    let one = ListRequest { same_filesystem: true, ..everything(".") };
    let page = whole(&lister(tree.path()), &one);
    assert_eq!(rows(&page), ["bound/ mount", "plain/", "plain/x"]);
}

#[test]
fn t28_pseudo_file_systems_are_shown_and_not_entered() {
    if !may_mount()
        || !alone(module_path!(), "t28_pseudo_file_systems_are_shown_and_not_entered", OWN_MOUNTS)
    {
        return;
    }
    let tree = TreeBuilder::new().files(["a"]).dir("proc").dir("sys").build();
    mount(&tree, &["-t", "proc", "none"], "proc");
    mount(&tree, &["-t", "sysfs", "none"], "sys");
    let told = ["pseudo_fs_skipped proc", "pseudo_fs_skipped sys"];
    check(&tree, &everything("."), Right::rows(&["a", "proc/ mount", "sys/ mount"]).warned(&told));
    let page = whole(&lister(tree.path()), &ask(Mode::Files, "."));
    // Mode `files` draws directories from what is below them, so here the notes alone name them.
    assert_eq!(
        (rows(&page), warned(&page)),
        (vec!["a".to_owned()], told.map(str::to_owned).to_vec())
    );
    assert!(page.complete);
}
