//! Calls in threads of their own, and not too many of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::{task, time};
use trilist::{Cancel, ListError};

use crate::answer::Answer;

/// Calls at work at once: the machine has few processors, and a file system that hangs must not
/// take all of them.
pub(crate) const WORKERS: usize = 8;
/// Workers beside them, for calls that take next to nothing.
pub(crate) const QUICK_WORKERS: usize = 1;
/// Calls that may wait for a worker.
const WAITING: usize = 64;
/// How long they wait.
const PATIENCE: Duration = Duration::from_secs(5);

/// The bounded workers.
pub(crate) struct Workers {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Workers {
    /// So many of them; the runtime must have a thread for each.
    pub(crate) fn new(count: usize) -> Self {
        Workers { free: Arc::new(Semaphore::new(count)), waiting: AtomicUsize::new(0) }
    }

    /// Runs a call; one that finds no worker in time is answered [`ListError::Busy`].
    ///
    /// A call that hangs in the file system is answered [`ListError::Timeout`] after `at_most`.
    /// When the returned future is dropped, the call is cancelled. Its worker is free again when
    /// the call has really ended, which can take as long as the file system likes.
    pub(crate) async fn run(
        &self,
        at_most: Duration,
        call: impl FnOnce(&Cancel) -> Answer + Send + 'static,
    ) -> Answer {
        let cancel = Cancel::new();
        let on_drop = CancelOnDrop(cancel.clone());
        let Some(permit) = self.permit().await else {
            return ListError::Busy.into();
        };
        let work = task::spawn_blocking(move || {
            let answer = call(&cancel);
            drop(permit);
            answer
        });
        let answer = time::timeout(at_most, work).await;
        drop(on_drop);
        match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => {
                let what = "the call ended without an answer".to_owned();
                ListError::Io { what, error: "its worker is gone".to_owned() }.into()
            }
            Err(_) => ListError::Timeout.into(),
        }
    }

    async fn permit(&self) -> Option<tokio::sync::OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Some(permit);
        }
        let _waiting = Waits::enter(&self.waiting)?;
        let free = Arc::clone(&self.free).acquire_owned();
        time::timeout(PATIENCE, free).await.ok()?.ok()
    }
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A place in the queue.
struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn enter(waiting: &'a AtomicUsize) -> Option<Self> {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        let place = Waits(waiting);
        (before < WAITING).then_some(place)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
