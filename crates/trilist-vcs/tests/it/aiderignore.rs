//! Files of pathspec rules, one and several, good and bad.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, Instant};

use trilist_core::{FaultCode, ListError, Query};
use trilist_tests::{TreeBuilder, git, pathspec_python, require};

use crate::support::{Told, below, faults, list, list_seen, names, query};

fn asking(files: &[&str]) -> Query {
    let mut query = query();
    query.ignore.aiderignore = files.iter().map(|file| (*file).to_owned()).collect();
    query
}

/// What is left out, with the file that says so, its line and pattern.
fn omitted(told: &[Told]) -> Vec<String> {
    let omission = |told: &Told| match told {
        Told::Omitted(path, _, _, Some((source, line, pattern))) => {
            let [path, source, pattern] =
                [path, source, pattern].map(|b| String::from_utf8_lossy(b));
            Some(format!("{path} {source}:{line} {pattern}"))
        }
        _ => None,
    };
    told.iter().filter_map(omission).collect()
}

fn messages(told: &[Told]) -> Vec<(FaultCode, &str)> {
    let fault = |told: &'_ Told| matches!(told, Told::Fault(_, _, false, _));
    let told = told.iter().filter(|told| fault(told));
    told.filter_map(|told| match told {
        Told::Fault(_, code, _, message) => Some((*code, message.as_str())),
        _ => None,
    })
    .collect()
}

#[test]
fn several_files_count_as_one_in_the_order_given() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new()
        .repo()
        .files(["a.log", "b.log", "conf/x", "keep/a.log", "n"])
        .file("conf/one", "*.log\n")
        .file("two", "# a note\n!b.log\nconf/x\n!keep/\n")
        .commit("i")
        .build();
    let told = list(tree.path(), &asking(&["conf/one", "two"])).expect("listed");
    assert_eq!(names(&told), ["b.log", "conf/one", "keep/a.log", "n", "two"]);
    assert_eq!(omitted(&told), ["a.log conf/one:1 *.log", "conf/x two:3 conf/x"]);
    let told = list(tree.path(), &asking(&["two", "conf/one"])).expect("listed");
    assert_eq!(names(&told), ["conf/one", "n", "two"]);
    assert_eq!(
        omitted(&told),
        [
            "a.log conf/one:1 *.log",
            "b.log conf/one:1 *.log",
            "conf/x two:3 conf/x",
            "keep/a.log conf/one:1 *.log"
        ]
    );
    assert_eq!(faults(&told), []);
}

#[test]
fn the_subtree_comes_first_and_rules_are_the_tops() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new()
        .repo()
        .files(["sub/a", "sub/deep/a", "sub/sub/a", "a"])
        .file(".aiderignore", "/sub/a\n/deep\nsub/sub/\n")
        .commit("i")
        .build();
    let asked = Query { ignore: asking(&[".aiderignore"]).ignore, ..below("sub") };
    let told = list(tree.path(), &asked).expect("listed");
    assert_eq!(names(&told), ["deep/a"]);
    assert_eq!(
        omitted(&told),
        ["a .aiderignore:1 /sub/a", "sub/a .aiderignore:3 sub/sub/"],
        "what lies outside is not told"
    );
}

#[test]
fn bad_lines_are_told_by_number_and_the_others_hold() {
    if !require("git") {
        return;
    }
    let rules = b"\xef\xbb\xbfa.log\r\n\r\n!\r\ncaf\xe9\r\nb.log\r\nend\\\n# c\n\\\nc.log";
    let tree = TreeBuilder::new()
        .repo()
        .files(["a.log", "b.log", "c.log", "stays"])
        .file("rules", rules)
        .file("empty", "")
        .commit("i")
        .build();
    let told = list(tree.path(), &asking(&["empty", "rules"])).expect("listed");
    assert_eq!(names(&told), ["empty", "rules", "stays"]);
    let lines = messages(&told);
    assert!(lines.iter().all(|(code, _)| *code == FaultCode::IgnorePatternInvalid), "{lines:?}");
    let numbers: Vec<_> = lines.iter().map(|(_, text)| &text[.."`rules`: line N".len()]).collect();
    assert_eq!(
        numbers,
        ["`rules`: line 3", "`rules`: line 4", "`rules`: line 6", "`rules`: line 8"],
        "{lines:?}"
    );
}

#[test]
fn files_that_are_none_are_told_and_cost_no_name() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new()
        .repo()
        .files(["a", "b"])
        .file("good", "b\n")
        .commit("i")
        .fifo("pipe")
        .dir("dir")
        .symlink("link", "good")
        .file("huge", "")
        .build();
    let huge = File::options().write(true).open(tree.join("huge")).expect("opened");
    huge.set_len(1 << 40).expect("a sparse file");
    let start = Instant::now();
    let asked = asking(&["missing", "good", "pipe", "dir", "link", "huge", "no/way"]);
    let told = list(tree.path(), &asked).expect("listed");
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(names(&told), ["a", "good"]);
    assert_eq!(
        messages(&told),
        [
            (FaultCode::IgnoreUnreadable, "`missing`: there is no such file"),
            (
                FaultCode::IgnoreNotRegular,
                "`pipe`: it is a pipe, socket or device, not a regular file"
            ),
            (FaultCode::IgnoreNotRegular, "`dir`: it is a directory, not a regular file"),
            (FaultCode::IgnoreNotRegular, "`link`: it is a link, not a regular file"),
            (FaultCode::IgnoreTooLarge, "`huge`: it is larger than 1048576 bytes"),
            (FaultCode::IgnoreUnreadable, "`no/way`: there is no such file"),
        ]
    );
    assert!(faults(&told).iter().all(|(_, gap)| !gap));
    for name in ["../good", "/good", ""] {
        let result = list(tree.path(), &asking(&["good", name]));
        assert!(matches!(result, Err(ListError::InvalidArgument { .. })), "{name}: {result:?}");
    }
}

#[test]
fn each_file_is_part_of_the_identity() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().file("one", "a\n").file("two", "b\n").commit("i").build();
    let asked = asking(&["one", "two"]);
    let identity = || list_seen(tree.path(), &asked).expect("listed").1.identity;
    let first = identity();
    assert_eq!(first, identity());
    for (name, rules) in [("one", "c\n"), ("two", "c\n"), ("two", "")] {
        let before = identity();
        std::fs::write(tree.join(name), rules).expect("written");
        assert_ne!(before, identity(), "{name} holds {rules:?}");
    }
}

/// Joins the lines of two files, as a program would that has one list of rules.
const JUDGE: &str = "
import json, sys, pathspec
rules, names = json.load(sys.stdin)
spec = pathspec.PathSpec.from_lines('gitwildmatch', rules)
print(json.dumps([name for name in names if not spec.match_file(name)]))
";

#[test]
fn two_files_are_what_pathspec_makes_of_their_lines() {
    if !require("git") || !require("pathspec") {
        return;
    }
    let files = ["a.log", "a/b.log", "a/b/c.log", "a/b/c", "a/x/c.log", "b/a.log", "b/a/c", "c"];
    let tree = TreeBuilder::new().repo().files(files).commit("i").build();
    let rules = ["*.log", "a/", "/b", "!a/b/", "!*.log", "**/c", "!c.log", "a/*/c*", "!/a/x", "c"];
    let mut left_out = 0;
    for seed in 0..40_usize {
        let pick = |salt: usize| rules[(seed * 7 + salt * 13 + seed / 3 * salt) % rules.len()];
        let (one, two) = ([pick(1), pick(2), pick(3)], [pick(4), pick(5)]);
        std::fs::write(tree.join(".git/one"), one.join("\n")).expect("written");
        std::fs::write(tree.join(".git/two"), two.join("\r\n")).expect("written");
        let told = list(tree.path(), &asking(&[".git/one", ".git/two"])).expect("listed");
        let tracked = String::from_utf8(git(tree.path(), &["ls-files"])).expect("UTF-8");
        let tracked: Vec<_> = tracked.lines().collect();
        let joined: Vec<_> = one.iter().chain(&two).collect();
        let right = judged(&format!("[{joined:?}, {tracked:?}]"));
        left_out += tracked.len() - right.len();
        assert_eq!(names(&told), right, "{one:?} then {two:?}");
    }
    assert!(left_out > 40, "only {left_out} were left out");
}

fn judged(question: &str) -> Vec<String> {
    use std::io::Write;
    use std::process::Stdio;

    let mut child = Command::new(pathspec_python().expect("the test asked for it"))
        .args(["-c", JUDGE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    child.stdin.take().expect("piped").write_all(question.as_bytes()).expect("Python reads");
    let output = child.wait_with_output().expect("Python ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let names = text.trim().trim_matches(['[', ']']).split(", ").filter(|name| !name.is_empty());
    names.map(|name| name.trim_matches('"').to_owned()).collect()
}
