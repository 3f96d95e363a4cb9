//! Which git directory belongs to a directory, and whether it may be read.
//!
//! Every byte of a tree is untrusted, `.git` included: a `.git` file, a link, `commondir`,
//! `core.worktree` and `objects/info/alternates` can each name any place of the machine. What
//! stays below the root, or below another root that the host lists, is accepted. What leads
//! elsewhere is accepted only if that place points back, as the git directories of linked
//! worktrees and submodules do: nobody but its owner can have written that. Everything else is
//! refused, in words that name no outside place and do not tell whether it exists.
//!
//! Only the layout is examined. References, objects and the index are read by others, through
//! the [`Root`]s and [`Dir`]s that a [`Repository`] carries.

mod alternates;
mod config;
mod faults;
mod finder;
mod layout;
mod place;

use std::io;

use trilist_core::{RelPath, RelPathBuf};

pub use config::{ConfigError, GitConfig};

use crate::{Dir, Root};
use finder::Finder;

/// The most bytes of a `.git`, `gitdir` or `commondir` file.
const POINTER_BYTES: u64 = 64 * 1024;

/// A repository whose git directory may be read.
#[derive(Debug)]
pub struct Repository {
    /// The top of the work tree, relative to the root; for a bare repository the git directory
    /// itself.
    pub top: RelPathBuf,
    /// Where HEAD and the index are.
    pub git_dir: Root,
    /// Where references, objects and the configuration are; for most repositories the same
    /// directory as `git_dir`.
    pub common_dir: Root,
    /// The object stores: the repository's own first, then those that it borrows from. They
    /// stay open, so what was checked is what is read.
    pub objects: Vec<Dir>,
    /// How the two lie to the work tree.
    pub layout: Layout,
    /// The repository's own configuration.
    pub config: GitConfig,
}

/// How a git directory lies to its work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `.git` is the git directory, or names one that is this work tree's alone.
    Plain,
    /// A linked worktree: references and objects are another git directory's.
    Linked,
    /// A submodule, whose git directory lies below its parent's `modules`.
    Submodule,
    /// There is no work tree.
    Bare,
}

/// Why a repository that is there is not read.
#[derive(Debug, thiserror::Error)]
pub enum GitDirError {
    /// It leads where the host did not allow to read.
    #[error("{reason}")]
    Refused {
        /// One clause; names no path outside the root.
        reason: String,
    },
    /// It is damaged or strange.
    #[error("{reason}")]
    Invalid {
        /// One clause; names no path outside the root.
        reason: String,
    },
    /// The file system reported an error.
    #[error("{what} cannot be examined")]
    Io {
        /// The file or directory, as seen from the repository; names no path outside the root.
        what: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

/// Finds the repository around `base`, climbing to the root and never above it. A directory
/// that is itself a bare repository counts only as `base` and outside every other repository:
/// inside one it is a directory like any, whose files the outer one may track.
///
/// # Errors
///
/// The nearest `.git` decides: if it is refused or damaged, no repository further up is taken
/// in its place. A directory of that name that is no git directory is passed by, as git does.
pub fn discover(root: &Root, base: RelPath<'_>) -> Result<Option<Repository>, GitDirError> {
    discover_among(root, &[], base)
}

/// As [`discover`], with further roots of the host in which git directories may lie.
///
/// # Errors
///
/// As [`discover`].
pub fn discover_among(
    root: &Root,
    others: &[&Root],
    base: RelPath<'_>,
) -> Result<Option<Repository>, GitDirError> {
    let mut top = base;
    loop {
        let found = Finder::new(root, others, top).work_tree()?;
        if found.is_some() {
            return Ok(found);
        }
        if top.is_empty() {
            return Finder::new(root, others, base).bare();
        }
        top = top.parent();
    }
}

/// Looks only at `top`: at its `.git`, and whether it is itself a bare repository.
///
/// # Errors
///
/// See [`GitDirError`].
pub fn at(root: &Root, top: RelPath<'_>) -> Result<Option<Repository>, GitDirError> {
    at_among(root, &[], top)
}

/// As [`at`], with further roots of the host in which git directories may lie.
///
/// # Errors
///
/// See [`GitDirError`].
pub fn at_among(
    root: &Root,
    others: &[&Root],
    top: RelPath<'_>,
) -> Result<Option<Repository>, GitDirError> {
    let finder = Finder::new(root, others, top);
    match finder.work_tree()? {
        Some(found) => Ok(Some(found)),
        None => finder.bare(),
    }
}
