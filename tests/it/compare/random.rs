//! Comparisons against the three listings that they compare, on random repositories.

use std::collections::BTreeMap;

use trilist::compare::{Compared, ComparedPath, Fold};
use trilist::{
    CompareRequest, Comparison, IgnorePolicy, Kind, ListRequest, Lister, Mode, Reason, Show,
};
use trilist_tests::Tree;
use trilist_tests::oracle::{git_ls_files, git_ls_tree};

use super::compare;
use crate::closed::closed_at;
use crate::harness::{lister, whole};
use crate::props::for_forests;
use crate::tracked::{TRACKED, repository};

fn requests() -> Vec<CompareRequest> {
    let plain = CompareRequest::new(".");
    vec![
        CompareRequest { include_hidden: Some(false), ..plain.clone() },
        CompareRequest { depth: Some(2), ..plain.clone() },
        CompareRequest { pattern: vec!["a*".to_owned()], ..plain.clone() },
        plain,
    ]
}

#[test]
fn a_comparison_is_its_three_listings() {
    for_forests(15, TRACKED, |forest| {
        let tree = repository(forest);
        agrees(&tree, &lister(tree.path()));
    });
}

/// Comparisons of a repository agree with its listings.
pub(crate) fn agrees(tree: &Tree, lister: &Lister) {
    for request in requests() {
        let all = CompareRequest {
            show: Compared::All,
            fold: Fold::Never,
            limit: Some(100_000),
            ..request
        };
        let reply = compare(lister, &all);
        rows_are_those_of_the_listings(lister, &all, &reply);
        reasons_are_true(tree, lister, &all, &reply);
        differences_are_a_part(lister, &all, &reply);
        folds_stand_for_what_is_below(lister, &all);
        pages_join(lister, &all, &reply);
    }
}

/// What each mode's own listing has, by path.
fn listings(lister: &Lister, request: &CompareRequest) -> Vec<BTreeMap<Vec<u8>, Kind>> {
    let list = |mode| {
        let page = whole(lister, &request.asked_of(mode));
        page.entries.iter().map(|entry| (entry.bytes().to_vec(), entry.kind)).collect()
    };
    Mode::ALL.into_iter().map(list).collect()
}

fn rows_are_those_of_the_listings(lister: &Lister, request: &CompareRequest, reply: &Comparison) {
    let modes = listings(lister, request);
    let all: BTreeMap<&Vec<u8>, Vec<Kind>> = modes.iter().flatten().fold(
        BTreeMap::new(),
        |mut all: BTreeMap<&Vec<u8>, Vec<Kind>>, (path, kind)| {
            all.entry(path).or_default().push(*kind);
            all
        },
    );
    let holds_some = |dir: &[u8]| {
        let start = [dir, b"/"].concat();
        all.keys().any(|path| path.starts_with(&start))
    };
    let is_dir =
        |kinds: &[Kind]| kinds.iter().any(|kind| matches!(kind, Kind::Dir | Kind::Submodule));
    let mut right: Vec<(Vec<u8>, Vec<u8>, Vec<bool>)> = all
        .iter()
        .filter(|(path, kinds)| {
            kinds.contains(&Kind::Submodule) || !(is_dir(kinds) && holds_some(path))
        })
        .map(|(path, kinds)| {
            let key = if is_dir(kinds) { [path, &b"/"[..]].concat() } else { path.to_vec() };
            let listed = modes.iter().map(|mode| mode.contains_key(*path)).collect();
            (key, path.to_vec(), listed)
        })
        .collect();
    right.sort();
    let found: Vec<(Vec<u8>, Vec<bool>)> =
        reply.rows.iter().map(|row| (row.bytes().to_vec(), listed(row))).collect();
    let right: Vec<(Vec<u8>, Vec<bool>)> =
        right.into_iter().map(|(_, path, listed)| (path, listed)).collect();
    assert_eq!(found, right, "{request:?}");
    assert_eq!(reply.compared, right.len() as u64);
    for (at, mode) in Mode::ALL.into_iter().enumerate() {
        let column = reply.modes.mode(mode);
        let listed = right.iter().filter(|(_, listed)| listed[at]).count() as u64;
        assert_eq!(column.listed, listed);
        let absent: u64 = column.absent.iter().map(|one| one.count).sum();
        assert_eq!(absent, reply.compared - listed);
    }
    assert!(reply.complete && reply.total == Some(reply.returned), "{request:?}");
}

fn listed(row: &ComparedPath) -> Vec<bool> {
    row.modes.iter().map(|(_, one)| one.as_ref().unwrap().listed).collect()
}

/// Reasons against git, the disk, and a listing that marks what it ignores.
fn reasons_are_true(tree: &Tree, lister: &Lister, request: &CompareRequest, reply: &Comparison) {
    let tracked: Vec<Vec<u8>> =
        git_ls_files(tree.path()).into_iter().chain(git_ls_tree(tree.path())).collect();
    let ignore = IgnorePolicy { show: Some(Show::Mark), ..IgnorePolicy::default() };
    let marked = whole(
        lister,
        &ListRequest { ignore, pattern: Vec::new(), ..request.asked_of(Mode::Files) },
    );
    for row in &reply.rows {
        for (mode, one) in row.modes.iter() {
            let one = one.as_ref().unwrap();
            let Some(reason) = one.reason else { continue };
            let below = |dir: &[u8]| row.bytes().starts_with(&[dir, b"/"].concat());
            match (mode, reason) {
                (Mode::Vcs, Reason::Untracked) => {
                    assert!(!tracked.iter().any(|path| path == row.bytes()), "{row:?}");
                }
                (Mode::Fs | Mode::Files, Reason::Absent) => {
                    assert!(tree.join(row.bytes()).symlink_metadata().is_err(), "{row:?}");
                }
                (Mode::Files, Reason::Ignored) => {
                    let by = marked.entries.iter().find(|entry| {
                        let is_here = entry.bytes() == row.bytes() || below(entry.bytes());
                        is_here && entry.ignored_by.is_some()
                    });
                    assert_eq!(by.and_then(|entry| entry.ignored_by.as_ref()), one.rule.as_ref());
                    assert!(by.is_some(), "{row:?}");
                }
                (Mode::Files | Mode::Vcs, Reason::Empty) => {
                    assert_eq!(row.kind, Kind::Dir, "{row:?}");
                }
                (Mode::Fs | Mode::Files, Reason::Link) => {
                    let below = one.below.as_ref().unwrap().as_bytes();
                    let below = trilist::quote::unquoted(below).unwrap_or_else(|| below.to_vec());
                    assert!(tree.join(below).is_symlink(), "{row:?}");
                }
                (Mode::Fs, Reason::Builtin) | (_, Reason::Depth) => {
                    assert!(one.below.is_some(), "{row:?}");
                }
                (_, Reason::Protected) => {
                    let is_closed = |part| part == b".git" || closed_at(row.bytes()).is_some();
                    assert!(row.bytes().split(|byte| *byte == b'/').any(is_closed), "{row:?}");
                }
                (_, Reason::Hidden) => assert_eq!(request.include_hidden, Some(false), "{row:?}"),
                (_, Reason::Pattern) => assert!(!request.pattern.is_empty(), "{row:?}"),
                (Mode::Files, Reason::Kind) => {
                    let vcs = row.modes.vcs.as_ref().unwrap();
                    assert_eq!((row.kind, vcs.kind), (Kind::Dir, Some(Kind::Submodule)), "{row:?}");
                }
                (Mode::Files, Reason::Builtin) => {}
                other => panic!("{other:?} of {row:?}"),
            }
        }
    }
}

fn differences_are_a_part(lister: &Lister, all: &CompareRequest, reply: &Comparison) {
    let some = compare(lister, &CompareRequest { show: Compared::Differences, ..all.clone() });
    let differs = |row: &&ComparedPath| row.with_ref(|row| row.differs());
    let right: Vec<_> = reply.rows.iter().filter(differs).cloned().collect();
    assert_eq!(some.rows, right);
    assert_eq!((some.differing, some.compared), (right.len() as u64, reply.compared));
    assert_eq!(some.modes.map(|column| column.listed), reply.modes.map(|column| column.listed));
}

fn folds_stand_for_what_is_below(lister: &Lister, all: &CompareRequest) {
    let unfolded = CompareRequest { show: Compared::Differences, ..all.clone() };
    let folded = compare(lister, &CompareRequest { fold: Fold::Cut, ..unfolded.clone() });
    let whole = compare(lister, &unfolded);
    let mut rest = whole.rows.clone();
    let mut lost = 0;
    for row in &folded.rows {
        let Some(fold) = row.folded else {
            let at = rest.iter().position(|other| other == row).unwrap();
            rest.remove(at);
            continue;
        };
        let start = [row.bytes(), b"/"].concat();
        let (below, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|other| other.bytes().starts_with(&start));
        rest = others;
        for other in &below {
            let modes: Vec<Mode> = Mode::ALL.into_iter().filter(|mode| one(other, *mode)).collect();
            assert_eq!(modes, [fold.mode], "{other:?} in {row:?}");
        }
        let files = below.iter().filter(|other| other.kind != Kind::Dir).count() as u64;
        assert_eq!(fold.files, files, "{row:?}");
        lost += below.len() as u64 - files.max(1);
    }
    assert_eq!(rest, []);
    assert_eq!(folded.differing + lost, whole.differing);
    assert_eq!(folded.compared + lost, whole.compared);
}

fn one(row: &ComparedPath, mode: Mode) -> bool {
    row.modes.mode(mode).as_ref().is_some_and(|one| one.listed)
}

fn pages_join(lister: &Lister, all: &CompareRequest, reply: &Comparison) {
    let mut rows = Vec::new();
    let mut offset = None;
    loop {
        let page = compare(lister, &CompareRequest { limit: Some(7), offset, ..all.clone() });
        assert_eq!((page.compared, page.differing), (reply.compared, reply.differing));
        assert_eq!(page.truncated, page.next_offset.is_some());
        assert_eq!(page.complete, rows.is_empty() && !page.truncated);
        rows.extend(page.rows);
        offset = page.next_offset;
        if offset.is_none() {
            break;
        }
    }
    assert_eq!(rows, reply.rows);
}
