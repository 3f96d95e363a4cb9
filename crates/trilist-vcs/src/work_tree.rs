//! What is on disk where a tracked name says.

use trilist_core::{Kind, Metadata, RelPath, RelPathBuf};
use trilist_root::{Dir, Root};

/// The work tree, with the directory of the last question open.
pub(crate) struct WorkTree<'a> {
    root: &'a Root,
    top: RelPath<'a>,
    open: Option<(RelPathBuf, Option<Dir>)>,
}

impl<'a> WorkTree<'a> {
    pub(crate) fn new(root: &'a Root, top: RelPath<'a>) -> Self {
        let open = None;
        WorkTree { root, top, open }
    }

    /// The facts of a path of the repository; nothing if it is not there or is something else.
    pub(crate) fn metadata(&mut self, path: RelPath<'_>, kind: Kind) -> Option<Metadata> {
        let parent = path.parent();
        let same = self.open.as_ref().is_some_and(|(dir, _)| dir.as_path() == parent);
        if !same {
            let dir = self.top.to_buf().join(parent);
            self.open = Some((parent.to_buf(), self.root.open_dir(dir.as_path()).ok()));
        }
        let (_, dir) = self.open.as_ref()?;
        let found = dir.as_ref()?.metadata(path.name(), kind).ok()?;
        (found != Metadata::default()).then_some(found)
    }
}
