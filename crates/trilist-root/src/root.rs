//! The opened root.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use trilist_core::RelPath;

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
    below_dot_ignore: OnceLock<bool>,
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
            #[expect(clippy::disallowed_methods, reason = "the host's own path, checked below")]
            let canonical = sys::uninterrupted(|| std::fs::canonicalize(path))?;
            let named = sys::stat_host(&canonical)?;
            if FileId::of(&named) == FileId::of(&sys::stat_fd(&fd)?) {
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
            below_dot_ignore: OnceLock::new(),
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
        let fd = sys::uninterrupted(|| self.fd.try_clone())?;
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
        Ok(FileId::of(&sys::stat_fd(&self.fd)?))
    }

    /// The identity of what the host's own path names now, links followed: one system call.
    ///
    /// # Errors
    ///
    /// What the system says, as when nothing is there.
    pub fn id_at(path: &Path) -> io::Result<FileId> {
        Ok(FileId::of(&sys::stat_host(path)?))
    }

    /// What remains of an absolute path below the root's canonical or spelled path.
    ///
    /// Whole components are compared, so `/r/a` does not contain `/r/ab`. Nothing is looked up:
    /// `..` is left for [`Root::resolve`] to refuse or follow.
    pub fn relative<'a>(&self, absolute: &'a [u8]) -> Option<&'a [u8]> {
        let ways = [strip(absolute, &self.path), strip(absolute, &self.spelled)];
        // The host may have spelled the root through a link in itself.
        ways.into_iter().flatten().min_by_key(|rest| rest.len())
    }

    /// True when a directory above the root holds `.git`. Looked up once and never opened; what
    /// cannot be looked at counts as without.
    pub fn inside_repository(&self) -> bool {
        let above = || is_above(self.fd.as_fd(), &[b".git"]).unwrap_or(false);
        *self.inside_repository.get_or_init(above)
    }

    /// True when a directory above the root holds `.ignore` or `.rgignore`. Looked up once and
    /// never opened; what cannot be looked at counts as without.
    pub fn below_dot_ignore(&self) -> bool {
        let above = || is_above(self.fd.as_fd(), &[b".ignore", b".rgignore"]).unwrap_or(false);
        *self.below_dot_ignore.get_or_init(above)
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub(crate) fn open_itself(&self, access: Access) -> io::Result<OwnedFd> {
        match sys::open_at(&self.fd, b".", access) {
            // Looking `.` up needs permission to search, and a directory that may only be read
            // does not give it. Its path may name another directory by now.
            Err(Errno::ACCESS) if access == Access::Read => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let path = self.path.as_slice();
                let fd = retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?;
                let same = FileId::of(&sys::stat_fd(&fd)?) == self.id()?;
                same.then_some(fd).ok_or_else(|| Errno::ACCESS.into())
            }
            other => Ok(other?),
        }
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

/// Whether a directory above `root` holds one of the names.
fn is_above(root: BorrowedFd<'_>, names: &[&[u8]]) -> Result<bool, Errno> {
    // No path is deeper than this; a directory that always has a parent would be a fault.
    const HIGHEST: u32 = 65_536;
    let mut below = FileId::of(&sys::stat_fd(root)?);
    let mut dir = sys::open_at(root, b"..", Access::Search)?;
    for _ in 0..HIGHEST {
        let id = FileId::of(&sys::stat_fd(&dir)?);
        if id == below {
            return Ok(false);
        }
        for name in names {
            if sys::kind_at(&dir, name)?.is_some() {
                return Ok(true);
            }
        }
        below = id;
        dir = sys::open_at(&dir, b"..", Access::Search)?;
    }
    Ok(false)
}
