//! Deltas: an object told as pieces of another one and new bytes.

use super::{OBJECT_BYTES, ObjectError};

const WRONG: ObjectError = ObjectError::Damaged("a delta is damaged");

/// Makes an object from its base.
///
/// # Errors
///
/// When the delta is damaged, does not belong to this base, or makes more than [`OBJECT_BYTES`].
pub fn apply_delta(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, ObjectError> {
    let mut rest = delta;
    if size(&mut rest).ok_or(WRONG)? != base.len() as u64 {
        return Err(ObjectError::Damaged("a delta belongs to another base"));
    }
    let size = size(&mut rest).ok_or(WRONG)?;
    let size = usize::try_from(size).ok().filter(|size| *size <= OBJECT_BYTES);
    let size = size.ok_or(ObjectError::TooLarge)?;
    let mut made = Vec::with_capacity(size);
    while let Some(piece) = piece(base, &mut rest).ok_or(WRONG)? {
        if made.len() + piece.len() > size {
            return Err(WRONG);
        }
        made.extend_from_slice(piece);
    }
    if made.len() == size { Ok(made) } else { Err(WRONG) }
}

/// The next piece: from the base, or from the delta itself. The outer `None` is damage, the
/// inner one the end.
fn piece<'a>(base: &'a [u8], rest: &mut &'a [u8]) -> Option<Option<&'a [u8]>> {
    let Some((&order, after)) = rest.split_first() else { return Some(None) };
    *rest = after;
    if order & 0x80 == 0 {
        // Zero is kept for later by the format.
        let (new, after) = after.split_at_checked(order.into()).filter(|_| order != 0)?;
        *rest = after;
        return Some(Some(new));
    }
    let start = number(rest, order, 4)?;
    let len = match number(rest, order >> 4, 3)? {
        0 => 0x1_0000,
        len => len,
    };
    let copied = base.get(start..start.checked_add(len)?)?;
    Some(Some(copied))
}

/// A number of which only the bytes are there whose bit is set, the lowest first.
fn number(rest: &mut &[u8], bits: u8, bytes: u32) -> Option<usize> {
    let mut number = 0;
    for at in (0..bytes).filter(|at| bits >> at & 1 == 1) {
        let (byte, after) = rest.split_first()?;
        number |= usize::from(*byte) << (8 * at);
        *rest = after;
    }
    Some(number)
}

/// A size in groups of seven bits, the lowest first.
pub(super) fn size(rest: &mut &[u8]) -> Option<u64> {
    let mut size = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        let group = u64::from(byte & 0x7f);
        size |= group << shift;
        if size >> shift != group {
            return None;
        }
        if byte & 0x80 == 0 {
            return Some(size);
        }
    }
    None
}
