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
/// What is read at a time of a longer one, or of several in a row.
const CHUNK_BYTES: u64 = 64 * 1024;
/// As much as any object's head takes.
const HEAD_BYTES: u64 = 128;

/// The bytes that were read last, kept because git packs trees in the order of a walk.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The pack that they are from, if from one.
    of: Option<u64>,
    /// Where in the file they stand.
    place: Range<u64>,
    bytes: Vec<u8>,
}

/// Goes through a part of a file from its start.
pub(super) struct Input<'a> {
    file: &'a dyn ReadAt,
    chunk: &'a mut Chunk,
    /// Where the first byte that is not used up stands.
    position: u64,
    /// Where the part ends.
    end: u64,
}

impl<'a> Input<'a> {
    /// Starts at `at` in the file of the pack of number `of`, or in another file.
    ///
    /// # Errors
    ///
    /// When the first bytes cannot be read; there may be none.
    pub(super) fn new(
        file: &'a dyn ReadAt,
        of: Option<u64>,
        at: u64,
        end: u64,
        chunk: &'a mut Chunk,
    ) -> io::Result<Self> {
        let of_same = of.is_some() && chunk.of == of;
        let last = chunk.place.clone();
        let mut input = Input { file, chunk, position: at, end };
        if of_same && last.contains(&at) && last.end >= end.min(at + HEAD_BYTES) {
            return Ok(input);
        }
        input.chunk.of = of;
        let follows = of_same && (last.start..last.end + FIRST_BYTES).contains(&at);
        input.read(if follows { CHUNK_BYTES } else { FIRST_BYTES })?;
        Ok(input)
    }

    /// What was read and is not used up yet.
    pub(super) fn bytes(&self) -> &[u8] {
        let start = usize::try_from(self.position - self.chunk.place.start).unwrap_or(usize::MAX);
        self.chunk.bytes.get(start..).unwrap_or_default()
    }

    /// Uses bytes up.
    pub(super) fn advance(&mut self, count: usize) {
        self.position = self.chunk.place.end.min(self.position + count as u64);
    }

    /// Whether everything is used up.
    pub(super) fn is_at_end(&self) -> bool {
        self.position >= self.end
    }

    /// Reads more when everything that was read is used up. Says whether there is more.
    ///
    /// # Errors
    ///
    /// What the system says, and when the file has become shorter.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        if self.bytes().is_empty() {
            self.read(CHUNK_BYTES)?;
        }
        Ok(!self.bytes().is_empty())
    }

    fn read(&mut self, most: u64) -> io::Result<()> {
        let bytes = self.end.saturating_sub(self.position).min(most);
        // Without anything that could be taken for the file's if reading fails.
        self.chunk.place = self.position..self.position;
        self.chunk.bytes.resize(usize::try_from(bytes).unwrap_or(0), 0);
        self.file.read_exact_at(&mut self.chunk.bytes, self.position)?;
        self.chunk.place.end += bytes;
        Ok(())
    }
}
