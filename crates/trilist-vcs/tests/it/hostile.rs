//! Repositories made to trap their reader.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use trilist_core::{FaultCode, ListError, Query};
use trilist_tests::{Tree, TreeBuilder, git, require};

use crate::support::{below, faults, list, names, query};

fn repository() -> TreeBuilder {
    TreeBuilder::new().repo().files(["a/b", "c"]).commit("i")
}

/// Puts a pipe, a directory, and a file of a TiB of nothing in a file's place.
fn traps(path: &Path) -> [Box<dyn Fn() + '_>; 3] {
    let clear = move || {
        let _ = fs::remove_file(path);
        let _ = fs::remove_dir(path);
    };
    [
        Box::new(move || {
            clear();
            assert!(Command::new("mkfifo").arg(path).status().expect("it runs").success());
        }),
        Box::new(move || {
            clear();
            fs::create_dir(path).expect("made");
        }),
        Box::new(move || {
            clear();
            File::create(path).expect("made").set_len(1 << 40).expect("a sparse file");
        }),
    ]
}

#[test]
fn t51_strange_files_of_git_end_at_once() {
    if !require("git") {
        return;
    }
    for name in ["HEAD", "config", "index", "packed-refs", "refs/heads/main", "commondir"] {
        let tree = repository().build();
        let branch = git(tree.path(), &["symbolic-ref", "HEAD"]);
        let branch = String::from_utf8(branch).expect("UTF-8");
        let name = if name.starts_with("refs") { branch.trim() } else { name };
        let path = tree.path().join(".git").join(name);
        for (number, trap) in traps(&path).iter().enumerate() {
            trap();
            let start = Instant::now();
            let result = list(tree.path(), &query());
            assert!(start.elapsed() < Duration::from_secs(1), "{name}, trap {number}");
            match result {
                // An empty directory in a branch's place is what git leaves behind itself.
                Ok(told) if number == 1 => assert_eq!(names(&told), ["a/b", "c"]),
                Err(ListError::VcsInvalid { .. } | ListError::NotARepository { .. }) => {}
                other => panic!("{name}, trap {number}: {other:?}"),
            }
        }
    }
}

#[test]
fn t51_a_pipe_in_an_objects_place_is_a_gap() {
    if !require("git") {
        return;
    }
    let tree = repository().build();
    let id = String::from_utf8(git(tree.path(), &["rev-parse", "HEAD:a"])).expect("hexadecimal");
    let (first, rest) = id.trim().split_at(2);
    let path = tree.path().join(".git/objects").join(first).join(rest);
    for trap in traps(&path) {
        trap();
        let start = Instant::now();
        let told = list(tree.path(), &Query { want: Some(9), ..query() }).expect("it is listed");
        assert!(start.elapsed() < Duration::from_secs(1));
        assert_eq!(names(&told), ["a/b", "c"]);
        assert_eq!(faults(&told), [(FaultCode::VcsObjectInvalid, true)]);
    }
}

#[test]
fn t55_references() {
    if !require("git") {
        return;
    }
    let invalid = |tree: &Tree, head: &str| {
        fs::write(tree.path().join(".git/HEAD"), head).expect("written");
        let result = list(tree.path(), &query());
        assert!(matches!(result, Err(ListError::VcsInvalid { .. })), "{head:?}: {result:?}");
    };
    let tree = repository().build();
    let missing = "0123456789012345678901234567890123456789\n";
    for head in ["ref: HEAD\n", "ref: ../../x\n", "ref: refs/heads/../x\n", "nonsense", "", missing]
    {
        invalid(&tree, head);
    }
    let loops = tree.path().join(".git/refs/heads/loop");
    fs::write(&loops, "ref: refs/heads/loop\n").expect("written");
    invalid(&tree, "ref: refs/heads/loop\n");
    // The id of something that is no commit.
    fs::remove_file(&loops).expect("removed");
    let blob = String::from_utf8(git(tree.path(), &["hash-object", "-w", "c"])).expect("hex");
    invalid(&tree, &blob);
    // A branch that is not born leaves the index.
    fs::write(tree.path().join(".git/HEAD"), "ref: refs/heads/new\n").expect("written");
    assert_eq!(names(&list(tree.path(), &query()).expect("listed")), ["a/b", "c"]);
}

#[test]
fn t56_a_bare_repository_inside_another_is_not_discovered() {
    if !require("git") {
        return;
    }
    // Its configuration is somebody else's, and so is its HEAD.
    let tree = repository().git(&["init", "-q", "--bare", "a/x"]).build();
    fs::write(tree.path().join("a/x/HEAD"), "nonsense").expect("written");
    for base in ["", "a", "a/x", "a/x/refs"] {
        let told = list(tree.path(), &below(base)).expect("listed by the outer repository");
        let right: &[&str] = match base {
            "" => &["a/b", "c"],
            "a" => &["b"],
            _ => &[],
        };
        assert_eq!(names(&told), right, "{base}");
    }
}

#[test]
fn t57_another_owner_changes_nothing() {
    if !require("git") {
        return;
    }
    let tree = repository().file("n", "").git(&["add", "n"]).build();
    let before = list(tree.path(), &query()).expect("listed");
    tree.hand_over();
    assert_eq!(list(tree.path(), &query()).expect("listed"), before);
    assert_eq!(names(&before), ["a/b", "c", "n"]);
}

/// Runs another test of this program in an environment that would lead git elsewhere.
#[test]
fn t57_the_environment_has_no_say() {
    if !require("git") {
        return;
    }
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args(["--exact", "listing::a_name_that_is_no_directory_says_so"])
        .envs([
            ("GIT_DIR", "/nowhere"),
            ("GIT_WORK_TREE", "/nowhere"),
            ("GIT_INDEX_FILE", "/nowhere"),
            ("GIT_OBJECT_DIRECTORY", "/nowhere"),
            ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "/nowhere"),
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "core.bare"),
            ("GIT_CONFIG_VALUE_0", "true"),
        ])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn t52_names_in_trees_that_must_not_be_there_are_dropped() {
    if !require("git") {
        return;
    }
    let tree = repository().build();
    let dir = tree.path();
    let blob = String::from_utf8(git(dir, &["rev-parse", "HEAD:c"])).expect("hexadecimal");
    let blob: Vec<u8> = (0..20)
        .map(|at| u8::from_str_radix(&blob[at * 2..at * 2 + 2], 16).expect("hexadecimal"))
        .collect();
    let mut raw = Vec::new();
    for name in [&b"../x"[..], b"..", b".git", b"a", b"a", b"z", b"b", b"zz"] {
        raw.extend([b"100644 ", name, b"\0", &blob].concat());
    }
    let args = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    let id = crate::support::git_with_input(dir, &args, &raw);
    let commit = git(dir, &["commit-tree", "-m", "odd", &id]);
    let commit = String::from_utf8(commit).expect("hexadecimal");
    git(dir, &["update-ref", "HEAD", commit.trim()]);
    fs::remove_file(dir.join(".git/index")).expect("removed");
    let told = list(dir, &query()).expect("it is listed");
    assert_eq!(names(&told), ["a", "z", "zz"]);
    assert_eq!(faults(&told), [(FaultCode::VcsEntryInvalid, true); 5]);
}
