//! Exit statuses.

use std::process::ExitCode;

/// How the process ends; the number is its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The page is as asked.
    AsAsked = 0,
    /// Listed with gaps, or cut where that was to fail.
    Gaps = 1,
    /// An argument, cursor or offset cannot be used.
    Invalid = 2,
    /// Outside the root, denied, or to be approved first.
    Refused = 3,
    /// Not found, or not a directory.
    Absent = 4,
    /// No permission.
    Permission = 5,
    /// An error of the file system or of standard output.
    Io = 6,
    /// Nothing could be listed in time.
    Time = 7,
    /// No repository, or one that is refused or damaged.
    Vcs = 8,
    /// Interrupted (SIGINT) or cancelled.
    Interrupted = 130,
    /// The reader of standard output has gone.
    ClosedPipe = 141,
    /// Terminated (SIGTERM).
    Terminated = 143,
}

impl Exit {
    /// The status of a failed listing, by the stable code of its error.
    pub(crate) fn of_code(code: &str) -> Exit {
        Exit::known(code).unwrap_or(Exit::Io)
    }

    fn known(code: &str) -> Option<Exit> {
        Some(match code {
            "invalid_argument" | "offset_out_of_range" | "invalid_cursor" | "snapshot_expired" => {
                Exit::Invalid
            }
            "outside_root" | "denied_by_policy" | "approval_required" => Exit::Refused,
            "not_found" | "not_directory" => Exit::Absent,
            "permission_denied" => Exit::Permission,
            "io_error" => Exit::Io,
            "timeout" | "busy" => Exit::Time,
            "not_a_repository" | "vcs_refused" | "vcs_invalid" => Exit::Vcs,
            "cancelled" => Exit::Interrupted,
            _ => return None,
        })
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use trilist::ListError;

    use super::Exit;

    fn every_error() -> Vec<ListError> {
        let text = String::new;
        vec![
            ListError::InvalidArgument { field: text(), given: text(), expected: text() },
            ListError::NotFound { asked: text(), within: text(), similar: vec![], hint: None },
            ListError::NotDirectory { asked: text(), kind: "file", parent: text() },
            ListError::OutsideRoot { asked: text() },
            ListError::DeniedByPolicy { asked: text(), instead: text() },
            ListError::ApprovalRequired { asked: text() },
            ListError::PermissionDenied { asked: text() },
            ListError::OffsetOutOfRange { offset: 2, entries: 1 },
            ListError::InvalidCursor { reason: text() },
            ListError::SnapshotExpired { id: text() },
            ListError::NotARepository { asked: text() },
            ListError::VcsRefused { reason: text() },
            ListError::VcsInvalid { reason: text() },
            ListError::Io { what: text(), error: text() },
            ListError::Timeout,
            ListError::ScanCap { cap: 1 },
            ListError::Busy,
            ListError::Cancelled,
        ]
    }

    #[test]
    fn every_error_has_its_status() {
        let statuses: Vec<u8> = every_error()
            .iter()
            .map(|error| Exit::known(error.code()).expect("each code is known") as u8)
            .collect();
        assert_eq!(statuses, [2, 4, 4, 3, 3, 3, 5, 2, 2, 2, 8, 8, 8, 6, 7, 7, 7, 130]);
    }

    #[test]
    fn a_code_of_a_later_library_is_an_io_error() {
        assert_eq!(Exit::known("unheard_of"), None);
        assert_eq!(Exit::of_code("unheard_of"), Exit::Io);
    }
}
