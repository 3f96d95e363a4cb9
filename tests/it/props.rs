//! What holds for every listing, on random trees.

use std::collections::BTreeSet;
use std::fs;

use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use trilist::{Entry, IgnorePolicy, Kind, ListRequest, Lister, Mode, Page, Skip, View, render};

use crate::forest::{Forest, Ground, forests, plant};
use crate::harness::{
    ask, clean, lister, page, pages_by_cursor, pages_by_offset, row, rows, streamed, sums, whole,
};
use crate::reading;

/// Runs `check` on random trees: always the same ones, so that a change is what fails a test; with
/// `TRILIST_TEST_FACTOR=n` on n times as many others.
pub(crate) fn for_forests(cases: u32, ground: Ground, check: impl Fn(&Forest)) {
    let factor = std::env::var("TRILIST_TEST_FACTOR").ok().and_then(|factor| factor.parse().ok());
    let config = Config {
        cases: cases * factor.unwrap_or(1),
        rng_seed: factor.map_or(RngSeed::Fixed(1), |_| RngSeed::Random),
        // No file of failures: a case that failed becomes a test of its own.
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&forests(ground), |forest| {
        // A panic is what shrinking goes by.
        check(&forest);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

pub(crate) const RICH: Ground = Ground { rules: true, bad_rules: true, git: true };

/// Requests that go different ways through the walk.
pub(crate) fn requests() -> Vec<ListRequest> {
    let mut all = Vec::new();
    for mode in [Mode::Fs, Mode::Files] {
        let plain = ask(mode, ".");
        all.push(plain.clone());
        let hidden = Some(mode == Mode::Fs);
        all.push(ListRequest { include_hidden: hidden, depth: Some(3), ..plain.clone() });
        let ignore =
            IgnorePolicy { git: Some(true), dot_ignore: Some(true), ..IgnorePolicy::default() };
        let deep = ListRequest { depth: Some(9), ignore, ..plain.clone() };
        all.push(ListRequest { follow_symlinks: true, ..deep.clone() });
        let keep = IgnorePolicy { keep: vec!["a0".to_owned()], ..deep.ignore.clone() };
        all.push(ListRequest { ignore: keep, ..deep.clone() });
        let kinds = Some(vec![Kind::File]);
        all.push(ListRequest { kinds, pattern: vec!["a*".to_owned(), "A".to_owned()], ..deep });
    }
    all
}

#[test]
fn pages_of_every_size_join_to_the_whole() {
    for_forests(20, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        requests().iter().for_each(|request| check_pages(&lister, request));
    });
}

/// Pages of every size join to the whole, by cursor, by offset and as a stream.
pub(crate) fn check_pages(lister: &Lister, request: &ListRequest) {
    let all = whole(lister, request);
    in_order(&all);
    clean(&all);
    let (entries, end) = streamed(lister, request);
    assert_eq!(entries.iter().map(row).collect::<Vec<_>>(), bare(&all), "{request:?}");
    assert_eq!(sums(&[end]), sums(std::slice::from_ref(&all)), "{request:?}");
    for limit in limits(all.returned) {
        let request = ListRequest { limit: Some(limit), ..request.clone() };
        joined(&request, &pages_by_cursor(lister, &request), &all);
        let by_offset: Vec<_> = pages_by_offset(lister, &request).iter().flat_map(bare).collect();
        assert_eq!(by_offset, bare(&all), "{request:?}");
    }
}

/// The rows without what a cut page or a stream cannot know: what a directory's contents are.
fn bare(page: &Page) -> Vec<String> {
    page.entries.iter().map(|entry| row(&Entry { contents: None, ..entry.clone() })).collect()
}

/// All small limits, and those around the whole.
fn limits(entries: u64) -> impl Iterator<Item = u32> {
    let entries = u32::try_from(entries).unwrap();
    (1..=entries + 1).filter(move |limit| *limit < 6 || limit % 7 == 0 || *limit + 2 > entries)
}

fn joined(request: &ListRequest, pages: &[Page], all: &Page) {
    let joined: Vec<_> = pages.iter().flat_map(bare).collect();
    assert_eq!(joined, bare(all), "{request:?}");
    assert_eq!(sums(pages), sums(std::slice::from_ref(all)), "{request:?}");
    assert!(pages.iter().all(|page| !page.drifted), "{request:?} drifted");
    let (last, cut) = pages.split_last().unwrap();
    assert_eq!((last.total, last.truncated), (Some(all.returned), false), "{request:?}");
    let full = |page: &Page| Some(page.returned) == request.limit.map(u64::from);
    assert!(cut.iter().all(|page| page.truncated && !page.complete && full(page)));
    assert_eq!(last.complete, cut.is_empty() && all.complete);
    pages.iter().for_each(clean);
}

fn in_order(page: &Page) {
    let paths: Vec<&[u8]> = page.entries.iter().map(Entry::bytes).collect();
    assert!(paths.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", rows(page));
}

#[test]
fn rendering_loses_nothing_and_moves_nothing() {
    for_forests(40, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        requests().iter().for_each(|request| check_rendering(&lister, request));
    });
}

/// Every view of every page holds the page's rows.
pub(crate) fn check_rendering(lister: &Lister, request: &ListRequest) {
    for limit in [1_000, 3] {
        let request = ListRequest { limit: Some(limit), ..request.clone() };
        pages_by_cursor(lister, &request).iter().for_each(reading::check);
    }
}

#[test]
fn greater_depth_only_adds() {
    for_forests(40, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        // Each directory is entered once, through the first way to it, and with links followed a
        // greater depth finds other ways: what was at `a/x` may then be at `Z/link/x` alone.
        let requests = requests().into_iter().filter(|request| !request.follow_symlinks);
        requests.for_each(|request| check_depths(&lister, &request));
    });
}

/// A greater depth shows all that a smaller one does.
pub(crate) fn check_depths(lister: &Lister, request: &ListRequest) {
    let at = |depth| whole(lister, &ListRequest { depth: Some(depth), ..request.clone() });
    for depth in 1..5 {
        deeper(&at(depth), &at(depth + 1));
    }
}

/// What the shallow listing shows is in the deep one too; only a directory at the shallow limit
/// may give way to what is below it.
fn deeper(shallow: &Page, deep: &Page) {
    let deep_paths: BTreeSet<&[u8]> = deep.entries.iter().map(Entry::bytes).collect();
    for entry in &shallow.entries {
        let cut = entry.skipped == Some(Skip::Depth);
        let kept = deep_paths.contains(entry.bytes());
        // Mode `files` draws directories from what is below them, which may be nothing.
        assert!(kept || (cut && shallow.mode != Mode::Fs), "{} at {:?}", entry.path, shallow.depth);
    }
    let most = shallow.depth.unwrap();
    let here = deep.entries.iter().filter(|entry| entry.depth <= most).map(Entry::bytes);
    let there = shallow.entries.iter().map(Entry::bytes).filter(|path| deep_paths.contains(path));
    assert_eq!(here.collect::<Vec<_>>(), there.collect::<Vec<_>>(), "{:?}", shallow.depth);
}

#[test]
fn a_budget_is_kept_and_pages_still_join() {
    for_forests(12, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        requests().iter().for_each(|request| check_budget(&lister, request));
    });
}

#[test]
fn a_budget_is_kept_to_the_byte_in_every_view() {
    const VIEWS: [View; 5] = [View::Tree, View::Paths, View::Entries, View::Table, View::Drawn];
    for_forests(12, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        for (request, view) in requests().into_iter().flat_map(|request| {
            VIEWS.map(|view| {
                (ListRequest { metadata: true, view: Some(view), ..request.clone() }, view)
            })
        }) {
            let bytes = |page: &Page| render::json(page).len().max(render::text(page, view).len());
            // One less than it takes is too little; more room in steps leaves no gap to slip
            // through.
            let whole = bytes(&whole(&lister, &request));
            for most in (0..6).map(|step| whole.saturating_sub(1 + step * whole / 7)) {
                let max_bytes = u32::try_from(most.max(1_024)).ok();
                let page = page(&lister, &ListRequest { max_bytes, ..request.clone() });
                let found = bytes(&page);
                let is_kept = found <= most.max(1_024) || page.returned <= 1;
                assert!(is_kept, "{view:?}: {found} bytes of {most}, {} rows", page.returned);
            }
        }
    });
}

/// A reply is no longer than its budget, and pages cut by it join.
pub(crate) fn check_budget(lister: &Lister, request: &ListRequest) {
    const BYTES: u32 = 2_500;
    let all = whole(lister, request);
    let request = ListRequest { max_bytes: Some(BYTES), ..request.clone() };
    let pages = pages_by_cursor(lister, &request);
    assert_eq!(pages.iter().flat_map(bare).collect::<Vec<_>>(), bare(&all));
    assert_eq!(sums(&pages), sums(&[all]));
    for page in &pages {
        let bytes = render::json(page).len().max(render::text(page, View::Tree).len());
        assert!(bytes <= BYTES as usize || page.returned == 1, "{bytes} bytes");
    }
}

#[test]
fn drift_is_told_when_the_way_changes_and_only_then() {
    for_forests(20, Ground { bad_rules: false, ..RICH }, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        for mode in [Mode::Fs, Mode::Files] {
            let request = ListRequest { limit: Some(1), depth: Some(9), ..ask(mode, ".") };
            drift(&lister, &tree, &request);
        }
    });
}

fn drift(lister: &Lister, tree: &trilist_tests::Tree, request: &ListRequest) {
    let first = page(lister, request);
    let Some(cursor) = first.next_cursor else { return };
    let next = ListRequest { cursor: Some(cursor), ..request.clone() };
    assert!(!page(lister, &next).drifted);
    let on_the_way = tree.join("~new");
    fs::write(&on_the_way, "x").unwrap();
    assert!(page(lister, &next).drifted);
    fs::remove_file(&on_the_way).unwrap();
    assert!(!page(lister, &next).drifted);
    // A saved file keeps its name: neither its bytes nor its time are looked at.
    let is_plain = |entry: &&Entry| entry.kind == Kind::File && !entry.bytes().ends_with(b"ignore");
    if let Some(file) = first.entries.iter().find(is_plain) {
        fs::write(tree.join(file.bytes()), "changed").unwrap();
        assert!(!page(lister, &next).drifted);
    }
}
