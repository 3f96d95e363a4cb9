//! A whole listing without holding it says what the page without limit says.

use std::ops::ControlFlow;

use proptest::prelude::*;
use trilist_core::pager::{PageBody, Resumed, page};
use trilist_core::stream::{Streamed, stream};
use trilist_core::{Kind, ListError, RelPathBuf, Summary, TruncatedBy};

use crate::fake::{Fake, dir, entry, file, gap, hidden};
use crate::pager::paging;
use crate::random::listing;

type Rows = Vec<RelPathBuf>;

/// Streams until `most` entries have gone by.
fn streamed(
    fake: &Fake,
    after: Option<(&RelPathBuf, Resumed)>,
    most: usize,
) -> (Rows, Result<Streamed, ListError>) {
    let mut rows = Vec::new();
    let mut each = |entry: &trilist_core::EntryRef<'_>| {
        rows.push(entry.path.to_buf());
        if rows.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let resumed = after.map(|(_, resumed)| resumed);
    let said =
        fake.with_open(after.map(|(path, _)| path), |events| stream(events, resumed, &mut each));
    (rows, said)
}

fn paged(fake: &Fake) -> PageBody {
    fake.with_open(None, |events| page(events, paging(u64::MAX))).unwrap()
}

fn check_against_page(fake: &Fake) {
    let page = paged(fake);
    let (rows, said) = streamed(fake, None, usize::MAX);
    let Streamed { body, returned, summary, .. } = said.unwrap();
    let bytes = |rows: &Rows| rows.iter().map(|row| row.as_bytes().to_vec()).collect::<Vec<_>>();
    let paged: Vec<_> = page.entries.iter().map(|entry| entry.bytes().to_vec()).collect();
    assert_eq!(bytes(&rows), paged);
    assert_eq!(returned, page.entries.len() as u64);
    assert_eq!(summary, Summary::of(&page.entries));
    assert_eq!(body.tally.omitted(), page.tally.omitted());
    assert_eq!(body.tally.warnings(), page.tally.warnings());
    assert_eq!(body.tally.warnings_total(), page.tally.warnings_total());
    assert_eq!((body.total, body.at_least), (page.total, page.at_least));
    assert_eq!((body.complete, body.truncated_by), (page.complete, page.truncated_by));
    assert_eq!(body.next, page.next);
    assert!(!body.drifted && body.entries.is_empty());
}

#[test]
fn a_stream_says_what_the_page_without_limit_says() {
    check_against_page(&Fake::default());
    check_against_page(&Fake::files(3));
    check_against_page(&Fake::new(vec![hidden("a"), dir("b"), gap("b"), file("c"), hidden("d")]));
}

#[test]
fn a_broken_stream_is_cut_by_its_limit() {
    let fake = Fake::new(vec![hidden("a"), file("b"), hidden("c"), file("d"), hidden("e")]);
    let (rows, said) = streamed(&fake, None, 1);
    let body = said.unwrap().body;
    assert_eq!(rows.len(), 1);
    assert_eq!(body.truncated_by, Some(TruncatedBy::Limit));
    assert!(!body.complete);
    assert_eq!((body.total, body.at_least), (None, 1));
    assert_eq!(body.next.unwrap().0.as_bytes(), b"b");
    assert_eq!(body.tally.omitted()[0].count, 1);
}

#[test]
fn a_deadline_before_the_first_entry_is_an_error() {
    let fake = Fake::new(vec![hidden("a"), file("b")]).stop(1, ListError::Timeout);
    assert_eq!(streamed(&fake, None, usize::MAX).1.unwrap_err(), ListError::Timeout);
}

#[test]
fn a_scan_cap_before_the_first_event_leaves_nothing_to_go_on_from() {
    let fake = Fake::new(vec![hidden("a"), file("b")]).stop(0, ListError::ScanCap { cap: 1 });
    let body = streamed(&fake, None, usize::MAX).1.unwrap().body;
    assert_eq!(body.truncated_by, Some(TruncatedBy::ScanCap));
    assert_eq!((body.total, body.at_least, body.next), (None, 0, None));
}

#[test]
fn a_scan_cap_among_omissions_is_gone_on_from() {
    let listing = Fake::new(vec![hidden("a"), hidden("b"), file("c")]);
    let stopped = listing.clone().stop(2, ListError::ScanCap { cap: 2 });
    let body = streamed(&stopped, None, usize::MAX).1.unwrap().body;
    let (after, identity) = body.next.unwrap();
    let (rows, said) = streamed(
        &listing,
        Some((&after, Resumed { ordinal: Some(0), identity: Some(identity) })),
        9,
    );
    assert_eq!(rows.len(), 1);
    let counts = [body.tally.omitted(), said.unwrap().body.tally.omitted()];
    let sum: u64 = counts.iter().flatten().map(|omission| omission.count).sum();
    assert_eq!(sum, 2);
}

#[test]
fn cancelling_is_an_error() {
    let fake = Fake::files(3).stop(2, ListError::Cancelled);
    let (rows, said) = streamed(&fake, None, usize::MAX);
    assert_eq!((rows.len(), said.unwrap_err()), (2, ListError::Cancelled));
}

#[test]
fn a_stream_that_stopped_goes_on_without_counting_twice() {
    let fake = Fake::new(vec![file("a"), hidden("b"), dir("c"), gap("c"), hidden("d"), file("e")]);
    for stop in 1..=6 {
        let stopped = fake.clone().stop(stop, ListError::Timeout);
        let (mut rows, said) = streamed(&stopped, None, usize::MAX);
        let first = said.unwrap();
        assert_eq!(first.body.truncated_by, Some(TruncatedBy::Deadline));
        assert_eq!((first.body.total, first.body.at_least), (None, first.returned));
        let (after, identity) = first.body.next.unwrap();
        let resumed = Resumed { ordinal: Some(first.returned), identity: Some(identity) };
        let (rest, said) = streamed(&fake, Some((&after, resumed)), usize::MAX);
        let rest_body = said.unwrap().body;
        rows.extend(rest);
        assert_eq!(rows.iter().map(ToString::to_string).collect::<Vec<_>>(), fake.entries());
        assert_eq!((rest_body.total, rest_body.complete), (Some(3), false));
        let mut sum = first.body.tally;
        sum.append(rest_body.tally);
        let whole = paged(&fake);
        assert_eq!(sum.omitted(), whole.tally.omitted(), "stopped after {stop} events");
        assert_eq!(sum.warnings(), whole.tally.warnings());
    }
}

#[test]
fn drift_is_told() {
    let mut fake = Fake::files(4);
    let (_, said) = streamed(&fake, None, 2);
    let (after, identity) = said.unwrap().body.next.unwrap();
    fake.touch("");
    let resumed = Resumed { ordinal: Some(2), identity: Some(identity) };
    let body = streamed(&fake, Some((&after, resumed)), usize::MAX).1.unwrap().body;
    assert!(body.drifted);
    assert_eq!((body.total, body.at_least), (None, 4));
}

proptest! {
    #[test]
    fn streams_of_random_listings_say_what_their_pages_say(fake in listing()) {
        check_against_page(&fake);
    }
}

#[test]
fn the_digest_tells_names_kinds_and_order_apart() {
    let digest = |entries: &[(&str, Kind)]| {
        let events = entries.iter().map(|(path, kind)| entry(path, *kind)).collect();
        streamed(&Fake::new(events), None, usize::MAX).1.unwrap().digest
    };
    let plain = digest(&[("a", Kind::File), ("b", Kind::File)]);
    assert_eq!(plain, digest(&[("a", Kind::File), ("b", Kind::File)]));
    assert_ne!(plain, digest(&[("a", Kind::File), ("c", Kind::File)]));
    assert_ne!(plain, digest(&[("a", Kind::Symlink), ("b", Kind::File)]));
    assert_ne!(plain, digest(&[("a", Kind::File)]));
}
