//! Calls that end for their caller when their time is over, whatever the file system does.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use trilist_core::{Cancel, ListError, ListRequest, Page};

use crate::approval::{Asking, Known};
use crate::{HostSide, Lister};

/// What a call may take beyond its deadline to say so itself, with the page that it has so far.
/// Beyond that the file system does not answer, and nobody waits any longer.
pub const GRACE: Duration = Duration::from_millis(200);

/// The most calls of [`Lister::list_in_time`] that run at once, those that hang included.
pub const MAX_AT_ONCE: usize = 8;

/// How long a call waits while so many run; then it is [`ListError::Busy`].
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a caller looks whether its call was cancelled.
const GLANCE: Duration = Duration::from_millis(20);

impl Lister {
    /// One page as [`Lister::list`] gives it, at the latest [`GRACE`] after its deadline: the work
    /// is done on a thread of its own, and a file system that does not answer keeps that thread
    /// and not the caller. The page then has what was listed until then and the gap `timeout`. A
    /// call that is cancelled ends within 20 ms.
    ///
    /// A thread that is left behind ends when the file system answers, or with the process. It
    /// counts as a call until then: of [`MAX_AT_ONCE`] that run at once, the next one waits a
    /// second for its turn.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use trilist::{Cancel, Lister, ListRequest, Mode, Policy};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("trilist-in-time-{}", std::process::id()));
    /// # std::fs::create_dir_all(folder.join("src"))?;
    /// let lister = Arc::new(Lister::open(&[&folder], Policy::default())?);
    /// let mut request = ListRequest::new(Mode::Fs, ".");
    /// request.deadline_ms = Some(5_000);
    /// let page = lister.list_in_time(&request, &Cancel::new())?;
    /// assert_eq!(page.entries[0].path, "src");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lister::list`]; also [`ListError::Busy`] when too many calls hang, and
    /// [`ListError::Timeout`] when nothing was listed in time.
    pub fn list_in_time(
        self: &Arc<Self>,
        request: &ListRequest,
        cancel: &Cancel,
    ) -> Result<Page, ListError> {
        self.list_in_time_for(request, &HostSide::default(), cancel)
    }

    /// As [`Lister::list_in_time`], with what only a host gives; see [`Lister::list_for`].
    ///
    /// # Errors
    ///
    /// As [`Lister::list_in_time`].
    pub fn list_in_time_for(
        self: &Arc<Self>,
        request: &ListRequest,
        host: &HostSide,
        cancel: &Cancel,
    ) -> Result<Page, ListError> {
        let asking = Asking::new(cancel);
        self.ask_ahead(request, &asking);
        let known = asking.into_known();
        let turn = self.turns().take(cancel)?;
        let own = Instant::now() + self.time_for(request);
        let until = cancel.deadline().map_or(own, |deadline| own.min(deadline)) + GRACE;
        let watched = cancel.watched();
        let answer = self.begin(turn, (request.clone(), host.clone(), known), watched.clone())?;
        match wait(&answer, until, cancel)? {
            Some(page) => page,
            // It may have been made in this very moment, and then there is nothing left to take.
            None => watched.give_up().or_else(|late| answer.try_recv().unwrap_or(Err(late))),
        }
    }

    /// Starts the work on a thread of its own.
    fn begin(
        self: &Arc<Self>,
        turn: Turn,
        (request, host, known): (ListRequest, HostSide, Known),
        cancel: Cancel,
    ) -> Result<Receiver<Result<Page, ListError>>, ListError> {
        let (tell, answer) = mpsc::sync_channel(1);
        let lister = Arc::clone(self);
        let work = move || {
            // Kept until the work has really ended, whoever still waits for it.
            let _turn = turn;
            // Nobody may be there to be told.
            let asking = Asking::going_on(&cancel, known);
            let _ = tell.send(lister.list_asking(&request, &host, &cancel, &asking));
        };
        // Without a thread to work on, the system has none left for anybody.
        thread::Builder::new().spawn(work).map_err(|_| ListError::Busy)?;
        Ok(answer)
    }
}

/// The answer; nothing when the time is over.
fn wait(
    answer: &Receiver<Result<Page, ListError>>,
    until: Instant,
    cancel: &Cancel,
) -> Result<Option<Result<Page, ListError>>, ListError> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match answer.recv_timeout(left.min(GLANCE)) {
            Ok(page) => return Ok(Some(page)),
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                return Err(ListError::Cancelled);
            }
            Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let error = "the thread that listed has broken off".to_owned();
                return Err(ListError::Io { what: "cannot list".to_owned(), error });
            }
        }
    }
}

/// How many calls may still begin.
#[derive(Debug, Clone)]
pub(crate) struct Turns(Arc<(Mutex<usize>, Condvar)>);

impl Default for Turns {
    fn default() -> Self {
        Turns(Arc::new((Mutex::new(MAX_AT_ONCE), Condvar::new())))
    }
}

impl Turns {
    fn take(&self, cancel: &Cancel) -> Result<Turn, ListError> {
        let until = Instant::now() + PATIENCE;
        let mut free = self.free();
        while *free == 0 {
            if cancel.is_cancelled() {
                return Err(ListError::Cancelled);
            }
            if Instant::now() >= until {
                return Err(ListError::Busy);
            }
            let waited = self.0.1.wait_timeout(free, GLANCE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Ok(Turn(self.clone()))
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        // A number is whole at each moment.
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to run, given back when it is dropped.
struct Turn(Turns);

impl Drop for Turn {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.0.1.notify_one();
    }
}
