//! Packs: objects one after the other, whole or as deltas.

use trilist_core::Cancel;

use super::delta;
use super::inflate::Inflater;
use super::input::{Chunk, Input, ReadAt, u32_at};
use super::{Hash, OBJECT_BYTES, ObjectError, ObjectKind, PackIndex};

/// What is known of a pack's file.
#[derive(Debug, Clone, Copy)]
pub struct Pack {
    hash_len: usize,
    /// Where the checksum behind the last object begins.
    end: u64,
}

/// The head of an object in a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is made from.
    pub base: Base,
    /// The unpacked size in bytes: of the contents, or of the delta.
    pub size: usize,
}

/// What an object in a pack is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// Nothing: it is whole, and of this kind.
    Whole(ObjectKind),
    /// The object at this offset of the pack, which lies before it.
    Offset(u64),
    /// The object of this id, in the same pack.
    Id(Vec<u8>),
}

/// Where the first object begins.
const START: u64 = 12;

impl Pack {
    /// Checks the head of a pack.
    ///
    /// # Errors
    ///
    /// When it has an unknown version or cannot be read.
    pub fn read(file: &dyn ReadAt, hash: Hash) -> Result<Self, ObjectError> {
        let hash_len = hash.len_in_bytes();
        let end = file.size_bytes().checked_sub(hash_len as u64).filter(|end| *end >= START);
        let end = end.ok_or(ObjectError::Damaged("its file ends early"))?;
        let mut magic = [0; 8];
        file.read_exact_at(&mut magic, 0)?;
        // The versions differ in nothing that is read here.
        match magic {
            [b'P', b'A', b'C', b'K', 0, 0, 0, 2 | 3] => Ok(Pack { hash_len, end }),
            _ => Err(ObjectError::Damaged("it is no pack of a known version")),
        }
    }

    /// Checks that an index was made for this pack.
    ///
    /// # Errors
    ///
    /// When it was not, or one of the two cannot be read.
    pub fn check_index(
        &self,
        file: &dyn ReadAt,
        index: &PackIndex,
        index_file: &dyn ReadAt,
    ) -> Result<(), ObjectError> {
        let mut sum = vec![0; self.hash_len];
        file.read_exact_at(&mut sum, self.end)?;
        if u32_at(file, 8)? != index.count() || sum != index.pack_checksum(index_file)? {
            return Err(ObjectError::Damaged("its index is another pack's"));
        }
        Ok(())
    }

    /// Reads the head of the object at an offset, then its contents or delta. An object that is
    /// whole and not of the kind `wanted` is not unpacked.
    ///
    /// # Errors
    ///
    /// When the offset lies outside the objects, or the object is damaged, larger than
    /// [`OBJECT_BYTES`], or of another kind; or when the caller has cancelled.
    pub fn entry(
        &self,
        file: &dyn ReadAt,
        offset: u64,
        wanted: ObjectKind,
        cancel: &Cancel,
    ) -> Result<(Entry, Vec<u8>), ObjectError> {
        let (mut inflater, mut chunk) = (Inflater::default(), Chunk::default());
        let how = Unpacking { inflater: &mut inflater, chunk: &mut chunk, of: None, cancel };
        self.unpack(file, offset, wanted, how)
    }

    pub(super) fn unpack(
        &self,
        file: &dyn ReadAt,
        offset: u64,
        wanted: ObjectKind,
        how: Unpacking<'_>,
    ) -> Result<(Entry, Vec<u8>), ObjectError> {
        if !(START..self.end).contains(&offset) {
            return Err(ObjectError::Damaged("its offset lies outside its pack"));
        }
        let mut input = Input::new(file, how.of, offset, self.end, how.chunk)?;
        let mut rest = input.bytes();
        let entry = head(&mut rest, offset, self.hash_len)?;
        let used = input.bytes().len() - rest.len();
        if let Base::Whole(actual) = entry.base
            && actual != wanted
        {
            return Err(ObjectError::WrongKind { actual, wanted });
        }
        input.advance(used);
        let contents = how.inflater.unpack(&mut input, entry.size, how.cancel)?;
        Ok((entry, contents))
    }
}

/// What unpacking an object needs.
pub(super) struct Unpacking<'a> {
    pub(super) inflater: &'a mut Inflater,
    pub(super) chunk: &'a mut Chunk,
    /// The pack's number, if it has one.
    pub(super) of: Option<u64>,
    pub(super) cancel: &'a Cancel,
}

/// Reads the head of an object that stands at `offset`.
fn head(rest: &mut &[u8], offset: u64, hash_len: usize) -> Result<Entry, ObjectError> {
    const WRONG: ObjectError = ObjectError::Damaged("its head in its pack is damaged");
    let (kind, size) = kind_and_size(rest).ok_or(WRONG)?;
    let base = match kind {
        1 => Base::Whole(ObjectKind::Commit),
        2 => Base::Whole(ObjectKind::Tree),
        3 => Base::Whole(ObjectKind::Blob),
        4 => Base::Whole(ObjectKind::Tag),
        6 => {
            let back = distance(rest).ok_or(WRONG)?;
            let before = offset.checked_sub(back).filter(|_| back > 0);
            Base::Offset(before.ok_or(WRONG)?)
        }
        7 => {
            let (id, after) = rest.split_at_checked(hash_len).ok_or(WRONG)?;
            *rest = after;
            Base::Id(id.to_vec())
        }
        _ => return Err(WRONG),
    };
    let size = usize::try_from(size).ok().filter(|size| *size <= OBJECT_BYTES);
    Ok(Entry { base, size: size.ok_or(ObjectError::TooLarge)? })
}

/// Three bits of kind; then the size: four bits, and groups of seven, the lowest first.
fn kind_and_size(rest: &mut &[u8]) -> Option<(u8, u64)> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    let (kind, low) = (first >> 4 & 7, u64::from(first & 0xf));
    if first & 0x80 == 0 {
        return Some((kind, low));
    }
    let high = delta::size(rest)?;
    (high <= u64::MAX >> 4).then_some((kind, high << 4 | low))
}

/// A distance in groups of seven bits, the highest first, each next group counted from 1.
fn distance(rest: &mut &[u8]) -> Option<u64> {
    let mut distance = 0_u64;
    loop {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        let group = u64::from(byte & 0x7f);
        if distance > u64::MAX >> 8 {
            return None;
        }
        distance = distance << 7 | group;
        if byte & 0x80 == 0 {
            return Some(distance);
        }
        distance += 1;
    }
}
