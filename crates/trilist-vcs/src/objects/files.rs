//! The files of packs, of which few are open at a time.

use std::sync::{Arc, Mutex, PoisonError};

use trilist_root::{Dir, FileStamp, ReadError, RegularFile};

use super::ObjectError;

/// The most descriptors of packs and their indexes together.
const MOST_OPEN: usize = 32;

/// A pack or its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Pack,
    Index,
}

impl Part {
    /// The name of a pack's file.
    pub(super) fn name(self, stem: &[u8]) -> Vec<u8> {
        match self {
            Part::Pack => [stem, b".pack"].concat(),
            Part::Index => [stem, b".idx"].concat(),
        }
    }
}

/// Files that are open, the one used last at the end.
#[derive(Debug, Default)]
pub(super) struct Files(Mutex<Vec<(Key, Arc<RegularFile>)>>);

/// A pack's number, and which of its files.
type Key = (u64, Part);

impl Files {
    /// A file that is open, or the one of this name in a store's `pack` directory. `None` if
    /// there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub(super) fn open(
        &self,
        store: &Dir,
        number: u64,
        part: Part,
        name: impl FnOnce() -> Vec<u8>,
    ) -> Result<Option<Arc<RegularFile>>, ObjectError> {
        if let Some(file) = self.used((number, part)) {
            return Ok(Some(file));
        }
        let opened = match store.open_dir(b"pack") {
            Ok(dir) => dir.open_file(&name()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(ReadError::Io(error)),
        };
        match opened {
            Ok(file) => Ok(Some(self.keep((number, part), Arc::new(file)))),
            Err(error) => match ObjectError::unopened(error) {
                Some(error) => Err(error),
                None => Ok(None),
            },
        }
    }

    fn used(&self, key: Key) -> Option<Arc<RegularFile>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = open.iter().position(|(other, _)| *other == key)?;
        open[at..].rotate_left(1);
        open.last().map(|(_, file)| Arc::clone(file))
    }

    fn keep(&self, key: Key, file: Arc<RegularFile>) -> Arc<RegularFile> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() == MOST_OPEN {
            open.remove(0);
        }
        open.push((key, Arc::clone(&file)));
        file
    }

    /// Closes what belongs to packs that are gone.
    pub(super) fn retain(&self, is_there: impl Fn(u64) -> bool) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|((number, _), _)| is_there(*number));
    }
}

/// Whether two looks at a name saw the same file. Git never changes these files, but it gives
/// packs that are used a new time.
pub(super) fn is_same(one: FileStamp, other: FileStamp) -> bool {
    one.id() == other.id() && one.size_bytes == other.size_bytes
}
