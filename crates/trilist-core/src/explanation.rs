//! Why one path is in a listing, or is not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ErrorReply, FaultCode, Kind, Mode, Omission, RawName, Reason, RuleDialect, RuleRef, Skip,
    VcsInfo, quote,
};

/// Whether one path is listed, mode by mode, and exactly why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The path relative to the listed directory when it lies below it, else as it was asked;
    /// C-quoted when its bytes need it.
    pub path: String,
    /// The exact bytes of `path` in base64, when `path` is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawName>,
    /// What is on disk there, no link followed. Absent when there is nothing, or when that could
    /// not be found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_disk: Option<Kind>,
    /// What each mode that was asked about says.
    pub modes: ByMode,
}

/// One answer for each mode that was asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ByMode {
    /// Mode `fs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fs: Option<Standing>,
    /// Mode `files`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Standing>,
    /// Mode `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcs: Option<Standing>,
}

impl ByMode {
    /// What a mode says, if it was asked.
    pub fn of(&self, mode: Mode) -> Option<&Standing> {
        match mode {
            Mode::Fs => self.fs.as_ref(),
            Mode::Files => self.files.as_ref(),
            Mode::Vcs => self.vcs.as_ref(),
        }
    }

    /// Sets what a mode says.
    pub fn set(&mut self, mode: Mode, standing: Standing) {
        let place = match mode {
            Mode::Fs => &mut self.fs,
            Mode::Files => &mut self.files,
            Mode::Vcs => &mut self.vcs,
        };
        *place = Some(standing);
    }

    /// The modes that were asked and what each says, in the order in which they are shown.
    pub fn iter(&self) -> impl Iterator<Item = (Mode, &Standing)> {
        Mode::ALL.into_iter().filter_map(|mode| Some((mode, self.of(mode)?)))
    }
}

/// Where a path stands in the listing of one mode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// Whether the whole listing has it. A directory in `files` or `vcs` is listed when something
    /// below it is. Null when there is no listing in this mode (`unavailable`), or when a bound
    /// came first (`unknown`).
    pub listed: Option<bool>,
    /// Why it is not listed: the first reason that applies. Where the listing counts the path
    /// itself in `omitted`, this is the reason that it counts there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The same in words; names in it are quoted.
    pub message: String,
    /// The path on the way that decides, when it is not the path itself: the directory that is
    /// left out or not entered, the link, the nearest thing that exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The deciding rule, for `ignored` and `builtin`, also of an entry that is only marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<ExplainedRule>,
    /// Rules that would bring the path back and have no effect here, strongest first, at most 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<ExplainedRule>,
    /// What the listing says that it is, or would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// For a directory that is listed and not entered: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skip>,
    /// What version control knows of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcs: Option<VcsInfo>,
    /// The link that it lies behind, or that it is and the listing does not enter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkOnWay>,
    /// Names next to the one that does not exist which look like it, at most 3.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<String>,
    /// What is left out below a directory of which nothing is listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<Omission>,
    /// What went wrong on the way, where that is why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultCode>,
    /// Why the mode has no listing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReply>,
    /// Passed as `cursor` to a listing of this mode, it gives the page that starts with the path;
    /// for a directory in `files` and `vcs`, with the first entry below it. Not in another order
    /// than `path`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// What else there is to know about the way, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A rule as explain names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainedRule {
    /// The file that holds it, relative to the root; see `RuleCount` for other places.
    pub source: String,
    /// Counted from 1.
    pub line: u32,
    /// The line as written, quoted when its bytes need it; of more than 200 bytes the first ones,
    /// with `…` behind them.
    pub pattern: String,
    /// The language in which it is read.
    pub dialect: RuleDialect,
}

impl ExplainedRule {
    /// The rule as replies carry it.
    pub fn of(rule: RuleRef<'_>) -> Self {
        ExplainedRule {
            source: quote::shown(rule.source).into_owned(),
            line: rule.line,
            pattern: rule.shown_pattern().into_owned(),
            dialect: rule.dialect,
        }
    }
}

/// A link on the way to a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkOnWay {
    /// The link, as `path` is spelled.
    pub path: String,
    /// What it holds; quoted when its bytes need it.
    pub target: String,
    /// Where the asked path leads through it, relative to the root. Absent when that is outside
    /// the root, or nowhere; the message says which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leads_to: Option<String>,
}
