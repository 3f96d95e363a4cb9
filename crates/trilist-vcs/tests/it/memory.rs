//! What is remembered between listings must never show.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use trilist_core::{Cancel, Events, ListSource, Query, RelPath};
use trilist_root::Root;
use trilist_tests::{Tree, TreeBuilder, git, require, skip};
use trilist_vcs::{Memory, VcsSource};

use crate::support::{Told, expected, git_union, list, names, query};

/// A host that lives long.
#[derive(Clone)]
struct Host {
    root: Arc<Root>,
    memory: Arc<Memory>,
}

impl Host {
    fn of(dir: &Path) -> Host {
        let root = Arc::new(Root::open(dir).expect("the root exists"));
        Host { root, memory: Arc::default() }
    }

    fn list(&self, query: &Query) -> Vec<Told> {
        let root = Arc::clone(&self.root);
        let base = query.base.as_path();
        let source = VcsSource::open_among(root, &[], base, &self.memory).expect("a repository");
        let cancel = Cancel::new();
        let mut events = source.open(query, &cancel).expect("it can be listed");
        let mut told = Vec::new();
        while events.advance().expect("no bound is reached") {
            told.push(Told::of(events.event()));
        }
        if let (Some(want), Some(last)) = (query.want, told.last()) {
            let after = RelPath::new(last.path()).expect("an event's path");
            events.not_reached(after, want).expect("no bound is reached");
        }
        told
    }
}

fn page() -> Query {
    Query { want: Some(100), ..query() }
}

fn repository() -> Tree {
    let tree = TreeBuilder::new().repo().files(["a/x", "a/y", "b/deep/er/z", "c", "d.log"]);
    tree.file(".aiderignore", "*.log\n").git(&["add", "."]).commit("one").build()
}

/// Each of these is known to be missed elsewhere by whoever remembers too much. They build on each
/// other.
const CHANGES: &[(&str, &[&[&str]])] = &[
    ("nothing", &[]),
    ("a file is staged", &[&["update-index", "--add", "--cacheinfo", "100644,BLOB,new"]]),
    ("it is unstaged", &[&["rm", "-q", "--cached", "new"]]),
    ("a removal is staged", &[&["rm", "-q", "--cached", "a/x"]]),
    ("it is taken back", &[&["reset", "-q"]]),
    ("a commit", &[&["rm", "-q", "c"], &["commit", "-q", "-m", "two"]]),
    ("another branch", &[&["checkout", "-q", "-b", "other", "HEAD~1"]]),
    ("the branch moves", &[&["reset", "-q", "--hard", "main"]]),
    ("HEAD is detached", &[&["checkout", "-q", "--detach", "HEAD~1"]]),
    ("references are packed", &[&["checkout", "-q", "main"], &["pack-refs", "--all"]]),
    ("everything is packed anew", &[&["repack", "-q", "-adf"], &["prune-packed", "-q"]]),
    ("a commit after packing", &[&["commit", "-q", "--allow-empty", "-m", "three"]]),
    ("garbage is collected", &[&["gc", "-q", "--prune=now"]]),
    ("the index has version 4", &[&["update-index", "--index-version", "4"]]),
    ("the index is split", &[&["update-index", "--split-index"]]),
    ("a split index changes", &[&["rm", "-q", "--cached", "a/y"]]),
    ("it is joined", &[&["update-index", "--no-split-index"]]),
    (
        "an orphan",
        &[&["checkout", "-q", "--orphan", "bare"], &["rm", "-q", "-rf", "--cached", "."]],
    ),
];

#[test]
fn every_change_is_seen_by_the_next_listing() {
    if !require("git") {
        return;
    }
    let tree = repository();
    let dir = tree.path();
    let host = Host::of(dir);
    let blob = String::from_utf8(git(dir, &["rev-parse", "HEAD:c"])).expect("an id is text");
    for (what, commands) in CHANGES {
        for words in *commands {
            let words: Vec<String> =
                words.iter().map(|word| word.replace("BLOB", blob.trim())).collect();
            git(dir, &words);
        }
        let has_head = *what != "an orphan";
        let union = git_union(dir, has_head);
        for query in [query(), page(), page()] {
            assert_eq!(host.list(&query), expected(&union, &query), "{what}");
        }
    }
}

#[test]
fn another_repository_at_the_same_place_is_another() {
    if !require("git") {
        return;
    }
    let tree = repository();
    let dir = tree.path();
    let host = Host::of(dir);
    host.list(&page());
    let other = TreeBuilder::new().repo().file("other", "").git(&["add", "."]).commit("o").build();
    for from in [other.path(), dir] {
        let (old, new) = (dir.join(".git-old"), from.join(".git"));
        if from != dir {
            fs::rename(dir.join(".git"), &old).expect("it can be moved");
            fs::rename(new, dir.join(".git")).expect("it can be moved");
            assert_eq!(names(&host.list(&page())), ["other"]);
        } else {
            fs::remove_dir_all(dir.join(".git")).expect("it can be removed");
            fs::rename(&old, new).expect("it can be moved");
            assert_eq!(host.list(&page()), expected(&git_union(dir, true), &page()));
        }
    }
}

#[test]
fn an_index_that_is_damaged_or_gone_is_not_the_one_before() {
    if !require("git") {
        return;
    }
    let tree = repository();
    let dir = tree.path();
    let host = Host::of(dir);
    let index = dir.join(".git/index");
    let good = fs::read(&index).expect("there is an index");
    for (what, bytes) in [("cut", Some(&good[..good.len() / 2])), ("gone", None)] {
        host.list(&page());
        match bytes {
            Some(bytes) => fs::write(&index, bytes).expect("it can be written"),
            None => fs::remove_file(&index).expect("it can be removed"),
        }
        let fresh = list(dir, &page()).expect("it can be listed");
        assert_eq!(host.list(&page()), fresh, "{what}");
        let before = expected(&git_union_of(dir, &good), &page());
        assert_ne!(fresh, before, "{what}");
        fs::write(&index, &good).expect("it can be written");
        assert_eq!(host.list(&page()), before, "it is back after it was {what}");
    }
}

/// What git says while the index is what it was.
fn git_union_of(dir: &Path, index: &[u8]) -> crate::support::Union {
    let path = dir.join(".git/index");
    let now = fs::read(&path).ok();
    fs::write(&path, index).expect("it can be written");
    let union = git_union(dir, true);
    match now {
        Some(now) => fs::write(&path, now).expect("it can be written"),
        None => fs::remove_file(&path).expect("it can be removed"),
    }
    union
}

fn with_rules() -> Query {
    let mut query = page();
    query.ignore.aiderignore = vec![".aiderignore".to_owned()];
    query
}

#[test]
fn an_ignore_file_that_is_rewritten_deleted_or_replaced_is_seen() {
    if !require("git") {
        return;
    }
    let tree = repository();
    let dir = tree.path();
    let host = Host::of(dir);
    let file = dir.join(".aiderignore");
    let shown = || {
        let shown = names(&host.list(&with_rules()));
        ["a/x", "c", "d.log"].map(|name| shown.iter().any(|one| one == name))
    };
    assert_eq!(shown(), [true, true, false]);
    // As long as before and within one tick of the clock: no time tells of it.
    for _ in 0..20 {
        fs::write(&file, "a/x\n*\n!").expect("it can be written");
        fs::write(&file, "a/x##").expect("it can be written");
        assert_eq!(shown(), [true; 3]);
        fs::write(&file, "*.log").expect("it can be written");
        assert_eq!(shown(), [true, true, false]);
    }
    thread::sleep(Duration::from_millis(2100));
    assert_eq!([shown(), shown()], [[true, true, false]; 2], "it is settled now");
    fs::write(&file, "a/x##").expect("it can be written");
    assert_eq!(shown(), [true; 3]);
    let other = dir.join("other");
    fs::write(&other, "/c   ").expect("it can be written");
    fs::rename(&other, &file).expect("it can be moved");
    assert_eq!(shown(), [true, false, true]);
    fs::remove_file(&file).expect("it can be removed");
    assert_eq!(shown(), [true; 3]);
    let told = host.list(&with_rules());
    assert!(matches!(told[0], Told::Fault(..)), "its absence is told: {told:?}");
}

#[test]
fn bad_lines_are_told_each_time() {
    if !require("git") {
        return;
    }
    let tree = repository();
    fs::write(tree.join(".aiderignore"), "*.log\n!\n").expect("it can be written");
    let host = Host::of(tree.path());
    let first = host.list(&with_rules());
    assert!(matches!(first[0], Told::Fault(..)), "{first:?}");
    assert_eq!(host.list(&with_rules()), first);
}

#[test]
fn threads_share_it_while_somebody_packs() {
    if !require("git") {
        return;
    }
    let tree = repository();
    let dir = tree.path();
    git(dir, &["rm", "-q", "--cached", "b/deep/er/z"]);
    let host = Host::of(dir);
    let right = expected(&git_union(dir, true), &page());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(host.list(&page()), right);
                }
            });
        }
        for _ in 0..5 {
            git(dir, &["repack", "-q", "-adf"]);
            git(dir, &["prune-packed", "-q"]);
        }
    });
}

/// The calls to read, of which there is one a file at the least.
fn reads(of: impl FnOnce()) -> Option<u64> {
    let count = || -> Option<u64> {
        let told = fs::read_to_string("/proc/thread-self/io").ok()?;
        told.lines().find_map(|line| line.strip_prefix("syscr: "))?.parse().ok()
    };
    let before = count()?;
    of();
    Some(count()? - before)
}

#[test]
fn nothing_that_is_unchanged_is_read_twice() {
    if !require("git") {
        return;
    }
    let tree = repository();
    let dir = tree.path();
    git(dir, &["rm", "-q", "--cached", "b/deep/er/z"]);
    let host = Host::of(dir);
    let query = with_rules();
    host.list(&query);
    thread::sleep(Duration::from_millis(2100));
    host.list(&query);
    let (Some(again), Some(fresh)) =
        (reads(|| drop(host.list(&query))), reads(|| drop(Host::of(dir).list(&query))))
    else {
        return skip("nobody counts reads here");
    };
    // HEAD, its reference and the configuration to their ends, the index's beginning, entries and
    // end; of the four trees, the commit and the ignore file nothing, which take as many again.
    assert!(again <= 24 && again + 16 < fresh, "{again} after {fresh}");
}
