//! A split index: the entries of two files as one stream.
//!
//! The index itself holds what has changed since the shared file was written. Its first entries
//! have no name: in order, each replaces an entry of the shared file, which a bitmap names.
//! Those behind them are new. A second bitmap names the entries of the shared file that are gone.
//! Both files are in order, so nothing of them is kept in memory.

use std::cmp::Ordering;
use std::io::{Read, Seek};
use std::ops::Range;

use super::{Fields, IndexReader, Step, TREE, place};
use crate::index::bitmap::Bits;
use crate::index::{Extensions, IndexError, Link};

/// What an [`IndexReader`] needs besides its own file, which gives the new entries.
#[derive(Debug)]
pub(super) struct Split<R> {
    shared: IndexReader<R>,
    /// The own file once more, at the entries without names.
    replacing: IndexReader<R>,
    link: Link,
    deleted: Option<Bits>,
    replaced: Option<Bits>,
    /// Entries of the own file that are still to be passed, because `replacing` gives them.
    nameless: u64,
    /// Entries of the own file read so far.
    own_read: u32,
    /// The next entry of each file, decoded and not yet consumed.
    own: Option<Head>,
    other: Option<Head>,
    ended: bool,
}

/// An entry that its reader stands at.
#[derive(Debug)]
struct Head {
    fields: Fields,
    name: Range<usize>,
    size: usize,
}

#[derive(Debug, Clone, Copy)]
enum Side {
    Own,
    Shared,
}

/// How many entries are passed before the caller is asked whether to go on.
const MOST_PASSED: u32 = 16_384;

impl<R> Split<R> {
    /// Gives nothing more.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }
}

impl<R: Read + Seek> Split<R> {
    pub(super) fn restarted(self, own: R) -> Result<IndexReader<R>, IndexError> {
        let IndexReader { bytes, hash_len, .. } = self.replacing;
        let replacing = self.replacing.window.into_input();
        let shared_bytes = self.shared.bytes;
        let shared = self.shared.window.into_input();
        IndexReader::split([own, replacing], bytes, (shared, shared_bytes), self.link, hash_len)
    }

    /// Makes the next entry of the shared file that is not deleted the pending one. Says false
    /// if the budget was used up before.
    fn fill_shared(&mut self, budget: &mut u32) -> Result<bool, IndexError> {
        while self.other.is_none() && self.shared.read < self.shared.entries {
            let position = u64::from(self.shared.read);
            let (mut fields, name, size) = self.shared.decode()?;
            if self.replaced.as_mut().is_some_and(|bits| bits.take(position)) {
                fields = self.replacement()?;
            }
            if self.deleted.as_mut().is_some_and(|bits| bits.take(position)) {
                self.shared.window.consume(size);
                if !spend(budget) {
                    return Ok(false);
                }
                continue;
            }
            self.other = Some(Head { fields, name, size });
        }
        Ok(true)
    }

    fn replacement(&mut self) -> Result<Fields, IndexError> {
        let (fields, name, size) = self.replacing.decode()?;
        if !self.replacing.decoded(&name).is_empty() {
            return Err(NAMED);
        }
        self.replacing.window.consume(size);
        Ok(fields)
    }
}

const NAMED: IndexError = IndexError::Link("an entry that replaces another has a name");

fn spend(budget: &mut u32) -> bool {
    *budget = budget.saturating_sub(1);
    *budget > 0
}

impl<R: Read + Seek> IndexReader<R> {
    /// Starts at the headers of a split index: `own` is the index, opened twice, `shared` the
    /// file that `link` names and its size.
    ///
    /// # Errors
    ///
    /// As [`IndexReader::new`], or when the link does not fit the files.
    pub fn split(
        own: [R; 2],
        bytes: u64,
        (shared, shared_bytes): (R, u64),
        link: Link,
        hash_len: usize,
    ) -> Result<Self, IndexError> {
        let [own, replacing] = own;
        let mut reader = IndexReader::new(own, bytes, hash_len)?;
        let replacing = IndexReader::new(replacing, bytes, hash_len)?;
        let named = |error: IndexError| IndexError::Shared {
            name: link.file_name(),
            what: error.to_string(),
        };
        let shared = IndexReader::new(shared, shared_bytes, hash_len).map_err(named)?;
        let last = |bitmap: &crate::index::bitmap::Bitmap| bitmap.last;
        let last = link.deleted.as_ref().and_then(last).max(link.replaced.as_ref().and_then(last));
        if last.is_some_and(|last| last >= u64::from(shared.entries)) {
            return Err(IndexError::Link("it names entries that the shared index does not have"));
        }
        let nameless = link.replaced.as_ref().map_or(0, |bitmap| bitmap.count);
        if nameless > u64::from(reader.entries) {
            return Err(IndexError::Link("it replaces more entries than the index has"));
        }
        reader.split = Some(Box::new(Split {
            shared,
            replacing,
            deleted: link.deleted.as_ref().map(|bitmap| bitmap.bits()),
            replaced: link.replaced.as_ref().map(|bitmap| bitmap.bits()),
            link,
            nameless,
            own_read: 0,
            own: None,
            other: None,
            ended: false,
        }));
        Ok(reader)
    }

    /// [`IndexReader::step`] of a split index.
    #[inline(never)]
    pub(super) fn step_split(&mut self) -> Result<Step, IndexError> {
        self.with_split(|reader, split| {
            if !reader.fill(split)? {
                return Ok(Step::Passed);
            }
            match reader.first(split) {
                Some((side, _)) => Ok(reader.give(split, side)),
                None => Ok(Step::End),
            }
        })
    }

    /// [`IndexReader::step_past`] of a split index.
    #[inline(never)]
    pub(super) fn step_past_split(
        &mut self,
        target: &[u8],
        most: u32,
    ) -> Result<Option<Step>, IndexError> {
        self.with_split(|reader, split| {
            for _ in 0..most {
                if !reader.fill(split)? {
                    return Ok(None);
                }
                let Some((side, head)) = reader.first(split) else { return Ok(Some(Step::End)) };
                let name = reader.pending(split, side, head);
                // The directory of a sparse index can hold the target.
                let holds = head.fields.mode == TREE && target.starts_with(name);
                if name >= target || holds {
                    return Ok(Some(reader.give(split, side)));
                }
                reader.consume(split, side);
            }
            Ok(None)
        })
    }

    /// Checks that the link is part of the chain, and the end of the shared file.
    pub(super) fn finish_split(&mut self, chain: &Extensions) -> Result<(), IndexError> {
        let at = chain.find(b"link").map(|one| one.offset);
        match &mut self.split {
            Some(split) if at == Some(split.link.offset) => {
                let name = split.link.file_name();
                let result = split.shared.finish(None);
                result.map_err(|error| IndexError::Shared { name, what: error.to_string() })
            }
            Some(_) => Err(IndexError::Extensions),
            // A link that was not found in time, unless it names no other file.
            None if Link::of(chain, self.window.input(), self.hash_len)?.is_some() => {
                Err(IndexError::Link("it was not found before the entries"))
            }
            None => Ok(()),
        }
    }

    fn with_split<T>(
        &mut self,
        with: impl FnOnce(&mut Self, &mut Split<R>) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let mut split = self.split.take().expect("the caller has looked");
        let result = with(self, &mut split);
        self.split = Some(split);
        result
    }

    /// Decodes the next entry of each file. Says false if many were passed on the way and it is
    /// to be called again.
    fn fill(&mut self, split: &mut Split<R>) -> Result<bool, IndexError> {
        let mut budget = MOST_PASSED;
        while split.nameless > 0 {
            let head = self.decode_own(split)?;
            if !self.decoded(&head.name).is_empty() {
                return Err(NAMED);
            }
            self.window.consume(head.size);
            split.nameless -= 1;
            if !spend(&mut budget) {
                return Ok(false);
            }
        }
        if split.own.is_none() && split.own_read < self.entries {
            split.own = Some(self.decode_own(split)?);
        }
        loop {
            if !split.fill_shared(&mut budget)? {
                return Ok(false);
            }
            let (Some(own), Some(other)) = (&split.own, &split.other) else { return Ok(true) };
            let same = self.decoded(&own.name) == split.shared.decoded(&other.name);
            let stages = (own.fields.stage, other.fields.stage);
            // Adding an entry replaces that of its stage, and ends a conflict in stage 0.
            if !same || (stages.0 != 0 && stages.0 != stages.1) {
                return Ok(true);
            }
            split.shared.window.consume(other.size);
            split.other = None;
            if !spend(&mut budget) {
                return Ok(false);
            }
        }
    }

    fn decode_own(&mut self, split: &mut Split<R>) -> Result<Head, IndexError> {
        std::mem::swap(&mut self.read, &mut split.own_read);
        let decoded = self.decode();
        std::mem::swap(&mut self.read, &mut split.own_read);
        decoded.map(|(fields, name, size)| Head { fields, name, size })
    }

    /// Which file has the next entry.
    fn first<'s>(&self, split: &'s Split<R>) -> Option<(Side, &'s Head)> {
        if split.ended {
            return None;
        }
        match (&split.own, &split.other) {
            (None, None) => None,
            (Some(own), None) => Some((Side::Own, own)),
            (None, Some(other)) => Some((Side::Shared, other)),
            (Some(own), Some(other)) => {
                let names = self.decoded(&own.name).cmp(split.shared.decoded(&other.name));
                match names.then(own.fields.stage.cmp(&other.fields.stage)) {
                    Ordering::Greater => Some((Side::Shared, other)),
                    _ => Some((Side::Own, own)),
                }
            }
        }
    }

    fn pending<'n>(&'n self, split: &'n Split<R>, side: Side, head: &Head) -> &'n [u8] {
        match side {
            Side::Own => self.decoded(&head.name),
            Side::Shared => split.shared.decoded(&head.name),
        }
    }

    /// The name of the entry that was decoded last.
    fn decoded(&self, name: &Range<usize>) -> &[u8] {
        match self.version {
            4 => &self.written,
            _ => &self.window.here()[name.clone()],
        }
    }

    /// Makes the pending entry of one file the current one, if it may be there.
    fn give(&mut self, split: &mut Split<R>, side: Side) -> Step {
        let pending = match side {
            Side::Own => &split.own,
            Side::Shared => &split.other,
        };
        let Some(head) = pending else { return Step::End };
        let fields = head.fields;
        let mut path = std::mem::take(&mut self.path);
        let name = self.pending(split, side, head);
        let placed = place(&mut path, name, self.entry.stage, fields);
        match placed {
            Step::Dropped(_) => self.dropped = name.to_vec(),
            _ => self.entry = fields,
        }
        self.path = path;
        self.consume(split, side);
        placed
    }

    fn consume(&mut self, split: &mut Split<R>, side: Side) {
        self.read += 1;
        match side {
            Side::Own => {
                let head = split.own.take();
                self.window.consume(head.map_or(0, |head| head.size));
            }
            Side::Shared => {
                let head = split.other.take();
                split.shared.window.consume(head.map_or(0, |head| head.size));
            }
        }
    }
}
