//! Mode `fs`: what is on disk, whatever version control thinks.
//!
//! Every directory is a row, and so is a protected one (`.git`), which is never entered unless
//! the listing starts there. Ignore layers are off unless the query turns them on; the builtin
//! list cuts directories to one visible row.
//!
//! Left out on purpose: everything the walk does for both modes on disk.

use std::sync::Arc;

use trilist_core::{
    Cancel, Events, ExplainedRule, Kind, ListError, ListSource, Mode, Query, RelPath,
};
use trilist_root::Root;
use trilist_walk::{Style, Walk};

/// What is on disk beneath a root.
pub struct FsSource {
    root: Arc<Root>,
}

impl FsSource {
    /// A source beneath `root`.
    pub fn new(root: Arc<Root>) -> Self {
        FsSource { root }
    }
}

impl ListSource for FsSource {
    fn mode(&self) -> Mode {
        Mode::Fs
    }

    fn open<'a>(
        &'a self,
        query: &'a Query,
        cancel: &'a Cancel,
    ) -> Result<Box<dyn Events + Send + 'a>, ListError> {
        Ok(Box::new(Walk::open(&self.root, query, Style::Rows, cancel)?))
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
