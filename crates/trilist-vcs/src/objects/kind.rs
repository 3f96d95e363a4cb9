//! The four kinds of objects.

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// A commit.
    Commit,
    /// A directory.
    Tree,
    /// A file's contents.
    Blob,
    /// An annotated tag.
    Tag,
}

impl ObjectKind {
    /// The word that git uses for it.
    pub fn name(self) -> &'static str {
        match self {
            ObjectKind::Commit => "commit",
            ObjectKind::Tree => "tree",
            ObjectKind::Blob => "blob",
            ObjectKind::Tag => "tag",
        }
    }

    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        use ObjectKind::{Blob, Commit, Tag, Tree};
        [Commit, Tree, Blob, Tag].into_iter().find(|kind| kind.name().as_bytes() == name)
    }
}
