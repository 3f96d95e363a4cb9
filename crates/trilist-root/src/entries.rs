//! Reading a directory's entries.

use std::io;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::sync::atomic::Ordering;

use rustix::fs::{FileType, SeekFrom};
use trilist_core::Kind;

use crate::{Dir, sys};

/// A buffer for reading entries. It serves any number of directories, one at a time.
#[derive(Debug, Default)]
pub struct Scratch {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    buffer: Vec<u8>,
}

/// An entry as the directory gives it, valid during the call that hands it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawEntry<'a> {
    /// The name: not empty, `.` or `..`, without slash and NUL.
    pub name: &'a [u8],
    /// What it is. [`Kind::Other`] also when the file system does not say it and the stat that
    /// would fails; the reading then ends with that error.
    pub kind: Kind,
}

impl Dir {
    /// Gives every entry to `each`, in the file system's order, without `.` and `..`, until
    /// `each` breaks or fails. It always starts at the beginning, so a directory can be read
    /// more than once; a name that the file system gives twice comes twice.
    ///
    /// # Errors
    ///
    /// What the system says, or what `each` returns.
    pub fn entries<F>(&self, scratch: &mut Scratch, each: &mut F) -> io::Result<()>
    where
        F: FnMut(RawEntry<'_>) -> io::Result<ControlFlow<()>> + ?Sized,
    {
        if self.read.swap(true, Ordering::Relaxed) {
            rustix::io::retry_on_intr(|| rustix::fs::seek(&self.fd, SeekFrom::Start(0)))?;
        }
        self.read_all(scratch, each)
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn read_all<F>(&self, scratch: &mut Scratch, each: &mut F) -> io::Result<()>
    where
        F: FnMut(RawEntry<'_>) -> io::Result<ControlFlow<()>> + ?Sized,
    {
        // Larger buffers were no faster: the kernel fills them from its cache either way.
        const BUFFER_BYTES: usize = 64 * 1024;

        scratch.buffer.clear();
        scratch.buffer.reserve(BUFFER_BYTES);
        let spare = scratch.buffer.spare_capacity_mut();
        let mut entries = rustix::fs::RawDir::new(self.fd.as_fd(), spare);
        let mut unknown = None;
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            let name = entry.file_name().to_bytes();
            if self.pass_on(name, entry.file_type(), &mut unknown, each)?.is_break() {
                break;
            }
        }
        unknown.map_or(Ok(()), |error| Err(error.into()))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn read_all<F>(&self, _: &mut Scratch, each: &mut F) -> io::Result<()>
    where
        F: FnMut(RawEntry<'_>) -> io::Result<ControlFlow<()>> + ?Sized,
    {
        let mut unknown = None;
        for entry in rustix::fs::Dir::read_from(&self.fd)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if self.pass_on(name, entry.file_type(), &mut unknown, each)?.is_break() {
                break;
            }
        }
        unknown.map_or(Ok(()), |error| Err(error.into()))
    }

    #[inline]
    fn pass_on<F>(
        &self,
        name: &[u8],
        kind: FileType,
        unknown: &mut Option<rustix::io::Errno>,
        each: &mut F,
    ) -> io::Result<ControlFlow<()>>
    where
        F: FnMut(RawEntry<'_>) -> io::Result<ControlFlow<()>> + ?Sized,
    {
        if matches!(name, b"." | b"..") {
            return Ok(ControlFlow::Continue(()));
        }
        let kind = match kind {
            FileType::Unknown => match sys::kind_at(self.fd.as_fd(), name) {
                // Removed since it was read.
                Ok(None) => return Ok(ControlFlow::Continue(())),
                Ok(Some(kind)) => kind,
                // It may be a directory, whose contents would be missing in silence.
                Err(error) => {
                    unknown.get_or_insert(error);
                    Kind::Other
                }
            },
            known => sys::kind_of_type(known),
        };
        each(RawEntry { name, kind })
    }
}
