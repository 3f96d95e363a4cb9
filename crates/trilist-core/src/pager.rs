//! Turns the events of any source into pages.
//!
//! A page takes entries until its limit, its byte budget, the deadline or the end. Omissions and
//! faults belong to the page of the next entry in order: what lies between a page's last entry
//! and the next one is told by the next page, so that sums over pages equal the whole.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::contents::OpenDirs;
use crate::later::LaterDirs;
use crate::tally::Tally;
use crate::{
    Entry, EntryRef, Event, Events, FaultRef, Identity, ListError, OmissionRef, RelPath,
    RelPathBuf, Seen, TruncatedBy,
};

/// Where a page starts and ends.
pub struct Paging<'a> {
    /// The most entries; at least 1.
    pub limit: u64,
    /// Entries to pass over first (`offset` minus 1); 0 when the page continues another one.
    pub skip: u64,
    /// For a page that continues another one.
    pub resumed: Option<Resumed>,
    /// Whether to read to the end for an exact total.
    pub count: bool,
    /// The byte budget.
    pub budget: Option<Budget<'a>>,
    /// How many directories a cut first page names as not reached; 0 asks for none.
    pub not_reached: usize,
}

/// What a cursor knows of the page before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumed {
    /// Entries before this page, if they were counted.
    pub ordinal: Option<u64>,
    /// The identity of the way to the last entry, when it was listed.
    pub identity: Option<Identity>,
}

impl Resumed {
    /// Whether the way no longer looks as it did; false when it was not looked at.
    pub(crate) fn drifted(&self, events: &dyn Events) -> bool {
        self.identity.is_some_and(|identity| identity != events.seen().identity)
    }
}

/// A bound on the reply's size.
pub struct Budget<'a> {
    /// Bytes for entries and warnings together.
    pub bytes: usize,
    /// The bytes that one entry costs in the larger of text and JSON.
    pub cost: &'a mut dyn FnMut(&Entry) -> usize,
}

/// A page before it has names, cursors and text.
#[derive(Debug)]
pub struct PageBody {
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// Entries of the listing before those in `entries`, if they were counted.
    pub before: Option<u64>,
    /// What was left out and what went wrong.
    pub tally: Tally,
    /// What ended the page.
    pub truncated_by: Option<TruncatedBy>,
    /// Entries of the whole listing, when known.
    pub total: Option<u64>,
    /// Entries of the whole listing at the least: after drift, counted on from what the
    /// cursor says.
    pub at_least: u64,
    /// See [`crate::Page::complete`].
    pub complete: bool,
    /// See [`crate::Page::drifted`].
    pub drifted: bool,
    /// See [`crate::Page::not_reached`].
    pub not_reached: Vec<RelPathBuf>,
    /// Where the next page starts after: the last entry's path and the way to it; on a page that
    /// a bound ended before its first entry, the last omission's. Absent when nothing follows, or
    /// when nothing was come to.
    pub next: Option<(RelPathBuf, Identity)>,
    /// What was read.
    pub seen: Seen,
}

/// Takes one page from `events`, which start where `paging` says.
///
/// # Errors
///
/// - [`ListError::Cancelled`] when the caller cancelled.
/// - [`ListError::Timeout`] when the deadline passed before the first entry.
/// - [`ListError::OffsetOutOfRange`] when there are entries to skip and none behind them.
pub fn page(events: &mut dyn Events, paging: Paging<'_>) -> Result<PageBody, ListError> {
    page_so_far(events, paging, &SoFar::default())
}

/// As [`page`], where `so_far` can be asked from another thread for what there is meanwhile.
///
/// # Errors
///
/// As [`page`].
pub fn page_so_far(
    events: &mut dyn Events,
    paging: Paging<'_>,
    so_far: &SoFar,
) -> Result<PageBody, ListError> {
    let drifted = paging.resumed.is_some_and(|resumed| resumed.drifted(events));
    so_far.draft().start = Start::of(&paging, drifted);
    let mut taker = Taker { events, paging, skipped: 0, so_far };
    let end = match taker.skip()? {
        Some(end) => end,
        None => taker.take()?,
    };
    taker.finish(drifted, end)
}

/// How the taking of entries ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The listing has no more entries.
    Reached,
    /// At least one more entry follows, and is the current event.
    More(TruncatedBy),
    /// A bound of the source was hit; whether more follows is not known.
    Stopped(TruncatedBy),
}

struct Taker<'a, 'b> {
    events: &'a mut dyn Events,
    paging: Paging<'b>,
    skipped: u64,
    so_far: &'a SoFar,
}

/// The entries and faults of a page that is being made. Clones share them.
#[derive(Clone, Default)]
pub struct SoFar(Arc<Mutex<Draft>>);

impl SoFar {
    /// The page up to now, as one that the deadline has ended with this fault; nothing if it has
    /// no entry. The page that is being made loses what it has.
    pub fn take(&self, fault: &FaultRef<'_>) -> Option<PageBody> {
        let mut draft = std::mem::take(&mut *self.draft());
        if draft.entries.is_empty() {
            return None;
        }
        // It stands behind the last entry, and whoever goes on from there is told again.
        draft.tally.fault(fault);
        let next = draft.last();
        let listed = draft.start.before.unwrap_or(0).saturating_add(draft.entries.len() as u64);
        Some(PageBody {
            entries: draft.entries,
            before: draft.start.before,
            tally: draft.tally,
            truncated_by: Some(TruncatedBy::Deadline),
            total: None,
            at_least: listed,
            complete: false,
            drifted: draft.start.drifted,
            not_reached: Vec::new(),
            next,
            seen: draft.seen,
        })
    }

    fn draft(&self) -> MutexGuard<'_, Draft> {
        // What another thread did with it is whole at each moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a page begins.
#[derive(Clone, Copy, Default)]
struct Start {
    /// Entries of the listing before it, if they were counted.
    before: Option<u64>,
    drifted: bool,
}

impl Start {
    fn of(paging: &Paging<'_>, drifted: bool) -> Self {
        let ordinal = paging.resumed.map_or(Some(0), |resumed| resumed.ordinal);
        Start { before: ordinal.map(|ordinal| ordinal.saturating_add(paging.skip)), drifted }
    }
}

/// What is known of the listing behind the page.
struct Rest {
    /// Entries seen there.
    entries: u64,
    /// Whether these are all.
    to_end: bool,
    /// See [`crate::Page::not_reached`].
    not_reached: Vec<RelPathBuf>,
}

impl Taker<'_, '_> {
    /// Passes over the entries before the offset.
    fn skip(&mut self) -> Result<Option<End>, ListError> {
        while self.skipped < self.paging.skip {
            match advance(self.events)? {
                Step::Event => {}
                Step::End => return Err(self.out_of_range()),
                Step::Stopped(by) => return Ok(Some(End::Stopped(by))),
            }
            if let Event::Entry(entry) = self.events.event() {
                self.skipped += 1;
                if self.skipped == self.paging.skip {
                    self.so_far.draft().passed =
                        Some((entry.path.to_buf(), self.events.seen().identity));
                }
            }
        }
        Ok(None)
    }

    /// Takes entries until the page or the listing is at its end.
    fn take(&mut self) -> Result<End, ListError> {
        loop {
            match advance(self.events)? {
                Step::Event => {}
                Step::End => return self.reached(),
                Step::Stopped(by) => return Ok(End::Stopped(by)),
            }
            // Held for this one event: while the next one is waited for it is free.
            let mut draft = self.so_far.draft();
            match self.events.event() {
                Event::Omitted(omission) => {
                    draft.omit(&omission);
                    if draft.entries.is_empty() && draft.milestones.reached() {
                        draft.pass(omission.path, self.events.seen().identity);
                    }
                }
                Event::Fault(fault) => draft.fault(&fault),
                Event::Entry(entry) => {
                    let seen = self.events.seen();
                    if let Some(by) = draft.entry(&entry, seen, &mut self.paging) {
                        return Ok(End::More(by));
                    }
                }
            }
        }
    }

    fn reached(&mut self) -> Result<End, ListError> {
        let mut draft = self.so_far.draft();
        if self.paging.skip > 0 && draft.entries.is_empty() {
            return Err(self.out_of_range());
        }
        draft.end();
        Ok(End::Reached)
    }

    fn out_of_range(&self) -> ListError {
        let offset = self.paging.skip.saturating_add(1);
        ListError::OffsetOutOfRange { offset, entries: self.skipped }
    }

    fn finish(mut self, drifted: bool, end: End) -> Result<PageBody, ListError> {
        let truncated_by = match end {
            End::Reached => None,
            End::More(by) | End::Stopped(by) => Some(by),
        };
        if self.so_far.draft().entries.is_empty() && truncated_by == Some(TruncatedBy::Deadline) {
            return Err(ListError::Timeout);
        }
        let first = self.paging.resumed.is_none() && self.paging.skip == 0;
        let rest = self.rest(end, if first { self.paging.not_reached } else { 0 })?;
        let draft = std::mem::take(&mut *self.so_far.draft());
        // Saturating, since a cursor's ordinal comes from outside.
        let ordinal = self.paging.resumed.map_or(Some(0), |resumed| resumed.ordinal);
        let before = ordinal.map(|ordinal| ordinal.saturating_add(self.skipped));
        let listed = before.unwrap_or(0).saturating_add(draft.entries.len() as u64);
        let at_least = listed.saturating_add(rest.entries);
        let next = truncated_by.and_then(|_| draft.last());
        Ok(PageBody {
            complete: first && end == End::Reached && !draft.tally.has_gaps(),
            entries: draft.entries,
            before,
            tally: draft.tally,
            truncated_by,
            // After drift the entries before this page may no longer be as many as they were.
            total: (rest.to_end && !drifted && before.is_some()).then_some(at_least),
            at_least,
            drifted,
            not_reached: rest.not_reached,
            next,
            seen: self.events.seen(),
        })
    }

    /// Looks at what follows the page, as far as was asked; it names at most `most` directories.
    fn rest(&mut self, end: End, most: usize) -> Result<Rest, ListError> {
        let entries = match end {
            End::Reached => return Ok(Rest { entries: 0, to_end: true, not_reached: Vec::new() }),
            End::More(_) if self.paging.count => return self.count(most),
            End::More(_) => 1,
            End::Stopped(_) => 0,
        };
        Ok(Rest { entries, to_end: false, not_reached: self.look_ahead(most)? })
    }

    /// Reads on to the end. That consumes the listing, so directories not reached are noted on
    /// the way.
    fn count(&mut self, most: usize) -> Result<Rest, ListError> {
        let mut dirs = LaterDirs::new(&self.so_far.draft().entries, most);
        let mut entries = 0;
        let to_end = loop {
            if let Event::Entry(entry) = self.events.event() {
                entries += 1;
                dirs.entry(&entry);
            }
            match advance(self.events)? {
                Step::Event => {}
                Step::End => break true,
                Step::Stopped(_) => break false,
            }
        };
        Ok(Rest { entries, to_end, not_reached: dirs.into_paths() })
    }

    fn look_ahead(&mut self, most: usize) -> Result<Vec<RelPathBuf>, ListError> {
        if most == 0 {
            return Ok(Vec::new());
        }
        let Some((last, _)) = self.so_far.draft().last() else { return Ok(Vec::new()) };
        match self.events.not_reached(last.as_path(), most) {
            Err(ListError::Timeout | ListError::ScanCap { .. }) => Ok(Vec::new()),
            other => other,
        }
    }
}

/// The page so far.
#[derive(Default)]
struct Draft {
    entries: Vec<Entry>,
    /// Bytes of the budget used.
    spent: usize,
    /// Up to the last entry.
    tally: Tally,
    /// Behind the last entry.
    pending: Tally,
    open: OpenDirs,
    /// Where the next page can start after, as long as there is no entry.
    passed: Option<(RelPathBuf, Identity)>,
    milestones: Milestones,
    /// What was read up to the last entry.
    seen: Seen,
    start: Start,
}

/// Omissions before the first entry of which one in so many is a place to go on from: a bound may
/// end a page before it has an entry, and the caller would stand still.
#[derive(Debug, Default)]
pub(crate) struct Milestones(u64);

impl Milestones {
    const EVERY: u64 = 256;

    /// Counts an omission; true for the first and for every so many.
    pub(crate) fn reached(&mut self) -> bool {
        self.0 += 1;
        self.0 % Self::EVERY == 1
    }
}

impl Draft {
    /// Where the next page can start after: behind the last entry, whose way was seen with it.
    fn last(&self) -> Option<(RelPathBuf, Identity)> {
        match self.entries.last() {
            Some(entry) => Some((RelPath::assume(entry.bytes()).to_buf(), self.seen.identity)),
            None => self.passed.clone(),
        }
    }

    /// Makes the path of an omission before the first entry the place to go on from: what came up
    /// to it is this page's.
    fn pass(&mut self, path: RelPath<'_>, identity: Identity) {
        self.passed = Some((path.to_buf(), identity));
        self.tally.absorb(&mut self.pending);
    }

    fn omit(&mut self, omission: &OmissionRef<'_>) {
        self.pending.omit(omission);
        self.open.omitted(omission.path.as_bytes(), &mut self.entries);
    }

    fn fault(&mut self, fault: &FaultRef<'_>) {
        self.pending.fault(fault);
        self.open.fault(fault, &mut self.entries);
    }

    /// Takes the entry, or says what ends the page before it.
    fn entry(
        &mut self,
        entry: &EntryRef<'_>,
        seen: Seen,
        paging: &mut Paging<'_>,
    ) -> Option<TruncatedBy> {
        // Also an entry that does not fit shows which directories are passed.
        self.open.entry(entry, &mut self.entries);
        if self.entries.len() as u64 >= paging.limit {
            return Some(TruncatedBy::Limit);
        }
        let row = self.entries.len();
        self.push(Entry::of(entry), paging.limit);
        if let Some(budget) = &mut paging.budget
            && !self.spend(row, budget)
        {
            self.entries.pop();
            return Some(TruncatedBy::Budget);
        }
        self.seen = seen;
        self.open.push(entry, row);
        self.tally.absorb(&mut self.pending);
        None
    }

    fn push(&mut self, entry: Entry, limit: u64) {
        // The room of most pages, at once: growing to it costs as much as making the entries.
        const ROOM: u64 = 128;
        if self.entries.is_empty() {
            self.entries.reserve_exact(limit.min(ROOM) as usize);
        }
        self.entries.push(entry);
    }

    /// Pays for the entry at `row` and the warnings that come with it, when the budget allows.
    fn spend(&mut self, row: usize, budget: &mut Budget<'_>) -> bool {
        let cost = (budget.cost)(&self.entries[row]);
        let spent = self.spent + cost + self.tally.added_cost(&self.pending);
        // One entry is always given, or paging would stand still.
        let fits = spent <= budget.bytes || row == 0;
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// The listing's end: what was pending belongs to this page after all.
    fn end(&mut self) {
        self.open.finish(&mut self.entries);
        self.tally.absorb(&mut self.pending);
    }
}

/// One pull, with the bounds of the source told apart from errors.
pub(crate) enum Step {
    Event,
    End,
    Stopped(TruncatedBy),
}

pub(crate) fn advance(events: &mut dyn Events) -> Result<Step, ListError> {
    match events.advance() {
        Ok(true) => Ok(Step::Event),
        Ok(false) => Ok(Step::End),
        Err(error) => stopped(error).map(Step::Stopped),
    }
}

/// The bound that ended a listing; other errors stay.
pub(crate) fn stopped(error: ListError) -> Result<TruncatedBy, ListError> {
    match error {
        ListError::Timeout => Ok(TruncatedBy::Deadline),
        ListError::ScanCap { .. } => Ok(TruncatedBy::ScanCap),
        error => Err(error),
    }
}
