//! Regular files, opened without waiting and read up to a cap.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, Stat, openat};
use rustix::io::{Errno, retry_on_intr};
use trilist_core::Kind;

use crate::{Dir, sys};

/// Which file or directory something is, whatever its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// The device.
    pub device: u64,
    /// The inode on it.
    pub inode: u64,
}

/// The state of a file: if it is the same at two looks, the contents very likely are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// The device.
    pub device: u64,
    /// The inode on it.
    pub inode: u64,
    /// The size in bytes.
    pub size_bytes: u64,
    /// When the contents changed: seconds since 1970 and nanoseconds.
    pub mtime: (i64, u32),
    /// When contents or inode changed: seconds since 1970 and nanoseconds.
    pub ctime: (i64, u32),
}

/// An open regular file, read at a position of its own.
#[derive(Debug)]
pub struct RegularFile {
    file: File,
    position: u64,
    stamp: FileStamp,
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It does not exist.
    #[error("there is no such file")]
    NotFound,
    /// It is a directory, a link, a pipe, a socket or a device.
    #[error("it is a {}, not a regular file", noun(*.0))]
    NotRegular(Kind),
    /// It holds more than the cap.
    #[error("it is larger than {cap} bytes")]
    TooLarge {
        /// The cap in bytes.
        cap: u64,
    },
    /// The file system reported an error.
    #[error("it cannot be read")]
    Io(#[source] io::Error),
}

impl Dir {
    /// Reads a whole regular file of at most `cap` bytes.
    ///
    /// A file whose size is over the cap is not read at all, and one that grows meanwhile is
    /// read up to one byte beyond.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn read_file(&self, name: &[u8], cap: u64) -> Result<Vec<u8>, ReadError> {
        self.open_file(name)?.read_whole(cap)
    }

    /// As [`Dir::read_file`], of an entry that reading the directory has shown as `kind`: what is
    /// no regular file is not opened, and the entry's kind is not asked again before it is.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn read_file_seen_as(
        &self,
        name: &[u8],
        kind: Kind,
        cap: u64,
    ) -> Result<Vec<u8>, ReadError> {
        if kind != Kind::File {
            return Err(ReadError::NotRegular(kind));
        }
        self.open_seen(sys::component(name).map_err(ReadError::Io)?)?.read_whole(cap)
    }

    /// Opens a regular file. Nothing else is opened, and the call does not wait for a pipe.
    ///
    /// # Errors
    ///
    /// See [`ReadError`]; never [`ReadError::TooLarge`].
    pub fn open_file(&self, name: &[u8]) -> Result<RegularFile, ReadError> {
        let name = sys::component(name).map_err(ReadError::Io)?;
        // Opening a device can already have effects, so the kind is asked first; it may change
        // until the file is open, so it is asked again then.
        regular(&sys::stat_at(&self.fd, name).map_err(read_error)?)?;
        self.open_seen(name)
    }

    /// Opens what was seen as a regular file.
    fn open_seen(&self, name: &[u8]) -> Result<RegularFile, ReadError> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let open = || openat(&self.fd, name, flags, Mode::empty());
        RegularFile::checked(retry_on_intr(open).map_err(read_error)?)
    }
}

fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Dir => "directory",
        Kind::Symlink => "link",
        _ => "pipe, socket or device",
    }
}

fn regular(stat: &Stat) -> Result<(), ReadError> {
    match sys::kind_of(stat) {
        Kind::File => Ok(()),
        other => Err(ReadError::NotRegular(other)),
    }
}

fn read_error(error: Errno) -> ReadError {
    match error {
        Errno::NOENT => ReadError::NotFound,
        // It has become a link or a socket since its kind was asked.
        Errno::LOOP | Errno::MLINK => ReadError::NotRegular(Kind::Symlink),
        Errno::NXIO => ReadError::NotRegular(Kind::Other),
        other => ReadError::Io(other.into()),
    }
}

/// Reads a whole regular file of at most `cap` bytes that the host names by its own path. Links in
/// it are followed; the call does not wait for a pipe.
///
/// # Errors
///
/// See [`ReadError`].
pub fn read_host_file(path: &Path, cap: u64) -> Result<Vec<u8>, ReadError> {
    regular(&sys::stat_host(path).map_err(read_error)?)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let open = || rustix::fs::open(path, flags, Mode::empty());
    RegularFile::checked(retry_on_intr(open).map_err(read_error)?)?.read_whole(cap)
}

impl RegularFile {
    /// The open file, if it is a regular one.
    fn checked(fd: OwnedFd) -> Result<RegularFile, ReadError> {
        // It is open, so whatever is wrong, it is not absent.
        let stat = sys::stat_fd(&fd).map_err(|error| ReadError::Io(error.into()))?;
        regular(&stat)?;
        Ok(RegularFile { file: File::from(fd), position: 0, stamp: FileStamp::of(&stat) })
    }

    /// The size in bytes when the file was opened.
    pub fn len(&self) -> u64 {
        self.stamp.size_bytes
    }

    /// True when the file had no contents when it was opened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the whole file, of at most `cap` bytes, from its beginning.
    ///
    /// # Errors
    ///
    /// [`ReadError::TooLarge`] without reading when the size is over the cap, else
    /// [`ReadError::Io`].
    pub fn read_whole(mut self, cap: u64) -> Result<Vec<u8>, ReadError> {
        self.position = 0;
        let too_large = || ReadError::TooLarge { cap };
        let size = usize::try_from(self.len()).map_err(|_| too_large())?;
        if self.len() > cap {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        // One byte more than the size lets one reading see the end: a file that gives exactly its
        // size where more would fit is at its end.
        let room = size.saturating_add(1);
        bytes.try_reserve_exact(room).map_err(|error| ReadError::Io(error.into()))?;
        bytes.resize(room, 0);
        let read = loop {
            match self.read(&mut bytes[..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read.map_err(ReadError::Io)?,
            }
        };
        bytes.truncate(read);
        if read != size {
            let rest = cap.saturating_add(1).saturating_sub(read as u64);
            (&mut self).take(rest).read_to_end(&mut bytes).map_err(ReadError::Io)?;
        }
        let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if read > cap { Err(too_large()) } else { Ok(bytes) }
    }

    /// The state of the file when it was opened.
    pub fn stamp(&self) -> FileStamp {
        self.stamp
    }

    /// Fills `buffer` with the bytes from `at` on, counted from 0. The place where the file is
    /// read in turn stays where it is, so threads can share the descriptor.
    ///
    /// # Errors
    ///
    /// `UnexpectedEof` when the file has fewer bytes by now, or what the system says.
    pub fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        self.file.read_exact_at(buffer, at)
    }

    /// The same open file once more, to be read at another position.
    ///
    /// # Errors
    ///
    /// What the system says, as when no descriptors are left.
    pub fn another(&self) -> io::Result<RegularFile> {
        let file = sys::uninterrupted(|| self.file.try_clone())?;
        Ok(RegularFile { file, position: 0, stamp: self.stamp })
    }

    /// The state of the file now: another one means that it was written to meanwhile.
    ///
    /// # Errors
    ///
    /// What the system says; the descriptor is open, so only a failing file system does.
    pub fn stamp_now(&self) -> io::Result<FileStamp> {
        Ok(FileStamp::of(&sys::stat_fd(&self.file)?))
    }
}

impl Read for RegularFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Not `read`: its position is shared by every copy of the descriptor.
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for RegularFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.stamp_now()?.size_bytes.checked_add_signed(by),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

impl FileId {
    pub(crate) fn of(stat: &Stat) -> FileId {
        FileId {
            device: wide(stat.st_dev).unwrap_or(u64::MAX),
            inode: wide(stat.st_ino).unwrap_or(u64::MAX),
        }
    }
}

impl FileStamp {
    pub(crate) fn of(stat: &Stat) -> FileStamp {
        let FileId { device, inode } = FileId::of(stat);
        let time = |seconds, nanoseconds| (seconds, nanoseconds);
        FileStamp {
            device,
            inode,
            size_bytes: wide(stat.st_size).unwrap_or(0),
            mtime: time(wide(stat.st_mtime).unwrap_or(0), wide(stat.st_mtime_nsec).unwrap_or(0)),
            ctime: time(wide(stat.st_ctime).unwrap_or(0), wide(stat.st_ctime_nsec).unwrap_or(0)),
        }
    }

    /// Which file this is the state of.
    pub fn id(&self) -> FileId {
        FileId { device: self.device, inode: self.inode }
    }
}

/// A number of a stat in the width that we use; the fields' widths differ between systems.
pub(crate) fn wide<T: TryInto<U>, U>(number: T) -> Option<U> {
    number.try_into().ok()
}
