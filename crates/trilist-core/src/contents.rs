//! Telling apart why a directory of a page shows nothing below it.

use std::collections::BTreeMap;

use crate::{Contents, Entry, EntryRef, FaultCode, FaultRef, Kind, Skip};

/// Rows of which it can be told later what is in them.
pub(crate) trait RowMarks {
    /// Says what a directory's row shows, counted from 0.
    fn set_contents(&mut self, row: usize, contents: Option<Contents>);
    /// Says why a directory was not entered after all.
    fn set_skipped(&mut self, row: usize, skip: Skip);
}

impl RowMarks for Vec<Entry> {
    fn set_contents(&mut self, row: usize, contents: Option<Contents>) {
        self[row].contents = contents;
    }

    fn set_skipped(&mut self, row: usize, skip: Skip) {
        self[row].skipped = Some(skip);
    }
}

/// The directory rows of a page whose contents have not been passed yet.
///
/// In path order a directory's contents need not follow it directly (`a`, `a-b`, `a/x`), so
/// every such row waits until an event behind `name/` has come.
#[derive(Debug, Default)]
pub(crate) struct OpenDirs {
    waiting: BTreeMap<Vec<u8>, Waiting>,
}

#[derive(Debug)]
struct Waiting {
    row: usize,
    shows: Option<Contents>,
}

impl OpenDirs {
    /// A row was added to the page.
    pub(crate) fn push(&mut self, entry: &EntryRef<'_>, row: usize) {
        let is_entered = entry.skipped.is_none() && entry.ignored_by.is_none();
        if entry.kind == Kind::Dir && is_entered {
            let key = with_slash(entry.path.as_bytes());
            self.waiting.insert(key, Waiting { row, shows: Some(Contents::Empty) });
        }
    }

    /// An entry has come, whether or not the page takes it.
    #[inline]
    pub(crate) fn entry(&mut self, entry: &EntryRef<'_>, rows: &mut impl RowMarks) {
        // Asked once an entry, and in a directory of files nothing ever waits.
        if self.waiting.is_empty() {
            return;
        }
        let path = entry.path.as_bytes();
        self.pass(path, rows);
        // Every directory above it shows something.
        for waiting in self.above(path) {
            waiting.shows = None;
        }
    }

    /// Something left out has come.
    pub(crate) fn omitted(&mut self, path: &[u8], rows: &mut impl RowMarks) {
        self.pass(path, rows);
        for waiting in self.above(path) {
            if waiting.shows == Some(Contents::Empty) {
                waiting.shows = Some(Contents::Omitted);
            }
        }
    }

    /// A fault has come; one with a waiting directory itself says that it was not read.
    pub(crate) fn fault(&mut self, fault: &FaultRef<'_>, rows: &mut impl RowMarks) {
        let path = fault.path.as_bytes();
        self.pass(path, rows);
        if fault.gap {
            // What is missing there might have shown in every directory above it.
            self.above(path).for_each(|waiting| waiting.shows = None);
        }
        if let Some(waiting) = self.waiting.get_mut(&with_slash(path)) {
            if fault.gap {
                waiting.shows = Some(Contents::Unreadable);
            } else if is_not_entered(fault.code) {
                // Only opening it has told, after its row had come.
                waiting.shows = None;
                rows.set_skipped(waiting.row, Skip::Mount);
            }
        }
    }

    /// The listing is at its end: every waiting directory is passed.
    pub(crate) fn finish(&mut self, rows: &mut impl RowMarks) {
        for (_, waiting) in std::mem::take(&mut self.waiting) {
            rows.set_contents(waiting.row, waiting.shows);
        }
    }

    /// Settles the rows whose contents lie wholly before `path`.
    fn pass(&mut self, path: &[u8], rows: &mut impl RowMarks) {
        self.waiting.retain(|key, waiting| {
            let ahead = path <= key.as_slice() || path.starts_with(key);
            if !ahead {
                rows.set_contents(waiting.row, waiting.shows);
            }
            ahead
        });
    }

    fn above(&mut self, path: &[u8]) -> impl Iterator<Item = &mut Waiting> {
        self.waiting.iter_mut().filter(|(key, _)| path.starts_with(key)).map(|(_, waiting)| waiting)
    }
}

fn is_not_entered(code: FaultCode) -> bool {
    matches!(code, FaultCode::MountSkipped | FaultCode::PseudoFsSkipped)
}

fn with_slash(path: &[u8]) -> Vec<u8> {
    let mut key = path.to_vec();
    key.push(b'/');
    key
}
