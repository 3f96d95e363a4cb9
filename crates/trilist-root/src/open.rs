//! Opening canonical paths beneath a root: no link is followed at any component.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::io::Errno;
use trilist_core::{Kind, RelPath, RelPathBuf};

use crate::sys::{self, Access};
use crate::{Beneath, Dir, Root};

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

impl From<OpenDirError> for io::Error {
    /// What the system would have said.
    fn from(error: OpenDirError) -> io::Error {
        match error {
            OpenDirError::NotFound { .. } => Errno::NOENT.into(),
            OpenDirError::NotDirectory { .. } => Errno::NOTDIR.into(),
            OpenDirError::PermissionDenied { .. } => Errno::ACCESS.into(),
            OpenDirError::Io { error, .. } => error,
        }
    }
}

impl Root {
    /// Opens a directory by a path from the root of the file system (relative to it: `etc`, not
    /// `/etc`), none of whose components is a link: what is opened is what the path says.
    ///
    /// # Errors
    ///
    /// Names the component that failed; a link is [`OpenDirError::NotDirectory`].
    pub fn open_unlinked(path: RelPath<'_>) -> Result<Root, OpenDirError> {
        let top = Root::open(Path::new("/"));
        let top = top.map_err(|error| failed(RelPathBuf::default(), error))?;
        let dir = top.open_dir(path)?;
        Ok(top.below(path, dir))
    }

    /// Opens what is now at the path where this root was: its canonical path, none of whose
    /// components is a link. It need not be the same directory.
    ///
    /// # Errors
    ///
    /// As [`Root::open_unlinked`].
    pub fn open_again(&self) -> Result<Root, OpenDirError> {
        let top = Root::open_with(Path::new("/"), self.beneath());
        let top = top.map_err(|error| failed(RelPathBuf::default(), error))?;
        let path = RelPath::assume(self.path().strip_prefix(b"/").unwrap_or(self.path()));
        // To be searched, not read: a root is opened so at first, too.
        let fd = top.open_fd(path, Access::Search)?;
        let (path, spelled) = (self.path().to_vec(), self.spelled().to_vec());
        Ok(Root::from_parts(fd, path, spelled, self.beneath()))
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
        match self.entry_at(path) {
            Ok(kind) => Ok(Some(kind)),
            Err(OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The kind of what is at a canonical path. A link is a link, and none on the way is followed.
    ///
    /// # Errors
    ///
    /// Names the component that is missing or stands in the way.
    pub fn entry_at(&self, path: RelPath<'_>) -> Result<Kind, OpenDirError> {
        if path.is_empty() {
            return Ok(Kind::Dir);
        }
        let parent = self.open_fd(path.parent(), Access::Search)?;
        match sys::kind_at(parent, path.name()) {
            Ok(Some(kind)) => Ok(kind),
            Ok(None) => Err(OpenDirError::NotFound { path: path.to_buf() }),
            Err(Errno::ACCESS | Errno::PERM) => {
                Err(OpenDirError::PermissionDenied { path: path.parent().to_buf() })
            }
            Err(error) => Err(failed(path.to_buf(), error.into())),
        }
    }

    /// What the link at a canonical path holds; nothing of what it leads to is looked at.
    ///
    /// # Errors
    ///
    /// As [`Root::entry_at`]; `EINVAL` when it is no link.
    pub fn link_at(&self, path: RelPath<'_>) -> Result<Vec<u8>, OpenDirError> {
        let parent = self.open_fd(path.parent(), Access::Search)?;
        sys::read_link(parent, path.name()).map_err(|error| failed(path.to_buf(), error.into()))
    }

    /// Opens the directory at a canonical path, the kernel's way first.
    pub(crate) fn open_fd(
        &self,
        path: RelPath<'_>,
        access: Access,
    ) -> Result<OwnedFd, OpenDirError> {
        if path.is_empty() {
            return self.open_itself(access).map_err(|error| failed(RelPathBuf::default(), error));
        }
        if self.beneath() == Beneath::Kernel
            && let Ok(fd) = self.open_chunks(path, access)
        {
            return Ok(fd);
        }
        self.open_steps(path, access)
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
            above = Some(open_step(from, &done, name, access)?);
            done.push(RelPath::assume(name));
        }
        Ok(above.expect("a path that is not empty has a component"))
    }
}

/// Opens the component `name` below `done`, or tells why not.
fn open_step(
    dir: BorrowedFd<'_>,
    done: &RelPathBuf,
    name: &[u8],
    access: Access,
) -> Result<OwnedFd, OpenDirError> {
    // Between the two looks a link may have become a directory again.
    const TRIES: u32 = 8;

    let path = || done.join(RelPath::assume(name));
    for _ in 0..TRIES {
        let error = match sys::open_at(dir, name, access) {
            Ok(fd) => return Ok(fd),
            Err(error) => error,
        };
        match error {
            // Systems differ in how they say that the last component is a link.
            Errno::NOTDIR | Errno::LOOP | Errno::MLINK => {}
            Errno::NOENT => return Err(OpenDirError::NotFound { path: path() }),
            Errno::ACCESS | Errno::PERM => {
                // Who refuses, the directory above or this one?
                let above = sys::stat_at(dir, name).is_err();
                let path = if above { done.clone() } else { path() };
                return Err(OpenDirError::PermissionDenied { path });
            }
            _ => return Err(failed(path(), error.into())),
        }
        match sys::kind_at(dir, name) {
            Ok(Some(Kind::Dir)) => {}
            Ok(Some(kind)) => return Err(OpenDirError::NotDirectory { path: path(), kind }),
            Ok(None) => return Err(OpenDirError::NotFound { path: path() }),
            Err(error) => return Err(failed(path(), error.into())),
        }
    }
    Err(failed(path(), Errno::AGAIN.into()))
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
