//! What the program does to its host: it reads, and nothing else.

use std::process::Command;

use trilist_tests::{Answers, Fuse, FuseDir, Tree, TreeBuilder, require, skip};

use crate::support::{PROGRAM, trilist};

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a/b/c", "a/x", "z"])
        .file(".gitignore", "*.log\n")
        .file(".ignore", "[z-a\n")
        .symlink("l", "a")
        .commit("one")
        .build()
}

#[test]
fn t69_no_file_is_written_no_program_run_and_no_socket_opened() {
    if !require("strace") {
        return;
    }
    let tree = tree();
    let log = tree.outside().join("log");
    for words in [
        &["-m", "fs", "--hidden", "--metadata", "--follow", "-d", "9"][..],
        &["-m", "files", "--count", "--sort", "size"],
        &["-m", "vcs", "--metadata"],
        &["-m", "files", "-a", "--json"],
        &["-n", "1"],
        &["absent"],
        &["config"],
    ] {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-s", "300", "-o"]).arg(&log).arg(PROGRAM).args(words);
        strace.current_dir(tree.path()).env_clear().env("HOME", "/nonexistent");
        let code = strace.output().unwrap().status.code();
        assert!(matches!(code, Some(0 | 4)), "{words:?}: {code:?}");
        let text = std::fs::read_to_string(&log).unwrap();
        let calls = text.lines().filter_map(|line| Some(line.split_once(' ')?.1.trim_start()));
        let bad: Vec<&str> = calls.skip(1).filter(|call| changes_something(call)).collect();
        assert!(bad.is_empty(), "{words:?}: {bad:?}");
    }
}

/// Whether a line of strace is a call that this program has no use for.
fn changes_something(call: &str) -> bool {
    const NAMES: &[&str] = &[
        "execve",
        "execveat",
        "fork",
        "vfork",
        "socket",
        "connect",
        "bind",
        "listen",
        "mkdir",
        "mkdirat",
        "unlink",
        "unlinkat",
        "rmdir",
        "rename",
        "renameat",
        "renameat2",
        "link",
        "linkat",
        "symlink",
        "symlinkat",
        "truncate",
        "ftruncate",
        "chmod",
        "fchmod",
        "fchmodat",
        "chown",
        "lchown",
        "fchown",
        "fchownat",
        "utimensat",
        "mknod",
        "mknodat",
        "setxattr",
        "lsetxattr",
        "fsetxattr",
        "creat",
        "fallocate",
        "mount",
        "ptrace",
        "kill",
    ];
    const FLAGS: &[&str] = &["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"];
    let name = call.split('(').next().unwrap_or_default();
    let opens = name.starts_with("open") && FLAGS.iter().any(|flag| call.contains(flag));
    // Standard streams are what it writes to.
    let writes = matches!(name, "write" | "writev" | "pwrite64" | "sendto" | "sendmsg")
        && !["(1,", "(2,"].iter().any(|stream| call[name.len()..].starts_with(stream));
    NAMES.contains(&name) || opens || writes
}

#[test]
fn t69_a_cursor_outlives_the_process_that_made_it() {
    let tree = tree();
    let first = trilist(&tree).args(["-m", "vcs", "-n", "1", "--json"]).ok().json();
    let cursor = first["next_cursor"].as_str().unwrap();
    let next = trilist(&tree).args(["--json", "--cursor", cursor]).ok().json();
    assert_eq!(
        (&first["entries"][0]["path"], &next["entries"][0]["path"]),
        (&".gitignore".into(), &".ignore".into())
    );
}

#[test]
fn t24_a_directory_that_never_answers_ends_the_page_in_time() {
    let tree = Tree::empty();
    let dirs = vec![
        FuseDir::new("a", &["1"]),
        FuseDir::new("m", &["never"]).answers(Answers::Never),
        FuseDir::new("z", &["2"]),
    ];
    let fuse = match Fuse::mount(&tree.join("served"), dirs) {
        Ok(fuse) => fuse,
        Err(reason) if rustix::process::geteuid().is_root() => return skip(&reason),
        Err(_) => return,
    };
    // It never ends by itself: the kernel lets no process go whose question was taken. What it says
    // is there all the same, and its streams have come to their end.
    for (words, right) in [
        (&["--timeout", "2s", "-d", "5", "-1"][..], "served/\nserved/a/\nserved/a/1\nserved/m/\n"),
        (&["--timeout", "2s", "-m", "files", "-1"], "served/a/1\n"),
    ] {
        let mut run = trilist(&tree).args(words);
        let command = run.command().stdout(std::process::Stdio::piped());
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        assert_eq!(std::io::read_to_string(stdout).unwrap(), right, "{words:?}");
        let told = std::io::read_to_string(stderr).unwrap();
        assert!(told.contains("Warning: served/m: timeout: "), "{told}");
        assert!(told.contains("CUT by the deadline"), "{told}");
        drop(child);
    }
    fuse.abort();
}

#[test]
fn t24_every_verb_ends_in_time_where_a_directory_never_answers() {
    let tree = Tree::empty();
    let dirs = vec![FuseDir::new("m", &["never"]).answers(Answers::Never)];
    let fuse = match Fuse::mount(&tree.join("served"), dirs) {
        Ok(fuse) => fuse,
        Err(reason) if rustix::process::geteuid().is_root() => return skip(&reason),
        Err(_) => return,
    };
    for words in [
        &["compare", "--timeout", "1s"][..],
        &["compare", "--html", "--timeout", "1s"],
        &["explain", "served/m/never", "--timeout", "1s"],
        &["--view", "overview", "--timeout", "1s"],
        &["-a", "-d", "5", "--timeout", "1s"],
    ] {
        let mut run = trilist(&tree).args(words);
        let command = run.command().stdout(std::process::Stdio::piped());
        let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let _ = std::io::read_to_string(stdout).unwrap();
        let told = std::io::read_to_string(stderr).unwrap();
        assert!(told.contains("timeout: nothing could be listed before the deadline"), "{told}");
        drop(child);
    }
    fuse.abort();
}
