//! The engine's errors in the words of other programs.

use std::io;

use trilist::ListError;

/// A system error: its number on Linux, its name, and what Node says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Errno {
    pub(crate) number: i32,
    pub(crate) name: &'static str,
    pub(crate) node_text: &'static str,
}

const KNOWN: &[Errno] = &[
    Errno { number: 1, name: "EPERM", node_text: "operation not permitted" },
    Errno { number: 2, name: "ENOENT", node_text: "no such file or directory" },
    Errno::IO,
    Errno { number: 13, name: "EACCES", node_text: "permission denied" },
    Errno { number: 20, name: "ENOTDIR", node_text: "not a directory" },
    Errno { number: 22, name: "EINVAL", node_text: "invalid argument" },
    Errno { number: 23, name: "ENFILE", node_text: "file table overflow" },
    Errno { number: 24, name: "EMFILE", node_text: "too many open files" },
    Errno { number: 36, name: "ENAMETOOLONG", node_text: "name too long" },
    Errno { number: 40, name: "ELOOP", node_text: "too many symbolic links encountered" },
];

impl Errno {
    /// What stands for an error without a name of its own.
    pub(crate) const IO: Errno = Errno { number: 5, name: "EIO", node_text: "i/o error" };

    pub(crate) fn named(name: &str) -> Option<Errno> {
        KNOWN.iter().find(|known| known.name == name).copied()
    }

    fn numbered(number: i32) -> Option<Errno> {
        KNOWN.iter().find(|known| known.number == number).copied()
    }

    /// The system error behind a failed listing, where there is one.
    pub(crate) fn of(error: &ListError) -> Option<Errno> {
        match error {
            ListError::NotFound { .. } => Errno::named("ENOENT"),
            ListError::NotDirectory { .. } => Errno::named("ENOTDIR"),
            ListError::PermissionDenied { .. } => Errno::named("EACCES"),
            ListError::Io { error, .. } => Errno::named(error),
            _ => None,
        }
    }

    /// The system error behind a root that cannot be opened.
    pub(crate) fn of_io(error: &io::Error) -> Option<Errno> {
        error.raw_os_error().and_then(Errno::numbered)
    }

    /// As Node words it for a system call on a path.
    pub(crate) fn node_message(self, call: &str, path: &str) -> String {
        format!("{}: {}, {call} '{path}'", self.name, self.node_text)
    }

    /// As Rust's standard library words it.
    pub(crate) fn rust_text(self) -> String {
        io::Error::from_raw_os_error(self.number).to_string()
    }
}

/// A failed listing as Rust's standard library would word it, or in trilist's words.
pub(crate) fn rust_text(error: &ListError) -> String {
    Errno::of(error).map_or_else(|| error.to_string(), Errno::rust_text)
}
