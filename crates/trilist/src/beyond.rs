//! What a listing reads outside its roots.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use trilist_core::cursor::Cursor;
use trilist_core::{Cancel, Kind, ListRequest, Mode, RelPath};
use trilist_root::Root;
use trilist_root::gitdir::{self, Repository};

use crate::Lister;
use crate::approval::Asking;

impl Lister {
    /// The places that a listing reads though no root holds them, for a front end that lets the
    /// kernel fence it in: the git directories of a linked worktree or a submodule, which are
    /// accepted outside because they point back, and the user's global excludes. Only the
    /// repository around the requested directory is looked at, not those further below. Empty
    /// when the request cannot be answered; then [`Lister::list`] says why.
    pub fn reads_outside(&self, request: &ListRequest) -> Vec<PathBuf> {
        let mut places: Vec<PathBuf> = self.policy().global_excludes.iter().cloned().collect();
        let obeys_git = request.mode != Mode::Fs || request.ignore.git == Some(true);
        if obeys_git && let Some(repository) = self.repository_of(request) {
            let dirs = [&repository.git_dir, &repository.common_dir];
            places.extend(dirs.map(|dir| PathBuf::from(OsStr::from_bytes(dir.path()))));
        }
        places.retain(|place| !self.holds(place));
        places.dedup();
        places
    }

    fn repository_of(&self, request: &ListRequest) -> Option<Repository> {
        let cursor = request.cursor.as_deref().map(Cursor::decode).transpose().ok()?;
        let cancel = Cancel::new();
        let asking = Asking::nobody(&cancel);
        let (_, place) = self.placed(request, cursor.as_ref(), &asking).ok()?;
        if is_plain(&place.root, place.path.as_path()) {
            return None;
        }
        let others: Vec<&Root> = place.others.iter().map(AsRef::as_ref).collect();
        gitdir::discover_among(&place.root, &others, place.path.as_path()).ok()?
    }

    fn holds(&self, place: &Path) -> bool {
        let roots = self.slots().iter().filter_map(|slot| slot.open().ok());
        roots.into_iter().any(|root| root.relative(place.as_os_str().as_bytes()).is_some())
    }
}

/// Whether the nearest `.git` is a directory, as nearly all are: then nothing outside is read. (By
/// hand, one can be made whose `commondir` leads outside; behind a fence, that is refused.)
fn is_plain(root: &Root, mut top: RelPath<'_>) -> bool {
    loop {
        let git = top.to_buf().join(RelPath::assume(b".git"));
        match root.kind_at(git.as_path()) {
            Ok(Some(Kind::Dir)) => return true,
            Ok(None) if !top.is_empty() => top = top.parent(),
            Ok(found) => return found.is_none(),
            Err(_) => return false,
        }
    }
}
