//! Counting rows and handing them on.

use std::collections::BTreeSet;
use std::ops::{Bound, ControlFlow};

use trilist_core::{Kind, Reason, RelPath};

use super::reply::{AbsenceCount, ByMode, Cell, ComparedRef, Folded, InChat};

/// What takes the rows.
pub(super) type Show<'t> = dyn FnMut(&ComparedRef<'_>) -> ControlFlow<()> + 't;

/// Counts what goes by.
pub(super) struct Teller<'t> {
    pub(super) compared: u64,
    pub(super) differing: u64,
    /// Rows that were or could have been shown.
    pub(super) rows: u64,
    /// How many of them are in the chat.
    pub(super) chat_rows: u64,
    counts: ByMode<Counts>,
    /// Files in the chat, relative to the compared directory.
    chat: BTreeSet<Vec<u8>>,
    show: &'t mut Show<'t>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    listed: u64,
    absent: [u64; Reason::ALL.len()],
}

impl<'t> Teller<'t> {
    pub(super) fn new(chat: BTreeSet<Vec<u8>>, show: &'t mut Show<'t>) -> Self {
        let counts = ByMode::default();
        Teller { compared: 0, differing: 0, rows: 0, chat_rows: 0, counts, chat, show }
    }

    /// The row of a path; nothing when no mode lists it.
    pub(super) fn row<'c>(
        &self,
        path: RelPath<'c>,
        modes: ByMode<Option<Cell<'c>>>,
        folded: Option<Folded>,
    ) -> Option<ComparedRef<'c>> {
        let kind = modes.iter().find_map(|(_, cell)| match cell {
            Some(Cell::Listed { kind, .. }) => Some(*kind),
            _ => None,
        })?;
        let in_chat = !self.chat.is_empty() && self.chat.contains(path.as_bytes());
        Some(ComparedRef { path, kind, modes, folded, in_chat })
    }

    pub(super) fn has_chat_below(&self, dir: &[u8]) -> bool {
        if self.chat.is_empty() {
            return false;
        }
        let start = [dir, b"/"].concat();
        let range = (Bound::Excluded(start.as_slice()), Bound::Unbounded);
        let first = self.chat.range::<[u8], _>(range).next();
        first.is_some_and(|path| path.starts_with(&start))
    }

    pub(super) fn count(&mut self, modes: &ByMode<Option<Cell<'_>>>, paths: u64) {
        self.compared += paths;
        for (mode, cell) in modes.iter() {
            let counts = self.counts.mode_mut(mode);
            match cell {
                None => {}
                Some(Cell::Listed { .. }) => counts.listed += paths,
                Some(Cell::Absent { reason, .. }) => counts.absent[*reason as usize] += paths,
            }
        }
    }

    pub(super) fn show(&mut self, row: &ComparedRef<'_>) -> ControlFlow<()> {
        self.rows += 1;
        self.chat_rows += u64::from(row.in_chat);
        (self.show)(row)
    }

    /// What became of the files of the chat, if there are any; each row was handed on.
    pub(super) fn in_chat(&self) -> Option<InChat> {
        let (files, rows) = (self.chat.len() as u64, self.chat_rows);
        (files > 0).then_some(InChat { files, rows, returned: rows })
    }

    /// For each mode the number of listed paths, and of the others by reason.
    pub(super) fn counts(&self) -> ByMode<(u64, Vec<AbsenceCount>)> {
        self.counts.map(|counts| {
            let reasons = Reason::ALL.iter().zip(counts.absent).filter(|(_, count)| *count > 0);
            let reasons = reasons.map(|(reason, count)| AbsenceCount { reason: *reason, count });
            (counts.listed, reasons.collect())
        })
    }
}

impl ComparedRef<'_> {
    /// Whether a mode does not list the path, or lists it as something else.
    pub fn differs(&self) -> bool {
        // A submodule is a directory on disk.
        let same = |kind: Kind| match kind {
            Kind::Submodule => Kind::Dir,
            kind => kind,
        };
        self.modes.iter().any(|(_, cell)| match cell {
            None => false,
            Some(Cell::Listed { kind, .. }) => same(*kind) != same(self.kind),
            Some(Cell::Absent { .. }) => true,
        })
    }
}
