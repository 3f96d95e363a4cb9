//! Mode `fs` with git's layer on, and marks: for each path on disk the rule that git names.

use std::collections::BTreeMap;
use std::path::Path;

use trilist::{IgnorePolicy, ListRequest, Mode, Show};
use trilist_tests::oracle::{find_paths, git_check_ignore};
use trilist_tests::rules::{fuzz_files, fuzz_seed, pattern};
use trilist_tests::{Tree, git};

use super::grove::{Soil, plant};
use crate::harness::{everything, lister, whole};

const SOIL: Soil = Soil { files: &[(".gitignore", 1)], repositories: false, pattern, bytes: true };

#[test]
fn two_thousand_rule_sets_mean_what_git_means() {
    let tree = repository();
    plant(&tree, &SOIL, fuzz_files(2_000), fuzz_seed(21));
    assert_agrees(&tree, "", &[]);
}

#[test]
fn rule_sets_of_repositories_that_fold_case_mean_what_git_means() {
    let tree = repository();
    git(tree.path(), &["config", "core.ignorecase", "true"]);
    plant(&tree, &SOIL, fuzz_files(600), fuzz_seed(22));
    assert_agrees(&tree, "", &[]);
}

fn repository() -> Tree {
    let tree = Tree::empty();
    git(tree.path(), &["init", "-q"]);
    tree
}

/// Every path below `dir` has in our listing the verdict that git gives there, by the same line of
/// the same file; but for what is below `except`, which git asked there does not tell apart.
#[track_caller]
pub(super) fn assert_agrees(tree: &Tree, dir: &str, except: &[&str]) {
    let (at, ours) = (tree.join(dir), ours(tree.path(), dir));
    let excepted = |path: &[u8]| {
        let below = |top: &str| {
            path.strip_prefix(top.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
        };
        path == b".git" || below(".git") || except.iter().any(|top| below(top))
    };
    let all = find_paths(&at).into_iter().map(|(path, _)| path);
    let asked: Vec<Vec<u8>> = all.filter(|path| !excepted(path)).collect();
    let theirs = git_check_ignore(&at, &asked);
    assert_eq!(theirs.len(), asked.len());
    let (mut ignored, mut wrong) = (0, Vec::new());
    for answer in &theirs {
        let rule = answer.rule.as_ref().filter(|(_, _, pattern)| !pattern.starts_with(b"!"));
        let right = rule.map(|(source, line, _)| (source_name(source), *line));
        ignored += usize::from(right.is_some());
        let found = deciding(&ours, &answer.path);
        if found != right {
            let path = answer.path.escape_ascii();
            wrong.push(format!("{path}: git says {right:?}, we say {found:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}: {:#?}",
        wrong.len(),
        asked.len(),
        &wrong[..wrong.len().min(9)]
    );
    assert!(ignored > 0 && ignored < asked.len(), "{ignored} of {}", asked.len());
}

/// Git names excludes by where they are, which for a linked work tree is another place.
fn source_name(source: &[u8]) -> String {
    match source.ends_with(b"info/exclude") {
        true => ".git/info/exclude".to_owned(),
        false => source.escape_ascii().to_string(),
    }
}

type Marks = BTreeMap<Vec<u8>, Option<(String, u64)>>;

/// The rule that decides about a path in our listing: that of the first marked directory on the
/// way, else its own. A path that is not listed at all is told as such.
fn deciding(ours: &Marks, path: &[u8]) -> Option<(String, u64)> {
    let slashes = (0..path.len()).filter(|at| path[*at] == b'/');
    for end in slashes.chain([path.len()]) {
        match ours.get(&path[..end]) {
            Some(None) => {}
            Some(marked) => return marked.clone(),
            None => return Some(("not listed".to_owned(), 0)),
        }
    }
    None
}

fn ours(root: &Path, dir: &str) -> Marks {
    let ignore = IgnorePolicy { git: Some(true), show: Some(Show::Mark), ..IgnorePolicy::none() };
    let path = if dir.is_empty() { "." } else { dir };
    let request = ListRequest { ignore, limit: Some(1_000_000), ..everything(path) };
    assert_eq!(request.mode, Mode::Fs);
    let page = whole(&lister(root), &request);
    assert!(page.complete);
    let above = if dir.is_empty() { Vec::new() } else { format!("{dir}/").into_bytes() };
    let rule = |entry: &trilist::Entry| {
        let rule = entry.ignored_by.as_ref()?;
        let source = trilist::quote::unquoted(rule.source.as_bytes());
        let source = source.unwrap_or_else(|| rule.source.clone().into_bytes());
        let source = source.strip_prefix(&above[..]).unwrap_or(&source);
        Some((source_name(source), u64::from(rule.line)))
    };
    page.entries.iter().map(|entry| (entry.bytes().to_vec(), rule(entry))).collect()
}
