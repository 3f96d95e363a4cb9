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
    // Git reads a sorted file only where it searches, and any other one as a whole.
    let mut is_sorted = false;
    for number in 1u64.. {
        line.clear();
        let read = input
            .by_ref()
            .take(LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| unread(error.kind().to_string()))?;
        if read == 0 {
            break;
        }
        let Some(line) = line.strip_suffix(b"\n") else {
            let what = if read as u64 == LINE_BYTES { "is too long" } else { "does not end" };
            return Err(damaged(number, what));
        };
        if number == 1 && line.starts_with(b"#") {
            is_sorted = line.split(u8::is_ascii_whitespace).any(|word| word == b"sorted");
            continue;
        }
        if line.get(hash_len * 2 + 1..) == Some(name) {
            return Ok(Some(line[..hash_len * 2].to_vec()));
        }
        if !is_sorted && !is_record(line, hash_len) {
            return Err(damaged(number, "is no reference"));
        }
    }
    Ok(None)
}

fn damaged(number: u64, what: &str) -> HeadFault {
    HeadFault(format!("`packed-refs` is damaged: line {number} {what}"))
}

/// Whether a line is a reference's, or that of what the tag before it names.
fn is_record(line: &[u8], hash_len: usize) -> bool {
    let is_id = |id: &[u8]| super::from_hex(id, hash_len).is_some();
    match line.strip_prefix(b"^") {
        Some(peeled) => peeled.len() == hash_len * 2 && is_id(peeled),
        None => is_id(line) && line.len() > hash_len * 2 + 1,
    }
}
