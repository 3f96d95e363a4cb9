//! What goes wrong on the way, kept until its place in the listing comes.

use trilist_core::{FaultCode, quote};

/// A fault with a path of the repository.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// Relative to the repository's top.
    pub(crate) path: Vec<u8>,
    pub(crate) code: FaultCode,
    /// Whether names may be missing because of it.
    pub(crate) gap: bool,
    pub(crate) message: String,
}

/// Faults that are waiting; a damaged repository may have one a name.
#[derive(Debug, Default)]
pub(crate) struct Faults(std::collections::VecDeque<Fault>);

/// Between two events of a listing no more are kept: more than the ignore files of a request can
/// have bad lines that are told, and a reply holds a hundred.
const MOST: usize = 2_000;

impl Faults {
    pub(crate) fn push(&mut self, path: &[u8], code: FaultCode, message: impl Into<String>) {
        self.keep(path, code, true, message.into());
    }

    /// Something that costs no name.
    pub(crate) fn push_note(&mut self, code: FaultCode, message: impl Into<String>) {
        self.keep(b"", code, false, message.into());
    }

    fn keep(&mut self, path: &[u8], code: FaultCode, gap: bool, message: String) {
        if self.0.len() < MOST {
            let path = path.to_vec();
            self.0.push_back(Fault { path, code, gap, message });
        }
    }

    /// A name that is dropped; the fault stands where the last good one does.
    pub(crate) fn push_name(&mut self, place: &[u8], name: &[u8], within: &str, reason: &str) {
        let cut = &name[..name.len().min(200)];
        let shown = quote::shown(cut);
        let message = format!("`{shown}` in {within} {reason}");
        self.push(place, FaultCode::VcsEntryInvalid, message);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn pop(&mut self) -> Option<Fault> {
        self.0.pop_front()
    }
}

impl Faults {
    /// Takes over what was found while passing over names that are not listed: damage to the
    /// whole counts, single names do not.
    pub(crate) fn take_damage(&mut self, passed: Faults) {
        let damage = passed.0.into_iter().filter(|fault| fault.code != FaultCode::VcsEntryInvalid);
        self.0.extend(damage);
    }
}
