//! Whether something is on disk where the listings do not go.

use trilist_core::{Kind, RelPath};
use trilist_root::{OpenDirError, Root};

use crate::lister::Job;

/// The compared directory on disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disk<'d> {
    root: &'d Root,
    base: RelPath<'d>,
}

impl<'d> Disk<'d> {
    pub(super) fn of(job: &'d Job) -> Self {
        Disk { root: &job.place.root, base: job.place.path.as_path() }
    }

    /// Whether there is something at a path below the directory, as far as that can be told. It is
    /// asked only below directories that are left out by rules, a listing's bounds or faults: what a
    /// host keeps closed no mode lists anything of.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        let path = self.base.to_buf().join(RelPath::assume(path));
        match self.root.entry_at(path.as_path()) {
            // What is behind a link is not looked at.
            Err(OpenDirError::NotDirectory { kind, .. }) => kind == Kind::Symlink,
            Err(OpenDirError::NotFound { .. }) => false,
            _ => true,
        }
    }
}
