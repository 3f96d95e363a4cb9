//! Naming the directories behind a page from the entries behind it.

use std::collections::BTreeSet;

use crate::{Entry, EntryRef, Kind, RelPath, RelPathBuf};

/// The first directories directly below the listed one of which a page shows nothing: neither
/// their row nor anything below them.
pub(crate) struct LaterDirs {
    /// The names directly below the listed one of which the page shows something.
    shown: BTreeSet<Vec<u8>>,
    most: usize,
    // A set, since contents come in another order than rows: `a-b/x` before `a/x`.
    names: BTreeSet<Vec<u8>>,
}

impl LaterDirs {
    /// At most `most` directories behind a page of `shown` entries.
    pub(crate) fn new(shown: &[Entry], most: usize) -> Self {
        let first =
            |entry: &Entry| RelPath::assume(entry.bytes()).components().next().map(<[u8]>::to_vec);
        LaterDirs { shown: shown.iter().filter_map(first).collect(), most, names: BTreeSet::new() }
    }

    /// An entry has come: it may be such a directory, or lie in one that has no row.
    pub(crate) fn entry(&mut self, entry: &EntryRef<'_>) {
        let path = entry.path.as_bytes();
        let name = match memchr::memchr(b'/', path) {
            Some(at) => &path[..at],
            None if entry.kind == Kind::Dir => path,
            None => return,
        };
        let is_full = self.names.len() >= self.most;
        if is_full && self.names.last().is_none_or(|last| name >= last.as_slice()) {
            return;
        }
        if self.names.contains(name) || self.shown.contains(name) {
            return;
        }
        self.names.insert(name.to_vec());
        if self.names.len() > self.most {
            self.names.pop_last();
        }
    }

    /// In byte order.
    pub(crate) fn into_paths(self) -> Vec<RelPathBuf> {
        self.names.into_iter().filter_map(|name| RelPathBuf::new(name).ok()).collect()
    }
}
