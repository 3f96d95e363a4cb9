//! Paths relative to a directory, as bytes.

use std::fmt;

use bstr::ByteSlice;

use crate::quote;

/// A path relative to some directory: bytes, `/`-separated, never absolute.
///
/// It has no empty, `.` or `..` component, no NUL and no `/` at either end; the empty path is
/// the directory itself. Its order is byte order, the one order of every mode.
///
/// ```
/// use trilist_core::RelPath;
///
/// let path = RelPath::new(b"src/main.rs").unwrap();
/// assert_eq!(path.depth(), 2);
/// assert!(RelPath::new(b"../secret").is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath<'a>(&'a [u8]);

/// Why bytes are no [`RelPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RelPathError {
    /// The bytes hold a NUL.
    #[error("a path cannot hold a NUL byte")]
    Nul,
    /// The bytes start with `/`.
    #[error("the path is absolute")]
    Absolute,
    /// A component is empty, `.` or `..`.
    #[error("the path has an empty, `.` or `..` component")]
    Component,
}

impl<'a> RelPath<'a> {
    /// The directory itself.
    pub const EMPTY: RelPath<'static> = RelPath(b"");

    /// Checks bytes from outside.
    ///
    /// # Errors
    ///
    /// Says which rule of [`RelPath`] the bytes break.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RelPathError> {
        if bytes.is_empty() {
            return Ok(RelPath(bytes));
        }
        if memchr::memchr(0, bytes).is_some() {
            return Err(RelPathError::Nul);
        }
        if bytes[0] == b'/' {
            return Err(RelPathError::Absolute);
        }
        let odd = |part: &[u8]| matches!(part, b"" | b"." | b"..");
        if bytes.split(|byte| *byte == b'/').any(odd) {
            return Err(RelPathError::Component);
        }
        Ok(RelPath(bytes))
    }

    /// Takes bytes that the caller has made out of valid components.
    ///
    /// Checked in debug builds only: the walk joins a million names that the kernel has
    /// already kept free of `/` and NUL.
    pub fn assume(bytes: &'a [u8]) -> Self {
        debug_assert!(RelPath::new(bytes).is_ok(), "not a relative path: {:?}", bytes.as_bstr());
        RelPath(bytes)
    }

    /// The bytes.
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// True for the directory itself.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The number of components: 0 for the directory itself, 1 for its children.
    pub fn depth(self) -> u32 {
        if self.0.is_empty() {
            return 0;
        }
        let slashes = memchr::memchr_iter(b'/', self.0).count();
        u32::try_from(slashes).map_or(u32::MAX, |count| count.saturating_add(1))
    }

    /// The last component; empty for the directory itself.
    pub fn name(self) -> &'a [u8] {
        match memchr::memrchr(b'/', self.0) {
            Some(at) => &self.0[at + 1..],
            None => self.0,
        }
    }

    /// Everything before the last component; empty for children of the directory.
    pub fn parent(self) -> RelPath<'a> {
        match memchr::memrchr(b'/', self.0) {
            Some(at) => RelPath(&self.0[..at]),
            None => RelPath(b""),
        }
    }

    /// The components from the top; none for the directory itself.
    pub fn components(self) -> impl Iterator<Item = &'a [u8]> {
        self.0.split(|byte| *byte == b'/').filter(|part| !part.is_empty())
    }

    /// What remains below `dir`, when this path lies strictly below it.
    pub fn below(self, dir: RelPath<'_>) -> Option<RelPath<'a>> {
        if dir.is_empty() {
            return (!self.is_empty()).then_some(self);
        }
        let rest = self.0.strip_prefix(dir.0)?.strip_prefix(b"/")?;
        Some(RelPath(rest))
    }

    /// An owned copy.
    pub fn to_buf(self) -> RelPathBuf {
        RelPathBuf(self.0.to_vec())
    }
}

impl fmt::Debug for RelPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.as_bstr(), f)
    }
}

/// Shows the path quoted where its bytes need it (see [`crate::quote`]).
impl fmt::Display for RelPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quote::shown(self.0))
    }
}

/// An owned [`RelPath`].
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPathBuf(Vec<u8>);

impl RelPathBuf {
    /// Checks owned bytes from outside.
    ///
    /// # Errors
    ///
    /// As [`RelPath::new`].
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, RelPathError> {
        let bytes = bytes.into();
        RelPath::new(&bytes)?;
        Ok(RelPathBuf(bytes))
    }

    /// The borrowed path.
    pub fn as_path(&self) -> RelPath<'_> {
        RelPath(&self.0)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds components below this path.
    pub fn join(&self, below: RelPath<'_>) -> RelPathBuf {
        let mut joined = self.clone();
        joined.push(below);
        joined
    }

    /// Adds components below this path, in place.
    pub fn push(&mut self, below: RelPath<'_>) {
        if !self.0.is_empty() && !below.is_empty() {
            self.0.push(b'/');
        }
        self.0.extend_from_slice(below.0);
    }

    /// Takes the last component away; false when there was none.
    pub fn pop(&mut self) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let parent = self.as_path().parent().0.len();
        self.0.truncate(parent);
        true
    }
}

impl fmt::Debug for RelPathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_path(), f)
    }
}

impl fmt::Display for RelPathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_path(), f)
    }
}
