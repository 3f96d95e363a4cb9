//! Calls in threads of their own, and not too many of them. A call that is made alone needs no
//! thread but the one that reads the requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::{task, time};
use trilist::{Cancel, ListError};

use crate::answer::Answer;
use crate::turns::Call;

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
/// How long they wait, at the most.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much later than its deadline a call may answer by itself.
const LATE: Duration = Duration::from_secs(1);

/// The bounded workers.
pub(crate) struct Workers {
    quick: Queue,
    usual: Queue,
    heavy: Queue,
    /// For a call that is made alone.
    alone: mpsc::Sender<Call>,
    /// Calls that are at work.
    at_work: Arc<AtomicUsize>,
}

/// The workers for calls of one weight, and those calls that wait for one.
struct Queue {
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Workers {
    /// The workers, and the calls that the thread which drives the runtime is to make.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Call>) {
        let queue = |weight: Weight| Queue {
            free: Arc::new(Semaphore::new(weight.workers())),
            waiting: AtomicUsize::new(0),
        };
        let [quick, usual, heavy] = [Weight::Quick, Weight::Usual, Weight::Heavy].map(queue);
        let (alone, calls) = mpsc::channel(1);
        (Workers { quick, usual, heavy, alone, at_work: Arc::default() }, calls)
    }

    fn queue(&self, weight: Weight) -> &Queue {
        match weight {
            Weight::Quick => &self.quick,
            Weight::Usual => &self.usual,
            Weight::Heavy => &self.heavy,
        }
    }

    /// Runs a call that has to end after so long; one that finds no worker in time is answered
    /// [`ListError::Busy`].
    ///
    /// A call that hangs in the file system is answered [`ListError::Timeout`] somewhat later.
    /// When the returned future is dropped, the call is cancelled. Its worker is free again when
    /// the call has really ended, which can take as long as the file system likes.
    pub(crate) async fn run(
        &self,
        weight: Weight,
        deadline: Duration,
        call: impl FnOnce(&Cancel) -> Answer + Send + 'static,
    ) -> Answer {
        // The time that it waits counts too.
        let cancel = Cancel::new().with_deadline(deadline);
        let end = time::Instant::now() + deadline + LATE;
        let on_drop = CancelOnDrop(cancel.clone());
        let Some(permit) = self.queue(weight).permit(deadline.min(PATIENCE)).await else {
            return ListError::Busy.into();
        };
        let at_work = Counted::enter(&self.at_work);
        let is_alone = at_work.before == 0 && weight != Weight::Heavy;
        let work = Box::new(move || {
            let answer = call(&cancel);
            drop((permit, at_work));
            answer
        });
        let (answer, answered) = oneshot::channel();
        self.start(Call { work, answer }, is_alone);
        let answer = time::timeout_at(end, answered).await;
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

    /// Has a call made: where no other is at work, by the thread that drives the runtime.
    fn start(&self, call: Call, is_alone: bool) {
        let call = match is_alone.then(|| self.alone.try_reserve()) {
            Some(Ok(place)) => return place.send(call),
            _ => call,
        };
        task::spawn_blocking(|| call.make().hand_over());
    }
}

impl Queue {
    async fn permit(&self, patience: Duration) -> Option<tokio::sync::OwnedSemaphorePermit> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Some(permit);
        }
        let _waiting = Waits::enter(&self.waiting)?;
        let free = Arc::clone(&self.free).acquire_owned();
        time::timeout(patience, free).await.ok()?.ok()
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

/// One of those that are counted, from its beginning to its real end.
struct Counted {
    counter: Arc<AtomicUsize>,
    /// How many there were before it.
    before: usize,
}

impl Counted {
    fn enter(counter: &Arc<AtomicUsize>) -> Counted {
        let before = counter.fetch_add(1, Ordering::Relaxed);
        Counted { counter: Arc::clone(counter), before }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::Relaxed);
    }
}
