//! One directory with a million entries, and what a call may cost there.

use std::fs::File;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{CWD, Mode as Bits, OFlags, openat};
use trilist::{ListRequest, Mode};
use trilist_tests::{Tree, figure, is_full};

use crate::again::alone;
use crate::harness::{ask, lister, omitted, page, pages_by_cursor};
use crate::peak::{Peak, processor_time};

/// Trees of a million take a gigabyte each, so that there is one at a time.
static ONE_TREE: Mutex<()> = Mutex::new(());

/// How many entries: those that the bounds are promised for, or a part that every run can afford.
fn entries() -> u64 {
    if is_full() { 1_000_000 } else { 100_000 }
}

/// Of so many entries every tenth is hidden.
fn flat(entries: u64) -> Tree {
    let tree = Tree::on_tmpfs();
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let dir = openat(CWD, tree.path(), flags, Bits::empty()).unwrap();
    for number in 0..entries {
        // Not in the order in which they are listed.
        let name = name_of(number * 7_919 % entries, entries);
        let made = openat(&dir, name, OFlags::CREATE | OFlags::WRONLY, Bits::RUSR).unwrap();
        drop(File::from(made));
    }
    tree
}

fn name_of(number: u64, entries: u64) -> String {
    assert!(number < entries);
    let hidden = if number.is_multiple_of(10) { "." } else { "" };
    format!("{hidden}entry-{number:07}")
}

/// What a page may take: 3 s for a million, as much for each entry of fewer. Test programs are not
/// optimised, and other tests run beside this one, so the processor's time is what counts.
fn bound(entries: u64) -> Duration {
    Duration::from_secs(3).mul_f64((entries as f64 / 1e6).max(0.2)) * slack()
}

/// How much slower a test program is than the one that people run.
fn slack() -> u32 {
    if cfg!(debug_assertions) { 4 } else { 1 }
}

#[test]
fn t30_a_page_of_a_million_entries_costs_little() {
    let _one = ONE_TREE.lock().unwrap_or_else(PoisonError::into_inner);
    if !alone(module_path!(), "t30_a_page_of_a_million_entries_costs_little", "") {
        return;
    }
    let entries = entries();
    let tree = flat(entries);
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request =
            ListRequest { limit: Some(1_000), include_hidden: Some(false), ..ask(mode, ".") };
        let (peak, start) = (Peak::now(), processor_time());
        let page = page(&lister, &request);
        let (took, grown) = (processor_time() - start, peak.grown_bytes());
        assert_eq!(page.returned, 1_000);
        let right = (0..entries).filter(|number| number % 10 != 0).take(1_000);
        let right: Vec<String> = right.map(|number| name_of(number, entries)).collect();
        assert!(page.entries.iter().map(|entry| &entry.path).eq(&right), "they are in order");
        assert!(page.truncated && page.next_cursor.is_some());
        let what = format!("a page of 1,000 of {entries} entries in one directory, mode {mode}");
        let value = format!("{} ms, {} KiB", took.as_millis(), grown >> 10);
        figure("T-30", &what, &value);
        assert!(took <= bound(entries), "{took:?}");
        assert!(Peak::total_bytes() <= 64 << 20, "{} KiB", Peak::total_bytes() >> 10);
    }
}

#[test]
fn t31_all_its_pages_are_the_exact_set() {
    let _one = ONE_TREE.lock().unwrap_or_else(PoisonError::into_inner);
    if !alone(module_path!(), "t31_all_its_pages_are_the_exact_set", "") {
        return;
    }
    // Each page reads the directory anew, so that all pages of a million are a billion entries.
    let entries = if is_full() { 1_000_000 } else { 20_000 };
    let tree = flat(entries);
    let lister = lister(tree.path());
    let limit = if is_full() { 100_000 } else { 1_000 };
    let request = ListRequest { limit: Some(limit), ..ask(Mode::Fs, ".") };
    let start = processor_time();
    let pages = pages_by_cursor(&lister, &request);
    let each = (processor_time() - start) / pages.len() as u32;
    let shown = (0..entries).filter(|number| number % 10 != 0);
    let right = shown.map(|number| name_of(number, entries));
    let listed = pages.iter().flat_map(|page| &page.entries).map(|entry| entry.path.clone());
    assert!(listed.eq(right), "each entry is listed once, in order");
    let hidden: u64 = pages.iter().flat_map(|page| &page.omitted).map(|one| one.count).sum();
    assert_eq!(hidden, entries / 10, "{:?}", pages.iter().map(omitted).collect::<Vec<_>>());
    let what = format!("all pages of {entries} entries, {limit} a page");
    let value = format!("{} pages, the exact set, {} ms each", pages.len(), each.as_millis());
    figure("T-31", &what, &value);
    assert!(each <= bound(entries).max(Duration::from_secs(3)), "{each:?}");
}

#[test]
fn t30_other_orders_and_counts_of_a_million_are_bounded_too() {
    let _one = ONE_TREE.lock().unwrap_or_else(PoisonError::into_inner);
    if !alone(module_path!(), "t30_other_orders_and_counts_of_a_million_are_bounded_too", "") {
        return;
    }
    let entries = entries();
    let tree = flat(entries);
    let lister = lister(tree.path());
    let plain = ListRequest { limit: Some(1_000), ..ask(Mode::Fs, ".") };
    let reverse = page(&lister, &ListRequest { reverse: true, ..plain.clone() });
    assert_eq!(reverse.entries[0].path, name_of(entries - 1, entries));
    let counted = page(&lister, &ListRequest { count: true, ..plain.clone() });
    assert_eq!(counted.total, Some(entries / 10 * 9));
    let last = ListRequest { offset: Some(entries / 10 * 9), ..plain };
    let last = page(&lister, &last);
    assert_eq!(last.entries[0].path, name_of(entries - 1, entries));
    // These hold the names of the whole directory, and still no more than one call may.
    assert!(Peak::total_bytes() <= 128 << 20, "{} KiB", Peak::total_bytes() >> 10);
}
