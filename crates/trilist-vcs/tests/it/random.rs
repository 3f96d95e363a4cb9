//! Random repositories: the listing equals the model, whichever way it is asked for.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use trilist_core::{Query, RelPathBuf};
use trilist_tests::{TreeBuilder, git, git_command, require};

use crate::support::{Told, Union, expected, git_union, list, page, query};

/// A small generator; the seed is told when a test fails.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    fn path(&mut self) -> String {
        const NAMES: [&str; 9] = ["a", "a-b", "a.b", "a b", "ab", ".h", ".h-x", "b", "z"];
        let depth = 1 + self.below(3);
        let names: Vec<_> = (0..depth).map(|_| NAMES[self.below(NAMES.len())]).collect();
        names.join("/")
    }
}

/// Adds a path to a set that an index can hold: no name is both file and directory.
fn add(paths: &mut BTreeSet<String>, path: String) {
    let below = format!("{path}/");
    paths.retain(|other| !other.starts_with(&below) && !path.starts_with(&format!("{other}/")));
    paths.insert(path);
}

fn index_info(dir: &Path, lines: &str) {
    let mut child = git_command(dir)
        .args(["update-index", "--index-info"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git runs");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(lines.as_bytes()).expect("git reads");
    drop(input);
    assert!(child.wait().expect("git ends").success());
}

fn stage(dir: &Path, blob: &str, paths: &BTreeSet<String>) {
    let lines: String = paths.iter().map(|path| format!("100644 {blob}\t{path}\n")).collect();
    index_info(dir, &lines);
}

#[test]
fn random_repositories_are_listed_right() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new().repo().commit("empty").build();
    let dir = tree.path();
    std::fs::write(dir.join("blob"), "x").expect("written");
    let blob = String::from_utf8(git(dir, &["hash-object", "-w", "blob"])).expect("hexadecimal");
    let blob = blob.trim();
    for seed in 1..=24_u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut paths = BTreeSet::new();
        (0..random.below(40)).for_each(|_| add(&mut paths, random.path()));
        git(dir, &["read-tree", "--empty"]);
        stage(dir, blob, &paths);
        git(dir, &["commit", "-q", "--allow-empty", "-m", "i"]);
        if random.below(2) == 0 {
            // With cached trees for all of it; otherwise as the staging left them.
            git(dir, &["read-tree", "HEAD"]);
        }
        change(dir, blob, &mut random, &mut paths);
        let version = ["2", "3", "4"][random.below(3)];
        git(dir, &["update-index", "--index-version", version]);
        let union = git_union(dir, true);
        let context = format!("seed {seed}");
        check_all(dir, &union, &context);
    }
}

fn change(dir: &Path, blob: &str, random: &mut Random, paths: &mut BTreeSet<String>) {
    let zero = "0".repeat(40);
    for _ in 0..random.below(6) {
        let at = random.below(paths.len() + 1);
        if random.below(2) == 0 {
            let Some(path) = paths.iter().nth(at).cloned() else { continue };
            paths.remove(&path);
            index_info(dir, &format!("0 {zero}\t{path}\n"));
        } else {
            // Git takes what is in the way out of the index.
            let path = random.path();
            let before = paths.clone();
            add(paths, path.clone());
            let gone = before.difference(paths);
            let mut lines: String = gone.map(|path| format!("0 {zero}\t{path}\n")).collect();
            lines.push_str(&format!("100644 {blob}\t{path}\n"));
            index_info(dir, &lines);
        }
    }
}

fn check_all(dir: &Path, union: &Union, context: &str) {
    for depth in [1, 2, 4096] {
        for include_hidden in [true, false] {
            let asked = Query { depth, include_hidden, ..query() };
            let context = format!("{context}, depth {depth}, hidden {include_hidden}");
            check(dir, union, &asked, &context);
        }
    }
    let dirs: BTreeSet<_> = union
        .keys()
        .filter_map(|path| path.iter().rposition(|byte| *byte == b'/').map(|at| &path[..at]))
        .collect();
    for base in dirs {
        for want in [None, Some(3)] {
            let base = RelPathBuf::new(base).expect("git's path");
            let asked = Query { want, ..Query::new(base) };
            let told = list(dir, &asked).expect(context);
            assert_eq!(told, expected(union, &asked), "{context}, below {:?}", asked.base);
        }
    }
}

fn check(dir: &Path, union: &Union, asked: &Query, context: &str) {
    let right = expected(union, asked);
    assert_eq!(list(dir, asked).expect(context), right, "{context}");
    for at in 0..right.len() {
        let after = RelPathBuf::new(right[at].path()).ok();
        let want = [None, Some(1), Some(4)][at % 3];
        let resumed = Query { after, want, ..asked.clone() };
        let told = list(dir, &resumed).expect(context);
        assert_eq!(told, right[at + 1..], "{context}, after {:?}", resumed.after);
        if at % 4 == 0 {
            let few = Query { want: Some(at + 1), ..asked.clone() };
            let (told, beyond, _) = page(dir, &few, at + 1);
            assert_eq!(told, right[..=at], "{context}");
            assert_eq!(beyond, dirs_beyond(union, asked, right[at].path()), "{context}");
        }
    }
}

/// The directories directly below the listed one of which nothing comes up to `after`: at the
/// depth limit that is their row, else what is below them.
fn dirs_beyond(union: &Union, asked: &Query, after: &[u8]) -> Vec<Vec<u8>> {
    let all = Query { depth: 1, ..asked.clone() };
    // A name that is a file in the index and a directory in HEAD counts as well.
    let only_dirs: Union = union
        .iter()
        .filter(|(path, _)| path.contains(&b'/'))
        .map(|(path, row)| (path.clone(), *row))
        .collect();
    let rows = expected(&only_dirs, &all);
    let dirs = rows.iter().filter(|told| matches!(told, Told::Entry(..)));
    let is_beyond = |dir: &Vec<u8>| {
        let contents = [dir.as_slice(), b"/"].concat();
        let first = if asked.depth == 1 { dir } else { &contents };
        first.as_slice() > after && !after.starts_with(&contents)
    };
    dirs.map(|told| told.path().to_vec()).filter(is_beyond).collect()
}
