//! Pages in other orders, against sorting everything and cutting slices.

use std::cmp::Ordering;

use proptest::prelude::*;
use trilist_core::pager::Budget;
use trilist_core::sorted::{Order, SortedBody, SortedPaging, SortedResume, sorted_page};
use trilist_core::{Kind, ListError, Metadata, Modified, Sort, TruncatedBy};

use crate::fake::{Fake, Said, What, dir, file, gap, hidden, with_metadata};
use crate::random::listing;

const SORTS: [Sort; 4] = [Sort::Path, Sort::Size, Sort::Modified, Sort::Kind];

fn orders() -> impl Iterator<Item = Order> {
    SORTS.into_iter().flat_map(|sort| [false, true].map(|reverse| Order { sort, reverse }))
}

fn paging(order: Order, limit: u64) -> SortedPaging<'static> {
    SortedPaging { order, limit, skip: 0, resumed: None, budget: None }
}

/// Always from the beginning: other orders need the whole set for every page.
fn take(fake: &Fake, paging: SortedPaging<'_>) -> Result<SortedBody, ListError> {
    fake.with_open(None, |events| sorted_page(events, paging))
}

fn resume(last: &SortedBody) -> Option<SortedResume> {
    let (path, identity) = last.body.next.clone()?;
    let ordinal = last.body.before.expect("it was counted") + last.body.entries.len() as u64;
    Some(SortedResume { ordinal, rank: last.last_rank, path, identity })
}

fn paths(page: &SortedBody) -> Vec<Vec<u8>> {
    page.body.entries.iter().map(|entry| entry.bytes().to_vec()).collect()
}

/// The order as DESIGN tells it, written as one comparison.
fn in_order(order: Order, a: &Said, b: &Said) -> Ordering {
    let facts = |said: &Said| match &said.what {
        What::Entry { kind, metadata, .. } => (*kind, metadata.clone().unwrap_or_default()),
        _ => unreachable!("only entries are sorted"),
    };
    let ((a_kind, a_meta), (b_kind, b_meta)) = (facts(a), facts(b));
    let by_path = a.path.cmp(&b.path);
    let turned = |ordering: Ordering| if order.reverse { ordering.reverse() } else { ordering };
    // Greatest first; what has no key comes last either way.
    fn greatest<K: Ord>(a: Option<K>, b: Option<K>, reverse: bool) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) => {
                if reverse {
                    a.cmp(&b)
                } else {
                    b.cmp(&a)
                }
            }
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }
    match order.sort {
        Sort::Path => turned(by_path),
        Sort::Size => greatest(a_meta.size_bytes, b_meta.size_bytes, order.reverse).then(by_path),
        Sort::Modified => greatest(a_meta.modified, b_meta.modified, order.reverse).then(by_path),
        Sort::Kind => {
            let place = |kind| {
                let kinds = [Kind::Dir, Kind::File, Kind::Symlink, Kind::Submodule, Kind::Other];
                kinds.iter().position(|one| *one == kind)
            };
            turned(place(a_kind).cmp(&place(b_kind))).then(by_path)
        }
    }
}

fn oracle(fake: &Fake, order: Order) -> Vec<Vec<u8>> {
    let mut entries: Vec<&Said> = fake.events().iter().filter(|said| said.is_entry()).collect();
    entries.sort_by(|a, b| in_order(order, a, b));
    entries.into_iter().map(|said| said.path.as_bytes().to_vec()).collect()
}

fn check(fake: &Fake, order: Order, limit: u64) {
    let expected = oracle(fake, order);
    let total = expected.len() as u64;
    let whole = take(fake, paging(order, u64::MAX)).unwrap();
    let mut resumed = None;
    let mut pages = 0;
    for (n, slice) in expected.chunks(limit as usize).enumerate() {
        let skip = n as u64 * limit;
        let is_last = skip + limit >= total;
        let by_offset = take(fake, SortedPaging { skip, ..paging(order, limit) }).unwrap();
        let by_cursor = SortedPaging { resumed: resumed.take(), ..paging(order, limit) };
        let by_cursor = take(fake, by_cursor).unwrap();
        for page in [&by_offset, &by_cursor] {
            assert_eq!(paths(page), slice, "{order:?}, page {n} of {limit}");
            let body = &page.body;
            assert_eq!(body.before, Some(skip));
            assert_eq!(body.truncated_by, (!is_last).then_some(TruncatedBy::Limit));
            assert_eq!((body.total, body.at_least), (Some(total), total));
            assert_eq!(body.next.is_some(), !is_last);
            assert_eq!(body.complete, limit >= total && !whole.body.tally.has_gaps());
            assert!(!body.drifted && body.not_reached.is_empty());
            // The first page tells what is left out of all of them.
            let told = body.tally.omitted();
            assert_eq!(told, if n == 0 { whole.body.tally.omitted() } else { Vec::new() });
        }
        resumed = resume(&by_cursor);
        pages += 1;
    }
    assert_eq!(pages, total.div_ceil(limit));
    assert_eq!(resumed, None);
}

fn sized(path: &str, size: u64) -> Said {
    let metadata = Metadata { size_bytes: Some(size), ..Metadata::default() };
    with_metadata(path, Kind::File, metadata)
}

const SIZE: Order = Order { sort: Sort::Size, reverse: false };

#[test]
fn largest_first_ties_by_path_and_no_key_last() {
    let said = vec![file("none"), sized("a", 1), sized("b", 9), sized("c", 9), sized("z", 0)];
    let fake = Fake::new(said);
    let names = |reverse| {
        let page = take(&fake, paging(Order { sort: Sort::Size, reverse }, 9)).unwrap();
        page.body.entries.into_iter().map(|entry| entry.path).collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["b", "c", "a", "z", "none"]);
    assert_eq!(names(true), ["z", "a", "b", "c", "none"]);
}

#[test]
fn keys_at_the_edge_keep_their_order() {
    let at = |path: &str, seconds| {
        let modified = Some(Modified { seconds, nanoseconds: 999_999_999 });
        with_metadata(path, Kind::File, Metadata { modified, ..Metadata::default() })
    };
    let times = [i64::MIN, -(1 << 60), -1, 0, 1 << 60, i64::MAX];
    let names = ["a", "b", "c", "d", "e", "f"];
    let mut said: Vec<Said> = names.iter().zip(times).map(|(name, time)| at(name, time)).collect();
    said.push(file("none"));
    let fake = Fake::new(said);
    for order in orders() {
        (1..=8).for_each(|limit| check(&fake, order, limit));
    }
    let fake = Fake::new(vec![sized("a", u64::MAX), sized("b", u64::MAX - 1), file("c")]);
    for order in orders() {
        (1..=4).for_each(|limit| check(&fake, order, limit));
    }
}

#[test]
fn a_gap_is_never_complete() {
    let page = take(&Fake::new(vec![dir("a"), gap("a")]), paging(SIZE, 9)).unwrap();
    assert!(!page.body.complete);
    assert_eq!(page.body.total, Some(1));
}

#[test]
fn an_empty_listing_is_an_empty_page() {
    let page = take(&Fake::default(), paging(SIZE, 9)).unwrap();
    assert!(page.body.complete);
    assert_eq!((page.body.total, page.body.at_least), (Some(0), 0));
}

#[test]
fn an_offset_past_the_end_tells_how_many_there_are() {
    for skip in [3, 4, u64::MAX - 1] {
        let error = take(&Fake::files(3), SortedPaging { skip, ..paging(SIZE, 9) }).unwrap_err();
        assert_eq!(error, ListError::OffsetOutOfRange { offset: skip + 1, entries: 3 });
    }
}

#[test]
fn what_was_stopped_says_so_because_better_ones_may_follow() {
    let said = (0..9).map(|n| sized(&format!("f{n}"), n)).collect();
    let fake = Fake::new(said);
    for (error, by) in [
        (ListError::ScanCap { cap: 6 }, TruncatedBy::ScanCap),
        (ListError::Timeout, TruncatedBy::Deadline),
    ] {
        let stopped = fake.clone().stop(6, error);
        let page = take(&stopped, paging(SIZE, 3)).unwrap();
        assert_eq!(paths(&page), [b"f5", b"f4", b"f3"]);
        assert_eq!(page.body.truncated_by, Some(by));
        assert_eq!((page.body.total, page.body.at_least), (None, 6));
        assert!(!page.body.complete);
        assert!(page.body.next.is_none(), "a rank among a part is no place in the whole");
        let page = take(&stopped, paging(SIZE, 6)).unwrap();
        assert_eq!(page.body.truncated_by, Some(by));
        assert!(page.body.next.is_none());
    }
}

#[test]
fn a_deadline_before_the_first_entry_of_the_page_is_an_error() {
    let fake = Fake::files(9).stop(3, ListError::Timeout);
    let error = take(&fake, SortedPaging { skip: 5, ..paging(SIZE, 2) }).unwrap_err();
    assert_eq!(error, ListError::Timeout);
    let fake = Fake::files(9).stop(0, ListError::Timeout);
    assert_eq!(take(&fake, paging(SIZE, 2)).unwrap_err(), ListError::Timeout);
}

#[test]
fn the_scan_cap_before_the_offset_counts_what_was_seen() {
    let fake = Fake::files(9).stop(3, ListError::ScanCap { cap: 3 });
    let page = take(&fake, SortedPaging { skip: 5, ..paging(SIZE, 2) }).unwrap();
    assert_eq!(page.body.truncated_by, Some(TruncatedBy::ScanCap));
    assert_eq!((page.body.entries.len(), page.body.at_least), (0, 3));
    assert!(page.body.next.is_none());
}

#[test]
fn cancelling_is_an_error() {
    let fake = Fake::files(9).stop(3, ListError::Cancelled);
    assert_eq!(take(&fake, paging(SIZE, 2)).unwrap_err(), ListError::Cancelled);
}

#[test]
fn pages_go_on_behind_the_rank_whatever_changed() {
    let said = |sizes: &[u64]| {
        let sized = sizes.iter().map(|size| sized(&format!("f{size}"), *size));
        Fake::new(sized.collect())
    };
    let first = take(&said(&[1, 2, 3, 4, 5, 6]), paging(SIZE, 2)).unwrap();
    assert_eq!(paths(&first), [b"f6", b"f5"]);
    // A larger one has come, and the one that the page ended with has gone.
    let changed = said(&[1, 2, 3, 4, 6, 7]);
    let resumed = resume(&first);
    let rest = take(&changed, SortedPaging { resumed, ..paging(SIZE, 9) }).unwrap();
    assert_eq!(paths(&rest), [b"f4", b"f3", b"f2", b"f1"]);
    assert!(rest.body.drifted);
    assert_eq!((rest.body.total, rest.body.at_least), (None, 6));
}

#[test]
fn entries_that_are_gone_are_not_counted_any_more() {
    let first = take(&Fake::files(10), paging(SIZE, 5)).unwrap();
    let resumed = resume(&first);
    let left = Fake::new(vec![file("f0008")]);
    let rest = take(&left, SortedPaging { resumed, ..paging(SIZE, 5) }).unwrap();
    assert!(rest.body.drifted);
    assert_eq!(rest.body.at_least, 1);
}

#[test]
fn a_budget_ends_the_page_between_entries() {
    let fake = Fake::files(5);
    for (bytes, expected) in [(0, 1), (10, 1), (19, 1), (20, 2), (49, 4), (50, 5), (99, 5)] {
        let mut cost = |_: &trilist_core::Entry| 10;
        let budget = Some(Budget { bytes, cost: &mut cost });
        let page = take(&fake, SortedPaging { budget, ..paging(SIZE, 9) }).unwrap();
        assert_eq!(page.body.entries.len(), expected, "{bytes} bytes");
        let cut = expected < 5;
        assert_eq!(page.body.truncated_by, cut.then_some(TruncatedBy::Budget));
        assert_eq!((page.body.complete, page.body.next.is_some()), (!cut, cut));
        assert_eq!(page.body.total, Some(5));
    }
}

#[test]
fn warnings_use_the_budget_of_the_page_that_tells_them() {
    let mut said = vec![hidden("a"), gap("")];
    said.extend((0..5).map(|n| sized(&format!("f{n}"), n)));
    let fake = Fake::new(said);
    let bounded = |resumed| {
        let mut cost = |_: &trilist_core::Entry| 10;
        let budget = Some(Budget { bytes: 30, cost: &mut cost });
        take(&fake, SortedPaging { budget, resumed, ..paging(SIZE, 9) }).unwrap()
    };
    let first = bounded(None);
    assert_eq!((first.body.entries.len(), first.body.tally.warnings_total()), (1, 1));
    let second = bounded(resume(&first));
    assert_eq!((second.body.entries.len(), second.body.tally.warnings_total()), (3, 0));
}

proptest! {
    // Each case takes every order both ways.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_listings_agree_with_sorting_everything(fake in listing(), limit in 1u64..12) {
        for order in orders() {
            check(&fake, order, limit);
        }
    }
}
