//! The index of a pack: from ids to offsets.

use std::cmp::Ordering;
use std::ops::Range;

use super::input::u32_at;
use super::{Hash, ObjectError, ReadAt};

/// What is kept of a pack's index; the rest is read when it is asked for.
///
/// The versions 1 and 2 are read. The file's own checksum is not: a wrong offset leads to an
/// object that does not have the id asked for.
#[derive(Debug, Clone)]
pub struct PackIndex {
    version: Version,
    hash_len: usize,
    /// How many ids begin with at most this byte.
    fan_out: Box<[u32; 256]>,
    /// How many offsets do not fit into 31 bits.
    large: u64,
    size_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    /// Offset and id side by side.
    One,
    /// A table of ids, of checksums, of offsets, of large offsets.
    Two,
}

/// How many bytes of ids are read at a time.
const WINDOW_BYTES: usize = 4096;

const fn damaged(what: &'static str) -> ObjectError {
    ObjectError::Damaged(what)
}

impl PackIndex {
    /// Reads the head of an index and checks that its size agrees.
    ///
    /// # Errors
    ///
    /// When it is damaged or has an unknown version.
    pub fn read(file: &dyn ReadAt, hash: Hash) -> Result<Self, ObjectError> {
        let mut magic = [0; 8];
        file.read_exact_at(&mut magic, 0)?;
        let version = match magic {
            [0xff, b't', b'O', b'c', 0, 0, 0, 2] => Version::Two,
            [0xff, b't', b'O', b'c', ..] => return Err(damaged("its version is not known")),
            _ => Version::One,
        };
        let mut table = [0; 1024];
        file.read_exact_at(&mut table, version.start())?;
        let mut fan_out = Box::new([0; 256]);
        for (count, bytes) in fan_out.iter_mut().zip(table.as_chunks().0) {
            *count = u32::from_be_bytes(*bytes);
        }
        if !fan_out.is_sorted() {
            return Err(damaged("its counts of ids do not rise"));
        }
        let (hash_len, size_bytes) = (hash.len_in_bytes(), file.size_bytes());
        let mut index = PackIndex { version, hash_len, fan_out, large: 0, size_bytes };
        index.large = index.large_offsets().ok_or(damaged("its size is wrong"))?;
        Ok(index)
    }

    /// How many objects the pack has.
    pub fn count(&self) -> u32 {
        self.fan_out[255]
    }

    /// How many bytes of the file the objects leave for large offsets, as offsets.
    fn large_offsets(&self) -> Option<u64> {
        let count = u64::from(self.count());
        let tables = self.version.start() + 1024 + count * self.entry_bytes();
        let rest = self.size_bytes.checked_sub(tables + 2 * self.hash_len as u64)?;
        let is_right = match self.version {
            Version::One => rest == 0,
            // The first object of a pack always has a small offset.
            Version::Two => rest % 8 == 0 && rest / 8 <= count.saturating_sub(1),
        };
        is_right.then_some(rest / 8)
    }

    /// How many bytes an object takes in all tables together.
    fn entry_bytes(&self) -> u64 {
        let hash_len = self.hash_len as u64;
        match self.version {
            Version::One => 4 + hash_len,
            Version::Two => hash_len + 4 + 4,
        }
    }

    /// Looks an id up; gives the object's offset in the pack, which is not checked.
    ///
    /// # Errors
    ///
    /// When the file is damaged or cannot be read.
    pub fn find(&self, file: &dyn ReadAt, id: &[u8]) -> Result<Option<u64>, ObjectError> {
        let (Some(&first), true) = (id.first(), id.len() == self.hash_len) else {
            return Ok(None);
        };
        match self.position(file, first, id)? {
            Some(position) => self.offset(file, position).map(Some),
            None => Ok(None),
        }
    }

    /// True when no id here begins as this one: known without reading.
    pub(super) fn excludes(&self, id: &[u8]) -> bool {
        id.first().is_none_or(|first| self.range(*first).is_empty())
    }

    fn range(&self, first: u8) -> Range<u64> {
        let first = usize::from(first);
        let start = if first == 0 { 0 } else { self.fan_out[first - 1] };
        start.into()..self.fan_out[first].into()
    }

    /// Hashes are spread evenly, so where an id stands can be guessed closely: mostly one window
    /// is read. In a table made to mislead, halving in turns ends the search all the same.
    fn position(
        &self,
        file: &dyn ReadAt,
        first: u8,
        id: &[u8],
    ) -> Result<Option<u64>, ObjectError> {
        let ids = self.ids();
        let (mut range, mut keys) = (self.range(first), 0..u64::from(u32::MAX));
        let mut buffer = [0; WINDOW_BYTES];
        for turn in 0_u32.. {
            if range.is_empty() {
                break;
            }
            let middle = match turn % 2 {
                0 => guess(&range, &keys, key(id)),
                _ => range.start + (range.end - range.start) / 2,
            };
            let mut window = around(middle, &range, (WINDOW_BYTES / ids.stride) as u64);
            let bytes = match file.in_memory() {
                Some(all) => {
                    window = range.clone();
                    ids.slice(all, &window).ok_or(damaged("its size is wrong"))?
                }
                None => {
                    let bytes = &mut buffer[..(window.end - window.start) as usize * ids.stride];
                    file.read_exact_at(bytes, ids.start + window.start * ids.stride as u64)?;
                    bytes
                }
            };
            match place(bytes, ids.stride, ids.skip, id) {
                Place::At(at) => return Ok(Some(window.start + at)),
                Place::Absent => return Ok(None),
                Place::Before(lowest) => (range.end, keys.end) = (window.start, lowest),
                Place::Behind(highest) => (range.start, keys.start) = (window.end, highest),
            }
        }
        Ok(None)
    }

    fn ids(&self) -> Ids {
        let (stride, skip) = match self.version {
            Version::One => (4 + self.hash_len, 4),
            Version::Two => (self.hash_len, 0),
        };
        Ids { start: self.version.start() + 1024, stride, skip }
    }

    fn offset(&self, file: &dyn ReadAt, position: u64) -> Result<u64, ObjectError> {
        let tables = self.version.start() + 1024;
        let (hash_len, count) = (self.hash_len as u64, u64::from(self.count()));
        if self.version == Version::One {
            return Ok(u32_at(file, tables + position * (4 + hash_len))?.into());
        }
        let offsets = tables + count * (hash_len + 4);
        let offset = u64::from(u32_at(file, offsets + position * 4)?);
        if offset < 1 << 31 {
            return Ok(offset);
        }
        let at = offset - (1 << 31);
        if at >= self.large {
            return Err(damaged("it has no such large offset"));
        }
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, offsets + count * 4 + at * 8)?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// The checksum of the pack that this index was made for.
    pub(super) fn pack_checksum(&self, file: &dyn ReadAt) -> Result<Vec<u8>, ObjectError> {
        let mut sum = vec![0; self.hash_len];
        file.read_exact_at(&mut sum, self.size_bytes - 2 * self.hash_len as u64)?;
        Ok(sum)
    }
}

impl Version {
    /// Where the counts begin.
    fn start(self) -> u64 {
        match self {
            Version::One => 0,
            Version::Two => 8,
        }
    }
}

/// The bytes of an id behind the first one, as a number.
fn key(id: &[u8]) -> u64 {
    u64::from(u32::from_be_bytes([id[1], id[2], id[3], id[4]]))
}

/// Where the ids are: from where on, how far from each other, and how far into an entry.
struct Ids {
    start: u64,
    stride: usize,
    skip: usize,
}

impl Ids {
    /// The entries of a range, of a whole file.
    fn slice<'a>(&self, file: &'a [u8], range: &Range<u64>) -> Option<&'a [u8]> {
        let place = |at: u64| usize::try_from(self.start + at * self.stride as u64).ok();
        file.get(place(range.start)?..place(range.end)?)
    }
}

/// Where in a range a key stands if keys are spread evenly between the bounds.
fn guess(range: &Range<u64>, keys: &Range<u64>, key: u64) -> u64 {
    let width = keys.end.saturating_sub(keys.start).max(1);
    let along = key.saturating_sub(keys.start).min(width);
    // Both factors have 32 bits.
    range.start + (range.end - range.start - 1) * along / width
}

/// At most `count` places of a range, with `middle` among them.
fn around(middle: u64, range: &Range<u64>, count: u64) -> Range<u64> {
    let last = range.end.saturating_sub(count).max(range.start);
    let start = middle.saturating_sub(count / 2).clamp(range.start, last);
    start..range.end.min(start + count)
}

/// How an id stands to a window of ids.
enum Place {
    /// The one of this number.
    At(u64),
    /// Between two of them.
    Absent,
    /// Before the first, which has this key.
    Before(u64),
    /// Behind the last, which has this key.
    Behind(u64),
}

fn place(entries: &[u8], stride: usize, skip: usize, id: &[u8]) -> Place {
    let len = entries.len() / stride;
    let nth = |at: usize| &entries[at * stride + skip..(at + 1) * stride];
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        match nth(middle).cmp(id) {
            Ordering::Equal => return Place::At(middle as u64),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    match low {
        0 => Place::Before(key(nth(0))),
        _ if low == len => Place::Behind(key(nth(len - 1))),
        _ => Place::Absent,
    }
}
