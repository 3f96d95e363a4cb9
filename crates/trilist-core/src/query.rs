//! What a source is asked.

use std::sync::Arc;

use crate::{Closed, RelPathBuf};

/// A listing as sources see it: resolved, without paging.
///
/// Every field is spelled out by whoever makes one; [`Query::new`] gives the plain case.
#[derive(Debug, Clone)]
pub struct Query {
    /// The directory to list, relative to the opened root, links resolved.
    pub base: RelPathBuf,
    /// Levels to show below `base`, 1 to [`MAX_DEPTH`]; 1 shows immediate children.
    pub depth: u32,
    /// Whether names that start with `.` are shown.
    pub include_hidden: bool,
    /// Whether links to directories are entered, inside the root.
    pub follow_symlinks: bool,
    /// Whether mount points are shown without being entered.
    pub same_filesystem: bool,
    /// What the host keeps closed.
    pub closed: Closed,
    /// The ignore layers in force.
    pub ignore: IgnoreQuery,
    /// Whether [`crate::EntryRef::metadata`] is filled, at the price of a stat an entry.
    pub metadata: bool,
    /// Whether entries tell which thing they are: [`crate::Metadata::id`] beside other metadata,
    /// and [`crate::EntryRef::object`] in mode `vcs`.
    pub identify: bool,
    /// Mode `vcs`: list only what lies below `base`, relative to it; else the whole repository,
    /// relative to its root.
    pub subtree: bool,
    /// Start at this path, relative to the listed directory; `bound` says on which side of it.
    pub after: Option<RelPathBuf>,
    /// Whether the path of `after` is itself listed.
    pub bound: Bound,
    /// A hint: only the directories on the way to this path, relative to the listed directory,
    /// are looked into, and of each only the next name on the way. What is said of these names
    /// and of the path, and what is listed below it, is what the whole listing says; nothing else
    /// comes. Not together with `after`.
    pub probe: Option<RelPathBuf>,
    /// A hint: the most entries that the caller will pull. It never changes the result.
    pub want: Option<usize>,
    /// The most directory or index entries to read; then [`crate::ListError::ScanCap`].
    pub scan_cap: Option<u64>,
}

/// On which side of a path a listing starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Strictly after it.
    #[default]
    After,
    /// At it: if it is listed, it comes first.
    At,
}

/// The deepest level that a walk reaches.
pub const MAX_DEPTH: u32 = 4096;

/// The ignore layers of one listing, resolved for its mode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IgnoreQuery {
    /// The builtin list of dependency and cache directories.
    pub builtin: bool,
    /// The names that stand in place of the builtin list, if it was changed.
    pub builtin_names: Option<Arc<[String]>>,
    /// Git's own files: `.gitignore` and `info/exclude`.
    pub git: bool,
    /// The content of the user's global excludes, where the host opts in; part of `git`.
    pub global_excludes: Option<Arc<[u8]>>,
    /// `.ignore` and `.rgignore`.
    pub dot_ignore: bool,
    /// Ignore files of tools, by name.
    pub tool_files: Vec<String>,
    /// Globs to leave out, before every file.
    pub patterns: Vec<String>,
    /// Where `patterns` come from, in order; those before the first origin are the request's.
    pub origins: Vec<Origin>,
    /// Globs to keep, before everything but protection.
    pub keep: Vec<String>,
    /// Whether what a rule ignores is an entry that names the rule.
    pub mark: bool,
    /// Mode `vcs`: files of pathspec rules (Aider's `.aiderignore`), from the repository's top;
    /// a later file has the last word.
    pub aiderignore: Vec<String>,
}

/// Where patterns come from that are not the request's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The first of them: a place in the list of patterns, counted from 0.
    pub first: usize,
    /// What rules name as their source.
    pub source: String,
    /// The lines of the source on which its patterns stand, one each, counted from 1; empty where
    /// they stand on none, and their places count.
    pub lines: Vec<u32>,
}

impl Origin {
    /// The source of the pattern at a place of the list, counted from 0, and the pattern's line
    /// there, counted from 1.
    pub fn of(origins: &[Origin], at: usize) -> (&str, u32) {
        let origin = origins.iter().rev().find(|origin| origin.first <= at);
        let (source, first) = origin.map_or(("request", 0), |one| (&one.source, one.first));
        let lines = origin.map_or(&[][..], |origin| &origin.lines);
        let place = || u32::try_from(at - first + 1).unwrap_or(u32::MAX);
        (source, lines.get(at - first).copied().unwrap_or_else(place))
    }
}

impl Query {
    /// Everything below `base`: no depth limit but the walk's own, no layer, no condition, and
    /// nothing closed but `.git`.
    pub fn new(base: RelPathBuf) -> Self {
        Query {
            base,
            depth: MAX_DEPTH,
            include_hidden: true,
            follow_symlinks: false,
            same_filesystem: false,
            closed: Closed::names(&[".git"]),
            ignore: IgnoreQuery::default(),
            metadata: false,
            identify: false,
            subtree: true,
            after: None,
            bound: Bound::After,
            probe: None,
            want: None,
            scan_cap: None,
        }
    }
}
