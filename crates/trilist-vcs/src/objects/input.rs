//! Reading at offsets, in chunks.

use std::io;
use std::ops::Range;

use trilist_root::RegularFile;

/// Bytes that are read at offsets: a file, or a buffer in tests.
pub trait ReadAt {
    /// How many bytes there are.
    fn size_bytes(&self) -> u64;

    /// Fills `buffer` with the bytes from `at` on, counted from 0.
    ///
    /// # Errors
    ///
    /// `UnexpectedEof` when there are fewer bytes, or what the system says.
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;
}

impl ReadAt for RegularFile {
    fn size_bytes(&self) -> u64 {
        self.len()
    }

    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        RegularFile::read_exact_at(self, buffer, at)
    }
}

impl ReadAt for Vec<u8> {
    fn size_bytes(&self) -> u64 {
        self.len() as u64
    }

    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let start = usize::try_from(at).ok();
        let found = start.and_then(|start| self.get(start..)?.get(..buffer.len()));
        buffer.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Reads a number of four bytes.
pub(super) fn u32_at(file: &dyn ReadAt, at: u64) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact_at(&mut bytes, at)?;
    Ok(u32::from_be_bytes(bytes))
}

/// What is read first: most commits and trees are shorter when packed.
const FIRST_BYTES: u64 = 4096;
/// What is read at a time of a longer one.
const CHUNK_BYTES: u64 = 64 * 1024;

/// Goes through a part of a file from its start.
pub(super) struct Input<'a> {
    file: &'a dyn ReadAt,
    buffer: &'a mut Vec<u8>,
    /// Which bytes of the buffer are read and not used up.
    unused: Range<usize>,
    /// Where the next chunk begins, and where the part ends.
    at: u64,
    end: u64,
}

impl<'a> Input<'a> {
    /// Starts at `at`. The buffer's contents are lost; it is kept to be used again.
    ///
    /// # Errors
    ///
    /// When the first bytes cannot be read; there may be none.
    pub(super) fn new(
        file: &'a dyn ReadAt,
        at: u64,
        end: u64,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<Self> {
        let mut input = Input { file, buffer, unused: 0..0, at, end };
        input.read(FIRST_BYTES)?;
        Ok(input)
    }

    /// What was read and is not used up yet.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.unused.clone()]
    }

    /// Uses bytes up.
    pub(super) fn advance(&mut self, count: usize) {
        self.unused.start = self.unused.end.min(self.unused.start + count);
    }

    /// Where the first byte that is not used up stands in the file.
    pub(super) fn position(&self) -> u64 {
        self.at - self.unused.len() as u64
    }

    /// Whether everything is used up.
    pub(super) fn is_at_end(&self) -> bool {
        self.position() >= self.end
    }

    /// Reads more when everything that was read is used up. Says whether there is more.
    ///
    /// # Errors
    ///
    /// What the system says, and when the file has become shorter.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        if self.unused.is_empty() {
            self.read(CHUNK_BYTES)?;
        }
        Ok(!self.unused.is_empty())
    }

    fn read(&mut self, most: u64) -> io::Result<()> {
        let bytes = self.end.saturating_sub(self.at).min(most);
        let len = usize::try_from(bytes).unwrap_or(0);
        if self.buffer.len() < len {
            self.buffer.resize(len, 0);
        }
        self.file.read_exact_at(&mut self.buffer[..len], self.at)?;
        self.unused = 0..len;
        self.at += bytes;
        Ok(())
    }
}
