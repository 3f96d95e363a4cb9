//! Trees that change while they are looked at.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use trilist_root::{Beneath, Dir, ResolveError, Root, Scratch};
use trilist_tests::{figure, is_full};

use crate::support::{Tree, WAYS, rel, skip};

/// How many exchanges are stood: those that are promised, or what every run can afford.
fn swaps_wanted() -> u64 {
    if is_full() { 1_000_000 } else { 20_000 }
}

/// Exchanges two names of the root until told to stop.
fn swap(tree: &Tree, names: [&str; 2], stop: &AtomicBool, swaps: &AtomicU64) {
    let [one, other] = names.map(|name| tree.inside.join(name));
    while !stop.load(Ordering::Relaxed) {
        let done = renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
        done.expect("both names are always there");
        swaps.fetch_add(1, Ordering::Relaxed);
    }
}

/// Ends the swapper also when an assertion fails.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `look` until enough swaps were done; tells how many there were.
fn against_swapper(tree: &Tree, names: [&str; 2], mut look: impl FnMut()) -> u64 {
    let (stop, swaps) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let _stop = StopOnDrop(&stop);
        scope.spawn(|| swap(tree, names, &stop, &swaps));
        let limit = Instant::now() + Duration::from_secs(if is_full() { 600 } else { 60 });
        while swaps.load(Ordering::Relaxed) < swaps_wanted() && Instant::now() < limit {
            look();
        }
    });
    let swaps = swaps.into_inner();
    assert!(swaps >= swaps_wanted(), "only {swaps} swaps were done");
    swaps
}

fn assert_inside(dir: &Dir) {
    let read = dir.entries(&mut Scratch::default(), &mut |entry| {
        assert_ne!(entry.name, b"outside-name", "a name from outside");
        Ok(ControlFlow::Continue(()))
    });
    read.expect("the directory stays");
}

fn exchange_race(way: Beneath) {
    let tree = Tree::new();
    tree.file("a/d/inside-name", "").file("../elsewhere/d/outside-name", "");
    tree.file("../elsewhere/outside-name", "");
    tree.link("l", "../elsewhere");
    if !can_exchange(&tree) {
        return skip("the file system cannot exchange names");
    }
    let root = tree.root(way);
    let (mut listed, mut refused) = (0_u64, 0_u64);
    let swaps = against_swapper(&tree, ["a", "l"], || {
        for asked in ["a", "a/d", "a/../a/d"] {
            match root.resolve(asked.as_bytes()) {
                Ok(found) => {
                    assert_inside(&found.dir);
                    listed += 1;
                }
                Err(ResolveError::OutsideRoot) => refused += 1,
                Err(ResolveError::Io { error, .. }) => {
                    assert_eq!(trilist_root::errno_name(&error), "EAGAIN");
                }
                Err(error) => panic!("{error}"),
            }
        }
        step_down(&root);
    });
    assert!(listed > 0 && refused > 0, "{listed} listed, {refused} refused");
    let what = format!("a directory exchanged for a link that leads out, root opened {way:?}");
    let told = format!("{swaps} exchanges, {listed} looks inside, {refused} refused, none outside");
    figure("T-13", &what, &told);
}

/// What a walk does.
fn step_down(root: &Root) {
    if let Ok(dir) = root.open_dir(rel("a/d")) {
        assert_inside(&dir);
    }
    let top = root.dir().expect("the root stays");
    if let Ok(dir) = top.open_dir(b"a").and_then(|dir| dir.open_dir(b"d")) {
        assert_inside(&dir);
    }
}

fn can_exchange(tree: &Tree) -> bool {
    let [one, other] = ["a", "l"].map(|name| tree.inside.join(name));
    let exchange = || renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
    exchange().is_ok() && exchange().is_ok()
}

#[test]
fn t13_exchange_race_by_kernel() {
    exchange_race(Beneath::Kernel);
}

#[test]
fn t13_exchange_race_stepwise() {
    exchange_race(Beneath::Stepwise);
}

#[test]
fn t13_moved_out_while_going_up() {
    // `..` of a directory that is moved outside would lead outside.
    for way in WAYS {
        let tree = Tree::new();
        tree.file("a/b/c/x", "").file("a/b/inside-name", "");
        tree.file("../elsewhere/c/x", "").file("../elsewhere/outside-name", "");
        tree.file("l/placeholder", "");
        let root = tree.root(way);
        against_swapper(&tree, ["a/b/c", "../elsewhere/c"], || match root.resolve(b"a/b/c/..") {
            Ok(found) => assert_inside(&found.dir),
            Err(error) => assert!(matches!(error, ResolveError::Io { .. }), "{error}"),
        });
    }
}

#[test]
fn t14_files_and_pipes_that_take_turns() {
    let tree = Tree::new();
    tree.file("f", "contents").fifo("p");
    let root = tree.root(WAYS[0]);
    let dir = root.dir().expect("it is readable");
    against_swapper(&tree, ["f", "p"], || {
        if let Ok(bytes) = dir.read_file(b"f", 100) {
            assert_eq!(bytes, b"contents");
        }
    });
}
