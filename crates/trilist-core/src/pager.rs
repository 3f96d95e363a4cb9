//! Turns the events of any source into pages.
//!
//! A page takes entries until its limit, its byte budget, the deadline or the end. Omissions and
//! faults belong to the page of the next entry in order: what lies between a page's last entry
//! and the next one is told by the next page, so that sums over pages equal the whole.

use crate::contents::OpenDirs;
use crate::tally::Tally;
use crate::{Entry, Event, Events, Identity, ListError, RelPathBuf, Seen, TruncatedBy};

/// Where a page starts and ends.
pub struct Paging<'a> {
    /// The most entries; at least 1.
    pub limit: u64,
    /// Entries to pass over first (`offset` minus 1).
    pub skip: u64,
    /// For a page that continues another one.
    pub resumed: Option<Resumed>,
    /// Whether to read to the end for an exact total.
    pub count: bool,
    /// The byte budget.
    pub budget: Option<Budget<'a>>,
    /// How many directories a cut first page names as not reached.
    pub not_reached: usize,
}

/// What a cursor knows of the page before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resumed {
    /// Entries before this page.
    pub ordinal: u64,
    /// The identity of the way to the last entry, when it was listed.
    pub identity: Identity,
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
    /// Entries of the listing before this page.
    pub before: u64,
    /// What was left out and what went wrong.
    pub tally: Tally,
    /// What ended the page.
    pub truncated_by: Option<TruncatedBy>,
    /// Entries of the whole listing, when known.
    pub total: Option<u64>,
    /// Entries of the whole listing at the least.
    pub at_least: u64,
    /// See [`crate::Page::complete`].
    pub complete: bool,
    /// See [`crate::Page::drifted`].
    pub drifted: bool,
    /// See [`crate::Page::not_reached`].
    pub not_reached: Vec<RelPathBuf>,
    /// Where the next page starts after: the last entry's path and the way to it. Absent when
    /// nothing follows, or when nothing was listed.
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
    let drifted = paging.resumed.is_some_and(|resumed| resumed.identity != events.seen().identity);
    let before = paging.resumed.map_or(0, |resumed| resumed.ordinal) + paging.skip;
    let mut taker = Taker::new(events, paging);
    let end = match taker.skip()? {
        Some(end) => end,
        None => taker.take()?,
    };
    taker.finish(before, drifted, end)
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
    spent: usize,
    skipped: u64,
    entries: Vec<Entry>,
    /// Up to the last entry.
    tally: Tally,
    /// Behind the last entry.
    pending: Tally,
    open: OpenDirs,
    last: Option<(RelPathBuf, Identity)>,
}

impl<'a, 'b> Taker<'a, 'b> {
    fn new(events: &'a mut dyn Events, paging: Paging<'b>) -> Self {
        Taker {
            events,
            paging,
            spent: 0,
            skipped: 0,
            entries: Vec::new(),
            tally: Tally::default(),
            pending: Tally::default(),
            open: OpenDirs::default(),
            last: None,
        }
    }

    /// Passes over the entries before the offset.
    fn skip(&mut self) -> Result<Option<End>, ListError> {
        while self.skipped < self.paging.skip {
            match advance(self.events)? {
                Step::Event => {}
                Step::End => {
                    let entries = self.skipped;
                    return Err(ListError::OffsetOutOfRange {
                        offset: self.paging.skip + 1,
                        entries,
                    });
                }
                Step::Stopped(by) => return Ok(Some(End::Stopped(by))),
            }
            if let Event::Entry(entry) = self.events.event() {
                self.skipped += 1;
                if self.skipped == self.paging.skip {
                    self.last = Some((entry.path.to_buf(), self.events.seen().identity));
                }
            }
        }
        Ok(None)
    }

    fn take(&mut self) -> Result<End, ListError> {
        loop {
            match advance(self.events)? {
                Step::Event => {}
                Step::End => return self.reached(),
                Step::Stopped(by) => return Ok(End::Stopped(by)),
            }
            match self.events.event() {
                Event::Omitted(omission) => {
                    self.pending.omit(&omission);
                    self.open.omitted(omission.path.as_bytes(), &mut self.entries);
                }
                Event::Fault(fault) => {
                    self.pending.fault(&fault);
                    self.open.fault(&fault, &mut self.entries);
                }
                Event::Entry(entry) => {
                    self.open.entry(&entry, &mut self.entries);
                    if self.entries.len() as u64 == self.paging.limit {
                        return Ok(End::More(TruncatedBy::Limit));
                    }
                    let owned = Entry::of(&entry);
                    let cost = match &mut self.paging.budget {
                        Some(budget) => (budget.cost)(&owned) + self.pending.warnings_cost(),
                        None => 0,
                    };
                    let bytes = self.paging.budget.as_ref().map_or(usize::MAX, |b| b.bytes);
                    // One entry is always given, or paging would stand still.
                    if self.spent + cost > bytes && !self.entries.is_empty() {
                        return Ok(End::More(TruncatedBy::Budget));
                    }
                    self.spent += cost;
                    self.last = Some((entry.path.to_buf(), self.events.seen().identity));
                    self.open.push(&entry, self.entries.len());
                    self.entries.push(owned);
                    self.tally.append(std::mem::take(&mut self.pending));
                }
            }
        }
    }

    /// The end: what was pending belongs to this page after all.
    fn reached(&mut self) -> Result<End, ListError> {
        if self.paging.skip > 0 && self.entries.is_empty() {
            let entries = self.skipped;
            return Err(ListError::OffsetOutOfRange { offset: self.paging.skip + 1, entries });
        }
        self.open.finish(&mut self.entries);
        let pending = std::mem::take(&mut self.pending);
        self.tally.append(pending);
        Ok(End::Reached)
    }

    fn finish(mut self, before: u64, drifted: bool, end: End) -> Result<PageBody, ListError> {
        let truncated_by = match end {
            End::Reached => None,
            End::More(by) | End::Stopped(by) => Some(by),
        };
        if self.entries.is_empty() && truncated_by == Some(TruncatedBy::Deadline) {
            return Err(ListError::Timeout);
        }
        let listed = before + self.entries.len() as u64;
        let (total, at_least) = self.totals(end, listed, drifted)?;
        let first = self.paging.resumed.is_none() && self.paging.skip == 0;
        // Counting has consumed the listing, so there is nothing left to look ahead in.
        let not_reached = match end {
            End::More(_) if first && !self.paging.count => self.look_ahead()?,
            _ => Vec::new(),
        };
        Ok(PageBody {
            complete: first && end == End::Reached && !self.tally.has_gaps(),
            entries: self.entries,
            before,
            tally: self.tally,
            truncated_by,
            total,
            at_least,
            drifted,
            not_reached,
            next: self.last.filter(|_| truncated_by.is_some()),
            seen: self.events.seen(),
        })
    }

    fn totals(
        &mut self,
        end: End,
        listed: u64,
        drifted: bool,
    ) -> Result<(Option<u64>, u64), ListError> {
        match end {
            End::Reached => Ok(((!drifted).then_some(listed), listed)),
            End::Stopped(_) => Ok((None, listed)),
            End::More(_) if !self.paging.count => Ok((None, listed + 1)),
            End::More(_) => {
                let mut counted = listed + 1;
                loop {
                    match advance(self.events)? {
                        Step::Event => {
                            counted += u64::from(matches!(self.events.event(), Event::Entry(_)));
                        }
                        Step::End => return Ok(((!drifted).then_some(counted), counted)),
                        Step::Stopped(_) => return Ok((None, counted)),
                    }
                }
            }
        }
    }

    fn look_ahead(&mut self) -> Result<Vec<RelPathBuf>, ListError> {
        let Some((last, _)) = &self.last else {
            return Ok(Vec::new());
        };
        match self.events.not_reached(last.as_path(), self.paging.not_reached) {
            Err(ListError::Timeout | ListError::ScanCap { .. }) => Ok(Vec::new()),
            other => other,
        }
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
        Err(ListError::Timeout) => Ok(Step::Stopped(TruncatedBy::Deadline)),
        Err(ListError::ScanCap { .. }) => Ok(Step::Stopped(TruncatedBy::ScanCap)),
        Err(error) => Err(error),
    }
}
