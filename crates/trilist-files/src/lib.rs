//! Mode `files`: what a ripgrep user sees.
//!
//! Entries are files, links and special files that no ignore rule hides; directories are drawn
//! from the paths, except those that are shown without being entered (the builtin list, the
//! depth limit, mounts), which are rows so that what exists does not look absent. `.git` is
//! counted as protected and has no row.
//!
//! Precedence is ripgrep's: `.rgignore`, `.ignore`, `.gitignore`, `.git/info/exclude`, and the
//! builtin list last; each file is read in the dialect of the program that owns it.
//!
//! Left out on purpose: everything the walk does for both modes on disk.

use std::sync::Arc;

use trilist_core::{
    Cancel, Events, ExplainedRule, Kind, ListError, ListSource, Mode, Query, RelPath,
};
use trilist_root::Root;
use trilist_walk::{Style, Walk};

/// The files beneath a root that no ignore rule hides.
pub struct FilesSource {
    root: Arc<Root>,
}

impl FilesSource {
    /// A source beneath `root`.
    pub fn new(root: Arc<Root>) -> Self {
        FilesSource { root }
    }
}

impl ListSource for FilesSource {
    fn mode(&self) -> Mode {
        Mode::Files
    }

    fn open<'a>(
        &'a self,
        query: &'a Query,
        cancel: &'a Cancel,
    ) -> Result<Box<dyn Events + Send + 'a>, ListError> {
        Ok(Box::new(Walk::open(&self.root, query, Style::Leaves, cancel)?))
    }

    fn overruled(
        &self,
        query: &Query,
        path: RelPath<'_>,
        kind: Kind,
        cancel: &Cancel,
    ) -> Result<Vec<ExplainedRule>, ListError> {
        trilist_walk::overruled(&self.root, query, path, kind, cancel)
    }
}
