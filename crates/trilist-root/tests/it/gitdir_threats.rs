//! Hostile git directories.

use std::fs;
use std::time::Instant;

use trilist_root::gitdir::{at, at_among, discover};

use crate::gitdir::{git, refusal, repository};
use crate::support::{Tree, WAYS, open, rel};

/// The outcome at `top`, in both ways the same, without delay and without an outside path.
fn outcome(tree: &Tree, top: &str) -> (&'static str, String) {
    let started = Instant::now();
    let [one, other] = WAYS.map(|way| refusal(at(&tree.root(way), rel(top))));
    assert!(started.elapsed().as_secs() < 1, "it waited");
    assert_eq!(one, other);
    for name in ["victim", "absent", "/tmp", "root"] {
        let reason = one.1.replace("outside the root", "");
        assert!(!reason.contains(name), "{reason}");
    }
    one
}

fn assert_outcome(tree: &Tree, top: &str, expected: &str, words: &str) {
    let (outcome, reason) = outcome(tree, top);
    assert_eq!(outcome, expected, "{reason}");
    assert!(reason.contains(words), "{reason}");
}

/// `victim` outside the root, with a linked worktree `victim-tree`.
fn victim() -> Tree {
    let tree = Tree::new();
    repository(&tree, "../victim");
    let dir = tree.outside.join("victim");
    git(&dir, &["worktree", "add", "-q", "../victim-tree", "-b", "side"]);
    tree.dirs(&["w"]);
    tree
}

#[test]
fn t50_forged_pointers() {
    let tree = victim();
    let out = tree.outside.to_str().expect("it is UTF-8").to_owned();
    let targets = [
        "../../victim/.git".to_owned(),
        "../../victim/.git/worktrees/victim-tree".to_owned(),
        "../../absent/.git".to_owned(),
        format!("{out}/victim/.git"),
        format!("{out}/victim/.git/worktrees/victim-tree"),
        format!("{out}/absent"),
        "/".to_owned(),
        "/dev/null".to_owned(),
    ];
    let mut reasons = Vec::new();
    for target in targets {
        tree.file("w/.git", format!("gitdir: {target}\n"));
        let (refused, reason) = outcome(&tree, "w");
        assert_eq!(refused, "refused", "{target}: {reason}");
        reasons.push(reason);
    }
    reasons.dedup();
    assert_eq!(reasons.len(), 1, "what is outside cannot be told: {reasons:?}");
    // A root of the host is no outside.
    let place = format!("gitdir: {out}/victim/.git\n");
    tree.file("w/.git", place);
    let listed = open(&tree.outside.join("victim"), WAYS[0]);
    let root = tree.root(WAYS[0]);
    assert_eq!(refusal(at_among(&root, &[&listed], rel("w"))).0, "accepted");
}

#[test]
fn t50_a_hard_link_is_no_work_tree() {
    let tree = victim();
    let pointer = tree.outside.join("victim-tree/.git");
    fs::hard_link(pointer, tree.inside.join("w/.git")).expect("it is on one file system");
    assert_outcome(&tree, "w", "refused", "does not point back");
}

#[test]
fn t50_a_moved_work_tree_does_not_match() {
    let tree = victim();
    fs::rename(tree.outside.join("victim-tree"), tree.inside.join("moved")).expect("it moves");
    assert_outcome(&tree, "moved", "refused", "does not point back");
    // Git's own repair makes it whole.
    let victim = tree.outside.join("victim");
    let moved = tree.inside.join("moved");
    git(&victim, &["worktree", "repair", moved.to_str().expect("UTF-8")]);
    assert_outcome(&tree, "moved", "accepted", "Linked");
}

#[test]
fn t50_forged_commondir() {
    let tree = victim();
    let out = tree.outside.to_str().expect("it is UTF-8").to_owned();
    repository(&tree, "w");
    for target in ["../../../victim/.git", "../../../absent", &format!("{out}/victim/.git")] {
        tree.file("w/.git/commondir", target);
        assert_outcome(&tree, "w", "refused", "`commondir` leads outside");
    }
    // The name of a worktree that the victim does have.
    tree.file("p/.git", "gitdir: g/victim-tree");
    tree.file("p/g/victim-tree/HEAD", "ref: refs/heads/main\n");
    tree.file("p/g/victim-tree/commondir", format!("{out}/victim/.git"));
    assert_outcome(&tree, "p", "refused", "`commondir` leads outside");
    tree.file("w/.git/commondir", "nothing");
    assert_outcome(&tree, "w", "invalid", "does not exist");
}

#[test]
fn t50_worktree_setting_that_leads_away() {
    let tree = victim();
    repository(&tree, "w");
    let dir = tree.inside.join("w");
    for target in ["/etc", "../../../victim", "../..", "/absent"] {
        git(&dir, &["config", "core.worktree", target]);
        assert_outcome(&tree, "w", "refused", "`core.worktree` names another");
    }
    git(&dir, &["config", "core.worktree", ".."]);
    assert_outcome(&tree, "w", "accepted", "Plain");
}

#[test]
fn t50_alternates() {
    let tree = victim();
    repository(&tree, "w");
    repository(&tree, "store");
    let file = "w/.git/objects/info/alternates";
    for (text, expected) in [
        ("../../../store/.git/objects\n", "accepted"),
        ("# nothing\n\n\"../../../store/.git/objects\"\n", "accepted"),
        ("../../../gone/objects\n", "accepted"),
        ("../../../../victim/.git/objects\n", "refused"),
        ("../../../store/.git/objects\n/absent/objects\n", "refused"),
    ] {
        tree.file(file, text);
        assert_outcome(&tree, "w", expected, "");
    }
    // An accepted store that itself leads out, two that name each other, and too many in a row.
    tree.file(file, "../../../store/.git/objects\n");
    let next = "store/.git/objects/info/alternates";
    tree.file(next, "../../../../victim/.git/objects\n");
    assert_outcome(&tree, "w", "refused", "alternates");
    tree.file(next, "../../../w/.git/objects\n../../../w/.git/objects\n");
    assert_outcome(&tree, "w", "accepted", "");
    tree.file(next, "../../../s0\n");
    for at in 0..6 {
        tree.file(&format!("s{at}/info/alternates"), format!("../s{}\n", at + 1));
    }
    tree.file("s6/info/alternates", "");
    assert_outcome(&tree, "w", "refused", "too deeply");
    fs::remove_file(tree.inside.join(file)).expect("it is there");
    tree.link(file, "/etc/passwd");
    assert_outcome(&tree, "w", "refused", "link");
}

#[test]
fn t50_links_in_the_git_directory() {
    for name in ["HEAD", "config", "index", "objects", "refs", "objects/pack", "refs/heads"] {
        let tree = victim();
        repository(&tree, "w");
        let path = tree.inside.join("w/.git").join(name);
        fs::rename(&path, tree.outside.join("taken")).expect("it moves");
        let target = tree.outside.join("victim/.git").join(name);
        tree.link(&format!("w/.git/{name}"), target);
        assert_outcome(&tree, "w", "refused", "link");
    }
    let tree = victim();
    repository(&tree, "w");
    tree.link("w/.git/packed-refs", "/etc/passwd");
    assert_outcome(&tree, "w", "refused", "`packed-refs`");
}

#[test]
fn t51_strange_files() {
    for name in ["HEAD", "config", "index", "packed-refs", "commondir", "objects/info/alternates"] {
        let tree = Tree::new();
        repository(&tree, "w");
        let inner = format!("w/.git/{name}");
        let path = tree.inside.join(&inner);
        // It need not exist.
        let _ = fs::remove_file(&path);
        tree.fifo(&inner);
        assert_outcome(&tree, "w", "invalid", "");
        fs::remove_file(&path).expect("it is there");
        tree.dirs(&[&inner]);
        assert_outcome(&tree, "w", "invalid", "");
        fs::remove_dir(&path).expect("it is there");
        tree.sparse(&inner, 1 << 40);
        assert_outcome(&tree, "w", "invalid", "larger than");
        fs::remove_file(&path).expect("it is there");
        if tree.device(&inner) {
            assert_outcome(&tree, "w", "invalid", "");
        }
    }
    for name in ["objects", "refs"] {
        let tree = Tree::new();
        repository(&tree, "w");
        fs::remove_dir_all(tree.inside.join("w/.git").join(name)).expect("it is there");
        tree.fifo(&format!("w/.git/{name}"));
        assert_outcome(&tree, "w", "invalid", "");
    }
}

#[test]
fn t51_strange_pointers() {
    let tree = Tree::new();
    tree.dirs(&["w", "plain"]);
    let file = "w/.git";
    for (text, words) in [
        ("", "does not name"),
        ("gitdir: \n", "does not name"),
        ("gitdir:x", "does not name"),
        ("gitdir: a\0b", "does not name"),
        ("gitdir: ../gone", "does not exist"),
        ("gitdir: ../plain", "no git directory"),
        ("gitdir: .git", "does not exist"),
    ] {
        tree.file(file, text);
        assert_outcome(&tree, "w", "invalid", words);
    }
    tree.sparse(file, 1 << 40);
    assert_outcome(&tree, "w", "invalid", "larger than");
    fs::remove_file(tree.inside.join(file)).expect("it is there");
    tree.fifo(file);
    assert_outcome(&tree, "w", "invalid", "neither a directory nor a file");
    let (below, _) = refusal(discover(&tree.root(WAYS[0]), rel("w/deep")));
    assert_eq!(below, "invalid", "the nearest `.git` decides");
}

#[test]
fn t51_bad_configuration() {
    let tree = Tree::new();
    repository(&tree, "w");
    tree.file("w/.git/config", "[core]\nbare = \"\n");
    assert_outcome(&tree, "w", "invalid", "`config` has a mistake in line");
    tree.file("w/.git/config", "[include]\npath = /etc/passwd\n");
    assert_outcome(&tree, "w", "accepted", "Plain");
}
