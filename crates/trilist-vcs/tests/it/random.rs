//! Random repositories: the listing equals the model, whichever way it is asked for.

use std::collections::BTreeSet;
use std::path::Path;

use trilist_tests::{TreeBuilder, git, require};

use crate::checks::{At, check_all};
use crate::support::{blob, git_union, index_info, is_split};

/// A small generator; the seed is told when a test fails.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: usize) -> usize {
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
    let blob = &blob(dir);
    git(dir, &["config", "splitIndex.maxPercentChange", "100"]);
    let mut splits = 0;
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
        if random.below(2) == 0 {
            // What comes now is kept apart from the shared index.
            git(dir, &["update-index", "--split-index"]);
        }
        change(dir, blob, &mut random, &mut paths);
        let version = ["2", "3", "4"][random.below(3)];
        git(dir, &["update-index", "--index-version", version]);
        let union = git_union(dir, true);
        let split = is_split(dir);
        splits += u32::from(split);
        let context = format!("seed {seed}, version {version}, split {split}");
        check_all(&At::top(dir), &union, &context);
        git(dir, &["update-index", "--no-split-index"]);
    }
    assert!(splits > 5, "only {splits} indexes were split");
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
