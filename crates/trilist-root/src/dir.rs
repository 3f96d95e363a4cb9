//! An open directory.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::AtomicBool;

use rustix::fs::Stat;
use rustix::io::Errno;
use trilist_core::{Kind, Metadata, Modified, NodeId};

use crate::file::wide;
use crate::sys::{self, Access};
use crate::{FileId, FileStamp};

/// One open directory: names are looked up in it and never lead out of it.
///
/// Every `name` is one component as the directory holds it. An empty name, `.`, `..` and one
/// with a slash or NUL are refused with `EINVAL`, and no link is followed.
#[derive(Debug)]
pub struct Dir {
    pub(crate) fd: OwnedFd,
    /// Whether entries were read, so that reading again has to go back to the start.
    pub(crate) read: AtomicBool,
}

impl Dir {
    pub(crate) fn new(fd: OwnedFd) -> Dir {
        Dir { fd, read: AtomicBool::new(false) }
    }

    /// Opens a directory in this one.
    ///
    /// # Errors
    ///
    /// What the system says; a link is `ENOTDIR` or `ELOOP`.
    pub fn open_dir(&self, name: &[u8]) -> io::Result<Dir> {
        let name = sys::component(name)?;
        Ok(Dir::new(sys::open_at(&self.fd, name, Access::Read)?))
    }

    /// Opens a directory in this one if it lies on the same mount; `None` when it does not, and
    /// where the system cannot tell.
    ///
    /// # Errors
    ///
    /// As [`Dir::open_dir`].
    pub fn open_dir_on_mount(&self, name: &[u8]) -> io::Result<Option<Dir>> {
        let name = sys::component(name)?;
        Ok(sys::open_on_mount(&self.fd, name)?.map(Dir::new))
    }

    /// Which directory this is.
    ///
    /// # Errors
    ///
    /// What the system says; the descriptor is open, so only a failing file system does.
    pub fn id(&self) -> io::Result<FileId> {
        Ok(FileId::of(&sys::stat_fd(&self.fd)?))
    }

    /// True on file systems that the kernel makes up (`/proc`, `/sys`, control groups, …):
    /// endless, changing, and of no use in a listing.
    ///
    /// # Errors
    ///
    /// What the system says.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn is_pseudo(&self) -> io::Result<bool> {
        let found = rustix::io::retry_on_intr(|| rustix::fs::fstatfs(&self.fd))?;
        // The word's width and sign differ between machines; the numbers have 32 bits.
        Ok(PSEUDO.contains(&(found.f_type as u32)))
    }

    /// True on file systems that the kernel makes up. Known on Linux only.
    ///
    /// # Errors
    ///
    /// None here.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub fn is_pseudo(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// The facts that only a stat gives, of an entry that was seen as `kind`.
    ///
    /// If it is something else by now, every fact is absent: they would be another thing's. A
    /// directory, a pipe, a socket and a device have no size.
    ///
    /// # Errors
    ///
    /// What the system says, as `ENOENT` when the entry has vanished.
    pub fn metadata(&self, name: &[u8], kind: Kind) -> io::Result<Metadata> {
        let name = sys::component(name)?;
        let stat = sys::stat_at(&self.fd, name)?;
        let on_disk = if kind == Kind::Submodule { Kind::Dir } else { kind };
        if sys::kind_of(&stat) != on_disk {
            return Ok(Metadata::default());
        }
        let target = (kind == Kind::Symlink).then(|| sys::read_link(&self.fd, name).ok()).flatten();
        Ok(Metadata {
            size_bytes: size_bytes(&stat, kind),
            modified: modified(&stat),
            permissions: Some(wide::<_, u32>(stat.st_mode).unwrap_or(0) & 0o7777),
            target,
            id: None,
        })
    }

    /// Which thing an entry is, whatever its name; `None` where the system does not tell.
    pub fn node_id(&self, name: &[u8]) -> Option<NodeId> {
        sys::node_id(&self.fd, sys::component(name).ok()?)
    }

    /// The kind of an entry, or `None` if it is absent.
    ///
    /// # Errors
    ///
    /// What the system says when it cannot be told.
    pub fn kind_of(&self, name: &[u8]) -> io::Result<Option<Kind>> {
        Ok(sys::kind_at(&self.fd, sys::component(name)?)?)
    }

    /// Whether something is mounted at an entry, also when it is a part of the same device.
    ///
    /// # Errors
    ///
    /// What the system says, as `ENOENT` when the entry has vanished.
    pub fn is_mount_point(&self, name: &[u8]) -> io::Result<bool> {
        let name = sys::component(name)?;
        if let Some(is_root) = sys::is_mount_root(&self.fd, name) {
            return Ok(is_root);
        }
        let device = FileId::of(&sys::stat_at(&self.fd, name)?).device;
        Ok(device != self.id()?.device)
    }

    /// The state of an entry of any kind, or `None` if it is absent.
    ///
    /// # Errors
    ///
    /// What the system says when it cannot be told.
    pub fn stamp(&self, name: &[u8]) -> io::Result<Option<FileStamp>> {
        match sys::stat_at(&self.fd, sys::component(name)?) {
            Ok(stat) => Ok(Some(FileStamp::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn size_bytes(stat: &Stat, kind: Kind) -> Option<u64> {
    matches!(kind, Kind::File | Kind::Symlink).then(|| wide(stat.st_size)).flatten()
}

fn modified(stat: &Stat) -> Option<Modified> {
    let nanoseconds =
        wide(stat.st_mtime_nsec).filter(|nanoseconds| *nanoseconds < 1_000_000_000)?;
    Some(Modified { seconds: wide(stat.st_mtime)?, nanoseconds })
}

/// The numbers of the kernel's `magic.h`, by file system.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PSEUDO: &[u32] = &[
    0x0000_9fa0, // proc
    0x6265_6572, // sysfs
    0x0027_e0eb, // cgroup
    0x6367_7270, // cgroup2
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
    0x0000_1cd1, // devpts
    0x7363_6673, // securityfs
    0xf97c_ff8c, // selinux
    0x4341_5d53, // smack
    0xcafe_4a11, // bpf
    0x6165_676c, // pstore
    0xde5e_81e4, // efivarfs
    0x4249_4e4d, // binfmt_misc
    0x6265_6570, // configfs
    0x6573_5543, // fusectl
    0x1980_0202, // mqueue
    0x6e73_6673, // nsfs
    0x6759_6969, // rpc_pipefs
    0x0765_5821, // resctrl
    0x6c6f_6f70, // binderfs
    0xabba_1974, // xenfs
    0x0000_1373, // devfs
];
