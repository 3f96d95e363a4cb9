//! What a call has so far, for whoever waits for it no longer.
//!
//! A call that is kept waiting by the file system cannot see its deadline pass. Whoever called it
//! from another thread can: it gives the call up, and takes the part that was listed until then.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Cancel, FaultCode, FaultRef, ListError, Page, RelPath};

/// Makes a page of what is listed so far; nothing when that is no page yet. It is told which fault
/// the page has.
type Offer = Box<dyn FnOnce(&FaultRef<'_>) -> Option<Page> + Send>;

/// What the thread that lists and the one that waits share.
#[derive(Default)]
pub(crate) struct Watch {
    /// The directory that is being opened or read, relative to the listed one.
    reading: Mutex<Option<Vec<u8>>>,
    offer: Mutex<Option<Offer>>,
    given_up: AtomicBool,
}

impl Watch {
    pub(crate) fn offer(&self, offer: Offer) {
        *lock(&self.offer) = Some(offer);
    }

    pub(crate) fn reads(&self, dir: Option<&[u8]>) {
        *lock(&self.reading) = dir.map(<[u8]>::to_vec);
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    /// What there is; nothing is left to be given up then.
    pub(crate) fn take(&self) -> Option<Page> {
        let offer = lock(&self.offer).take()?;
        let path = lock(&self.reading).take().unwrap_or_default();
        offer(&FaultRef {
            path: RelPath::assume(&path),
            code: FaultCode::Timeout,
            gap: true,
            message: "the file system did not answer before the deadline",
            more: 0,
        })
    }
}

/// Nothing that runs while one of these is held can panic, and a page is true at each moment.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl Cancel {
    /// Gives the call up: it alone is cancelled, and what it has listed so far becomes a page that
    /// its deadline has ended, with the gap [`FaultCode::Timeout`] where the file system does not
    /// answer. For whoever waits on another thread and may wait no longer; only a call that was
    /// made with a [`Cancel::watched`] has something to give.
    ///
    /// # Errors
    ///
    /// [`ListError::Timeout`] when nothing was listed yet.
    pub fn give_up(&self) -> Result<Page, ListError> {
        let watch = self.watch().ok_or(ListError::Timeout)?;
        let page = watch.take();
        watch.given_up.store(true, Ordering::Relaxed);
        page.ok_or(ListError::Timeout)
    }

    /// Says how to make a page of what is listed so far, in place of what was said before.
    pub fn offer(&self, so_far: impl FnOnce(&FaultRef<'_>) -> Option<Page> + Send + 'static) {
        if let Some(watch) = self.watch() {
            watch.offer(Box::new(so_far));
        }
    }

    /// Says which directory, relative to the listed one, the file system is asked for now.
    pub fn asks_for(&self, dir: &[u8]) {
        if let Some(watch) = self.watch() {
            watch.reads(Some(dir));
        }
    }

    /// Says that the directory has been read.
    pub fn has_answer(&self) {
        if let Some(watch) = self.watch() {
            watch.reads(None);
        }
    }
}
