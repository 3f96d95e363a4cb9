//! Naming the directories behind a page from the entries behind it.

use std::collections::BTreeSet;

use crate::{EntryRef, Kind, RelPathBuf};

/// The first directories directly below the listed one whose row would lie behind a place.
pub(crate) struct LaterDirs<'a> {
    after: &'a [u8],
    most: usize,
    // A set, since contents come in another order than rows: `a-b/x` before `a/x`.
    names: BTreeSet<Vec<u8>>,
}

impl<'a> LaterDirs<'a> {
    /// At most `most` directories behind `after`.
    pub(crate) fn new(after: &'a [u8], most: usize) -> Self {
        LaterDirs { after, most, names: BTreeSet::new() }
    }

    /// An entry has come: it may be such a directory, or lie in one that has no row.
    pub(crate) fn entry(&mut self, entry: &EntryRef<'_>) {
        let path = entry.path.as_bytes();
        let name = match memchr::memchr(b'/', path) {
            Some(at) => &path[..at],
            None if entry.kind == Kind::Dir => path,
            None => return,
        };
        if name <= self.after || self.names.contains(name) {
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
