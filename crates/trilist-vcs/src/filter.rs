//! What a request leaves out, and what it cuts off.

use std::sync::Arc;

use trilist_core::{
    Closed, ListError, Origin, Query, Reason, RelPath, RelPathBuf, RuleDialect, RuleRef, Skip,
};
use trilist_ignore::{GlobError, Globs};

use crate::ignore_file::IgnoreFile;

/// The conditions of one listing.
pub(crate) struct Filter {
    depth: u32,
    include_hidden: bool,
    exclude: Globs,
    origins: Vec<Origin>,
    keep: Globs,
    /// A later file has the last word.
    tool: Vec<Arc<IgnoreFile>>,
    closed: Closed,
    /// Whether a name can be protected; git's own directory is never tracked.
    protects: bool,
    /// The listed directory, relative to the root.
    listed: RelPathBuf,
    /// Whether a directory can become one row or one omission.
    collapses: bool,
    /// Whether no name that is no directory can be left out: asked once a name.
    shows_all: bool,
}

/// A rule of a [`Filter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleId {
    Exclude(usize),
    /// The file and its rule.
    Tool(usize, usize),
}

/// Why a directory is told as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collapse {
    Omitted(Reason, Option<RuleId>),
    /// A row, not entered.
    Row(Skip),
}

/// What becomes of a name that is no directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Shown,
    Omitted(Reason, Option<RuleId>),
}

impl Filter {
    /// The conditions of a query; `listed` is the directory whose names are told, relative to the
    /// root.
    ///
    /// # Errors
    ///
    /// When a glob of the query is none.
    pub(crate) fn new(
        query: &Query,
        tool: Vec<Arc<IgnoreFile>>,
        listed: RelPathBuf,
    ) -> Result<Self, ListError> {
        let closed = query.closed.clone();
        let protects = closed.protected().any(|name| name != b".git");
        let exclude = globs("ignore.patterns", &query.ignore.patterns)?;
        let keep = globs("ignore.keep", &query.ignore.keep)?;
        let by_depth = query.depth < trilist_core::MAX_DEPTH;
        Ok(Filter {
            depth: query.depth,
            include_hidden: query.include_hidden,
            shows_all: query.include_hidden && exclude.is_empty() && tool.is_empty() && !protects,
            collapses: !query.include_hidden
                || by_depth
                || !exclude.is_empty()
                || protects
                || closed.has_denials(),
            closed,
            protects,
            listed,
            exclude,
            origins: query.ignore.origins.clone(),
            keep,
            tool,
        })
    }

    /// False when [`Filter::collapse`] has always the answer `None`.
    pub(crate) fn collapses(&self) -> bool {
        self.collapses
    }

    /// Whether the directory `dir`, relative to the listed one, is told as one. Those above it
    /// are not.
    pub(crate) fn collapse(&self, dir: &[u8]) -> Option<Collapse> {
        let path = RelPath::assume(dir);
        if self.protects && self.closed.protects(path.name()) {
            return Some(Collapse::Omitted(Reason::Protected, None));
        }
        if self.closed.has_denials() && self.closed.denies(self.listed.join(path).as_path()) {
            return Some(Collapse::Row(Skip::Protected));
        }
        if !self.include_hidden && path.name().starts_with(b".") {
            return Some(Collapse::Omitted(Reason::Hidden, None));
        }
        if let Some(at) = self.exclude.matched(dir, true)
            && self.keep.matched(dir, true).is_none()
            && !self.keep.may_match_below(dir)
        {
            return Some(Collapse::Omitted(Reason::Ignored, Some(RuleId::Exclude(at))));
        }
        let at_limit = self.depth < trilist_core::MAX_DEPTH && path.depth() >= self.depth;
        at_limit.then_some(Collapse::Row(Skip::Depth))
    }

    /// Decides about a name that is no directory: `below` is its path in the listed directory,
    /// `path` that in the repository.
    #[inline]
    pub(crate) fn verdict(&self, below: &[u8], path: &[u8]) -> Verdict {
        if self.shows_all {
            return Verdict::Shown;
        }
        self.decide(below, path)
    }

    fn decide(&self, below: &[u8], path: &[u8]) -> Verdict {
        if self.protects && self.closed.protects(RelPath::assume(below).name()) {
            return Verdict::Omitted(Reason::Protected, None);
        }
        if !self.include_hidden && RelPath::assume(below).name().starts_with(b".") {
            return Verdict::Omitted(Reason::Hidden, None);
        }
        match self.ignoring(below, path) {
            Some(rule) => Verdict::Omitted(Reason::Ignored, Some(rule)),
            None => Verdict::Shown,
        }
    }

    fn ignoring(&self, below: &[u8], path: &[u8]) -> Option<RuleId> {
        if self.keep.matched(below, false).is_some() {
            return None;
        }
        if !self.exclude.is_empty() {
            let slashes = memchr::memchr_iter(b'/', below);
            let of_dir = |slash: usize| {
                let dir = &below[..slash];
                let kept = self.keep.matched(dir, true).is_some();
                self.exclude.matched(dir, true).filter(|_| !kept)
            };
            let found = slashes.filter_map(of_dir).next();
            if let Some(at) = found.or_else(|| self.exclude.matched(below, false)) {
                return Some(RuleId::Exclude(at));
            }
        }
        // Git's dialect leaves out what lies in a directory that is left out; pathspec's says
        // nothing of directories.
        let start = path.len() - below.len();
        let slashes = memchr::memchr_iter(b'/', below);
        let of_dir = |slash: usize| self.tool_rule(&path[..start + slash], true);
        slashes.filter_map(of_dir).next().or_else(|| self.tool_rule(path, false))
    }

    /// The rule of a tool's file that leaves out a path of the repository.
    fn tool_rule(&self, path: &[u8], is_dir: bool) -> Option<RuleId> {
        let matched = |(file, tool): (usize, &Arc<IgnoreFile>)| {
            Some((file, tool.rules.matched(path, is_dir)?))
        };
        let (file, at) = self.tool.iter().enumerate().rev().find_map(matched)?;
        (!self.tool[file].rules.rule(at).negated).then_some(RuleId::Tool(file, at))
    }

    /// A rule as events show it.
    pub(crate) fn rule(&self, id: RuleId) -> RuleRef<'_> {
        match id {
            RuleId::Tool(file, at) => {
                let tool = &self.tool[file];
                let rule = tool.rules.rule(at);
                let dialect = tool.rules.dialect().into();
                RuleRef { source: &tool.source, line: rule.line, pattern: rule.text, dialect }
            }
            RuleId::Exclude(at) => {
                let (source, line) = Origin::of(&self.origins, at);
                let pattern = self.exclude.text(at).as_bytes();
                let source = source.as_bytes();
                RuleRef { source, line, pattern, dialect: RuleDialect::Glob }
            }
        }
    }
}

fn globs(field: &str, list: &[String]) -> Result<Globs, ListError> {
    Globs::new(list).map_err(|error: GlobError| {
        let given = format!("{list:?}");
        ListError::invalid(field, given, error.to_string())
    })
}
