//! Merging the three ordered streams.
//!
//! A directory's row comes before names such as `a-b`, its contents after them. Whether anything
//! lies below it shows only there, so it waits until then, and is told where its contents would be.
//! A submodule is told whatever lies below it, since to version control it is an entry like a file.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use trilist_core::{
    Event, Kind, ListError, Mode, Reason, RelPath, RuleRef, TruncatedBy, VcsInfo, VcsState,
};

use super::place::{Here, Passed, Place, holds_more};
use super::reply::{ByMode, Cell, ComparedRef, Folded};
use super::request::{Compared, Fold};
use super::stream::Stream;
use super::tell::Teller;

/// The streams of the modes that could be asked, and where they are.
pub(super) struct Merge<'a, 't> {
    pub(super) streams: ByMode<Option<Stream<'a>>>,
    pub(super) asked: ByMode<bool>,
    pub(super) show: Compared,
    pub(super) fold: Fold,
    pub(super) place: Place<'a>,
    pub(super) teller: Teller<'t>,
    pub(super) next: Vec<u8>,
}

/// Which modes have an event at the next path.
type At = ByMode<bool>;

impl Merge<'_, '_> {
    /// Goes through all paths; says what ended it before the end.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`]; a bound is no error.
    pub(super) fn run(&mut self) -> Result<Option<TruncatedBy>, ListError> {
        match self.through() {
            Ok(ControlFlow::Continue(())) => Ok(None),
            Ok(ControlFlow::Break(())) => Ok(Some(TruncatedBy::Limit)),
            Err(ListError::Timeout) => Ok(Some(TruncatedBy::Deadline)),
            Err(ListError::ScanCap { .. }) => Ok(Some(TruncatedBy::ScanCap)),
            Err(error) => Err(error),
        }
    }

    fn through(&mut self) -> Result<ControlFlow<()>, ListError> {
        while let Some((at, is_gap)) = self.look() {
            if is_gap {
                self.gap(&at);
                self.advance(&at)?;
                continue;
            }
            if self.pass(Some(())).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.place.go(&self.next);
            match self.opens_a_fold()? {
                ControlFlow::Continue(true) => continue,
                ControlFlow::Continue(false) => {}
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            }
            if self.path(&at).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.advance(&at)?;
        }
        Ok(self.pass(None))
    }

    /// Finds the smallest key, and who is there.
    fn look(&mut self) -> Option<(At, bool)> {
        let keys = self.streams.map(|stream| stream.as_ref().and_then(Stream::key));
        let first = keys.iter().filter_map(|(_, key)| *key).min_by(|a, b| a.order(b))?;
        let at = keys.map(|key| key.is_some_and(|key| key.order(&first) == Ordering::Equal));
        let is_gap = first.is_gap;
        self.next.clear();
        self.next.extend_from_slice(first.path);
        Some((at, is_gap))
    }

    fn advance(&mut self, at: &At) -> Result<(), ListError> {
        for mode in Mode::ALL {
            if *at.mode(mode)
                && let Some(stream) = self.streams.mode_mut(mode)
            {
                stream.advance()?;
            }
        }
        Ok(())
    }

    /// A directory that some modes could not read.
    fn gap(&mut self, at: &At) {
        let is_ahead = self.next.as_slice() >= self.place.path();
        // A fault with the listed directory itself may come at any time.
        if !self.next.is_empty() {
            if !is_ahead {
                return;
            }
            if self.pass(Some(())).is_break() {
                return;
            }
            self.place.go(&self.next);
            while let Some(len) = self.place.open_next() {
                if self.submodule(len).is_break() {
                    return;
                }
            }
        }
        for (mode, stream) in self.streams.iter() {
            let stream = stream.as_ref().filter(|_| *at.mode(mode));
            if let Some(reason) = stream.and_then(Stream::gap) {
                self.place.cannot_tell(mode, reason);
            }
        }
    }

    /// Leaves the directories that the next path does not lie below.
    fn pass(&mut self, next: Option<()>) -> ControlFlow<()> {
        while let Some(passed) = self.place.pass(next.map(|()| self.next.as_slice())) {
            let lists = if passed.is_row() { self.directory(&passed)? } else { passed.lists() };
            self.place.note(lists);
            self.place.omits(&passed.omits());
        }
        ControlFlow::Continue(())
    }

    /// Opens the directories above the current path. Where one of them is told as one row, what is
    /// below it is counted at once. Breaks when no more rows are wanted.
    fn opens_a_fold(&mut self) -> Result<ControlFlow<(), bool>, ListError> {
        while let Some(len) = self.place.open_next() {
            match self.submodule(len) {
                ControlFlow::Continue(true) => continue,
                ControlFlow::Continue(false) => {}
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            }
            let dir = &self.place.path()[..len];
            let below = self
                .streams
                .map(|stream| stream.as_ref().is_some_and(|stream| stream.is_below(dir)));
            if let Some(mode) = self.folds(dir, &below) {
                let folded = self.count_below(mode, len)?;
                self.place.fold(folded);
                return Ok(ControlFlow::Continue(true));
            }
        }
        Ok(ControlFlow::Continue(false))
    }

    /// Tells of the directory just opened if a mode lists it as a submodule, which stands for
    /// itself alone; says whether it does.
    fn submodule(&mut self, len: usize) -> ControlFlow<(), bool> {
        let Some(modes) = self.place.submodule(&self.asked) else {
            return ControlFlow::Continue(false);
        };
        let path = RelPath::assume(&self.place.path()[..len]);
        if let Some(row) = self.teller.row(path, modes, None) {
            tell(&mut self.teller, self.show, &row, 1, &row.modes)?;
        }
        self.place.told();
        ControlFlow::Continue(true)
    }

    /// The one mode that has something below a directory which another has left out, or which is
    /// not on disk.
    fn folds(&self, dir: &[u8], below: &ByMode<bool>) -> Option<Mode> {
        let mut modes = below.iter().filter(|(_, is_below)| **is_below);
        let (mode, _) = modes.next()?;
        let is_whole = self.fold == Fold::Never || self.place.is_leaf();
        if is_whole || modes.next().is_some() || self.teller.has_chat_below(dir) {
            return None;
        }
        let others = Mode::ALL.into_iter().filter(|other| *other != mode);
        let mut others = others.filter(|other| *self.asked.mode(*other));
        // What could not be read was not left out, and its names may be all that is known.
        let leaves_out = |other| {
            let cut = self.place.cut(other);
            cut.is_some_and(|(reason, ..)| reason != Reason::Unreadable)
        };
        let is_gone = mode == Mode::Vcs && self.asked.fs && self.place.is_gone();
        (is_gone || others.any(leaves_out)).then_some(mode)
    }

    fn count_below(&mut self, mode: Mode, len: usize) -> Result<Folded, ListError> {
        let dir = self.place.path()[..len].to_vec();
        let mut folded = Folded { mode, files: 0, dirs: 0, skip_worktree: 0 };
        let Some(stream) = self.streams.mode_mut(mode) else { return Ok(folded) };
        while stream.is_below(&dir) {
            match stream.event() {
                Some(Event::Entry(entry)) if entry.kind == Kind::Dir => folded.dirs += 1,
                Some(Event::Entry(entry)) => {
                    folded.files += 1;
                    let is_sparse = entry.vcs.is_some_and(|vcs| vcs.skip_worktree);
                    folded.skip_worktree += u64::from(is_sparse);
                }
                _ => {}
            }
            stream.advance()?;
        }
        Ok(folded)
    }

    /// Takes what the modes have at the current path.
    fn path(&mut self, at: &At) -> ControlFlow<()> {
        let here = ByMode::of(|mode| {
            let stream = self.streams.mode(mode).as_ref().filter(|_| *at.mode(mode));
            stream.and_then(Stream::event).map_or(Here::Nothing, Here::of)
        });
        let kinds = here.map(Here::kind);
        if kinds.iter().any(|(_, kind)| kind.is_some_and(holds_more)) {
            self.place.wait(&here);
            return ControlFlow::Continue(());
        }
        let modes = self.place.cells(&here, &self.asked);
        let row = self.teller.row(RelPath::assume(self.place.path()), modes, None);
        let told = match &row {
            Some(row) => tell(&mut self.teller, self.show, row, 1, &row.modes),
            None => ControlFlow::Continue(()),
        };
        if row.is_some() {
            self.place.note(true);
        }
        self.place.omits(&here.map(|here| matches!(here, Here::Omitted { .. })));
        if let Some(leaf) = may_be_in_the_way(&here) {
            self.place.remember(leaf, &here);
        }
        told
    }

    /// Tells of a directory; breaks when no more are wanted, else says whether a mode lists it.
    fn directory(&mut self, passed: &Passed) -> ControlFlow<(), bool> {
        let mut modes = passed.cells(&self.place, &self.asked);
        // Without files, what it stands for is itself.
        let (mut files, mut below) = (1, modes);
        let folded = passed.folded().filter(|folded| folded.files + folded.dirs > 0);
        if let Some(folded) = folded {
            below = below_folded(&modes, folded);
            files = folded.files.max(1);
            let cell = modes.mode_mut(folded.mode);
            if !matches!(cell, Some(Cell::Listed { .. })) {
                *cell = Some(LISTED_DIR);
            }
        }
        let path = RelPath::assume(passed.path(&self.place));
        let Some(row) = self.teller.row(path, modes, folded) else {
            return ControlFlow::Continue(false);
        };
        tell(&mut self.teller, self.show, &row, files, &below)?;
        ControlFlow::Continue(true)
    }
}

/// What a path is on disk, if an index may have a directory by that name.
fn may_be_in_the_way(here: &ByMode<Here<RuleRef<'_>>>) -> Option<Kind> {
    let tracked =
        |vcs: &VcsInfo| vcs.state == VcsState::Tracked || vcs.state == VcsState::Conflicted;
    match &here.vcs {
        Here::Entry { vcs: Some(vcs), .. } if tracked(vcs) => None,
        _ => here.fs.kind().or(here.files.kind()),
    }
}

const LISTED_DIR: Cell<'static> =
    Cell::Listed { kind: Kind::Dir, skipped: None, vcs: None, rule: None };

/// What the modes say of the files below a directory of which they say `modes`.
fn below_folded<'c>(modes: &ByMode<Option<Cell<'c>>>, folded: Folded) -> ByMode<Option<Cell<'c>>> {
    ByMode::of(|mode| {
        let absent = |reason| Cell::Absent { reason, rule: None, below: None };
        Some(match (*modes.mode(mode))? {
            _ if mode == folded.mode => LISTED_DIR,
            Cell::Listed { skipped: Some(skip), .. } => absent(skip.into()),
            Cell::Listed { rule: Some(_), .. } => absent(Reason::Ignored),
            Cell::Listed { kind: Kind::Submodule, .. } => absent(Reason::Submodule),
            Cell::Listed { .. } => absent(Reason::Absent),
            cell => cell,
        })
    })
}

/// Counts a row, and shows it if it is wanted. What it counts for can be other than it shows.
fn tell(
    teller: &mut Teller<'_>,
    show: Compared,
    row: &ComparedRef<'_>,
    paths: u64,
    counted: &ByMode<Option<Cell<'_>>>,
) -> ControlFlow<()> {
    teller.count(counted, paths);
    let differs = row.folded.is_some() || row.differs();
    if differs {
        teller.differing += paths;
    }
    if differs || show == Compared::All { teller.show(row) } else { ControlFlow::Continue(()) }
}
