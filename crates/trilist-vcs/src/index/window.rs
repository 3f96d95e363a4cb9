//! A buffer that slides over a file.

use std::io::{self, Read};

/// Large enough that reading costs little, small enough to stay in a processor's first cache.
const SIZE: usize = 32 * 1024;

/// Sequential reading with a look at the next bytes, and at some that went by.
#[derive(Debug)]
pub(crate) struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Where in the file the buffer begins.
    base: u64,
    /// Bytes of the file from here on stay in the buffer.
    held: u64,
    /// Whether the file has no more bytes than are here.
    done: bool,
}

impl<R: Read> Window<R> {
    pub(crate) fn new(input: R) -> Self {
        let buffer = vec![0; SIZE];
        Window { input, buffer, start: 0, end: 0, base: 0, held: 0, done: false }
    }

    /// The position in the file.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// The next bytes: at least `want` of them unless the file ends before. The window grows to
    /// what is held and wanted together.
    #[inline]
    pub(crate) fn ahead(&mut self, want: usize) -> io::Result<&[u8]> {
        if self.end - self.start < want && !self.done {
            self.fill(want)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// What is ahead, without reading.
    #[inline]
    pub(crate) fn loaded(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The whole buffer as far as it is filled, where in the file it begins, and where in it the
    /// next byte is.
    #[inline]
    pub(crate) fn parts(&self) -> (&[u8], u64, usize) {
        (&self.buffer[..self.end], self.base, self.start)
    }

    /// Bytes from a position that is held.
    #[inline]
    pub(crate) fn at(&self, offset: u64, len: usize) -> &[u8] {
        // A position before the buffer would be a fault of the caller; it reads as nothing.
        let start = usize::try_from(offset.wrapping_sub(self.base)).unwrap_or(usize::MAX);
        self.buffer.get(start..).and_then(|rest| rest.get(..len)).unwrap_or_default()
    }

    /// Goes on by `bytes`, which the last look has shown; those before `held` may go.
    #[inline]
    pub(crate) fn consume(&mut self, bytes: usize, held: u64) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
        self.held = held;
    }

    /// The file itself, for reading out of turn; the window is of no use afterwards.
    pub(crate) fn input(&mut self) -> &mut R {
        &mut self.input
    }

    pub(crate) fn into_input(self) -> R {
        self.input
    }

    #[cold]
    fn fill(&mut self, want: usize) -> io::Result<()> {
        let held = self.held.clamp(self.base, self.offset());
        let first = usize::try_from(held - self.base).unwrap_or(self.start);
        self.buffer.copy_within(first..self.end, 0);
        (self.start, self.end) = (self.start - first, self.end - first);
        self.base = held;
        if self.buffer.len() < self.start + want {
            self.buffer.resize(self.start + want, 0);
        }
        while self.end - self.start < want {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.done = true;
                    break;
                }
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
