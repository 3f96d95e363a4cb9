//! A directory and a link that leads out, exchanged again and again while the directory is listed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use trilist::{Cancel, ListRequest, Lister, Mode, View, render};
use trilist_tests::{Tree, figure, git, is_full, skip};

use crate::harness::{ask, policy};

/// What has this in its name lies outside.
const OUTSIDE: &str = "OUTSIDE";

/// How many exchanges each mode stands: those that are promised, or what every run can afford.
fn swaps() -> u64 {
    if is_full() { 1_000_000 } else { 20_000 }
}

/// How many listings are made meanwhile at the least, since exchanges are much quicker.
fn listings() -> u64 {
    if is_full() { 20_000 } else { 600 }
}

/// `r` inside, and `l` that leads to another `r` outside: work trees with the same directories and
/// other names in them.
fn tree() -> Tree {
    let tree = Tree::empty();
    for (at, name) in [(tree.join("r"), "inside"), (tree.outside().join("r"), OUTSIDE)] {
        fs::create_dir_all(at.join("d/e")).unwrap();
        for dir in ["", "d", "d/e"] {
            fs::write(at.join(dir).join(name), "").unwrap();
        }
        git(&at, &["init", "-q"]);
        git(&at, &["add", "."]);
        git(&at, &["commit", "-q", "-m", "one"]);
    }
    symlink("../r", tree.join("l")).unwrap();
    symlink("../../r/.git", tree.join("r/lg")).unwrap();
    symlink("../../r/d", tree.join("r/ld")).unwrap();
    tree
}

/// Exchanges two names until told to stop.
fn swap(tree: &Tree, [one, other]: [&str; 2], stop: &AtomicBool, swaps: &AtomicU64) {
    let [one, other] = [tree.join(one), tree.join(other)];
    while !stop.load(Ordering::Relaxed) {
        // The second exchange puts things right again.
        for _ in 0..2 {
            renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE).unwrap();
            swaps.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Ends what goes on beside a test, also when an assertion fails.
pub(super) struct StopOnDrop<'a>(pub(super) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Makes the requests in turn until there were enough exchanges and listings; tells how many there
/// were, and how the listings ended.
fn against_swaps(
    tree: &Tree,
    names: [&str; 2],
    requests: &[ListRequest],
) -> (u64, BTreeMap<&'static str, u64>) {
    let lister = Lister::open(&[tree.path()], policy()).unwrap();
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut ends = BTreeMap::new();
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| swap(tree, names, &stop, &done));
        let limit = Instant::now() + Duration::from_secs(540);
        for (made, request) in (0..).zip(requests.iter().cycle()) {
            let enough = made >= listings() && done.load(Ordering::Relaxed) >= swaps();
            if enough || Instant::now() > limit {
                break;
            }
            *ends.entry(list(&lister, request)).or_default() += 1;
        }
    });
    assert!(done.load(Ordering::Relaxed) >= swaps(), "only {done:?} exchanges were done");
    assert!(ends.values().sum::<u64>() >= listings(), "only {ends:?} listings were made");
    (done.into_inner(), ends)
}

/// One listing, which names nothing from outside; how it ended.
fn list(lister: &Lister, request: &ListRequest) -> &'static str {
    let (text, end) = match lister.list(request, &Cancel::new()) {
        Ok(page) => {
            let end = if page.complete { "complete" } else { "with gaps" };
            (render::json(&page) + &render::text(&page, View::Tree), end)
        }
        Err(error) => (serde_json::to_string(&error.reply()).unwrap(), error.code()),
    };
    assert!(!text.contains(OUTSIDE), "{request:?}: {text}");
    end
}

fn can_exchange(tree: &Tree) -> bool {
    let [one, other] = ["r", "l"].map(|name| tree.join(name));
    let exchange = || renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
    exchange().is_ok() && exchange().is_ok()
}

/// Each pair of names takes its part of the exchanges of a mode; `right` are the ends that a listing
/// may have.
fn check(mode: Mode, pairs: &[([&str; 2], Vec<ListRequest>)], right: &[&str]) {
    let tree = tree();
    if !can_exchange(&tree) {
        return skip("the file system cannot exchange names");
    }
    let (mut swaps, mut all) = (0, BTreeMap::new());
    for (names, requests) in pairs {
        let (done, ends) = against_swaps(&tree, *names, requests);
        swaps += done;
        ends.into_iter().for_each(|(end, count)| *all.entry(end).or_insert(0) += count);
    }
    assert!(all.keys().all(|end| right.contains(end)), "{all:?}");
    assert!(all.len() > 1, "the listings met the exchanges: {all:?}");
    let ends: Vec<String> = all.iter().map(|(end, count)| format!("{count} {end}")).collect();
    let value = format!("{swaps} exchanges, no name from outside; listings: {}", ends.join(", "));
    figure(
        "T-13",
        &format!("a directory exchanged for a link that leads out, mode {mode}"),
        &value,
    );
}

/// Requests that look at the exchanged names from above, at them, and below them.
fn requests(mode: Mode, paths: &[&str]) -> Vec<ListRequest> {
    let each = paths.iter().flat_map(|path| {
        [false, true].map(|follow_symlinks| ListRequest {
            depth: Some(9),
            include_hidden: Some(mode == Mode::Files),
            follow_symlinks,
            metadata: true,
            ..ask(mode, path)
        })
    });
    each.collect()
}

const ON_DISK: &[&str] = &["complete", "with gaps", "outside_root", "io_error"];

fn on_disk(mode: Mode) {
    let top = (["r", "l"], requests(mode, &[".", "r", "r/d", "r/d/e"]));
    let below = (["r/d", "r/ld"], requests(mode, &[".", "r", "r/d", "r/d/../d/e"]));
    check(mode, &[top, below], ON_DISK);
}

#[test]
fn t13_exchanges_bring_no_name_from_outside_into_mode_fs() {
    on_disk(Mode::Fs);
}

#[test]
fn t13_exchanges_bring_no_name_from_outside_into_mode_files() {
    on_disk(Mode::Files);
}

#[test]
fn t13_exchanges_bring_no_name_from_outside_into_mode_vcs() {
    let asked = |path: &str| ListRequest { metadata: true, ..ask(Mode::Vcs, path) };
    let all = vec![asked("r"), asked("r/d"), ListRequest { count: true, ..asked("r/d/e") }];
    let ends = ["complete", "with gaps", "outside_root", "io_error", "not_a_repository"];
    let ends = [&ends[..], &["vcs_refused", "vcs_invalid"]].concat();
    let top = (["r", "l"], all.clone());
    let git_dir = (["r/.git", "r/lg"], all);
    check(Mode::Vcs, &[top, git_dir], &ends);
}
