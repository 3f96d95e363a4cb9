//! Entries one at a time.

mod entry;
mod split;

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use memchr::memchr;
use trilist_core::Kind;

use super::names::NameFault;
use super::window::Window;
use super::{CachedTree, Extensions, IndexError, MAX_NAME_BYTES};
use entry::{
    Decoded, EXTENDED, Fields, Good, INTENT_TO_ADD, LONG_NAME, SKIP_WORKTREE, TREE, check, usual,
    variable_int,
};
use split::Split;

pub use entry::Flags;

/// Reads an index from its beginning to its end, once.
///
/// After [`IndexReader::step`] has said [`Step::Entry`] the other methods tell the entry.
#[derive(Debug)]
pub struct IndexReader<R> {
    window: Window<R>,
    bytes: u64,
    hash_len: usize,
    version: u32,
    entries: u32,
    read: u32,
    /// The last good path, which is the current one.
    path: Place,
    /// That path where it is not in the window.
    own: Vec<u8>,
    /// Where its last component begins.
    last: usize,
    /// Version 4: the last path as written, good or not; the next one builds on it.
    written: Vec<u8>,
    entry: Fields,
    /// The id of the last directory of a sparse index, or of the last entry.
    id: [u8; 32],
    /// Whether the id of every entry is noted.
    notes_ids: bool,
    dropped: Vec<u8>,
    /// The other file of a split index. Then `read` counts what both files gave, and `entries` is
    /// the same, so that each step ends up where this is looked at.
    split: Option<Box<Split<R>>>,
}

/// Where the current path is. Copying it out of the window would cost as much as checking it.
#[derive(Debug, Clone, Copy)]
enum Place {
    Window { offset: u64, len: usize },
    Own,
}

/// What [`IndexReader::step`] has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Another path.
    Entry,
    /// The current path once more, in a higher stage.
    Stage,
    /// An entry that must not be there and is passed over.
    Dropped(NameFault),
    /// Nothing yet: many entries were passed that the other file of a split index replaces.
    Passed,
    /// The end of the entries.
    End,
}

/// What nearly every entry needs of the window.
const LOOK: usize = 42 + 32 + 2 + 0xfff + 8;

impl<R: Read + Seek> IndexReader<R> {
    /// Starts at the header. `bytes` is the file's size, `hash_len` 20 or 32.
    ///
    /// # Errors
    ///
    /// When this is no index of a known version, or too short for what it claims.
    pub fn new(mut input: R, bytes: u64, hash_len: usize) -> Result<Self, IndexError> {
        input.seek(SeekFrom::Start(0))?;
        let mut window = Window::new(input);
        let truncated = IndexError::Truncated { bytes, within: "the header" };
        let Some(&[header @ .., e0, e1, e2, e3]) = window.ahead(12)?.first_chunk::<12>() else {
            return Err(truncated);
        };
        let [b'D', b'I', b'R', b'C', version @ ..] = header else {
            return Err(IndexError::Signature);
        };
        let version = u32::from_be_bytes(version);
        if !(2..=4).contains(&version) {
            return Err(IndexError::Version(version));
        }
        let entries = u32::from_be_bytes([e0, e1, e2, e3]);
        let shortest = 42 + hash_len as u64 + if version == 4 { 2 } else { 1 };
        let room = bytes.checked_sub(12 + hash_len as u64).ok_or(truncated)?;
        if u64::from(entries) * shortest > room {
            return Err(IndexError::Count { entries, bytes });
        }
        window.consume(12, 12);
        Ok(IndexReader {
            window,
            bytes,
            hash_len,
            version,
            entries,
            read: 0,
            path: Place::Own,
            own: Vec::new(),
            last: 0,
            written: Vec::new(),
            entry: Fields::default(),
            id: [0; 32],
            notes_ids: false,
            dropped: Vec::new(),
            split: None,
        })
    }

    /// Goes on to the next entry.
    ///
    /// # Errors
    ///
    /// When the index cannot be read further; what came before stays true.
    #[inline(always)]
    pub fn step(&mut self) -> Result<Step, IndexError> {
        if self.read == self.entries {
            return self.step_split();
        }
        let decoded = self.decode()?;
        Ok(self.settle(decoded))
    }

    /// Goes on as [`IndexReader::step`] does, while there is nothing to do but to look at the next
    /// path of a file, link or submodule. Gives each to `each`; the last one given is current. Ends
    /// when `each` breaks, after `most` of them, or where `step` has to go on.
    ///
    /// One loop over what was read, with everything that it needs at hand, takes a third fewer
    /// instructions than as many calls of `step` do.
    #[inline]
    pub fn run(
        &mut self,
        most: u32,
        each: &mut impl FnMut(&[u8], Kind, Flags) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (buffer, base, start) = self.window.parts();
        let contents = self.bytes - self.hash_len as u64;
        let end = usize::try_from(contents.saturating_sub(base)).unwrap_or(usize::MAX);
        let buffer = &buffer[..buffer.len().min(end)];
        let (hash_len, most) = (self.hash_len, most.min(self.entries - self.read));
        let (mut path, mut last, mut fields) = (self.path(), self.last, self.entry);
        let (mut at, mut name_at, mut read) = (start, 0, 0);
        let mut flow = ControlFlow::Continue(());
        while read < most && self.version != 4 && flow.is_continue() {
            let ahead = &buffer[at..];
            // Where the window ends, `step` moves it.
            let Some(next) = usual(ahead, hash_len).filter(|next| next.size <= ahead.len()) else {
                break;
            };
            let name = &ahead[next.name.clone()];
            let Ok(Good::Next(begins)) = check(path, last, name, fields.stage, next.fields) else {
                break;
            };
            if next.fields.mode == TREE {
                break;
            }
            (path, last, fields) = (name, begins, next.fields);
            name_at = at + next.name.start;
            at += next.size;
            read += 1;
            flow = each(path, fields.kind(), fields.flags());
        }
        if read > 0 {
            let place = Place::Window { offset: base + name_at as u64, len: path.len() };
            self.read += read;
            (self.path, self.last, self.entry) = (place, last, fields);
            self.window.consume(at - start, base + name_at as u64);
        }
        flow
    }

    /// As [`IndexReader::step`], but passes the entries before `target`, and does not look at
    /// what they are. Ends with `None` after `most` of these; it can be called again then.
    ///
    /// # Errors
    ///
    /// As [`IndexReader::step`].
    pub fn step_past(&mut self, target: &[u8], most: u32) -> Result<Option<Step>, IndexError> {
        self.own.clear();
        (self.path, self.last) = (Place::Own, 0);
        self.entry = Fields::default();
        if self.split.is_some() {
            return self.step_past_split(target, most);
        }
        for _ in 0..most {
            if self.read == self.entries {
                return Ok(Some(Step::End));
            }
            let decoded = self.decode_apart()?;
            let name = self.decoded_name(&decoded);
            // The directory of a sparse index can hold the target.
            let holds = decoded.fields.mode == TREE && target.starts_with(name);
            if name >= target || holds {
                return Ok(Some(self.settle(decoded)));
            }
            self.window.consume(decoded.size, u64::MAX);
        }
        Ok(None)
    }

    #[inline(always)]
    fn decoded_name(&self, decoded: &Decoded) -> &[u8] {
        match self.version {
            4 => &self.written,
            _ => &self.window.loaded()[decoded.name.clone()],
        }
    }

    /// Makes the entry that was decoded the current one, if it may be there.
    #[inline(always)]
    fn settle(&mut self, decoded: Decoded) -> Step {
        let name = self.decoded_name(&decoded);
        let checked = check(self.path(), self.last, name, self.entry.stage, decoded.fields);
        let is_short = decoded.name.len() < usize::from(LONG_NAME) && self.version != 4;
        match checked {
            Ok(Good::Next(last)) if is_short => {
                let offset = self.window.offset() + decoded.name.start as u64;
                self.path = Place::Window { offset, len: decoded.name.len() };
                self.last = last;
                self.entry = decoded.fields;
                if decoded.fields.mode == TREE || self.notes_ids {
                    self.note_id();
                }
                self.window.consume(decoded.size, offset);
                Step::Entry
            }
            checked => self.settle_apart(&decoded, checked),
        }
    }

    /// Settles what is rare, or must be copied.
    #[inline(never)]
    fn settle_apart(&mut self, decoded: &Decoded, checked: Result<Good, NameFault>) -> Step {
        let name = match self.version {
            4 => &self.written,
            _ => &self.window.loaded()[decoded.name.clone()],
        };
        let step = match checked {
            Ok(Good::Next(last)) => {
                name.clone_into(&mut self.own);
                (self.path, self.last) = (Place::Own, last);
                Step::Entry
            }
            Ok(Good::Stage) => Step::Stage,
            Err(fault) => {
                name.clone_into(&mut self.dropped);
                Step::Dropped(fault)
            }
        };
        if !matches!(step, Step::Dropped(_)) {
            self.entry = decoded.fields;
        }
        let has_id = decoded.fields.mode == TREE || self.notes_ids;
        if step == Step::Entry && has_id {
            self.note_id();
        }
        // Many of these in a row would reach out of the window.
        if let Place::Window { offset, len } = self.path {
            self.window.at(offset, len).clone_into(&mut self.own);
            self.path = Place::Own;
        }
        self.window.consume(decoded.size, u64::MAX);
        step
    }

    fn note_id(&mut self) {
        let id = &self.window.loaded()[40..40 + self.hash_len];
        self.id[..self.hash_len].copy_from_slice(id);
    }

    /// The name of the entry that was dropped last.
    pub fn dropped(&self) -> &[u8] {
        &self.dropped
    }

    /// The path; that of a sparse directory ends in a slash.
    #[inline]
    pub fn path(&self) -> &[u8] {
        match self.path {
            Place::Window { offset, len } => self.window.at(offset, len),
            Place::Own => &self.own,
        }
    }

    /// What the entry is; `Dir` for the directory entry of a sparse index.
    #[inline]
    pub fn kind(&self) -> Kind {
        self.entry.kind()
    }

    /// What else is known of the entry.
    #[inline]
    pub fn flags(&self) -> Flags {
        self.entry.flags()
    }

    /// Notes the id of every entry from here on, if it is gone to by [`IndexReader::step`].
    pub fn note_ids(&mut self) {
        self.notes_ids = true;
    }

    /// Whether [`IndexReader::id`] is that of every entry.
    pub fn notes_ids(&self) -> bool {
        self.notes_ids
    }

    /// The id of the tree object of a sparse directory; of any entry once ids are noted.
    pub fn id(&self) -> &[u8] {
        &self.id[..self.hash_len]
    }

    /// How many entries were read.
    pub fn entries_read(&self) -> u32 {
        self.read
    }

    /// Reads the cached trees out of turn: no entry can be read afterwards.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn take_cached_tree(&mut self) -> io::Result<Option<CachedTree>> {
        self.read = self.entries;
        if let Some(split) = &mut self.split {
            split.end();
        }
        CachedTree::load(self.window.input(), self.bytes, self.hash_len)
    }

    /// Reads, out of turn, the id of the tree that the cached trees say the whole index equals: no
    /// entry can be read afterwards.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn take_cached_top(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.read = self.entries;
        match Extensions::locate(self.window.input(), self.bytes, self.hash_len)? {
            Some(chain) => CachedTree::top(&chain, self.window.input(), self.hash_len),
            None => Ok(None),
        }
    }

    /// Starts again at the first entry.
    ///
    /// # Errors
    ///
    /// As [`IndexReader::new`].
    pub fn restarted(self) -> Result<Self, IndexError> {
        if let Some(split) = self.split {
            return split.restarted(self.window.into_input());
        }
        IndexReader::new(self.window.into_input(), self.bytes, self.hash_len)
    }

    /// The chain of extensions, after the last entry.
    ///
    /// # Errors
    ///
    /// When what stands there does not end exactly at the checksum.
    pub fn extensions(&mut self) -> Result<Extensions, IndexError> {
        let start = self.window.offset();
        let end = self.bytes - self.hash_len as u64;
        let chain = Extensions::walk(self.window.input(), start, end)?;
        chain.ok_or(IndexError::Extensions)
    }

    /// Checks, after the last entry, that a chain of known extensions ends the file, and that
    /// `used` and the link of a split index, found before the entries were read, are part of it.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub fn finish(&mut self, used: Option<&CachedTree>) -> Result<(), IndexError> {
        let chain = self.extensions()?;
        chain.check()?;
        let at = chain.find(b"TREE").map(|one| one.offset);
        if used.is_some_and(|used| at != Some(used.offset())) {
            return Err(IndexError::Extensions);
        }
        self.finish_split(&chain)
    }

    #[inline(never)]
    fn decode_apart(&mut self) -> Result<Decoded, IndexError> {
        self.decode()
    }

    /// Reads the next entry. In the one loop that lists, it pays to have this in place.
    #[inline(always)]
    fn decode(&mut self) -> Result<Decoded, IndexError> {
        self.read += 1;
        self.window.ahead(LOOK)?;
        let decoded = match usual(self.window.loaded(), self.hash_len) {
            Some(decoded) if self.version != 4 => decoded,
            _ => self.fields()?,
        };
        if self.window.offset() + decoded.size as u64 > self.bytes - self.hash_len as u64 {
            return Err(self.truncated());
        }
        Ok(decoded)
    }

    #[inline(never)]
    fn fields(&mut self) -> Result<Decoded, IndexError> {
        let fixed = 42 + self.hash_len;
        let hash_len = self.hash_len;
        let ahead = self.window.ahead(LOOK)?;
        let Some((stat, rest)) = ahead.split_first_chunk::<40>() else {
            return Err(self.truncated());
        };
        let Some(&[f0, f1, more @ ..]) = rest.get(hash_len..).and_then(<[u8]>::first_chunk::<4>)
        else {
            return Err(self.truncated());
        };
        let flags = u16::from_be_bytes([f0, f1]);
        let mut fields = Fields {
            mode: u32::from_be_bytes([stat[24], stat[25], stat[26], stat[27]]),
            stage: ((flags >> 12) & 3) as u8,
            skip_worktree: false,
        };
        let mut at = fixed;
        if flags & EXTENDED != 0 {
            let more = u16::from_be_bytes(more);
            if self.version < 3 || more & !(SKIP_WORKTREE | INTENT_TO_ADD) != 0 {
                return Err(self.damaged("its flags"));
            }
            fields.skip_worktree = more & SKIP_WORKTREE != 0;
            at += 2;
        }
        if self.version == 4 {
            let size = self.unpack(at)?;
            // Of the whole name, not of what stands here of it.
            if self.written.len().min(LONG_NAME.into()) != usize::from(flags & LONG_NAME) {
                return Err(self.damaged("its name's length"));
            }
            return Ok(Decoded { fields, name: 0..0, size });
        }
        let name = self.name(at, usize::from(flags & LONG_NAME))?;
        // One to eight NUL fill up to a multiple of eight.
        let size = (name.end + 8) & !7;
        Ok(Decoded { fields, name, size })
    }

    /// The name's place in versions 2 and 3.
    fn name(&mut self, at: usize, len: usize) -> Result<Range<usize>, IndexError> {
        let mut end = at + len;
        if len == usize::from(LONG_NAME) {
            let ahead = self.window.ahead(at + MAX_NAME_BYTES + 8)?;
            match ahead.get(end..).and_then(|rest| memchr(0, rest)) {
                Some(more) => end += more,
                None => return Err(self.damaged("its name is too long")),
            }
        }
        match self.window.loaded().get(end) {
            Some(0) => Ok(at..end),
            Some(_) => Err(self.damaged("its name's length")),
            None => Err(self.truncated()),
        }
    }

    /// Version 4: a number of bytes to take off the last name, then what comes instead.
    #[inline(never)]
    fn unpack(&mut self, at: usize) -> Result<usize, IndexError> {
        let mut ahead = self.window.loaded();
        let Some((strip, start)) = variable_int(ahead, at) else {
            return Err(self.damaged("its name's start"));
        };
        let mut len = ahead.get(start..).and_then(|rest| memchr(0, rest));
        if len.is_none() {
            ahead = self.window.ahead(start + MAX_NAME_BYTES)?;
            len = ahead.get(start..).and_then(|rest| memchr(0, rest));
        }
        let keep =
            usize::try_from(strip).ok().and_then(|strip| self.written.len().checked_sub(strip));
        let (Some(len), Some(keep)) = (len, keep) else {
            return Err(self.damaged("its name's length"));
        };
        if keep + len > MAX_NAME_BYTES {
            return Err(self.damaged("its name is too long"));
        }
        self.written.truncate(keep);
        self.written.extend_from_slice(&ahead[start..start + len]);
        Ok(start + len + 1)
    }

    #[cold]
    fn truncated(&self) -> IndexError {
        IndexError::Truncated { bytes: self.bytes, within: "the entries" }
    }

    #[cold]
    fn damaged(&self, what: &'static str) -> IndexError {
        IndexError::Entry { number: self.read, what }
    }
}
