//! The async face: a lister for hosts that run on tokio.
//!
//! Listing is synchronous work on the file system, so each call runs on a thread of the runtime's
//! blocking pool, and the future only waits for it. How many calls run at once is bounded: a hung
//! mount then costs the host some workers and not the whole pool.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use trilist_core::{Cancel, ListError, ListRequest, Page};

use crate::approval::Asking;
use crate::{GRACE, HostSide, Lister};

/// How many calls run at once, and how long a call waits for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workers {
    /// The most calls that run at once, those that hang included. Default: 8.
    pub most: NonZeroUsize,
    /// Milliseconds that a call waits while all of them are taken; then it is
    /// [`ListError::Busy`]. Default: 1,000.
    pub patience_ms: u32,
}

impl Default for Workers {
    fn default() -> Self {
        Workers { most: NonZeroUsize::new(8).expect("it is not zero"), patience_ms: 1_000 }
    }
}

/// A [`Lister`] whose calls are futures. Clones share the lister and the bound on calls.
///
/// No future blocks the runtime. One that is dropped cancels its call, and so does its token;
/// the worker then stops at the next directory. A call that the file system keeps from stopping
/// ends for its caller shortly after its deadline, and keeps its worker until the file system
/// answers. Such a worker also keeps a runtime that is dropped waiting: a host that must not
/// wait ends it by `Runtime::shutdown_background`.
///
/// The runtime needs its timer (`enable_time` or `enable_all`).
///
/// ```
/// use tokio_util::sync::CancellationToken;
/// use trilist::{AsyncLister, ListRequest, Lister, Mode, Policy, Workers};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("trilist-async-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(folder.join("src"))?;
/// # std::fs::write(folder.join("src/main.rs"), "")?;
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// let lister = AsyncLister::new(Lister::open(&[&folder], Policy::default())?, Workers::default());
/// runtime.block_on(async {
///     let token = CancellationToken::new();
///     let disk = lister.list(ListRequest::new(Mode::Fs, "."), token.clone());
///     let files = lister.list(ListRequest::new(Mode::Files, "."), token.clone());
///     let (disk, files) = tokio::join!(disk, files);
///     assert_eq!(disk?.entries[0].path, "src");
///     assert_eq!(files?.entries[0].path, "src/main.rs");
///     Ok::<(), trilist::ListError>(())
/// })?;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct AsyncLister {
    lister: Arc<Lister>,
    turns: Arc<Semaphore>,
    patience: Duration,
}

impl AsyncLister {
    /// Calls of `lister`, so many at once.
    pub fn new(lister: impl Into<Arc<Lister>>, workers: Workers) -> Self {
        AsyncLister {
            lister: lister.into(),
            turns: Arc::new(Semaphore::new(workers.most.get().min(Semaphore::MAX_PERMITS))),
            patience: Duration::from_millis(u64::from(workers.patience_ms)),
        }
    }

    /// The lister itself, for calls that look at no disk.
    pub fn lister(&self) -> &Lister {
        &self.lister
    }

    /// One page; see [`Lister::list`]. When the file system does not answer until the deadline, it
    /// has what was listed until then and the gap `timeout`.
    ///
    /// # Errors
    ///
    /// As [`Lister::list`]; also [`ListError::Busy`] when no worker came free in time,
    /// [`ListError::Cancelled`] when the token was cancelled, and [`ListError::Timeout`] when
    /// nothing was listed until the deadline.
    ///
    /// # Panics
    ///
    /// When it is polled outside a tokio runtime, or in one without a timer.
    pub async fn list(
        &self,
        request: ListRequest,
        token: CancellationToken,
    ) -> Result<Page, ListError> {
        self.list_for(request, HostSide::default(), token).await
    }

    /// One page, with what only a host gives; see [`Lister::list_for`].
    ///
    /// # Errors
    ///
    /// As [`AsyncLister::list`].
    ///
    /// # Panics
    ///
    /// As [`AsyncLister::list`].
    pub async fn list_for(
        &self,
        request: ListRequest,
        host: HostSide,
        token: CancellationToken,
    ) -> Result<Page, ListError> {
        let time = self.lister.time_for(&request);
        let watched = Cancel::new().watched();
        let (asking, asked) = oneshot::channel::<()>();
        let work = move |lister: &Lister, cancel: &Cancel| {
            let answers = Asking::new(cancel);
            lister.ask_ahead(&request, &answers);
            drop(asking);
            lister.list_asking(&request, &host, cancel, &answers)
        };
        match self.call_as(&watched, asked, time, token, work).await {
            // Nothing is left to take where the work itself has said so.
            Err(ListError::Timeout) => watched.give_up(),
            done => done,
        }
    }

    /// The pages of a listing, one after another.
    pub fn pages(&self, request: ListRequest, token: CancellationToken) -> Pages {
        Pages { lister: self.clone(), next: Some(request), token }
    }

    /// Any work with the lister, as [`AsyncLister::list`] does it. `time` is what the work is
    /// given before its caller waits no longer; that the work stops by then is up to itself and
    /// to the [`Cancel`] that it gets.
    ///
    /// # Errors
    ///
    /// As [`AsyncLister::list`], and those of the work.
    ///
    /// # Panics
    ///
    /// As [`AsyncLister::list`], and when the work does.
    pub async fn call<T, W>(
        &self,
        time: Duration,
        token: CancellationToken,
        work: W,
    ) -> Result<T, ListError>
    where
        T: Send + 'static,
        W: FnOnce(&Lister, &Cancel) -> Result<T, ListError> + Send + 'static,
    {
        let (_, at_once) = oneshot::channel::<()>();
        self.call_as(&Cancel::new().watched(), at_once, time, token, work).await
    }

    /// The time starts when the other end of `asked` is dropped.
    async fn call_as<T, W>(
        &self,
        cancel: &Cancel,
        asked: oneshot::Receiver<()>,
        time: Duration,
        token: CancellationToken,
        work: W,
    ) -> Result<T, ListError>
    where
        T: Send + 'static,
        W: FnOnce(&Lister, &Cancel) -> Result<T, ListError> + Send + 'static,
    {
        let cancel = CancelOnDrop(cancel.clone());
        let turn = self.turn(&token).await?;
        let (lister, inner) = (Arc::clone(&self.lister), cancel.0.clone());
        let worker = spawn_blocking(move || {
            // Kept until the work has really ended, whoever still waits for it.
            let _turn = turn;
            inner.check()?;
            work(&lister, &inner)
        });
        let timed = async {
            // Nothing is ever sent.
            let _ = asked.await;
            timeout(time.saturating_add(GRACE), worker).await
        };
        match token.run_until_cancelled(timed).await {
            None => Err(ListError::Cancelled),
            Some(Err(_elapsed)) => Err(ListError::Timeout),
            Some(Ok(done)) => done.unwrap_or_else(ended),
        }
    }

    async fn turn(&self, token: &CancellationToken) -> Result<OwnedSemaphorePermit, ListError> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        match token.run_until_cancelled(timeout(self.patience, turn)).await {
            None => Err(ListError::Cancelled),
            Some(Ok(Ok(turn))) => Ok(turn),
            Some(_) => Err(ListError::Busy),
        }
    }
}

/// What becomes of work that gave no answer: a panic goes on in the caller; else the runtime is
/// being shut down.
fn ended<T>(error: JoinError) -> Result<T, ListError> {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Err(ListError::Cancelled),
    }
}

/// Cancels the work when nobody waits for it any more.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The pages of one listing; see [`AsyncLister::pages`].
pub struct Pages {
    lister: AsyncLister,
    /// None behind the last page.
    next: Option<ListRequest>,
    token: CancellationToken,
}

impl Pages {
    /// The next page; `None` behind the last one, and behind an error. Each page has the limits
    /// of the request for itself. Dropping the future loses nothing: the next call asks for the
    /// same page again.
    pub async fn next(&mut self) -> Option<Result<Page, ListError>> {
        let request = self.next.clone()?;
        let page = self.lister.list(request.clone(), self.token.clone()).await;
        self.next = page.as_ref().ok().and_then(|page| behind(request, page));
        Some(page)
    }
}

/// The request for what follows a page.
fn behind(request: ListRequest, page: &Page) -> Option<ListRequest> {
    let (cursor, offset) = match (&page.next_cursor, page.next_offset) {
        (Some(cursor), _) => (Some(cursor.clone()), None),
        // The last path is too long for a cursor.
        (None, Some(offset)) => (None, Some(offset)),
        (None, None) => return None,
    };
    Some(ListRequest { cursor, offset, ..request })
}
