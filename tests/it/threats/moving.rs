//! Trees that change while they are listed.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode as Bits, mknodat};
use trilist::{Cancel, Kind, ListRequest, Mode};
use trilist_core::{Event, Events, Query, RelPathBuf};
use trilist_root::Root;
use trilist_tests::{Tree, TreeBuilder, figure, is_full};
use trilist_walk::{Style, Walk};

use super::swaps::StopOnDrop;
use crate::harness::{ask, lister, page, paths, whole};

/// Walks a tree, changes it when an entry is shown, and tells what was shown and what went wrong.
fn walk_and_change(tree: &Tree, at: &str, change: impl Fn()) -> (Vec<String>, Vec<String>) {
    let root = Root::open(tree.path()).unwrap();
    let query = Query::new(RelPathBuf::default());
    let cancel = Cancel::new();
    let mut walk = Walk::open(&root, &query, Style::Rows, &cancel).unwrap();
    let (mut shown, mut faults) = (Vec::new(), Vec::new());
    while walk.advance().unwrap() {
        match walk.event() {
            Event::Entry(entry) => {
                shown.push(entry.path.to_string());
                if entry.path.as_bytes() == at.as_bytes() {
                    change();
                }
            }
            Event::Fault(fault) => {
                assert!(fault.gap);
                faults.push(format!("{} {}", fault.code.name(), fault.path));
            }
            Event::Omitted(_) => {}
        }
    }
    (shown, faults)
}

#[test]
fn t15_a_directory_removed_midway_costs_only_itself() {
    let tree = TreeBuilder::new().files(["a/x", "b/y", "c"]).build();
    let (shown, faults) =
        walk_and_change(&tree, "a", || fs::remove_dir_all(tree.join("a")).unwrap());
    assert_eq!(shown, ["a", "b", "b/y", "c"]);
    assert_eq!(faults, ["dir_vanished a"]);
}

#[test]
fn t15_a_directory_exchanged_for_a_link_is_not_followed() {
    let tree = TreeBuilder::new().files(["a/x", "b", "elsewhere/secret"]).build();
    let (shown, faults) = walk_and_change(&tree, "a", || {
        fs::remove_dir_all(tree.join("a")).unwrap();
        std::os::unix::fs::symlink("elsewhere", tree.join("a")).unwrap();
    });
    assert_eq!(shown, ["a", "b", "elsewhere", "elsewhere/secret"]);
    assert_eq!(faults, ["dir_replaced a"]);
}

/// `a/d/d/…`, deeper than descriptors are held, with a directory `z/in` beside each `d`.
fn deep() -> Tree {
    let mut path = "a".to_owned();
    let mut files = vec!["b/after".to_owned()];
    for _ in 0..80 {
        path.push_str("/d");
        files.push(format!("{path}/z/in"));
    }
    TreeBuilder::new().files(files).build()
}

#[test]
fn t16_a_directory_moved_outside_midway_is_not_followed_there() {
    let tree = deep();
    let bottom = format!("a{}/z/in", "/d".repeat(80));
    let (shown, faults) = walk_and_change(&tree, &bottom, || {
        fs::rename(tree.join("a"), tree.outside().join("moved")).unwrap();
        fs::write(tree.outside().join("moved/new"), "").unwrap();
        // Something else stands there now, with the same names.
        fs::create_dir_all(tree.join("a/d/d/d/z/other")).unwrap();
    });
    assert!(!shown.iter().any(|path| path.contains("other") || path.contains("moved")));
    assert!(shown.contains(&"b/after".to_owned()));
    // Directories whose descriptors are held go on; the others are told as replaced.
    let ins = shown.iter().filter(|path| path.ends_with("/in")).count();
    assert!((60..80).contains(&ins), "{ins}");
    assert_eq!(ins + faults.len(), 80, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.starts_with("dir_replaced a/d")), "{faults:?}");
}

#[test]
fn a_deep_tree_that_stays_is_listed_whole() {
    let tree = deep();
    let (shown, faults) = walk_and_change(&tree, "", || {});
    assert_eq!(shown.iter().filter(|path| path.ends_with("/in")).count(), 80);
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn t14_an_entry_that_flips_has_one_true_state() {
    let tree = TreeBuilder::new().files(["a/stays", "z"]).build();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| {
            let flip = tree.join("flip");
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::write(&flip, "");
                let _ = fs::remove_file(&flip);
                let _ = fs::create_dir(&flip);
                let _ = fs::write(flip.join("in"), "");
                let _ = fs::remove_dir_all(&flip);
                let _ = mknodat(CWD, &flip, FileType::Fifo, Bits::RUSR, 0);
                let _ = fs::remove_file(&flip);
            }
        });
        let lister = lister(tree.path());
        let (start, mut rounds) = (Instant::now(), 0_u64);
        while rounds < 400 || is_full() && start.elapsed() < Duration::from_secs(60) {
            let metadata = rounds % 2 == 0;
            rounds += 1;
            let page = whole(&lister, &ListRequest { metadata, ..ask(Mode::Fs, ".") });
            let listed = paths(&page);
            assert!(listed.contains(&"a/stays") && listed.contains(&"z"));
            let flips: Vec<Kind> =
                page.entries.iter().filter(|one| one.path == "flip").map(|one| one.kind).collect();
            assert!(flips.len() <= 1, "{flips:?}");
            let inside = listed.contains(&"flip/in");
            assert!(!inside || flips == [Kind::Dir], "{flips:?}");
        }
        let value = format!("{rounds} listings in {} s, one state each", start.elapsed().as_secs());
        figure("T-14", "a name that is file, directory, pipe and nothing by turns", &value);
    });
}

#[test]
fn t18_entries_that_stay_are_seen_once_over_pages_of_a_changing_tree() {
    let tree = Tree::empty();
    for number in 0..1_000 {
        let name = format!("d{:02}/f{number:04}", number % 20);
        fs::create_dir_all(tree.join(&name).parent().unwrap()).unwrap();
        fs::write(tree.join(&name), "").unwrap();
    }
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let mut request = ListRequest { limit: Some(30), ..ask(mode, ".") };
        let mut seen = Vec::new();
        for round in 0.. {
            let next = page(&lister, &request);
            seen.extend(next.entries.iter().map(|entry| entry.bytes().to_vec()));
            // Before, at and behind the place: new names, and directories that go.
            fs::write(tree.join(format!("d{:02}/new-{mode}-{round}", round % 20)), "").unwrap();
            let last = next.entries.last().map(|entry| tree.join(entry.bytes()));
            if let Some(last) =
                last.filter(|last| last.is_file() && last.to_str().unwrap().contains("new-"))
            {
                fs::remove_file(last).unwrap();
            }
            request.cursor = next.next_cursor;
            if request.cursor.is_none() {
                break;
            }
        }
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{mode}");
        let seen: BTreeSet<_> = seen.into_iter().collect();
        for number in 0..1_000 {
            let name = format!("d{:02}/f{number:04}", number % 20);
            assert!(seen.contains(name.as_bytes()), "{mode} {name}");
        }
    }
}
