//! Which file a host means by a name.

use trilist_core::{Kind, Reason, RelPathBuf};
use trilist_root::{ResolveError, Root};

use crate::gate::Gate;
use crate::lister::Lister;
use crate::{quote, roots};

/// The deepest names that are looked for level by level when they are absent.
const MOST_LEVELS: usize = 64;

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// To a place in a root, by its canonical path; there is something of this kind, or nothing, or
    /// the host keeps a directory above it closed, and nothing is told of it.
    Inside { root: Vec<u8>, path: Vec<u8>, kind: Option<Kind>, is_closed: bool },
    /// Out of every root, to this absolute path by its names.
    Outside(Vec<u8>),
}

impl Found {
    /// What is there.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Found::Inside { kind, .. } => *kind,
            Found::Outside(_) => None,
        }
    }

    /// The path below a directory of a root.
    pub(crate) fn below(&self, root: &[u8], top: &[u8]) -> Option<&[u8]> {
        let Found::Inside { root: own, path, .. } = self else { return None };
        if own != root {
            return None;
        }
        let below = match top {
            b"" => path.as_slice(),
            top => path.strip_prefix(top)?.strip_prefix(b"/")?,
        };
        (!below.is_empty()).then_some(below)
    }

    /// Why what does not lie below the listed directory is not listed.
    pub(crate) fn reason_outside(&self) -> Reason {
        match self {
            Found::Inside { is_closed: true, .. } => Reason::Protected,
            Found::Inside { .. } => Reason::Subtree,
            Found::Outside(_) => Reason::OutsideRoot,
        }
    }

    /// Whether two names mean the same file. Outside the roots nothing is looked up, so names that
    /// are equal without `.` and `..` are known to, and no others.
    pub(crate) fn is_same(&self, other: &Found) -> bool {
        match (self, other) {
            (
                Found::Inside { root, path, .. },
                Found::Inside { root: other_root, path: other_path, .. },
            ) => root == other_root && path == other_path,
            (Found::Outside(path), Found::Outside(other_path)) => path == other_path,
            _ => false,
        }
    }
}

/// Finds what a name means: as it is, else unquoted, else where it would be.
pub(crate) fn find(lister: &Lister, named: &[u8]) -> Found {
    let found = literally(lister, named);
    let is_there = found.kind().is_some();
    match quote::unquoted(named) {
        Some(unquoted) if !is_there && !unquoted.is_empty() && !unquoted.contains(&0) => {
            literally(lister, &unquoted)
        }
        _ => found,
    }
}

fn literally(lister: &Lister, named: &[u8]) -> Found {
    let slots = lister.slots();
    let found = roots::root_of(slots, named).ok();
    let gate = lister.gate();
    let found = found.and_then(|(root, relative)| in_root(gate, &root, relative));
    found.unwrap_or_else(|| {
        // `..` may lead out and back in.
        let clean = roots::by_names(slots, named).unwrap_or_else(|| named.to_vec());
        let back = roots::root_of(slots, &clean).ok();
        let back = back.and_then(|(root, relative)| in_root(gate, &root, relative));
        back.unwrap_or(Found::Outside(clean))
    })
}

/// What a path below a root means; nothing when it leads out.
fn in_root(gate: &Gate, root: &Root, relative: &[u8]) -> Option<Found> {
    let (path, kind) = match root.look(relative) {
        Ok(found) => (found.path, Some(found.kind)),
        // A link may lead out, or nowhere; then it is the link that is meant.
        Err(ResolveError::OutsideRoot) => named_in(root, relative, 1)?,
        Err(_) => (1..=MOST_LEVELS).find_map(|levels| named_in(root, relative, levels))?,
    };
    let is_closed = gate.shut_above(root, path.as_path()).is_some();
    let (root, path) = (root.path().to_vec(), path.as_bytes().to_vec());
    Some(Found::Inside { root, path, kind: kind.filter(|_| !is_closed), is_closed })
}

/// The name by its last levels, in the directory that the others lead to, if there is one.
fn named_in(root: &Root, relative: &[u8], levels: usize) -> Option<(RelPathBuf, Option<Kind>)> {
    let parts: Vec<&[u8]> = relative
        .split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty() && *part != b".")
        .collect();
    let (head, tail) = parts.split_at(parts.len().checked_sub(levels)?);
    if tail.contains(&b"..".as_slice()) {
        return None;
    }
    let dir = root.look(&head.join(&b'/')).ok().filter(|found| found.kind == Kind::Dir)?;
    let mut path = dir.path.as_bytes().to_vec();
    for part in tail {
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(part);
    }
    let path = RelPathBuf::new(path).ok()?;
    let kind = root.kind_at(path.as_path()).ok().flatten();
    Some((path, kind))
}
