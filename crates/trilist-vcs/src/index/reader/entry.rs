//! One entry as it stands in an index.

use std::ops::Range;

use trilist_core::Kind;

use crate::index::names::{NameFault, check_new_part, common_prefix};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fields {
    pub(super) mode: u32,
    pub(super) stage: u8,
    pub(super) skip_worktree: bool,
}

/// What an index says of an entry besides its path and kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// The path is in an unfinished merge.
    pub conflicted: bool,
    /// The entry need not be on disk.
    pub skip_worktree: bool,
    /// The file is to be executable.
    pub executable: bool,
}

impl Fields {
    #[inline]
    pub(super) fn kind(self) -> Kind {
        match self.mode & 0o170_000 {
            LINK => Kind::Symlink,
            COMMIT => Kind::Submodule,
            TREE => Kind::Dir,
            _ => Kind::File,
        }
    }

    #[inline]
    pub(super) fn flags(self) -> Flags {
        Flags {
            conflicted: self.stage > 0,
            skip_worktree: self.skip_worktree,
            executable: self.mode & 0o170_100 == FILE | 0o100,
        }
    }
}

/// An entry as it lies ahead.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) fields: Fields,
    /// The name, relative to the entry; that of version 4 is in `written`.
    pub(super) name: Range<usize>,
    pub(super) size: usize,
}

pub(super) const LINK: u32 = 0o120_000;
pub(super) const COMMIT: u32 = 0o160_000;
pub(super) const TREE: u32 = 0o040_000;
pub(super) const FILE: u32 = 0o100_000;

pub(super) const EXTENDED: u16 = 0x4000;
pub(super) const LONG_NAME: u16 = 0xfff;
pub(super) const SKIP_WORKTREE: u16 = 0x4000;
pub(super) const INTENT_TO_ADD: u16 = 0x2000;

/// The next entry of version 2 or 3, if it has nothing that asks for a second look.
#[inline(always)]
pub(super) fn usual(ahead: &[u8], hash_len: usize) -> Option<Decoded> {
    let (stat, rest) = ahead.split_first_chunk::<40>()?;
    let (flags, names) = rest.get(hash_len..)?.split_first_chunk::<2>()?;
    let flags = u16::from_be_bytes(*flags);
    let len = usize::from(flags & LONG_NAME);
    let odd = flags & EXTENDED != 0 || flags & LONG_NAME == LONG_NAME;
    if odd || names.get(len) != Some(&0) {
        return None;
    }
    let mode = u32::from_be_bytes([stat[24], stat[25], stat[26], stat[27]]);
    let fields = Fields { mode, stage: ((flags >> 12) & 3) as u8, skip_worktree: false };
    let start = 42 + hash_len;
    Some(Decoded { fields, name: start..start + len, size: (start + len + 8) & !7 })
}

/// How a name may follow another.
pub(super) enum Good {
    /// Its last component begins here.
    Next(usize),
    /// It is the same name in a higher stage.
    Stage,
}

/// Whether `name` may follow `path`, whose last component begins at `last`.
#[inline(always)]
pub(super) fn check(
    path: &[u8],
    last: usize,
    name: &[u8],
    last_stage: u8,
    fields: Fields,
) -> Result<Good, NameFault> {
    let same = common_prefix(path, name);
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    if same == path.len() {
        if same == name.len() {
            let higher = last_stage > 0 && fields.stage > last_stage;
            return if higher { Ok(Good::Stage) } else { Err(NameFault::Twice) };
        }
        if path.ends_with(b"/") {
            return Err(NameFault::Below);
        }
    } else if same == name.len() || name[same] < path[same] {
        return Err(NameFault::Order);
    }
    match fields.mode & 0o170_000 {
        FILE | LINK | COMMIT => check_new_part(name, same, last).map(Good::Next),
        // Its id is read only for this very mode.
        TREE if fields.mode == TREE => {
            let dir = name.strip_suffix(b"/").ok_or(NameFault::Mode)?;
            check_new_part(dir, same.min(dir.len()), last)?;
            Ok(Good::Next(name.len()))
        }
        _ => Err(NameFault::Mode),
    }
}

/// Git's variable-length number: seven bits a byte, the most significant first, each byte but
/// the last counting one more.
pub(super) fn variable_int(bytes: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = u64::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)? + u64::from(byte & 0x7f);
    }
    Some((value, at + 1))
}
