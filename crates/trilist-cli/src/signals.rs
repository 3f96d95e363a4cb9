//! SIGINT and SIGTERM.

use std::process;
use std::thread;

use nix::sys::signal::{SigSet, Signal};

use crate::exit::Exit;

/// The watcher only waits, so it needs next to no stack.
const STACK_BYTES: usize = 64 * 1024;

/// Lets a thread of its own wait for SIGINT and SIGTERM and end the process with their status.
///
/// A handler would do nothing while the listing is blocked in a system call that a handled signal
/// does not end (a file system in user space, a network that hangs); ending the process does. What
/// is still in buffers is dropped with it, so no line can call the listing complete.
///
/// Without the thread, the signals keep their usual effect.
pub(crate) fn watch() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGINT);
    signals.add(Signal::SIGTERM);
    // Blocked here and so in every thread to come, they are left to the one that waits.
    if signals.thread_block().is_err() {
        return;
    }
    let watcher = thread::Builder::new().stack_size(STACK_BYTES);
    if watcher.spawn(move || wait(&signals)).is_err() {
        let _ = signals.thread_unblock();
    }
}

fn wait(signals: &SigSet) {
    let exit = match signals.wait() {
        Ok(Signal::SIGTERM) => Exit::Terminated,
        _ => Exit::Interrupted,
    };
    process::exit(i32::from(exit as u8));
}
