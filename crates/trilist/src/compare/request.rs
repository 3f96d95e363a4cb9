//! What a comparison is asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use trilist_core::{IgnorePolicy, ListRequest, MAX_DEPTH, Mode, PathArg};

/// One comparison as asked. [`CompareRequest::new`] leaves everything absent but the path.
///
/// All modes are asked for the same levels and for hidden names alike, whatever each would take by
/// itself: then what differs is what the modes mean, not what they were asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// The directory to compare: absolute inside a root, or relative to the first root. Default:
    /// the first root.
    #[serde(default)]
    pub path: PathArg,
    /// Levels to compare, 1 to 4,096; 1 is the immediate children. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether names that start with `.` are compared. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_hidden: Option<bool>,
    /// The ignore layers. Switches count in `fs` and `files`, `aiderignore` in `vcs`, the rest in
    /// all modes. Default: those of each mode.
    #[serde(default = "IgnorePolicy::default")]
    pub ignore: IgnorePolicy,
    /// Globs of which one must match; one without `/` matches the base name. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pattern: Vec<String>,
    /// Which paths are rows. Default: `differences`.
    #[serde(default)]
    pub show: Compared,
    /// What becomes of a directory that one mode leaves out as a whole. Default: `cut`.
    #[serde(default)]
    pub fold: Fold,
    /// Rows in this reply, from 1 to what the policy allows (1,000 by default). Counts are of the
    /// whole comparison all the same. Default: 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The first row to show, counted from 1. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The most milliseconds to take, 1 to 60,000; then the comparison ends and says so. Default:
    /// 10,000; of a stream none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u32>,
    /// Files that are in the chat, to be marked: relative to the compared directory, or absolute.
    /// They come from the host, never from a model. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_chat: Vec<PathArg>,
}

/// Which of the compared paths are rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// Those that some mode lists and another does not, or lists as another kind.
    #[default]
    Differences,
    /// Every path that a mode lists.
    All,
}

/// What becomes of a directory below which only one mode lists anything, where another mode has
/// left the directory out as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// It is one row, with the number of files below it.
    #[default]
    Cut,
    /// Each path below it is a row.
    Never,
}

impl CompareRequest {
    /// The plain request: every field but the path takes its default.
    pub fn new(path: impl Into<PathArg>) -> Self {
        CompareRequest {
            path: path.into(),
            depth: None,
            include_hidden: None,
            ignore: IgnorePolicy::default(),
            pattern: Vec::new(),
            show: Compared::Differences,
            fold: Fold::Cut,
            limit: None,
            offset: None,
            deadline_ms: None,
            in_chat: Vec::new(),
        }
    }

    /// What one of the modes is asked.
    pub fn asked_of(&self, mode: Mode) -> ListRequest {
        ListRequest {
            depth: Some(self.depth.unwrap_or(MAX_DEPTH)),
            include_hidden: Some(self.include_hidden.unwrap_or(true)),
            ignore: self.ignore_of(mode),
            pattern: self.pattern.clone(),
            deadline_ms: self.deadline_ms,
            ..ListRequest::new(mode, self.path.clone())
        }
    }

    /// The layers that have a meaning in a mode.
    fn ignore_of(&self, mode: Mode) -> IgnorePolicy {
        let asked = self.ignore.clone();
        if mode != Mode::Vcs {
            return IgnorePolicy { aiderignore: Vec::new(), ..asked };
        }
        IgnorePolicy { builtin: None, git: None, dot_ignore: None, show: None, ..asked }
    }
}
