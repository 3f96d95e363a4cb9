//! Waiting for the next request awake, for a moment, where requests follow each other at once: to
//! sleep and to be woken takes more of the processor than that.

use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long it is waited awake; and how soon the last request must have come for that. Where the
/// next one comes later, as from a model, there is at most one such wait in vain.
const MOMENT: Duration = Duration::from_micros(150);

/// How the thread that drives the runtime waits.
pub(crate) struct Awake {
    input: OwnedFd,
    start: Instant,
    /// Nanoseconds from `start` to when there was nothing left to do.
    idle_since: AtomicU64,
    /// Whether there was something to do again at once, the last time.
    is_busy: AtomicBool,
}

impl Awake {
    /// For requests that come from here.
    pub(crate) fn new(input: OwnedFd) -> Awake {
        let (idle_since, is_busy) = (AtomicU64::new(0), AtomicBool::new(false));
        Awake { input, start: Instant::now(), idle_since, is_busy }
    }

    /// There is nothing to do: when this returns, the thread sleeps until there is something.
    pub(crate) fn before_sleep(&self) {
        let since = self.now();
        self.idle_since.store(since, Ordering::Relaxed);
        if !self.is_busy.load(Ordering::Relaxed) {
            return;
        }
        while !self.is_readable() && self.now() - since < nanoseconds(MOMENT) {
            // Whoever else wants this processor, such as the client, gets it.
            thread::yield_now();
        }
    }

    /// There is something to do again.
    pub(crate) fn after_sleep(&self) {
        let waited = self.now() - self.idle_since.load(Ordering::Relaxed);
        self.is_busy.store(waited < nanoseconds(MOMENT), Ordering::Relaxed);
    }

    fn is_readable(&self) -> bool {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut input = [PollFd::new(&self.input, PollFlags::IN)];
        // What cannot be told is left to who sleeps.
        poll(&mut input, Some(&at_once)) != Ok(0)
    }

    fn now(&self) -> u64 {
        nanoseconds(self.start.elapsed())
    }
}

fn nanoseconds(time: Duration) -> u64 {
    // Enough for five hundred years.
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::atomic::Ordering;
    use std::time::Instant;

    use super::{Awake, MOMENT};

    #[test]
    fn only_where_the_last_request_came_at_once_and_only_once_in_vain() {
        let (reader, mut writer) = std::io::pipe().expect("there are pipes");
        let awake = Awake::new(reader.into());
        let is_busy = || awake.is_busy.load(Ordering::Relaxed);
        assert!(!is_busy());
        awake.is_busy.store(true, Ordering::Relaxed);
        let start = Instant::now();
        awake.before_sleep();
        assert!(start.elapsed() >= MOMENT);
        awake.after_sleep();
        assert!(!is_busy());
        // What is there ends the wait, for whoever reads it.
        writer.write_all(b"x").expect("there is room");
        assert!(awake.is_readable());
    }
}
