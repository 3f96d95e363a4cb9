//! The entries of a whole listing, held in few bytes.

use crate::contents::RowMarks;
use crate::{
    Contents, Entry, EntryRef, IgnoredBy, Kind, Metadata, RelPath, RelPathBuf, Skip, VcsInfo,
};

/// Entries in the order in which they came.
///
/// Paths and ids of objects lie in buffers, and what few entries have lies apart, so that a row
/// without metadata takes its path, its id and some thirty bytes.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    paths: Vec<u8>,
    rows: Vec<Row>,
    facts: Vec<Facts>,
    /// The ids of objects, which are all as long as the first one.
    objects: Vec<u8>,
    object_len: usize,
    /// Bytes behind the pointers in `facts`.
    apart: usize,
}

#[derive(Debug)]
struct Row {
    /// Where its path ends in the buffer.
    end: usize,
    /// Its place among the facts, or [`NONE`].
    facts: u32,
    /// The place of its object's id, or [`NONE`].
    object: u32,
    kind: Kind,
    skipped: Option<Skip>,
    contents: Option<Contents>,
    vcs: Option<VcsInfo>,
}

const NONE: u32 = u32::MAX;

/// What few entries have.
#[derive(Debug)]
struct Facts {
    metadata: Option<Metadata>,
    ignored_by: Option<Box<IgnoredBy>>,
}

/// A row as it is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held<'a> {
    pub(crate) path: RelPath<'a>,
    pub(crate) kind: Kind,
    pub(crate) skipped: Option<Skip>,
    pub(crate) contents: Option<Contents>,
    pub(crate) vcs: Option<VcsInfo>,
    pub(crate) metadata: Option<&'a Metadata>,
    pub(crate) object: Option<&'a [u8]>,
    pub(crate) ignored_by: Option<&'a IgnoredBy>,
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// About the bytes that the rows take.
    pub(crate) fn held_bytes(&self) -> usize {
        self.paths.len()
            + self.rows.len() * size_of::<Row>()
            + self.facts.len() * size_of::<Facts>()
            + self.objects.len()
            + self.apart
    }

    /// Adds an entry that goes by.
    pub(crate) fn push(&mut self, entry: &EntryRef<'_>) {
        let facts = Facts {
            metadata: entry.metadata.cloned(),
            ignored_by: entry.ignored_by.map(|rule| Box::new(IgnoredBy::of(rule))),
        };
        let row = Row {
            end: 0,
            facts: self.add_facts(facts),
            object: entry.object.map_or(NONE, |id| self.add_object(id)),
            kind: entry.kind,
            skipped: entry.skipped,
            contents: None,
            vcs: entry.vcs,
        };
        self.add(entry.path.as_bytes(), row);
    }

    /// Adds an entry of a reply. False when its path cannot be one, or does not come behind the
    /// last one.
    pub(crate) fn push_owned(&mut self, entry: &Entry) -> bool {
        let path = entry.bytes();
        let is_path = RelPath::new(path).is_ok_and(|path| !path.is_empty());
        if !is_path || self.last().is_some_and(|last| path <= last) {
            return false;
        }
        let facts = Facts {
            metadata: entry.metadata(),
            ignored_by: entry.ignored_by.clone().map(Box::new),
        };
        let row = Row {
            end: 0,
            facts: self.add_facts(facts),
            object: NONE,
            kind: entry.kind,
            skipped: entry.skipped,
            contents: entry.contents,
            vcs: entry.vcs,
        };
        self.add(path, row);
        true
    }

    fn add(&mut self, path: &[u8], row: Row) {
        self.paths.extend_from_slice(path);
        self.rows.push(Row { end: self.paths.len(), ..row });
    }

    fn add_object(&mut self, id: &[u8]) -> u32 {
        if self.objects.is_empty() {
            self.object_len = id.len();
        }
        if id.len() != self.object_len || id.is_empty() {
            return NONE;
        }
        self.objects.extend_from_slice(id);
        u32::try_from(self.objects.len() / id.len() - 1).unwrap_or(NONE)
    }

    fn add_facts(&mut self, facts: Facts) -> u32 {
        let Facts { metadata, ignored_by } = &facts;
        if metadata.is_none() && ignored_by.is_none() {
            return NONE;
        }
        let target = metadata.as_ref().and_then(|metadata| metadata.target.as_ref());
        let rule = ignored_by
            .as_ref()
            .map(|rule| size_of::<IgnoredBy>() + rule.source.len() + rule.pattern.len());
        self.apart += target.map_or(0, Vec::len) + rule.unwrap_or(0);
        self.facts.push(facts);
        u32::try_from(self.facts.len() - 1).unwrap_or(NONE)
    }

    fn last(&self) -> Option<&[u8]> {
        let last = self.rows.len().checked_sub(1)?;
        Some(self.path(last))
    }

    /// The path of a row, counted from 0.
    pub(crate) fn path(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.rows[before].end);
        &self.paths[start..self.rows[at].end]
    }

    /// A row, counted from 0.
    pub(crate) fn at(&self, at: usize) -> Held<'_> {
        let row = &self.rows[at];
        let facts = self.facts.get(row.facts as usize);
        Held {
            path: RelPath::assume(self.path(at)),
            kind: row.kind,
            skipped: row.skipped,
            contents: row.contents,
            vcs: row.vcs,
            metadata: facts.and_then(|facts| facts.metadata.as_ref()),
            object: self.object(row.object),
            ignored_by: facts.and_then(|facts| facts.ignored_by.as_deref()),
        }
    }
}

impl Rows {
    fn object(&self, at: u32) -> Option<&[u8]> {
        let at = (at as usize).checked_mul(self.object_len).filter(|_| at != NONE)?;
        self.objects.get(at..at + self.object_len)
    }
}

impl RowMarks for Rows {
    fn set_contents(&mut self, row: usize, contents: Option<Contents>) {
        self.rows[row].contents = contents;
    }

    fn set_skipped(&mut self, row: usize, skip: Skip) {
        self.rows[row].skipped = Some(skip);
    }
}

impl Held<'_> {
    /// The row as replies carry it.
    pub(crate) fn entry(&self) -> Entry {
        let plain = EntryRef {
            skipped: self.skipped,
            metadata: self.metadata,
            vcs: self.vcs,
            ..EntryRef::new(self.path, self.kind)
        };
        let mut entry = Entry::of(&plain);
        entry.contents = self.contents;
        entry.ignored_by = self.ignored_by.cloned();
        entry
    }

    pub(crate) fn to_path(self) -> RelPathBuf {
        self.path.to_buf()
    }
}
