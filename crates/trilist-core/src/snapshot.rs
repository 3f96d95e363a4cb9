//! A whole listing, taken once: pages by position, and what a later listing is compared with.

use crate::contents::OpenDirs;
use crate::digest::ChainDigest;
use crate::later::LaterDirs;
use crate::pager::{self, Budget, PageBody, Step};
use crate::rows::{Held, Rows};
use crate::sorted::Order;
use crate::tally::Tally;
use crate::{
    Entry, EntryRef, Event, Events, FaultRef, Identity, ListError, Page, RelPath, RelPathBuf, Seen,
    TruncatedBy, quote,
};

/// A listing from its beginning to its end, or an earlier reply with the part that it covers.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) rows: Rows,
    /// The places of the rows in another order than that of paths.
    shown: Option<Vec<u32>>,
    tally: Tally,
    pub(crate) covers: Covers,
    pub(crate) gaps: Gaps,
    has_metadata: bool,
    whole: Option<Identity>,
    seen: Seen,
}

/// The part of a listing that is known: between two of its paths, both included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Covers {
    /// The first path; `None` for the listing's beginning.
    pub from: Option<RelPathBuf>,
    /// The last path; `None` for the listing's end.
    pub through: Option<RelPathBuf>,
}

/// What came of taking a snapshot.
#[derive(Debug)]
pub enum Taken {
    /// The whole listing.
    Whole(Box<Snapshot>),
    /// It takes more bytes than allowed.
    TooLarge,
    /// A bound of the source came before its end.
    Stopped(TruncatedBy),
}

/// How a snapshot is taken.
#[derive(Debug, Clone, Copy)]
pub struct Taking {
    /// Another order than that of paths.
    pub order: Option<Order>,
    /// The most bytes to hold.
    pub most_bytes: usize,
    /// Whether the entries come with metadata that may be shown.
    pub metadata: bool,
}

/// Where a page of a snapshot starts and ends.
pub struct HeldPaging<'a> {
    /// Entries before it.
    pub before: u64,
    /// The most entries; at least 1.
    pub limit: u64,
    /// The byte budget.
    pub budget: Option<Budget<'a>>,
    /// How many directories a cut first page names as not reached.
    pub not_reached: usize,
    /// Whether metadata is shown, as far as there is any.
    pub metadata: bool,
}

impl Snapshot {
    /// Takes the whole listing.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`]; the source's bounds are in [`Taken`].
    pub fn take(events: &mut dyn Events, taking: Taking) -> Result<Taken, ListError> {
        Taker::watching(events, taking).finish()
    }

    /// What a reply has of its listing.
    ///
    /// # Errors
    ///
    /// One clause, when the reply has nothing that can be compared with.
    pub fn of_page(page: &Page) -> Result<Snapshot, &'static str> {
        if page.changes.is_some() {
            return Err("it tells changes and is no listing itself");
        }
        let mut entries: Vec<&Entry> = page.entries.iter().collect();
        let is_whole = !page.truncated && page.at_least == page.returned;
        if is_whole {
            entries.sort_by(|a, b| a.bytes().cmp(b.bytes()));
        }
        let mut rows = Rows::default();
        if !entries.iter().all(|entry| rows.push_owned(entry)) {
            return Err("its entries are not in path order, or no paths");
        }
        Ok(Snapshot {
            covers: Covers::of_page(page)?,
            gaps: Gaps::of_page(page),
            has_metadata: entries.iter().any(|entry| entry.metadata().is_some()),
            rows,
            shown: None,
            tally: Tally::default(),
            whole: None,
            seen: Seen::default(),
        })
    }

    /// How many entries it has.
    pub fn entries(&self) -> u64 {
        self.rows.len() as u64
    }

    /// About the bytes that it takes in memory.
    pub fn held_bytes(&self) -> usize {
        self.rows.held_bytes() + self.shown.as_ref().map_or(0, |shown| shown.len() * 4)
    }

    /// The part of the listing that it knows.
    pub fn covers(&self) -> &Covers {
        &self.covers
    }

    /// Whether its entries have sizes and times.
    pub fn has_metadata(&self) -> bool {
        self.has_metadata
    }

    /// Whether a later listing can be seen to have other contents. It can, if there is nothing.
    pub(crate) fn sees_edits(&self) -> bool {
        self.has_metadata || self.has_any(|held| held.object.is_some())
    }

    /// Whether something can be seen to be elsewhere in a later listing.
    pub(crate) fn sees_renames(&self) -> bool {
        self.has_any(|held| {
            let id = held.metadata.and_then(|metadata| metadata.id);
            held.object.is_some() || id.is_some_and(|id| id.born.is_some())
        })
    }

    fn has_any(&self, is_one: impl Fn(&Held<'_>) -> bool) -> bool {
        self.rows.len() == 0 || (0..self.rows.len()).any(|at| is_one(&self.rows.at(at)))
    }

    /// What tells that the whole listing is unchanged, where there is such a thing: see
    /// [`Events::identity_is_whole`].
    pub fn whole(&self) -> Option<Identity> {
        self.whole
    }

    /// A digest of everything that a reply would show of it.
    pub fn digest(&self) -> Identity {
        let mut chain = ChainDigest::default();
        for at in 0..self.rows.len() {
            let held = self.rows.at(at);
            chain.add_entry(&plain(&held));
            chain.add(held.object.unwrap_or_default(), held.contents.map_or(0, |c| c as u64 + 1));
        }
        let tally = serde_json::to_vec(&(self.tally.omitted(), self.tally.warnings()));
        let order = self.shown.iter().flatten().flat_map(|at| at.to_le_bytes());
        crate::Digest::new()
            .add(&chain.identity().to_bytes())
            .add(&tally.unwrap_or_default())
            .add(&order.collect::<Vec<u8>>())
            .identity()
    }

    /// The place of a path in the snapshot's order, counted from 0.
    pub fn place_of(&self, path: RelPath<'_>) -> Option<u64> {
        let at = self.find(path.as_bytes()).ok()?;
        match &self.shown {
            None => Some(at as u64),
            Some(shown) => shown.iter().position(|row| *row as usize == at).map(|at| at as u64),
        }
    }

    fn find(&self, path: &[u8]) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.rows.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.rows.path(middle).cmp(path) {
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    fn row(&self, at: usize) -> Held<'_> {
        match &self.shown {
            None => self.rows.at(at),
            Some(shown) => self.rows.at(shown[at] as usize),
        }
    }

    /// One page. What is left out and what went wrong has no place in a snapshot: its first page
    /// tells all of it.
    ///
    /// # Errors
    ///
    /// [`ListError::OffsetOutOfRange`] when there is nothing behind the entries before.
    pub fn page(&self, paging: HeldPaging<'_>) -> Result<PageBody, ListError> {
        let total = self.entries();
        let HeldPaging { before, limit, budget, not_reached, metadata } = paging;
        if before > 0 && before >= total {
            return Err(ListError::OffsetOutOfRange { offset: before + 1, entries: total });
        }
        let is_first = before == 0;
        let tally = if is_first { self.tally.clone() } else { Tally::default() };
        let most = limit.min(total - before);
        let mut entries = Vec::new();
        let row = |at: u64| usize::try_from(before + at).map(|at| self.row(at));
        let cut = fill(&mut entries, most, budget, &tally, &mut |at| {
            let mut entry = row(at).ok()?.entry();
            if !metadata {
                entry.strip_metadata();
            }
            Some(entry)
        });
        let taken = entries.len() as u64;
        let follows = before + taken < total;
        let by_budget = cut.then_some(TruncatedBy::Budget);
        let last = taken.checked_sub(1).and_then(|last| row(last).ok()).map(Held::to_path);
        let later =
            if follows && is_first { self.later(&entries, not_reached) } else { Vec::new() };
        Ok(PageBody {
            complete: is_first && !follows && !tally.has_gaps(),
            entries,
            before: Some(before),
            tally,
            truncated_by: follows.then_some(by_budget.unwrap_or(TruncatedBy::Limit)),
            total: Some(total),
            at_least: total,
            drifted: false,
            not_reached: later,
            next: last.filter(|_| follows).map(|path| (path, Identity::default())),
            seen: self.seen,
        })
    }

    /// Directories of which a page of these entries shows nothing.
    fn later(&self, entries: &[Entry], most: usize) -> Vec<RelPathBuf> {
        let mut later = LaterDirs::new(entries, most);
        for at in entries.len()..self.rows.len() {
            if self.shown.is_none() && most > 0 {
                later.entry(&plain(&self.rows.at(at)));
            }
        }
        later.into_paths()
    }
}

/// Takes entries from `next`, counted from 0, as far as limit and budget allow; at least one.
/// True when the budget ended it.
pub(crate) fn fill(
    entries: &mut Vec<Entry>,
    most: u64,
    budget: Option<Budget<'_>>,
    tally: &Tally,
    next: &mut dyn FnMut(u64) -> Option<Entry>,
) -> bool {
    let mut budget = budget;
    let mut spent = Tally::default().added_cost(tally);
    for at in 0..most {
        let Some(entry) = next(at) else { return false };
        if let Some(Budget { bytes, cost }) = &mut budget {
            spent += cost(&entry);
            if spent > *bytes && !entries.is_empty() {
                return true;
            }
        }
        entries.push(entry);
    }
    false
}

fn plain<'a>(held: &Held<'a>) -> EntryRef<'a> {
    EntryRef {
        skipped: held.skipped,
        metadata: held.metadata,
        vcs: held.vcs,
        ..EntryRef::new(held.path, held.kind)
    }
}

/// The rows' places as `order` has them.
fn in_order(rows: &Rows, order: Order) -> Vec<u32> {
    let rank = |at: usize| order.rank(&plain(&rows.at(at)));
    let mut places: Vec<(i128, usize)> = (0..rows.len()).map(|at| (rank(at), at)).collect();
    places.sort_by(|a, b| order.compare((a.0, rows.path(a.1)), (b.0, rows.path(b.1))));
    places.into_iter().map(|(_, at)| u32::try_from(at).unwrap_or(u32::MAX)).collect()
}

/// Takes a snapshot of what goes by.
pub struct Taker<'e> {
    events: &'e mut dyn Events,
    taking: Taking,
    draft: Draft,
    is_too_large: bool,
    ended: Option<Option<TruncatedBy>>,
}

impl<'e> Taker<'e> {
    /// Watches `events`, of which nothing was pulled yet.
    pub fn watching(events: &'e mut dyn Events, taking: Taking) -> Self {
        Taker { events, taking, draft: Draft::default(), is_too_large: false, ended: None }
    }

    /// What was taken; what was not pulled yet is pulled now.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`].
    pub fn finish(mut self) -> Result<Taken, ListError> {
        while self.ended.is_none() && !self.is_too_large {
            match pager::advance(&mut self)? {
                Step::Event | Step::End => {}
                Step::Stopped(by) => self.ended = Some(Some(by)),
            }
        }
        match self.ended {
            _ if self.is_too_large => Ok(Taken::TooLarge),
            Some(Some(by)) => Ok(Taken::Stopped(by)),
            _ => Ok(Taken::Whole(Box::new(self.whole()))),
        }
    }

    fn whole(self) -> Snapshot {
        let Draft { mut rows, tally, gaps, mut open } = self.draft;
        open.finish(&mut rows);
        let seen = self.events.seen();
        Snapshot {
            shown: self.taking.order.map(|order| in_order(&rows, order)),
            rows,
            tally,
            covers: Covers::default(),
            gaps,
            has_metadata: self.taking.metadata,
            whole: self.events.identity_is_whole().then_some(seen.identity),
            seen,
        }
    }
}

impl Events for Taker<'_> {
    fn advance(&mut self) -> Result<bool, ListError> {
        let moved = self.events.advance();
        match &moved {
            Ok(true) if !self.is_too_large => {
                self.draft.event(&self.events.event());
                self.is_too_large = self.draft.rows.held_bytes() > self.taking.most_bytes;
            }
            Ok(true) => {}
            Ok(false) => self.ended = Some(None),
            Err(error) => self.ended = pager::stopped(error.clone()).ok().map(Some),
        }
        moved
    }

    fn event(&self) -> Event<'_> {
        self.events.event()
    }

    fn seen(&self) -> Seen {
        self.events.seen()
    }

    fn identity_is_whole(&self) -> bool {
        self.events.identity_is_whole()
    }

    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        self.events.not_reached(after, most)
    }
}

#[derive(Default)]
struct Draft {
    rows: Rows,
    tally: Tally,
    gaps: Gaps,
    open: OpenDirs,
}

impl Draft {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Entry(entry) => {
                self.open.entry(entry, &mut self.rows);
                self.open.push(entry, self.rows.len());
                self.rows.push(entry);
            }
            Event::Omitted(omission) => {
                self.tally.omit(omission);
                self.open.omitted(omission.path.as_bytes(), &mut self.rows);
            }
            Event::Fault(fault) => {
                self.tally.fault(fault);
                self.gaps.fault(fault);
                self.open.fault(fault, &mut self.rows);
            }
        }
    }
}

impl Covers {
    fn of_page(page: &Page) -> Result<Covers, &'static str> {
        let entry = |entry: Option<&Entry>| {
            let path = RelPathBuf::new(entry?.bytes()).ok()?;
            Some(path)
        };
        let listed = page.next_offset.map_or(page.at_least, |next| next.saturating_sub(1));
        let is_start = listed <= page.returned;
        let from = if is_start { None } else { entry(page.entries.first()) };
        let through = if page.truncated { entry(page.entries.last()) } else { None };
        if (page.truncated && through.is_none()) || (!is_start && from.is_none()) {
            return Err("it has no entry to compare with");
        }
        Ok(Covers { from, through })
    }

    /// Whether a path lies behind the part.
    pub(crate) fn is_before(&self, path: RelPath<'_>) -> bool {
        self.through.as_ref().is_some_and(|through| path.as_bytes() > through.as_bytes())
    }

    /// Whether a path lies before the part.
    pub(crate) fn is_behind(&self, path: RelPath<'_>) -> bool {
        self.from.as_ref().is_some_and(|from| path.as_bytes() < from.as_bytes())
    }
}

/// Places of which a listing does not know everything.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    dirs: Vec<Vec<u8>>,
    /// There are more than are held.
    everywhere: bool,
}

const MAX_GAPS: usize = 1_000;

impl Gaps {
    pub(crate) fn fault(&mut self, fault: &FaultRef<'_>) {
        if fault.gap {
            self.add(fault.path.as_bytes());
        }
    }

    fn add(&mut self, dir: &[u8]) {
        match self.dirs.len() < MAX_GAPS {
            true => self.dirs.push(dir.to_vec()),
            false => self.everywhere = true,
        }
    }

    fn of_page(page: &Page) -> Gaps {
        let mut gaps = Gaps::default();
        for warning in page.warnings.iter().filter(|warning| warning.gap) {
            match warning.path.as_bytes() {
                b"." => gaps.add(b""),
                path => gaps.add(&quote::unquoted(path).unwrap_or_else(|| path.to_vec())),
            }
        }
        gaps.everywhere |= page.gaps > gaps.dirs.len() as u64;
        gaps
    }

    /// Whether something may be missing at a path.
    pub(crate) fn may_hide(&self, path: RelPath<'_>) -> bool {
        let path = path.as_bytes();
        let holds = |dir: &Vec<u8>| {
            path.strip_prefix(dir.as_slice())
                .is_some_and(|rest| dir.is_empty() || matches!(rest, [] | [b'/', ..]))
        };
        self.everywhere || self.dirs.iter().any(holds)
    }
}
