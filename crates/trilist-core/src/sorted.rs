//! Pages in other orders than the streaming one.
//!
//! These need the whole set: one pass keeps the best entries behind the cursor in a bounded
//! heap. The cursor carries the last entry's rank, so the next page starts behind it whatever
//! changed meanwhile.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::pager::{Budget, PageBody, Step, advance};
use crate::tally::Tally;
use crate::{
    Entry, EntryRef, Event, Events, Identity, Kind, ListError, RelPathBuf, SetDigest, Sort,
    TruncatedBy,
};

/// The most entries that offset and limit may reach to, since so many are held at once. Whoever
/// makes a [`SortedPaging`] keeps to it.
pub const MAX_HELD: u64 = 100_000;

/// How entries are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// The key.
    pub sort: Sort,
    /// Whether the order is turned round.
    pub reverse: bool,
}

/// Where a sorted page starts and ends.
pub struct SortedPaging<'a> {
    /// The order.
    pub order: Order,
    /// The most entries; at least 1.
    pub limit: u64,
    /// Entries to pass over first; 0 when the page continues another one.
    pub skip: u64,
    /// For a page that continues another one.
    pub resumed: Option<SortedResume>,
    /// The byte budget.
    pub budget: Option<Budget<'a>>,
}

/// What a cursor knows of the sorted page before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedResume {
    /// Entries before this page.
    pub ordinal: u64,
    /// The rank of the last entry.
    pub rank: i128,
    /// The path of the last entry.
    pub path: RelPathBuf,
    /// The identity of the whole set, when it was listed.
    pub identity: Identity,
}

/// A sorted page, and the rank of its last entry for the cursor.
#[derive(Debug)]
pub struct SortedBody {
    /// The page.
    pub body: PageBody,
    /// The rank of the last entry; 0 for a page without entries.
    pub last_rank: i128,
}

/// Takes one page in another order, reading `events` to their end.
///
/// # Errors
///
/// As [`crate::pager::page`].
pub fn sorted_page(
    events: &mut dyn Events,
    paging: SortedPaging<'_>,
) -> Result<SortedBody, ListError> {
    let mut pass = Pass::new(&paging);
    let stopped = pass.run(events)?;
    if pass.behind <= paging.skip {
        // The page has no entry.
        match stopped {
            Some(TruncatedBy::Deadline) => return Err(ListError::Timeout),
            None if paging.skip > 0 => {
                let offset = paging.skip.saturating_add(1);
                return Err(ListError::OffsetOutOfRange { offset, entries: pass.seen });
            }
            _ => {}
        }
    }
    pass.page(events, paging, stopped)
}

struct Pass {
    order: Order,
    held: u64,
    resumed: Option<SortedResume>,
    heap: BinaryHeap<Ranked>,
    seen: u64,
    behind: u64,
    tally: Tally,
    set: SetDigest,
}

impl Pass {
    fn new(paging: &SortedPaging<'_>) -> Self {
        Pass {
            order: paging.order,
            held: paging.skip.saturating_add(paging.limit),
            resumed: paging.resumed.clone(),
            heap: BinaryHeap::new(),
            seen: 0,
            behind: 0,
            tally: Tally::default(),
            set: SetDigest::default(),
        }
    }

    fn run(&mut self, events: &mut dyn Events) -> Result<Option<TruncatedBy>, ListError> {
        loop {
            match advance(events)? {
                Step::Event => {}
                Step::End => return Ok(None),
                Step::Stopped(by) => return Ok(Some(by)),
            }
            match events.event() {
                Event::Omitted(omission) => self.tally.omit(&omission),
                Event::Fault(fault) => self.tally.fault(&fault),
                Event::Entry(entry) => self.hold(&entry),
            }
        }
    }

    /// Keeps the entry when it is among the best behind the cursor.
    fn hold(&mut self, entry: &EntryRef<'_>) {
        self.seen += 1;
        self.set.add(entry.path.as_bytes(), entry.kind as u64);
        let rank = self.order.rank(entry);
        let path = entry.path.as_bytes();
        if let Some(last) = &self.resumed
            && self.order.compare((rank, path), (last.rank, last.path.as_bytes())).is_le()
        {
            return;
        }
        self.behind += 1;
        if self.heap.len() as u64 == self.held {
            let Some(worst) = self.heap.peek() else {
                return;
            };
            if self.order.compare((rank, path), (worst.rank, &worst.path)) != Ordering::Less {
                return;
            }
            self.heap.pop();
        }
        let reverse_paths = self.order.reverses_paths();
        self.heap.push(Ranked {
            rank,
            path: path.to_vec(),
            reverse_paths,
            entry: Entry::of(entry),
        });
    }

    fn page(
        self,
        events: &mut dyn Events,
        mut paging: SortedPaging<'_>,
        stopped: Option<TruncatedBy>,
    ) -> Result<SortedBody, ListError> {
        let first = paging.resumed.is_none() && paging.skip == 0;
        // What is left out has no place in this order: the first page tells all of it.
        let tally = if first { self.tally } else { Tally::default() };
        let identity = crate::Digest::new().add_u128(self.set.value()).identity();
        let skipped = paging.skip.min(self.behind);
        let ranked = self.heap.into_sorted_vec().into_iter().skip(usize_of(skipped)).collect();
        let (taken, budget_cut) = within_budget(ranked, &tally, paging.budget.take());
        let follows = self.behind > skipped + taken.len() as u64;
        let cut = if budget_cut { TruncatedBy::Budget } else { TruncatedBy::Limit };
        let (last_rank, last) = match taken.last() {
            Some(last) => (last.rank, RelPathBuf::new(last.path.clone()).ok()),
            None => (0, None),
        };
        let ordinal = self.resumed.as_ref().map_or(0, |resumed| resumed.ordinal);
        let drifted = self.resumed.is_some_and(|resumed| resumed.identity != identity);
        let body = PageBody {
            complete: first && !follows && stopped.is_none() && !tally.has_gaps(),
            before: Some(ordinal.saturating_add(skipped)),
            tally,
            // A bound of the source comes first: better entries may lie behind it.
            truncated_by: stopped.or(follows.then_some(cut)),
            total: (stopped.is_none() && !drifted).then_some(self.seen),
            at_least: self.seen,
            drifted,
            not_reached: Vec::new(),
            // A rank among a part of the set is no place in the whole: going on behind it would
            // pass over what was not read yet.
            next: last.filter(|_| follows && stopped.is_none()).map(|path| (path, identity)),
            seen: events.seen(),
            entries: taken.into_iter().map(|ranked| ranked.entry).collect(),
        };
        Ok(SortedBody { body, last_rank })
    }
}

/// The entries that the budget allows beside the warnings, at least one; and whether it cut any.
fn within_budget(
    mut ranked: Vec<Ranked>,
    tally: &Tally,
    budget: Option<Budget<'_>>,
) -> (Vec<Ranked>, bool) {
    let Some(Budget { bytes, cost }) = budget else {
        return (ranked, false);
    };
    let mut spent = Tally::default().added_cost(tally);
    let fits = ranked.iter().take_while(|ranked| {
        spent += cost(&ranked.entry);
        spent <= bytes
    });
    let fits = fits.count().max(1);
    let cut = fits < ranked.len();
    ranked.truncate(fits);
    (ranked, cut)
}

impl Order {
    /// Smaller ranks come first; what has no key comes last, also when the order is turned.
    pub(crate) fn rank(self, entry: &EntryRef<'_>) -> i128 {
        let (key, descending) = match self.sort {
            Sort::Path => return 0,
            Sort::Kind => (Some(kind_rank(entry.kind)), false),
            Sort::Size => (entry.metadata.and_then(|meta| meta.size_bytes).map(i128::from), true),
            Sort::Modified => {
                let time = entry.metadata.and_then(|meta| meta.modified);
                let nanoseconds = time.map(|time| {
                    i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
                });
                (nanoseconds, true)
            }
        };
        match key {
            None => i128::MAX,
            Some(key) if descending != self.reverse => -key,
            Some(key) => key,
        }
    }

    fn reverses_paths(self) -> bool {
        self.sort == Sort::Path && self.reverse
    }

    /// How one entry stands to another, by rank and path.
    pub(crate) fn compare(self, a: (i128, &[u8]), b: (i128, &[u8])) -> Ordering {
        compare(a, b, self.reverses_paths())
    }
}

fn compare(a: (i128, &[u8]), b: (i128, &[u8]), reverse_paths: bool) -> Ordering {
    let paths = if reverse_paths { b.1.cmp(a.1) } else { a.1.cmp(b.1) };
    a.0.cmp(&b.0).then(paths)
}

fn kind_rank(kind: Kind) -> i128 {
    match kind {
        Kind::Dir => 0,
        Kind::File => 1,
        Kind::Symlink => 2,
        Kind::Submodule => 3,
        Kind::Other => 4,
    }
}

/// An entry with its place; the heap's greatest is the last in order.
#[derive(Debug)]
struct Ranked {
    rank: i128,
    path: Vec<u8>,
    reverse_paths: bool,
    entry: Entry,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        compare((self.rank, &self.path), (other.rank, &other.path), self.reverse_paths)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
