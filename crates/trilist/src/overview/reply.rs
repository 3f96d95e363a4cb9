//! What an overview answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use trilist_core::{Kind, Mode, Omission, RawName, Seen, Skip, TruncatedBy, VcsState, Warning};

/// A directory and what lies below it, within a budget of bytes.
///
/// Every directory directly below the listed one comes first; then each of them gets a fair share
/// of what is left, to be opened level by level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// The opened root, absolute.
    pub root: String,
    /// The listed directory relative to `root`, `.` for the root itself.
    pub path: String,
    /// The product.
    pub mode: Mode,
    /// How many levels were looked at, when not all were to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// What is shown: each directory followed by what is shown of its contents, names in byte
    /// order.
    pub rows: Vec<OverviewRow>,
    /// How many rows there are.
    pub returned: u64,
    /// What lies directly below the listed directory and has no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Hidden>,
    /// Everything below the listed directory, when it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// True when every entry of the listing, down to its `depth`, is a row, and nothing is missing through a fault.
    pub complete: bool,
    /// True when there is more than the rows.
    pub truncated: bool,
    /// What ended it: `budget` when all was read.
    pub truncated_by: Option<TruncatedBy>,
    /// What was left out, by reason. A directory counts as one.
    pub omitted: Vec<Omission>,
    /// Faults with single paths, at most 100.
    pub warnings: Vec<Warning>,
    /// How many faults there were.
    pub warnings_total: u64,
    /// How many of them may hide entries.
    pub gaps: u64,
    /// Things to know about the reply as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// What was read; not on the wire.
    #[serde(skip)]
    pub seen: Seen,
}

/// One row of an overview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverviewRow {
    /// Relative to the listed directory; C-quoted when its bytes need it.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// For a directory: what is below it, at any depth, when it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// For a directory that is open, but not wholly: what lies directly in it and has no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Hidden>,
    /// For a directory: whether what lies directly in it has rows, as far as `hidden` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// For a directory without entries: whether it holds some, which are all left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_left_out: bool,
    /// For a directory that the listing shows without entering it: why. It has no counts, and what
    /// is below it is counted nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skip>,
    /// For a directory that could not be read, or not to its end; a warning says why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreadable: bool,
    /// In mode `vcs`, unless it is `tracked`: how HEAD and the index differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<VcsState>,
    /// The exact bytes of `path` in base64, when `path` is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawName>,
}

/// How much lies below a directory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Files, links, submodules and other leaves that the listing has.
    pub files: u64,
    /// Directories, as far as the listing has them or draws them from paths.
    pub dirs: u64,
    /// Whether there may be more: reading was ended before the directory was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

/// What lies directly in a directory and has no row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hidden {
    /// Files, links, submodules and other leaves.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
}

impl OverviewRow {
    /// The exact bytes of the path.
    pub fn bytes(&self) -> &[u8] {
        self.raw.as_ref().map_or(self.path.as_bytes(), RawName::as_bytes)
    }
}
