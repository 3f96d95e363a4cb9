//! What can be wrong with an index as a whole.

use std::io;

/// Why an index is not read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// It ends too early.
    #[error("it ends after {bytes} bytes, in the middle of {within}")]
    Truncated {
        /// Its size.
        bytes: u64,
        /// What was being read.
        within: &'static str,
    },
    /// It does not begin as an index does.
    #[error("it does not begin like an index")]
    Signature,
    /// Its version is not 2, 3 or 4.
    #[error("its version is {0}, known are 2, 3 and 4")]
    Version(u32),
    /// It claims more entries than its size allows.
    #[error("it claims {entries} entries in {bytes} bytes")]
    Count {
        /// The claim.
        entries: u32,
        /// Its size.
        bytes: u64,
    },
    /// An entry's fields contradict each other.
    #[error("entry {number} is damaged: {what}")]
    Entry {
        /// Counted from 1.
        number: u32,
        /// Which field.
        what: &'static str,
    },
    /// What stands behind the entries is no chain of extensions that ends at the checksum.
    #[error("its extensions are damaged")]
    Extensions,
    /// It has an extension without which it must not be read.
    #[error("it needs the extension `{}`, which is not known here", .0.escape_ascii())]
    Required([u8; 4]),
    /// The extension of a split index says what cannot be.
    #[error("its extension `link` is damaged: {0}")]
    Link(&'static str),
    /// The file that a split index shares cannot be used.
    #[error("its shared index `{name}`: {what}")]
    Shared {
        /// The file's name in the git directory.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// What it holds is not what was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// It could not be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}
