//! Keeping only some kinds and names of any source.

use std::ops::ControlFlow;

use crate::{
    Each, EntryRef, Event, Events, KindSet, ListError, OmissionRef, Reason, RelPath, RelPathBuf,
    Seen, Skip,
};

/// Decides whether a path matches the request's patterns; `true` in the second place for
/// directories.
pub type Matches<'m> = Box<dyn Fn(RelPath<'_>, bool) -> bool + Send + 'm>;

/// Events of which entries of other kinds, or that no pattern matches, become omissions.
pub struct Selected<'m, E> {
    inner: E,
    kinds: KindSet,
    pattern: Option<Matches<'m>>,
}

impl<'m, E: Events> Selected<'m, E> {
    /// Keeps the entries of `kinds` that `pattern` matches.
    pub fn new(inner: E, kinds: KindSet, pattern: Option<Matches<'m>>) -> Self {
        Selected { inner, kinds, pattern }
    }
}

impl<E: Events> Selected<'_, E> {
    /// The current event as it is without the selection.
    ///
    /// # Panics
    ///
    /// As [`Events::event`].
    pub fn unselected(&self) -> Event<'_> {
        self.inner.event()
    }
}

impl<E> Selected<'_, E> {
    fn keeps_all(&self) -> bool {
        self.kinds == KindSet::ALL && self.pattern.is_none()
    }
}

impl<E: Events> Events for Selected<'_, E> {
    fn advance(&mut self) -> Result<bool, ListError> {
        self.inner.advance()
    }

    fn event(&self) -> Event<'_> {
        if self.keeps_all() {
            return self.inner.event();
        }
        select(self.kinds, self.pattern.as_ref(), self.inner.event())
    }

    fn run(&mut self, each: &mut Each<'_>) -> Result<ControlFlow<()>, ListError> {
        if self.keeps_all() {
            return self.inner.run(each);
        }
        let Selected { inner, kinds, pattern } = self;
        inner.run(&mut |event, identity| each(&select(*kinds, pattern.as_ref(), *event), identity))
    }

    fn seen(&self) -> Seen {
        self.inner.seen()
    }

    fn identity_is_whole(&self) -> bool {
        self.inner.identity_is_whole()
    }

    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        self.inner.not_reached(after, most)
    }
}

/// The event, or an omission in the place of an entry that is not wanted.
fn select<'e>(kinds: KindSet, pattern: Option<&Matches<'_>>, event: Event<'e>) -> Event<'e> {
    let Event::Entry(entry) = event else { return event };
    // A row that says why it was not entered keeps that reason: what lies below it was not
    // looked at, so it cannot be said not to match.
    let omitted = |reason| {
        let reason = match entry.skipped {
            Some(Skip::Builtin) => Reason::Builtin,
            Some(Skip::Protected) => Reason::Protected,
            _ if entry.ignored_by.is_some() => Reason::Ignored,
            _ => reason,
        };
        let EntryRef { path, kind, ignored_by: rule, .. } = entry;
        Event::Omitted(OmissionRef { path, kind, reason, rule })
    };
    if !kinds.contains(entry.kind) {
        return omitted(Reason::Kind);
    }
    match pattern {
        Some(matches) if !matches(entry.path, entry.kind == crate::Kind::Dir) => {
            omitted(Reason::Pattern)
        }
        _ => Event::Entry(entry),
    }
}
