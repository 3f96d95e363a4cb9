//! SIGINT and SIGTERM, and the moment after which nobody waits for the file system.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{SigEvent, SigSet, SigevNotify, Signal};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;

use crate::exit::Exit;

/// The watcher waits, and may have to write a page.
const STACK_BYTES: usize = 512 * 1024;

/// What is done when the time is over.
type LastWord = Box<dyn Fn() -> Exit + Send + Sync>;

static LAST_WORD: OnceLock<LastWord> = OnceLock::new();
/// Whether there is somebody who hears of signals.
static WATCHED: AtomicBool = AtomicBool::new(false);
/// How many parts of the reply the one who lists has written.
static PARTS: AtomicU64 = AtomicU64::new(0);
/// Who writes the reply.
static WRITER: AtomicU8 = AtomicU8::new(NOBODY);
const NOBODY: u8 = 0;
/// The one who lists writes a part, and goes on listing.
const LISTING: u8 = 1;
/// The listing has ended: the time no longer matters.
const ENDED: u8 = 2;
/// The watcher says the last word.
const WATCHER: u8 = 3;

/// How often the watcher looks again whether the listing still waits, once its time is over.
const AGAIN: Duration = Duration::from_millis(100);

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
    signals.add(Signal::SIGALRM);
    // Blocked here and so in every thread to come, they are left to the one that waits.
    if signals.thread_block().is_err() {
        return;
    }
    let watcher = thread::Builder::new().stack_size(STACK_BYTES);
    match watcher.spawn(move || wait(&signals)) {
        Ok(_) => WATCHED.store(true, Ordering::SeqCst),
        Err(_) => {
            let _ = signals.thread_unblock();
        }
    }
}

/// Has the watcher say the last word and end the process when `time` has passed and the listing
/// still waits for the file system. A timer of the system does that: another thread would cost more
/// than most listings do.
pub(crate) fn give_up_after(time: Duration, last_word: impl Fn() -> Exit + Send + Sync + 'static) {
    if !WATCHED.load(Ordering::SeqCst) || LAST_WORD.set(Box::new(last_word)).is_err() {
        return;
    }
    let signal = SigevNotify::SigevSignal { signal: Signal::SIGALRM, si_value: 0 };
    let timer = Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(signal));
    // Without a timer the listing still looks at its deadline between two reads.
    let Ok(mut timer) = timer else { return };
    let when = Expiration::IntervalDelayed(time.into(), AGAIN.into());
    if timer.set(when, TimerSetTimeFlags::empty()).is_ok() {
        // It goes away with the process.
        std::mem::forget(timer);
    }
}

/// Writes a part of a reply: who waits for a slow reader does not wait for the file system.
pub(crate) fn writing<T>(write: impl FnOnce() -> T) -> T {
    if WRITER.load(Ordering::SeqCst) == ENDED {
        return write();
    }
    claim(LISTING);
    let written = write();
    PARTS.fetch_add(1, Ordering::SeqCst);
    WRITER.store(NOBODY, Ordering::SeqCst);
    written
}

/// Says that the listing has ended, and that what there is to write is the caller's.
pub(crate) fn listing_ended() {
    claim(ENDED);
}

/// When the watcher was faster it is writing, and ends the process: the caller waits for that.
fn claim(writer: u8) {
    let claimed = || WRITER.compare_exchange(NOBODY, writer, Ordering::SeqCst, Ordering::SeqCst);
    while claimed().is_err() {
        thread::park();
    }
}

fn wait(signals: &SigSet) {
    let mut parts = 0;
    loop {
        let exit = match signals.wait() {
            Ok(Signal::SIGALRM) => match last_word(&mut parts) {
                Some(exit) => exit,
                None => continue,
            },
            Ok(Signal::SIGTERM) => Exit::Terminated,
            _ => Exit::Interrupted,
        };
        process::exit(i32::from(exit as u8));
    }
}

/// Says the last word, unless the listing has written something since the last time: who waits for
/// a slow reader is not kept by the file system, and looks at its deadline itself.
fn last_word(parts: &mut u64) -> Option<Exit> {
    let last_word = LAST_WORD.get()?;
    let now = PARTS.load(Ordering::SeqCst);
    if std::mem::replace(parts, now) != now {
        return None;
    }
    let claimed = WRITER.compare_exchange(NOBODY, WATCHER, Ordering::SeqCst, Ordering::SeqCst);
    claimed.is_ok().then(|| {
        // While this thread writes nobody waits for signals: they have their usual effect.
        let mut usual = SigSet::empty();
        usual.add(Signal::SIGINT);
        usual.add(Signal::SIGTERM);
        let _ = usual.thread_unblock();
        last_word()
    })
}
