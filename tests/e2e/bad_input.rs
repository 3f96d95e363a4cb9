//! Each kind of bad input: its code, its message and its exit status.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{trilist, trilist_unprivileged};

fn tree() -> Tree {
    TreeBuilder::new().files(["README.md", "src/main.rs", "scripts/run"]).repo().build()
}

/// Two folders of which one's name starts with the other's, and links from one to the other.
fn neighbours() -> Tree {
    TreeBuilder::new()
        .files(["a/x", "ab/y"])
        .symlink("a/out", "../ab")
        .symlink("a/in", "sub")
        .dir("a/sub")
        .build()
}

#[test]
fn a_missing_path() {
    assert_snapshot!(trilist(&tree()).arg("scr").exits(4), @"
    --- standard error
    not_found: there is no `scr` in /repo. Did you mean `src` or `scripts`?
    ");
    assert_snapshot!(trilist(&tree()).args(["--root", ".", "src/man.rs/x"]).exits(4), @"
    --- standard error
    not_found: there is no `src/man.rs/x` in /repo/src. Did you mean `main.rs`?
    ");
    assert_snapshot!(trilist(&tree()).arg("src/lib/deep").exits(4), @"
    --- standard error
    not_found: there is no `src/lib/deep` in /repo/src
    ");
    assert_snapshot!(trilist(&tree()).arg("~/x").exits(4), @"
    --- standard error
    not_found: there is no `~/x` in /repo. `~` is taken as a name here.
    ");
    assert_snapshot!(trilist(&tree()).args(["--json", "scr"]).exits(4), @r#"{"error":{"code":"not_found","message":"there is no `scr` in /repo","hint":"Did you mean `src` or `scripts`?"}}"#);
}

#[test]
fn a_missing_root() {
    assert_snapshot!(trilist(&tree()).args(["--root", "scr"]).exits(4), @"
    --- standard error
    not_found: no root can be opened: `/repo/scr`: No such file or directory (os error 2)
    ");
    assert_snapshot!(trilist(&tree()).args(["--root", "README.md"]).exits(4), @"
    --- standard error
    not_directory: no root can be opened: `/repo/README.md`: Not a directory (os error 20)
    ");
}

#[test]
fn a_file_instead_of_a_directory() {
    assert_snapshot!(trilist(&tree()).arg("src/main.rs").exits(4), @"
    --- standard error
    not_directory: `src/main.rs` is a file, not a directory. List /repo/src instead.
    ");
    assert_snapshot!(trilist(&tree()).arg("src/main.rs/x").exits(4), @"
    --- standard error
    not_directory: `src/main.rs/x` is a file, not a directory. List /repo/src instead.
    ");
    assert_snapshot!(trilist(&tree()).arg("src/main.rs/").exits(4), @"
    --- standard error
    not_directory: `src/main.rs/` is a file, not a directory. List /repo/src instead.
    ");
}

#[test]
fn outside_the_root_by_dots() {
    assert_snapshot!(trilist(&neighbours()).args(["--root", "a", ".."]).exits(3), @"
    --- standard error
    outside_root: `..` leads outside the root. Give a path that stays below the root, also through links.
    ");
    assert_snapshot!(trilist(&neighbours()).args(["--root", "a", "sub/../../ab"]).exits(3), @"
    --- standard error
    outside_root: `sub/../../ab` leads outside the root. Give a path that stays below the root, also through links.
    ");
}

#[test]
fn outside_the_root_by_link() {
    assert_snapshot!(trilist(&neighbours()).args(["--root", "a", "out"]).exits(3), @"
    --- standard error
    outside_root: `out` leads outside the root. Give a path that stays below the root, also through links.
    ");
    assert_snapshot!(trilist(&neighbours()).args(["--root", "a", "in"]).ok(), @"
    /repo/a/sub  mode=fs depth=2
    0 entries, complete: the directory is empty. Left out: nothing.
    ");
}

#[test]
fn outside_the_root_by_prefix() {
    let tree = neighbours();
    assert_snapshot!(trilist(&tree).args(["--root", "a"]).arg(tree.join("ab")).exits(3), @"
    --- standard error
    outside_root: `/repo/ab` leads outside the root. Give a path that stays below the root, also through links.
    ");
}

#[test]
fn offsets_and_limits_out_of_bounds() {
    assert_snapshot!(trilist(&tree()).args(["--offset", "0"]).exits(2), @"
    --- standard error
    invalid_argument: `--offset` is 0; offsets count from 1
    ");
    assert_snapshot!(trilist(&tree()).args(["--offset", "9"]).exits(2), @"
    --- standard error
    offset_out_of_range: `--offset` is 9, but the listing has 6 entries. Give an offset from 1 to 6.
    ");
    assert_snapshot!(trilist(&tree()).args(["--limit", "0"]).exits(2), @"
    --- standard error
    invalid_argument: `--limit` is 0; it must be from 1 to 1,000
    ");
    assert_snapshot!(trilist(&tree()).args(["-n", "1001"]).exits(2), @"
    --- standard error
    invalid_argument: `--limit` is 1001; it must be from 1 to 1,000
    ");
    assert_snapshot!(trilist(&tree()).args(["-n", "4294967296"]).exits(2), @"
    --- standard error
    invalid_argument: invalid value '4294967296' for '--limit <N>': it must be a whole number from 1 to 1,000

    For more information, try '--help'.
    ");
    assert_snapshot!(trilist(&tree()).args(["--offset", "-1"]).exits(2), @"
    --- standard error
    invalid_argument: invalid value '-1' for '--offset <N>': it must be a whole number of at least 1

    For more information, try '--help'.
    ");
    assert_snapshot!(trilist(&tree()).args(["-d", "0"]).exits(2), @"
    --- standard error
    invalid_argument: `--depth` is 0; it must be from 1 to 4,096
    ");
    assert_snapshot!(trilist(&tree()).args(["--timeout", "61s"]).exits(2), @"
    --- standard error
    invalid_argument: `--timeout` is 61s; it must be from 1ms to 1m
    ");
    assert_snapshot!(trilist(&tree()).args(["--timeout", "soon"]).exits(2), @"
    --- standard error
    invalid_argument: invalid value 'soon' for '--timeout <TIME>': write 500ms, 10s or 1m

    For more information, try '--help'.
    ");
}

#[test]
fn an_unknown_mode() {
    assert_snapshot!(trilist(&tree()).args(["-m", "file"]).exits(2), @"
    --- standard error
    invalid_argument: invalid value 'file' for '--mode <MODE>'
      [possible values: fs, files, vcs]

      tip: a similar value exists: 'files'

    For more information, try '--help'.
    ");
    assert_snapshot!(trilist(&tree()).args(["-m", "file", "--json"]).exits(2), @r#"{"error":{"code":"invalid_argument","message":"invalid value 'file' for '--mode <MODE>' [possible values: fs, files, vcs]","hint":"tip: a similar value exists: 'files' For more information, try '--help'."}}"#);
}

#[test]
fn a_kind_that_a_mode_does_not_have() {
    assert_snapshot!(trilist(&tree()).args(["-m", "files", "-t", "dir"]).exits(2), @"
    --- standard error
    invalid_argument: `--type` is `dir`; mode `files` lists files, not directories; use mode `fs` for `dir`, with the git layer on if need be
    ");
    for mode in ["fs", "files"] {
        let answer = trilist(&tree()).args(["-m", mode, "-t", "file,submodule"]).exits(2);
        let told =
            format!("invalid_argument: `--type` is `submodule`; mode `{mode}` lists what is ");
        assert!(answer.stderr.starts_with(&told), "{answer}");
    }
}

#[test]
fn an_unreadable_subdirectory_is_a_gap() {
    let tree = TreeBuilder::new()
        .files(["a", "locked/x", "z/y"])
        .chmod("locked", 0)
        .unprivileged()
        .build();
    assert_snapshot!(trilist_unprivileged(&tree).exits(1), @"
    /repo  mode=fs depth=2
    a
    locked/ [unreadable]
    z/
      y
    4 entries, INCOMPLETE: what the warnings name may be missing. Left out: nothing.
    Warning: locked: permission_denied: EACCES (entries may be missing)
    ");
    assert_snapshot!(trilist_unprivileged(&tree).args(["--all", "-1"]).exits(1), @"
    a
    locked/
    z/
    z/y
    --- standard error
    4 entries, INCOMPLETE: what the warnings name may be missing. Left out: nothing.
    Warning: locked: permission_denied: EACCES (entries may be missing)
    ");
    assert_snapshot!(trilist_unprivileged(&tree).arg("locked").exits(5), @"
    --- standard error
    permission_denied: no permission to read `/repo/locked`
    ");
}

#[test]
fn a_name_that_is_not_utf8() {
    let tree = TreeBuilder::new().file(b"caf\xe9/menu", "").build();
    assert_snapshot!(trilist(&tree).ok(), @r#"
    /repo  mode=fs depth=2
    "caf\351"/
      menu
    2 entries, complete. Left out: nothing.
    "#);
    assert_snapshot!(trilist(&tree).arg(OsStr::from_bytes(b"caf\xe9")).ok(), @r#"
    "/repo/caf\351"  mode=fs depth=2
    menu
    1 entry, complete. Left out: nothing.
    "#);
    assert_snapshot!(trilist(&tree).arg(r#""caf\351""#).ok(), @r#"
    "/repo/caf\351"  mode=fs depth=2
    menu
    1 entry, complete. Left out: nothing.
    "#);
    assert_snapshot!(trilist(&tree).arg(OsStr::from_bytes(b"caf\xe8")).exits(4), @r#"
    --- standard error
    not_found: there is no `"caf\350"` in /repo. Did you mean `"caf\351"`?
    "#);
}

#[test]
fn a_name_with_a_newline() {
    let tree = TreeBuilder::new().file("two\nlines/x", "").build();
    assert_snapshot!(trilist(&tree).arg("-1").ok(), @r#"
    "two\nlines"/
    "two\nlines/x"
    "#);
    assert_snapshot!(trilist(&tree).arg(r#""two\nlines""#).ok(), @r#"
    "/repo/two\nlines"  mode=fs depth=2
    x
    1 entry, complete. Left out: nothing.
    "#);
    trilist(&tree).arg(r#""two\nlines"/"#).ok();
    assert_snapshot!(trilist(&tree).arg("tow\nlines").exits(4), @r#"
    --- standard error
    not_found: there is no `"tow\nlines"` in /repo. Did you mean `"two\nlines"`?
    "#);
}

#[test]
fn errors_name_the_options_that_were_typed() {
    for (words, told) in [
        (&["--timeout", "2m"][..], "`--timeout` is 2m; it must be from 1ms to 1m"),
        (&["--no-subtree"], "`--no-subtree` is set; mode `fs` always lists below the path"),
        (
            &["-m", "files", "--aiderignore", "x"],
            "`--aiderignore` is set; mode `files` reads the files that `--ignore-file` names",
        ),
        (&["-m", "vcs", "--mark-ignored"], "`--mark-ignored` is set; mode `vcs` lists tracked"),
        (&["-m", "vcs", "--global-excludes"], "`--global-excludes` is set; mode `vcs` lists"),
        (&["-m", "vcs", "--follow"], "`--follow` is set; mode `vcs` lists tracked names"),
        (&["-E", "["], "`--exclude` is no valid glob (glob 1"),
        (&["--keep", "../a"], "`--keep` is no valid glob (glob 1 goes up"),
        (&["-g", "["], "`--glob` is no valid glob (glob 1"),
        (&["--view", "overview", "--follow"], "`--follow` is given; an overview has no use for it"),
        (&["-a", "-s", "size"], "`--sort` is set; only path order can be streamed"),
        (&["explain", "x", "-m", "vcs", "--global-excludes"], "`--global-excludes` is set;"),
        (&["compare", "-E", "["], "`--exclude` is no valid glob"),
    ] {
        let answer = trilist(&tree()).args(words).exits(2);
        assert!(answer.stderr.starts_with(&format!("invalid_argument: {told}")), "{answer}");
        // In JSON too, where the forms have it.
        let answer = trilist(&tree()).args(words).arg("--json").exits(2);
        let reply: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
        let message = reply["error"]["message"].as_str().unwrap();
        assert!(words.contains(&"-a") || message.starts_with(told), "{message}");
    }
}
