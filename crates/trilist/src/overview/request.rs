//! What an overview is asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use trilist_core::{IgnorePolicy, ListError, ListRequest, MAX_DEPTH, Mode, PathArg, Show};

/// One overview as asked. [`OverviewRequest::new`] leaves everything absent but mode and path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverviewRequest {
    /// Which product.
    pub mode: Mode,
    /// The directory to look over: absolute inside a root, or relative to the first root.
    /// Default: the first root.
    #[serde(default)]
    pub path: PathArg,
    /// The most bytes of the reply, from 1,024 to 1,048,576. Default: 4,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u32>,
    /// The form that `max_bytes` holds for. Default: `text`.
    #[serde(default)]
    pub measure: Measure,
    /// Whether everything is read, so that each directory has its counts. If not, only the
    /// directories are read that are shown open; mode `vcs` counts in either case, because an
    /// index is read as a whole. Default: true.
    #[serde(default = "counted")]
    pub count: bool,
    /// Levels to look at, 1 to 4,096. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether names that start with `.` are shown. Default: false in mode `fs`, true in `files`
    /// and `vcs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_hidden: Option<bool>,
    /// The ignore layers. Default: those of the mode.
    #[serde(default = "IgnorePolicy::default")]
    pub ignore: IgnorePolicy,
    /// Globs of which one must match; one without `/` matches the base name. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pattern: Vec<String>,
    /// The most milliseconds to take, 1 to 60,000; then the overview is of what was read and says
    /// so. Default: 10,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u32>,
}

/// The form of a reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// As [`crate::render::overview`] writes it.
    #[default]
    Text,
    /// As [`crate::render::overview_json`] writes it.
    Json,
}

fn counted() -> bool {
    true
}

impl OverviewRequest {
    /// The plain request: every field but these two takes its default.
    pub fn new(mode: Mode, path: impl Into<PathArg>) -> Self {
        OverviewRequest {
            mode,
            path: path.into(),
            max_bytes: None,
            measure: Measure::Text,
            count: true,
            depth: None,
            include_hidden: None,
            ignore: IgnorePolicy::default(),
            pattern: Vec::new(),
            deadline_ms: None,
        }
    }

    /// The overview of what a listing's request asks for.
    ///
    /// # Errors
    ///
    /// [`ListError::InvalidArgument`] for a field that an overview has no use for: it would answer
    /// something else than was asked.
    pub fn of(request: &ListRequest) -> Result<Self, ListError> {
        let overview = OverviewRequest::looked_at(request);
        let mut without = overview.listing();
        (without.depth, without.view) = (request.depth, request.view);
        without.max_bytes = request.max_bytes;
        match first_difference(request, &without) {
            None => Ok(overview),
            Some(field) => {
                let expected = "an overview has no use for it; leave it out, or take another view";
                Err(ListError::invalid(&field, "given", expected))
            }
        }
    }

    fn looked_at(request: &ListRequest) -> Self {
        OverviewRequest {
            max_bytes: request.max_bytes,
            depth: request.depth,
            include_hidden: request.include_hidden,
            ignore: request.ignore.clone(),
            pattern: request.pattern.clone(),
            deadline_ms: request.deadline_ms,
            ..OverviewRequest::new(request.mode, request.path.clone())
        }
    }

    /// The listing that the overview is of.
    pub fn listing(&self) -> ListRequest {
        ListRequest {
            depth: Some(self.depth.unwrap_or(MAX_DEPTH)),
            include_hidden: self.include_hidden,
            ignore: self.ignore.clone(),
            pattern: self.pattern.clone(),
            deadline_ms: self.deadline_ms,
            ..ListRequest::new(self.mode, self.path.clone())
        }
    }
}

/// The first field that is not the same in both.
fn first_difference(one: &ListRequest, other: &ListRequest) -> Option<String> {
    let fields = |request| serde_json::to_value(request).unwrap_or_default();
    let (one, other) = (fields(one), fields(other));
    if one["ignore"]["show"] == serde_json::json!(Show::Mark) {
        // Its rows have no place for a rule.
        return Some("ignore.show".to_owned());
    }
    let differs = |(name, value): &(&String, &serde_json::Value)| other.get(*name) != Some(*value);
    one.as_object()?.iter().find(differs).map(|(name, _)| name.clone())
}
