//! Stopping a listing from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::ListError;
use crate::watch::Watch;

/// A flag and a deadline for one call.
///
/// Sources check it before each directory read and every few thousand entries. Clones share
/// the flag. A cancelled call is an error; a passed deadline ends the page, which says so.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
    watch: Option<Arc<Watch>>,
}

impl Cancel {
    /// Never cancelled and without deadline, until told otherwise.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// The same, for a call that somebody waits for on another thread and may give up; see
    /// [`Cancel::give_up`].
    pub fn watched(&self) -> Self {
        Cancel { watch: Some(Arc::default()), ..self.clone() }
    }

    pub(crate) fn watch(&self) -> Option<&Watch> {
        self.watch.as_deref()
    }

    /// The same flag with a deadline `after` from now; the earlier of two deadlines holds.
    pub fn with_deadline(&self, after: Duration) -> Self {
        let new = Instant::now().checked_add(after);
        let deadline = match (self.deadline, new) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        Cancel { deadline, ..self.clone() }
    }

    /// Cancels this call and every clone.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// True once [`Cancel::cancel`] was called, or this call was given up.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.watch().is_some_and(Watch::is_given_up)
    }

    /// When the work has to end; `None` for never.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Asks whether the work may go on.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`] when the flag is up, else [`ListError::Timeout`] when the
    /// deadline has passed.
    pub fn check(&self) -> Result<(), ListError> {
        if self.is_cancelled() {
            return Err(ListError::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(ListError::Timeout),
            _ => Ok(()),
        }
    }
}
