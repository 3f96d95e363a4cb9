//! The extension `link`: what a split index shares with another file.

use std::io::{Read, Seek};

use super::bitmap::Bitmap;
use super::{Extensions, IndexError};

/// Names the shared index, and which of its entries are deleted or replaced.
#[derive(Debug, Clone)]
pub struct Link {
    base: Vec<u8>,
    pub(super) deleted: Option<Bitmap>,
    pub(super) replaced: Option<Bitmap>,
    pub(super) offset: u64,
}

/// The bitmaps of as many entries as an index can have take less than half of it.
const MOST_BYTES: u32 = 16 << 20;

impl Link {
    /// Reads the extension of a chain; `None` if there is none, or if it names no other file.
    ///
    /// # Errors
    ///
    /// What reading the file gave, or that the extension is damaged.
    pub fn of<R: Read + Seek>(
        chain: &Extensions,
        input: &mut R,
        hash_len: usize,
    ) -> Result<Option<Link>, IndexError> {
        let Some(found) = chain.find(b"link") else { return Ok(None) };
        if found.size > MOST_BYTES {
            return Err(IndexError::Link("it is too large"));
        }
        let contents = found.read(input)?;
        let Some((base, rest)) = contents.split_at_checked(hash_len) else {
            return Err(IndexError::Link("it is too short"));
        };
        let (deleted, replaced) = bitmaps(rest).ok_or(IndexError::Link("its bitmaps"))?;
        if base.iter().any(|byte| *byte != 0) {
            let base = base.to_vec();
            return Ok(Some(Link { base, deleted, replaced, offset: found.offset }));
        }
        // Git writes no checksum where `index.skipHash` says so, and then cannot find the file.
        let changes = [deleted, replaced].into_iter().flatten().any(|bitmap| bitmap.count > 0);
        if changes {
            return Err(IndexError::Link("it changes a shared index that it does not name"));
        }
        Ok(None)
    }

    /// The checksum at the end of the shared index, which its name repeats.
    pub fn base(&self) -> &[u8] {
        &self.base
    }

    /// The name of the shared index in the git directory.
    pub fn file_name(&self) -> String {
        let digits = self.base.iter().map(|byte| format!("{byte:02x}"));
        std::iter::once("sharedindex.".to_owned()).chain(digits).collect()
    }
}

/// The entries that are deleted and those that are replaced, each if there is such a set.
fn bitmaps(bytes: &[u8]) -> Option<(Option<Bitmap>, Option<Bitmap>)> {
    if bytes.is_empty() {
        return Some((None, None));
    }
    let (deleted, size) = Bitmap::parse(bytes)?;
    let (replaced, end) = Bitmap::parse(&bytes[size..])?;
    (size + end == bytes.len()).then_some((Some(deleted), Some(replaced)))
}
