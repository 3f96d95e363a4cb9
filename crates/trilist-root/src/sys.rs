//! The few system calls, with their flags in one place and EINTR retried.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::{Errno, retry_on_intr};
use trilist_core::{Kind, Modified, NodeId};

/// What a directory is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Looking names up in it; where the system can, without permission to read it.
    Search,
    /// Reading its entries.
    Read,
}

impl Access {
    fn flags(self) -> OFlags {
        let common = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match self {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Access::Search => common | OFlags::PATH,
            #[cfg(not(any(target_os = "linux", target_os = "android")))]
            Access::Search => common | OFlags::RDONLY | OFlags::NONBLOCK,
            Access::Read => common | OFlags::RDONLY | OFlags::NONBLOCK,
        }
    }
}

/// Opens the directory `name` in `dir` without following a link. `name` is one component, or
/// `.` or `..` where the caller means it.
pub(crate) fn open_at(dir: impl AsFd, name: &[u8], access: Access) -> Result<OwnedFd, Errno> {
    let dir = dir.as_fd();
    retry_on_intr(|| openat(dir, name, access.flags(), Mode::empty()))
}

/// Opens `path` beneath `dir` in one call, if the kernel can do that and crosses no link.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn open_beneath(dir: impl AsFd, path: &[u8], access: Access) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};

    // EAGAIN means that something was renamed meanwhile and `..` could not be proved safe. In a
    // busy tree that may last: the stepwise way then decides.
    const TRIES: u32 = 16;

    let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let dir = dir.as_fd();
    let open = || retry_on_intr(|| openat2(dir, path, access.flags(), Mode::empty(), how));
    let mut result = open();
    for _ in 1..TRIES {
        if !matches!(result, Err(Errno::AGAIN)) {
            break;
        }
        result = open();
    }
    result
}

/// Opens the directory `name` in `dir` unless that would cross into another mount, or the kernel
/// cannot say so. Where it can, that saves a stat of each directory.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn open_on_mount(dir: impl AsFd, name: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{ResolveFlags, openat2};

    static IS_MISSING: AtomicBool = AtomicBool::new(false);
    if IS_MISSING.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let dir = dir.as_fd();
    let (flags, how) = (Access::Read.flags(), ResolveFlags::NO_XDEV);
    match retry_on_intr(|| openat2(dir, name, flags, Mode::empty(), how)) {
        Ok(opened) => Ok(Some(opened)),
        Err(Errno::XDEV | Errno::AGAIN) => Ok(None),
        // Kernels before 5.6, and filters of system calls that do not know it.
        Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {
            IS_MISSING.store(true, Ordering::Relaxed);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Other systems have no such call.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn open_on_mount(_: impl AsFd, _: &[u8]) -> Result<Option<OwnedFd>, Errno> {
    Ok(None)
}

/// Other systems have no such call.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn open_beneath(_: impl AsFd, _: &[u8], _: Access) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}

/// Stats `name` in `dir` without following it.
pub(crate) fn stat_at(dir: impl AsFd, name: &[u8]) -> Result<Stat, Errno> {
    let dir = dir.as_fd();
    retry_on_intr(|| statat(dir, name, AtFlags::SYMLINK_NOFOLLOW))
}

/// Stats what is open. File systems in user space and networks can interrupt this one too.
pub(crate) fn stat_fd(fd: impl AsFd) -> Result<Stat, Errno> {
    let fd = fd.as_fd();
    retry_on_intr(|| rustix::fs::fstat(fd))
}

/// Stats a path of the host's own, following links.
pub(crate) fn stat_host(path: &std::path::Path) -> Result<Stat, Errno> {
    retry_on_intr(|| rustix::fs::stat(path))
}

/// Does a call of the standard library again while it is interrupted.
pub(crate) fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// The kind of `name` in `dir`, or `None` if it is absent.
pub(crate) fn kind_at(dir: impl AsFd, name: &[u8]) -> Result<Option<Kind>, Errno> {
    match stat_at(dir, name) {
        Ok(stat) => Ok(Some(kind_of(&stat))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The kind that a stat tells.
pub(crate) fn kind_of(stat: &Stat) -> Kind {
    kind_of_type(FileType::from_raw_mode(stat.st_mode))
}

/// The kind that a file type stands for.
pub(crate) fn kind_of_type(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Other,
    }
}

/// What the link `name` in `dir` holds.
pub(crate) fn read_link(dir: impl AsFd, name: &[u8]) -> Result<Vec<u8>, Errno> {
    let dir = dir.as_fd();
    let target = retry_on_intr(|| rustix::fs::readlinkat(dir, name, Vec::new()))?;
    Ok(target.into_bytes())
}

/// Refuses what is not one component: such a name could leave its directory.
pub(crate) fn component(name: &[u8]) -> io::Result<&[u8]> {
    if matches!(name, b"" | b"." | b"..") || name.contains(&b'/') || name.contains(&0) {
        return Err(io::Error::from(Errno::INVAL));
    }
    Ok(name)
}

/// Whether the entry is the root of a mount; `None` where the kernel does not tell. A bind mount
/// has the device of what it shows, so devices alone do not tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn is_mount_root(dir: impl AsFd, name: &[u8]) -> Option<bool> {
    use rustix::fs::{AtFlags, StatxAttributes, StatxFlags, statx};
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    let found = statx(dir, name, flags, StatxFlags::BASIC_STATS).ok()?;
    let tells = found.stx_attributes_mask.contains(StatxAttributes::MOUNT_ROOT);
    tells.then(|| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Which thing the entry is, and when it was born, where the file system tells that.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn node_id(dir: impl AsFd, name: &[u8]) -> Option<NodeId> {
    use rustix::fs::{AtFlags, StatxFlags, makedev, statx};
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    let found = statx(dir, name, flags, StatxFlags::INO | StatxFlags::BTIME).ok()?;
    let has = |flag: StatxFlags| found.stx_mask & flag.bits() != 0;
    let born = Modified { seconds: found.stx_btime.tv_sec, nanoseconds: found.stx_btime.tv_nsec };
    has(StatxFlags::INO).then(|| NodeId {
        device: makedev(found.stx_dev_major, found.stx_dev_minor),
        inode: found.stx_ino,
        born: has(StatxFlags::BTIME).then_some(born),
    })
}

/// Which thing the entry is; told on Linux only.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn node_id(_: impl AsFd, _: &[u8]) -> Option<NodeId> {
    None
}

/// Whether the entry is the root of a mount; told on Linux only.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn is_mount_root(_: impl AsFd, _: &[u8]) -> Option<bool> {
    None
}
