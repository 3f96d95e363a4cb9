//! File systems that answer late or never: the caller is not kept, and what was listed is true.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use trilist::{
    Cancel, ChatFiles, GRACE, HostSide, ListError, ListRequest, Lister, MAX_AT_ONCE, Mode, Page,
    Policy, Reason, Sort, TruncatedBy, View, render,
};
use trilist_tests::{Answers, FuseDir};

use super::served::served;
use crate::harness::{ask, clean, paths, warned};

/// What a busy machine may add to every bound here.
const SLACK: Duration = Duration::from_secs(3);

fn deep(mode: Mode, path: &str, deadline_ms: u32) -> ListRequest {
    ListRequest { depth: Some(9), deadline_ms: Some(deadline_ms), ..ask(mode, path) }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

/// A page that ended for its caller because one directory does not answer.
fn check_partial(page: &Page, right: &[&str], at: &str) {
    assert_eq!(paths(page), right);
    assert_eq!(warned(page), [format!("timeout {at} gap")]);
    assert_eq!(page.truncated_by, Some(TruncatedBy::Deadline));
    assert!(page.truncated && !page.complete && page.next_cursor.is_some());
    let text = render::text(page, View::Tree);
    assert!(
        text.starts_with("CUT ") && text.contains(&format!("Warning: {at}: timeout: ")),
        "{text}"
    );
    clean(page);
}

fn hung() -> Vec<FuseDir> {
    vec![
        FuseDir::new("a", &["1", "2"]),
        FuseDir::new("m", &["never"]).answers(Answers::Never),
        FuseDir::new("z", &["3"]),
    ]
}

#[test]
fn t24_a_directory_that_never_answers_costs_only_what_lies_behind_it() {
    let Some((tree, fuse)) = served(hung()) else { return };
    let lister = Arc::new(Lister::open(&[tree.path()], Policy::default()).unwrap());
    // What is given up does not cancel the calls that share it.
    let cancel = Cancel::new();
    for (mode, right) in [(Mode::Fs, &["a", "a/1", "a/2", "m"][..]), (Mode::Files, &["a/1", "a/2"])]
    {
        let request = deep(mode, "served", 1_500);
        let (page, took) = timed(|| lister.list_in_time(&request, &cancel));
        let page = page.unwrap();
        check_partial(&page, right, "m");
        assert!(took < Duration::from_millis(1_500) + GRACE + SLACK, "{took:?}");
        // Whoever goes on from there waits for the same directory.
        let next = ListRequest { cursor: page.next_cursor, ..ask(mode, "served") };
        let next = ListRequest { deadline_ms: Some(300), ..next };
        assert_eq!(lister.list_in_time(&next, &cancel), Err(ListError::Timeout));
        // What needs no answer from there is served.
        let other = lister.list_in_time(&deep(mode, "served/z", 60_000), &cancel).unwrap();
        assert_eq!((paths(&other), other.complete), (vec!["3"], true));
    }
    // Those that come later wait in the kernel for the first.
    assert!(fuse.unanswered() >= 1);
    fuse.abort();
}

#[test]
fn t24_the_ninth_hang_is_busy_and_an_answer_ends_that() {
    let Some((tree, fuse)) = served(hung()) else { return };
    let lister = Arc::new(Lister::open(&[tree.path()], Policy::default()).unwrap());
    let request = deep(Mode::Fs, "served/m", 100);
    thread::scope(|scope| {
        for _ in 0..MAX_AT_ONCE {
            scope.spawn(|| {
                let answer = lister.list_in_time(&request, &Cancel::new());
                assert_eq!(answer, Err(ListError::Timeout));
            });
        }
    });
    assert_eq!(lister.list_in_time(&request, &Cancel::new()), Err(ListError::Busy));
    // Aborted, the file system answers everybody with an error, and their threads end.
    fuse.abort();
    let again = deep(Mode::Fs, ".", 60_000);
    let page = (0..50).find_map(|_| lister.list_in_time(&again, &Cancel::new()).ok()).unwrap();
    assert!(!page.complete, "the mount is gone: {:?}", warned(&page));
}

#[test]
fn t24_other_orders_have_no_part_that_is_true() {
    let Some((tree, fuse)) = served(hung()) else { return };
    let lister = Arc::new(Lister::open(&[tree.path()], Policy::default()).unwrap());
    let sorted = ListRequest { sort: Sort::Kind, ..deep(Mode::Fs, "served", 200) };
    assert_eq!(lister.list_in_time(&sorted, &Cancel::new()), Err(ListError::Timeout));
    fuse.abort();
}

#[test]
fn t24_a_part_has_its_place_in_the_listing() {
    let Some((tree, fuse)) = served(hung()) else { return };
    let lister = Arc::new(Lister::open(&[tree.path()], Policy::default()).unwrap());
    let request = ListRequest { offset: Some(3), ..deep(Mode::Fs, "served", 1_500) };
    let page = lister.list_in_time(&request, &Cancel::new()).unwrap();
    check_partial(&page, &["a/2", "m"], "m");
    assert_eq!((page.next_offset, page.at_least, page.total), (Some(5), 4, None));
    let first = ListRequest { limit: Some(1), ..deep(Mode::Fs, "served", 60_000) };
    let cursor = lister.list_in_time(&first, &Cancel::new()).unwrap().next_cursor;
    let rest = ListRequest { cursor, deadline_ms: Some(1_500), ..ask(Mode::Fs, "served") };
    let page = lister.list_in_time(&rest, &Cancel::new()).unwrap();
    check_partial(&page, &["a/1", "a/2", "m"], "m");
    assert_eq!((page.next_offset, page.drifted), (Some(5), false));
    // A count that does not end leaves the page that it was asked with.
    let counted = ListRequest { limit: Some(2), count: true, ..deep(Mode::Fs, "served", 1_500) };
    let page = lister.list_in_time(&counted, &Cancel::new()).unwrap();
    assert_eq!((paths(&page), page.total), (vec!["a", "a/1"], None));
    fuse.abort();
}

/// The names of a session take half of the page's time; those that are left then are `unknown`, and
/// the page comes all the same.
#[test]
fn slow_names_of_a_chat_become_unknown_and_leave_time_for_the_page() {
    let slow = Answers::After(Duration::from_millis(400));
    let dirs = (0..12).map(|number| FuseDir::new(&format!("d{number:02}"), &["x"]).answers(slow));
    let Some((tree, _fuse)) = served(dirs.collect()) else { return };
    std::fs::write(tree.join("served-not"), "").unwrap();
    let lister = Arc::new(Lister::open(&[tree.path()], Policy::default()).unwrap());
    // Of a directory in `files` what is below it has to be read.
    let names = (0..12).map(|number| format!("served/d{number:02}").as_str().into());
    let chat = ChatFiles { in_chat: names.collect(), read_only: Vec::new() };
    let host = HostSide { chat: Some(Arc::new(chat)), ..HostSide::default() };
    let request = ListRequest { limit: Some(1), ..deep(Mode::Files, ".", 3_000) };
    let (page, took) = timed(|| lister.list_in_time_for(&request, &host, &Cancel::new()));
    let page = page.unwrap();
    assert!(took < Duration::from_millis(3_000) + GRACE + SLACK, "{took:?}");
    assert_eq!(paths(&page), ["served-not"]);
    let group = page.chat.unwrap().in_chat;
    assert_eq!((group.count, group.files.len()), (12, 12));
    let known = group.files.iter().take_while(|file| file.reason == Some(Reason::Kind)).count();
    assert!((1..12).contains(&known), "{known} known");
    assert!(group.files[known..].iter().all(|file| file.reason == Some(Reason::Unknown)));
}

#[test]
fn t25_a_slow_directory_keeps_the_deadline_and_a_cancel_ends_at_once() {
    let slow = Answers::After(Duration::from_secs(1));
    let dirs = (0..20).map(|number| FuseDir::new(&format!("d{number:02}"), &["x"]).answers(slow));
    let Some((tree, _fuse)) = served(dirs.collect()) else { return };
    let lister = Arc::new(Lister::open(&[tree.path()], Policy::default()).unwrap());
    for mode in [Mode::Fs, Mode::Files] {
        let request = deep(mode, "served", 2_500);
        let (page, took) = timed(|| lister.list_in_time(&request, &Cancel::new()));
        let page = page.unwrap();
        assert!(took < Duration::from_millis(2_500) + GRACE + SLACK, "{took:?}");
        assert_eq!(page.truncated_by, Some(TruncatedBy::Deadline));
        assert!(page.entries.iter().any(|entry| entry.path == "d00/x"), "{:?}", paths(&page));
    }
    let cancel = Cancel::new();
    let (answer, took) = thread::scope(|scope| {
        let work = scope.spawn(|| {
            let answer = lister.list_in_time(&deep(Mode::Fs, "served", 60_000), &cancel);
            (answer, Instant::now())
        });
        thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        cancel.cancel();
        let (answer, ended) = work.join().unwrap();
        (answer, ended - start)
    });
    assert_eq!(answer, Err(ListError::Cancelled));
    // A busy machine is allowed more than the 200 ms that are promised, and less than an answer.
    assert!(took < Duration::from_millis(700), "{took:?}");
}
