//! File systems that answer in odd ways: names twice, kinds not told, names without an end.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use trilist::{Cancel, ListRequest, Lister, Mode, Policy, TruncatedBy};
use trilist_tests::{Answers, Fuse, FuseDir, Tree, skip};

use super::swaps::StopOnDrop;
use crate::harness::{
    Right, ask, check, everything, lister, page, pages_by_cursor, paths, policy, rows, warned,
    whole,
};

/// Mounts the directories at `served` in a tree of its own; nothing where that is not allowed. The
/// mount comes last, so that it is dropped before the tree is taken apart.
pub(crate) fn served(dirs: Vec<FuseDir>) -> Option<(Tree, Fuse)> {
    let tree = Tree::empty();
    match Fuse::mount(&tree.join("served"), dirs) {
        Ok(fuse) => Some((tree, fuse)),
        Err(reason) => {
            if rustix::process::geteuid().is_root() {
                skip(&reason);
            }
            None
        }
    }
}

#[test]
fn t26_a_name_that_comes_twice_is_listed_once() {
    let twice = FuseDir::new("d", &["b", "a", "b", "sub/", "c", "a", "sub/"]);
    let Some((tree, _fuse)) = served(vec![twice]) else { return };
    fs::write(tree.join("z"), "").unwrap();
    let right = [
        "served/",
        "served/d/",
        "served/d/a",
        "served/d/b",
        "served/d/c",
        "served/d/sub/ empty",
        "z",
    ];
    check(&tree, &everything("."), Right::rows(&right));
    let files = ["served/d/a", "served/d/b", "served/d/c", "z"];
    check(&tree, &ask(Mode::Files, "."), Right::rows(&files));
    // Also over pages, of which each reads the directory anew.
    for limit in 1..=7 {
        let request = ListRequest { limit: Some(limit), ..everything(".") };
        let pages = pages_by_cursor(&lister(tree.path()), &request);
        let joined: Vec<String> = pages.iter().flat_map(rows).collect();
        assert_eq!(joined.len(), right.len(), "{limit}: {joined:?}");
        assert!(
            joined.iter().zip(right).all(|(row, right)| right.starts_with(row.as_str())),
            "{joined:?}"
        );
    }
}

#[test]
fn t26_kinds_that_are_not_told_are_asked_for() {
    let untyped = FuseDir::new("d", &["file", "sub/", "z"]).untyped();
    let Some((tree, _fuse)) = served(vec![untyped]) else { return };
    let right = ["d/", "d/file", "d/sub/ empty", "d/z"];
    check(&tree, &everything("served"), Right::rows(&right));
}

#[test]
fn t26_an_error_of_the_file_system_is_told() {
    const EIO: i32 = 5;
    let dirs = vec![
        FuseDir::new("bad", &["x"]).answers(Answers::Error(EIO)),
        FuseDir::new("good", &["y"]),
    ];
    let Some((tree, _fuse)) = served(dirs) else { return };
    let right = Right::rows(&["bad/ unreadable", "good/", "good/y"]);
    check(&tree, &everything("served"), right.warned(&["io_error bad gap"]));
}

#[test]
fn t17_a_directory_without_an_end_ends_at_the_cap() {
    let dirs = vec![FuseDir::new("endless", &[]).answers(Answers::Endlessly)];
    let Some((tree, _fuse)) = served(dirs) else { return };
    fs::write(tree.join("a"), "").unwrap();
    let lister = Lister::open(&[tree.path()], Policy { scan_cap: 2_000, ..policy() }).unwrap();
    for mode in [Mode::Fs, Mode::Files] {
        let page = whole(&lister, &ListRequest { depth: Some(9), ..ask(mode, ".") });
        assert_eq!(page.truncated_by, Some(TruncatedBy::ScanCap));
        assert!(!page.complete && paths(&page)[0] == "a", "{:?}", rows(&page));
        // Of a directory that was not read to its end nothing is told: a smaller name may follow.
        assert!(!rows(&page).iter().any(|row| row.contains("endless/n")), "{:?}", rows(&page));
        let alone = lister.list(&ask(mode, "served/endless"), &Cancel::new());
        assert_eq!(alone.unwrap_err().code(), "timeout");
    }
}

#[test]
fn t17_a_directory_without_an_end_ends_with_the_deadline() {
    let dirs = vec![FuseDir::new("endless", &[]).answers(Answers::Endlessly)];
    let Some((tree, _fuse)) = served(dirs) else { return };
    fs::write(tree.join("a"), "").unwrap();
    let lister = Lister::open(&[tree.path()], Policy { scan_cap: u64::MAX, ..policy() }).unwrap();
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { depth: Some(9), deadline_ms: Some(1_500), ..ask(mode, ".") };
        let page = whole(&lister, &request);
        assert_eq!(page.truncated_by, Some(TruncatedBy::Deadline));
        assert!(!page.complete && paths(&page)[0] == "a");
    }
}

#[test]
fn t17_endless_creation_ends_and_what_was_there_is_listed() {
    let tree = Tree::on_tmpfs();
    let stays: Vec<String> = (0..500).map(|number| format!("stays-{number:03}")).collect();
    stays.iter().for_each(|name| fs::write(tree.join(name), "").unwrap());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| {
            for number in 0u64.. {
                if stop.load(Ordering::Relaxed) || number > 30_000 {
                    return;
                }
                fs::write(tree.join(format!("new-{number:09}")), "").unwrap();
            }
        });
        let capped = Lister::open(&[tree.path()], Policy { scan_cap: 3_000, ..policy() }).unwrap();
        let lister = lister(tree.path());
        for round in 0..10 {
            let request = ListRequest { limit: Some(1_000_000), ..ask(Mode::Fs, ".") };
            let all = page(&lister, &request);
            let listed: BTreeSet<&str> = paths(&all).into_iter().collect();
            assert!(stays.iter().all(|name| listed.contains(name.as_str())), "round {round}");
            assert_eq!(listed.len() as u64, all.returned, "each once");
            assert_eq!(warned(&all), Vec::<String>::new());
            let cut = capped.list(&request, &Cancel::new());
            // Before the writer has made enough it is whole; then the cap ends it.
            match cut {
                Ok(cut) => assert!(cut.complete || cut.truncated_by == Some(TruncatedBy::ScanCap)),
                Err(error) => assert_eq!(error.code(), "timeout"),
            }
        }
    });
}
