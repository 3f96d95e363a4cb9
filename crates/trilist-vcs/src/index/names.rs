//! Names that git never lets into an index or a tree.

use std::ops::Range;

use memchr::memrchr;

/// Why a name is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameFault {
    /// A component is empty, or the name begins or ends with a slash.
    Empty,
    /// A component is `.` or `..`.
    Dots,
    /// A component is `.git` in some case.
    DotGit,
    /// It holds a NUL, or a slash inside a tree.
    Byte,
    /// It does not come after the name before it.
    Order,
    /// It is there already.
    Twice,
    /// It lies below a directory of a sparse index, whose tree says all that is there.
    Below,
    /// Its mode is none that git writes.
    Mode,
}

impl NameFault {
    /// One clause.
    pub fn reason(self) -> &'static str {
        match self {
            NameFault::Empty => "has an empty component",
            NameFault::Dots => "has a `.` or `..` component",
            NameFault::DotGit => "has a `.git` component",
            NameFault::Byte => "holds a byte that no name has",
            NameFault::Order => "is out of order",
            NameFault::Twice => "is there twice",
            NameFault::Below => "lies below a directory that is one entry",
            NameFault::Mode => "has an unknown mode",
        }
    }
}

/// Checks one component.
#[inline]
pub(crate) fn check_component(name: &[u8]) -> Result<(), NameFault> {
    match name {
        [] => Err(NameFault::Empty),
        [b'.', rest @ ..] => check_dotted(rest),
        _ => Ok(()),
    }
}

fn check_dotted(rest: &[u8]) -> Result<(), NameFault> {
    match rest {
        [] | [b'.'] => Err(NameFault::Dots),
        rest if rest.eq_ignore_ascii_case(b"git") => Err(NameFault::DotGit),
        _ => Ok(()),
    }
}

/// Checks the components of `path` that are not wholly within its first `same` bytes: those
/// were checked as part of the path before, whose last component begins at `last`. Gives where
/// the last component begins.
#[inline(always)]
pub(crate) fn check_new_part(path: &[u8], same: usize, last: usize) -> Result<usize, NameFault> {
    let mut start =
        if last <= same { last } else { memrchr(b'/', &path[..same]).map_or(0, |slash| slash + 1) };
    // Names differ in few bytes: looking at these eight at a time beats a search that has to be
    // set up.
    let mut at = same;
    for word in path[same..].as_chunks::<8>().0 {
        if has_slash_or_nul(u64::from_le_bytes(*word)) {
            start = check_bytes(path, at..at + 8, start)?;
        }
        at += 8;
    }
    let odd = match last_word(path, path.len() - at) {
        Some(word) => has_slash_or_nul(word),
        None => true,
    };
    if odd {
        start = check_bytes(path, at..path.len(), start)?;
    }
    check_component(&path[start..])?;
    Ok(start)
}

/// The last `count` bytes, fewer than eight, filled up with ones; `None` if the whole is shorter
/// than eight.
#[inline]
fn last_word(bytes: &[u8], count: usize) -> Option<u64> {
    let word = u64::from_le_bytes(*bytes.last_chunk()?);
    Some(if count == 0 { u64::MAX } else { word >> (64 - 8 * count) | u64::MAX << (8 * count) })
}

/// Checks the components that end in a range of `path`, the first of which begins at `start`.
#[inline(never)]
fn check_bytes(path: &[u8], range: Range<usize>, mut start: usize) -> Result<usize, NameFault> {
    for at in range {
        match path[at] {
            b'/' => {
                check_component(&path[start..at])?;
                start = at + 1;
            }
            0 => return Err(NameFault::Byte),
            _ => {}
        }
    }
    Ok(start)
}

/// Whether one of eight bytes is one of these; the usual trick with borrows, which errs only
/// towards yes.
#[inline]
fn has_slash_or_nul(word: u64) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let has_nul = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    has_nul(word) | has_nul(word ^ (ONES * b'/' as u64)) != 0
}

/// How many leading bytes two names share.
#[inline(always)]
pub(crate) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let len = left.len().min(right.len());
    let (left, right) = (&left[..len], &right[..len]);
    // Neighbours share their directory, so blocks come first; then words find the place.
    let blocks = left.as_chunks::<16>().0.iter().zip(right.as_chunks::<16>().0);
    let mut at = 16 * blocks.take_while(|(l, r)| l == r).count();
    for (l, r) in left[at..].as_chunks::<8>().0.iter().zip(right[at..].as_chunks::<8>().0) {
        let differing = u64::from_le_bytes(*l) ^ u64::from_le_bytes(*r);
        if differing != 0 {
            return at + (differing.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    if let (Some(l), Some(r)) = (left.last_chunk::<8>(), right.last_chunk::<8>()) {
        // What these share with the bytes before is equal, so the first difference is right.
        let differing = u64::from_le_bytes(*l) ^ u64::from_le_bytes(*r);
        return len - 8 + (differing.trailing_zeros() / 8) as usize;
    }
    let tail = left[at..].iter().zip(&right[at..]);
    at + tail.take_while(|(l, r)| l == r).count()
}
