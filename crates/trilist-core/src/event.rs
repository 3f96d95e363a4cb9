//! What a source says, borrowed.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Identity;
use crate::{FaultCode, Kind, Reason, RelPath, Skip, VcsInfo, quote};

/// One event of a listing, valid until the next call of [`crate::Events::advance`].
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// An entry.
    Entry(EntryRef<'a>),
    /// Something that exists and is left out.
    Omitted(OmissionRef<'a>),
    /// Something that went wrong with one path; the listing goes on.
    Fault(FaultRef<'a>),
}

impl<'a> Event<'a> {
    /// The path that the event speaks of, relative to the listed directory.
    pub fn path(&self) -> RelPath<'a> {
        match self {
            Event::Entry(entry) => entry.path,
            Event::Omitted(omission) => omission.path,
            Event::Fault(fault) => fault.path,
        }
    }
}

/// An entry, borrowed from its source.
#[derive(Debug, Clone, Copy)]
pub struct EntryRef<'a> {
    /// Relative to the listed directory.
    pub path: RelPath<'a>,
    /// What it is.
    pub kind: Kind,
    /// For a directory that is shown and was not entered: why.
    pub skipped: Option<Skip>,
    /// Facts that only a stat gives; absent unless asked for.
    pub metadata: Option<&'a Metadata>,
    /// Facts that only version control gives; absent in the other modes.
    pub vcs: Option<VcsInfo>,
    /// The rule that would leave the entry out, where the query marks instead. A directory that
    /// has one was not entered, or only for what the request keeps.
    pub ignored_by: Option<RuleRef<'a>>,
    /// The id of the object that the index has; absent unless asked for.
    pub object: Option<&'a [u8]>,
}

impl<'a> EntryRef<'a> {
    /// An entry of which only path and kind are known.
    pub fn new(path: RelPath<'a>, kind: Kind) -> Self {
        EntryRef {
            path,
            kind,
            skipped: None,
            metadata: None,
            vcs: None,
            ignored_by: None,
            object: None,
        }
    }
}

/// Something left out, borrowed from its source. A directory counts as one; what lies below it
/// is not counted.
#[derive(Debug, Clone, Copy)]
pub struct OmissionRef<'a> {
    /// Relative to the listed directory.
    pub path: RelPath<'a>,
    /// What it is.
    pub kind: Kind,
    /// Why it is left out: the first reason that applies.
    pub reason: Reason,
    /// The deciding rule, for [`Reason::Ignored`] and [`Reason::Builtin`].
    pub rule: Option<RuleRef<'a>>,
}

/// A line of an ignore file, borrowed from its rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleRef<'a> {
    /// The file that holds the line, relative to the root; `builtin` for the builtin list,
    /// `request` and `config` for patterns of the request and of the user's configuration, and
    /// `global` for git's global excludes.
    pub source: &'a [u8],
    /// Counted from 1.
    pub line: u32,
    /// The line as written.
    pub pattern: &'a [u8],
    /// What the line means: the language of the program that owns the file.
    pub dialect: RuleDialect,
}

/// The most bytes of a pattern that are shown.
const PATTERN_SHOWN: usize = 200;

impl<'a> RuleRef<'a> {
    /// The pattern as every channel shows it: quoted when its bytes need it, and of one of more
    /// than 200 bytes the first ones, to the end of a character, with `…` behind them. A line of
    /// an ignore file may have a megabyte, and its number tells which one it is.
    pub fn shown_pattern(&self) -> Cow<'a, str> {
        if self.pattern.len() <= PATTERN_SHOWN {
            return quote::shown(self.pattern);
        }
        let is_inside = |at: &usize| self.pattern[*at] & 0b1100_0000 == 0b1000_0000;
        // A character has four bytes at most; what goes on longer is no text.
        let back = (PATTERN_SHOWN - 3..=PATTERN_SHOWN).rev().find(|at| !is_inside(at));
        let kept = &self.pattern[..back.unwrap_or(PATTERN_SHOWN)];
        Cow::Owned(quote::shown(&[kept, "…".as_bytes()].concat()).into_owned())
    }
}

/// The language of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleDialect {
    /// Git's, as in `.gitignore`.
    Git,
    /// Ripgrep's, as in `.ignore`.
    Ripgrep,
    /// That of Python's pathspec, as in `.aiderignore`.
    Pathspec,
    /// A glob of a request or of a configuration.
    Glob,
    /// The name of a directory, as in the builtin list.
    Name,
}

impl RuleDialect {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            RuleDialect::Git => "git",
            RuleDialect::Ripgrep => "ripgrep",
            RuleDialect::Pathspec => "pathspec",
            RuleDialect::Glob => "glob",
            RuleDialect::Name => "name",
        }
    }
}

/// A fault with one path, borrowed from its source.
#[derive(Debug, Clone, Copy)]
pub struct FaultRef<'a> {
    /// Relative to the listed directory.
    pub path: RelPath<'a>,
    /// What went wrong.
    pub code: FaultCode,
    /// True when entries may be missing because of it.
    pub gap: bool,
    /// One clause that adds to the code, already safe to show: the error's name, the line.
    pub message: &'a str,
    /// How many further faults of this kind stand behind this one and are counted only.
    pub more: u64,
}

/// Facts of an entry that only a stat gives. A fact that could not be had is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The size in bytes: of a file its length, of a link the length of its target.
    pub size_bytes: Option<u64>,
    /// When the contents were last changed.
    pub modified: Option<Modified>,
    /// The permission bits (`07777`).
    pub permissions: Option<u32>,
    /// What a link holds.
    pub target: Option<Vec<u8>>,
    /// Which thing it is, whatever its path; absent unless asked for.
    pub id: Option<NodeId>,
}

/// Which file, link or directory something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId {
    /// The device.
    pub device: u64,
    /// The inode on it, which is used again once it is free.
    pub inode: u64,
    /// When it was born, where the file system tells.
    pub born: Option<Modified>,
}

/// A time since 1970 as the file system has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modified {
    /// Seconds since 1970-01-01T00:00:00Z, possibly negative.
    pub seconds: i64,
    /// Nanoseconds, 0 to 999,999,999.
    pub nanoseconds: u32,
}

/// What a source has read so far: the proof of its laziness, and what drift is told by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Directories opened for reading; for mode `vcs` tree objects read.
    pub directories: u64,
    /// Directory entries read; for mode `vcs` index entries read.
    pub entries: u64,
    /// What the way to the current position looks like (see [`Identity`]).
    pub identity: Identity,
}
