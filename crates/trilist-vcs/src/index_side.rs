//! The index as one side of the union: paths only, faults set aside.

use std::ops::ControlFlow;

use trilist_core::{Cancel, FaultCode, Kind, ListError};
use trilist_root::RegularFile;

use crate::fault::Faults;
use crate::head::{HeadItem, HeadStream};
use crate::index::{CachedTree, Flags, IndexError, IndexReader, Step};
use crate::objects::Objects;

/// Every so many entries the caller is asked whether to go on.
const CHECK_EVERY: u32 = 4096;

/// A cursor over the index's paths.
pub(crate) struct IndexSide {
    state: State,
    /// For the directory entries of a sparse index.
    objects: Option<Objects>,
    /// The directory entry that is being expanded.
    sparse: Option<HeadStream>,
    counts_done: u64,
}

enum State {
    /// There is no index.
    Absent,
    At(Box<IndexReader<RegularFile>>),
    /// All entries were read.
    Done(Box<IndexReader<RegularFile>>),
    /// It could not be read further.
    Broken(Option<Box<IndexReader<RegularFile>>>),
}

impl IndexSide {
    pub(crate) fn new(reader: Option<IndexReader<RegularFile>>, objects: Option<Objects>) -> Self {
        let state = reader.map_or(State::Absent, |reader| State::At(Box::new(reader)));
        IndexSide { state, objects, sparse: None, counts_done: 0 }
    }

    /// Notes the ids of objects from here on.
    pub(crate) fn note_ids(&mut self) {
        if let State::At(reader) = &mut self.state {
            reader.note_ids();
        }
    }

    /// The id of the current path's object, once ids are noted; not below a directory of a sparse
    /// index.
    pub(crate) fn object(&self) -> Option<&[u8]> {
        match (&self.state, &self.sparse) {
            (State::At(reader), None) if reader.notes_ids() => Some(reader.id()),
            _ => None,
        }
    }

    /// An index of which nothing can be read.
    pub(crate) fn broken(error: &IndexError, faults: &mut Faults) -> Self {
        faults.push(b"", FaultCode::VcsIndexInvalid, error.to_string());
        IndexSide::unknown()
    }

    /// An index that says nothing of any name.
    pub(crate) fn unknown() -> Self {
        IndexSide { state: State::Broken(None), objects: None, sparse: None, counts_done: 0 }
    }

    /// The current path; `None` behind the last one.
    #[inline]
    pub(crate) fn path(&self) -> Option<&[u8]> {
        match (&self.state, &self.sparse) {
            (State::At(_), Some(sparse)) => Some(sparse.path()),
            (State::At(reader), None) => Some(reader.path()),
            _ => None,
        }
    }

    /// The last path that was read.
    pub(crate) fn last_path(&self) -> &[u8] {
        match &self.state {
            State::At(reader) | State::Done(reader) | State::Broken(Some(reader)) => reader.path(),
            State::Absent | State::Broken(None) => b"",
        }
    }

    /// True when there is no index file.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self.state, State::Absent)
    }

    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.state, State::Broken(_))
    }

    /// What the current path is, and what else is known of it.
    #[inline]
    pub(crate) fn facts(&self) -> (Kind, Flags) {
        match (&self.state, &self.sparse) {
            (State::At(reader), None) => (reader.kind(), reader.flags()),
            (_, Some(sparse)) => {
                let kind = match sparse.item() {
                    HeadItem::Leaf(kind) => kind,
                    _ => Kind::Dir,
                };
                let executable = sparse.is_executable();
                (kind, Flags { conflicted: false, skip_worktree: true, executable })
            }
            _ => (Kind::File, Flags::default()),
        }
    }

    /// Goes on to one path after another while there is nothing to do but that, and gives each to
    /// `each` until it breaks. [`IndexSide::next`] goes on from there.
    #[inline]
    pub(crate) fn run(
        &mut self,
        each: &mut impl FnMut(&[u8], Kind, Flags) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match (&mut self.state, &self.sparse) {
            (State::At(reader), None) => reader.run(CHECK_EVERY, each),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Index entries read so far.
    pub(crate) fn entries_read(&self) -> u32 {
        match &self.state {
            State::At(reader) | State::Done(reader) | State::Broken(Some(reader)) => {
                reader.entries_read()
            }
            State::Absent | State::Broken(None) => 0,
        }
    }

    /// Tree objects read, and names read in them.
    pub(crate) fn trees_read(&self) -> (u64, u64) {
        let now = self.sparse.as_ref().map(HeadStream::counts).unwrap_or_default();
        (self.counts_done + now.trees, now.names)
    }

    /// Gives the reader away, for reading out of turn; nothing comes from here afterwards.
    pub(crate) fn take_reader(&mut self) -> Option<IndexReader<RegularFile>> {
        self.sparse = None;
        match std::mem::replace(&mut self.state, State::Absent) {
            State::At(reader) | State::Done(reader) | State::Broken(Some(reader)) => Some(*reader),
            State::Absent | State::Broken(None) => None,
        }
    }

    /// Goes on to the next path.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled.
    #[inline(always)]
    pub(crate) fn next(&mut self, cancel: &Cancel, faults: &mut Faults) -> Result<(), ListError> {
        if let (State::At(reader), None) = (&mut self.state, &self.sparse)
            && reader.entries_read() % CHECK_EVERY != 0
        {
            let step = reader.step();
            if matches!(step, Ok(Step::Entry)) && reader.kind() != Kind::Dir {
                return Ok(());
            }
            if self.took(step, cancel, faults)? {
                return Ok(());
            }
        }
        self.next_past(b"", cancel, faults)
    }

    /// As [`IndexSide::next`], and may pass everything before `target` on the way.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled.
    #[inline(never)]
    pub(crate) fn next_past(
        &mut self,
        mut target: &[u8],
        cancel: &Cancel,
        faults: &mut Faults,
    ) -> Result<(), ListError> {
        if self.sparse.is_some() && self.next_sparse(cancel, faults)? {
            return Ok(());
        }
        loop {
            let State::At(reader) = &mut self.state else { return Ok(()) };
            if reader.entries_read() % CHECK_EVERY == 0 {
                cancel.check()?;
            }
            let step = if target.is_empty() {
                reader.step()
            } else {
                match reader.step_past(target, CHECK_EVERY) {
                    Ok(None) => {
                        cancel.check()?;
                        continue;
                    }
                    Ok(Some(step)) => {
                        target = b"";
                        Ok(step)
                    }
                    Err(error) => Err(error),
                }
            };
            if self.took(step, cancel, faults)? {
                return Ok(());
            }
        }
    }

    /// Deals with what the reader has come to. Says whether that is the next path or the end.
    fn took(
        &mut self,
        step: Result<Step, IndexError>,
        cancel: &Cancel,
        faults: &mut Faults,
    ) -> Result<bool, ListError> {
        let State::At(reader) = &mut self.state else { return Ok(true) };
        match step {
            Ok(Step::Entry) if reader.kind() != Kind::Dir => return Ok(true),
            Ok(Step::Entry) => return self.expand(cancel, faults),
            Ok(Step::Stage) => {}
            Ok(Step::Passed) => cancel.check()?,
            Ok(Step::Dropped(fault)) => {
                let place = reader.path().strip_suffix(b"/").unwrap_or(reader.path());
                faults.push_name(place, reader.dropped(), "the index", fault.reason());
            }
            Ok(Step::End) => {
                self.end();
                return Ok(true);
            }
            Err(error) => {
                self.damaged(&error, faults);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn end(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Absent) {
            State::At(reader) => State::Done(reader),
            other => other,
        };
    }

    /// Checks what stands behind the last entry, if that was reached.
    pub(crate) fn finish(&mut self, used: Option<&CachedTree>, faults: &mut Faults) {
        if let State::Done(reader) = &mut self.state
            && let Err(error) = reader.finish(used)
        {
            let place = reader.path().to_vec();
            let place = place.strip_suffix(b"/").unwrap_or(&place);
            faults.push(place, FaultCode::VcsIndexInvalid, error.to_string());
            self.state = State::Absent;
        }
    }

    fn damaged(&mut self, error: &IndexError, faults: &mut Faults) {
        let place = self.last_path();
        let place = place.strip_suffix(b"/").unwrap_or(place);
        faults.push(place, FaultCode::VcsIndexInvalid, error.to_string());
        self.state = match std::mem::replace(&mut self.state, State::Absent) {
            State::At(reader) => State::Broken(Some(reader)),
            other => other,
        };
    }

    /// Starts to read the directory of a sparse index's entry. Says whether it has a name.
    fn expand(&mut self, cancel: &Cancel, faults: &mut Faults) -> Result<bool, ListError> {
        let State::At(reader) = &self.state else { return Ok(false) };
        let Some(objects) = &self.objects else {
            let dir = reader.path().strip_suffix(b"/").unwrap_or(reader.path());
            let message = "a directory of the sparse index cannot be read without objects";
            faults.push(dir, FaultCode::VcsObjectInvalid, message);
            return Ok(false);
        };
        let stream = HeadStream::at(objects.another(), reader.id(), reader.path());
        self.sparse = Some(stream);
        self.settle(cancel, faults)
    }

    fn next_sparse(&mut self, cancel: &Cancel, faults: &mut Faults) -> Result<bool, ListError> {
        if let Some(sparse) = &mut self.sparse {
            sparse.step(faults);
        }
        self.settle(cancel, faults)
    }

    /// Enters directories until a name comes, or drops the stream at its end.
    fn settle(&mut self, cancel: &Cancel, faults: &mut Faults) -> Result<bool, ListError> {
        while let Some(sparse) = &mut self.sparse {
            match sparse.item() {
                HeadItem::Leaf(_) => return Ok(true),
                HeadItem::Tree | HeadItem::Same(_) => sparse.enter(cancel, faults)?,
                HeadItem::End => {
                    self.counts_done += sparse.counts().trees;
                    self.sparse = None;
                }
            }
        }
        Ok(false)
    }

    /// Passes everything below a directory, whose path ends in a slash.
    ///
    /// # Errors
    ///
    /// As [`IndexSide::next`].
    pub(crate) fn skip_below(
        &mut self,
        dir: &[u8],
        cancel: &Cancel,
        faults: &mut Faults,
    ) -> Result<(), ListError> {
        while self.path().is_some_and(|path| path.starts_with(dir)) {
            if let Some(sparse) = &mut self.sparse {
                sparse.skip_below(dir, faults);
                if self.settle(cancel, faults)? {
                    continue;
                }
            }
            self.next(cancel, faults)?;
        }
        Ok(())
    }
}
