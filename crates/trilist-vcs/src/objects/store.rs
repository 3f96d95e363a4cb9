//! The object stores of a repository.

use std::fmt;
use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use trilist_core::Cancel;
use trilist_root::Dir;

use super::cache::{Cache, Key};
use super::chain::Tools;
use super::error::hex;
use super::files::Files;
use super::inflate::Inflater;
use super::input::Chunk;
use super::packs::{PackPlace, Packs, Shelf};
use super::{Hash, OBJECT_BYTES, ObjectError, ObjectFault, ObjectKind, loose};

/// Reads the commits and trees of a repository.
///
/// Clones made with [`Objects::another`] share what was opened and unpacked; each reads on its
/// own thread without waiting for the others. A store that is kept for long goes on when
/// somebody packs the repository anew.
pub struct Objects {
    shared: Arc<Shared>,
    inflater: Inflater,
    chunk: Chunk,
    /// Where the last object was found: the next one is likely there too.
    last: Option<Arc<PackPlace>>,
    /// How many objects were read through this handle.
    read: u32,
}

struct Shared {
    stores: Vec<Dir>,
    hash: Hash,
    /// Whether absent objects may simply not have been fetched.
    partial: bool,
    packs: Mutex<Option<Arc<Packs>>>,
    files: Files,
    /// What other objects may be made from.
    cache: Mutex<Cache>,
    /// What was asked for.
    named: Mutex<Cache>,
    /// How many bytes of packs' indexes may still be held in memory.
    room: Arc<AtomicUsize>,
}

/// Half of the bytes that are kept to make objects from, and of those that were asked for.
const CACHE_BYTES: usize = 16 << 20;
const NAMED_BYTES: usize = 2 << 20;
/// The most bytes of packs' indexes in memory.
const INDEX_BYTES: usize = 8 << 20;
/// How many of the objects that one handle reads are kept.
const MOST_NAMED: u32 = 256;

/// How often an object is looked for while the packs change.
const MOST_LOOKS: u32 = 3;

/// Tags that may name one another before the one that names a commit.
const MOST_TAGS: usize = 16;

/// An object's contents, or the first reason why a copy of it could not be read.
type Attempt = Result<Option<Arc<Vec<u8>>>, ObjectError>;

impl Objects {
    /// The store of a repository: its own `objects` directory first, then those that it borrows
    /// from. Nothing is read before the first object is asked for. `partial` says that what is
    /// missing may simply not have been fetched.
    pub fn new(stores: Vec<Dir>, hash: Hash, partial: bool) -> Self {
        let shared = Shared {
            stores,
            hash,
            partial,
            packs: Mutex::default(),
            files: Files::default(),
            cache: Mutex::new(Cache::new(CACHE_BYTES)),
            named: Mutex::new(Cache::new(NAMED_BYTES)),
            room: Arc::new(AtomicUsize::new(INDEX_BYTES)),
        };
        Objects::of(Arc::new(shared))
    }

    fn of(shared: Arc<Shared>) -> Self {
        Objects {
            shared,
            inflater: Inflater::default(),
            chunk: Chunk::default(),
            last: None,
            read: 0,
        }
    }

    /// Another handle on the same store.
    pub fn another(&self) -> Self {
        Objects { last: self.last.clone(), ..Objects::of(Arc::clone(&self.shared)) }
    }

    /// The number of bytes of an id.
    pub fn hash_len(&self) -> usize {
        self.shared.hash.len_in_bytes()
    }

    /// The id of a commit's tree; of the commit that a tag names, where HEAD leads to one.
    ///
    /// # Errors
    ///
    /// When the commit is not to be had.
    pub fn tree_of(&mut self, commit: &[u8], cancel: &Cancel) -> Result<Vec<u8>, ObjectFault> {
        let mut id = commit.to_vec();
        for _ in 0..MOST_TAGS {
            match self.read(&id, ObjectKind::Commit, cancel) {
                Ok(commit) => return self.line(&id, &commit, b"tree ", "it names no tree"),
                Err(fault) if fault.is_tag() => {
                    let tag = self.read(&id, ObjectKind::Tag, cancel)?;
                    id = self.line(&id, &tag, b"object ", "it names no object")?;
                }
                Err(fault) => return Err(fault),
            }
        }
        Err(ObjectFault { id, error: ObjectError::Damaged("it is a tag of too many tags") })
    }

    /// The id in the first line of an object.
    fn line(
        &self,
        id: &[u8],
        object: &[u8],
        word: &[u8],
        fault: &'static str,
    ) -> Result<Vec<u8>, ObjectFault> {
        let line = object.strip_prefix(word);
        let found = line.and_then(|line| crate::head::from_hex(line, self.hash_len()));
        let error = ObjectError::Damaged(fault);
        found.ok_or_else(|| ObjectFault { id: id.to_vec(), error })
    }

    /// The contents of a tree.
    ///
    /// # Errors
    ///
    /// When the tree is not to be had.
    pub fn tree(&mut self, id: &[u8], cancel: &Cancel) -> Result<Arc<Vec<u8>>, ObjectFault> {
        if id == self.shared.hash.empty_tree() {
            return Ok(Arc::default());
        }
        self.read(id, ObjectKind::Tree, cancel)
    }

    fn read(
        &mut self,
        id: &[u8],
        wanted: ObjectKind,
        cancel: &Cancel,
    ) -> Result<Arc<Vec<u8>>, ObjectFault> {
        if let Some(object) = self.shared.named(id, wanted) {
            return Ok(object);
        }
        let found = self.find(id, wanted, cancel);
        let found = found.map_err(|error| ObjectFault { id: id.to_vec(), error })?;
        // The first ones are those that the next listing asks for again, whatever it wants.
        if self.read < MOST_NAMED {
            self.read += 1;
            self.shared.keep_named(id, wanted, &found);
        }
        Ok(found)
    }

    /// Looks everywhere, and everywhere again if the packs have changed meanwhile.
    fn find(
        &mut self,
        id: &[u8],
        wanted: ObjectKind,
        cancel: &Cancel,
    ) -> Result<Arc<Vec<u8>>, ObjectError> {
        if id.len() != self.hash_len() {
            return Err(ObjectError::Damaged("its id has the wrong length"));
        }
        let mut packs = self.shared.packs(cancel)?;
        let mut attempt = self.attempt(&packs, id, wanted, cancel);
        for _ in 1..MOST_LOOKS {
            if matches!(attempt, Ok(Some(_)) | Err(ObjectError::Stopped(_))) {
                break;
            }
            let Some(newer) = self.shared.newer(&packs, cancel)? else { break };
            packs = newer;
            attempt = self.attempt(&packs, id, wanted, cancel);
        }
        match attempt? {
            Some(object) => Ok(object),
            None => Err(self.shared.missing(&packs)),
        }
    }

    /// Looks for a copy that can be read.
    fn attempt(
        &mut self,
        packs: &Packs,
        id: &[u8],
        wanted: ObjectKind,
        cancel: &Cancel,
    ) -> Attempt {
        let mut first_error = None;
        let last = self.last.take();
        let others = packs
            .all
            .iter()
            .filter(|pack| last.as_ref().is_none_or(|last| last.number != pack.number));
        for (at, pack) in last.iter().chain(others).enumerate() {
            if at % 64 == 63 {
                cancel.check()?;
            }
            match self.packed(pack, id, wanted, cancel) {
                Ok(Some(object)) => {
                    self.last = Some(Arc::clone(pack));
                    return Ok(Some(object));
                }
                Ok(None) => {}
                Err(error @ ObjectError::Stopped(_)) => return Err(error),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        for store in 0..self.shared.stores.len() {
            match self.loose(store, id, wanted, cancel) {
                Ok(Some(object)) => return Ok(Some(object)),
                Ok(None) => {}
                Err(error @ ObjectError::Stopped(_)) => return Err(error),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        first_error.map_or(Ok(None), Err)
    }

    fn packed(
        &mut self,
        pack: &PackPlace,
        id: &[u8],
        wanted: ObjectKind,
        cancel: &Cancel,
    ) -> Attempt {
        let Shared { stores, files, hash, cache, room, .. } = &*self.shared;
        let shelf = Shelf { stores, files, hash: *hash, room };
        let (inflater, chunk) = (&mut self.inflater, &mut self.chunk);
        let mut tools = Tools { inflater, chunk, cache, cancel };
        let found = pack.object(&shelf, id, wanted, &mut tools)?;
        if let Some(object) = &found {
            hash.check_object(wanted, object, id)?;
        }
        Ok(found)
    }

    fn loose(&mut self, store: usize, id: &[u8], wanted: ObjectKind, cancel: &Cancel) -> Attempt {
        let digits = hex(id).into_bytes();
        let (first, rest) = digits.split_at(2);
        let dir = match self.shared.stores[store].open_dir(first) {
            Ok(dir) => dir,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(ObjectError::Damaged("its directory is none"));
            }
            Err(error) => return Err(ObjectError::Io(error)),
        };
        let file = match dir.open_file(rest) {
            Ok(file) => file,
            Err(error) => return ObjectError::unopened(error).map_or(Ok(None), Err),
        };
        // What cannot be packed becomes a little larger.
        if file.len() > OBJECT_BYTES as u64 + (1 << 20) {
            return Err(ObjectError::TooLarge);
        }
        let found = loose::decode(&file, wanted, &mut self.inflater, &mut self.chunk, cancel)?;
        self.shared.hash.check_object(wanted, &found, id)?;
        Ok(Some(Arc::new(found)))
    }
}

impl Shared {
    /// An object that was asked for not long ago.
    fn named(&self, id: &[u8], wanted: ObjectKind) -> Option<Arc<Vec<u8>>> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let (kind, object) = named.get(Key::Named(filled_up(id)?))?;
        (kind == wanted).then_some(object)
    }

    fn keep_named(&self, id: &[u8], kind: ObjectKind, object: &Arc<Vec<u8>>) {
        let Some(id) = filled_up(id) else { return };
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        named.put(Key::Named(id), (kind, Arc::clone(object)));
    }

    /// The packs as they were found when they were last looked for.
    fn packs(&self, cancel: &Cancel) -> Result<Arc<Packs>, ObjectError> {
        if let Some(packs) = self.known() {
            return Ok(packs);
        }
        let found = Packs::scan(&self.stores, &Packs::default(), cancel)?;
        Ok(self.settle(found))
    }

    fn known(&self) -> Option<Arc<Packs>> {
        self.packs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn settle(&self, found: Packs) -> Arc<Packs> {
        let found = Arc::new(found);
        self.files.retain(|number| found.all.iter().any(|pack| pack.number == number));
        let mut packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(packs.insert(found))
    }

    /// The packs as they are now, if they are others than `seen`.
    fn newer(&self, seen: &Packs, cancel: &Cancel) -> Result<Option<Arc<Packs>>, ObjectError> {
        // Somebody else may have looked meanwhile.
        if let Some(known) = self.known().filter(|known| !known.is_same(seen)) {
            return Ok(Some(known));
        }
        let found = Packs::scan(&self.stores, seen, cancel)?;
        Ok((!found.is_same(seen)).then(|| self.settle(found)))
    }

    fn missing(&self, packs: &Packs) -> ObjectError {
        match &packs.fault {
            Some((name, why)) => ObjectError::Pack { name: name.clone(), why: why.clone() },
            None if self.partial => ObjectError::NotFetched,
            None => ObjectError::Missing,
        }
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects").field("hash", &self.shared.hash).finish_non_exhaustive()
    }
}

fn filled_up(id: &[u8]) -> Option<[u8; 32]> {
    let mut filled = [0; 32];
    filled.get_mut(..id.len())?.copy_from_slice(id);
    Some(filled)
}
