//! The opened root.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use trilist_core::{Kind, RelPath, RelPathBuf};

use crate::sys::{self, Access};
use crate::{Dir, FileId};

/// A directory opened once, beneath which everything is read.
///
/// It may be shared between threads. What its path names later does not matter: the
/// descriptor stays with the directory.
#[derive(Debug)]
pub struct Root {
    fd: OwnedFd,
    path: Vec<u8>,
    spelled: Vec<u8>,
    beneath: Beneath,
    inside_repository: OnceLock<bool>,
}

/// How paths are opened beneath a root. Both ways give the same answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Beneath {
    /// One system call for a whole path where the kernel has it (`openat2`), stepwise where it
    /// has not, refuses, or meets a link.
    #[default]
    Kernel,
    /// One component at a time, always: what systems without `openat2` do. For tests.
    Stepwise,
}

/// Why [`Root::open_dir`] did not open a directory.
#[derive(Debug, thiserror::Error)]
pub enum OpenDirError {
    /// A component does not exist.
    #[error("there is no `{path}`")]
    NotFound {
        /// The path up to and with the missing component.
        path: RelPathBuf,
    },
    /// A component is a link, a file or something else that is not a directory.
    #[error("`{path}` is a {}, not a directory", kind.name())]
    NotDirectory {
        /// The path up to and with that component.
        path: RelPathBuf,
        /// What it is.
        kind: Kind,
    },
    /// A directory may not be searched, or the last one not read.
    #[error("no permission for `{path}`")]
    PermissionDenied {
        /// The directory that refuses.
        path: RelPathBuf,
    },
    /// The file system reported another error.
    #[error("`{path}` cannot be opened")]
    Io {
        /// The path up to and with the component that failed.
        path: RelPathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

impl Root {
    /// Opens any directory that the host names; links in the host's own path are followed.
    ///
    /// # Errors
    ///
    /// What the system says when the path is no directory that can be opened; `EAGAIN` if the
    /// path names another directory at every look.
    pub fn open(path: &Path) -> io::Result<Root> {
        Root::open_with(path, Beneath::default())
    }

    /// As [`Root::open`], with the way in which paths are opened beneath it. Tests use it to
    /// run every case in both ways.
    ///
    /// # Errors
    ///
    /// As [`Root::open`].
    pub fn open_with(path: &Path, beneath: Beneath) -> io::Result<Root> {
        // The canonical spelling and the descriptor come from two calls; they belong together
        // only if both name the same directory.
        const TRIES: u32 = 4;
        for _ in 0..TRIES {
            let fd = open_host_path(path)?;
            let canonical = std::fs::canonicalize(path)?;
            let named = rustix::fs::stat(&canonical)?;
            if FileId::of(&named) == FileId::of(&rustix::fs::fstat(&fd)?) {
                let canonical = canonical.as_os_str().as_bytes().to_vec();
                let spelled = path.as_os_str().as_bytes().to_vec();
                return Ok(Root::from_parts(fd, canonical, spelled, beneath));
            }
        }
        Err(Errno::AGAIN.into())
    }

    pub(crate) fn from_parts(
        fd: OwnedFd,
        path: Vec<u8>,
        spelled: Vec<u8>,
        beneath: Beneath,
    ) -> Root {
        Root {
            fd,
            path,
            spelled,
            beneath,
            inside_repository: OnceLock::new(),
        }
    }

    /// A directory beneath this root as a root of its own.
    pub(crate) fn below(&self, path: RelPath<'_>, dir: Dir) -> Root {
        let join = |root: &[u8]| {
            let mut joined = root.to_vec();
            if !path.is_empty() {
                if !joined.ends_with(b"/") {
                    joined.push(b'/');
                }
                joined.extend_from_slice(path.as_bytes());
            }
            joined
        };
        Root::from_parts(dir.fd, join(&self.path), join(&self.spelled), self.beneath)
    }

    /// The same root with another descriptor.
    ///
    /// # Errors
    ///
    /// What the system says, as when too many files are open.
    pub fn try_clone(&self) -> io::Result<Root> {
        let fd = self.fd.try_clone()?;
        let (path, spelled) = (self.path.clone(), self.spelled.clone());
        Ok(Root::from_parts(fd, path, spelled, self.beneath))
    }

    /// The canonical absolute path at the time of opening.
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// The path as the host gave it.
    pub fn spelled(&self) -> &[u8] {
        &self.spelled
    }

    /// How paths are opened beneath this root.
    pub fn beneath(&self) -> Beneath {
        self.beneath
    }

    /// The root itself, with a descriptor of its own.
    ///
    /// # Errors
    ///
    /// What the system says when the directory may not be read.
    pub fn dir(&self) -> io::Result<Dir> {
        Ok(Dir::new(self.open_itself(Access::Read)?))
    }

    /// The root's identity.
    ///
    /// # Errors
    ///
    /// What the system says; the descriptor is open, so only a failing file system does.
    pub fn id(&self) -> io::Result<FileId> {
        Ok(FileId::of(&rustix::fs::fstat(&self.fd)?))
    }

    /// What remains of an absolute path below the root's canonical or spelled path.
    ///
    /// Whole components are compared, so `/r/a` does not contain `/r/ab`. Nothing is looked up:
    /// `..` is left for [`Root::resolve`] to refuse or follow.
    pub fn relative<'a>(&self, absolute: &'a [u8]) -> Option<&'a [u8]> {
        strip(absolute, &self.path).or_else(|| strip(absolute, &self.spelled))
    }

    /// Opens the directory at a canonical path. No component may be a link, and the path may
    /// be longer than the system's longest.
    ///
    /// # Errors
    ///
    /// Names the component that failed.
    pub fn open_dir(&self, path: RelPath<'_>) -> Result<Dir, OpenDirError> {
        self.open_fd(path, Access::Read).map(Dir::new)
    }

    /// The kind of what is at a canonical path, or `None` if there is nothing, which is so too
    /// when a directory above it is a link or no directory.
    ///
    /// # Errors
    ///
    /// What the system says when it cannot be told, as without permission.
    pub fn kind_at(&self, path: RelPath<'_>) -> io::Result<Option<Kind>> {
        if path.is_empty() {
            return Ok(Some(Kind::Dir));
        }
        match self.open_fd(path.parent(), Access::Search) {
            Ok(parent) => Ok(sys::kind_at(parent, path.name())?),
            Err(OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. }) => Ok(None),
            Err(OpenDirError::PermissionDenied { .. }) => Err(Errno::ACCESS.into()),
            Err(OpenDirError::Io { error, .. }) => Err(error),
        }
    }

    /// True when a directory above the root holds `.git`. Looked up once; nothing else above
    /// the root is looked at, and what cannot be looked at counts as without.
    pub fn inside_repository(&self) -> bool {
        let above = || repository_above(self.fd.as_fd()).unwrap_or(false);
        *self.inside_repository.get_or_init(above)
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Opens the directory at a canonical path, the kernel's way first.
    pub(crate) fn open_fd(
        &self,
        path: RelPath<'_>,
        access: Access,
    ) -> Result<OwnedFd, OpenDirError> {
        if path.is_empty() {
            return self
                .open_itself(access)
                .map_err(|error| failed(RelPathBuf::default(), error));
        }
        if self.beneath == Beneath::Kernel
            && let Ok(fd) = self.open_chunks(path, access)
        {
            return Ok(fd);
        }
        self.open_steps(path, access)
    }

    fn open_itself(&self, access: Access) -> io::Result<OwnedFd> {
        match sys::open_at(&self.fd, b".", access) {
            // Looking `.` up needs permission to search, and a directory that may only be read
            // does not give it. Its path may name another directory by now.
            Err(Errno::ACCESS) if access == Access::Read => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let path = self.path.as_slice();
                let fd = retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?;
                let same = FileId::of(&rustix::fs::fstat(&fd)?) == self.id()?;
                same.then_some(fd).ok_or_else(|| Errno::ACCESS.into())
            }
            other => Ok(other?),
        }
    }

    fn open_chunks(&self, path: RelPath<'_>, access: Access) -> Result<OwnedFd, Errno> {
        let mut rest = path.as_bytes();
        let mut above: Option<OwnedFd> = None;
        loop {
            let (chunk, more) = split_chunk(rest);
            let last = more.is_empty();
            let access = if last { access } else { Access::Search };
            let from = above.as_ref().map_or(self.fd(), AsFd::as_fd);
            let fd = sys::open_beneath(from, chunk, access)?;
            if last {
                return Ok(fd);
            }
            above = Some(fd);
            rest = more;
        }
    }

    fn open_steps(&self, path: RelPath<'_>, access: Access) -> Result<OwnedFd, OpenDirError> {
        let mut above: Option<OwnedFd> = None;
        let mut done = RelPathBuf::default();
        for name in path.components() {
            let from = above.as_ref().map_or(self.fd(), AsFd::as_fd);
            let last = done.as_bytes().len() + name.len() + 1 >= path.as_bytes().len();
            let access = if last { access } else { Access::Search };
            match sys::open_at(from, name, access) {
                Ok(fd) => above = Some(fd),
                Err(error) => return Err(explain(from, done, name, error)),
            }
            done.push(RelPath::assume(name));
        }
        Ok(above.expect("a path that is not empty has a component"))
    }
}

/// Opens the host's own path, following links.
fn open_host_path(path: &Path) -> io::Result<OwnedFd> {
    let common = OFlags::DIRECTORY | OFlags::CLOEXEC;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let flags = common | OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let flags = common | OFlags::RDONLY | OFlags::NONBLOCK;
    let open = || rustix::fs::open(path, flags, Mode::empty());
    Ok(retry_on_intr(open)?)
}

/// Tells why the component `name` below `done` could not be opened.
fn explain(dir: BorrowedFd<'_>, done: RelPathBuf, name: &[u8], error: Errno) -> OpenDirError {
    let path = done.join(RelPath::assume(name));
    match error {
        Errno::NOENT => OpenDirError::NotFound { path },
        Errno::ACCESS | Errno::PERM => {
            // Who refuses, the directory above or this one?
            let path = if sys::stat_at(dir, name).is_ok() {
                path
            } else {
                done
            };
            OpenDirError::PermissionDenied { path }
        }
        // Systems differ in how they say that the last component is a link.
        Errno::NOTDIR | Errno::LOOP | Errno::MLINK => match sys::kind_at(dir, name) {
            Ok(Some(kind)) if kind != Kind::Dir => OpenDirError::NotDirectory { path, kind },
            Ok(None) => OpenDirError::NotFound { path },
            _ => failed(path, error.into()),
        },
        _ => failed(path, error.into()),
    }
}

fn failed(path: RelPathBuf, error: io::Error) -> OpenDirError {
    if error.kind() == io::ErrorKind::PermissionDenied {
        return OpenDirError::PermissionDenied { path };
    }
    OpenDirError::Io { path, error }
}

/// Cuts off as many whole components as one system call takes.
fn split_chunk(path: &[u8]) -> (&[u8], &[u8]) {
    const LONGEST: usize = 4000;
    if path.len() <= LONGEST {
        return (path, b"");
    }
    // A component is at most 255 bytes, so there is a slash unless the path cannot exist.
    match path[..LONGEST].iter().rposition(|byte| *byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (path, b""),
    }
}

/// Strips the components of `root` from `path`.
fn strip<'a>(path: &'a [u8], root: &[u8]) -> Option<&'a [u8]> {
    if path.first() != Some(&b'/') || root.first() != Some(&b'/') {
        return None;
    }
    let mut rest = path;
    for part in root.split(|byte| *byte == b'/') {
        if matches!(part, b"" | b".") {
            continue;
        }
        rest = skip_dots(rest).strip_prefix(part)?;
        if !matches!(rest.first(), None | Some(b'/')) {
            return None;
        }
    }
    Some(skip_dots(rest))
}

/// Skips slashes and `.` components.
fn skip_dots(mut path: &[u8]) -> &[u8] {
    loop {
        path = match path {
            [b'/', rest @ ..] => rest,
            b"." => b"",
            [b'.', b'/', rest @ ..] => rest,
            _ => return path,
        }
    }
}

fn repository_above(root: BorrowedFd<'_>) -> Result<bool, Errno> {
    // No path is deeper than this; a directory that always has a parent would be a fault.
    const HIGHEST: u32 = 65_536;
    let mut below = FileId::of(&rustix::fs::fstat(root)?);
    let mut dir = sys::open_at(root, b"..", Access::Search)?;
    for _ in 0..HIGHEST {
        let id = FileId::of(&rustix::fs::fstat(&dir)?);
        if id == below {
            return Ok(false);
        }
        if sys::kind_at(&dir, b".git")?.is_some() {
            return Ok(true);
        }
        below = id;
        dir = sys::open_at(&dir, b"..", Access::Search)?;
    }
    Ok(false)
}
