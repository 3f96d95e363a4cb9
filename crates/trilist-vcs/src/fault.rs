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
    /// How many further ones are counted here only.
    pub(crate) more: u64,
}

/// Faults that are waiting; a damaged repository may have one a name.
#[derive(Debug, Default)]
pub(crate) struct Faults(std::collections::VecDeque<Fault>);

/// Between two events of a listing no more are kept, the rest is counted: a reply holds a hundred.
const MOST: usize = 2_000;

impl Faults {
    pub(crate) fn push(&mut self, path: &[u8], code: FaultCode, message: impl Into<String>) {
        self.keep(Fault { path: path.to_vec(), code, gap: true, message: message.into(), more: 0 });
    }

    /// Something that costs no name, and how many like it are not told.
    pub(crate) fn push_note(&mut self, code: FaultCode, message: impl Into<String>, more: u64) {
        self.keep(Fault { path: Vec::new(), code, gap: false, message: message.into(), more });
    }

    fn keep(&mut self, fault: Fault) {
        let is_full = self.0.len() >= MOST;
        match self.0.back_mut().filter(|_| is_full) {
            Some(last) => {
                last.more += 1 + fault.more;
                last.gap |= fault.gap;
            }
            None => self.0.push_back(fault),
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
