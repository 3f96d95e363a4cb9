//! One flag for all clones; the earlier deadline holds.

use std::time::Duration;

use trilist_core::{Cancel, ListError};

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn nothing_stops_a_new_one() {
    let cancel = Cancel::new();
    assert!(!cancel.is_cancelled());
    assert_eq!(cancel.check(), Ok(()));
    assert_eq!(cancel.with_deadline(LONG).check(), Ok(()));
}

#[test]
fn the_flag_is_shared_both_ways() {
    let first = Cancel::new();
    let (clone, timed) = (first.clone(), first.with_deadline(LONG));
    timed.cancel();
    for cancel in [&first, &clone, &timed] {
        assert!(cancel.is_cancelled());
        assert_eq!(cancel.check(), Err(ListError::Cancelled));
    }
    assert_eq!(Cancel::new().check(), Ok(()), "others are not touched");
}

#[test]
fn the_flag_crosses_threads() {
    let cancel = Cancel::new();
    let clone = cancel.clone();
    std::thread::spawn(move || clone.cancel()).join().unwrap();
    assert_eq!(cancel.check(), Err(ListError::Cancelled));
}

#[test]
fn the_earlier_deadline_holds() {
    let cancel = Cancel::new();
    let passed = cancel.with_deadline(Duration::ZERO);
    assert_eq!(passed.check(), Err(ListError::Timeout));
    assert_eq!(passed.with_deadline(LONG).check(), Err(ListError::Timeout));
    let later = cancel.with_deadline(LONG).with_deadline(Duration::ZERO);
    assert_eq!(later.check(), Err(ListError::Timeout));
    assert_eq!(cancel.check(), Ok(()), "the one it was made from has none");
}

#[test]
fn cancelling_counts_before_the_deadline() {
    let passed = Cancel::new().with_deadline(Duration::ZERO);
    passed.cancel();
    assert_eq!(passed.check(), Err(ListError::Cancelled));
}

#[test]
fn a_deadline_beyond_the_clock_is_none() {
    let endless = Cancel::new().with_deadline(Duration::MAX);
    assert_eq!(endless.check(), Ok(()));
    assert_eq!(endless.with_deadline(Duration::ZERO).check(), Err(ListError::Timeout));
    let passed = Cancel::new().with_deadline(Duration::ZERO);
    assert_eq!(passed.with_deadline(Duration::MAX).check(), Err(ListError::Timeout));
}
