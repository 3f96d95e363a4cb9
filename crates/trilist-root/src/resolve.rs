//! From what was asked to a canonical path and an open directory.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use trilist_core::{Kind, Metadata, RelPath, RelPathBuf};

use crate::open::OpenDirError;
use crate::root::Beneath;
use crate::sys::{self, Access};
use crate::{Dir, ReadError, Root};

/// The longest path that may be asked, in bytes.
const LONGEST: usize = 4096;
/// How many links one path may cross, as in the kernel.
const MOST_LINKS: u32 = 40;
/// How many components one path may open. Links that hold long paths multiply them; no honest
/// path comes near.
const MOST_STEPS: u32 = 65_536;
/// How often something may turn into something else while it is looked at.
const TRIES: u32 = 8;

/// A directory that was asked for.
#[derive(Debug)]
pub struct Resolved {
    /// Its canonical path, relative to the root.
    pub path: RelPathBuf,
    /// The directory, opened for reading.
    pub dir: Dir,
}

/// What a path was found to be, links followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// Its canonical path, relative to the root.
    pub path: RelPathBuf,
    /// What it is; never a link.
    pub kind: Kind,
    /// Its size, time and permissions. None are told of the root itself.
    pub metadata: Metadata,
}

/// Why a path did not resolve to a directory. No variant tells anything of what lies outside
/// the root.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The path leaves the root by `..`, by a link or by being absolute. Whether anything
    /// exists there was not looked up.
    #[error("the path leads outside the root")]
    OutsideRoot,
    /// A component does not exist.
    #[error("there is no such name in `{existing}`")]
    NotFound {
        /// The nearest existing directory, by its canonical path.
        existing: RelPathBuf,
        /// The first component that is missing there.
        missing: Vec<u8>,
    },
    /// A component, often the last, is no directory.
    #[error("`{path}` is a {}, not a directory", kind.name())]
    NotDirectory {
        /// Its canonical path.
        path: RelPathBuf,
        /// What it is; never a link, since links are followed.
        kind: Kind,
    },
    /// A directory may not be searched, or the asked one not be read.
    #[error("no permission for `{path}`")]
    PermissionDenied {
        /// The directory that refuses, by its canonical path.
        path: RelPathBuf,
    },
    /// The file system reported another error. `ELOOP` stands for too many links, `EAGAIN` for
    /// a path on which something changed at every look.
    #[error("`{path}` cannot be opened")]
    Io {
        /// How far the way led, by its canonical path.
        path: RelPathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The path holds a NUL byte.
    #[error("a path cannot hold a NUL byte")]
    Nul,
    /// The path is longer than 4,096 bytes.
    #[error("the path is longer than {LONGEST} bytes")]
    TooLong,
}

impl Root {
    /// Opens the directory that `asked` names, relative to the root.
    ///
    /// `.`, `..`, doubled and trailing slashes mean what they mean to the system, and an empty
    /// path is the root. Links are followed inside the root, at most 40; one that leads out,
    /// that is absolute, or that is one of `/proc`'s magic links, is refused without a look at
    /// its target. A path that would leave the root if its missing part existed leads outside.
    ///
    /// # Errors
    ///
    /// See [`ResolveError`].
    pub fn resolve(&self, asked: &[u8]) -> Result<Resolved, ResolveError> {
        check(asked)?;
        if self.beneath() == Beneath::Kernel
            && let Some(found) = by_kernel(self, asked)
        {
            return Ok(found);
        }
        by_steps(self, asked)
    }
}

impl Root {
    /// Tells what `asked` names, without opening it: a directory or anything else. Paths and links
    /// are as in [`Root::resolve`], and permission to read it is not needed.
    ///
    /// # Errors
    ///
    /// As [`Root::resolve`]; [`ResolveError::NotDirectory`] only when the path goes on behind
    /// something that is no directory, or ends in a slash there.
    pub fn look(&self, asked: &[u8]) -> Result<Looked, ResolveError> {
        check(asked)?;
        let mut walk = Walk::new(self, asked);
        let (path, kind) = match walk.go() {
            Ok(()) => (walk.done, Kind::Dir),
            Err(ResolveError::NotDirectory { path, kind })
                if walk.todo.is_empty() && !asked.ends_with(b"/") =>
            {
                (path, kind)
            }
            Err(error) => return Err(error),
        };
        let metadata = self.stat(&path, kind)?;
        Ok(Looked { path, kind, metadata })
    }

    /// Reads a regular file, at most `cap` bytes of it. Paths and links are as in
    /// [`Root::resolve`]; a pipe is not waited for.
    ///
    /// # Errors
    ///
    /// [`ReadError`] for the file itself, in the `Ok`; else as [`Root::look`].
    pub fn read(&self, asked: &[u8], cap: u64) -> Result<Result<Vec<u8>, ReadError>, ResolveError> {
        let found = self.look(asked)?;
        let (parent, name) = self.parent(&found.path)?;
        Ok(parent.read_file(&name, cap))
    }

    fn stat(&self, path: &RelPathBuf, kind: Kind) -> Result<Metadata, ResolveError> {
        if path.as_bytes().is_empty() {
            return Ok(Metadata::default());
        }
        let (parent, name) = self.parent(path)?;
        let failed = |error| ResolveError::Io { path: path.clone(), error };
        parent.metadata(&name, kind).map_err(failed)
    }

    /// The directory of a canonical path, opened to look names up in it, and the path's name.
    fn parent(&self, path: &RelPathBuf) -> Result<(Dir, Vec<u8>), ResolveError> {
        let name = path.as_path().name().to_vec();
        let mut above = path.clone();
        above.pop();
        let fd = self.open_fd(above.as_path(), Access::Search).map_err(changed)?;
        Ok((Dir::new(fd), name))
    }
}

/// The common case in one system call: a path that exists and crosses no link.
fn by_kernel(root: &Root, asked: &[u8]) -> Option<Resolved> {
    let path = if asked.is_empty() { b"." } else { asked };
    let fd = sys::open_beneath(root.fd(), path, Access::Read).ok()?;
    // Without a link, `..` undoes the component before it.
    let mut canonical = RelPathBuf::default();
    for part in asked.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                canonical.pop();
            }
            name => canonical.push(RelPath::assume(name)),
        }
    }
    Some(Resolved { path: canonical, dir: Dir::new(fd) })
}

fn check(asked: &[u8]) -> Result<(), ResolveError> {
    if asked.len() > LONGEST {
        return Err(ResolveError::TooLong);
    }
    if asked.contains(&0) {
        return Err(ResolveError::Nul);
    }
    if asked.first() == Some(&b'/') {
        return Err(ResolveError::OutsideRoot);
    }
    Ok(())
}

/// The portable way, and the one that names what went wrong.
fn by_steps(root: &Root, asked: &[u8]) -> Result<Resolved, ResolveError> {
    let mut tries = 1;
    loop {
        match walk_and_open(root, asked) {
            Err(ResolveError::Io { error, .. }) if is_again(&error) && tries < TRIES => tries += 1,
            other => return other,
        }
    }
}

fn walk_and_open(root: &Root, asked: &[u8]) -> Result<Resolved, ResolveError> {
    let path = Walk::new(root, asked).run()?;
    let fd = root.open_fd(path.as_path(), Access::Read);
    let dir = Dir::new(fd.map_err(changed)?);
    Ok(Resolved { path, dir })
}

fn is_again(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::AGAIN)
}

/// The way through the root, link by link.
struct Walk<'r> {
    root: &'r Root,
    /// The components still to go, the next one last.
    todo: Vec<Vec<u8>>,
    /// The canonical path so far.
    done: RelPathBuf,
    /// The directory at `done`; absent at the root and after a `..`.
    here: Option<OwnedFd>,
    links: u32,
    steps: u32,
}

impl<'r> Walk<'r> {
    fn new(root: &'r Root, asked: &[u8]) -> Self {
        let mut walk = Walk {
            root,
            todo: Vec::new(),
            done: RelPathBuf::default(),
            here: None,
            links: 0,
            steps: 0,
        };
        walk.push(asked);
        walk
    }

    fn push(&mut self, path: &[u8]) {
        let parts = path.split(|byte| *byte == b'/');
        let parts = parts.filter(|part| !matches!(*part, b"" | b"."));
        self.todo.extend(parts.rev().map(<[u8]>::to_vec));
    }

    fn run(mut self) -> Result<RelPathBuf, ResolveError> {
        self.go()?;
        Ok(self.done)
    }

    fn go(&mut self) -> Result<(), ResolveError> {
        while let Some(part) = self.todo.pop() {
            if part == b".." {
                self.up()?;
            } else if let Err(error) = self.down(&part) {
                return Err(if self.would_leave() { ResolveError::OutsideRoot } else { error });
            }
        }
        Ok(())
    }

    /// Never by the directory's own `..`: a directory that was moved would lead elsewhere.
    fn up(&mut self) -> Result<(), ResolveError> {
        if !self.done.pop() {
            return Err(ResolveError::OutsideRoot);
        }
        self.here = None;
        Ok(())
    }

    fn down(&mut self, name: &[u8]) -> Result<(), ResolveError> {
        self.reopen()?;
        for _ in 0..TRIES {
            self.count_step()?;
            let dir = self.here();
            match sys::open_at(dir, name, Access::Search) {
                Ok(fd) => {
                    self.done.push(RelPath::assume(name));
                    self.here = Some(fd);
                    return Ok(());
                }
                Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => {}
                Err(error) => return Err(self.failed(name, error)),
            }
            match sys::kind_at(dir, name) {
                Ok(Some(Kind::Dir)) => {}
                Ok(Some(Kind::Symlink)) => match sys::read_link(dir, name) {
                    // It is no link any more.
                    Err(Errno::INVAL) => {}
                    Err(error) => return Err(self.failed(name, error)),
                    Ok(target) => return self.follow(&target),
                },
                Ok(Some(kind)) => {
                    let path = self.done.join(RelPath::assume(name));
                    return Err(ResolveError::NotDirectory { path, kind });
                }
                Ok(None) => return Err(self.failed(name, Errno::NOENT)),
                Err(error) => return Err(self.failed(name, error)),
            }
        }
        Err(self.failed(name, Errno::AGAIN))
    }

    fn here(&self) -> BorrowedFd<'_> {
        self.here.as_ref().map_or(self.root.fd(), AsFd::as_fd)
    }

    /// After a `..`, opens the directory at `done` again, from the root.
    fn reopen(&mut self) -> Result<(), ResolveError> {
        if self.here.is_none() && !self.done.as_path().is_empty() {
            self.steps += self.done.as_path().depth();
            self.count_step()?;
            let again = self.root.open_fd(self.done.as_path(), Access::Search);
            self.here = Some(again.map_err(changed)?);
        }
        Ok(())
    }

    fn follow(&mut self, target: &[u8]) -> Result<(), ResolveError> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(self.io(Errno::LOOP));
        }
        if target.first() == Some(&b'/') || self.is_magic(target) {
            return Err(ResolveError::OutsideRoot);
        }
        self.push(target);
        Ok(())
    }

    /// `/proc` has links that lead where their text does not say; those whose text looks
    /// relative are like `pipe:[4711]`.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn is_magic(&self, target: &[u8]) -> bool {
        let on_proc = || match rustix::fs::fstatfs(self.here()) {
            Ok(found) => found.f_type == rustix::fs::PROC_SUPER_MAGIC,
            Err(_) => true,
        };
        target.contains(&b':') && on_proc()
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn is_magic(&self, _: &[u8]) -> bool {
        false
    }

    /// True when what is left would leave the root, did the failed component exist.
    fn would_leave(&self) -> bool {
        let mut depth = u64::from(self.done.as_path().depth()) + 1;
        for part in self.todo.iter().rev() {
            if part != b".." {
                depth += 1;
            } else if depth == 0 {
                return true;
            } else {
                depth -= 1;
            }
        }
        false
    }

    fn count_step(&mut self) -> Result<(), ResolveError> {
        self.steps = self.steps.saturating_add(1);
        if self.steps > MOST_STEPS {
            return Err(self.io(Errno::LOOP));
        }
        Ok(())
    }

    fn failed(&self, name: &[u8], error: Errno) -> ResolveError {
        match error {
            Errno::NOENT => {
                ResolveError::NotFound { existing: self.done.clone(), missing: name.to_vec() }
            }
            Errno::ACCESS | Errno::PERM => {
                ResolveError::PermissionDenied { path: self.done.clone() }
            }
            _ => self.io(error),
        }
    }

    fn io(&self, error: Errno) -> ResolveError {
        ResolveError::Io { path: self.done.clone(), error: error.into() }
    }
}

/// A directory that the walk saw cannot be opened any more. If it is gone or has become
/// something else, the way has to be looked for anew, since only the walk may follow a link.
fn changed(error: OpenDirError) -> ResolveError {
    match error {
        OpenDirError::NotFound { path } | OpenDirError::NotDirectory { path, .. } => {
            let error = Errno::AGAIN.into();
            ResolveError::Io { path, error }
        }
        OpenDirError::PermissionDenied { path } => ResolveError::PermissionDenied { path },
        OpenDirError::Io { path, error } => ResolveError::Io { path, error },
    }
}
