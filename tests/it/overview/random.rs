//! What holds for every overview, on random trees and repositories.

use std::collections::{BTreeMap, BTreeSet};

use trilist::overview::{Counts, Hidden, Measure, Overview, OverviewRequest, OverviewRow};
use trilist::{Kind, Lister, Mode, Page};

use super::overview;
use crate::harness::{MODES, lister, whole};
use crate::props::for_forests;
use crate::tracked::{TRACKED, repository};

#[test]
fn an_overview_keeps_its_budget_and_counts_as_the_listing() {
    for_forests(12, TRACKED, |forest| {
        let tree = repository(forest);
        let lister = lister(tree.path());
        for mode in MODES {
            for (max_bytes, measure) in [
                (1_024, Measure::Text),
                (1_400, Measure::Text),
                (1_700, Measure::Json),
                (60_000, Measure::Json),
            ] {
                for count in [true, false] {
                    let plain = OverviewRequest::new(*mode, ".");
                    let request =
                        OverviewRequest { max_bytes: Some(max_bytes), measure, count, ..plain };
                    check(&lister, &request);
                }
            }
        }
    });
}

fn check(lister: &Lister, request: &OverviewRequest) {
    let reply = overview(lister, request);
    assert_eq!(overview(lister, request), reply, "{request:?}");
    let page = whole(lister, &request.listing());
    let all = All::of(&page);
    in_tree_order(&reply);
    for row in &reply.rows {
        assert!(
            above(row.bytes()).is_none_or(|dir| reply.rows.iter().any(|row| row.bytes() == dir))
        );
        counts_are_those_of_the_listing(row, &all, request);
    }
    if reply.counts.is_some() {
        assert_eq!(reply.counts, Some(all.below(b"")));
        nothing_is_lost(&reply, &all);
    }
    let is_whole = reply.rows.len() == all.kinds.len();
    assert!(!reply.complete || is_whole, "{request:?}");
    assert_eq!(reply.truncated, reply.truncated_by.is_some());
}

/// A listing's entries, with the directories that are drawn from their paths.
struct All {
    kinds: BTreeMap<Vec<u8>, Kind>,
}

impl All {
    fn of(page: &Page) -> All {
        let mut kinds: BTreeMap<Vec<u8>, Kind> = BTreeMap::new();
        for entry in &page.entries {
            let mut at = above(entry.bytes());
            while let Some(dir) = at {
                kinds.entry(dir.to_vec()).or_insert(Kind::Dir);
                at = above(dir);
            }
            kinds.insert(entry.bytes().to_vec(), entry.kind);
        }
        All { kinds }
    }

    fn below(&self, dir: &[u8]) -> Counts {
        let start = if dir.is_empty() { Vec::new() } else { [dir, b"/"].concat() };
        let below = self.kinds.iter().filter(|(path, _)| path.starts_with(&start));
        let dirs = below.clone().filter(|(_, kind)| **kind == Kind::Dir).count() as u64;
        Counts { files: below.count() as u64 - dirs, dirs, at_least: false }
    }

    /// What lies directly in a directory.
    fn own(&self, dir: &[u8]) -> BTreeSet<(&[u8], bool)> {
        let own = self.kinds.iter().filter(|(path, _)| above(path).unwrap_or(b"") == dir);
        own.map(|(path, kind)| (path.as_slice(), *kind == Kind::Dir)).collect()
    }
}

fn above(path: &[u8]) -> Option<&[u8]> {
    path.iter().rposition(|byte| *byte == b'/').map(|slash| &path[..slash])
}

fn in_tree_order(reply: &Overview) {
    let keys: Vec<Vec<u8>> = reply
        .rows
        .iter()
        .map(|row| row.bytes().iter().map(|byte| if *byte == b'/' { 0 } else { *byte }).collect())
        .collect();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", reply.rows);
}

fn counts_are_those_of_the_listing(row: &OverviewRow, all: &All, request: &OverviewRequest) {
    // Without counts a directory is shown before it is known to hold a file.
    let is_drawn = !request.count && request.mode == Mode::Files && row.kind == Kind::Dir;
    assert!(is_drawn || all.kinds.get(row.bytes()) == Some(&row.kind), "{row:?}");
    if let Some(counts) = row.counts {
        assert_eq!(counts, all.below(row.bytes()), "{row:?}");
    }
}

/// Rows and what is said to be hidden make up all that lies directly in an open directory.
fn nothing_is_lost(reply: &Overview, all: &All) {
    let open = reply.rows.iter().filter(|row| row.open).map(|row| (row.bytes(), row.hidden));
    for (dir, hidden) in open.chain([(&b""[..], reply.hidden)]) {
        let own = all.own(dir);
        let rows: BTreeSet<&[u8]> = reply
            .rows
            .iter()
            .map(OverviewRow::bytes)
            .filter(|path| above(path).unwrap_or(b"") == dir)
            .collect();
        let missing = own.iter().filter(|(path, _)| !rows.contains(path));
        let dirs = missing.clone().filter(|(_, is_dir)| *is_dir).count() as u64;
        let files = missing.count() as u64 - dirs;
        assert_eq!(hidden.unwrap_or_default(), Hidden { files, dirs }, "{dir:?}");
        if dir.is_empty() && hidden.is_some() {
            // Only when they do not fit alone.
            assert!(reply.rows.iter().all(|row| !row.open) || dirs == 0, "{:?}", reply.rows);
        }
    }
    // A directory is open before one beside it is opened further.
    let shut = reply.rows.iter().filter(|row| {
        row.kind == Kind::Dir
            && !row.open
            && row.skipped.is_none()
            && row.counts != Some(Counts::default())
    });
    assert!(shut.count() == 0 || reply.truncated);
}
