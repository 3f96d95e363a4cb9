//! The trait behind which the three products stand.

use std::ops::ControlFlow;

use crate::{
    Cancel, Event, ExplainedRule, Identity, Kind, ListError, Mode, Query, RelPath, RelPathBuf, Seen,
};

/// One product: a way to say what a directory holds.
///
/// A source knows nothing of limits, offsets, cursors or text. It yields events in path order
/// and the caller stops by not pulling.
///
/// What every source promises:
///
/// - **Order.** Paths of entries and omissions strictly increase in byte order. A fault with a
///   directory, or with an ignore file in it, stands where the directory's contents would begin.
/// - **After.** With `query.after`, only events that stand behind it come, and its own with
///   [`crate::Bound::At`]. Entries that stayed on disk between two calls are seen exactly once
///   over both.
/// - **Probe.** With `query.probe`, an event comes for a name on the way where the way ends or
///   where the whole listing has one, then those of the path and of what is below it. A directory
///   above that is not on the way is neither opened nor counted.
/// - **Faults.** What goes wrong with one entry or directory below the listed one is an event.
///   An error means that the listed directory itself cannot be listed, or that the caller
///   cancelled, or that a bound was reached.
/// - **Cancellation** is checked before each directory read and every few thousand entries.
/// - **The end.** After `advance` has returned false or an error it returns false or the same
///   kind of error again, never further events.
pub trait ListSource: Send + Sync {
    /// The product's name.
    fn mode(&self) -> Mode;

    /// Starts a listing, where `query.after` says.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed.
    fn open<'a>(
        &'a self,
        query: &'a Query,
        cancel: &'a Cancel,
    ) -> Result<Box<dyn Events + Send + 'a>, ListError>;

    /// Rules that re-include a path, relative to the listed directory, although the listing leaves
    /// it out: they have no effect. Default: none are known.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled.
    fn overruled(
        &self,
        query: &Query,
        path: RelPath<'_>,
        kind: Kind,
        cancel: &Cancel,
    ) -> Result<Vec<ExplainedRule>, ListError> {
        let _ = (query, path, kind, cancel);
        Ok(Vec::new())
    }
}

/// A listing under way.
pub trait Events {
    /// Moves to the next event; false at the end.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`], [`ListError::Timeout`] or [`ListError::ScanCap`]; what came
    /// before stays true.
    fn advance(&mut self) -> Result<bool, ListError>;

    /// The current event, the same at each call until the next `advance`.
    ///
    /// # Panics
    ///
    /// May panic when `advance` has not returned true last: there is no event then.
    fn event(&self) -> Event<'_>;

    /// Gives one event after another to `each`, with the identity of the way to it, until there
    /// are no more or `each` breaks; says which. The same as `advance` and `event` in turn, and
    /// can be mixed with them; a source that can do many entries at a time does it here.
    ///
    /// # Errors
    ///
    /// As `advance`.
    fn run(&mut self, each: &mut Each<'_>) -> Result<ControlFlow<()>, ListError> {
        while self.advance()? {
            let identity = self.seen().identity;
            if each(&self.event(), &identity).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What was read so far. Before the first `advance` of a listing with `query.after` the
    /// identity is that of the way to that path, so that drift shows.
    fn seen(&self) -> Seen;

    /// Whether equal identities of [`Events::seen`] mean that the whole listing is equal, because
    /// nothing else is read for it. Default: false.
    fn identity_is_whole(&self) -> bool {
        false
    }

    /// Directories directly below the listed one of which nothing comes up to `after`, neither a
    /// row nor anything below: at most `most` of them, in order, without those that are left out. It says what a
    /// cut hides from what is at hand, or by reading on in the listed directory, never below
    /// it. It is also asked after `advance` has stopped at a bound. The listing cannot be
    /// continued after this call.
    ///
    /// # Errors
    ///
    /// As `advance`.
    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError>;
}

/// What takes the events of [`Events::run`].
pub type Each<'e> = dyn FnMut(&Event<'_>, &Identity) -> ControlFlow<()> + 'e;

impl<E: Events + ?Sized> Events for Box<E> {
    fn advance(&mut self) -> Result<bool, ListError> {
        (**self).advance()
    }

    fn event(&self) -> Event<'_> {
        (**self).event()
    }

    fn run(&mut self, each: &mut Each<'_>) -> Result<ControlFlow<()>, ListError> {
        (**self).run(each)
    }

    fn seen(&self) -> Seen {
        (**self).seen()
    }

    fn identity_is_whole(&self) -> bool {
        (**self).identity_is_whole()
    }

    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        (**self).not_reached(after, most)
    }
}
