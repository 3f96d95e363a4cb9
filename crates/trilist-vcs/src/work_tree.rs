//! What is on disk where a tracked name says.

use std::io::ErrorKind;

use trilist_core::{Kind, Metadata, OnDisk, RelPath, RelPathBuf};
use trilist_root::{Dir, OpenDirError, Root};

/// The work tree, with the directory of the last question open.
pub(crate) struct WorkTree<'a> {
    root: &'a Root,
    top: RelPath<'a>,
    open: Option<(RelPathBuf, Result<Dir, OnDisk>)>,
}

impl<'a> WorkTree<'a> {
    pub(crate) fn new(root: &'a Root, top: RelPath<'a>) -> Self {
        let open = None;
        WorkTree { root, top, open }
    }

    /// What is there at a path of the repository, and its facts if it is of the kind that the
    /// repository says.
    pub(crate) fn look(&mut self, path: RelPath<'_>, kind: Kind) -> (OnDisk, Option<Metadata>) {
        let parent = path.parent();
        let same = self.open.as_ref().is_some_and(|(dir, _)| dir.as_path() == parent);
        if !same {
            let dir = self.top.to_buf().join(parent);
            self.open = Some((parent.to_buf(), self.open_dir(dir.as_path())));
        }
        let dir = match &self.open {
            Some((_, Ok(dir))) => dir,
            Some((_, Err(why))) => return (*why, None),
            None => return (OnDisk::Unknown, None),
        };
        match dir.metadata(path.name(), kind) {
            Ok(found) if found == Metadata::default() => (OnDisk::OtherKind, None),
            Ok(found) => (OnDisk::Present, Some(found)),
            Err(error) if error.kind() == ErrorKind::NotFound => (OnDisk::Absent, None),
            Err(_) => (OnDisk::Unknown, None),
        }
    }

    fn open_dir(&self, dir: RelPath<'_>) -> Result<Dir, OnDisk> {
        self.root.open_dir(dir).map_err(|error| match error {
            // A link on the way is none of the repository's directories: git looks no further.
            OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. } => OnDisk::Absent,
            OpenDirError::Io { .. } | OpenDirError::PermissionDenied { .. } => OnDisk::Unknown,
        })
    }
}
