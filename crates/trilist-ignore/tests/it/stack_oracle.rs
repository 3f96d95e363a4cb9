//! The stack's precedence against the walker that ripgrep is built on, with
//! patterns that mean the same in git's dialect and in ripgrep's.

use std::{collections::BTreeSet, fs, path::Path};

use ignore::WalkBuilder;
use trilist_ignore::{Case, Globs, IgnoreFile, IgnoreStack, Layer, LayerSwitches, Verdict};

use crate::support::{self, Rng};

const PATTERNS: &[&str] = &[
    "a", "b", "/a", "/b", "a/", "b/", "a/b", "a/*", "*.x", "*", "*/", "**/c.x", "d/", "!a", "!b",
    "!/a", "!*.x", "!*/", "!a/b", "!d/", "!c.x", "/d/a/", "a/**",
];

const FILES: &[(&str, Layer)] = &[
    (".rgignore", Layer::RgIgnore),
    (".ignore", Layer::DotIgnore),
    (".gitignore", Layer::GitIgnore),
    (".git/info/exclude", Layer::InfoExclude),
];

#[test]
fn random_trees_agree_with_the_walker() {
    let mut rng = Rng::new(support::fuzz_seed(9));
    let mut listed = 0;
    for _ in 0..support::fuzz_files(120) {
        let tree = tempfile::tempdir().unwrap();
        grow(&mut rng, tree.path(), 0);
        let (ours, walker) = (ours(tree.path()), walker(tree.path()));
        assert_eq!(ours, walker, "{}", describe(tree.path()));
        listed += ours.len();
    }
    println!("{listed} files of random trees agree with the walker");
}

fn grow(rng: &mut Rng, dir: &Path, depth: usize) {
    if rng.one_in(if depth == 0 { 2 } else { 6 }) {
        fs::create_dir_all(dir.join(".git/info")).unwrap();
    }
    for (name, _) in FILES {
        if rng.one_in(3) && dir.join(name).parent().unwrap().exists() {
            let lines: Vec<&str> = (0..1 + rng.below(3)).map(|_| rng.pick(PATTERNS)).collect();
            fs::write(dir.join(name), lines.join("\n")).unwrap();
        }
    }
    for name in ["a", "b", "c.x", "d", "e.x"] {
        if depth < 3 && rng.one_in(3) {
            fs::create_dir(dir.join(name)).unwrap();
            grow(rng, &dir.join(name), depth + 1);
        } else if !rng.one_in(4) {
            fs::write(dir.join(name), "").unwrap();
        }
    }
}

fn ours(root: &Path) -> BTreeSet<String> {
    let switches = LayerSwitches { builtin: false, ..LayerSwitches::ALL };
    let mut stack = IgnoreStack::new(switches, Globs::empty(), Globs::empty(), b"");
    let mut found = BTreeSet::new();
    walk(&mut stack, root, "", &mut found);
    found
}

fn walk(stack: &mut IgnoreStack, root: &Path, dir: &str, found: &mut BTreeSet<String>) {
    let here = root.join(dir);
    let texts = FILES
        .iter()
        .filter_map(|&(name, layer)| Some((name, layer, fs::read(here.join(name)).ok()?)));
    let texts: Vec<_> = texts.collect();
    let files: Vec<IgnoreFile<'_>> = texts
        .iter()
        .map(|(name, layer, bytes)| IgnoreFile { layer: *layer, name: name.as_bytes(), bytes })
        .collect();
    stack.enter(dir.as_bytes(), here.join(".git").exists().then_some(Case::Sensitive), &files);
    for entry in fs::read_dir(&here).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if dir.is_empty() { name.clone() } else { format!("{dir}/{name}") };
        let is_dir = entry.file_type().unwrap().is_dir();
        if name == ".git" || matches!(stack.verdict(path.as_bytes(), is_dir), Verdict::Ignored(_)) {
            continue;
        }
        if is_dir {
            walk(stack, root, &path, found);
        } else {
            found.insert(path);
        }
    }
    stack.leave();
}

fn walker(root: &Path) -> BTreeSet<String> {
    WalkBuilder::new(root)
        .hidden(false)
        .parents(false)
        .git_global(false)
        .add_custom_ignore_filename(".rgignore")
        .filter_entry(|entry| entry.file_name() != ".git")
        .build()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(|entry| entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned())
        .collect()
}

/// The tree's ignore files, for a failure's message.
fn describe(root: &Path) -> String {
    let all = WalkBuilder::new(root).standard_filters(false).build().map(Result::unwrap);
    let lines = all.filter(|entry| entry.depth() > 0).map(|entry| {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        format!("{}: {text:?}\n", entry.path().strip_prefix(root).unwrap().display())
    });
    lines.collect()
}
