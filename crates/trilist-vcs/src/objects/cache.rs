//! Objects unpacked not long ago.

use std::collections::HashMap;
use std::sync::Arc;

use super::ObjectKind;

/// Which object of which pack: the pack's number and the offset.
pub(super) type Key = (u64, u64);

/// An unpacked object.
pub(super) type Unpacked = (ObjectKind, Arc<Vec<u8>>);

/// Objects that others may be made from, bounded in bytes.
///
/// Without it, a tree at the end of a chain of deltas would be made anew from the chain's start
/// for each of its neighbours. There are two generations: when the young one is full it becomes
/// the old one, and what is used of the old one becomes young again.
#[derive(Debug, Default)]
pub(super) struct Cache {
    young: HashMap<Key, Unpacked>,
    old: HashMap<Key, Unpacked>,
    young_bytes: usize,
}

/// The most bytes of one generation.
const GENERATION_BYTES: usize = 16 << 20;
/// What an entry costs besides its contents.
const ENTRY_BYTES: usize = 128;

impl Cache {
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
        if bytes > GENERATION_BYTES {
            return;
        }
        if self.young_bytes + bytes > GENERATION_BYTES {
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

    use super::{Cache, ENTRY_BYTES, GENERATION_BYTES};
    use crate::objects::ObjectKind;

    #[test]
    fn it_stays_within_its_bounds_and_keeps_what_is_used() {
        const EACH: usize = 1 << 20;
        let mut cache = Cache::default();
        let object = || (ObjectKind::Tree, Arc::new(vec![0; EACH]));
        cache.put((0, 0), object());
        for offset in 1..200 {
            cache.put((0, offset), object());
            assert!(cache.get((0, 0)).is_some(), "it was used again each time");
            let held = cache.young.len() + cache.old.len();
            assert!(held * (EACH + ENTRY_BYTES) <= 2 * GENERATION_BYTES);
        }
        assert!(cache.get((0, 1)).is_none());
        assert!(cache.get((0, 199)).is_some());
        cache.put((1, 0), (ObjectKind::Tree, Arc::new(vec![0; GENERATION_BYTES])));
        assert!(cache.get((1, 0)).is_none(), "it would be the only one");
    }
}
