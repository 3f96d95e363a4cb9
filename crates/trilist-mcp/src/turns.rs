//! The two threads of a session. One drives the runtime, in which everything goes on but the calls
//! themselves, and makes such calls as are made alone: no other thread has to be woken for them,
//! which takes longer than most of them do. The other one looks from time to time whether such a
//! call takes long, and drives on in the first one's place.

use std::any::Any;
use std::io;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinError, JoinHandle};

use crate::answer::Answer;

/// How often the second thread looks; until it has looked twice a call is not thought to be long.
const TICK: Duration = Duration::from_millis(5);
/// Looks without a new call after which it sleeps until there is one.
const IDLE_LOOKS: u32 = 40;
/// The stack of each; calls need no more.
pub(crate) const STACK_BYTES: usize = 1 << 20;

/// A call that the driving thread makes.
pub(crate) struct Call {
    pub(crate) work: Box<dyn FnOnce() -> Answer + Send>,
    pub(crate) answer: oneshot::Sender<Answer>,
}

/// An answer that is to be handed over.
pub(crate) struct Made {
    made: Result<Answer, Box<dyn Any + Send>>,
    answer: oneshot::Sender<Answer>,
}

impl Call {
    pub(crate) fn make(self) -> Made {
        // Whoever waits is told by the sender that goes.
        Made { made: panic::catch_unwind(AssertUnwindSafe(self.work)), answer: self.answer }
    }
}

impl Made {
    pub(crate) fn hand_over(self) {
        if let Ok(answer) = self.made {
            // Who has gone away has cancelled.
            let _ = self.answer.send(answer);
        }
    }
}

/// Drives a session to its end, in two threads, and gives the runtime back: calls that hang are left
/// behind with their thread. `calls` are made by the driving thread, one at a time.
///
/// # Errors
///
/// When there are no threads to be had.
pub(crate) fn drive<T: Send + 'static>(
    runtime: Runtime,
    session: JoinHandle<T>,
    calls: mpsc::Receiver<Call>,
) -> io::Result<(Runtime, Result<T, JoinError>)> {
    let turns =
        Arc::new(Turns { state: Mutex::default(), left: Condvar::new(), over: Condvar::new() });
    let helm = Box::new(Helm { runtime, session, calls });
    for helm in [None, Some(helm)] {
        let both = Arc::clone(&turns);
        let thread = thread::Builder::new().name("mcp-turn".to_owned()).stack_size(STACK_BYTES);
        if let Err(error) = thread.spawn(move || both.take_part(helm)) {
            turns.lock().is_over = true;
            turns.left.notify_all();
            return Err(error);
        }
    }
    Ok(turns.wait())
}

/// What the threads take turns at. Whoever holds it drives.
struct Helm<T> {
    runtime: Runtime,
    session: JoinHandle<T>,
    calls: mpsc::Receiver<Call>,
}

enum Next<T> {
    Call(Call),
    Over(Result<T, JoinError>),
}

impl<T> Helm<T> {
    /// Drives until there is a call to make. What was made meanwhile is handed over by who drives:
    /// from outside the runtime would have to be woken for it.
    fn next(&mut self, made: Option<Made>) -> Next<T> {
        let Helm { runtime, session, calls } = self;
        runtime.block_on(async {
            if let Some(made) = made {
                made.hand_over();
            }
            tokio::select! {
                biased;
                Some(call) = calls.recv() => Next::Call(call),
                result = session => Next::Over(result),
            }
        })
    }
}

struct Turns<T> {
    state: Mutex<State<T>>,
    /// Told when a call begins while the second thread sleeps, and at the end.
    left: Condvar,
    /// Told at the end.
    over: Condvar,
}

struct State<T> {
    /// The helm, while the thread that drives makes a call.
    left: Option<Box<Helm<T>>>,
    /// How many calls have begun.
    begun: u64,
    /// Whether the second thread sleeps until it is told.
    sleeps: bool,
    is_over: bool,
    result: Option<(Runtime, Result<T, JoinError>)>,
}

impl<T> Default for State<T> {
    fn default() -> Self {
        State { left: None, begun: 0, sleeps: false, is_over: false, result: None }
    }
}

impl<T> Turns<T> {
    /// What each thread does: it drives, else it looks after who does.
    fn take_part(&self, mut helm: Option<Box<Helm<T>>>) {
        while let Some(helm) = helm.take().or_else(|| self.look()) {
            if self.drive(helm).is_break() {
                return;
            }
        }
    }

    /// Drives to the end, or until a call took so long that the other thread drives now.
    fn drive(&self, mut helm: Box<Helm<T>>) -> ControlFlow<()> {
        let mut made = None;
        loop {
            match helm.next(made.take()) {
                Next::Call(call) => {
                    self.leave(helm);
                    let answered = call.make();
                    let Some(back) = self.lock().left.take() else {
                        answered.hand_over();
                        return ControlFlow::Continue(());
                    };
                    (helm, made) = (back, Some(answered));
                }
                Next::Over(result) => {
                    self.end(helm.runtime, result);
                    return ControlFlow::Break(());
                }
            }
        }
    }

    fn leave(&self, helm: Box<Helm<T>>) {
        let mut state = self.lock();
        state.left = Some(helm);
        state.begun += 1;
        if state.sleeps {
            self.left.notify_one();
        }
    }

    fn end(&self, runtime: Runtime, result: Result<T, JoinError>) {
        let mut state = self.lock();
        state.is_over = true;
        state.result = Some((runtime, result));
        self.left.notify_all();
        self.over.notify_all();
    }

    /// Waits until a call has taken long, and takes the helm; none at the end.
    fn look(&self) -> Option<Box<Helm<T>>> {
        let mut state = self.lock();
        // The last call that was seen, and how often it was seen.
        let (mut last, mut looks) = (state.begun, 0);
        while !state.is_over {
            looks = if state.begun == last { looks + 1 } else { 1 };
            last = state.begun;
            if looks > 1 && state.left.is_some() {
                return state.left.take();
            }
            state = if looks <= IDLE_LOOKS {
                let woken = self.left.wait_timeout(state, TICK);
                woken.unwrap_or_else(PoisonError::into_inner).0
            } else {
                state.sleeps = true;
                let mut state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.sleeps = false;
                state
            };
        }
        None
    }

    fn wait(&self) -> (Runtime, Result<T, JoinError>) {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.result.take() {
                return result;
            }
            state = self.over.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing is left half done in it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc as std_mpsc;
    use std::thread::{self, ThreadId};
    use std::time::{Duration, Instant};

    use tokio::runtime::Builder;
    use tokio::sync::{mpsc, oneshot};
    use tokio::time;
    use trilist::ListError;

    use super::{Call, TICK, drive};
    use crate::answer::Answer;

    /// What a session gives that was driven to its end.
    fn driven<S>(session: impl FnOnce(mpsc::Sender<Call>) -> S) -> S::Output
    where
        S: Future<Output: Send + 'static> + Send + 'static,
    {
        let runtime = Builder::new_current_thread().enable_time().build();
        let (runtime, (calls, taken)) = (runtime.expect("there is a timer"), mpsc::channel(1));
        let session = runtime.spawn(session(calls));
        let (runtime, given) = drive(runtime, session, taken).expect("there are threads");
        runtime.shutdown_background();
        given.expect("the session ends by itself")
    }

    /// Asks for a call and gives what becomes of it.
    async fn ask(
        calls: &mpsc::Sender<Call>,
        work: impl FnOnce() + Send + 'static,
    ) -> oneshot::Receiver<Answer> {
        let (answer, answered) = oneshot::channel();
        let work = Box::new(move || {
            work();
            ListError::Cancelled.into()
        });
        assert!(calls.send(Call { work, answer }).await.is_ok(), "somebody makes calls");
        answered
    }

    #[test]
    fn short_calls_are_made_by_the_thread_that_drives() {
        let (tell, told) = std_mpsc::channel::<ThreadId>();
        let same = driven(|calls| async move {
            let mut same = 0;
            for _ in 0..1_000 {
                let tell = tell.clone();
                let call = move || tell.send(thread::current().id()).expect("it is listened to");
                ask(&calls, call).await.await.expect("it is answered");
                same += u32::from(told.try_recv() == Ok(thread::current().id()));
            }
            same
        });
        // On a machine that is busy with other things a short call may take long.
        assert!(same > 900, "{same} of 1,000");
    }

    #[test]
    fn everything_else_goes_on_while_a_call_takes_long_and_each_time_anew() {
        driven(|calls| async move {
            for _ in 0..4 {
                let (end, ended) = std_mpsc::channel();
                let long = ask(&calls, move || assert!(ended.recv().is_ok())).await;
                // Were nobody to drive, this would never end, and so neither would the call.
                time::sleep(2 * TICK).await;
                end.send(()).expect("the call waits for it");
                long.await.expect("it is answered");
                ask(&calls, || {}).await.await.expect("it is answered");
            }
        });
    }

    #[test]
    fn a_call_that_panics_is_no_answer_and_the_next_one_is_made() {
        driven(|calls| async move {
            let panics = ask(&calls, || std::panic::resume_unwind(Box::new(()))).await;
            assert!(panics.await.is_err());
            ask(&calls, || {}).await.await.expect("it is answered");
        });
    }

    #[test]
    fn a_call_that_hangs_does_not_keep_a_session_that_ends() {
        let (_held, never) = std_mpsc::channel::<()>();
        let start = Instant::now();
        driven(|calls| async move {
            let hangs = ask(&calls, move || assert!(never.recv().is_err())).await;
            time::timeout(2 * TICK, hangs).await.expect_err("it hangs");
        });
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
