//! Pages of any source: nothing twice, nothing lost, and every flag exact.

use proptest::prelude::*;
use trilist_core::pager::{Budget, PageBody, Paging, Resumed, page};
use trilist_core::tally::Tally;
use trilist_core::{Kind, ListError, Reason, RelPathBuf, TruncatedBy};

use crate::fake::{Fake, Said, dir, file, gap, hidden, ignored, note, omitted};
use crate::random::listing;

pub(crate) fn paging(limit: u64) -> Paging<'static> {
    Paging { limit, skip: 0, resumed: None, count: false, budget: None, not_reached: 50 }
}

fn first(fake: &Fake, paging: Paging<'_>) -> Result<PageBody, ListError> {
    fake.with_open(None, |events| page(events, paging))
}

fn next(fake: &Fake, last: &PageBody, paging: Paging<'_>) -> Result<PageBody, ListError> {
    let (after, identity) = last.next.as_ref().unwrap();
    let ordinal = last.before.map(|before| before + last.entries.len() as u64);
    let identity = Some(*identity);
    let paging = Paging { resumed: Some(Resumed { ordinal, identity }), ..paging };
    fake.with_open(Some(after), |events| page(events, paging))
}

/// All pages by resuming, as cursors do.
fn by_cursor(fake: &Fake, limit: u64) -> Vec<PageBody> {
    let mut pages = vec![first(fake, paging(limit)).unwrap()];
    while pages.last().unwrap().next.is_some() {
        let page = next(fake, pages.last().unwrap(), paging(limit)).unwrap();
        pages.push(page);
    }
    pages
}

/// All pages by skipping, as offsets do.
fn by_offset(fake: &Fake, limit: u64) -> Vec<PageBody> {
    let mut pages = vec![first(fake, paging(limit)).unwrap()];
    while pages.last().unwrap().next.is_some() {
        let skip = pages.iter().map(|page| page.entries.len() as u64).sum();
        pages.push(first(fake, Paging { skip, ..paging(limit) }).unwrap());
    }
    pages
}

fn whole(fake: &Fake) -> PageBody {
    first(fake, paging(u64::MAX)).unwrap()
}

fn paths(page: &PageBody) -> Vec<&[u8]> {
    page.entries.iter().map(|entry| entry.bytes()).collect()
}

fn joined(pages: &[PageBody]) -> Tally {
    let mut sum = Tally::default();
    pages.iter().for_each(|page| sum.append(page.tally.clone()));
    sum
}

/// Pages of `limit` joined are the whole, and each says truly where it stands.
fn check_pages(pages: &[PageBody], whole: &PageBody, limit: u64) {
    let total = whole.entries.len() as u64;
    let entries: Vec<_> = pages.iter().flat_map(paths).collect();
    assert_eq!(entries, paths(whole));
    let sum = joined(pages);
    assert_eq!(sum.omitted(), whole.tally.omitted());
    assert_eq!(sum.warnings(), whole.tally.warnings());
    assert_eq!(sum.warnings_total(), whole.tally.warnings_total());
    assert_eq!(pages.len() as u64, total.div_ceil(limit).max(1), "an exactly full page is not cut");
    let mut before = 0;
    for (n, page) in pages.iter().enumerate() {
        let is_last = n + 1 == pages.len();
        assert_eq!(page.before, Some(before));
        before += page.entries.len() as u64;
        assert_eq!(page.truncated_by, (!is_last).then_some(TruncatedBy::Limit));
        assert_eq!(page.total, is_last.then_some(total));
        assert_eq!(page.at_least, if is_last { total } else { before + 1 });
        assert_eq!(page.next.is_some(), !is_last);
        assert_eq!(page.complete, pages.len() == 1 && !whole.tally.has_gaps());
        assert!(!page.drifted);
        if n > 0 {
            assert_eq!(page.not_reached, []);
        }
    }
}

fn check_every_limit(fake: &Fake) {
    let whole = whole(fake);
    for limit in 1..=whole.entries.len() as u64 + 1 {
        check_pages(&by_cursor(fake, limit), &whole, limit);
        check_pages(&by_offset(fake, limit), &whole, limit);
    }
}

#[test]
fn an_exactly_full_page_is_not_cut() {
    for (count, complete) in [(99, true), (100, true), (101, false)] {
        let page = first(&Fake::files(count), paging(100)).unwrap();
        assert_eq!(page.complete, complete, "{count} entries");
        assert_eq!(page.truncated_by, (!complete).then_some(TruncatedBy::Limit));
        assert_eq!(page.entries.len(), count.min(100));
        assert_eq!(page.total, complete.then_some(count as u64));
        assert_eq!(page.at_least, count as u64);
    }
}

/// What is left out and what fails before, between and behind the entries.
fn mixed() -> Fake {
    Fake::new(vec![
        note(""),
        omitted(".git", Kind::Dir, Reason::Protected),
        hidden(".x"),
        dir("a"),
        ignored("a-b", ".gitignore", 1, "a-*"),
        ignored("a-c", ".gitignore", 1, "a-*"),
        gap("a"),
        file("a/x"),
        ignored("a/y", "a/.gitignore", 3, "y"),
        dir("b"),
        note("b"),
        hidden("b/.y"),
        file("c"),
        hidden("d"),
    ])
}

#[test]
fn pages_of_every_limit_joined_are_the_whole() {
    check_every_limit(&mixed());
    check_every_limit(&Fake::files(7));
    check_every_limit(&Fake::default());
}

#[test]
fn what_lies_between_two_pages_is_told_by_the_second() {
    let pages = by_cursor(&mixed(), 1);
    let told: Vec<(u64, u64)> = pages
        .iter()
        .map(|page| {
            let omitted = page.tally.omitted().iter().map(|omission| omission.count).sum();
            (omitted, page.tally.warnings_total())
        })
        .collect();
    assert_eq!(told, [(2, 1), (2, 1), (1, 0), (2, 1)]);
}

#[test]
fn omissions_before_the_first_and_behind_the_last_entry_count() {
    let page = first(&Fake::new(vec![hidden("a"), file("b"), hidden("c")]), paging(1)).unwrap();
    assert_eq!(page.tally.omitted()[0].count, 2);
    assert!(page.complete, "what the request leaves out is no gap");
    let page = first(&Fake::new(vec![hidden("a"), hidden("b")]), paging(1)).unwrap();
    assert_eq!((page.tally.omitted()[0].count, page.total), (2, Some(0)));
    assert!(page.complete);
}

#[test]
fn a_gap_is_never_complete_and_a_note_may_be() {
    for (fault, complete) in [(gap(""), false), (note(""), true)] {
        let page = first(&Fake::new(vec![fault, file("a")]), paging(9)).unwrap();
        assert_eq!(page.complete, complete);
        assert_eq!((page.truncated_by, page.total), (None, Some(1)));
        assert_eq!(page.tally.warnings_total(), 1);
    }
}

#[test]
fn a_gap_behind_the_last_entry_counts() {
    let page = first(&Fake::new(vec![dir("a"), gap("a")]), paging(1)).unwrap();
    assert!(!page.complete);
    assert_eq!(page.truncated_by, None);
}

#[test]
fn a_deadline_before_the_first_entry_is_an_error() {
    let fake = Fake::new(vec![hidden("a"), file("b")]);
    for events in [0, 1] {
        let error = first(&fake.clone().stop(events, ListError::Timeout), paging(9)).unwrap_err();
        assert_eq!(error, ListError::Timeout);
    }
}

#[test]
fn a_deadline_midway_gives_what_there_is() {
    let fake = mixed().stop(9, ListError::Timeout);
    let page = first(&fake, paging(100)).unwrap();
    assert_eq!(paths(&page), [&b"a"[..], b"a/x"]);
    assert_eq!(page.truncated_by, Some(TruncatedBy::Deadline));
    assert!(!page.complete);
    assert_eq!((page.total, page.at_least), (None, 2));
    assert_eq!(page.next.as_ref().unwrap().0.as_bytes(), b"a/x");
    // The omission behind the last entry is left to the next page.
    let omitted: u64 = page.tally.omitted().iter().map(|omission| omission.count).sum();
    assert_eq!(omitted, 4);
    let rest = next(&mixed(), &page, paging(100)).unwrap();
    let sum = joined(&[page, rest]);
    assert_eq!(sum.omitted(), whole(&mixed()).tally.omitted());
}

#[test]
fn a_deadline_in_the_look_ahead_does_not_claim_that_more_follows() {
    let page = first(&Fake::files(9).stop(3, ListError::Timeout), paging(3)).unwrap();
    assert_eq!(page.entries.len(), 3);
    assert_eq!(page.truncated_by, Some(TruncatedBy::Deadline));
    assert_eq!((page.total, page.at_least), (None, 3));
    assert!(!page.complete);
    assert!(page.next.is_some());
}

#[test]
fn the_scan_cap_ends_a_page() {
    let cap = ListError::ScanCap { cap: 2 };
    let page = first(&Fake::files(9).stop(2, cap.clone()), paging(3)).unwrap();
    assert_eq!(page.truncated_by, Some(TruncatedBy::ScanCap));
    assert_eq!((page.entries.len(), page.total, page.at_least), (2, None, 2));
    assert!(page.next.is_some());

    let page = first(&Fake::files(9).stop(0, cap), paging(3)).unwrap();
    assert_eq!(page.truncated_by, Some(TruncatedBy::ScanCap));
    assert_eq!((page.entries.len(), page.total, page.at_least), (0, None, 0));
    assert!(page.next.is_none(), "nothing to start after");
}

#[test]
fn a_page_that_the_scan_cap_ends_among_omissions_can_be_gone_on_from() {
    let events: Vec<_> = (0..1000).map(|number| hidden(&format!("a{number:04}"))).collect();
    let listing = Fake::new([events, vec![file("b")]].concat());
    let stopped = listing.clone().stop(700, ListError::ScanCap { cap: 700 });
    let page = first(&stopped, paging(3)).unwrap();
    assert_eq!((page.entries.len(), page.truncated_by), (0, Some(TruncatedBy::ScanCap)));
    assert!(page.next.is_some());
    let rest = next(&listing, &page, paging(3)).unwrap();
    assert_eq!(paths(&rest), [b"b"]);
    let sum = joined(&[page, rest]);
    assert_eq!(sum.omitted(), whole(&listing).tally.omitted());
}

#[test]
fn the_scan_cap_before_the_offset_counts_what_was_seen() {
    let fake = Fake::files(9).stop(4, ListError::ScanCap { cap: 4 });
    let page = first(&fake, Paging { skip: 6, ..paging(3) }).unwrap();
    assert_eq!(page.truncated_by, Some(TruncatedBy::ScanCap));
    assert_eq!((page.before, page.total, page.at_least), (Some(4), None, 4));
    assert!(page.next.is_none());
}

#[test]
fn cancelling_is_an_error_wherever_it_happens() {
    for events in 0..6 {
        let fake = Fake::files(9).stop(events, ListError::Cancelled);
        let count = Paging { count: true, ..paging(3) };
        let skip = Paging { skip: 4, ..paging(3) };
        for paging in [count, skip] {
            assert_eq!(first(&fake, paging).unwrap_err(), ListError::Cancelled, "after {events}");
        }
    }
    let fake = Fake::files(9).blind(ListError::Cancelled);
    assert_eq!(first(&fake, paging(3)).unwrap_err(), ListError::Cancelled);
}

#[test]
fn other_errors_end_a_page_too() {
    let error = ListError::VcsInvalid { reason: "scripted".to_owned() };
    let fake = Fake::files(9).stop(2, error.clone());
    assert_eq!(first(&fake, paging(3)).unwrap_err(), error);
}

#[test]
fn an_offset_past_the_end_tells_how_many_there_are() {
    let fake = Fake::new(vec![file("a"), hidden("b"), file("c")]);
    for skip in [2, 3, 1_000_000, u64::MAX - 1] {
        let error = first(&fake, Paging { skip, ..paging(9) }).unwrap_err();
        assert_eq!(error, ListError::OffsetOutOfRange { offset: skip + 1, entries: 2 });
    }
    let error = first(&Fake::default(), Paging { skip: 1, ..paging(9) }).unwrap_err();
    assert_eq!(error, ListError::OffsetOutOfRange { offset: 2, entries: 0 });
}

#[test]
fn offset_one_of_an_empty_listing_is_an_empty_page() {
    let page = first(&Fake::default(), paging(9)).unwrap();
    assert!(page.complete);
    assert_eq!((page.entries.len(), page.total, page.at_least), (0, Some(0), 0));
}

#[test]
fn a_deadline_before_the_offset_is_an_error() {
    let fake = Fake::files(9).stop(2, ListError::Timeout);
    let error = first(&fake, Paging { skip: 6, ..paging(3) }).unwrap_err();
    assert_eq!(error, ListError::Timeout);
}

#[test]
fn counting_gives_an_exact_total_and_changes_nothing_else() {
    let plain = first(&mixed(), paging(2)).unwrap();
    let counted = first(&mixed(), Paging { count: true, ..paging(2) }).unwrap();
    assert_eq!((plain.total, plain.at_least), (None, 3));
    assert_eq!((counted.total, counted.at_least), (Some(4), 4));
    assert_eq!(paths(&plain), paths(&counted));
    assert_eq!(plain.tally.omitted(), counted.tally.omitted());
    assert_eq!(plain.tally.warnings(), counted.tally.warnings());
    assert_eq!(plain.truncated_by, counted.truncated_by);
    assert_eq!(plain.next, counted.next);
    assert_eq!(plain.not_reached, counted.not_reached);

    let resumed = next(&mixed(), &plain, Paging { count: true, ..paging(1) }).unwrap();
    assert_eq!((resumed.total, resumed.at_least), (Some(4), 4));
    let skipped = first(&mixed(), Paging { count: true, skip: 1, ..paging(1) }).unwrap();
    assert_eq!((skipped.total, skipped.at_least), (Some(4), 4));
}

#[test]
fn a_bound_while_counting_leaves_the_page_as_it_is() {
    for error in [ListError::Timeout, ListError::ScanCap { cap: 5 }] {
        let fake = Fake::files(9).stop(5, error);
        let page = first(&fake, Paging { count: true, ..paging(3) }).unwrap();
        assert_eq!(page.entries.len(), 3);
        assert_eq!(page.truncated_by, Some(TruncatedBy::Limit));
        assert_eq!((page.total, page.at_least), (None, 5));
    }
}

#[test]
fn a_cut_first_page_names_the_directories_behind_it() {
    let said = vec![file("a"), dir("b"), file("b/x"), file("c"), dir("d"), dir("e"), file("e/x")];
    let fake = Fake::new(said);
    let names = |page: PageBody| -> Vec<String> {
        page.not_reached.iter().map(ToString::to_string).collect()
    };
    for count in [false, true] {
        let page = |limit| first(&fake, Paging { count, ..paging(limit) }).unwrap();
        assert_eq!(names(page(1)), ["b", "d", "e"], "count: {count}");
        assert_eq!(names(page(2)), ["d", "e"], "`b` is cut, but not unmentioned");
        assert_eq!(names(page(5)), ["e"]);
        assert_eq!(names(page(7)), [""; 0], "not cut");
        let two = Paging { not_reached: 2, count, ..paging(1) };
        assert_eq!(names(first(&fake, two).unwrap()), ["b", "d"]);
        let offset = Paging { skip: 1, count, ..paging(1) };
        assert_eq!(names(first(&fake, offset).unwrap()), [""; 0], "no first page");
    }
    // Bounds cut as well.
    let fake = fake.stop(2, ListError::Timeout);
    assert_eq!(names(first(&fake, paging(9)).unwrap()), ["d", "e"]);
}

#[test]
fn counting_names_directories_that_have_no_row() {
    let fake = Fake::new(vec![file("a"), file("b-c/x"), file("b/x"), file("b/y"), file("d")]);
    let count = |most| {
        let paging = Paging { count: true, not_reached: most, ..paging(1) };
        let page = first(&fake, paging).unwrap();
        page.not_reached.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(count(9), ["b", "b-c"], "in byte order");
    assert_eq!(count(1), ["b"]);
    assert_eq!(count(0), [""; 0]);
}

#[test]
fn a_bound_in_the_look_ahead_costs_only_the_names() {
    for error in [ListError::Timeout, ListError::ScanCap { cap: 5 }] {
        let fake = Fake::new(vec![file("a"), dir("b")]).blind(error);
        let page = first(&fake, paging(1)).unwrap();
        assert_eq!(page.not_reached, []);
        assert_eq!(page.truncated_by, Some(TruncatedBy::Limit));
    }
}

#[test]
fn a_page_reads_one_entry_more_than_it_shows() {
    let page = first(&Fake::files(1000), paging(10)).unwrap();
    assert_eq!(page.seen.entries, 11);
}

#[test]
fn drift_is_told_by_the_way_to_the_last_entry() {
    let said = vec![dir("a"), file("a/x"), file("a/y"), dir("b"), file("b/x")];
    let page = first(&Fake::new(said.clone()), paging(2)).unwrap();
    for (touched, drifted) in [("", true), ("a", true), ("b", false)] {
        let mut fake = Fake::new(said.clone());
        fake.touch(touched);
        let rest = next(&fake, &page, paging(9)).unwrap();
        assert_eq!(rest.drifted, drifted, "after a change in `{touched}`");
        assert_eq!(paths(&rest), [&b"a/y"[..], b"b", b"b/x"]);
        assert_eq!(rest.total, (!drifted).then_some(5), "the ordinal may be off after drift");
        let counted = next(&fake, &page, Paging { count: true, ..paging(1) }).unwrap();
        assert_eq!(counted.total, (!drifted).then_some(5));
    }
}

#[test]
fn entries_that_stay_are_seen_once_whatever_changes_between_pages() {
    let all: Vec<Said> = (0..100).map(|n| file(format!("f{n:04}"))).collect();
    let mut seen = Vec::new();
    let mut page = first(&Fake::new(all.clone()), paging(7)).unwrap();
    for round in 0.. {
        seen.extend(page.entries.iter().map(|entry| entry.path.clone()));
        if page.next.is_none() {
            break;
        }
        // Every odd file stays; even ones come and go, also the one the page ended with.
        let stays = |n: usize| n % 2 == 1 || n.is_multiple_of(round + 3);
        let said = all.iter().enumerate().filter(|(n, _)| stays(*n)).map(|(_, said)| said.clone());
        page = next(&Fake::new(said.collect()), &page, paging(7)).unwrap();
    }
    assert!(seen.is_sorted_by(|a, b| a < b), "once each, in order");
    for n in (1..100).step_by(2) {
        assert!(seen.contains(&format!("f{n:04}")), "f{n:04} stayed");
    }
}

#[test]
fn numbers_at_the_edge_do_not_wrap() {
    let resumed = Resumed { ordinal: Some(u64::MAX), identity: Some(Default::default()) };
    let paging = Paging { resumed: Some(resumed), count: true, ..paging(1) };
    let after = RelPathBuf::new("f0000").unwrap();
    let page = Fake::files(4).with_open(Some(&after), |events| page(events, paging)).unwrap();
    assert_eq!((page.before, page.at_least), (Some(u64::MAX), u64::MAX));
}

#[test]
fn what_was_not_counted_or_looked_at_is_not_claimed() {
    let after = RelPathBuf::new("f0001").unwrap();
    let fake = Fake::files(4);
    let start = |limit, identity| {
        let resumed = Some(Resumed { ordinal: None, identity });
        let paging = Paging { resumed, count: true, ..paging(limit) };
        fake.with_open(Some(&after), |events| page(events, paging)).unwrap()
    };
    let cut = start(1, None);
    assert_eq!((cut.before, cut.total, cut.at_least, cut.drifted), (None, None, 2, false));
    let last = start(9, None);
    assert_eq!((last.before, last.total, last.at_least, last.complete), (None, None, 2, false));
    let elsewhere = Some(trilist_core::Identity::from_bytes([9; 16]));
    assert!(start(1, elsewhere).drifted, "it was looked at, and is another way now");
}

mod budget {
    use super::*;

    fn bounded(fake: &Fake, bytes: usize) -> PageBody {
        let mut cost = |_: &trilist_core::Entry| 10;
        let budget = Some(Budget { bytes, cost: &mut cost });
        first(fake, Paging { budget, ..paging(100) }).unwrap()
    }

    #[test]
    fn a_budget_ends_the_page_between_entries() {
        let fake = Fake::files(5);
        for (bytes, expected) in [(10, 1), (19, 1), (20, 2), (49, 4), (50, 5), (99, 5)] {
            let page = bounded(&fake, bytes);
            assert_eq!(page.entries.len(), expected, "{bytes} bytes");
            let cut = expected < 5;
            assert_eq!(page.truncated_by, cut.then_some(TruncatedBy::Budget));
            assert_eq!(page.complete, !cut);
            assert_eq!(page.total, (!cut).then_some(5));
            assert_eq!(page.at_least, if cut { expected as u64 + 1 } else { 5 });
            assert_eq!(page.next.is_some(), cut);
        }
    }

    #[test]
    fn one_entry_is_always_given() {
        assert_eq!(bounded(&Fake::files(5), 0).entries.len(), 1);
    }

    #[test]
    fn warnings_use_the_budget_too() {
        let fake = Fake::new(vec![file("a"), dir("b"), gap("b"), file("c"), file("d")]);
        let page = bounded(&fake, 40);
        assert_eq!(paths(&page), [&b"a"[..], b"b"], "the warning does not fit");
        assert_eq!(page.tally.warnings_total(), 0);
        assert_eq!(bounded(&fake, 400).entries.len(), 4);
    }

    #[test]
    fn warnings_that_are_only_counted_cost_nothing() {
        let mut said = vec![file("a"), file("b")];
        said.extend((0..500).map(|_| note("")));
        // A hundred warnings and two entries fit, five hundred would not.
        assert_eq!(bounded(&Fake::new(said.clone()), 15_000).entries.len(), 2);
        said.extend([dir("c"), file("c/x"), file("d")]);
        said.extend((0..500).map(|_| note("c")));
        assert_eq!(bounded(&Fake::new(said), 15_000).entries.len(), 5);
    }

    #[test]
    fn limit_comes_before_budget() {
        let mut cost = |_: &trilist_core::Entry| 10;
        let budget = Some(Budget { bytes: 20, cost: &mut cost });
        let page = first(&Fake::files(5), Paging { budget, ..paging(2) }).unwrap();
        assert_eq!(page.truncated_by, Some(TruncatedBy::Limit));
    }

    #[test]
    fn pages_by_budget_joined_are_the_whole() {
        let fake = mixed();
        for bytes in [0, 15, 25, 150, 250, 400] {
            let mut pages = vec![bounded(&fake, bytes)];
            while pages.last().unwrap().next.is_some() {
                let mut cost = |_: &trilist_core::Entry| 10;
                let budget = Some(Budget { bytes, cost: &mut cost });
                let paging = Paging { budget, ..paging(100) };
                let page = next(&fake, pages.last().unwrap(), paging).unwrap();
                pages.push(page);
            }
            let whole = whole(&fake);
            assert_eq!(pages.iter().flat_map(paths).collect::<Vec<_>>(), paths(&whole));
            assert_eq!(joined(&pages).omitted(), whole.tally.omitted());
            assert_eq!(joined(&pages).warnings(), whole.tally.warnings());
        }
    }
}

proptest! {
    // Each case takes every limit both ways.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pages_of_random_listings_joined_are_the_whole(fake in listing()) {
        check_every_limit(&fake);
    }
}

proptest! {
    #[test]
    fn counting_agrees_with_the_whole(fake in listing(), limit in 1u64..9, skip in 0u64..9) {
        let total = whole(&fake).entries.len() as u64;
        let counted = first(&fake, Paging { count: true, skip, ..paging(limit) });
        if skip > 0 && skip >= total {
            let expected = ListError::OffsetOutOfRange { offset: skip + 1, entries: total };
            prop_assert_eq!(counted.unwrap_err(), expected);
        } else {
            let counted = counted.unwrap();
            prop_assert_eq!(counted.total, Some(total));
            prop_assert_eq!(counted.at_least, total);
        }
    }

    #[test]
    fn names_not_reached_are_the_same_with_and_without_counting(
        fake in listing(),
        limit in 1u64..9,
        most in 0usize..4,
    ) {
        let page = |count| first(&fake, Paging { count, not_reached: most, ..paging(limit) });
        prop_assert_eq!(page(true).unwrap().not_reached, page(false).unwrap().not_reached);
    }

    #[test]
    fn a_stop_anywhere_loses_nothing(fake in listing(), at in 0usize..30, limit in 1u64..40) {
        let at = at.min(fake.events().len());
        let stopped = fake.clone().stop(at, ListError::ScanCap { cap: 0 });
        let page = first(&stopped, paging(limit)).unwrap();
        prop_assert!(page.truncated_by.is_some());
        prop_assert!(!page.complete);
        prop_assert_eq!(page.total, None);
        let whole = whole(&fake);
        prop_assert!(page.at_least <= whole.entries.len() as u64);
        if page.next.is_some() {
            let rest = next(&fake, &page, paging(u64::MAX)).unwrap();
            let pages = [page, rest];
            prop_assert_eq!(pages.iter().flat_map(paths).collect::<Vec<_>>(), paths(&whole));
            let sum = joined(&pages);
            prop_assert_eq!(sum.omitted(), whole.tally.omitted());
            prop_assert_eq!(sum.warnings(), whole.tally.warnings());
        } else {
            prop_assert!(page.entries.is_empty());
        }
    }
}
