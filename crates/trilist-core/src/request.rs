//! What a caller asks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Kind, Mode, quote};

/// One listing as asked. Absent fields take the default that each names; [`ListRequest::new`]
/// leaves everything absent but mode and path.
///
/// ```
/// use trilist_core::{ListRequest, Mode};
///
/// let mut request = ListRequest::new(Mode::Fs, "src");
/// request.depth = Some(1);
/// assert_eq!(request.limit, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// Which product.
    pub mode: Mode,
    /// The directory to list: absolute inside a root, or relative to the first root. In mode
    /// `vcs` a prefix of tracked names, which may be absent on disk. Default: the first root.
    #[serde(default, skip_serializing_if = "PathArg::is_root")]
    pub path: PathArg,
    /// Levels to show, 1 to 4,096; 1 is the immediate children. Default: 2 in mode `fs`,
    /// unlimited in `files` and `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4096))]
    pub depth: Option<u32>,
    /// Entries in this page, from 1 to what the policy allows (1,000 by default). Default: 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// The first entry to show, counted from 1. Not together with `cursor`. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub offset: Option<u64>,
    /// Where the last page ended, as its `next_cursor` said; alone it continues the same
    /// request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Whether to pay for an exact `total`. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub count: bool,
    /// Whether names that start with `.` are shown. Default: false in mode `fs`, true in
    /// `files` and `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_hidden: Option<bool>,
    /// Whether links to directories inside the root are entered. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub follow_symlinks: bool,
    /// Whether mount points are shown without being entered. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub same_filesystem: bool,
    /// The ignore layers.
    #[serde(default, skip_serializing_if = "IgnorePolicy::is_default")]
    pub ignore: IgnorePolicy,
    /// The kinds to show. Default: all. In `files` and `vcs` there are no directories to ask
    /// for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<Kind>>,
    /// Globs of which one must match; one without `/` matches the base name. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pattern: Vec<String>,
    /// The order. Default: `path`.
    #[serde(default, skip_serializing_if = "Sort::is_path")]
    pub sort: Sort,
    /// Whether the order is turned round (ties stay in path order). Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reverse: bool,
    /// Mode `vcs`: whether only what lies below `path` is listed, relative to it; false lists
    /// the whole repository, relative to its root. Default: true.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub subtree: bool,
    /// Whether size, time, permissions and link targets are read. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub metadata: bool,
    /// The most bytes of the reply, counted for the larger of text and JSON; the page ends
    /// between entries, and at least one is given. 1,024 to 1,048,576. Default: no bound but
    /// the host's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1024, max = 1_048_576))]
    pub max_bytes: Option<u32>,
    /// The most milliseconds to take, 1 to 60,000; then the page ends and says so. Default:
    /// 10,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub deadline_ms: Option<u32>,
    /// Whether the listing is taken once to its end and kept: pages by cursor, and by `snapshot`
    /// and `offset`, then come from it, and `since` can name it. One that is larger than what the
    /// host keeps is listed without, and the reply says so. Default: false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pin: bool,
    /// The `snapshot_id` of a pinned listing to read from; `offset` may be anywhere in it. Other
    /// fields that say what is listed must agree with it. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// The `snapshot_id` of a pinned listing: only what was added, removed, changed or renamed
    /// since is listed. Other fields that say what is listed must agree with it. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// How the reply's text is laid out. Default: `tree`, and `paths` when `sort` is another
    /// than `path` or `reverse` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
}

impl ListRequest {
    /// The plain request: every field but these two takes its default.
    pub fn new(mode: Mode, path: impl Into<PathArg>) -> Self {
        ListRequest {
            mode,
            path: path.into(),
            depth: None,
            limit: None,
            offset: None,
            cursor: None,
            count: false,
            include_hidden: None,
            follow_symlinks: false,
            same_filesystem: false,
            ignore: IgnorePolicy::default(),
            kinds: None,
            pattern: Vec::new(),
            sort: Sort::Path,
            reverse: false,
            subtree: true,
            metadata: false,
            max_bytes: None,
            deadline_ms: None,
            pin: false,
            snapshot: None,
            since: None,
            view: None,
        }
    }

    /// True when entries come in another order than the streaming one.
    pub fn is_sorted(&self) -> bool {
        self.sort != Sort::Path || self.reverse
    }
}

/// Which ignore layers are in force. An absent switch takes the mode's default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IgnorePolicy {
    /// The builtin list of dependency and cache directories. Default: true in `fs` and
    /// `files`, false in `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builtin: Option<bool>,
    /// Git's own files. Default: true in `files`, else false. Not in `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<bool>,
    /// `.ignore` and `.rgignore`. Default: true in `files`, else false. Not in `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dot_ignore: Option<bool>,
    /// Ignore files of tools, by name: each is looked for in the root and at the top of every
    /// repository below it (mode `vcs`: at the repository's top), and its rules count from there,
    /// before those of git and ripgrep. `.aiderignore` is read in pathspec's dialect, every other
    /// one in git's. The one named last decides first. At most 16. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_files: Vec<String>,
    /// Globs to leave out. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// Globs to keep against every layer but protection. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// What becomes of entries that a rule ignores. `mark` is not in `vcs`. Default: `omit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<Show>,
    /// What the host's configuration, and that of the listed tree, adds: patterns, globs to keep
    /// and tool files. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<bool>,
    /// Mode `vcs`: files of pathspec rules, relative to the repository's top (Aider's
    /// `.aiderignore`). They count as one file: the last rule that matches decides. At most 16.
    /// Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aiderignore: Vec<String>,
}

impl IgnorePolicy {
    /// Every layer off but protection, those of the configuration too.
    pub fn none() -> Self {
        IgnorePolicy {
            builtin: Some(false),
            git: Some(false),
            dot_ignore: Some(false),
            config: Some(false),
            ..IgnorePolicy::default()
        }
    }

    fn is_default(&self) -> bool {
        *self == IgnorePolicy::default()
    }
}

/// What becomes of entries that a rule ignores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// They are left out and counted.
    #[default]
    Omit,
    /// They are listed, each with the rule that ignores it; such a directory is one entry and is
    /// not entered. Hidden and protected names, and the directories of the builtin list, are as
    /// without.
    Mark,
}

/// The order of entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Byte order of the whole path; the only order that streams.
    #[default]
    Path,
    /// Largest first; what has no size comes last.
    Size,
    /// Newest first; what has no time comes last.
    Modified,
    /// Directories, files, links, submodules, others.
    Kind,
}

impl Sort {
    fn is_path(&self) -> bool {
        *self == Sort::Path
    }
}

/// How a page is laid out as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// Indented by two spaces a level.
    #[default]
    Tree,
    /// A path a line.
    Paths,
    /// A JSON object a line.
    Entries,
    /// A whole directory within a budget of bytes. It is a call of its own and no view of a page:
    /// `list` refuses it.
    Overview,
    /// A line an entry: kind, size, time, permissions and path.
    Table,
    /// A tree drawn with lines, for people.
    Drawn,
}

/// A path as an argument: bytes, which may be quoted as trilist shows odd names.
#[derive(Clone, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct PathArg(#[schemars(with = "String")] Vec<u8>);

impl PathArg {
    /// The bytes as they came.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn is_root(&self) -> bool {
        self.0 == b"."
    }
}

impl Default for PathArg {
    fn default() -> Self {
        PathArg(b".".to_vec())
    }
}

impl From<&str> for PathArg {
    fn from(text: &str) -> Self {
        PathArg(text.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for PathArg {
    fn from(bytes: Vec<u8>) -> Self {
        PathArg(bytes)
    }
}

impl std::fmt::Debug for PathArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&quote::shown(&self.0))
    }
}

impl Serialize for PathArg {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // What came quoted goes on as it came, so that a relay does not change it.
        let came_quoted = quote::unquoted(&self.0).is_some();
        match std::str::from_utf8(&self.0) {
            Ok(text) if came_quoted && !text.chars().any(char::is_control) => {
                serializer.serialize_str(text)
            }
            _ => serializer.serialize_str(&quote::shown(&self.0)),
        }
    }
}

impl<'de> Deserialize<'de> for PathArg {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(PathArg(String::deserialize(deserializer)?.into_bytes()))
    }
}

fn is_false(value: &bool) -> bool {
    !*value
}

fn is_true(value: &bool) -> bool {
    *value
}

fn yes() -> bool {
    true
}
