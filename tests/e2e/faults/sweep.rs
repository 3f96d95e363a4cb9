//! Each of the first calls of a listing fails, in every way.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;
use trilist_tests::{Tree, TreeBuilder, figure, is_full, require};

use super::inject::{ERRNOS, Site, Traced, lie};

/// How many calls of each listing are made to fail.
const FIRST: usize = 60;
/// Of all the pairs of a call and an error, the usual run takes each how manyth.
const SAMPLE: usize = 23;

/// Rules, links, repositories, depths: something of everything that a listing looks at.
fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a/b/c/deep", "a/x", "z/y", "hidden/.h", "m.log", "a/n.log", "node_modules/m"])
        .file(".gitignore", "*.log\n")
        .file("a/.ignore", "x\n")
        .file("z/.gitignore", "!keep\n")
        .symlink("l", "a/b")
        .symlink("broken", "nowhere")
        .fifo("pipe")
        .commit("one")
        .file("a/staged", "x")
        .git(&["add", "a/staged"])
        .git(&["pack-refs", "--all"])
        .file(".git/info/exclude", "*.tmp\n")
        .file("z/t.tmp", "")
        .build()
}

/// What is listed, and with which words.
type Listing = (&'static str, &'static [&'static str]);

fn listings() -> [Listing; 6] {
    [
        ("", &["-m", "fs", "-d", "5", "--hidden"]),
        ("", &["-m", "files"]),
        ("", &["-m", "vcs"]),
        ("", &["-m", "fs", "-d", "5", "--follow", "--metadata"]),
        ("", &["-m", "files", "--one-file-system", "--sort", "size"]),
        ("a/b", &["-m", "files"]),
    ]
}

#[test]
fn t21_every_failing_call_is_told_and_nothing_is_made_up() {
    if !require("strace") {
        return;
    }
    let tree = tree();
    let traced = listings().map(|listing| (listing, Traced::new(&tree, listing.0, listing.1)));
    let usual = traced.map(|(listing, traced)| (listing, traced.sites(), traced.plain()));
    let mut runs = Vec::new();
    for (listing, sites, plain) in &usual {
        let right = plain.reply.as_ref().unwrap();
        assert_eq!(right["complete"], true, "{right}");
        assert!(sites.len() > 20, "{listing:?} looks at the tree: {sites:?}");
        for site in sites.iter().take(FIRST) {
            runs.extend(ERRNOS.map(|errno| (*listing, site.clone(), errno, right)));
        }
    }
    let every = if is_full() { 1 } else { SAMPLE };
    let runs: Vec<_> = runs.into_iter().step_by(every).collect();
    let lies = failing(&tree, &runs);
    assert!(lies.is_empty(), "{} of {} runs lie:\n{}", lies.len(), runs.len(), lies.join("\n"));
    let what = format!("the first {FIRST} file calls of six listings, each failing in 12 ways");
    figure("T-21", &what, &format!("{} runs, none lies, hangs or breaks", runs.len()));
}

#[test]
fn t21_calls_that_fail_from_somewhere_on_are_told() {
    if !require("strace") {
        return;
    }
    let tree = tree();
    let (mut lies, mut runs) = (Vec::new(), 0);
    for (path, words) in listings() {
        let traced = Traced::new(&tree, path, words);
        let right = traced.plain().reply.unwrap();
        // Also those behind the first ones: a file is read in several parts.
        for site in traced.sites().iter().step_by(if is_full() { 1 } else { 4 }) {
            let outcome = traced.failing_from(site, "EIO", runs);
            let lie = lie(&traced, &outcome, &right, "EIO");
            lies.extend(lie.map(|lie| format!("{path} {words:?} {site:?}: {lie}")));
            runs += 1;
        }
    }
    assert!(lies.is_empty(), "{} of {runs} runs lie:\n{}", lies.len(), lies.join("\n"));
    let what = "every file call of six listings fails, and all of its name behind it";
    figure("T-21", what, &format!("{runs} runs, none lies, hangs or breaks"));
}

type Run<'r> = (Listing, Site, &'static str, &'r Value);

/// Makes the runs, two at a time, and tells those that lied.
fn failing(tree: &Tree, runs: &[Run<'_>]) -> Vec<String> {
    let (next, lies) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((at, run)) = next_of(&next, runs) {
            let ((path, words), site, errno, right) = run;
            let traced = Traced::new(tree, path, words);
            let outcome = traced.failing(site, errno, at);
            assert!(outcome.injected, "{words:?} {site:?} {errno}: nothing was injected");
            if let Some(lie) = lie(&traced, &outcome, right, errno) {
                lies.lock().unwrap().push(format!("{path} {words:?} {site:?} {errno}: {lie}"));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let mut lies = lies.into_inner().unwrap();
    lies.sort();
    lies
}

fn next_of<'r, 't>(next: &AtomicUsize, runs: &'r [Run<'t>]) -> Option<(usize, &'r Run<'t>)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    runs.get(at).map(|run| (at, run))
}
