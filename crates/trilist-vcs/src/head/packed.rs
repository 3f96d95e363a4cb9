//! References in one file.

use std::io::{BufRead, BufReader, Read};

use trilist_root::{ReadError, Root};

use super::HeadFault;

/// No reference's name is longer.
const LINE_BYTES: u64 = 8192;

/// Looks a reference up in `packed-refs`, reading line by line.
pub(super) fn find(
    common_dir: &Root,
    name: &[u8],
    hash_len: usize,
) -> Result<Option<Vec<u8>>, HeadFault> {
    let unread = |what: String| HeadFault(format!("`packed-refs` cannot be read: {what}"));
    let dir = common_dir.dir().map_err(|error| unread(error.kind().to_string()))?;
    let file = match dir.open_file(b"packed-refs") {
        Ok(file) => file,
        Err(ReadError::NotFound) => return Ok(None),
        Err(error) => return Err(unread(error.to_string())),
    };
    let mut input = BufReader::with_capacity(64 * 1024, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input
            .by_ref()
            .take(LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| unread(error.kind().to_string()))?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == LINE_BYTES {
            return Err(unread("a line is too long".to_owned()));
        }
        let line = line.trim_ascii_end();
        // Notes begin with `#` and peeled tags with `^`: neither has a name here.
        if line.get(hash_len * 2 + 1..) == Some(name) {
            return Ok(Some(line[..hash_len * 2].to_vec()));
        }
    }
}
