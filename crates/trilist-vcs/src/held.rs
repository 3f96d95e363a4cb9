//! Putting rows of directories where their names belong.
//!
//! In the order of an index, `a-b` comes before `a/x`, but a row for the directory `a` comes
//! before `a-b`. So when directories are told as one, a name like `a-b` waits until it is clear
//! whether there is an `a/`: for the names up to there, which are few in all but odd trees.

use std::collections::VecDeque;

use trilist_core::{FaultCode, Kind, Metadata, Reason, Skip, VcsInfo};

use crate::filter::RuleId;

/// An event without its path.
#[derive(Debug, Clone)]
pub(crate) enum Told {
    Entry {
        kind: Kind,
        skipped: Option<Skip>,
        vcs: Option<VcsInfo>,
        /// Apart, because few listings have it and events are moved often.
        metadata: Option<Box<Metadata>>,
        /// The id of the object in the index; only where asked for.
        object: Option<Box<[u8]>>,
    },
    Omitted {
        kind: Kind,
        reason: Reason,
        rule: Option<RuleId>,
        in_index: bool,
    },
    Fault {
        code: FaultCode,
        gap: bool,
        message: Box<str>,
        more: u64,
    },
}

impl Told {
    pub(crate) fn is_fault(&self) -> bool {
        matches!(self, Told::Fault { .. })
    }

    fn is_in_index(&self) -> bool {
        match self {
            Told::Entry { vcs, .. } => vcs.is_some_and(|vcs| vcs.index),
            Told::Omitted { in_index, .. } => *in_index,
            Told::Fault { .. } => false,
        }
    }
}

/// Events that wait, in order.
#[derive(Debug, Default)]
pub(crate) struct Held {
    events: VecDeque<(Vec<u8>, Told)>,
    /// The directory, with a slash, at which it is clear that nothing comes in between.
    until: Vec<u8>,
}

impl Held {
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Starts to wait until names reach `dir`.
    pub(crate) fn start(&mut self, dir: &[u8], path: &[u8], told: Told) {
        self.until.clear();
        self.until.extend_from_slice(dir);
        self.until.push(b'/');
        self.events.push_back((path.to_vec(), told));
    }

    /// Whether something at `path` shows that nothing more comes in between.
    pub(crate) fn is_passed_by(&self, path: &[u8]) -> bool {
        path >= self.until.as_slice()
    }

    /// Whether the directory `path` belongs before what waits, or in its place.
    pub(crate) fn is_before_last(&self, path: &[u8]) -> bool {
        self.events.back().is_some_and(|(last, _)| path <= last.as_slice())
    }

    /// Adds an event at its place. A name can be a file on one side and a directory on the
    /// other; it is one row all the same, and what the index says holds.
    pub(crate) fn insert(&mut self, path: &[u8], told: Told) {
        let mut at = self.events.partition_point(|(other, _)| other.as_slice() < path);
        // A fault comes before the row that it speaks of.
        let is_warned = |at: usize| {
            self.events.get(at).is_some_and(|(other, old)| other == path && old.is_fault())
        };
        while !told.is_fault() && is_warned(at) {
            at += 1;
        }
        match self.events.get_mut(at) {
            Some((other, old)) if other == path && !told.is_fault() => {
                if !old.is_in_index() {
                    *old = told;
                }
            }
            _ => self.events.insert(at, (path.to_vec(), told)),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<(Vec<u8>, Told)> {
        self.events.pop_front()
    }
}
