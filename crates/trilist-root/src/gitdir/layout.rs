//! The files of a git directory: what kind each must be.

use std::ops::ControlFlow;

use trilist_core::{Kind, RelPath};

use super::faults::inside;
use super::finder::{Finder, TOP};
use super::place::{self, Origin, Place};
use super::{ConfigError, GitConfig, GitDirError, POINTER_BYTES};
use crate::open::OpenDirError;
use crate::{Dir, ReadError, Root, Scratch};

/// The most bytes of a configuration file, and of HEAD.
const CONFIG_BYTES: u64 = 1024 * 1024;
/// The most bytes of `packed-refs`.
const PACKED_REFS_BYTES: u64 = 512 * 1024 * 1024;
/// The most bytes of an index.
const INDEX_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// The most entries of a directory whose entries are checked.
const MOST_ENTRIES: u32 = 200_000;

impl Finder<'_> {
    /// The git directory that `commondir` names, and whether there is such a file.
    ///
    /// Outside the roots it must hold this git directory as `worktrees/NAME`: a forged
    /// `commondir` can name any repository, but it cannot put itself into one.
    pub(super) fn common_dir(
        &self,
        git_dir: &Root,
        dir: &Dir,
    ) -> Result<(Root, bool), GitDirError> {
        let text = match dir.read_file(b"commondir", POINTER_BYTES) {
            Ok(text) => text,
            Err(ReadError::NotFound) => {
                let same =
                    git_dir.try_clone().map_err(|error| self.io("the git directory", error))?;
                return Ok((same, false));
            }
            Err(error) => return Err(self.unread("`commondir`", error)),
        };
        let Some(path) = place::one_path(&text) else {
            return Err(self.invalid("`commondir` does not name a directory"));
        };
        match self.locate(&place::join(git_dir.path(), path))? {
            Place::Listed(common) => Ok((*common, true)),
            Place::Absent => Err(self.invalid("`commondir` names a directory that does not exist")),
            Place::Outside(Some(common)) if self.holds_worktree(&common, git_dir)? => {
                Ok((*common, true))
            }
            Place::Outside(_) => Err(self
                .refused("`commondir` leads outside the root to a place that does not point back")),
        }
    }

    fn holds_worktree(&self, common: &Root, git_dir: &Root) -> Result<bool, GitDirError> {
        let name = git_dir.path().rsplit(|byte| *byte == b'/').next();
        let path = [b"worktrees/", name.unwrap_or_default()].concat();
        let Ok(path) = RelPath::new(&path) else {
            return Ok(false);
        };
        let Ok(held) = common.open_dir(path) else {
            return Ok(false);
        };
        let held =
            held.id().map_err(|error| self.io("`worktrees` in the common git directory", error))?;
        Ok(held == self.id(git_dir)?)
    }

    /// Whoever reads these files later may follow links, wait for pipes and read devices.
    pub(super) fn check_files(&self, dir: &Dir, common: &Dir) -> Result<(), GitDirError> {
        self.check_file(dir, "HEAD", CONFIG_BYTES)?;
        self.check_file(dir, "index", INDEX_BYTES)?;
        self.check_file(dir, "config.worktree", CONFIG_BYTES)?;
        self.check_file(common, "config", CONFIG_BYTES)?;
        self.check_file(common, "packed-refs", PACKED_REFS_BYTES)?;
        self.check_file(common, "shallow", PACKED_REFS_BYTES)?;
        // A linked worktree has references of its own besides. Objects are checked together
        // with the stores that they borrow from.
        self.check_directory(dir, "refs")?;
        if dir.id().ok() == common.id().ok() {
            return Ok(());
        }
        self.check_directory(common, "refs")
    }

    fn check_file(&self, dir: &Dir, name: &str, most_bytes: u64) -> Result<(), GitDirError> {
        match self.kind(dir, name.as_bytes())? {
            None => Ok(()),
            Some(Kind::File) => {
                let stamp =
                    dir.stamp(name.as_bytes()).map_err(|error| self.io(&inside(name), error))?;
                if stamp.is_none_or(|stamp| stamp.size_bytes <= most_bytes) {
                    return Ok(());
                }
                Err(self.invalid(&format!("`{name}` is larger than {most_bytes} bytes")))
            }
            Some(Kind::Symlink) => Err(self.is_link(name)),
            Some(_) => Err(self.invalid(&format!("`{name}` is not a regular file"))),
        }
    }

    fn check_directory(&self, dir: &Dir, name: &str) -> Result<(), GitDirError> {
        match self.kind(dir, name.as_bytes())? {
            None => Ok(()),
            Some(Kind::Dir) => {
                let below = dir.open_dir(name.as_bytes());
                self.check_entries(&below.map_err(|error| self.io(&inside(name), error))?, name)
            }
            Some(Kind::Symlink) => Err(self.is_link(name)),
            Some(_) => Err(self.invalid(&format!("`{name}` is not a directory"))),
        }
    }

    /// None of the directory's own entries may be a link or something to wait for.
    pub(super) fn check_entries(&self, dir: &Dir, name: &str) -> Result<(), GitDirError> {
        let (mut count, mut wrong) = (0_u32, None);
        let read = dir.entries(&mut Scratch::default(), &mut |entry| {
            count += 1;
            if !matches!(entry.kind, Kind::File | Kind::Dir) {
                wrong = Some(entry.kind);
            }
            Ok(if wrong.is_some() || count > MOST_ENTRIES {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        read.map_err(|error| self.io(&inside(name), error))?;
        match wrong {
            Some(Kind::Symlink) => Err(self.refused(&format!("`{name}` holds a link"))),
            Some(_) => Err(self.invalid(&format!("`{name}` holds a special file"))),
            None if count > MOST_ENTRIES => {
                Err(self.invalid(&format!("`{name}` has more than {MOST_ENTRIES} entries")))
            }
            None => Ok(()),
        }
    }

    pub(super) fn is_link(&self, name: &str) -> GitDirError {
        self.refused(&format!("`{name}` in the git directory is a link"))
    }

    /// Refuses a `core.worktree` that names another directory than this one; tells whether
    /// there is one. In a linked worktree git does not heed the common one.
    pub(super) fn check_worktree(
        &self,
        top: &Dir,
        git_dir: &Root,
        dir: &Dir,
        config: &GitConfig,
        origin: Origin,
        linked: bool,
    ) -> Result<bool, GitDirError> {
        let own = match (linked, config.worktree_config()) {
            (true, false) => return Ok(false),
            (true, true) => {
                Some(read_one(dir, b"config.worktree").map_err(|what| self.invalid(&what))?)
            }
            (false, _) => None,
        };
        let config = own.as_ref().unwrap_or(config);
        let Some(path) = config.value("core", None, "worktree") else {
            return Ok(false);
        };
        if self.names_top(top, &place::join(git_dir.path(), path), origin)? {
            return Ok(true);
        }
        Err(self.refused("`core.worktree` names another work tree"))
    }

    fn names_top(&self, top: &Dir, path: &[u8], origin: Origin) -> Result<bool, GitDirError> {
        if let Some(asked) = self.root.relative(path)
            && let Ok(found) = self.root.resolve(asked)
        {
            return Ok(found.path.as_path() == self.top);
        }
        // An untrusted configuration must not make us look at outside places.
        if origin == Origin::Listed {
            return Ok(false);
        }
        let top = top.id().map_err(|error| self.io(TOP, error))?;
        Ok(place::directory_id(path) == Some(top))
    }

    /// Opens a directory of the git directory that may be absent.
    pub(super) fn open_within(
        &self,
        root: &Root,
        path: &'static str,
    ) -> Result<Option<Dir>, GitDirError> {
        match root.open_dir(RelPath::assume(path.as_bytes())) {
            Ok(dir) => Ok(Some(dir)),
            Err(OpenDirError::NotFound { .. }) => Ok(None),
            Err(OpenDirError::NotDirectory { kind: Kind::Symlink, .. }) => Err(self.is_link(path)),
            Err(error) => Err(self.unopened(&inside(path), error)),
        }
    }
}

/// Reads `config` of the common directory and, where it asks for that, `config.worktree` of
/// the git directory. The error says what is wrong with which file.
pub(super) fn read_config(common: &Dir, dir: &Dir) -> Result<GitConfig, String> {
    let mut config = read_one(common, b"config")?;
    if config.worktree_config() {
        config.append(read_one(dir, b"config.worktree")?);
    }
    Ok(config)
}

fn read_one(dir: &Dir, name: &'static [u8]) -> Result<GitConfig, String> {
    let shown = String::from_utf8_lossy(name);
    let bytes = match dir.read_file(name, CONFIG_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(GitConfig::default()),
        Err(ReadError::Io(error)) => {
            return Err(format!("`{shown}` cannot be read: {}", crate::errno_name(&error)));
        }
        Err(error) => return Err(format!("`{shown}`: {error}")),
    };
    GitConfig::parse(&bytes)
        .map_err(|ConfigError { line }| format!("`{shown}` has a mistake in line {line}"))
}
