//! Looking at one directory for its repository.

use rustix::io::Errno;
use trilist_core::{Kind, RelPath};

use super::faults::{inside, is_loop};
use super::place::{self, Origin, Place};
use super::{GitDirError, Layout, POINTER_BYTES, Repository, layout};
use crate::open::OpenDirError;
use crate::sys::{self, Access};
use crate::{Dir, FileId, ResolveError, Root};

/// Looks at one directory.
pub(super) struct Finder<'a> {
    pub(super) root: &'a Root,
    pub(super) others: &'a [&'a Root],
    pub(super) top: RelPath<'a>,
}

/// The directory that holds `.git`.
pub(super) const TOP: &str = "the directory itself";

/// How a git directory was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Via {
    Directory,
    Pointer,
}

impl<'a> Finder<'a> {
    pub(super) fn new(root: &'a Root, others: &'a [&'a Root], top: RelPath<'a>) -> Self {
        Finder { root, others, top }
    }

    pub(super) fn work_tree(&self) -> Result<Option<Repository>, GitDirError> {
        let Some(dir) = self.open_top()? else {
            return Ok(None);
        };
        match sys::kind_at(&dir.fd, b".git").map_err(|error| self.io("`.git`", error.into()))? {
            None => Ok(None),
            Some(Kind::Dir) => self.directory(&dir),
            Some(Kind::File) => self.pointer(&dir, &dir, b".git").map(Some),
            Some(Kind::Symlink) => self.link(&dir),
            Some(_) => Err(self.invalid("`.git` is neither a directory nor a file")),
        }
    }

    /// The directory, for looking names up; `None` if there is none at that path.
    fn open_top(&self) -> Result<Option<Dir>, GitDirError> {
        match self.root.open_fd(self.top, Access::Search) {
            Ok(fd) => Ok(Some(Dir::new(fd))),
            Err(OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. }) => Ok(None),
            Err(OpenDirError::PermissionDenied { .. }) => Err(self.io(TOP, Errno::ACCESS.into())),
            Err(OpenDirError::Io { error, .. }) => Err(self.io(TOP, error)),
        }
    }

    fn directory(&self, top: &Dir) -> Result<Option<Repository>, GitDirError> {
        let dir = top.open_dir(b".git").map_err(|error| self.io("`.git`", error))?;
        let path = self.top.to_buf().join(RelPath::assume(b".git"));
        let git_dir = self.root.below(path.as_path(), dir);
        self.examine(top, git_dir, Origin::Listed, Via::Directory)
    }

    fn link(&self, top: &Dir) -> Result<Option<Repository>, GitDirError> {
        let path = self.top.to_buf().join(RelPath::assume(b".git"));
        match self.root.resolve(path.as_bytes()) {
            Ok(found) => {
                let git_dir = self.root.below(found.path.as_path(), found.dir);
                self.examine(top, git_dir, Origin::Listed, Via::Directory)
            }
            // Git reads a `.git` file behind a link too.
            Err(ResolveError::NotDirectory { path, kind: Kind::File }) => {
                let holder = self.root.open_dir(path.as_path().parent());
                let holder =
                    holder.map_err(|error| self.unopened("what `.git` leads to", error))?;
                let name = path.as_path().name();
                self.pointer(top, &holder, name).map(Some)
            }
            Err(ResolveError::NotDirectory { .. }) => {
                Err(self.invalid("`.git` leads to something that is no directory"))
            }
            // Nothing is there, and git looks further up.
            Err(ResolveError::NotFound { .. }) => Ok(None),
            Err(ResolveError::OutsideRoot) => self.link_to_other_root(top),
            Err(ResolveError::Io { error, .. }) if is_loop(&error) => {
                Err(self.invalid("`.git` is a link that leads in a circle"))
            }
            Err(error) => Err(self.unresolved("what `.git` leads to", error)),
        }
    }

    /// A link that leaves the root may lead into another root of the host.
    fn link_to_other_root(&self, top: &Dir) -> Result<Option<Repository>, GitDirError> {
        let target =
            sys::read_link(&top.fd, b".git").map_err(|error| self.io("`.git`", error.into()))?;
        match self.listed(&place::join(&self.top_path(), &target))? {
            Place::Listed(git_dir) => self.examine(top, *git_dir, Origin::Listed, Via::Directory),
            _ => Err(self.refused("`.git` is a link that leads outside the root")),
        }
    }

    /// Reads the `.git` file `name` in `holder`, which is `top` unless `.git` is a link.
    fn pointer(&self, top: &Dir, holder: &Dir, name: &[u8]) -> Result<Repository, GitDirError> {
        let text = holder.read_file(name, POINTER_BYTES);
        let text = text.map_err(|error| self.unread("`.git`", error))?;
        let Some(target) = text.strip_prefix(b"gitdir: ").and_then(place::one_path) else {
            return Err(self.invalid("`.git` is a file that does not name a git directory"));
        };
        let absolute = place::join(&self.top_path(), target);
        let (git_dir, origin) = match self.locate(&absolute)? {
            Place::Listed(git_dir) => (*git_dir, Origin::Listed),
            Place::Absent => {
                return Err(self.invalid("`.git` names a directory that does not exist"));
            }
            Place::Outside(Some(git_dir)) if self.points_back(top, &git_dir)? => {
                (*git_dir, Origin::PointsBack)
            }
            Place::Outside(_) => {
                return Err(self
                    .refused("`.git` leads outside the root to a place that does not point back"));
            }
        };
        let found = self.examine(top, git_dir, origin, Via::Pointer)?;
        found.ok_or_else(|| self.invalid("`.git` names a directory that is no git directory"))
    }

    /// True when a git directory outside names this work tree as its own.
    ///
    /// Directories are compared by identity and the file in it by name: a second hard link to
    /// somebody else's `.git` file makes no work tree.
    fn points_back(&self, top: &Dir, git_dir: &Root) -> Result<bool, GitDirError> {
        let Ok(dir) = git_dir.dir() else {
            return Ok(false);
        };
        let top_id = top.id().map_err(|error| self.io(TOP, error))?;
        if let Ok(text) = dir.read_file(b"gitdir", POINTER_BYTES) {
            let named = place::one_path(&text).map(|path| place::join(git_dir.path(), path));
            let tree = named.as_deref().and_then(|path| path.strip_suffix(b"/.git"));
            return Ok(tree.and_then(place::directory_id) == Some(top_id));
        }
        let Ok(config) = layout::read_config(&dir, &dir) else {
            return Ok(false);
        };
        let tree = config.value("core", None, "worktree");
        let tree = tree.map(|path| place::join(git_dir.path(), path));
        Ok(tree.as_deref().and_then(place::directory_id) == Some(top_id))
    }

    /// Everything that is the same however the git directory was found.
    fn examine(
        &self,
        top: &Dir,
        git_dir: Root,
        origin: Origin,
        via: Via,
    ) -> Result<Option<Repository>, GitDirError> {
        let dir = git_dir.dir().map_err(|error| self.io("the git directory", error))?;
        if self.kind(&dir, b"HEAD")?.is_none() {
            return Ok(None);
        }
        let (common_dir, linked) = self.common_dir(&git_dir, &dir)?;
        let common =
            common_dir.dir().map_err(|error| self.io("the common git directory", error))?;
        if self.kind(&common, b"objects")?.is_none() || self.kind(&common, b"refs")?.is_none() {
            return Ok(None);
        }
        self.check_files(&dir, &common)?;
        let config = layout::read_config(&common, &dir).map_err(|what| self.invalid(&what))?;
        let worktree = self.check_worktree(top, &git_dir, &dir, &config, origin, linked)?;
        let objects = self.object_stores(&git_dir, &common_dir)?;
        let modules = || git_dir.path().split(|b| *b == b'/').any(|part| part == b"modules");
        let layout = match (linked, via) {
            (true, _) => Layout::Linked,
            (false, Via::Pointer) if worktree && modules() => Layout::Submodule,
            (false, _) => Layout::Plain,
        };
        let top = self.top.to_buf();
        Ok(Some(Repository { top, git_dir, common_dir, objects, layout, config }))
    }

    /// The directory itself as a bare repository.
    pub(super) fn bare(&self) -> Result<Option<Repository>, GitDirError> {
        let Ok(dir) = self.root.open_dir(self.top) else {
            return Ok(None);
        };
        let is = |name: &[u8], kind| Ok(self.kind(&dir, name)? == Some(kind));
        let looks_bare = is(b"HEAD", Kind::File)?
            && is(b"objects", Kind::Dir)?
            && is(b"refs", Kind::Dir)?
            && self.kind(&dir, b"commondir")?.is_none();
        if !looks_bare {
            return Ok(None);
        }
        self.check_files(&dir, &dir)?;
        let config = layout::read_config(&dir, &dir).map_err(|what| self.invalid(&what))?;
        if config.flag("core", None, "bare") == Some(false) {
            return Ok(None);
        }
        if config.value("core", None, "worktree").is_some() {
            return Err(self.refused("`core.worktree` names another work tree"));
        }
        let git_dir = self.root.below(self.top, dir);
        let objects = self.object_stores(&git_dir, &git_dir)?;
        let common_dir =
            git_dir.try_clone().map_err(|error| self.io("the git directory", error))?;
        Ok(Some(Repository {
            top: self.top.to_buf(),
            git_dir,
            common_dir,
            objects,
            layout: Layout::Bare,
            config,
        }))
    }

    pub(super) fn kind(&self, dir: &Dir, name: &[u8]) -> Result<Option<Kind>, GitDirError> {
        let what = || inside(&String::from_utf8_lossy(name));
        dir.kind_of(name).map_err(|error| self.io(&what(), error))
    }

    fn top_path(&self) -> Vec<u8> {
        place::join(self.root.path(), self.top.as_bytes())
    }

    pub(super) fn id(&self, root: &Root) -> Result<FileId, GitDirError> {
        root.id().map_err(|error| self.io("the git directory", error))
    }
}
