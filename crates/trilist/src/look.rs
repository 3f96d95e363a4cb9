//! Looking at one path, for contracts that say what a link leads to or read a file of their own.

use trilist_core::{Kind, ListError, Metadata, PathArg};
use trilist_root::{ReadError, errno_name};

use crate::lister::Lister;
use crate::roots::{self, argument};

/// What a path names, links followed inside the roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The canonical path of the root that holds it.
    pub root: Vec<u8>,
    /// Its canonical path below that root; empty for the root itself.
    pub path: Vec<u8>,
    /// What it is; never a link.
    pub kind: Kind,
    /// Its size, time and permissions; none are told of a root itself.
    pub metadata: Metadata,
}

impl Look {
    /// The canonical absolute path.
    pub fn absolute(&self) -> Vec<u8> {
        let mut whole = self.root.clone();
        if !self.path.is_empty() {
            if whole.last() != Some(&b'/') {
                whole.push(b'/');
            }
            whole.extend_from_slice(&self.path);
        }
        whole
    }
}

impl Lister {
    /// Tells what a path names. The path is taken as it is, without unquoting, and need not be
    /// readable itself.
    ///
    /// # Errors
    ///
    /// As for the path of a listing, also [`ListError::DeniedByPolicy`] for what lies in a directory
    /// that may not be listed; and [`ListError::NotDirectory`] when the path goes on
    /// behind something that is no directory.
    pub fn look(&self, path: &PathArg) -> Result<Look, ListError> {
        let asked = path.as_bytes();
        let (root, relative) = roots::root_of(self.slots(), asked)?;
        let found = match root.look(relative) {
            Ok(found) => found,
            Err(error) => {
                self.gate().admit_error(&root, &error, asked)?;
                return Err(roots::resolve_error(&root, asked, error));
            }
        };
        if let Some(shut) = self.gate().shut_above(&root, found.path.as_path()) {
            self.gate().admit_below(&root, shut.as_path(), asked)?;
        }
        Ok(Look {
            root: root.path().to_vec(),
            path: found.path.as_bytes().to_vec(),
            kind: found.kind,
            metadata: found.metadata,
        })
    }

    /// Reads a regular file below a root, such as an ignore file of the host's own. The path is
    /// taken as it is. A pipe is refused, not waited for.
    ///
    /// # Errors
    ///
    /// [`ListError::NotFound`] and the like for the path; [`ListError::Io`] for what is no regular
    /// file, or longer than `most_bytes`.
    pub fn read(&self, path: &PathArg, most_bytes: u64) -> Result<Vec<u8>, ListError> {
        let asked = path.as_bytes();
        let (root, relative) = roots::root_of(self.slots(), asked)?;
        let read = root
            .read(relative, most_bytes)
            .map_err(|error| roots::resolve_error(&root, asked, error))?;
        read.map_err(|error| {
            let error = match error {
                ReadError::Io(error) => errno_name(&error),
                error => error.to_string(),
            };
            ListError::Io { what: format!("cannot read `{}`", argument(asked)), error }
        })
    }
}
