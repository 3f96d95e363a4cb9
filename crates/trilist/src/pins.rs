//! The pinned listings of a lister.

use std::sync::{Arc, Mutex, PoisonError};

use trilist_core::snapshot::Snapshot;
use trilist_core::{Identity, ListRequest, RelPathBuf};

use crate::Policy;
use crate::roots::Place;

/// A listing that was taken once, with what it was a listing of.
pub(crate) struct Pinned {
    pub(crate) id: Identity,
    /// What fixes it; the path is the canonical one.
    pub(crate) request: ListRequest,
    pub(crate) place: Place,
    pub(crate) top: RelPathBuf,
    pub(crate) depth: u32,
    pub(crate) snapshot: Snapshot,
    /// Equal as long as the listing is, where that can be told without listing.
    pub(crate) state: Option<Identity>,
    pub(crate) notices: Vec<String>,
}

/// Those that were used last, the last one at the end.
#[derive(Default)]
pub(crate) struct Pins(Mutex<Vec<Arc<Pinned>>>);

impl Pins {
    /// Keeps a listing, and drops those that were used least for it.
    pub(crate) fn keep(&self, pinned: Arc<Pinned>, policy: &Policy) {
        let mut held = self.lock();
        held.retain(|other| other.id != pinned.id);
        held.push(pinned);
        let bytes = |held: &[Arc<Pinned>]| -> usize {
            held.iter().map(|pinned| pinned.snapshot.held_bytes()).sum()
        };
        let most = policy.max_snapshots.max(1) as usize;
        while held.len() > 1 && (held.len() > most || bytes(&held) > policy.max_snapshot_bytes) {
            held.remove(0);
        }
    }

    /// The listing of this id, which counts as used now.
    pub(crate) fn find(&self, id: Identity) -> Option<Arc<Pinned>> {
        let mut held = self.lock();
        let at = held.iter().position(|pinned| pinned.id == id)?;
        let found = held.remove(at);
        held.push(Arc::clone(&found));
        Some(found)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Pinned>>> {
        // Whoever panicked has left a whole list.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
