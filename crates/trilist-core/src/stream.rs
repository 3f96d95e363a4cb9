//! A whole listing, entry by entry, without holding it.

use std::ops::ControlFlow;

use crate::digest::ChainDigest;
use crate::pager::{self, Milestones, PageBody, Resumed};
use crate::tally::Tally;
use crate::{
    EntryRef, Event, Events, Identity, ListError, RelPath, RelPathBuf, Summary, TruncatedBy,
};

/// What remains to be said when the entries have gone by.
#[derive(Debug)]
pub struct Streamed {
    /// The body of the reply, without entries.
    pub body: PageBody,
    /// How many entries went by.
    pub returned: u64,
    /// The entries by kind.
    pub summary: Summary,
    /// Equal for equal entries in the same order.
    pub digest: Identity,
}

/// Gives every entry to `each`, until the end, a bound, or until `each` breaks. A broken stream
/// counts as cut by its limit.
///
/// # Errors
///
/// As [`crate::pager::page`].
pub fn stream(
    events: &mut dyn Events,
    resumed: Option<Resumed>,
    each: &mut dyn FnMut(&EntryRef<'_>) -> ControlFlow<()>,
) -> Result<Streamed, ListError> {
    let drifted = resumed.is_some_and(|resumed| resumed.drifted(events));
    let digest = (!events.identity_is_whole()).then(ChainDigest::default);
    let mut flow = Flow { digest, ..Flow::default() };
    let truncated_by = flow.run(events, each)?;
    if flow.returned == 0 && truncated_by == Some(TruncatedBy::Deadline) {
        return Err(ListError::Timeout);
    }
    let before = resumed.map_or(Some(0), |resumed| resumed.ordinal);
    let listed = before.unwrap_or(0).saturating_add(flow.returned);
    let ended = truncated_by.is_none();
    let body = PageBody {
        entries: Vec::new(),
        // The body has no entries, so what went by lies before it.
        before: before.map(|_| listed),
        complete: resumed.is_none() && ended && !flow.tally.has_gaps(),
        tally: flow.tally,
        truncated_by,
        total: (ended && !drifted && before.is_some()).then_some(listed),
        at_least: listed,
        drifted,
        not_reached: Vec::new(),
        next: RelPathBuf::new(flow.last)
            .ok()
            .filter(|path| !ended && !path.as_bytes().is_empty())
            .map(|path| (path, flow.identity)),
        seen: events.seen(),
    };
    let digest = flow.digest.map_or(events.seen().identity, ChainDigest::identity);
    Ok(Streamed { body, returned: flow.returned, summary: flow.summary, digest })
}

#[derive(Default)]
struct Flow {
    /// Up to the last entry.
    tally: Tally,
    /// Behind the last entry: who goes on from there is told again.
    pending: Tally,
    summary: Summary,
    returned: u64,
    last: Vec<u8>,
    identity: Identity,
    milestones: Milestones,
    /// Of the entries, unless the identity does for it.
    digest: Option<ChainDigest>,
}

impl Flow {
    fn run(
        &mut self,
        events: &mut dyn Events,
        each: &mut dyn FnMut(&EntryRef<'_>) -> ControlFlow<()>,
    ) -> Result<Option<TruncatedBy>, ListError> {
        let ended = events.run(&mut |event, identity| match event {
            Event::Entry(entry) => {
                self.take(entry, identity);
                each(entry)
            }
            Event::Omitted(omission) => {
                self.pending.omit(omission);
                if self.returned == 0 && self.milestones.reached() {
                    self.pass(omission.path, identity);
                }
                ControlFlow::Continue(())
            }
            Event::Fault(fault) => {
                self.pending.fault(fault);
                ControlFlow::Continue(())
            }
        });
        match ended {
            Ok(ControlFlow::Break(())) => Ok(Some(TruncatedBy::Limit)),
            Ok(ControlFlow::Continue(())) => {
                self.tally.absorb(&mut self.pending);
                Ok(None)
            }
            Err(error) => pager::stopped(error).map(Some),
        }
    }

    #[inline]
    fn take(&mut self, entry: &EntryRef<'_>, identity: &Identity) {
        self.returned += 1;
        self.pass(entry.path, identity);
        if let Some(digest) = &mut self.digest {
            digest.add_entry(entry);
        }
        self.summary.add(entry.kind, entry.metadata.and_then(|meta| meta.size_bytes));
    }

    /// Makes a path the place to go on from.
    #[inline]
    fn pass(&mut self, path: RelPath<'_>, identity: &Identity) {
        self.tally.absorb(&mut self.pending);
        self.last.clear();
        self.last.extend_from_slice(path.as_bytes());
        self.identity = *identity;
    }
}
