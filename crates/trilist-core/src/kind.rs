//! The small vocabularies: modes, kinds, reasons.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which product is asked for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// What is on disk, whatever version control thinks.
    Fs,
    /// What a ripgrep user sees: files that no ignore rule hides.
    Files,
    /// What version control knows: HEAD joined with the index.
    Vcs,
}

impl Mode {
    /// Every mode, in the order in which they are shown.
    pub const ALL: [Mode; 3] = [Mode::Fs, Mode::Files, Mode::Vcs];

    /// The name in requests and replies.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Fs => "fs",
            Mode::Files => "files",
            Mode::Vcs => "vcs",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an entry is. A link is a link, whatever it leads to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, broken or not.
    Symlink,
    /// A commit of another repository (mode `vcs` only).
    Submodule,
    /// A pipe, socket or device.
    Other,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] = [Kind::File, Kind::Dir, Kind::Symlink, Kind::Submodule, Kind::Other];

    /// The name in requests and replies.
    pub fn name(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Dir => "dir",
            Kind::Symlink => "symlink",
            Kind::Submodule => "submodule",
            Kind::Other => "other",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a directory that is shown was not entered.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// The builtin list of dependency and cache directories names it.
    Builtin,
    /// Version control's or a tool's own state, or a directory that the host keeps closed.
    Protected,
    /// A mount point, with `same_filesystem`, or a pseudo file system.
    Mount,
    /// A followed link to a directory that this listing enters where it lies, or has entered
    /// already; or one too many links deep.
    Loop,
    /// It lies at the depth limit.
    Depth,
}

impl Skip {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            Skip::Builtin => "builtin",
            Skip::Protected => "protected",
            Skip::Mount => "mount",
            Skip::Loop => "loop",
            Skip::Depth => "depth",
        }
    }
}

/// Why something that exists is not in a listing; the first that applies, in this order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A followed link leads outside the root.
    OutsideRoot,
    /// Version control's or a tool's own state (mode `files` has no row for it), or in a directory
    /// that the host keeps closed.
    Protected,
    /// The name starts with `.` and hidden names were not asked for.
    Hidden,
    /// An ignore rule hides it.
    Ignored,
    /// The builtin list names it.
    Builtin,
    /// It lies outside the listed directory (mode `vcs`).
    Subtree,
    /// Its kind was not asked for.
    Kind,
    /// No pattern of the request matches it.
    Pattern,
    /// It lies deeper than the request goes. This and what follows is told of single paths only, by
    /// an explanation, a comparison and a chat alike; a listing does not count it.
    Depth,
    /// It lies in a directory that is shown and not entered because another file system begins
    /// there, or a pseudo file system.
    Mount,
    /// It lies behind a followed link to a directory that the listing has entered by another way.
    Loop,
    /// It lies behind a link that the listing does not enter.
    Link,
    /// It lies in a submodule, which is one entry of the outer repository (mode `vcs`).
    Submodule,
    /// A directory on the way to it cannot be read.
    Unreadable,
    /// It does not exist.
    Absent,
    /// It is on disk, and version control does not know it (mode `vcs`).
    Untracked,
    /// A directory of which nothing is listed: it holds nothing, or all of it is left out.
    Empty,
    /// The mode cannot be had here: it has no listing at all.
    Unavailable,
    /// A deadline or a cap came before it was clear.
    Unknown,
}

impl Reason {
    /// Every reason, in order.
    pub const ALL: [Reason; 19] = [
        Reason::OutsideRoot,
        Reason::Protected,
        Reason::Hidden,
        Reason::Ignored,
        Reason::Builtin,
        Reason::Subtree,
        Reason::Kind,
        Reason::Pattern,
        Reason::Depth,
        Reason::Mount,
        Reason::Loop,
        Reason::Link,
        Reason::Submodule,
        Reason::Unreadable,
        Reason::Absent,
        Reason::Untracked,
        Reason::Empty,
        Reason::Unavailable,
        Reason::Unknown,
    ];

    /// Those that listings count, in order: the first of [`Reason::ALL`].
    pub const COUNTED: [Reason; 8] = *Reason::ALL.first_chunk().expect("there are more");

    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            Reason::OutsideRoot => "outside_root",
            Reason::Protected => "protected",
            Reason::Hidden => "hidden",
            Reason::Ignored => "ignored",
            Reason::Builtin => "builtin",
            Reason::Subtree => "subtree",
            Reason::Kind => "kind",
            Reason::Pattern => "pattern",
            Reason::Depth => "depth",
            Reason::Mount => "mount",
            Reason::Loop => "loop",
            Reason::Link => "link",
            Reason::Submodule => "submodule",
            Reason::Unreadable => "unreadable",
            Reason::Absent => "absent",
            Reason::Untracked => "untracked",
            Reason::Empty => "empty",
            Reason::Unavailable => "unavailable",
            Reason::Unknown => "unknown",
        }
    }

    /// The words for people, where one or two stand beside a name.
    pub fn words(self) -> &'static str {
        match self {
            Reason::OutsideRoot => "outside the root",
            Reason::Subtree => "outside the listed directory",
            Reason::Kind => "of another kind",
            Reason::Pattern => "not matching",
            Reason::Depth => "beyond the depth",
            Reason::Mount => "in a mount",
            Reason::Loop => "entered elsewhere",
            Reason::Link => "behind a link",
            Reason::Submodule => "in a submodule",
            Reason::Absent => "not on disk",
            Reason::Empty => "without entries",
            reason => reason.name(),
        }
    }
}

impl From<Skip> for Reason {
    /// Why nothing below a directory that is shown and not entered is listed.
    fn from(skip: Skip) -> Reason {
        match skip {
            Skip::Builtin => Reason::Builtin,
            Skip::Protected => Reason::Protected,
            Skip::Mount => Reason::Mount,
            Skip::Loop => Reason::Loop,
            Skip::Depth => Reason::Depth,
        }
    }
}

/// What went wrong with one entry, directory or rule of a listing that goes on.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The directory may not be read.
    PermissionDenied,
    /// The directory was removed while the listing ran.
    DirVanished,
    /// The directory was exchanged for something else while the listing ran.
    DirReplaced,
    /// The file system reported another error.
    IoError,
    /// The file system did not answer before the deadline.
    Timeout,
    /// The process has no descriptors left.
    FdExhausted,
    /// The directory lies deeper than the walk goes (4,096 levels).
    DepthCapped,
    /// A mount point was shown and not entered.
    MountSkipped,
    /// A pseudo file system was shown and not entered.
    PseudoFsSkipped,
    /// Metadata of the entry could not be read.
    MetadataUnreadable,
    /// A followed link leads to a directory that is entered where it lies, or already.
    LinkLoop,
    /// A followed link is broken, or too many links deep.
    LinkUnresolved,
    /// An ignore file is no regular file and was not read.
    IgnoreNotRegular,
    /// An ignore file is larger than 1 MiB and was not read.
    IgnoreTooLarge,
    /// An ignore file could not be read.
    IgnoreUnreadable,
    /// A line of an ignore file is no valid pattern.
    IgnorePatternInvalid,
    /// There are ignore files above the root, which are not in force.
    IgnoreBeyondRoot,
    /// The index is damaged; the entries are HEAD's.
    VcsIndexInvalid,
    /// A name in the index or in HEAD's trees is not allowed there and was dropped.
    VcsEntryInvalid,
    /// An object of HEAD's trees is missing or damaged.
    VcsObjectInvalid,
}

impl FaultCode {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            FaultCode::PermissionDenied => "permission_denied",
            FaultCode::DirVanished => "dir_vanished",
            FaultCode::DirReplaced => "dir_replaced",
            FaultCode::IoError => "io_error",
            FaultCode::Timeout => "timeout",
            FaultCode::FdExhausted => "fd_exhausted",
            FaultCode::DepthCapped => "depth_capped",
            FaultCode::MountSkipped => "mount_skipped",
            FaultCode::PseudoFsSkipped => "pseudo_fs_skipped",
            FaultCode::MetadataUnreadable => "metadata_unreadable",
            FaultCode::LinkLoop => "link_loop",
            FaultCode::LinkUnresolved => "link_unresolved",
            FaultCode::IgnoreNotRegular => "ignore_not_regular",
            FaultCode::IgnoreTooLarge => "ignore_too_large",
            FaultCode::IgnoreUnreadable => "ignore_unreadable",
            FaultCode::IgnorePatternInvalid => "ignore_pattern_invalid",
            FaultCode::IgnoreBeyondRoot => "ignore_beyond_root",
            FaultCode::VcsIndexInvalid => "vcs_index_invalid",
            FaultCode::VcsEntryInvalid => "vcs_entry_invalid",
            FaultCode::VcsObjectInvalid => "vcs_object_invalid",
        }
    }

    /// Whether a fault with a gap means that names below its path are not known.
    pub fn hides_directory(self) -> bool {
        matches!(
            self,
            FaultCode::PermissionDenied
                | FaultCode::DirVanished
                | FaultCode::DirReplaced
                | FaultCode::IoError
                | FaultCode::FdExhausted
                | FaultCode::DepthCapped
                | FaultCode::VcsIndexInvalid
                | FaultCode::VcsObjectInvalid
        )
    }
}

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSet(u8);

impl KindSet {
    /// Every kind.
    pub const ALL: KindSet = KindSet(0b1_1111);

    /// The given kinds.
    pub fn of(kinds: &[Kind]) -> Self {
        KindSet(kinds.iter().fold(0, |set, kind| set | (1 << *kind as u8)))
    }

    /// Whether `kind` is in the set.
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
}

/// What version control knows of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct VcsInfo {
    /// HEAD's tree has it.
    pub head: bool,
    /// The index has it.
    pub index: bool,
    /// What follows from both.
    pub state: VcsState,
    /// The index says that it need not be on disk (sparse checkout).
    pub skip_worktree: bool,
    /// A file that is to be executable, as the index has it, or HEAD where only HEAD has it.
    /// Absent means false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub executable: bool,
    /// What is on disk at its path; only with `metadata`, and not in a bare repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_disk: Option<OnDisk>,
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// What is on disk where a tracked name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDisk {
    /// Something of its kind. A submodule's directory counts, checked out or not.
    Present,
    /// Nothing; or one of the directories on the way is missing, or is a link or a file.
    Absent,
    /// Something of another kind.
    OtherKind,
    /// That could not be found out: the directory that would hold it cannot be read.
    Unknown,
}

/// How HEAD and the index see a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VcsState {
    /// In HEAD and in the index.
    Tracked,
    /// Only in the index.
    Added,
    /// Only in HEAD: its removal is staged.
    Deleted,
    /// The index has it in stages: a merge is not finished.
    Conflicted,
}

impl VcsState {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            VcsState::Tracked => "tracked",
            VcsState::Added => "added",
            VcsState::Deleted => "deleted",
            VcsState::Conflicted => "conflicted",
        }
    }
}
