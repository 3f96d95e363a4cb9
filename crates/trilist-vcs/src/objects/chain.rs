//! From an offset in a pack to an object, through its deltas.

use std::sync::{Arc, Mutex, PoisonError};

use trilist_core::Cancel;

use super::cache::{Cache, Key, Unpacked};
use super::inflate::Inflater;
use super::input::Chunk;
use super::pack::{Base, Pack, Unpacking};
use super::{Hash, OBJECT_BYTES, ObjectError, ObjectKind, PackIndex, ReadAt, apply_delta};

/// The most deltas in a row; git makes no longer chains.
const MOST_DELTAS: usize = 4095;

/// A pack with its index, open to be read.
pub(super) struct Open<'a> {
    /// A number that no other pack of this store has.
    pub(super) number: u64,
    pub(super) index: &'a PackIndex,
    pub(super) index_file: &'a dyn ReadAt,
    pub(super) pack: &'a Pack,
    pub(super) pack_file: &'a dyn ReadAt,
}

/// What unpacking needs.
pub(super) struct Tools<'a> {
    pub(super) inflater: &'a mut Inflater,
    pub(super) chunk: &'a mut Chunk,
    pub(super) cache: &'a Mutex<Cache>,
    pub(super) cancel: &'a Cancel,
}

/// Reads an object from one pack, without a store around it. `None` if it is not there.
///
/// # Errors
///
/// When the pack, its index, or the object is damaged; when the object, or one that it is made
/// from, is too large or not of the kind `wanted`; or when the caller has cancelled.
pub fn read_packed(
    index_file: &dyn ReadAt,
    pack_file: &dyn ReadAt,
    hash: Hash,
    id: &[u8],
    wanted: ObjectKind,
    cancel: &Cancel,
) -> Result<Option<Arc<Vec<u8>>>, ObjectError> {
    let (index, pack) = (PackIndex::read(index_file, hash)?, Pack::read(pack_file, hash)?);
    pack.check_index(pack_file, &index, index_file)?;
    let Some(offset) = index.find(index_file, id)? else { return Ok(None) };
    let open = Open { number: 0, index: &index, index_file, pack: &pack, pack_file };
    let (mut inflater, mut chunk, cache) =
        (Inflater::default(), Chunk::default(), Mutex::new(Cache::new(OBJECT_BYTES)));
    let (inflater, chunk) = (&mut inflater, &mut chunk);
    let object =
        open.object(offset, wanted, &mut Tools { inflater, chunk, cache: &cache, cancel })?;
    hash.check_object(wanted, &object, id)?;
    Ok(Some(object))
}

impl Open<'_> {
    /// Reads the object at an offset.
    ///
    /// # Errors
    ///
    /// When it, or one that it is made from, is damaged, too large, or not of the kind `wanted`;
    /// when too many deltas follow each other; or when the caller has cancelled.
    pub(super) fn object(
        &self,
        offset: u64,
        wanted: ObjectKind,
        tools: &mut Tools<'_>,
    ) -> Result<Arc<Vec<u8>>, ObjectError> {
        let mut deltas = Vec::new();
        let (at, (kind, mut object)) = self.descend(offset, wanted, &mut deltas, tools)?;
        if kind != wanted {
            return Err(ObjectError::WrongKind { actual: kind, wanted });
        }
        // What stands alone is mostly nobody's base.
        if !deltas.is_empty() {
            tools.keep(Key::Packed(self.number, at), (kind, Arc::clone(&object)));
        }
        while let Some((at, delta)) = deltas.pop() {
            tools.cancel.check()?;
            object = Arc::new(apply_delta(&object, &delta)?);
            tools.keep(Key::Packed(self.number, at), (kind, Arc::clone(&object)));
        }
        Ok(object)
    }

    /// Collects deltas until something whole comes.
    fn descend(
        &self,
        offset: u64,
        wanted: ObjectKind,
        deltas: &mut Vec<(u64, Vec<u8>)>,
        tools: &mut Tools<'_>,
    ) -> Result<(u64, Unpacked), ObjectError> {
        let (mut at, mut held_bytes) = (offset, 0);
        loop {
            tools.cancel.check()?;
            if let Some(found) = tools.kept(Key::Packed(self.number, at)) {
                return Ok((at, found));
            }
            let how = tools.unpacking(self.number);
            let (entry, contents) = self.pack.unpack(self.pack_file, at, wanted, how)?;
            let below = match entry.base {
                Base::Whole(kind) => return Ok((at, (kind, Arc::new(contents)))),
                Base::Offset(offset) => offset,
                Base::Id(id) => {
                    let found = self.index.find(self.index_file, &id)?;
                    found.ok_or(ObjectError::Damaged("a delta's base is not in its pack"))?
                }
            };
            held_bytes += contents.len();
            if deltas.len() == MOST_DELTAS {
                return Err(ObjectError::Damaged("too many deltas follow each other"));
            }
            if held_bytes > OBJECT_BYTES {
                return Err(ObjectError::TooLarge);
            }
            deltas.push((at, contents));
            at = below;
        }
    }
}

impl Tools<'_> {
    fn unpacking(&mut self, number: u64) -> Unpacking<'_> {
        let (inflater, chunk) = (&mut *self.inflater, &mut *self.chunk);
        Unpacking { inflater, chunk, of: Some(number), cancel: self.cancel }
    }

    fn kept(&self, key: Key) -> Option<Unpacked> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(key)
    }

    fn keep(&self, key: Key, object: Unpacked) {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).put(key, object);
    }
}
