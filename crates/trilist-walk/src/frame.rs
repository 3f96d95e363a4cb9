//! One directory that the walk is in.

use trilist_core::{Digest, Identity};
use trilist_root::{Dir, FileId};

use crate::names::Names;
use crate::rules::OwnedRule;

/// A directory on the way to the current position.
pub(crate) struct Frame {
    /// Its descriptor; given back while the walk is many levels deeper.
    pub(crate) dir: Option<Dir>,
    /// What the descriptor was opened on, to know it again; not asked for before that is needed.
    pub(crate) id: Option<FileId>,
    /// Its names.
    pub(crate) names: Names,
    /// Length of the walk's path buffer up to this directory, `/` included.
    pub(crate) prefix: usize,
    /// Levels below the listed directory: 0 for itself.
    pub(crate) depth: u32,
    /// Links followed on the way here.
    pub(crate) links: u32,
    /// How many keys a bounded read keeps; grows when the caller pulls on.
    pub(crate) most: Option<usize>,
    /// The identity of the way here.
    pub(crate) identity: Identity,
    /// Set below an ignored directory that is only entered for what the request keeps.
    pub(crate) excluded: Option<OwnedRule>,
}

impl Frame {
    /// Which directory this is, as long as that can be told.
    pub(crate) fn id(&mut self) -> Option<FileId> {
        if self.id.is_none() {
            self.id = self.dir.as_ref().and_then(|dir| dir.id().ok());
        }
        self.id
    }

    /// Gives the descriptor back.
    pub(crate) fn park(&mut self) {
        self.id();
        self.dir = None;
    }
}

/// The identity of a directory on top of that of the way to it.
pub(crate) fn identity(above: Identity, name: &[u8], names: &Names, rules: u128) -> Identity {
    Digest::new()
        .add(&above.to_bytes())
        .add(name)
        .add_u128(names.digest.value())
        .add_u128(rules)
        .identity()
}
