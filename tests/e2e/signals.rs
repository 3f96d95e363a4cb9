//! Signals and closed pipes, midway.

use std::io::Read as _;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use trilist_tests::{Entry, Kind, Tree, TreeBuilder};

use crate::silent::Silent;
use crate::support::trilist;

/// More names than a pipe that was widened and the buffers on its way hold: 1.5 MB.
fn large() -> Tree {
    let row = Entry {
        repeat: Some((0, 12_000)),
        ..Entry::new(Kind::File, format!("{}%05d", "n".repeat(120)))
    };
    TreeBuilder::new().entry(row).build()
}

/// A run that has written something and waits for its reader.
fn blocked(tree: &Tree, words: &[&str]) -> Child {
    let mut run = trilist(tree).args(words);
    let command = run.command().stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    child
}

/// The signal ends a run with this status, quickly, and nothing claims to be complete.
fn ends_by(signal: Signal, status: i32) {
    let tree = large();
    // A busy machine may be late once.
    let quickest = (0..3).map(|_| time_to_end(&tree, signal, status)).min().unwrap();
    assert!(quickest < Duration::from_millis(200), "{quickest:?}");
}

fn time_to_end(tree: &Tree, signal: Signal, status: i32) -> Duration {
    let mut child = blocked(tree, &["-a"]);
    let took = end(&mut child, signal, status);
    let mut rest = String::new();
    child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("complete"), "no claim after a signal");
    took
}

fn end(child: &mut Child, signal: Signal, status: i32) -> Duration {
    let start = Instant::now();
    kill_process(Pid::from_child(child), signal).unwrap();
    let code = wait(child);
    assert_eq!(code, Some(status));
    start.elapsed()
}

/// Waits without reading, and not for ever.
fn wait(child: &mut Child) -> Option<i32> {
    for _ in 0..1_000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    panic!("the run did not end");
}

#[test]
fn t68_an_interrupt_ends_with_130() {
    ends_by(Signal::INT, 130);
}

#[test]
fn t68_a_termination_ends_with_143() {
    ends_by(Signal::TERM, 143);
}

#[test]
fn t67_a_closed_pipe_ends_quietly_with_141() {
    let tree = large();
    for words in
        [&["-a", "-1"][..], &["-a"], &["-a", "--json"], &["-a", "-0"], &["-n", "1000", "-1"]]
    {
        let mut child = blocked(&tree, words);
        drop(child.stdout.take());
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!((wait(&mut child), told.as_str()), (Some(141), ""), "{words:?}");
    }
}

#[test]
fn t68_a_directory_that_never_answers_can_be_interrupted() {
    let tree = Tree::empty();
    let Some(_silent) = Silent::mounted(tree.join("silent")) else {
        if rustix::process::geteuid().is_root() {
            trilist_tests::skip("no permission for mounts");
        }
        return;
    };
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut run = trilist(&tree).args(["-a", "-1"]);
        let mut child = run.command().stdout(Stdio::null()).spawn().unwrap();
        // Long enough to get stuck; if it is not, the status is another.
        thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().unwrap(), None);
        end(&mut child, signal, status);
    }
}
