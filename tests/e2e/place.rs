//! Which root a command line means.

use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new()
        .files(["repo/a/x", "repo/b/y", "plain/z"])
        .symlink("to-a", "repo/a")
        .git_in("repo", &["init", "-q"])
        .build()
}

#[track_caller]
fn means(words: &[&str], dir: &str, root: &str, path: &str) {
    let reply = trilist(&tree()).in_dir(dir).args(words).arg("--json").ok().json();
    assert_eq!(
        (&reply["root"], &reply["path"]),
        (&root.into(), &path.into()),
        "{words:?} in {dir}"
    );
}

#[test]
fn the_root_is_the_repository_around_the_path() {
    means(&[], "repo", "/repo/repo", ".");
    means(&[], "repo/a", "/repo/repo", "a");
    means(&["a"], "repo", "/repo/repo", "a");
    means(&["../b/"], "repo/a", "/repo/repo", "b");
    means(&["repo/a/.."], "", "/repo/repo", ".");
}

#[test]
fn elsewhere_it_is_the_directory_itself() {
    means(&[], "plain", "/repo/plain", ".");
    means(&["plain"], "", "/repo/plain", ".");
}

#[test]
fn links_are_the_callers_own_affair() {
    means(&["to-a"], "", "/repo/repo", "a");
}

#[test]
fn a_root_that_is_given_is_the_root() {
    means(&["--root", "."], "repo/a", "/repo/repo/a", ".");
    means(&["--root", "repo", "a"], "", "/repo/repo", "a");
    means(&["--root", "plain", "--root", "repo"], "", "/repo/plain", ".");
}

#[test]
fn a_working_directory_that_is_gone_is_said_so() {
    let tree = TreeBuilder::new().dir("gone").build();
    let mut run = trilist(&tree);
    let shell = format!("rmdir ../gone && exec {} -1", env!("CARGO_BIN_EXE_trilist"));
    *run.command() = std::process::Command::new("/bin/sh");
    run.command().args(["-c", &shell]);
    let answer = run.in_dir("gone").exits(6);
    assert!(answer.stderr.starts_with("io_error: cannot tell the working directory"), "{answer}");
}
