//! What goes wrong on the way, kept until its place in the listing comes.

use trilist_core::{FaultCode, quote};

/// A fault with a path of the repository.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// Relative to the repository's top.
    pub(crate) path: Vec<u8>,
    pub(crate) code: FaultCode,
    pub(crate) message: String,
}

/// Faults that are waiting; a damaged repository may have one a name.
#[derive(Debug, Default)]
pub(crate) struct Faults(std::collections::VecDeque<Fault>);

/// Between two events of a listing no more are kept; a reply holds a hundred.
const MOST: usize = 200;

impl Faults {
    pub(crate) fn push(&mut self, path: &[u8], code: FaultCode, message: impl Into<String>) {
        if self.0.len() < MOST {
            let (path, message) = (path.to_vec(), message.into());
            self.0.push_back(Fault {
                path,
                code,
                message,
            });
        }
    }

    /// A name that is dropped; the fault stands where the last good one does.
    pub(crate) fn push_name(&mut self, place: &[u8], name: &[u8], within: &str, reason: &str) {
        let cut = &name[..name.len().min(200)];
        let shown = quote::shown(cut);
        let message = format!("`{shown}` in {within} {reason}");
        self.push(place, FaultCode::VcsEntryInvalid, message);
    }

    pub(crate) fn pop(&mut self) -> Option<Fault> {
        self.0.pop_front()
    }
}
