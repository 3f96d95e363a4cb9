//! Names that git never lets into an index or a tree.

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
/// were checked as part of the path before.
#[inline]
pub(crate) fn check_new_part(path: &[u8], same: usize) -> Result<(), NameFault> {
    let mut start = memrchr(b'/', &path[..same]).map_or(0, |slash| slash + 1);
    // Names differ in few bytes: a plain loop over these beats a search that has to be set up.
    for (at, byte) in path.iter().enumerate().skip(same) {
        match byte {
            b'/' => {
                check_component(&path[start..at])?;
                start = at + 1;
            }
            0 => return Err(NameFault::Byte),
            _ => {}
        }
    }
    check_component(&path[start..])
}

/// How many leading bytes two names share.
#[inline]
pub(crate) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let (left_words, _) = left.as_chunks::<8>();
    let (right_words, _) = right.as_chunks::<8>();
    let mut same = 0;
    for (l, r) in left_words.iter().zip(right_words) {
        let differing = u64::from_le_bytes(*l) ^ u64::from_le_bytes(*r);
        if differing != 0 {
            return same + (differing.trailing_zeros() / 8) as usize;
        }
        same += 8;
    }
    let tail = left[same..].iter().zip(&right[same..]);
    same + tail.take_while(|(l, r)| l == r).count()
}
