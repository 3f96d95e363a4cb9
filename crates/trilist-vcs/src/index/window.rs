//! A buffer that slides over a file.

use std::io::{self, Read};

/// Large enough that reading costs little, small enough to stay in a processor's cache.
const SIZE: usize = 128 * 1024;

/// Sequential reading with a look at the next bytes.
#[derive(Debug)]
pub(crate) struct Window<R> {
    input: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// Where in the file `start` stands.
    offset: u64,
    /// Whether the file has no more bytes than are here.
    done: bool,
}

impl<R: Read> Window<R> {
    pub(crate) fn new(input: R) -> Self {
        Window { input, buffer: vec![0; SIZE].into(), start: 0, end: 0, offset: 0, done: false }
    }

    /// The position in the file.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next bytes: at least `want` of them unless the file ends before. `want` is at most
    /// the window's size.
    #[inline]
    pub(crate) fn ahead(&mut self, want: usize) -> io::Result<&[u8]> {
        if self.end - self.start < want && !self.done {
            self.fill(want)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// What the last look has shown.
    pub(crate) fn here(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Goes on by `bytes`, which the last look has shown.
    #[inline]
    pub(crate) fn consume(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
        self.offset += bytes as u64;
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
        debug_assert!(want <= self.buffer.len());
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        while self.end < want {
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
