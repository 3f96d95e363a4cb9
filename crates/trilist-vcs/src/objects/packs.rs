//! Which packs there are.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use trilist_core::{Cancel, Kind, ListError};
use trilist_root::{Dir, FileStamp, RegularFile, Scratch};

use super::chain::{Open, Tools};
use super::files::{Files, Part, is_same};
use super::{Hash, ObjectError, ObjectKind, Pack, PackIndex, ReadAt};

/// The most packs of all stores together. Of each a kilobyte is kept.
const MOST_PACKS: usize = 4096;
/// The most entries of a `pack` directory, several a pack.
const MOST_ENTRIES: usize = 65_536;
/// The longest name that is looked at; file systems have no longer ones.
const MOST_NAME_BYTES: usize = 255;

/// The packs of all stores at one look, the newest first.
#[derive(Debug, Default)]
pub(super) struct Packs {
    pub(super) all: Vec<Arc<PackPlace>>,
    /// What was not looked at, and why.
    pub(super) fault: Option<(Vec<u8>, String)>,
}

/// A pack's place, and what was read of it.
#[derive(Debug)]
pub(super) struct PackPlace {
    pub(super) number: u64,
    /// Which store it lies in, and its name there without the ending.
    store: usize,
    stem: Vec<u8>,
    /// What its index was when it was found.
    stamp: FileStamp,
    index: OnceLock<PackIndex>,
    pack: OnceLock<(Pack, FileStamp)>,
    /// How often something was looked up, and the index's file once that is often.
    lookups: AtomicU32,
    held: OnceLock<Option<Held>>,
}

/// The packs of an earlier look by store and name.
type Known<'a> = HashMap<(usize, &'a [u8]), &'a Arc<PackPlace>>;

/// Numbers the packs of one process, so that none is taken for another.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Packs {
    /// Looks into the `pack` directories. A pack that `before` has too stays what it is.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled; a directory that cannot be read is a fault.
    pub(super) fn scan(stores: &[Dir], before: &Packs, cancel: &Cancel) -> Result<Self, ListError> {
        let mut packs = Packs::default();
        let known = before.all.iter().map(|pack| ((pack.store, pack.stem.as_slice()), pack));
        let known: Known<'_> = known.collect();
        for (store, dir) in stores.iter().enumerate() {
            match dir.open_dir(b"pack") {
                Ok(dir) => packs.add(store, &dir, &known, cancel)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => packs.miss(b"objects/pack", trilist_root::errno_name(&error)),
            }
        }
        let newest = |pack: &Arc<PackPlace>| std::cmp::Reverse(pack.stamp.mtime);
        packs.all.sort_by(|a, b| (newest(a), a.store, &a.stem).cmp(&(newest(b), b.store, &b.stem)));
        if packs.all.len() > MOST_PACKS {
            packs.all.truncate(MOST_PACKS);
            packs.miss(b"objects/pack", format!("it has more than {MOST_PACKS} packs"));
        }
        Ok(packs)
    }

    fn add(
        &mut self,
        store: usize,
        dir: &Dir,
        known: &Known<'_>,
        cancel: &Cancel,
    ) -> Result<(), ListError> {
        let (stems, strange) = match indexes(dir) {
            Ok(found) => found,
            Err(why) => {
                self.miss(b"objects/pack", why);
                return Ok(());
            }
        };
        if let Some(name) = strange {
            self.miss(&name, "it is not a regular file".to_owned());
        }
        for (at, stem) in stems.into_iter().enumerate() {
            if at % 256 == 0 {
                cancel.check()?;
            }
            match dir.stamp(&Part::Index.name(&stem)) {
                Ok(Some(stamp)) => self.all.push(same_or_new(known, store, stem, stamp)),
                Ok(None) => {}
                Err(error) => {
                    self.miss(&Part::Index.name(&stem), trilist_root::errno_name(&error));
                }
            }
        }
        Ok(())
    }

    fn miss(&mut self, name: &[u8], why: String) {
        self.fault.get_or_insert_with(|| (name.to_vec(), why));
    }

    /// Whether two looks saw the same packs.
    pub(super) fn is_same(&self, other: &Packs) -> bool {
        self.fault == other.fault
            && self.all.len() == other.all.len()
            && self.all.iter().zip(&other.all).all(|(one, other)| one.number == other.number)
    }
}

fn same_or_new(known: &Known<'_>, store: usize, stem: Vec<u8>, stamp: FileStamp) -> Arc<PackPlace> {
    let same = known.get(&(store, stem.as_slice())).filter(|pack| is_same(pack.stamp, stamp));
    if let Some(same) = same {
        return Arc::clone(same);
    }
    Arc::new(PackPlace {
        number: NEXT.fetch_add(1, Ordering::Relaxed),
        store,
        stem,
        stamp,
        index: OnceLock::new(),
        pack: OnceLock::new(),
        lookups: AtomicU32::new(0),
        held: OnceLock::new(),
    })
}

/// Names, or the first that is no regular file.
type Found = (Vec<Vec<u8>>, Option<Vec<u8>>);

/// The names of the packs of a directory that have an index, without the ending.
fn indexes(dir: &Dir) -> Result<Found, String> {
    let (mut stems, mut strange, mut entries) = (Vec::new(), None, 0);
    let read = dir.entries(&mut Scratch::default(), &mut |entry| {
        entries += 1;
        if let Some(stem) = entry.name.strip_suffix(b".idx")
            && entry.name.len() <= MOST_NAME_BYTES
        {
            match entry.kind {
                Kind::File => stems.push(stem.to_vec()),
                _ => strange = Some(entry.name.to_vec()),
            }
        }
        Ok(match entries > MOST_ENTRIES {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    });
    match read {
        Err(error) => Err(trilist_root::errno_name(&error)),
        Ok(()) if entries > MOST_ENTRIES => Err(format!("it has more than {MOST_ENTRIES} entries")),
        Ok(()) => Ok((stems, strange)),
    }
}

/// What is common to the packs of a store.
pub(super) struct Shelf<'a> {
    pub(super) stores: &'a [Dir],
    pub(super) files: &'a Files,
    pub(super) hash: Hash,
    /// How many bytes of indexes may still be held in memory.
    pub(super) room: &'a Arc<AtomicUsize>,
}

/// After so many lookups in an index it is cheaper to have it in memory.
const MANY_LOOKUPS: u32 = 256;

impl PackPlace {
    /// Looks for an object here. `None` if it is not here, or no longer.
    ///
    /// # Errors
    ///
    /// When the pack or its index cannot be read, when the object is damaged, or when the caller
    /// has cancelled.
    pub(super) fn object(
        &self,
        shelf: &Shelf<'_>,
        id: &[u8],
        wanted: ObjectKind,
        tools: &mut Tools<'_>,
    ) -> Result<Option<Arc<Vec<u8>>>, ObjectError> {
        if self.index.get().is_some_and(|index| index.excludes(id)) {
            return Ok(None);
        }
        let within = |error: ObjectError| error.within(&Part::Index.name(&self.stem));
        let Some(index_file) = self.index_file(shelf).map_err(within)? else { return Ok(None) };
        let index = self.index(&index_file, shelf.hash).map_err(within)?;
        let table: &dyn ReadAt = match self.held(&index_file, shelf.room) {
            Some(held) => held,
            None => &*index_file,
        };
        let Some(offset) = index.find(table, id).map_err(within)? else { return Ok(None) };
        let pack = self.pack(shelf, index, &index_file);
        let pack = pack.map_err(|error| error.within(&Part::Pack.name(&self.stem)))?;
        let Some((pack, pack_file)) = pack else { return Ok(None) };
        let number = self.number;
        let open = Open { number, index, index_file: table, pack, pack_file: &*pack_file };
        open.object(offset, wanted, tools).map(Some)
    }

    fn open(&self, shelf: &Shelf<'_>, part: Part) -> Result<Option<Arc<RegularFile>>, ObjectError> {
        let name = || part.name(&self.stem);
        shelf.files.open(&shelf.stores[self.store], self.number, part, name)
    }

    /// The index, if it is still the one that was found.
    fn index_file(&self, shelf: &Shelf<'_>) -> Result<Option<Arc<RegularFile>>, ObjectError> {
        let file = self.open(shelf, Part::Index)?;
        Ok(file.filter(|file| is_same(file.stamp(), self.stamp)))
    }

    fn index(&self, file: &RegularFile, hash: Hash) -> Result<&PackIndex, ObjectError> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let read = PackIndex::read(file, hash)?;
        Ok(self.index.get_or_init(|| read))
    }

    /// The index's file in memory, if it was asked often and there is room.
    fn held(&self, file: &RegularFile, room: &Arc<AtomicUsize>) -> Option<&Vec<u8>> {
        if let Some(held) = self.held.get() {
            return held.as_ref().map(|held| &held.bytes);
        }
        if self.lookups.fetch_add(1, Ordering::Relaxed) < MANY_LOOKUPS {
            return None;
        }
        let held = self.held.get_or_init(|| Held::read(file, room));
        held.as_ref().map(|held| &held.bytes)
    }

    /// The pack, if it is still the one that was checked.
    fn pack(
        &self,
        shelf: &Shelf<'_>,
        index: &PackIndex,
        index_file: &RegularFile,
    ) -> Result<Option<(&Pack, Arc<RegularFile>)>, ObjectError> {
        let Some(file) = self.open(shelf, Part::Pack)? else { return Ok(None) };
        if self.pack.get().is_none() {
            let read = Pack::read(&*file, shelf.hash)?;
            read.check_index(&*file, index, index_file)?;
            let _ = self.pack.set((read, file.stamp()));
        }
        let known = self.pack.get().filter(|(_, stamp)| is_same(file.stamp(), *stamp));
        Ok(known.map(|(pack, _)| (pack, file)))
    }
}

/// A file in memory, within a bound for all of them.
#[derive(Debug)]
struct Held {
    bytes: Vec<u8>,
    room: Arc<AtomicUsize>,
}

impl Held {
    /// Reads a file if there is room for it. Who cannot read it now says so at the next lookup.
    fn read(file: &RegularFile, room: &Arc<AtomicUsize>) -> Option<Held> {
        let size = usize::try_from(file.len()).ok()?;
        let take = |room: usize| room.checked_sub(size);
        room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        let mut held = Held { bytes: vec![0; size], room: Arc::clone(room) };
        file.read_exact_at(&mut held.bytes, 0).ok()?;
        Some(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.fetch_add(self.bytes.len(), Ordering::Relaxed);
    }
}
