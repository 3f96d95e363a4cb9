//! Faults on the way, and their codes.

use std::io;

use trilist_core::{FaultCode, ListError, RelPath};
use trilist_root::{OpenDirError, errno_name};

use super::Walk;
use crate::rules::RuleFault;

#[derive(Debug, Clone)]
pub(super) struct OwnedFault {
    /// Relative to the listed directory.
    pub(super) path: Vec<u8>,
    pub(super) code: FaultCode,
    pub(super) gap: bool,
    pub(super) message: String,
    /// How many further ones are counted here only.
    pub(super) more: u64,
}

impl Walk<'_> {
    /// The rules in force are those from the root down; the reply says when there are more above.
    pub(super) fn tell_of_rules_above(&mut self) {
        if self.resuming {
            return;
        }
        let ignore = &self.query.ignore;
        if ignore.git && !self.in_repository && self.root.inside_repository() {
            self.tell_beyond_root("the repository's top lies above the root");
        }
        if ignore.dot_ignore && self.root.below_dot_ignore() {
            self.tell_beyond_root("there is an `.ignore` or `.rgignore` above the root");
        }
    }

    fn tell_beyond_root(&mut self, what: &str) {
        let (path, code) = (Vec::new(), FaultCode::IgnoreBeyondRoot);
        let message = format!("{what}; its rules there are not in force");
        self.queue.push_back(OwnedFault { path, code, gap: false, message, more: 0 });
    }

    /// Faults of ignore files are told where their directory is entered, so that they stand in
    /// order. Files above the listed directory are told as its own.
    pub(super) fn tell_rule_faults(&mut self, faults: Vec<RuleFault>) {
        if self.resuming {
            return;
        }
        for fault in faults {
            let base = &self.path[..self.base];
            let (path, message) = match fault.path.strip_prefix(base) {
                _ if fault.path.is_empty() => (Vec::new(), fault.message),
                Some(below) => (below.to_vec(), fault.message),
                None => {
                    let above = trilist_core::quote::shown(&fault.path);
                    (Vec::new(), format!("{above}: {}", fault.message))
                }
            };
            // Without a descriptor to read rules with, the listing is another one.
            let gap = fault.code == FaultCode::FdExhausted;
            self.queue.push_back(OwnedFault {
                path,
                code: fault.code,
                gap,
                message,
                more: fault.more,
            });
        }
    }

    /// Queues a fault with the entry at `self.path`.
    pub(super) fn fault_here(&mut self, code: FaultCode, gap: bool, message: String) {
        let path = self.path[self.base..].to_vec();
        self.queue.push_back(OwnedFault { path, code, gap, message, more: 0 });
    }

    /// Queues a fault that hides entries of a directory which the walk is in.
    pub(super) fn fault_with_frame(&mut self, at: usize, code: FaultCode, message: String) {
        let path = self.path[..self.frames[at].prefix].to_vec();
        let path = path.strip_suffix(b"/").unwrap_or(&path);
        self.fault_at(path, code, true, message);
    }

    /// Queues a fault with a path relative to the root.
    pub(super) fn fault_at(&mut self, path: &[u8], code: FaultCode, gap: bool, message: String) {
        let path = path.get(self.base..).unwrap_or_default().to_vec();
        self.queue.push_back(OwnedFault { path, code, gap, message, more: 0 });
    }
}

pub(super) const ENOENT: i32 = 2;
pub(super) const EMFILE: i32 = 24;
pub(super) const ENFILE: i32 = 23;
pub(super) const ENOTDIR: i32 = 20;
pub(super) const ELOOP: i32 = 40;
pub(super) const ESTALE: i32 = 116;

pub(crate) fn is_exhausted(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(EMFILE | ENFILE))
}

/// Whether no directory stands there any more.
pub(super) fn is_gone(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(ENOENT | ENOTDIR | ELOOP))
}

pub(super) fn dir_code(error: &io::Error) -> FaultCode {
    match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::NotFound, _) => FaultCode::DirVanished,
        (io::ErrorKind::PermissionDenied, _) => FaultCode::PermissionDenied,
        (_, Some(ENOTDIR | ELOOP | ESTALE)) => FaultCode::DirReplaced,
        (_, Some(EMFILE | ENFILE)) => FaultCode::FdExhausted,
        _ => FaultCode::IoError,
    }
}

pub(super) fn io_error(path: RelPath<'_>, what: &str, error: &io::Error) -> ListError {
    let shown = if path.is_empty() { ".".to_owned() } else { path.to_string() };
    match error.kind() {
        io::ErrorKind::PermissionDenied => ListError::PermissionDenied { asked: shown },
        _ => ListError::Io { what: format!("cannot {what} `{shown}`"), error: errno_name(error) },
    }
}

/// The listed directory was resolved before, so it has changed since.
pub(super) fn base_error(path: RelPath<'_>, error: &OpenDirError) -> ListError {
    let asked = if path.is_empty() { ".".to_owned() } else { path.to_string() };
    match error {
        OpenDirError::PermissionDenied { .. } => ListError::PermissionDenied { asked },
        OpenDirError::Io { error, .. } => io_error(path, "open", error),
        OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. } => ListError::Io {
            what: format!("cannot open `{asked}`"),
            error: "it changed while it was looked up".to_owned(),
        },
    }
}
