//! Mode `vcs` from the command line.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder, require};

use crate::support::{PROGRAM, trilist};

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

#[test]
fn several_ignore_files_are_one() {
    let tree = TreeBuilder::new()
        .files(["a.log", "b.log", "c"])
        .file(".one", "*.log\n")
        .file(".two", "!b.log\n")
        .repo()
        .commit("one")
        .build();
    let words = ["-m", "vcs", "--no-hidden", "--aiderignore", ".one", "--aiderignore", ".two"];
    assert_snapshot!(trilist(&tree).args(words).ok(), @r"
    /repo  mode=vcs
    b.log
    c
    2 entries, complete. Left out: 2 hidden (.one, .two), 1 ignored (.one:1 `*.log` 1).
    ");
}

/// Everything by which a configuration can name a program.
const COMMANDS: [&str; 14] = [
    "core.fsmonitor",
    "core.sshCommand",
    "core.gitProxy",
    "core.pager",
    "core.editor",
    "core.askPass",
    "credential.helper",
    "diff.external",
    "diff.x.textconv",
    "filter.x.clean",
    "filter.x.smudge",
    "filter.x.process",
    "merge.x.driver",
    "uploadpack.packObjectsHook",
];

#[test]
fn t49_no_command_of_a_configuration_is_run() {
    if !require("strace") {
        return;
    }
    let script = "#!/bin/sh\ntouch \"$(dirname \"$0\")/marker\"\n";
    let tree = TreeBuilder::new()
        .file(".gitattributes", "* filter=x diff=x merge=x\n")
        .files(["a/b", "c"])
        .file("trap", script)
        .chmod("trap", 0o755)
        .repo()
        .commit("one")
        .build();
    let trap = tree.join("trap");
    let trap = trap.to_str().unwrap();
    // An object that a partial clone would have to fetch, by a command.
    let missing = String::from_utf8(tree.git(&["rev-parse", "HEAD:a"])).unwrap();
    let (dir, name) = missing.trim().split_at(2);
    fs::remove_file(tree.join(format!(".git/objects/{dir}/{name}"))).unwrap();
    let hooks = tree.join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in
        ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"]
    {
        fs::copy(tree.join("trap"), hooks.join(hook)).unwrap();
    }
    for key in COMMANDS {
        tree.git(&["config", key, trap]);
    }
    for (key, value) in [
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &format!("ext::{trap}")),
        ("alias.ls-files", &format!("!{trap}")),
    ] {
        tree.git(&["config", key, value]);
    }
    let log = tree.outside().join("log");
    for words in [["-m", "vcs"], ["-m", "files"], ["-m", "fs"]] {
        let status = Command::new("strace")
            .args(["-f", "-e", "trace=execve,execveat", "-o", log.to_str().unwrap()])
            .arg(PROGRAM)
            .args(words)
            .args(["--metadata", "--no-ignore", "--json"])
            .current_dir(tree.path())
            .output()
            .unwrap()
            .status;
        assert!(matches!(status.code(), Some(0 | 1)), "{words:?}: {status}");
        let log = fs::read_to_string(&log).unwrap();
        assert_eq!(log.matches("execve").count(), 1, "only the program itself: {log}");
    }
    let marks = [tree.join("marker"), hooks.join("marker")];
    assert!(marks.iter().all(|mark| !mark.exists()));
    // The trap would have left its mark.
    assert!(Command::new(trap).status().unwrap().success());
    assert!(marks[0].exists());
}
