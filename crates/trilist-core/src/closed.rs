//! What a host keeps closed.

use std::fmt;
use std::sync::Arc;

use crate::RelPath;

/// Says of a directory, relative to the opened root, whether it must not be listed: because of
/// itself or of one above it.
type Denies = dyn Fn(RelPath<'_>) -> bool + Send + Sync;

/// What a host keeps closed: a listing never enters it, whatever the request, a rule or a link
/// says.
///
/// Sources ask it of every directory on their way; where the answers come from is the host's
/// matter.
#[derive(Clone, Default)]
pub struct Closed {
    names: Arc<[Vec<u8>]>,
    denies: Option<Arc<Denies>>,
}

impl Closed {
    /// Names that are protected wherever they are met, unless the listing starts in or below them.
    pub fn names<N: AsRef<[u8]>>(names: &[N]) -> Self {
        let names = names.iter().map(|name| name.as_ref().to_vec()).collect();
        Closed { names, denies: None }
    }

    /// And the directories of which `denies` says so, given relative to the opened root.
    #[must_use]
    pub fn denying(self, denies: impl Fn(RelPath<'_>) -> bool + Send + Sync + 'static) -> Self {
        Closed { denies: Some(Arc::new(denies)), ..self }
    }

    /// Whether a name is protected.
    #[inline]
    pub fn protects(&self, name: &[u8]) -> bool {
        self.names.iter().any(|protected| protected == name)
    }

    /// The protected names.
    pub fn protected(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(Vec::as_slice)
    }

    /// Whether a directory, relative to the opened root, must not be listed.
    #[inline]
    pub fn denies(&self, dir: RelPath<'_>) -> bool {
        self.denies.as_ref().is_some_and(|denies| denies(dir))
    }

    /// Whether directories are denied at all.
    pub fn has_denials(&self) -> bool {
        self.denies.is_some()
    }
}

impl fmt::Debug for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.names.iter().map(|name| name.escape_ascii().to_string()).collect();
        f.debug_struct("Closed")
            .field("names", &names)
            .field("has_denials", &self.has_denials())
            .finish()
    }
}
