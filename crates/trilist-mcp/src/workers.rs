//! Calls in threads of their own, and not too many of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::{task, time};
use trilist::{Cancel, ListError};

use crate::answer::Answer;

/// What a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Next to nothing: it need not wait for those that take long.
    Quick,
    /// What a page takes.
    Usual,
    /// In a directory of a million entries it holds them all, a hundred mebibytes with what is
    /// around them.
    Heavy,
}

impl Weight {
    /// How many calls are at work at once: the machine has few processors, a file system that hangs
    /// must not take all of them, and what many hold together must not grow with their number.
    const fn workers(self) -> usize {
        match self {
            Weight::Quick => 1,
            Weight::Usual => 8,
            Weight::Heavy => 2,
        }
    }
}

/// All workers together; the runtime must have a thread for each.
pub(crate) const WORKERS: usize =
    Weight::Quick.workers() + Weight::Usual.workers() + Weight::Heavy.workers();
/// Calls that may wait for a worker.
const WAITING: usize = 64;
/// How long they wait.
const PATIENCE: Duration = Duration::from_secs(5);

/// The bounded workers.
pub(crate) struct Workers {
    quick: Queue,
    usual: Queue,
    heavy: Queue,
}

/// The workers for calls of one weight, and those calls that wait for one.
struct Queue {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Workers {
    pub(crate) fn new() -> Self {
        let queue = |weight: Weight| Queue {
            free: Arc::new(Semaphore::new(weight.workers())),
            waiting: AtomicUsize::new(0),
        };
        let [quick, usual, heavy] = [Weight::Quick, Weight::Usual, Weight::Heavy].map(queue);
        Workers { quick, usual, heavy }
    }

    fn queue(&self, weight: Weight) -> &Queue {
        match weight {
            Weight::Quick => &self.quick,
            Weight::Usual => &self.usual,
            Weight::Heavy => &self.heavy,
        }
    }

    /// Runs a call; one that finds no worker in time is answered [`ListError::Busy`].
    ///
    /// A call that hangs in the file system is answered [`ListError::Timeout`] after `at_most`.
    /// When the returned future is dropped, the call is cancelled. Its worker is free again when
    /// the call has really ended, which can take as long as the file system likes.
    pub(crate) async fn run(
        &self,
        weight: Weight,
        at_most: Duration,
        call: impl FnOnce(&Cancel) -> Answer + Send + 'static,
    ) -> Answer {
        let cancel = Cancel::new();
        let on_drop = CancelOnDrop(cancel.clone());
        let Some(permit) = self.queue(weight).permit().await else {
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
}

impl Queue {
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
