//! What is on disk where a tracked name says.

use std::io::ErrorKind;

use trilist_core::{Kind, Metadata, OnDisk, RelPath, RelPathBuf};
use trilist_root::{Dir, OpenDirError, Root, errno_name};

/// The work tree, with the directory of the last question open.
pub(crate) struct WorkTree<'a> {
    root: &'a Root,
    top: RelPath<'a>,
    open: Option<(RelPathBuf, Result<Dir, Closed>)>,
    /// Why the last look has not told what is there.
    error: Option<String>,
}

/// A directory that could not be opened.
enum Closed {
    /// It is not there.
    Absent,
    /// The system said this.
    Failed(String),
}

impl<'a> WorkTree<'a> {
    pub(crate) fn new(root: &'a Root, top: RelPath<'a>) -> Self {
        WorkTree { root, top, open: None, error: None }
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
            Some((_, Err(Closed::Failed(error)))) => {
                self.error = Some(error.clone());
                return (OnDisk::Unknown, None);
            }
            _ => return (OnDisk::Absent, None),
        };
        match dir.metadata(path.name(), kind) {
            Ok(found) if found == Metadata::default() => (OnDisk::OtherKind, None),
            Ok(found) => (OnDisk::Present, Some(found)),
            Err(error) if error.kind() == ErrorKind::NotFound => (OnDisk::Absent, None),
            Err(error) => {
                self.error = Some(errno_name(&error));
                (OnDisk::Unknown, None)
            }
        }
    }

    /// Why the last look has not told what is there; gone when asked again.
    pub(crate) fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }

    fn open_dir(&self, dir: RelPath<'_>) -> Result<Dir, Closed> {
        self.root.open_dir(dir).map_err(|error| match error {
            // A link on the way is none of the repository's directories: git looks no further.
            OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. } => Closed::Absent,
            OpenDirError::Io { error, .. } => Closed::Failed(errno_name(&error)),
            OpenDirError::PermissionDenied { .. } => Closed::Failed("EACCES".to_owned()),
        })
    }
}
