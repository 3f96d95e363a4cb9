//! What a listing asks of the system, counted with strace.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::process::Command;

use trilist_tests::{Tree, TreeBuilder, require};

use crate::support::trilist;

/// The calls of a run that look at names, as strace writes them.
fn calls<S: AsRef<OsStr>>(tree: &Tree, args: &[S], home: &str) -> Vec<String> {
    let trace = tree.outside().join("trace");
    let program = trilist(tree).command().get_program().to_owned();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-s", "200", "-e", "signal=none", "-e"]);
    strace.arg("trace=open,openat,openat2,getdents64,read,pread64,stat,lstat,newfstatat,statx");
    strace.arg("-o").arg(&trace).arg(program).args(args);
    let output = strace.current_dir(tree.path()).env("HOME", home).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(trace).unwrap();
    // The thread that waits for signals calls none of these, so no line is torn.
    text.lines().filter_map(|line| Some(line.split_once(' ')?.1.trim_start().to_owned())).collect()
}

/// Those made by descriptor below the root: with a name that is not absolute, `.` or `..`.
fn below(calls: &[String]) -> Vec<&str> {
    let by_name = calls.iter().filter(|call| !call.contains("AT_FDCWD") && call.contains('"'));
    let named =
        by_name.filter(|call| !["\".\"", "\"..\"", "\"/"].iter().any(|no| call.contains(no)));
    named.filter(|call| !is_read(call)).map(String::as_str).collect()
}

fn is_read(call: &str) -> bool {
    call.starts_with("read(") || call.starts_with("pread64(")
}

fn name(call: &str) -> &str {
    call.split('"').nth(1).unwrap()
}

fn count<'a>(calls: impl IntoIterator<Item = &'a str>, of: &str) -> BTreeMap<&'a str, u32> {
    let mut counts = BTreeMap::new();
    for call in calls.into_iter().filter(|call| call.starts_with(of)) {
        *counts.entry(name(call)).or_default() += 1;
    }
    counts
}

#[test]
fn a_listing_opens_each_directory_once_and_each_ignore_file_that_is_there() {
    if !require("strace") {
        return;
    }
    let mut tree = TreeBuilder::new()
        .repo()
        .file(".git/info/exclude", "*.x\n")
        .file(".gitignore", "*.log\nskipped/\n")
        .file("dir00/.ignore", "*.tmp\n")
        .file("dir01/.gitignore", "*.bak\n")
        .file("dir01/.rgignore", "*.old\n")
        .files(["skipped/a", "node_modules/m", "dir01/a.log"]);
    for number in 0..20 {
        tree = tree
            .files([format!("dir{number:02}/file"), format!("dir{number:02}/sub{number:02}/file")]);
    }
    let tree = tree.build();
    let args = ["-m", "files", "--all", "-0", "--no-config"];
    let calls = calls(&tree, &args, "/nonexistent");
    let below = below(&calls);

    let opened = count(below.iter().copied().filter(|call| call.contains("O_DIRECTORY")), "openat");
    let dirs = (0..20).flat_map(|number| [format!("dir{number:02}"), format!("sub{number:02}")]);
    let mut right: Vec<String> = dirs.chain([".git".to_owned(), "info".to_owned()]).collect();
    right.sort();
    assert_eq!(opened.keys().copied().collect::<Vec<_>>(), right);
    assert!(opened.values().all(|times| *times == 1), "{opened:?}");

    // One reading gives the names, the next says that there are no more; the root is read too.
    let readings = calls.iter().filter(|call| call.starts_with("getdents64(")).count();
    assert_eq!(readings, 2 * 41);

    let files = count(below.iter().copied().filter(|call| !call.contains("O_DIRECTORY")), "openat");
    let right =
        [(".gitignore", 2), (".ignore", 1), (".rgignore", 1), ("config", 1), ("exclude", 1)];
    assert_eq!(files, BTreeMap::from(right));
    // Each is read at once, but for what the engine of ripgrep's files looks up once.
    let rules = ["*.log", "*.tmp", "*.bak", "*.old", "*.x"];
    for rule in rules {
        let reads = calls.iter().filter(|call| is_read(call) && call.contains(rule));
        assert_eq!(reads.count(), 1, "{rule}");
    }
    // Nothing is looked for that was not seen, except a repository's own two files.
    let looked: Vec<&str> = below
        .iter()
        .filter(|call| call.contains("stat"))
        .map(|call| name(call))
        // Without a name it is a descriptor's own state.
        .filter(|name| !["", ".git", ".ignore", ".rgignore"].contains(name))
        .collect();
    assert_eq!(looked, ["config", "exclude"]);
    // Those of a repository or an ignore file are looked for above the root alone.
    let above: Vec<&str> =
        calls.iter().filter(|call| call.contains("\"..\"")).map(String::as_str).collect();
    let by_name = below.iter().filter(|call| call.contains("stat") && !name(call).is_empty());
    let probes = by_name.count() - looked.len();
    assert!(probes <= 3 * above.len(), "{probes} {above:?}");
}

#[test]
fn t46_the_users_own_files_are_left_alone() {
    if !require("strace") {
        return;
    }
    let tree = TreeBuilder::new().repo().files(["a.log"]).build();
    let home = tree.outside().join("home");
    std::fs::create_dir_all(home.join(".config/git")).unwrap();
    std::fs::write(home.join(".config/git/ignore"), "*.log\n").unwrap();
    std::fs::write(home.join(".gitconfig"), "[user]\nname = x\n").unwrap();
    let touched = |more: &[&str]| {
        let args = [&["-m", "files", "--all", "-0"][..], more].concat();
        let calls = calls(&tree, &args, home.to_str().unwrap());
        let git = |call: &&String| call.contains("/.gitconfig") || call.contains("/.config/git/");
        calls.iter().filter(git).count()
    };
    assert_eq!(touched(&[]), 0);
    assert!(touched(&["--global-excludes"]) >= 3);
}
