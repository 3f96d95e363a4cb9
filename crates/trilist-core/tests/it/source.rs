//! The trait: usable as `dyn` and across threads, and its promises checked.

use trilist_core::{Cancel, Event, Events, Kind, ListError, ListSource, Mode, Query, RelPathBuf};

use crate::fake::{Fake, Said, check_events, dir, file, gap, hidden, note};

fn assert_send<T: Send + ?Sized>(_: &T) {}
fn assert_sync<T: Sync + ?Sized>(_: &T) {}

#[test]
fn sources_and_their_events_are_used_as_dyn_and_cross_threads() {
    let fake = Fake::new(vec![dir("a"), file("a/x")]);
    let source: &dyn ListSource = &fake;
    assert_sync(source);
    let boxed: Box<dyn ListSource> = Box::new(fake.clone());
    assert_send(&boxed);
    assert_eq!(boxed.mode(), Mode::Fs);

    let query = Query::new(RelPathBuf::default());
    let cancel = Cancel::new();
    let mut events: Box<dyn Events + Send + '_> = source.open(&query, &cancel).unwrap();
    assert_send(&events);
    assert!(events.advance().unwrap());
    // Another thread goes on where this one stopped.
    let rest = std::thread::scope(|scope| {
        scope.spawn(move || check_events(&mut events, None).0).join().unwrap()
    });
    assert_eq!(rest, [file("a/x")]);
}

#[test]
fn a_box_of_events_hands_everything_on() {
    let fake = Fake::new(vec![file("a"), dir("b")]);
    let query = Query::new(RelPathBuf::default());
    let cancel = Cancel::new();
    let mut events = fake.open(&query, &cancel).unwrap();
    let events: &mut dyn Events = &mut events;
    assert!(events.advance().unwrap());
    assert!(matches!(events.event(), Event::Entry(entry) if entry.kind == Kind::File));
    assert_eq!(events.seen().entries, 1);
    let ahead = events.not_reached(RelPathBuf::new("a").unwrap().as_path(), 9).unwrap();
    assert_eq!(ahead, [RelPathBuf::new("b").unwrap()]);
}

#[test]
fn listings_resume_strictly_after_every_event() {
    let said = vec![
        note(""),
        dir("a"),
        hidden("a-b"),
        gap("a"),
        note("a"),
        file("a/x"),
        dir("b"),
        gap("b"),
        file("c"),
    ];
    let fake = Fake::new(said);
    let whole = fake.with_open(None, |events| check_events(events, None));
    assert_eq!(whole, (fake.events().to_vec(), None));
    for said in fake.events().iter().filter(|said| said.is_entry()) {
        let rest =
            fake.with_open(Some(&said.path), |events| check_events(events, Some(&said.path)));
        let behind = |other: &&Said| other.position() > said.path.as_bytes().to_vec();
        let expected: Vec<Said> = fake.events().iter().filter(behind).cloned().collect();
        assert_eq!(rest.0, expected, "after {}", said.path);
    }
}

#[test]
fn a_stopped_listing_stays_stopped() {
    let fake = Fake::files(5).stop(3, ListError::Timeout);
    let (said, end) = fake.with_open(None, |events| check_events(events, None));
    assert_eq!((said.len(), end), (3, Some(ListError::Timeout)));
}

/// Says what it is given, in whatever order.
struct Loose(Vec<Said>, usize);

impl Events for Loose {
    fn advance(&mut self) -> Result<bool, ListError> {
        self.1 += 1;
        Ok(self.1 <= self.0.len())
    }

    fn event(&self) -> Event<'_> {
        self.0[self.1 - 1].event()
    }

    fn seen(&self) -> trilist_core::Seen {
        trilist_core::Seen::default()
    }

    fn not_reached(
        &mut self,
        _: trilist_core::RelPath<'_>,
        _: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        Ok(Vec::new())
    }
}

#[test]
#[should_panic(expected = "does not follow")]
fn the_check_sees_a_wrong_order() {
    check_events(&mut Loose(vec![file("a/x"), file("a-b")], 0), None);
}

#[test]
#[should_panic(expected = "does not follow")]
fn the_check_sees_a_path_twice() {
    check_events(&mut Loose(vec![file("a"), file("a")], 0), None);
}

#[test]
#[should_panic(expected = "does not follow")]
fn the_check_sees_a_fault_before_its_directory() {
    check_events(&mut Loose(vec![gap("a"), dir("a")], 0), None);
}

#[test]
#[should_panic(expected = "is not after")]
fn the_check_sees_a_listing_that_starts_too_early() {
    check_events(&mut Loose(vec![file("a")], 0), Some(&RelPathBuf::new("a").unwrap()));
}
