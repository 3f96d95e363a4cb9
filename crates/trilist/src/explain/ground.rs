//! What is on disk at a path, and what stands in the way to it.

use std::io;

use trilist_core::{Kind, RelPath, RelPathBuf};
use trilist_root::{OpenDirError, ResolveError, Root, errno_name};

use crate::gate::Gate;

/// What is there, no link followed. Paths are relative to the root.
pub(super) enum Ground {
    /// Something of this kind.
    Here(Kind),
    /// Nothing: the first name on the way that does not exist.
    Absent { missing: RelPathBuf },
    /// The way goes on behind something that is no directory.
    NoDirectory { at: RelPathBuf, kind: Kind },
    /// The way goes on behind a link.
    Link { at: RelPathBuf, target: Vec<u8>, leads: Leads },
    /// The way goes through a directory of which the host lets nothing be told.
    Closed { at: RelPathBuf },
    /// A directory on the way may not be searched, or an error says why it cannot be told.
    Unreadable { at: RelPathBuf, why: String },
}

/// Where a path leads through a link.
pub(super) enum Leads {
    /// To a place in the root.
    To(RelPathBuf),
    /// Out of the root; nothing there was looked at.
    Outside,
    /// To nothing, in a circle, or where it may or must not be looked up.
    Nowhere(&'static str),
}

/// Where a link leads of whose target nothing may be told.
const CLOSED: &str = "where the host lets nothing be listed";

/// `ENAMETOOLONG`: no file is called so.
const TOO_LONG: i32 = 36;

impl Ground {
    /// Looks the path up, as far as the host lets it be told.
    pub(super) fn of(root: &Root, gate: &Gate, path: RelPath<'_>) -> Ground {
        if let Some(at) = gate.shut_above(root, path) {
            return Ground::Closed { at };
        }
        match root.entry_at(path) {
            Ok(kind) => Ground::Here(kind),
            Err(OpenDirError::NotFound { path: missing }) => Ground::Absent { missing },
            Err(OpenDirError::NotDirectory { path: at, kind: Kind::Symlink }) => {
                Ground::link(root, gate, at, path)
            }
            Err(OpenDirError::NotDirectory { path: at, kind }) => Ground::NoDirectory { at, kind },
            Err(OpenDirError::PermissionDenied { path: at }) => {
                Ground::Unreadable { at, why: "no permission".to_owned() }
            }
            Err(OpenDirError::Io { path: at, error }) => match error.raw_os_error() {
                Some(TOO_LONG) => Ground::Absent { missing: at },
                _ => Ground::Unreadable { at, why: errno_name(&error) },
            },
        }
    }

    /// What is there, when that is known.
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Ground::Here(kind) => Some(*kind),
            _ => None,
        }
    }

    fn link(root: &Root, gate: &Gate, at: RelPathBuf, path: RelPath<'_>) -> Ground {
        let target = root.link_at(at.as_path()).unwrap_or_default();
        let is_closed = |found: RelPath<'_>| gate.shut_above(root, found).is_some();
        let leads = match root.look(path.as_bytes()) {
            Ok(found) if is_closed(found.path.as_path()) => Leads::Nowhere(CLOSED),
            Err(error) if gate.admit_error(root, &error, path.as_bytes()).is_err() => {
                Leads::Nowhere(CLOSED)
            }
            Ok(found) => Leads::To(found.path),
            Err(ResolveError::OutsideRoot) => Leads::Outside,
            Err(ResolveError::PermissionDenied { .. }) => {
                Leads::Nowhere("where nothing may be read")
            }
            Err(ResolveError::Io { error, .. }) if is_loop(&error) => Leads::Nowhere("in a circle"),
            Err(_) => Leads::Nowhere("to nothing"),
        };
        Ground::Link { at, target, leads }
    }
}

/// `ELOOP`: too many links.
fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(40)
}
