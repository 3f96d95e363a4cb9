//! Kinds and patterns turn entries into omissions, and touch nothing else.

use trilist_core::{
    Cancel, Events, Kind, KindSet, ListSource, Matches, Query, Reason, RelPath, RelPathBuf,
    Selected,
};

use crate::fake::{Fake, Said, What, check_events, dir, entry, file, gap, hidden};

fn fake() -> Fake {
    Fake::new(vec![
        dir("a"),
        file("a/x.rs"),
        hidden("a/y.rs"),
        dir("b.rs"),
        gap("b.rs"),
        entry("l.rs", Kind::Symlink),
    ])
}

fn selected(kinds: KindSet, pattern: Option<Matches<'_>>) -> Vec<Said> {
    let (fake, query, cancel) = (fake(), Query::new(RelPathBuf::default()), Cancel::new());
    let events = fake.open(&query, &cancel).unwrap();
    check_events(&mut Selected::new(events, kinds, pattern), None).0
}

fn reasons(said: &[Said]) -> Vec<Option<Reason>> {
    let reason = |said: &Said| match said.what {
        What::Omitted { reason, .. } => Some(reason),
        _ => None,
    };
    said.iter().map(reason).collect()
}

#[test]
fn everything_passes_without_a_condition() {
    assert_eq!(selected(KindSet::ALL, None), fake().events());
}

#[test]
fn other_kinds_are_omitted() {
    let said = selected(KindSet::of(&[Kind::File, Kind::Symlink]), None);
    let kind = Some(Reason::Kind);
    assert_eq!(reasons(&said), [kind, None, Some(Reason::Hidden), kind, None, None]);
    assert!(matches!(said[0].what, What::Omitted { kind: Kind::Dir, rule: None, .. }));
}

#[test]
fn what_no_pattern_matches_is_omitted_after_its_kind() {
    let matches = |path: RelPath<'_>, is_dir: bool| {
        assert_eq!(is_dir, [&b"a"[..], b"b.rs"].contains(&path.as_bytes()));
        path.as_bytes().starts_with(b"a/")
    };
    let said = selected(KindSet::ALL, Some(Box::new(matches)));
    let pattern = Some(Reason::Pattern);
    assert_eq!(reasons(&said), [pattern, None, Some(Reason::Hidden), pattern, None, pattern]);
    let said = selected(KindSet::of(&[Kind::File]), Some(Box::new(|_, _| false)));
    let (kind, hidden) = (Some(Reason::Kind), Some(Reason::Hidden));
    assert_eq!(reasons(&said), [kind, pattern, hidden, kind, None, kind]);
}

#[test]
fn sets_of_kinds_hold_what_they_were_given() {
    for kind in Kind::ALL {
        assert!(KindSet::ALL.contains(kind));
        assert!(!KindSet::of(&[]).contains(kind));
        for other in Kind::ALL {
            assert_eq!(KindSet::of(&[kind]).contains(other), kind == other);
        }
    }
    assert_eq!(KindSet::of(&Kind::ALL), KindSet::ALL);
}

#[test]
fn counters_and_the_look_ahead_pass_through() {
    let (fake, query, cancel) = (fake(), Query::new(RelPathBuf::default()), Cancel::new());
    let events = fake.open(&query, &cancel).unwrap();
    let mut events = Selected::new(events, KindSet::of(&[Kind::File]), None);
    assert!(events.advance().unwrap());
    assert_eq!(events.seen().entries, 1);
    let ahead = events.not_reached(RelPath::new(b"a").unwrap(), 9).unwrap();
    assert_eq!(ahead.len(), 1, "a directory is named though its row is left out");
}
