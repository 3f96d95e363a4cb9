//! The one error of a listing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a whole listing failed. A fault with one entry is an event of the stream instead.
///
/// Text fields are shown as they are, so whoever fills them quotes names (see
/// [`crate::quote`]). No variant carries a path outside the root that the caller did not
/// name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// A field of the request has a value that cannot be used.
    #[error("`{field}` is {given}; {expected}")]
    InvalidArgument {
        /// The field's name as in the request.
        field: String,
        /// The value as it came.
        given: String,
        /// What would be right.
        expected: String,
    },
    /// The requested path does not exist.
    #[error("there is no `{asked}` in {within}")]
    NotFound {
        /// The path as asked, quoted where needed.
        asked: String,
        /// The nearest existing directory above it.
        within: String,
        /// Names there that look alike, at most three.
        similar: Vec<String>,
        /// What a `~` or a backslash in the path probably meant.
        hint: Option<String>,
    },
    /// The requested path is no directory.
    #[error("`{asked}` is a {kind}, not a directory")]
    NotDirectory {
        /// The path as asked.
        asked: String,
        /// What it is.
        kind: &'static str,
        /// The directory that holds it, to list instead.
        parent: String,
    },
    /// The requested path leads out of every root.
    #[error("`{asked}` leads outside the root")]
    OutsideRoot {
        /// The path as asked.
        asked: String,
    },
    /// The host's policy forbids this directory.
    #[error("the host's policy does not allow listing `{asked}`")]
    DeniedByPolicy {
        /// The path as asked.
        asked: String,
        /// What can be listed instead, or how this could: a sentence.
        instead: String,
    },
    /// The host must be asked first and gives nobody to ask.
    #[error("listing `{asked}` needs an approval, and no one can be asked")]
    ApprovalRequired {
        /// The path as asked.
        asked: String,
    },
    /// The requested directory may not be read.
    #[error("no permission to read `{asked}`")]
    PermissionDenied {
        /// The path as asked.
        asked: String,
    },
    /// The offset lies behind the last entry.
    #[error("`offset` is {offset}, but the listing has {entries} {}", if *.entries == 1 { "entry" } else { "entries" })]
    OffsetOutOfRange {
        /// The offset as asked, counted from 1.
        offset: u64,
        /// How many entries there are.
        entries: u64,
    },
    /// The cursor is damaged, forged, or of another request.
    #[error("the cursor cannot be used: {reason}")]
    InvalidCursor {
        /// What is wrong with it.
        reason: String,
    },
    /// No pinned listing has this id: it was dropped, or never pinned.
    #[error("there is no pinned listing `{id}`: it was dropped for newer ones, or never pinned")]
    SnapshotExpired {
        /// The id as asked.
        id: String,
    },
    /// Mode `vcs` outside a repository.
    #[error("`{asked}` is not in a git repository")]
    NotARepository {
        /// The path as asked.
        asked: String,
    },
    /// The repository's layout or format is one that is not read.
    #[error("the repository is refused: {reason}")]
    VcsRefused {
        /// Which layout or format, and what would help.
        reason: String,
    },
    /// The repository is damaged so far that nothing can be listed.
    #[error("the repository cannot be read: {reason}")]
    VcsInvalid {
        /// What is damaged.
        reason: String,
    },
    /// The file system reported an error for the requested directory.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// The error's name and text.
        error: String,
    },
    /// The deadline passed before anything could be listed.
    #[error("nothing could be listed before the deadline")]
    Timeout,
    /// The scan cap was reached; the pager turns it into a page that says so.
    #[error("the cap of {cap} scanned entries was reached")]
    ScanCap {
        /// The cap.
        cap: u64,
    },
    /// Too many calls are at work, or stuck.
    #[error("too many listings are at work or waiting for the file system")]
    Busy,
    /// The caller cancelled.
    #[error("the listing was cancelled")]
    Cancelled,
}

impl ListError {
    /// An [`ListError::InvalidArgument`]; of the value, the first 200 characters are named.
    pub fn invalid(
        field: &str,
        given: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> ListError {
        let given = match given.to_string() {
            given if given.is_empty() => "\"\"".to_owned(),
            given => shortened(&crate::quote::printable(&given)),
        };
        ListError::InvalidArgument { field: field.to_owned(), given, expected: expected.into() }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            ListError::InvalidArgument { .. } => "invalid_argument",
            ListError::NotFound { .. } => "not_found",
            ListError::NotDirectory { .. } => "not_directory",
            ListError::OutsideRoot { .. } => "outside_root",
            ListError::DeniedByPolicy { .. } => "denied_by_policy",
            ListError::ApprovalRequired { .. } => "approval_required",
            ListError::PermissionDenied { .. } => "permission_denied",
            ListError::OffsetOutOfRange { .. } => "offset_out_of_range",
            ListError::InvalidCursor { .. } => "invalid_cursor",
            ListError::SnapshotExpired { .. } => "snapshot_expired",
            ListError::NotARepository { .. } => "not_a_repository",
            ListError::VcsRefused { .. } => "vcs_refused",
            ListError::VcsInvalid { .. } => "vcs_invalid",
            ListError::Io { .. } => "io_error",
            ListError::Timeout | ListError::ScanCap { .. } => "timeout",
            ListError::Busy => "busy",
            ListError::Cancelled => "cancelled",
        }
    }

    /// What would be right, when that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            ListError::NotFound { similar, hint, .. } => {
                hint.clone().or_else(|| did_you_mean(similar))
            }
            ListError::NotDirectory { parent, .. } => Some(format!("List {parent} instead.")),
            ListError::DeniedByPolicy { instead, .. } => Some(instead.clone()),
            ListError::ApprovalRequired { .. } => {
                Some("The host has to approve it; go on with what can be listed.".to_owned())
            }
            ListError::OutsideRoot { .. } => {
                Some("Give a path that stays below the root, also through links.".to_owned())
            }
            ListError::OffsetOutOfRange { entries: 0, .. } => {
                Some("The listing is empty.".to_owned())
            }
            ListError::OffsetOutOfRange { entries, .. } => {
                Some(format!("Give an offset from 1 to {entries}."))
            }
            ListError::InvalidCursor { .. } => Some(
                "Start again without a cursor, or pass the last `next_cursor` as it is.".to_owned(),
            ),
            ListError::SnapshotExpired { .. } => Some(
                "List again with `pin` and go on from that reply, or without `pin` and `since`."
                    .to_owned(),
            ),
            ListError::NotARepository { .. } => Some("Mode `files` lists it.".to_owned()),
            ListError::Timeout | ListError::ScanCap { .. } => {
                Some("Ask for a smaller directory or depth, or allow more time.".to_owned())
            }
            ListError::Busy => Some("Try again later.".to_owned()),
            _ => None,
        }
    }

    /// The error as replies carry it.
    pub fn reply(&self) -> ErrorReply {
        ErrorReply { code: self.code().to_owned(), message: self.to_string(), hint: self.hint() }
    }
}

/// A value from outside is named, not repeated at length.
fn shortened(text: &str) -> String {
    const MOST_CHARS: usize = 200;
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn did_you_mean(names: &[String]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(format!("Did you mean `{one}`?")),
        [most @ .., last] => {
            let most: Vec<_> = most.iter().map(|name| format!("`{name}`")).collect();
            Some(format!("Did you mean {} or `{last}`?", most.join(", ")))
        }
    }
}

/// A failed listing on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorReply {
    /// The stable code.
    pub code: String,
    /// One clause: what was asked and what is wrong.
    pub message: String,
    /// What would be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}
