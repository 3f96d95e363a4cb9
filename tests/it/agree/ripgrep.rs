//! Mode `files` against ripgrep: the same files, whatever layers meet. Lines of the shapes that
//! `docs/ignore.md` lists are left out: they mean different things to the two.

use std::collections::BTreeSet;
use std::path::Path;

use trilist::{IgnorePolicy, Kind, ListRequest, Mode};
use trilist_tests::oracle::rg_files;
use trilist_tests::rules::{Rng, fuzz_files, fuzz_seed, pattern};
use trilist_tests::{Tree, require};

use super::grove::{Soil, plant};
use crate::harness::{ask, lister, whole};

#[test]
fn two_thousand_trees_with_every_layer_list_what_ripgrep_lists() {
    let files = &[(".gitignore", 1), (".ignore", 3), (".rgignore", 4), (".git/info/exclude", 3)];
    agree(&Soil { files, repositories: true, pattern: plain_to_both, bytes: false }, 2_000, 31);
}

#[test]
fn ripgreps_own_files_mean_what_ripgrep_means() {
    let files = &[(".ignore", 1), (".rgignore", 2)];
    agree(&Soil { files, repositories: false, pattern: plain_to_ripgrep, bytes: false }, 600, 32);
}

#[track_caller]
fn agree(soil: &Soil, cases: usize, seed: u64) {
    if !require("rg") {
        return;
    }
    let tree = Tree::empty();
    plant(&tree, soil, fuzz_files(cases), fuzz_seed(seed));
    let (ours, theirs) = (ours(tree.path()), theirs(tree.path()));
    let wrong: Vec<String> = ours
        .symmetric_difference(&theirs)
        .map(|path| {
            let side = if ours.contains(path) { "only we list" } else { "only ripgrep lists" };
            format!("{side} {}{}", path.escape_ascii(), rules_above(tree.path(), path))
        })
        .collect();
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert!(ours.len() > cases);
}

/// The ignore files on the way to a path, for a failure's message.
fn rules_above(root: &Path, path: &[u8]) -> String {
    let mut text = String::new();
    for end in (0..path.len()).filter(|at| path[*at] == b'/') {
        let dir = root.join(trilist_tests::as_path(&path[..end]));
        for name in [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"] {
            if let Ok(rules) = std::fs::read(dir.join(name)) {
                text +=
                    &format!("\n  {}/{name}: {}", path[..end].escape_ascii(), rules.escape_ascii());
            }
        }
    }
    text
}

fn ours(dir: &Path) -> BTreeSet<Vec<u8>> {
    let ignore = IgnorePolicy { builtin: Some(false), ..IgnorePolicy::default() };
    let request = ListRequest { ignore, limit: Some(1_000_000), ..ask(Mode::Files, ".") };
    let page = whole(&lister(dir), &request);
    let files = page.entries.iter().filter(|entry| entry.kind == Kind::File);
    files.map(|entry| entry.bytes().to_vec()).collect()
}

fn theirs(dir: &Path) -> BTreeSet<Vec<u8>> {
    let args = ["--hidden", "--glob=!.git", "--no-ignore-messages", "--no-ignore-global"];
    rg_files(dir, &args).into_iter().collect()
}

/// A line that git and ripgrep read alike.
fn plain_to_both(rng: &mut Rng) -> String {
    first(rng, |line| !(differs_between_engines(line) || differs_between_dialects(line)))
}

/// A line that ripgrep 15.2 and the newer version of its engine here read alike.
fn plain_to_ripgrep(rng: &mut Rng) -> String {
    first(rng, |line| !differs_between_engines(line))
}

fn first(rng: &mut Rng, suits: fn(&str) -> bool) -> String {
    loop {
        let line = pattern(rng);
        if suits(&line) {
            return line;
        }
    }
}

fn differs_between_engines(line: &str) -> bool {
    let ends_in_blank_or_escape =
        line.trim_end_matches(' ').ends_with(|c: char| c.is_whitespace() || c == '\\');
    ends_in_blank_or_escape || has_odd_class(line) || line.trim_end_matches(' ') == "!"
}

fn differs_between_dialects(line: &str) -> bool {
    let mut parts = line.trim_start_matches('!').split('/');
    line.contains('{')
        || line.contains("//")
        || line.contains("\\/")
        || line.starts_with('\u{feff}')
        || parts.any(|part| part.contains("**") && part != "**")
}

/// A class that holds a slash or is negated, is not closed, is reversed, or has escapes or names.
fn has_odd_class(line: &str) -> bool {
    let Some(at) = line.find('[') else { return false };
    let inner = &line[at + 1..];
    inner.contains(['\\', '/', '!', '^', '[', ':']) || !inner.contains(']') || inner.contains("c-a")
}
