//! What a comparison answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use trilist_core::{
    ErrorReply, IgnoredBy, Kind, ListRequest, Mode, Omission, RawName, Reason, RelPath, RuleRef,
    Seen, Skip, TruncatedBy, VcsInfo, Warning, quote,
};

/// The modes side by side for one directory.
///
/// Compared are files, links, submodules and other leaves, and a directory below which no mode
/// lists anything: the others show in the paths below them. A path that no mode lists is not
/// compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The opened root, absolute.
    pub root: String,
    /// The compared directory relative to `root`, `.` for the root itself.
    pub path: String,
    /// The rows. Their order is byte order of the path, where the path of a directory ends in `/`:
    /// a directory stands where its contents would.
    pub rows: Vec<ComparedPath>,
    /// How many rows this reply has.
    pub returned: u64,
    /// How many rows the whole comparison has, when its end was reached.
    pub total: Option<u64>,
    /// Paths that were compared: those that at least one mode lists. In a folded directory its
    /// files are counted.
    pub compared: u64,
    /// How many of them differ.
    pub differing: u64,
    /// True when these counts and those of the modes may be higher: the comparison ended before it
    /// had every path.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    /// What became of the files that the host says are in the chat, if it names any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_chat: Option<InChat>,
    /// True when this one reply is the whole answer: it has every row, and no mode lacks anything
    /// through a fault. A directory outside a repository is no fault.
    pub complete: bool,
    /// True when rows are missing in this reply, or paths were not compared.
    pub truncated: bool,
    /// What ended it.
    pub truncated_by: Option<TruncatedBy>,
    /// Passed as `offset`, it gives the next rows.
    pub next_offset: Option<u64>,
    /// What each mode was asked, and what came of it.
    pub modes: ByMode<Column>,
    /// Things to know about the reply as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// How many files of the chat are where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InChat {
    /// Those that the host names in the compared directory.
    pub files: u64,
    /// Those of them that have a row in the whole comparison, as far as it came. The others no mode
    /// lists, or all list alike.
    pub rows: u64,
    /// Those that have a row in this reply.
    pub returned: u64,
}

/// Something for each mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ByMode<T> {
    /// Of mode `fs`.
    pub fs: T,
    /// Of mode `files`.
    pub files: T,
    /// Of mode `vcs`.
    pub vcs: T,
}

impl<T> ByMode<T> {
    /// Asks for the one of each mode, in the order of [`Mode::ALL`].
    pub fn of(mut of: impl FnMut(Mode) -> T) -> Self {
        ByMode { fs: of(Mode::Fs), files: of(Mode::Files), vcs: of(Mode::Vcs) }
    }

    /// The one of a mode.
    pub fn mode(&self, mode: Mode) -> &T {
        match mode {
            Mode::Fs => &self.fs,
            Mode::Files => &self.files,
            Mode::Vcs => &self.vcs,
        }
    }

    /// The one of a mode, to change it.
    pub fn mode_mut(&mut self, mode: Mode) -> &mut T {
        match mode {
            Mode::Fs => &mut self.fs,
            Mode::Files => &mut self.files,
            Mode::Vcs => &mut self.vcs,
        }
    }

    /// Each mode with its own, in the order of [`Mode::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Mode, &T)> {
        Mode::ALL.into_iter().map(|mode| (mode, self.mode(mode)))
    }

    /// Makes something else of each, possibly borrowed from it.
    pub fn map<'m, U>(&'m self, mut of: impl FnMut(&'m T) -> U) -> ByMode<U> {
        ByMode::of(|mode| of(self.mode(mode)))
    }
}

/// One mode of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// Whether the mode could be asked. If not, rows say nothing of it.
    pub available: bool,
    /// Why not; or, of a directory that only version control knows, why it has nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReply>,
    /// What it was asked, defaults spelled out.
    pub asked: ListRequest,
    /// How many of the compared paths it lists.
    pub listed: u64,
    /// How many it does not, by reason.
    pub absent: Vec<AbsenceCount>,
    /// Everything that it left out, as its own listing counts it: also what no mode lists. A
    /// directory counts as one.
    pub omitted: Vec<Omission>,
    /// Faults with single paths, at most 100.
    pub warnings: Vec<Warning>,
    /// How many faults there were.
    pub warnings_total: u64,
    /// How many of them may hide paths.
    pub gaps: u64,
    /// What was read; not on the wire.
    #[serde(skip)]
    pub seen: Seen,
}

/// How many paths a mode does not list for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AbsenceCount {
    /// Why.
    pub reason: Reason,
    /// How many of the compared paths.
    pub count: u64,
}

/// One row of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedPath {
    /// Relative to the compared directory; C-quoted when its bytes need it.
    pub path: String,
    /// What it is in the first mode that lists it.
    pub kind: Kind,
    /// Whether and why not, mode by mode; absent for a mode that could not be asked.
    pub modes: ByMode<Option<Presence>>,
    /// For a directory that stands for everything below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded: Option<Folded>,
    /// Whether the host says that it is in the chat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_chat: bool,
    /// The exact bytes of `path` in base64, when `path` is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawName>,
}

/// What one mode says of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Presence {
    /// Whether it lists the path.
    pub listed: bool,
    /// What it is in this mode, when that is another kind than the row's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// For a listed directory that was not entered: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skip>,
    /// Of a listed path what version control knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcs: Option<VcsInfo>,
    /// Why it is not listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The rule behind the reason; or, of a listed path, the rule that marks it as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<IgnoredBy>,
    /// The directory above the path that the reason holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
}

/// What a folded directory stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Folded {
    /// The one mode that lists something below the directory.
    pub mode: Mode,
    /// How many files, links and other leaves it lists there, at any depth.
    pub files: u64,
    /// How many directories it lists there.
    pub dirs: u64,
    /// How many of the files the index does not want on disk (sparse checkout). Absent means none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skip_worktree: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A row, borrowed from the comparison under way.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRef<'a> {
    /// Relative to the compared directory.
    pub path: RelPath<'a>,
    /// What it is in the first mode that lists it.
    pub kind: Kind,
    /// What each mode says; nothing where it could not be asked.
    pub modes: ByMode<Option<Cell<'a>>>,
    /// See [`ComparedPath::folded`].
    pub folded: Option<Folded>,
    /// See [`ComparedPath::in_chat`].
    pub in_chat: bool,
}

/// What one mode says of a path, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum Cell<'a> {
    /// It lists the path.
    Listed {
        /// What it is there.
        kind: Kind,
        /// See [`Presence::skipped`].
        skipped: Option<Skip>,
        /// See [`Presence::vcs`].
        vcs: Option<VcsInfo>,
        /// The rule that marks it as ignored.
        rule: Option<RuleRef<'a>>,
    },
    /// It does not.
    Absent {
        /// Why.
        reason: Reason,
        /// The deciding rule.
        rule: Option<RuleRef<'a>>,
        /// The directory above the path that the reason holds for.
        below: Option<RelPath<'a>>,
    },
}

impl ComparedPath {
    /// The row as replies carry it.
    pub fn of(row: &ComparedRef<'_>) -> ComparedPath {
        ComparedPath {
            path: quote::shown(row.path.as_bytes()).into_owned(),
            kind: row.kind,
            modes: row.modes.map(|cell| cell.as_ref().map(|cell| Presence::of(cell, row.kind))),
            folded: row.folded,
            in_chat: row.in_chat,
            raw: RawName::of(row.path.as_bytes()),
        }
    }

    /// The exact bytes of the path.
    pub fn bytes(&self) -> &[u8] {
        self.raw.as_ref().map_or(self.path.as_bytes(), RawName::as_bytes)
    }
}

impl Presence {
    fn of(cell: &Cell<'_>, row: Kind) -> Presence {
        match *cell {
            Cell::Listed { kind, skipped, vcs, rule } => Presence {
                listed: true,
                kind: (kind != row).then_some(kind),
                skipped,
                vcs,
                reason: None,
                rule: rule.map(IgnoredBy::of),
                below: None,
            },
            Cell::Absent { reason, rule, below } => Presence {
                listed: false,
                kind: None,
                skipped: None,
                vcs: None,
                reason: Some(reason),
                rule: rule.map(IgnoredBy::of),
                below: below.map(|below| quote::shown(below.as_bytes()).into_owned()),
            },
        }
    }
}
