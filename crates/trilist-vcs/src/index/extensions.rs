//! What stands between the last entry and the checksum.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memmem;

use super::IndexError;

/// One extension's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension {
    /// Four letters; an extension that begins with a lowercase one must be understood.
    pub name: [u8; 4],
    /// Where its header stands in the file.
    pub offset: u64,
    /// The size of its contents, which follow the header of eight bytes.
    pub size: u32,
}

/// A chain of extensions that ends exactly at the checksum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extensions(Vec<Extension>);

/// No git writes more than ten; a chain of empty ones could be as long as the file.
const MOST: usize = 256;
/// A header: name and size.
const HEADER: u64 = 8;
/// How far from the end the search for `TREE` goes, and how many hits are tried.
const SEARCH: u64 = 32 << 20;
const HITS: usize = 256;
const BLOCK: usize = 256 * 1024;

impl Extensions {
    /// Follows the chain from `start`; `None` if it does not end exactly at `end`.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn walk<R: Read + Seek>(input: &mut R, start: u64, end: u64) -> io::Result<Option<Self>> {
        let mut found = Vec::new();
        let mut offset = start;
        while offset != end {
            if found.len() == MOST || end.saturating_sub(offset) < HEADER {
                return Ok(None);
            }
            input.seek(SeekFrom::Start(offset))?;
            let mut header = [0; HEADER as usize];
            input.read_exact(&mut header)?;
            let [a, b, c, d, size @ ..] = header;
            let size = u32::from_be_bytes(size);
            let name = [a, b, c, d];
            found.push(Extension { name, offset, size });
            offset += HEADER + u64::from(size);
            if offset > end {
                return Ok(None);
            }
        }
        Ok(Some(Extensions(found)))
    }

    /// Finds the extensions without reading the entries: the whole chain by the mark of the
    /// entries' end if there is one, else its part from `TREE` on.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn locate<R: Read + Seek>(
        input: &mut R,
        bytes: u64,
        hash_len: usize,
    ) -> io::Result<Option<Self>> {
        if let Some(found) = Self::marked(input, bytes, hash_len)? {
            return Ok(Some(found));
        }
        match bytes.checked_sub(hash_len as u64) {
            Some(end) => search_tree(input, end),
            None => Ok(None),
        }
    }

    /// The whole chain, if there is a mark of the entries' end.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn marked<R: Read + Seek>(
        input: &mut R,
        bytes: u64,
        hash_len: usize,
    ) -> io::Result<Option<Self>> {
        let Some(end) = bytes.checked_sub(hash_len as u64) else {
            return Ok(None);
        };
        match marked_end(input, end, hash_len)? {
            Some(start) => Self::walk(input, start, end),
            None => Ok(None),
        }
    }

    /// The extension of this name.
    pub fn find(&self, name: &[u8; 4]) -> Option<Extension> {
        self.0.iter().find(|one| one.name == *name).copied()
    }

    /// Refuses a chain with an extension that must be understood and is not.
    ///
    /// # Errors
    ///
    /// [`IndexError::Required`] names it.
    pub fn check(&self) -> Result<(), IndexError> {
        let known = [*b"link", *b"sdir"];
        let required = |one: &&Extension| !one.name[0].is_ascii_uppercase();
        match self.0.iter().filter(required).find(|one| !known.contains(&one.name)) {
            Some(one) => Err(IndexError::Required(one.name)),
            None => Ok(()),
        }
    }
}

impl Extension {
    /// Reads the contents.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn read<R: Read + Seek>(&self, input: &mut R) -> io::Result<Vec<u8>> {
        input.seek(SeekFrom::Start(self.offset + HEADER))?;
        // It is part of a chain that lies in the file, so it is not larger than that.
        let mut contents = vec![0; self.size as usize];
        input.read_exact(&mut contents)?;
        Ok(contents)
    }

    /// Reads the beginning of the contents, at most so many bytes.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn read_start<R: Read + Seek>(&self, input: &mut R, most: u32) -> io::Result<Vec<u8>> {
        let size = self.size.min(most);
        Extension { size, ..*self }.read(input)
    }
}

/// Where the entries end, as the extension `EOIE`, always the last one, says.
fn marked_end<R: Read + Seek>(input: &mut R, end: u64, hash_len: usize) -> io::Result<Option<u64>> {
    let size = 4 + hash_len;
    let Some(at) = end.checked_sub(HEADER + size as u64) else {
        return Ok(None);
    };
    input.seek(SeekFrom::Start(at))?;
    let mut mark = [0; HEADER as usize + 4];
    input.read_exact(&mut mark)?;
    let [b'E', b'O', b'I', b'E', s0, s1, s2, s3, o0, o1, o2, o3] = mark else {
        return Ok(None);
    };
    let offset = u64::from(u32::from_be_bytes([o0, o1, o2, o3]));
    let fits = u32::from_be_bytes([s0, s1, s2, s3]) as usize == size && offset <= at;
    Ok(fits.then_some(offset))
}

/// Looks backwards for `TREE` with a chain behind it that ends at the checksum.
fn search_tree<R: Read + Seek>(input: &mut R, end: u64) -> io::Result<Option<Extensions>> {
    let lowest = end.saturating_sub(SEARCH).max(12);
    // Forwards within a block, which is many times quicker than backwards.
    let finder = memmem::Finder::new(b"TREE");
    let mut tries = 0;
    let mut buffer = vec![0; BLOCK + 3];
    let mut high = end;
    while high > lowest {
        let low = high.saturating_sub(BLOCK as u64).max(lowest);
        // Three bytes more, for a name that lies across the border.
        let to = (high + 3).min(end);
        let block = &mut buffer[..(to - low) as usize];
        input.seek(SeekFrom::Start(low))?;
        input.read_exact(block)?;
        let mut hits: Vec<usize> = finder.find_iter(block).collect();
        while let Some(hit) = hits.pop() {
            if let Some(found) = Extensions::walk(input, low + hit as u64, end)? {
                return Ok(Some(found));
            }
            tries += 1;
            if tries == HITS {
                return Ok(None);
            }
        }
        high = low;
    }
    Ok(None)
}
