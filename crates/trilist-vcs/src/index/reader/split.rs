//! A split index: the entries of two files as one stream.
//!
//! The index itself holds what has changed since the shared file was written. Its first entries
//! have no name: in order, each replaces an entry of the shared file, which a bitmap names.
//! Those behind them are new. A second bitmap names the entries of the shared file that are gone.
//! Both files are in order, so nothing of them is kept in memory.

use std::cmp::Ordering;
use std::io::{Read, Seek};

use super::{Decoded, Fields, Good, IndexReader, Place, Step, TREE, check};
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
    /// Entries of the own file, and how many of them were read.
    own_entries: u32,
    own_read: u32,
    /// The next entry of each file, decoded and not yet consumed.
    own: Option<Decoded>,
    other: Option<Other>,
    ended: bool,
}

/// An entry of the shared file, with what replaces it.
#[derive(Debug)]
struct Other {
    decoded: Decoded,
    /// The id of a directory of a sparse index.
    id: [u8; 32],
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
            let decoded = self.shared.decode_apart();
            let mut decoded = decoded.map_err(|error| in_shared(&self.link, &error))?;
            let mut id = self.shared.id_ahead();
            if self.replaced.as_mut().is_some_and(|bits| bits.take(position)) {
                (decoded.fields, id) = self.replacement()?;
            }
            if self.deleted.as_mut().is_some_and(|bits| bits.take(position)) {
                self.shared.window.consume(decoded.size, u64::MAX);
                if !spend(budget) {
                    return Ok(false);
                }
                continue;
            }
            self.other = Some(Other { decoded, id });
        }
        Ok(true)
    }

    fn replacement(&mut self) -> Result<(Fields, [u8; 32]), IndexError> {
        let decoded = self.replacing.decode_apart()?;
        if !self.replacing.decoded_name(&decoded).is_empty() {
            return Err(NAMED);
        }
        let id = self.replacing.id_ahead();
        self.replacing.window.consume(decoded.size, u64::MAX);
        Ok((decoded.fields, id))
    }
}

const NAMED: IndexError = IndexError::Link("an entry that replaces another has a name");

fn in_shared(link: &Link, error: &IndexError) -> IndexError {
    IndexError::Shared { name: link.file_name(), what: error.to_string() }
}

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
        let shared = IndexReader::new(shared, shared_bytes, hash_len);
        let shared = shared.map_err(|error| in_shared(&link, &error))?;
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
            own_entries: reader.entries,
            own_read: 0,
            own: None,
            other: None,
            ended: false,
        }));
        reader.entries = 0;
        Ok(reader)
    }

    /// What [`IndexReader::step`] does at the end of the entries, where a split index always is.
    #[inline(never)]
    pub(super) fn step_split(&mut self) -> Result<Step, IndexError> {
        let Some(mut split) = self.split.take() else { return Ok(Step::End) };
        let step = match self.fill(&mut split) {
            Ok(true) => Ok(match self.first(&split) {
                Some(side) => self.give(&mut split, side),
                None => Step::End,
            }),
            Ok(false) => Ok(Step::Passed),
            Err(error) => Err(error),
        };
        self.split = Some(split);
        step
    }

    /// [`IndexReader::step_past`] of a split index.
    #[inline(never)]
    pub(super) fn step_past_split(
        &mut self,
        target: &[u8],
        most: u32,
    ) -> Result<Option<Step>, IndexError> {
        let Some(mut split) = self.split.take() else { return Ok(Some(Step::End)) };
        let step = self.pass_split(&mut split, target, most);
        self.split = Some(split);
        step
    }

    fn pass_split(
        &mut self,
        split: &mut Split<R>,
        target: &[u8],
        most: u32,
    ) -> Result<Option<Step>, IndexError> {
        for _ in 0..most {
            if !self.fill(split)? {
                return Ok(None);
            }
            let Some(side) = self.first(split) else { return Ok(Some(Step::End)) };
            let Some((decoded, name)) = self.pending(split, side) else { return Ok(None) };
            // The directory of a sparse index can hold the target.
            let holds = decoded.fields.mode == TREE && target.starts_with(name);
            if name >= target || holds {
                return Ok(Some(self.give(split, side)));
            }
            self.consume(split, side);
        }
        Ok(None)
    }

    /// Checks that the link is part of the chain, and the end of the shared file.
    pub(super) fn finish_split(&mut self, chain: &Extensions) -> Result<(), IndexError> {
        let at = chain.find(b"link").map(|one| one.offset);
        match &mut self.split {
            Some(split) if at == Some(split.link.offset) => {
                let Split { shared, link, .. } = &mut **split;
                shared.finish(None).map_err(|error| in_shared(link, &error))
            }
            Some(_) => Err(IndexError::Extensions),
            // A link that was not found in time, unless it names no other file.
            None if Link::of(chain, self.window.input(), self.hash_len)?.is_some() => {
                Err(IndexError::Link("it was not found before the entries"))
            }
            None => Ok(()),
        }
    }

    /// Decodes the next entry of each file. Says false if many were passed on the way and it is
    /// to be called again.
    fn fill(&mut self, split: &mut Split<R>) -> Result<bool, IndexError> {
        let mut budget = MOST_PASSED;
        while split.nameless > 0 {
            let decoded = self.decode_own(split)?;
            if !self.decoded_name(&decoded).is_empty() {
                return Err(NAMED);
            }
            self.window.consume(decoded.size, u64::MAX);
            split.nameless -= 1;
            if !spend(&mut budget) {
                return Ok(false);
            }
        }
        if split.own.is_none() && split.own_read < split.own_entries {
            split.own = Some(self.decode_own(split)?);
        }
        loop {
            if !split.fill_shared(&mut budget)? {
                return Ok(false);
            }
            let (Some(own), Some(Other { decoded: other, .. })) = (&split.own, &split.other) else {
                return Ok(true);
            };
            let same = self.decoded_name(own) == split.shared.decoded_name(other);
            let stages = (own.fields.stage, other.fields.stage);
            // Adding an entry replaces that of its stage, and ends a conflict in stage 0.
            if !same || (stages.0 != 0 && stages.0 != stages.1) {
                return Ok(true);
            }
            split.shared.window.consume(other.size, u64::MAX);
            split.other = None;
            if !spend(&mut budget) {
                return Ok(false);
            }
        }
    }

    fn decode_own(&mut self, split: &mut Split<R>) -> Result<Decoded, IndexError> {
        std::mem::swap(&mut self.read, &mut split.own_read);
        let decoded = self.decode_apart();
        std::mem::swap(&mut self.read, &mut split.own_read);
        decoded
    }

    /// Which file has the next entry.
    fn first(&self, split: &Split<R>) -> Option<Side> {
        if split.ended {
            return None;
        }
        match (&split.own, &split.other) {
            (None, None) => None,
            (Some(_), None) => Some(Side::Own),
            (None, Some(_)) => Some(Side::Shared),
            (Some(own), Some(Other { decoded: other, .. })) => {
                let names = self.decoded_name(own).cmp(split.shared.decoded_name(other));
                match names.then(own.fields.stage.cmp(&other.fields.stage)) {
                    Ordering::Greater => Some(Side::Shared),
                    _ => Some(Side::Own),
                }
            }
        }
    }

    /// The pending entry of one file and its name.
    fn pending<'n>(&'n self, split: &'n Split<R>, side: Side) -> Option<(&'n Decoded, &'n [u8])> {
        match side {
            Side::Own => split.own.as_ref().map(|own| (own, self.decoded_name(own))),
            Side::Shared => {
                let decoded = &split.other.as_ref()?.decoded;
                Some((decoded, split.shared.decoded_name(decoded)))
            }
        }
    }

    /// Makes the pending entry of one file the current one, if it may be there.
    fn give(&mut self, split: &mut Split<R>, side: Side) -> Step {
        let mut path = std::mem::take(&mut self.own);
        let Some((decoded, name)) = self.pending(split, side) else { return Step::End };
        let fields = decoded.fields;
        let step = match check(&path, self.last, name, self.entry.stage, fields) {
            Ok(Good::Next(last)) => {
                name.clone_into(&mut path);
                (self.path, self.last) = (Place::Own, last);
                self.id = match (side, &split.other) {
                    (Side::Shared, Some(other)) => other.id,
                    _ => self.id_ahead(),
                };
                Step::Entry
            }
            Ok(Good::Stage) => Step::Stage,
            Err(fault) => {
                self.dropped = name.to_vec();
                Step::Dropped(fault)
            }
        };
        self.own = path;
        if !matches!(step, Step::Dropped(_)) {
            self.entry = fields;
        }
        self.consume(split, side);
        step
    }

    /// The object's id of the entry ahead.
    fn id_ahead(&self) -> [u8; 32] {
        let mut id = [0; 32];
        if let Some(ahead) = self.window.loaded().get(40..40 + self.hash_len) {
            id[..self.hash_len].copy_from_slice(ahead);
        }
        id
    }

    fn consume(&mut self, split: &mut Split<R>, side: Side) {
        self.read += 1;
        self.entries = self.read;
        match side {
            Side::Own => {
                let size = split.own.take().map_or(0, |own| own.size);
                self.window.consume(size, u64::MAX);
            }
            Side::Shared => {
                let size = split.other.take().map_or(0, |other| other.decoded.size);
                split.shared.window.consume(size, u64::MAX);
            }
        }
    }
}
