//! Files of a chat session: what a host names, and what a reply says of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{IgnoredBy, Kind, PathArg, RawName, Reason};

/// The files of a chat session, as its host names them.
///
/// A path is absolute or relative to the first root. It may be spelled with `..`, lead through
/// links, or be quoted as trilist shows odd names: what means the same file is the same entry. No
/// field of a request carries these, so no model can set them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatFiles {
    /// Files that are in the chat, to be edited. Together with `read_only` at most 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_chat: Vec<PathArg>,
    /// Files that are in the chat to be read only. One that is in both is in the chat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_only: Vec<PathArg>,
}

/// The group of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// In the chat.
    InChat,
    /// In the chat, to be read only.
    ReadOnly,
    /// In neither.
    Repo,
}

/// The three groups of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chat {
    /// Files in the chat.
    pub in_chat: ChatGroup,
    /// Read-only files.
    pub read_only: ChatGroup,
    /// Everything else that is listed.
    pub repo: RepoGroup,
}

/// The files of a group that the host names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatGroup {
    /// How many different files it has.
    pub count: u64,
    /// They, in path order; those that do not lie below the listed directory come last. A page that
    /// continues another one names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ChatFile>,
}

/// The entries that no group names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepoGroup {
    /// How many, when the listing's `total` is known; on the first page only.
    pub count: Option<u64>,
    /// How many of them this page has.
    pub returned: u64,
}

/// A file of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatFile {
    /// Relative to the listed directory, as entries have it; as the host named it when it does not
    /// lie below that. C-quoted when its bytes need it.
    pub path: String,
    /// The exact bytes of `path` in base64, when it is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawName>,
    /// What it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Whether the listing has it, on this page or behind it.
    pub listed: bool,
    /// Why the listing does not have it; in modes `files` and `vcs`, a directory is of no kind that
    /// is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The rule that leaves it out, or a directory above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<IgnoredBy>,
}
