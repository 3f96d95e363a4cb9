//! Reading only the directories that are shown open.

use trilist_core::tally::Tally;
use trilist_core::{
    Cancel, Event, Events, ListError, Query, RelPath, RelPathBuf, Seen, Skip, TruncatedBy,
};

use super::gather::Gathered;
use super::node::Node;
use crate::lister::Job;
use crate::sources::Opened;

/// A listing of one directory at a time.
pub(super) struct Peek<'p> {
    job: &'p Job,
    opened: &'p Opened,
    cancel: &'p Cancel,
    tally: Tally,
    seen: Seen,
    stopped: Option<TruncatedBy>,
    has_read: bool,
}

impl<'p> Peek<'p> {
    pub(super) fn new(job: &'p Job, opened: &'p Opened, cancel: &'p Cancel) -> Self {
        let (tally, seen) = (Tally::default(), Seen::default());
        Peek { job, opened, cancel, tally, seen, stopped: None, has_read: false }
    }

    /// Reads what lies directly in a directory, once.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`]; and for the listed directory itself as opening it.
    pub(super) fn grow(&mut self, path: &[u8], node: &mut Node) -> Result<(), ListError> {
        if node.is_read || node.unreadable || self.stopped.is_some() {
            return Ok(());
        }
        match self.read(path, node) {
            Ok(()) => node.is_read = true,
            Err(error @ ListError::Cancelled) => return Err(error),
            Err(error) if !self.has_read => return Err(error),
            Err(ListError::Timeout) => self.stopped = Some(TruncatedBy::Deadline),
            Err(ListError::ScanCap { .. }) => self.stopped = Some(TruncatedBy::ScanCap),
            // It was there a moment ago, or may not be read.
            Err(error) => {
                node.unreadable = true;
                self.tally.fault(&trilist_core::FaultRef {
                    path: RelPath::assume(path),
                    code: fault_code(&error),
                    gap: true,
                    message: &error.to_string(),
                    more: 0,
                });
            }
        }
        self.has_read = true;
        Ok(())
    }

    /// Whether nothing is looked at below what lies directly in a directory.
    fn is_last_level(&self, dir: &[u8]) -> bool {
        let levels = RelPath::assume(dir).components().count() + 1;
        levels >= self.job.plan.query.depth as usize
    }

    fn read(&mut self, path: &[u8], node: &mut Node) -> Result<(), ListError> {
        let query = &self.job.plan.query;
        let below = RelPathBuf::new(path).unwrap_or_default();
        let base = query.base.join(below.as_path());
        let scan_cap = query.scan_cap.map(|cap| cap.saturating_sub(self.seen.entries));
        let query = Query { base, depth: 1, scan_cap, ..query.clone() };
        let mut events = self.job.events_of(self.opened, &query, self.cancel)?;
        let ended = loop {
            match events.advance() {
                Ok(true) => self.take(&events.event(), path, node),
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let seen = events.seen();
        self.seen.directories += seen.directories;
        self.seen.entries += seen.entries;
        ended
    }

    fn take(&mut self, event: &Event<'_>, dir: &[u8], node: &mut Node) {
        match event {
            Event::Entry(entry) => {
                let mut child = Node::of(entry.path.as_bytes(), entry);
                // Each directory is read by itself, so only the overview's own depth counts.
                if child.skipped == Some(Skip::Depth) && !self.is_last_level(dir) {
                    child.skipped = None;
                }
                if child.is_dir() {
                    node.own.dirs += 1
                } else {
                    node.own.files += 1
                }
                node.children.push(child);
            }
            Event::Omitted(omission) => {
                node.omits = true;
                let path = whole(dir, omission.path);
                self.tally.omit(&trilist_core::OmissionRef { path: path.as_path(), ..*omission });
            }
            Event::Fault(fault) => {
                node.unreadable |= fault.gap && fault.path.is_empty();
                let path = whole(dir, fault.path);
                self.tally.fault(&trilist_core::FaultRef { path: path.as_path(), ..*fault });
            }
        }
    }

    /// Hands over what was left out, what went wrong and what was read.
    pub(super) fn told(&mut self, gathered: &mut Gathered) {
        gathered.tally.absorb(&mut self.tally);
        gathered.seen = self.seen;
        gathered.stopped = self.stopped;
    }
}

fn whole(dir: &[u8], below: RelPath<'_>) -> RelPathBuf {
    RelPathBuf::new(dir).unwrap_or_default().join(below)
}

fn fault_code(error: &ListError) -> trilist_core::FaultCode {
    match error {
        ListError::PermissionDenied { .. } => trilist_core::FaultCode::PermissionDenied,
        ListError::NotFound { .. } => trilist_core::FaultCode::DirVanished,
        ListError::NotDirectory { .. } => trilist_core::FaultCode::DirReplaced,
        _ => trilist_core::FaultCode::IoError,
    }
}
