//! Object stores that a repository borrows from.

use trilist_core::{Kind, quote};

use super::GitDirError;
use super::faults::inside;
use super::finder::Finder;
use super::place::{self, Place};
use crate::{Dir, ReadError, Root};

/// The most bytes of an `alternates` file.
const ALTERNATES_BYTES: u64 = 64 * 1024;
/// How far alternates may have alternates; git's own limit.
const DEEPEST: u32 = 5;
/// The most object stores of one repository. Stores that name each other multiply.
const MOST_STORES: usize = 64;

impl Finder<'_> {
    /// Opens the object store and those that it borrows from. Refuses one that lies neither in
    /// a root nor in the accepted git directory.
    pub(super) fn object_stores(
        &self,
        git_dir: &Root,
        common_dir: &Root,
    ) -> Result<Vec<Dir>, GitDirError> {
        let accepted = [git_dir, common_dir];
        let mut stores = Vec::new();
        let Some(objects) = self.open_within(common_dir, "objects")? else {
            return Ok(stores);
        };
        let path = place::join(common_dir.path(), b"objects");
        let mut todo = vec![(path, objects, 0)];
        let mut seen = Vec::new();
        while let Some((path, objects, depth)) = todo.pop() {
            // Stores may name each other, or themselves: git drops the repeats too.
            let id = objects.id().map_err(|error| self.io(&inside("objects"), error))?;
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            if depth > DEEPEST || stores.len() == MOST_STORES {
                return Err(self.refused("`objects/info/alternates` are nested too deeply"));
            }
            for (path, objects) in self.check_store(&accepted, &path, &objects)? {
                todo.push((path, objects, depth + 1));
            }
            stores.push(objects);
        }
        Ok(stores)
    }

    /// Checks one store; gives those that it borrows from.
    fn check_store(
        &self,
        accepted: &[&Root],
        path: &[u8],
        objects: &Dir,
    ) -> Result<Vec<(Vec<u8>, Dir)>, GitDirError> {
        self.check_entries(objects, "objects")?;
        if let Some(pack) = self.open_child(objects, b"pack")? {
            self.check_entries(&pack, "objects/pack")?;
        }
        let Some(info) = self.open_child(objects, b"info")? else {
            return Ok(Vec::new());
        };
        self.check_entries(&info, "objects/info")?;
        let text = match info.read_file(b"alternates", ALTERNATES_BYTES) {
            Ok(text) => text,
            Err(ReadError::NotFound) => return Ok(Vec::new()),
            Err(error) => return Err(self.unread("`objects/info/alternates`", error)),
        };
        let mut stores = Vec::new();
        for line in text.split(|byte| *byte == b'\n') {
            if line.is_empty() || line[0] == b'#' {
                continue;
            }
            let named = quote::unquoted(line).unwrap_or_else(|| line.to_vec());
            stores.extend(self.borrowed(accepted, &place::join(path, &named))?);
        }
        Ok(stores)
    }

    /// The store at a path; `None` if nothing is there, which git passes by too.
    fn borrowed(
        &self,
        accepted: &[&Root],
        path: &[u8],
    ) -> Result<Option<(Vec<u8>, Dir)>, GitDirError> {
        match self.listed(path)? {
            Place::Listed(store) => {
                let dir = store
                    .dir()
                    .map_err(|error| self.io("a store in `objects/info/alternates`", error))?;
                return Ok(Some((store.path().to_vec(), dir)));
            }
            Place::Absent => return Ok(None),
            Place::Outside(_) => {}
        }
        for root in accepted {
            if let Some(asked) = root.relative(path)
                && let Ok(found) = root.resolve(asked)
            {
                let path = place::join(root.path(), found.path.as_bytes());
                return Ok(Some((path, found.dir)));
            }
        }
        Err(self.refused("`objects/info/alternates` leads outside the root"))
    }

    fn open_child(&self, dir: &Dir, name: &[u8]) -> Result<Option<Dir>, GitDirError> {
        match self.kind(dir, name)? {
            Some(Kind::Dir) => {
                let what = || inside(&format!("objects/{}", String::from_utf8_lossy(name)));
                dir.open_dir(name).map(Some).map_err(|error| self.io(&what(), error))
            }
            _ => Ok(None),
        }
    }
}
