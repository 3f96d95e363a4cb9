//! What a caller gets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chat::{Bucket, Chat};
use crate::since::{Change, Changes};
use crate::{
    EntryRef, FaultCode, Kind, ListRequest, Metadata, Mode, Reason, RelPathBuf, RuleRef, Seen,
    Skip, VcsInfo, quote,
};

/// One page of a listing: the reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The opened root, absolute; for a whole repository (`subtree: false`) its top.
    pub root: String,
    /// The listed directory relative to `root`, `.` for the root itself; canonical spelling.
    pub path: String,
    /// The product.
    pub mode: Mode,
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// How many entries this page has.
    pub returned: u64,
    /// How many entries the whole listing has, when that is known.
    pub total: Option<u64>,
    /// How many entries the whole listing has at the least.
    pub at_least: u64,
    /// True when this one reply is the whole answer: it starts at the beginning, reaches the
    /// end, and nothing is missing through a fault. What the request asked to leave out is in
    /// `omitted`.
    pub complete: bool,
    /// True when entries follow behind this page.
    pub truncated: bool,
    /// What ended the page.
    pub truncated_by: Option<TruncatedBy>,
    /// Passed as `cursor`, it gives the next page.
    pub next_cursor: Option<String>,
    /// Passed as `offset`, it gives the next page as well; counted from 1.
    pub next_offset: Option<u64>,
    /// Of a cut first page: up to 50 directories directly below the listed one that lie wholly
    /// behind it.
    pub not_reached: Vec<String>,
    /// What was left out between this page's start and its last entry (on the last page: to
    /// the end; on a page that was cut before it had an entry: to where the next one starts), by
    /// reason. A directory counts as one.
    pub omitted: Vec<Omission>,
    /// Faults with single paths, at most 100.
    pub warnings: Vec<Warning>,
    /// How many faults there were.
    pub warnings_total: u64,
    /// How many of them may hide entries.
    pub gaps: u64,
    /// A digest of the request and of everything in this page: equal ids mean equal pages.
    pub snapshot_id: String,
    /// True when the way to this page's start no longer looks as when the cursor was made.
    pub drifted: bool,
    /// True when the listing is pinned: `snapshot_id` names it then.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pinned: bool,
    /// The entries of this page by kind.
    pub summary: Summary,
    /// Of a reply that lists changes: since what, and how many. Each entry then has `change`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    /// The three groups of a chat session, when the host gave its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<Box<Chat>>,
    /// What fixes the listing, when more than mode and path does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Box<ListRequest>>,
    /// Things to know about the reply as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// What was read for this page; not on the wire.
    #[serde(skip)]
    pub seen: Seen,
    /// The path that the page starts after; not on the wire.
    #[serde(skip)]
    pub after: Option<RelPathBuf>,
    /// True when entries before this page were not counted, because its cursor came from explain;
    /// not on the wire.
    #[serde(skip)]
    pub uncounted: bool,
    /// The depth that was asked for, when it is bounded; not on the wire.
    #[serde(skip)]
    pub depth: Option<u32>,
}

/// What ended a page before the listing's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TruncatedBy {
    /// The limit of entries.
    Limit,
    /// The byte budget.
    Budget,
    /// The deadline.
    Deadline,
    /// The cap of scanned entries.
    ScanCap,
}

impl TruncatedBy {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            TruncatedBy::Limit => "limit",
            TruncatedBy::Budget => "budget",
            TruncatedBy::Deadline => "deadline",
            TruncatedBy::ScanCap => "scan_cap",
        }
    }
}

/// One entry of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Relative to the listed directory; C-quoted when its bytes need it.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Levels below the listed directory; its children have 1.
    pub depth: u32,
    /// For a directory that is shown and was not entered: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skip>,
    /// For a directory that was entered and has no entry in the listing: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<Contents>,
    /// Bytes of a file, or of a link's target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When the contents last changed (RFC 3339, UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The permission bits as four octal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<String>,
    /// What a link holds; quoted when its bytes need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What version control knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcs: Option<VcsInfo>,
    /// The rule that ignores the entry, when such entries are marked (`ignore.show`). A
    /// directory that has one was not entered, but for what `ignore.keep` asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored_by: Option<IgnoredBy>,
    /// Its group, when the host gave the files of a chat session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<Bucket>,
    /// What has become of it, in a reply that lists changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Box<Change>>,
    /// The exact bytes of `path` in base64, when `path` is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawName>,
}

/// Why a directory that was entered shows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contents {
    /// It is empty.
    Empty,
    /// Everything in it is left out.
    Omitted,
    /// It could not be read; a warning says why.
    Unreadable,
}

/// The rule that ignores an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IgnoredBy {
    /// The file that holds it, relative to the root; see [`RuleCount::source`].
    pub source: String,
    /// Counted from 1.
    pub line: u32,
    /// The line as written, quoted when its bytes need it; of more than 200 bytes the first ones,
    /// with `…` behind them.
    pub pattern: String,
}

impl IgnoredBy {
    /// The rule as replies carry it.
    pub fn of(rule: RuleRef<'_>) -> IgnoredBy {
        IgnoredBy {
            source: quote::shown(rule.source).into_owned(),
            line: rule.line,
            pattern: rule.shown_pattern().into_owned(),
        }
    }
}

/// Bytes that travel as base64.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct RawName(#[schemars(with = "String")] Vec<u8>);

impl RawName {
    /// The bytes of a path, when it is quoted where it is shown.
    pub fn of(path: &[u8]) -> Option<RawName> {
        quote::needs_quotes(path).then(|| RawName(path.to_vec()))
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Serialize for RawName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for RawName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(RawName).map_err(serde::de::Error::custom)
    }
}

impl Entry {
    /// The entry as replies carry it.
    #[inline]
    pub fn of(entry: &EntryRef<'_>) -> Entry {
        let bytes = entry.path.as_bytes();
        let (path, raw) = match quote::plain(bytes) {
            Some(text) => (text.to_owned(), None),
            None => (shown(bytes), Some(RawName(bytes.to_vec()))),
        };
        let metadata = entry.metadata;
        Entry {
            path,
            kind: entry.kind,
            depth: entry.path.depth(),
            skipped: entry.skipped,
            contents: None,
            size: metadata.and_then(|metadata| metadata.size_bytes),
            modified: metadata.and_then(|metadata| metadata.modified).and_then(rfc3339),
            permissions: metadata.and_then(|metadata| metadata.permissions).map(octal),
            target: metadata.and_then(|metadata| metadata.target.as_deref()).map(shown),
            vcs: entry.vcs,
            ignored_by: entry.ignored_by.map(IgnoredBy::of),
            bucket: None,
            change: None,
            raw,
        }
    }

    /// Whether nothing is known of it but its path, kind and depth, and the path is as it is shown:
    /// so it is with most.
    pub fn is_bare(&self) -> bool {
        self.vcs.is_none() && self.is_bare_but_vcs()
    }

    /// As [`Entry::is_bare`], whatever version control knows of it.
    pub fn is_bare_but_vcs(&self) -> bool {
        matches!(
            self,
            Entry {
                path: _,
                kind: _,
                depth: _,
                vcs: _,
                skipped: None,
                contents: None,
                size: None,
                modified: None,
                permissions: None,
                target: None,
                ignored_by: None,
                bucket: None,
                change: None,
                raw: None,
            }
        )
    }

    /// The exact bytes of the path.
    pub fn bytes(&self) -> &[u8] {
        self.raw.as_ref().map_or(self.path.as_bytes(), RawName::as_bytes)
    }

    /// The facts that a stat gave, as far as a reply keeps them; `None` when there are none.
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        let bytes = |text: &String| {
            quote::unquoted(text.as_bytes()).unwrap_or_else(|| text.as_bytes().to_vec())
        };
        let octal = |bits: &String| u32::from_str_radix(bits, 8).ok();
        let metadata = Metadata {
            size_bytes: self.size,
            modified: self.modified.as_deref().and_then(instant),
            permissions: self.permissions.as_ref().and_then(octal),
            target: self.target.as_ref().map(bytes),
            id: None,
        };
        (metadata != Metadata::default()).then_some(metadata)
    }

    /// Takes the metadata away again.
    pub fn strip_metadata(&mut self) {
        self.size = None;
        self.modified = None;
        self.permissions = None;
        self.target = None;
    }
}

fn shown(bytes: &[u8]) -> String {
    quote::shown(bytes).into_owned()
}

fn octal(bits: u32) -> String {
    format!("{bits:04o}")
}

/// Times that no calendar of four-digit years holds have no RFC 3339 form.
fn rfc3339(time: crate::Modified) -> Option<String> {
    let nanoseconds = i32::try_from(time.nanoseconds).ok()?;
    let stamp = jiff::Timestamp::new(time.seconds, nanoseconds).ok()?;
    (0..=9999).contains(&jiff::tz::Offset::UTC.to_datetime(stamp).year()).then(|| stamp.to_string())
}

fn instant(text: &str) -> Option<crate::Modified> {
    let stamp: jiff::Timestamp = text.parse().ok()?;
    let (seconds, nanoseconds) = (stamp.as_second(), stamp.subsec_nanosecond());
    // Before 1970 both are negative; a file system counts nanoseconds forwards.
    let (seconds, nanoseconds) = if nanoseconds < 0 {
        (seconds - 1, nanoseconds + 1_000_000_000)
    } else {
        (seconds, nanoseconds)
    };
    Some(crate::Modified { seconds, nanoseconds: u32::try_from(nanoseconds).ok()? })
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// What was left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Omission {
    /// Why.
    pub reason: Reason,
    /// How many entries.
    pub count: u64,
    /// The first of them, at most 5, relative to the listed directory; directories end in `/`.
    pub examples: Vec<String>,
    /// The rules that left out most, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleCount>,
}

/// How much one rule left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleCount {
    /// The file that holds it, relative to the root. Rules of other places: `request` for
    /// patterns of the request, `config` for those of the user's configuration, `global` for
    /// git's global excludes, `builtin` for the builtin list.
    pub source: String,
    /// Counted from 1.
    pub line: u32,
    /// The line as written, quoted when its bytes need it; of more than 200 bytes the first ones,
    /// with `…` behind them.
    pub pattern: String,
    /// How many entries it left out.
    pub count: u64,
}

/// A fault with one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Relative to the listed directory; `.` for that directory itself.
    pub path: String,
    /// What went wrong.
    pub code: FaultCode,
    /// True when entries may be missing because of it.
    pub gap: bool,
    /// One clause.
    pub message: String,
}

/// Entries by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Regular files.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
    /// Symbolic links.
    pub symlinks: u64,
    /// Submodules, pipes, sockets and devices.
    pub other: u64,
    /// The sum of the files' sizes, when metadata was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl Summary {
    /// Counts entries.
    pub fn of(entries: &[Entry]) -> Summary {
        entries.iter().fold(Summary::default(), |mut sum, entry| {
            sum.add(entry.kind, entry.size);
            sum
        })
    }

    /// Counts one entry.
    pub fn add(&mut self, kind: Kind, size_bytes: Option<u64>) {
        match kind {
            Kind::File => self.files += 1,
            Kind::Dir => self.dirs += 1,
            Kind::Symlink => self.symlinks += 1,
            Kind::Submodule | Kind::Other => self.other += 1,
        }
        if let (Kind::File, Some(size)) = (kind, size_bytes) {
            self.bytes = Some(self.bytes.unwrap_or(0).saturating_add(size));
        }
    }
}
