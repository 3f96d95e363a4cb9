//! Reading objects.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use gix_object::Find as _;
use gix_odb::store::init::{Options, Slots};
use trilist_core::{Kind, RelPath};
use trilist_root::{Dir, Root};

/// The object store of a repository.
///
/// Each stream has its own clone; they share what was opened.
pub(crate) struct Objects {
    handle: gix_odb::HandleArc,
    dir: Arc<Dir>,
    hash: gix_hash::Kind,
    /// Whether absent objects may simply not have been fetched.
    partial: bool,
}

/// Why an object is not to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ObjectFault(String);

/// The most bytes of one object: a directory of a million names has about 47 MB.
const OBJECT_BYTES: usize = 64 << 20;

impl Objects {
    /// Opens the store below a git directory whose `objects` were checked.
    pub(crate) fn open(
        common_dir: &Root,
        hash: gix_hash::Kind,
        partial: bool,
    ) -> Result<Self, ObjectFault> {
        let unopened = |error: String| ObjectFault(format!("`objects` cannot be read: {error}"));
        let dir = common_dir
            .open_dir(RelPath::assume(b"objects"))
            .map_err(|error| unopened(error.to_string()))?;
        let path = Path::new(OsStr::from_bytes(common_dir.path())).join("objects");
        let options = Options {
            slots: Slots::default(),
            use_multi_pack_index: true,
            alloc_limit_bytes: Some(OBJECT_BYTES),
            // Where the process happens to be must not matter.
            current_dir: Some("/".into()),
            ..Options::default()
        };
        let store = gix_odb::Store::at_opts(path, hash, &mut None.into_iter(), options)
            .map_err(|error| unopened(error.kind().to_string()))?;
        Ok(Objects {
            handle: gix_odb::Cache::from(Arc::new(store).to_handle_arc()),
            dir: Arc::new(dir),
            hash,
            partial,
        })
    }

    /// Another handle on the same store.
    pub(crate) fn another(&self) -> Self {
        Objects {
            handle: self.handle.clone(),
            dir: Arc::clone(&self.dir),
            hash: self.hash,
            partial: self.partial,
        }
    }

    /// The number of bytes of an id.
    pub(crate) fn hash_len(&self) -> usize {
        self.hash.len_in_bytes()
    }

    /// The id of a commit's tree.
    pub(crate) fn tree_of(&self, commit: &[u8]) -> Result<Vec<u8>, ObjectFault> {
        let bytes = self.read(commit, gix_object::Kind::Commit)?;
        let line = bytes.strip_prefix(b"tree ");
        line.and_then(|line| super::refs::from_hex(line, self.hash_len()))
            .ok_or_else(|| self.damaged(commit, "it is no commit"))
    }

    /// The contents of a tree.
    pub(crate) fn tree(&self, id: &[u8]) -> Result<Vec<u8>, ObjectFault> {
        // Git knows the empty tree without having it.
        if id == self.hash.empty_tree().as_bytes() {
            return Ok(Vec::new());
        }
        self.read(id, gix_object::Kind::Tree)
    }

    fn read(&self, id: &[u8], kind: gix_object::Kind) -> Result<Vec<u8>, ObjectFault> {
        let oid = gix_hash::oid::try_from_bytes(id)
            .map_err(|_| ObjectFault("an object's id has the wrong length".to_owned()))?;
        self.check_loose(oid)?;
        let mut buffer = Vec::new();
        let found = self.handle.try_find(oid, &mut buffer);
        let (actual, start, len) = match found {
            Ok(Some(found)) => (found.kind, found.data.as_ptr().addr(), found.data.len()),
            Ok(None) => return Err(self.missing(id)),
            // The library's own words may name places outside the root.
            Err(_) => return Err(self.damaged(id, "it cannot be decoded")),
        };
        if actual != kind {
            return Err(self.damaged(id, &format!("it is a {actual}, not a {kind}")));
        }
        buffer.drain(..start.saturating_sub(buffer.as_ptr().addr()));
        buffer.truncate(len);
        Ok(buffer)
    }

    /// The store opens what lies at an object's place, be it a pipe; so its kind is asked first.
    fn check_loose(&self, id: &gix_hash::oid) -> Result<(), ObjectFault> {
        let hex = id.to_hex().to_string();
        let (first, rest) = hex.as_bytes().split_at(2);
        let Ok(dir) = self.dir.open_dir(first) else {
            return match self.dir.kind_of(first) {
                Ok(None) => Ok(()),
                _ => Err(self.damaged(id.as_bytes(), "its directory cannot be read")),
            };
        };
        match dir.kind_of(rest) {
            Ok(None | Some(Kind::File)) => Ok(()),
            _ => Err(self.damaged(id.as_bytes(), "it is not a regular file")),
        }
    }

    fn missing(&self, id: &[u8]) -> ObjectFault {
        let why = if self.partial { "it was not fetched (partial clone)" } else { "it is missing" };
        self.damaged(id, why)
    }

    fn damaged(&self, id: &[u8], why: &str) -> ObjectFault {
        let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        ObjectFault(format!("object {hex}: {why}"))
    }
}
