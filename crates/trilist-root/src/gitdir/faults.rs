//! What is wrong, in words that name no outside place.

use std::io;

use rustix::io::Errno;
use trilist_core::{Kind, quote};

use super::GitDirError;
use super::finder::Finder;
use crate::open::OpenDirError;
use crate::{ReadError, ResolveError};

impl Finder<'_> {
    fn at_top(&self, what: &str) -> String {
        match self.top.is_empty() {
            true => what.to_owned(),
            false => format!("{what}, in `{}`", quote::shown(self.top.as_bytes())),
        }
    }

    pub(super) fn refused(&self, what: &str) -> GitDirError {
        let reason = self.at_top(what);
        GitDirError::Refused { reason }
    }

    pub(super) fn invalid(&self, what: &str) -> GitDirError {
        let reason = self.at_top(what);
        GitDirError::Invalid { reason }
    }

    /// `what` names the file or directory as seen from the repository.
    pub(super) fn io(&self, what: &str, error: io::Error) -> GitDirError {
        GitDirError::Io { what: self.at_top(what), error }
    }

    pub(super) fn unread(&self, what: &str, error: ReadError) -> GitDirError {
        match error {
            ReadError::NotRegular(Kind::Symlink) => self.refused(&format!("{what} is a link")),
            ReadError::Io(error) => self.io(what, error),
            ReadError::NotFound => self.invalid(&format!("{what} has vanished")),
            error => self.invalid(&format!("{what}: {error}")),
        }
    }

    pub(super) fn unopened(&self, what: &str, error: OpenDirError) -> GitDirError {
        match error {
            OpenDirError::Io { error, .. } => self.io(what, error),
            OpenDirError::PermissionDenied { .. } => self.io(what, Errno::ACCESS.into()),
            error => self.invalid(&error.to_string()),
        }
    }

    pub(super) fn unresolved(&self, what: &str, error: ResolveError) -> GitDirError {
        match error {
            ResolveError::Io { error, .. } => self.io(what, error),
            ResolveError::PermissionDenied { .. } => self.io(what, Errno::ACCESS.into()),
            error => self.invalid(&error.to_string()),
        }
    }
}

/// A name in the git directory.
pub(super) fn inside(name: &str) -> String {
    format!("`{name}` in the git directory")
}

/// Whether the way led through too many links.
pub(super) fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}
