//! Pages of a tree that is edited between them, in every mode.

use std::fs;

use trilist::{ListRequest, Lister, Mode};
use trilist_tests::{Tree, TreeBuilder, git};

use crate::harness::{MODES, ask, lister, page, pages_by_cursor, paths};

fn name(number: usize) -> String {
    format!("d{:02}/f{number:05}", number % 40)
}

/// A repository of so many tracked files.
fn forest(files: usize) -> Tree {
    TreeBuilder::new()
        .repo()
        .files((0..files).map(name))
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

/// All pages, with an edit behind each.
fn pages_with_edits(
    lister: &Lister,
    first: &ListRequest,
    mut edit: impl FnMut(usize, &str),
) -> (Vec<String>, usize) {
    let mut request = first.clone();
    let (mut seen, mut drifted) = (Vec::new(), 0);
    for round in 0.. {
        let next = page(lister, &request);
        drifted += usize::from(next.drifted);
        seen.extend(paths(&next).iter().map(|path| (*path).to_owned()));
        request.cursor = next.next_cursor.clone();
        if request.cursor.is_none() {
            return (seen, drifted);
        }
        edit(round, seen.last().unwrap());
    }
    unreachable!("the listing has an end")
}

#[test]
fn t18_entries_that_stay_are_seen_once_over_pages_of_every_mode() {
    const FILES: usize = 2_000;
    for mode in MODES {
        let tree = forest(FILES);
        let lister = lister(tree.path());
        let request = ListRequest { limit: Some(90), ..ask(*mode, ".") };
        let (seen, drifted) = pages_with_edits(&lister, &request, |round, last| {
            // Before the place, at it and behind it; the names sort around those that stay.
            let way = last.split('/').next().unwrap().to_owned();
            for dir in ["d00", "d39", way.as_str()] {
                fs::write(tree.join(format!("{dir}/e-{round}")), "").unwrap();
                fs::write(tree.join(format!("{dir}/g-{round}")), "").unwrap();
            }
            if round > 0 {
                let _ = fs::remove_file(tree.join(format!("d39/g-{}", round - 1)));
            }
            if *mode == Mode::Vcs {
                git(tree.path(), &["add", "-A"]);
            }
        });
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{mode}");
        let missing = (0..FILES).map(name).find(|name| seen.binary_search(name).is_err());
        assert_eq!(missing, None, "{mode}");
        assert!(drifted > 10, "{mode}: {drifted}");
    }
}

#[test]
fn t18_without_edits_nothing_drifts() {
    for mode in MODES {
        let tree = forest(400);
        let request = ListRequest { limit: Some(30), ..ask(*mode, ".") };
        let (seen, drifted) = pages_with_edits(&lister(tree.path()), &request, |_, _| {});
        // Forty directories and `.git` are rows of their own.
        let right = if *mode == Mode::Fs { 441 } else { 400 };
        assert_eq!((seen.len(), drifted), (right, 0), "{mode}");
    }
}

#[test]
fn t18_a_staged_edit_and_a_commit_drift_and_a_save_does_not() {
    let tree = forest(200);
    let lister = lister(tree.path());
    let first = page(&lister, &ListRequest { limit: Some(20), ..ask(Mode::Vcs, ".") });
    let next = ListRequest { cursor: first.next_cursor, ..ask(Mode::Vcs, ".") };
    let drifted = || page(&lister, &next).drifted;
    assert!(!drifted());
    fs::write(tree.join(name(3)), "saved").unwrap();
    assert!(!drifted(), "contents on disk are not listed");
    git(tree.path(), &["add", "-A"]);
    assert!(drifted(), "the index is another");
    let second = page(&lister, &ListRequest { limit: Some(20), ..ask(Mode::Vcs, ".") });
    let next = ListRequest { cursor: second.next_cursor, ..ask(Mode::Vcs, ".") };
    assert!(!page(&lister, &next).drifted);
    git(tree.path(), &["commit", "-q", "-m", "two"]);
    assert!(page(&lister, &next).drifted, "HEAD is another");
}

#[test]
fn t31_all_pages_of_one_directory_are_exactly_what_is_in_it() {
    const FILES: usize = 12_000;
    let tree = TreeBuilder::new()
        .repo()
        .files((0..FILES).map(|number| format!("wide/{number:05}")))
        .git(&["add", "-A"])
        .build();
    let right: Vec<String> = (0..FILES).map(|number| format!("{number:05}")).collect();
    for mode in MODES {
        for pin in [false, true] {
            let request = ListRequest { limit: Some(1_000), pin, ..ask(*mode, "wide") };
            let pages = pages_by_cursor(&lister(tree.path()), &request);
            let seen: Vec<&str> = pages.iter().flat_map(paths).collect();
            assert!(seen == right, "{mode} {pin}: {} entries", seen.len());
            assert_eq!(pages.last().unwrap().total, Some(FILES as u64), "{mode} {pin}");
        }
    }
}

#[test]
fn equal_ids_mean_equal_pages_in_every_mode() {
    for mode in MODES {
        let tree = forest(60);
        let lister = lister(tree.path());
        let id = || page(&lister, &ask(*mode, ".")).snapshot_id;
        let before = id();
        assert_eq!(before.len(), 32, "{mode}");
        assert_eq!(id(), before, "{mode}");
        fs::write(tree.join("d00/new"), "").unwrap();
        git(tree.path(), &["add", "-A"]);
        assert_ne!(id(), before, "{mode}");
        git(tree.path(), &["rm", "-q", "-f", "--cached", "d00/new"]);
        fs::remove_file(tree.join("d00/new")).unwrap();
        // The index is written anew, and names the same.
        assert_eq!(id(), before, "{mode}");
    }
}
