//! What a page says of directories that show nothing below them.

use proptest::prelude::*;
use trilist_core::Contents::{Empty, Omitted, Unreadable};
use trilist_core::pager::{Paging, page};
use trilist_core::{Contents, FaultCode, Kind, ListError, Skip};

use crate::fake::{Fake, Said, What, dir, entry, fault, file, gap, hidden, note, skipped};
use crate::pager::paging;
use crate::random::listing;

type Marks = Vec<(String, Option<Contents>)>;

fn marks_of(fake: &Fake, paging: Paging<'_>) -> Marks {
    let page = fake.with_open(None, |events| page(events, paging)).unwrap();
    page.entries.into_iter().map(|entry| (entry.path, entry.contents)).collect()
}

#[track_caller]
fn check(said: Vec<Said>, limit: u64, expected: &[(&str, Option<Contents>)]) {
    let marks = marks_of(&Fake::new(said), paging(limit));
    let expected: Marks = expected.iter().map(|(path, mark)| ((*path).to_owned(), *mark)).collect();
    assert_eq!(marks, expected);
}

#[test]
fn each_mark_has_its_reason() {
    let said = vec![
        dir("empty"),
        dir("full"),
        file("full/x"),
        dir("hides"),
        hidden("hides/.x"),
        dir("hides-some"),
        hidden("hides-some/.x"),
        file("hides-some/x"),
        dir("locked"),
        gap("locked"),
        dir("noted"),
        note("noted"),
        file("plain"),
    ];
    check(
        said,
        100,
        &[
            ("empty", Some(Empty)),
            ("full", None),
            ("full/x", None),
            ("hides", Some(Omitted)),
            ("hides-some", None),
            ("hides-some/x", None),
            ("locked", Some(Unreadable)),
            ("noted", Some(Empty)),
            ("plain", None),
        ],
    );
}

#[test]
fn what_was_not_entered_has_no_mark() {
    let said = vec![
        skipped("builtin", Skip::Builtin),
        skipped("depth", Skip::Depth),
        entry("link", Kind::Symlink),
        dir("mount"),
        fault("mount", FaultCode::MountSkipped, false),
        entry("module", Kind::Submodule),
        dir("proc"),
        fault("proc", FaultCode::PseudoFsSkipped, false),
    ];
    let marks = marks_of(&Fake::new(said), paging(100));
    assert!(marks.iter().all(|(_, mark)| mark.is_none()), "{marks:?}");
}

#[test]
fn contents_need_not_follow_their_directory() {
    // In path order: a, a-b, a-b/y, a/x.
    let said = vec![dir("a"), dir("a-b"), file("a/x")];
    check(said, 9, &[("a", None), ("a-b", Some(Empty)), ("a/x", None)]);
    let said = vec![dir("a"), dir("a-b"), file("a-b/y"), hidden("a/x")];
    check(said, 9, &[("a", Some(Omitted)), ("a-b", None), ("a-b/y", None)]);
    let said = vec![dir("a"), dir("a-b"), gap("a-b"), file("a.c")];
    check(said, 9, &[("a", Some(Empty)), ("a-b", Some(Unreadable)), ("a.c", None)]);
    let said = vec![dir("a"), dir("a-b"), gap("a"), file("b")];
    check(said, 9, &[("a", Some(Unreadable)), ("a-b", Some(Empty)), ("b", None)]);
}

#[test]
fn nested_directories_are_told_apart() {
    let said = vec![dir("a"), dir("a/b"), dir("a/b/c"), hidden("a/b/c/.x"), dir("a/d")];
    check(said, 9, &[("a", None), ("a/b", None), ("a/b/c", Some(Omitted)), ("a/d", Some(Empty))]);
}

#[test]
fn a_cut_page_claims_no_more_than_it_saw() {
    let said = vec![dir("a"), dir("a-b"), dir("a-c"), file("a/x"), dir("b")];
    // `a-c` is the entry of look-ahead: it shows that `a-b` is empty, and nothing of `a`.
    check(said.clone(), 2, &[("a", None), ("a-b", Some(Empty))]);
    check(said.clone(), 1, &[("a", None)]);
    check(said, 4, &[("a", None), ("a-b", Some(Empty)), ("a-c", Some(Empty)), ("a/x", None)]);
}

#[test]
fn a_stopped_page_claims_no_more_than_it_saw() {
    let said = vec![dir("a"), hidden("a/.x"), dir("b"), hidden("c")];
    for (stop, expected) in [(1, [None].as_slice()), (2, &[None]), (3, &[Some(Omitted), None])] {
        let fake = Fake::new(said.clone()).stop(stop, ListError::Timeout);
        let marks: Vec<_> = marks_of(&fake, paging(9)).into_iter().map(|(_, mark)| mark).collect();
        assert_eq!(marks, expected, "after {stop} events");
    }
    // The omission behind it shows that `b` is passed.
    let fake = Fake::new(said).stop(4, ListError::Timeout);
    assert_eq!(marks_of(&fake, paging(9))[1].1, Some(Empty));
}

#[test]
fn a_gap_further_down_leaves_open_what_is_above() {
    // `a/b` is left out by a pattern and entered nonetheless.
    let said = vec![dir("a"), hidden("a/b"), gap("a/b"), file("c")];
    check(said, 9, &[("a", None), ("c", None)]);
    let said = vec![dir("a"), gap("a/b"), hidden("a/c"), file("d")];
    check(said, 9, &[("a", None), ("d", None)]);
    // One that costs nothing does not.
    let said = vec![dir("a"), hidden("a/b"), note("a/b"), file("c")];
    check(said, 9, &[("a", Some(Omitted)), ("c", None)]);
}

/// What the whole listing says of a directory, by looking at all of it for each.
fn oracle(fake: &Fake, at: &Said) -> Option<Contents> {
    let path = at.path.as_path();
    if !matches!(at.what, What::Entry { kind: Kind::Dir, skipped: None, .. }) {
        return None;
    }
    let events = fake.events();
    let below = |said: &&Said| said.path.as_path().below(path).is_some();
    let is_gap = |said: &Said| matches!(said.what, What::Fault { gap: true, .. });
    if events.iter().filter(below).any(|said| said.is_entry() || is_gap(said)) {
        None
    } else if events.iter().any(|said| said.path.as_path() == path && is_gap(said)) {
        Some(Unreadable)
    } else if events.iter().filter(below).any(|said| matches!(said.what, What::Omitted { .. })) {
        Some(Omitted)
    } else {
        Some(Empty)
    }
}

proptest! {
    #[test]
    fn marks_agree_with_the_whole_listing_and_cuts_only_leave_some_out(
        fake in listing(),
        limit in 1u64..30,
    ) {
        let rows: Vec<&Said> = fake.events().iter().filter(|said| said.is_entry()).collect();
        let expected: Vec<_> = rows.iter().map(|row| oracle(&fake, row)).collect();
        let marks: Vec<_> =
            marks_of(&fake, paging(u64::MAX)).into_iter().map(|(_, mark)| mark).collect();
        prop_assert_eq!(&marks, &expected);
        for (mark, expected) in marks_of(&fake, paging(limit)).iter().zip(&expected) {
            prop_assert!(mark.1.is_none() || mark.1 == *expected, "{:?}", mark);
        }
    }
}
