//! Objects in files of their own.

use trilist_core::Cancel;

use super::inflate::{Inflater, Progress};
use super::input::{Chunk, Input, ReadAt};
use super::{OBJECT_BYTES, ObjectError, ObjectKind};

/// The most bytes of `tree 123\0`, as in git.
const HEADER_BYTES: usize = 32;
/// What is unpacked before the size is known.
const FIRST_BYTES: usize = 1024;

/// Decodes a loose object: its kind and size, then its contents, all in one zlib stream.
///
/// # Errors
///
/// When it is another kind than `wanted`, larger than [`OBJECT_BYTES`], not what it says, or
/// followed by something else; or when the caller has cancelled.
pub fn decode_loose(
    file: &dyn ReadAt,
    wanted: ObjectKind,
    cancel: &Cancel,
) -> Result<Vec<u8>, ObjectError> {
    decode(file, wanted, &mut Inflater::default(), &mut Chunk::default(), cancel)
}

pub(super) fn decode(
    file: &dyn ReadAt,
    wanted: ObjectKind,
    inflater: &mut Inflater,
    chunk: &mut Chunk,
    cancel: &Cancel,
) -> Result<Vec<u8>, ObjectError> {
    let mut input = Input::new(file, None, 0, file.size_bytes(), chunk)?;
    let (mut out, mut filled) = (vec![0; FIRST_BYTES], 0);
    inflater.start();
    let mut progress = inflater.fill(&mut input, &mut out, &mut filled, cancel)?;
    let (start, size) = header(&out[..filled], wanted)?;
    let end = start + size;
    if progress == Progress::Full && end >= filled {
        // The byte more shows a stream that is too long.
        out.resize(end + 1, 0);
        progress = inflater.fill(&mut input, &mut out, &mut filled, cancel)?;
    }
    if progress != Progress::Ended || filled != end {
        return Err(ObjectError::Damaged("it has another size than it says"));
    }
    if !input.is_at_end() {
        return Err(ObjectError::Damaged("something follows it in its file"));
    }
    out.truncate(end);
    out.drain(..start);
    Ok(out)
}

/// Where the contents begin, and their size.
fn header(bytes: &[u8], wanted: ObjectKind) -> Result<(usize, usize), ObjectError> {
    const WRONG: ObjectError = ObjectError::Damaged("it does not begin with its kind and size");
    let head = &bytes[..bytes.len().min(HEADER_BYTES)];
    let end = memchr::memchr(0, head).ok_or(WRONG)?;
    let space = memchr::memchr(b' ', &head[..end]).ok_or(WRONG)?;
    let actual = ObjectKind::from_name(&head[..space]).ok_or(WRONG)?;
    if actual != wanted {
        return Err(ObjectError::WrongKind { actual, wanted });
    }
    let digits = &head[space + 1..end];
    let is_plain = digits.len() == 1 || digits.first() != Some(&b'0');
    if !is_plain || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(WRONG);
    }
    let digit = |size: u64, digit: &u8| size.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
    let size = digits.iter().try_fold(0, digit).and_then(|size| usize::try_from(size).ok());
    match size {
        Some(size) if size <= OBJECT_BYTES => Ok((end + 1, size)),
        _ => Err(ObjectError::TooLarge),
    }
}
