//! Objects unpacked not long ago.

use std::collections::HashMap;
use std::sync::Arc;

use super::ObjectKind;

/// Which object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The one at an offset of the pack of this number.
    Packed(u64, u64),
    /// The one of this id, filled up with zeros.
    Named([u8; 32]),
}

/// An unpacked object.
pub(super) type Unpacked = (ObjectKind, Arc<Vec<u8>>);

/// Objects that others may be made from, bounded in bytes.
///
/// Without it, a tree at the end of a chain of deltas would be made anew from the chain's start
/// for each of its neighbours. There are two generations: when the young one is full it becomes
/// the old one, and what is used of the old one becomes young again.
#[derive(Debug)]
pub(super) struct Cache {
    /// The most bytes of one generation.
    generation_bytes: usize,
    young: HashMap<Key, Unpacked>,
    old: HashMap<Key, Unpacked>,
    young_bytes: usize,
}

/// What an entry costs besides its contents.
const ENTRY_BYTES: usize = 128;

impl Cache {
    /// A cache of two generations of so many bytes.
    pub(super) fn new(generation_bytes: usize) -> Self {
        let (young, old) = Default::default();
        Cache { generation_bytes, young, old, young_bytes: 0 }
    }

    pub(super) fn get(&mut self, key: Key) -> Option<Unpacked> {
        if let Some(found) = self.young.get(&key) {
            return Some(found.clone());
        }
        let found = self.old.remove(&key)?;
        self.put(key, found.clone());
        Some(found)
    }

    pub(super) fn put(&mut self, key: Key, unpacked: Unpacked) {
        let bytes = unpacked.1.len() + ENTRY_BYTES;
        if bytes > self.generation_bytes {
            return;
        }
        if self.young_bytes + bytes > self.generation_bytes {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if self.young.insert(key, unpacked).is_none() {
            self.young_bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Cache, ENTRY_BYTES, Key};
    use crate::objects::ObjectKind;

    #[test]
    fn it_stays_within_its_bounds_and_keeps_what_is_used() {
        const EACH: usize = 1 << 20;
        const GENERATION_BYTES: usize = 16 << 20;
        let mut cache = Cache::new(GENERATION_BYTES);
        let object = || (ObjectKind::Tree, Arc::new(vec![0; EACH]));
        cache.put(Key::Packed(0, 0), object());
        for offset in 1..200 {
            cache.put(Key::Packed(0, offset), object());
            assert!(cache.get(Key::Packed(0, 0)).is_some(), "it was used again each time");
            let held = cache.young.len() + cache.old.len();
            assert!(held * (EACH + ENTRY_BYTES) <= 2 * GENERATION_BYTES);
        }
        assert!(cache.get(Key::Packed(0, 1)).is_none());
        assert!(cache.get(Key::Packed(0, 199)).is_some());
        cache.put(Key::Packed(1, 0), (ObjectKind::Tree, Arc::new(vec![0; GENERATION_BYTES])));
        assert!(cache.get(Key::Packed(1, 0)).is_none(), "it would be the only one");
    }
}
