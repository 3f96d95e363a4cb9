//! Why an object is not to be had.

use std::io;

use trilist_core::{ListError, quote};
use trilist_root::{ReadError, errno_name};

use super::{OBJECT_BYTES, ObjectKind};

/// Why an object was not read.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// The caller has cancelled, or its deadline has passed.
    #[error(transparent)]
    Stopped(#[from] ListError),
    /// It is in none of the stores.
    #[error("it is missing")]
    Missing,
    /// It is in none of the stores, of a repository that has not fetched everything.
    #[error("it was not fetched (partial clone)")]
    NotFetched,
    /// It is something else than was asked for.
    #[error("it is a {}, not a {}", actual.name(), wanted.name())]
    WrongKind {
        /// What it is.
        actual: ObjectKind,
        /// What was asked for.
        wanted: ObjectKind,
    },
    /// It, or something that it is made from, is larger than [`OBJECT_BYTES`].
    #[error("it is larger than {OBJECT_BYTES} bytes")]
    TooLarge,
    /// Its bytes are not what git writes.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// A pack or its index cannot be read.
    #[error("`{}` cannot be read: {why}", quote::shown(name))]
    Pack {
        /// The file's or directory's name.
        name: Vec<u8>,
        /// One clause.
        why: String,
    },
    /// The file system reported an error.
    #[error("it cannot be read: {}", errno_name(.0))]
    Io(io::Error),
}

/// An object that is not to be had, with its id.
#[derive(Debug, thiserror::Error)]
#[error("object {}: {error}", hex(id))]
pub struct ObjectFault {
    /// The object's id.
    pub id: Vec<u8>,
    /// Why.
    pub error: ObjectError,
}

impl ObjectFault {
    /// Whether it is a tag that was found in the place of a commit.
    pub(super) fn is_tag(&self) -> bool {
        matches!(self.error, ObjectError::WrongKind { actual: ObjectKind::Tag, .. })
    }
}

/// The digits of an id.
pub(super) fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl From<io::Error> for ObjectError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ObjectError::Damaged("its file ends early"),
            _ => ObjectError::Io(error),
        }
    }
}

impl ObjectError {
    /// The same with the name of the file that it is about.
    pub(super) fn within(self, name: &[u8]) -> Self {
        let why = match self {
            ObjectError::Damaged(why) => why.to_owned(),
            ObjectError::Io(error) => errno_name(&error),
            other => return other,
        };
        ObjectError::Pack { name: name.to_vec(), why }
    }

    /// What opening a file of the store has led to; `None` where there is no such file.
    pub(super) fn unopened(error: ReadError) -> Option<Self> {
        match error {
            ReadError::NotFound => None,
            ReadError::NotRegular(_) => Some(ObjectError::Damaged("it is not a regular file")),
            ReadError::TooLarge { .. } => Some(ObjectError::TooLarge),
            ReadError::Io(error) => Some(ObjectError::Io(error)),
        }
    }
}
