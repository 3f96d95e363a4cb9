//! HEAD joined with the index, in path order.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

use trilist_core::{Bound, Cancel, FaultCode, Kind, ListError, VcsInfo, VcsState};

use crate::fault::{Fault, Faults};
use crate::filter::{Collapse, Filter};
use crate::head::{HeadItem, HeadStream};
use crate::index::{CachedTree, Flags};
use crate::index_side::IndexSide;

/// What the two sides of a [`Union`] are made of.
pub(crate) struct Sides {
    pub(crate) index: IndexSide,
    pub(crate) head: Option<HeadStream>,
    pub(crate) cached: Option<Arc<CachedTree>>,
    pub(crate) faults: Faults,
}

/// The merged stream. A tree of HEAD is read only when a name below it comes next.
pub(crate) struct Union<'a> {
    sides: Sides,
    cancel: &'a Cancel,
    scan_cap: Option<u64>,
    /// Entries and names read on the way to the start.
    passed: u64,
    filter: Arc<Filter>,
    /// The listed directory with a slash, empty for the whole repository.
    region: Vec<u8>,
    after: Vec<u8>,
    bound: Bound,
    /// The directory of the last name from the index, with a slash: no directory on the way to
    /// it is told as one.
    entered: Vec<u8>,
    /// The directory of a [`Item::Collapsed`], or of a fault.
    dir: Vec<u8>,
    item: Item,
    used: Used,
    /// Where the index stood when HEAD's current [`HeadItem::Same`] began.
    same_from: Option<u32>,
    ended: bool,
    /// Whether nothing more is wanted.
    stopped: bool,
    /// The only path that is wanted, in the repository; empty if all are.
    wanted: Vec<u8>,
    /// What stands at the listed directory's own path, if that is a name of the index.
    exact: Option<Kind>,
}

/// Which sides the current item has used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Used {
    index: bool,
    head: bool,
}

const ONLY_INDEX: Used = Used { index: true, head: false };

/// What a [`Union`] has come to.
#[derive(Debug)]
pub(crate) enum Item {
    /// A name that is no directory.
    Leaf(Kind, VcsInfo),
    /// A directory told as one.
    Collapsed(Collapse),
    /// Something wrong; boxed, because items are moved often.
    Fault(Box<Fault>),
    /// The end.
    End,
}

impl<'a> Union<'a> {
    /// Starts behind `after` or at it, a path of the repository; empty for the beginning.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled.
    pub(crate) fn start(
        sides: Sides,
        region: Vec<u8>,
        (after, bound): (Vec<u8>, Bound),
        filter: Arc<Filter>,
        cancel: &'a Cancel,
        scan_cap: Option<u64>,
    ) -> Result<Self, ListError> {
        let mut union = Union {
            sides,
            cancel,
            scan_cap,
            passed: 0,
            filter,
            entered: region.clone(),
            region,
            after,
            bound,
            dir: Vec::new(),
            item: Item::End,
            used: Used::default(),
            same_from: None,
            ended: false,
            stopped: false,
            wanted: Vec::new(),
            exact: None,
        };
        union.seek()?;
        Ok(union)
    }

    fn seek(&mut self) -> Result<(), ListError> {
        let mut passed = Faults::default();
        let Sides { index, head, .. } = &mut self.sides;
        let target = self.after.as_slice().max(&self.region);
        let passes = |path: &[u8]| self.bound == Bound::After && path == self.after;
        while index.path().is_some_and(|path| path < target || passes(path)) {
            if let Some((b'/', dir)) = self.region.split_last()
                && index.path() == Some(dir)
            {
                self.exact = Some(index.facts().0);
            }
            let near = match self.region.strip_suffix(b"/") {
                Some(dir) if index.path().is_some_and(|path| path < dir) => dir,
                _ => target,
            };
            index.next_past(near, self.cancel, &mut passed)?;
        }
        if let Some(head) = head
            && !self.after.is_empty()
        {
            head.skip_to(&self.after, self.bound, self.cancel, &mut passed)?;
        }
        self.sides.faults.take_damage(passed);
        // What is only passed over costs little and is bounded by the index's size; counted, it
        // would keep later pages from ever coming to their place.
        let (entries, _, names) = self.counts();
        self.passed = entries + names;
        Ok(())
    }

    /// Passes everything before `target`, a path of the repository behind the current one.
    ///
    /// # Errors
    ///
    /// As [`Union::start`].
    pub(crate) fn pass_to(&mut self, target: Vec<u8>) -> Result<(), ListError> {
        (self.used, self.same_from) = (Used::default(), None);
        (self.after, self.bound) = (target, Bound::At);
        self.seek()
    }

    /// Says that only this path and what is below it are wanted: beside the way to it HEAD's
    /// directories are not read.
    pub(crate) fn want_only(&mut self, path: Vec<u8>) {
        self.wanted = path;
    }

    /// Ends before its end: nothing more comes.
    pub(crate) fn stop(&mut self) {
        (self.item, self.stopped) = (Item::End, true);
    }

    /// What [`Union::advance`] has come to.
    #[inline]
    pub(crate) fn item(&self) -> &Item {
        &self.item
    }

    /// The current path in the repository.
    #[inline]
    pub(crate) fn path(&self) -> &[u8] {
        match &self.item {
            Item::Leaf(..) if self.used.index => self.sides.index.path().unwrap_or_default(),
            Item::Leaf(..) => self.sides.head.as_ref().map_or(b"", HeadStream::path),
            Item::Collapsed(_) => &self.dir,
            Item::Fault(fault) => &fault.path,
            Item::End => b"",
        }
    }

    /// The id of the current name's object in the index, once ids are noted.
    pub(crate) fn object(&self) -> Option<&[u8]> {
        if self.used.index { self.sides.index.object() } else { None }
    }

    /// Index entries read; tree objects read; names read in these.
    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        counts(&self.sides.index, self.sides.head.as_ref())
    }

    pub(crate) fn index(&mut self) -> &mut IndexSide {
        &mut self.sides.index
    }

    /// The listed directory with a slash, empty for the whole repository.
    pub(crate) fn region(&self) -> &[u8] {
        &self.region
    }

    /// What the index has at the listed directory's own path.
    pub(crate) fn exact(&self) -> Option<Kind> {
        self.exact
    }

    /// Goes on to the next item.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled or the scan cap was reached.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<(), ListError> {
        if self.stopped {
            return Ok(());
        }
        self.pass()?;
        loop {
            if !self.sides.faults.is_empty() {
                self.take_fault();
                return Ok(());
            }
            self.check_cap()?;
            if self.compare()? {
                return Ok(());
            }
        }
    }

    /// From a name that the index has, goes on while each next name is its next one too: where
    /// HEAD is the same, has ended, or has that very name. Ends with `Break` when `each` does,
    /// which makes its name the current item; else [`Union::advance`] goes on.
    #[inline]
    pub(crate) fn follow_index(
        &mut self,
        each: &mut impl FnMut(&[u8], Kind, VcsInfo) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.used.index || self.scan_cap.is_some() || self.filter.collapses() {
            return ControlFlow::Continue(());
        }
        let Sides { index, head, faults, .. } = &mut self.sides;
        if let Some(head) = head
            && self.used.head
        {
            head.step(faults);
            self.used = ONLY_INDEX;
        }
        if !faults.is_empty() {
            return ControlFlow::Continue(());
        }
        let (within, in_head) = match head.as_ref().map(|head| (head.item(), head.path())) {
            None | Some((HeadItem::End, _)) => (self.region.as_slice(), false),
            Some((HeadItem::Same(_), dir)) if self.same_from.is_some() => (dir, true),
            Some((HeadItem::Leaf(_), _)) => return self.run_both(each),
            _ => return ControlFlow::Continue(()),
        };
        let mut told = ControlFlow::Continue(());
        let (item, used) = (&mut self.item, &mut self.used);
        let run = index.run(&mut |path, kind, flags| {
            if !begins(path, within) {
                // It is the current name now, and not used.
                *used = Used::default();
                return ControlFlow::Break(());
            }
            let info = index_info(flags, in_head);
            told = each(path, kind, info);
            if told.is_break() {
                *item = Item::Leaf(kind, info);
            }
            told
        });
        debug_assert!(run.is_break() || told.is_continue());
        told
    }

    /// Goes on within both sides as far as each name is on both.
    fn run_both(
        &mut self,
        each: &mut impl FnMut(&[u8], Kind, VcsInfo) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Sides { index, head: Some(head), faults, .. } = &mut self.sides else {
            return ControlFlow::Continue(());
        };
        let mut told = ControlFlow::Continue(());
        let (item, used) = (&mut self.item, &mut self.used);
        let _ = index.run(&mut |path, kind, flags| {
            let is_same = matches!(head.item(), HeadItem::Leaf(_)) && path == head.path();
            if !is_same || !faults.is_empty() {
                *used = Used::default();
                return ControlFlow::Break(());
            }
            let info = index_info(flags, true);
            told = each(path, kind, info);
            if told.is_break() {
                (*item, *used) = (Item::Leaf(kind, info), Used { index: true, head: true });
            } else {
                head.step(faults);
            }
            told
        });
        told
    }

    #[inline]
    fn check_cap(&self) -> Result<(), ListError> {
        let Some(cap) = self.scan_cap else { return Ok(()) };
        let (entries, _, names) = self.counts();
        // Of an index that broke off it is no longer known how much of it was read.
        if (entries + names).saturating_sub(self.passed) > cap {
            return Err(ListError::ScanCap { cap });
        }
        Ok(())
    }

    fn take_fault(&mut self) {
        let Some(mut fault) = self.sides.faults.pop() else { return };
        if !fault.path.starts_with(&self.region) {
            fault.path.clone_from(&self.region);
        }
        self.item = Item::Fault(Box::new(fault));
    }

    /// Leaves the current item.
    #[inline]
    fn pass(&mut self) -> Result<(), ListError> {
        let used = std::mem::take(&mut self.used);
        let Sides { index, head, faults, .. } = &mut self.sides;
        if used.index {
            index.next(self.cancel, faults)?;
        }
        if let Some(head) = head
            && used.head
        {
            head.step(faults);
        }
        Ok(())
    }

    /// Looks at the two sides; false when one of them had to move.
    #[inline]
    fn compare(&mut self) -> Result<bool, ListError> {
        let head = self.sides.head.as_ref();
        let head_item = head.map_or(HeadItem::End, HeadStream::item);
        let head_path = head.map_or(&b""[..], HeadStream::path);
        let index_path = self.sides.index.path().filter(|path| begins(path, &self.region));
        let Some(path) = index_path else {
            return self.without_index(head_item);
        };
        match head_item {
            HeadItem::End => self.take_index(false),
            HeadItem::Same(_) if begins(path, head_path) => {
                self.same_from.get_or_insert(self.sides.index.entries_read());
                self.take_index(true)
            }
            HeadItem::Same(entries) if path > head_path => {
                self.leave_same(entries);
                Ok(false)
            }
            HeadItem::Tree if head_path.is_empty() || path > head_path => self.take_tree(),
            HeadItem::Tree | HeadItem::Same(_) => self.take_index(false),
            HeadItem::Leaf(kind) => match path.cmp(head_path) {
                Ordering::Less => self.take_index(false),
                Ordering::Equal => {
                    self.take_index(true)?;
                    self.used.head = self.used.index;
                    Ok(true)
                }
                Ordering::Greater => self.take_head(kind),
            },
        }
    }

    /// Behind the last path of the index.
    fn without_index(&mut self, head_item: HeadItem) -> Result<bool, ListError> {
        self.finish_index();
        let Sides { index, head, faults, .. } = &mut self.sides;
        match (head_item, head) {
            (HeadItem::Leaf(kind), _) => self.take_head(kind),
            (HeadItem::Tree, _) => self.take_tree(),
            // What the rest of the index would have said is HEAD's to say now.
            (HeadItem::Same(_), Some(head)) if index.is_broken() => {
                head.distrust();
                let last = index.last_path().max(&self.after);
                head.skip_to(last, self.bound, self.cancel, faults)?;
                Ok(false)
            }
            (HeadItem::Same(entries), Some(_)) => {
                self.leave_same(entries);
                Ok(false)
            }
            _ if faults.is_empty() => {
                self.item = Item::End;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn finish_index(&mut self) {
        if !self.ended {
            self.ended = true;
            let Sides { index, cached, faults, .. } = &mut self.sides;
            index.finish(cached.as_deref(), faults);
        }
    }

    /// Ends a directory that is the same on both sides: the index must have had as many entries
    /// there as its extension says, or something of HEAD may be missing.
    fn leave_same(&mut self, claimed: Option<u32>) {
        let Sides { index, head, faults, .. } = &mut self.sides;
        let Some(head) = head else { return };
        let from = self.same_from.take();
        // Behind the last entry nothing more is read; before it one is read ahead.
        let ahead = u32::from(index.path().is_some());
        let to = index.entries_read() + 1 - ahead;
        let partial = self.after.as_slice() >= head.path() && !self.after.is_empty();
        let wrong = claimed.is_some_and(|claimed| claimed != to - from.unwrap_or(to));
        if wrong && !partial {
            let message = "its cached trees do not agree with its entries";
            faults.push(index.last_path(), FaultCode::VcsIndexInvalid, message);
        }
        head.step(faults);
    }

    fn take_head(&mut self, kind: Kind) -> Result<bool, ListError> {
        // Its directories were asked when they were entered, except on the way to `after`.
        if self.filter.collapses()
            && let Some(collapse) = self.collapsed_above(Side::Head)
        {
            return self.collapse(collapse);
        }
        self.used.head = true;
        let state =
            if self.sides.index.is_broken() { VcsState::Tracked } else { VcsState::Deleted };
        let executable = self.sides.head.as_ref().is_some_and(HeadStream::is_executable);
        let info = VcsInfo {
            head: true,
            index: false,
            state,
            skip_worktree: false,
            executable,
            on_disk: None,
        };
        self.item = Item::Leaf(kind, info);
        Ok(true)
    }

    #[inline]
    fn take_index(&mut self, head: bool) -> Result<bool, ListError> {
        if self.filter.collapses()
            && let Some(collapse) = self.collapsed_above(Side::Index)
        {
            return self.collapse(collapse);
        }
        self.used.index = true;
        let (kind, flags) = self.sides.index.facts();
        self.item = Item::Leaf(kind, index_info(flags, head));
        Ok(true)
    }

    /// HEAD's directory comes next: it is told as one, or entered.
    fn take_tree(&mut self) -> Result<bool, ListError> {
        // Those above it as well: a cursor may start the listing anywhere.
        if self.filter.collapses()
            && let Some(collapse) = self.collapsed_above(Side::Head)
        {
            return self.collapse(collapse);
        }
        let Sides { head, faults, .. } = &mut self.sides;
        let Some(head) = head else { return Ok(false) };
        if !self.wanted.is_empty() && is_beside(&self.wanted, head.path()) {
            let mut passed = Faults::default();
            head.step(&mut passed);
            faults.take_damage(passed);
        } else {
            head.enter(self.cancel, faults)?;
        }
        Ok(false)
    }

    /// The first directory on the way to a side's current path that is told as one; its path
    /// is left in `self.dir`.
    fn collapsed_above(&mut self, side: Side) -> Option<Collapse> {
        let path = match side {
            Side::Index => self.sides.index.path()?,
            Side::Head => self.sides.head.as_ref()?.path(),
        };
        let dir = memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1);
        if path[..dir] == self.entered {
            return None;
        }
        for slash in memchr::memchr_iter(b'/', &path[..dir]) {
            let known = self.entered.starts_with(&path[..=slash]);
            if slash < self.region.len() || known {
                continue;
            }
            let collapse = self.filter.collapse(&path[self.region.len()..slash]);
            if collapse.is_some() {
                self.dir.clear();
                self.dir.extend_from_slice(&path[..=slash]);
                return collapse;
            }
        }
        self.entered.clear();
        self.entered.extend_from_slice(&path[..dir]);
        None
    }

    /// Passes everything below `self.dir`.
    fn collapse(&mut self, collapse: Collapse) -> Result<bool, ListError> {
        let Sides { index, head, faults, .. } = &mut self.sides;
        if let Some(head) = head
            && head.path().starts_with(&self.dir)
        {
            self.same_from = None;
            head.skip_below(&self.dir, faults);
        }
        index.skip_below(&self.dir, self.cancel, faults)?;
        self.dir.pop();
        self.item = Item::Collapsed(collapse);
        Ok(true)
    }
}

/// Whether a directory, whose path ends in a slash, is neither on the way to `path`, nor that, nor
/// below it.
fn is_beside(path: &[u8], dir: &[u8]) -> bool {
    let is_in = dir.strip_prefix(path).is_some_and(|rest| rest.starts_with(b"/"));
    !is_in && !path.starts_with(dir)
}

#[derive(Debug, Clone, Copy)]
enum Side {
    Index,
    Head,
}

/// What is known of the index's current name.
#[inline]
fn index_info(flags: Flags, head: bool) -> VcsInfo {
    let state = match (flags.conflicted, head) {
        (true, _) => VcsState::Conflicted,
        (false, true) => VcsState::Tracked,
        (false, false) => VcsState::Added,
    };
    let Flags { skip_worktree, executable, .. } = flags;
    VcsInfo { head, index: true, state, skip_worktree, executable, on_disk: None }
}

/// Comparing with nothing is the usual case here, and the system's `memcmp` is slow at it.
#[inline]
fn begins(path: &[u8], prefix: &[u8]) -> bool {
    prefix.is_empty() || begins_with_some(path, prefix)
}

/// Apart, because the compiler knows that nothing is the beginning of anything and would leave
/// the test for it out.
#[inline(never)]
fn begins_with_some(path: &[u8], prefix: &[u8]) -> bool {
    path.starts_with(prefix)
}

fn counts(index: &IndexSide, head: Option<&HeadStream>) -> (u64, u64, u64) {
    let head = head.map(HeadStream::counts).unwrap_or_default();
    let (trees, names) = index.trees_read();
    (u64::from(index.entries_read()), head.trees + trees, head.names + names)
}
