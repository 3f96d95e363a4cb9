//! Where a path that git's files name leads.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::GitDirError;
use super::finder::Finder;
use crate::{FileId, ResolveError, Root};

/// Why a git directory may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It lies in a root of the host.
    Listed,
    /// It lies elsewhere and names this work tree.
    PointsBack,
}

/// Where a named directory lies.
pub(super) enum Place {
    /// In a root of the host.
    Listed(Box<Root>),
    /// Nothing is there, and it would lie in a root of the host.
    Absent,
    /// Elsewhere; opened if it could be.
    Outside(Option<Box<Root>>),
}

impl Finder<'_> {
    /// Looks for a directory, in the roots first, then outside.
    pub(super) fn locate(&self, absolute: &[u8]) -> Result<Place, GitDirError> {
        let found = self.listed(absolute)?;
        if !matches!(found, Place::Outside(_)) {
            return Ok(found);
        }
        let path = Path::new(OsStr::from_bytes(absolute));
        let Ok(opened) = Root::open_with(path, self.root.beneath()) else {
            return Ok(Place::Outside(None));
        };
        // Another spelling of a place inside: through a link above the root, say.
        match self.listed(opened.path())? {
            Place::Listed(inside) => Ok(Place::Listed(inside)),
            _ => Ok(Place::Outside(Some(Box::new(opened)))),
        }
    }

    /// Looks for a directory in the roots only; outside nothing is touched.
    pub(super) fn listed(&self, absolute: &[u8]) -> Result<Place, GitDirError> {
        for root in std::iter::once(&self.root).chain(self.others) {
            let Some(asked) = root.relative(absolute) else {
                continue;
            };
            match root.resolve(asked) {
                Ok(found) => {
                    let dir = root.below(found.path.as_path(), found.dir);
                    return Ok(Place::Listed(Box::new(dir)));
                }
                Err(ResolveError::NotFound { .. } | ResolveError::NotDirectory { .. }) => {
                    return Ok(Place::Absent);
                }
                Err(ResolveError::OutsideRoot | ResolveError::Nul | ResolveError::TooLong) => {}
                Err(error) => return Err(self.unresolved("a place that git's files name", error)),
            }
        }
        Ok(Place::Outside(None))
    }
}

/// `path` if it is absolute, else `path` below `base`, which is canonical: so a `..` at the
/// start of `path` takes a component of it away, and the result can be compared with roots.
pub(super) fn join(base: &[u8], path: &[u8]) -> Vec<u8> {
    if path.first() == Some(&b'/') {
        return path.to_vec();
    }
    let mut base = base.strip_suffix(b"/").unwrap_or(base);
    let mut path = path;
    loop {
        path = match path {
            [b'/', rest @ ..] | [b'.', b'/', rest @ ..] => rest,
            b"." => b"",
            b".." | [b'.', b'.', b'/', ..] => {
                let slash = base.iter().rposition(|byte| *byte == b'/');
                base = &base[..slash.unwrap_or(0)];
                &path[2..]
            }
            _ => break,
        }
    }
    if path.is_empty() && !base.is_empty() {
        return base.to_vec();
    }
    [base, b"/", path].concat()
}

/// The path that a file of one line holds.
pub(super) fn one_path(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'))?;
    let path = &text[..=end];
    (!path.contains(&0)).then_some(path)
}

/// Which directory a path outside the root names. Asked only of places that were opened
/// because they may point back.
pub(super) fn directory_id(path: &[u8]) -> Option<FileId> {
    let stat = rustix::io::retry_on_intr(|| rustix::fs::stat(path)).ok()?;
    Some(FileId::of(&stat))
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn joined_paths_go_up_by_components() {
        for (base, path, expected) in [
            ("/a/b", "c", "/a/b/c"),
            ("/a/b/", "./c", "/a/b/c"),
            ("/a/b", "", "/a/b"),
            ("/a/b", "..", "/a"),
            ("/a/b", "../../../c", "/c"),
            ("/a/b", "../..", "/"),
            ("/", "c", "/c"),
            ("/", "../c", "/c"),
            ("/a", "..c/../d", "/a/..c/../d"),
            ("/a", "/b/../c", "/b/../c"),
        ] {
            let joined = join(base.as_bytes(), path.as_bytes());
            assert_eq!(String::from_utf8_lossy(&joined), expected, "{base} {path}");
        }
    }
}
