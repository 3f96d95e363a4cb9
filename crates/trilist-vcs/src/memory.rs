//! What a host that lives long remembers of repositories between listings.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;
use trilist_core::Identity;
use trilist_root::FileId;

use crate::format::Format;
use crate::ignore_file::{Place, Remembered};
use crate::index::{CachedTree, Link};
use crate::objects::Objects;

/// Spares listings what they would read again to learn the same.
///
/// Nothing in it can be out of date: objects are known by their ids, what was found in an index
/// by that index's identity, and the rules of an ignore file by the state of the file, which is
/// looked at each time. HEAD, references, the configuration and which index there is are read
/// anew for each listing.
///
/// It is shared by threads and bounded: of the object stores of four repositories up to 44 MiB
/// each, of eight indexes what is behind their entries, up to 8 MiB each, and 32 ignore files of
/// at most 1 MiB.
#[derive(Debug)]
pub struct Memory {
    objects: Recent<StoreKey, Objects>,
    indexes: Recent<Identity, IndexFacts>,
    ignore_files: Recent<Place, Remembered>,
}

/// Which object stores these are: the same directories, read in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct StoreKey {
    pub(crate) stores: Vec<FileId>,
    pub(crate) format: Format,
}

/// What was found behind an index's entries.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexFacts {
    /// What a listing need not find out again: that the index is sound as far as it is looked
    /// through, and what it shares.
    pub(crate) vetted: Option<Option<Link>>,
    /// The cached trees, if they were looked for.
    pub(crate) cached: Option<Option<Arc<CachedTree>>>,
    /// The tree that the cached trees say the whole index equals, if that was looked for.
    top: Option<Option<Vec<u8>>>,
}

/// An index that can be told from others, and what is remembered of it.
pub(crate) struct KnownIndex {
    memory: Arc<Memory>,
    /// `None` for an index that cannot be told from others.
    identity: Option<Identity>,
}

impl KnownIndex {
    pub(crate) fn new(memory: &Arc<Memory>, identity: Option<Identity>) -> Self {
        KnownIndex { memory: Arc::clone(memory), identity }
    }

    /// The tree that the cached trees say the whole index equals.
    pub(crate) fn top(&self, find: impl FnOnce() -> Option<Vec<u8>>) -> Option<Vec<u8>> {
        let Some(identity) = self.identity else { return find() };
        let known = self.memory.index(identity);
        known.top.clone().unwrap_or_else(|| {
            let top = find();
            self.memory.keep_index(identity, IndexFacts { top: Some(top.clone()), ..known });
            top
        })
    }
}

const REPOSITORIES: NonZeroUsize = NonZeroUsize::new(4).expect("it is not zero");
const INDEXES: NonZeroUsize = NonZeroUsize::new(8).expect("it is not zero");
const IGNORE_FILES: NonZeroUsize = NonZeroUsize::new(32).expect("it is not zero");

impl Default for Memory {
    fn default() -> Self {
        Memory {
            objects: Recent::new(REPOSITORIES),
            indexes: Recent::new(INDEXES),
            ignore_files: Recent::new(IGNORE_FILES),
        }
    }
}

impl Memory {
    /// The store for these directories: one that was used before, or `new`.
    pub(crate) fn objects(&self, key: StoreKey, new: impl FnOnce() -> Objects) -> Objects {
        let mut held = self.objects.lock();
        held.get_or_insert(key, new).another()
    }

    pub(crate) fn index(&self, identity: Identity) -> IndexFacts {
        self.indexes.lock().get(&identity).cloned().unwrap_or_default()
    }

    pub(crate) fn keep_index(&self, identity: Identity, facts: IndexFacts) {
        self.indexes.lock().put(identity, facts);
    }

    pub(crate) fn ignore_file(&self, place: &Place) -> Option<Remembered> {
        self.ignore_files.lock().get(place).cloned()
    }

    pub(crate) fn keep_ignore_file(&self, place: Place, file: Remembered) {
        self.ignore_files.lock().put(place, file);
    }
}

/// The values that were used last.
#[derive(Debug)]
struct Recent<K: std::hash::Hash + Eq, V>(Mutex<LruCache<K, V>>);

impl<K: std::hash::Hash + Eq, V> Recent<K, V> {
    fn new(most: NonZeroUsize) -> Self {
        Recent(Mutex::new(LruCache::new(most)))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<K, V>> {
        // Whoever panicked has left whole values: each is put in by one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
