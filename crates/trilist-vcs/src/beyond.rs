//! Which directories a cut page has not reached.

use std::collections::BTreeSet;

use trilist_core::{Cancel, ListError, RelPath, RelPathBuf};

use crate::fault::Faults;
use crate::filter::{Collapse, Filter};
use crate::head::{HeadItem, HeadStream, Region};
use crate::index::{CachedTree, Step};
use crate::index_side::IndexSide;
use crate::memory::KnownIndex;
use crate::parts::HeadRoot;

/// Collects directories directly below the listed one.
pub(crate) struct Beyond<'a> {
    filter: &'a Filter,
    /// The listed directory with a slash.
    region: &'a [u8],
    after: RelPath<'a>,
    most: usize,
    found: BTreeSet<Vec<u8>>,
}

impl<'a> Beyond<'a> {
    pub(crate) fn new(
        filter: &'a Filter,
        region: &'a [u8],
        after: RelPath<'a>,
        most: usize,
    ) -> Self {
        let found = BTreeSet::new();
        Beyond { filter, region, after, most, found }
    }

    fn add(&mut self, name: &[u8]) {
        // The cached trees' names are nobody's word.
        if !RelPath::new(name).is_ok_and(|path| path.depth() == 1) {
            return;
        }
        let after = self.after.as_bytes();
        let reached = match self.filter.collapse(name) {
            Some(Collapse::Omitted(..)) => return,
            Some(Collapse::Row(_)) => name <= after,
            // It has no row, so it is reached when something below it is.
            None => {
                let contents = [name, b"/"].concat();
                contents.as_slice() <= after || after.starts_with(&contents)
            }
        };
        if reached {
            return;
        }
        self.found.insert(name.to_vec());
        if self.found.len() > self.most {
            self.found.pop_last();
        }
    }

    /// The directories that the index names: from its cached trees if they know this one, else
    /// by reading it once more.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled.
    pub(crate) fn add_index(
        &mut self,
        index: &mut IndexSide,
        head: Option<&HeadRoot>,
        known: &KnownIndex,
        cancel: &Cancel,
    ) -> Result<(), ListError> {
        let Some(mut reader) = index.take_reader() else { return Ok(()) };
        let cached = match head.and_then(|head| head.cached.clone()) {
            // Its directories are HEAD's.
            Some(cached) if cached.is_all_of(head.map(|head| head.tree.as_slice())) => {
                return Ok(());
            }
            Some(cached) => Some(cached),
            None => {
                let top = known.top(|| reader.take_cached_top().ok().flatten());
                if head.is_some_and(|head| top.as_ref() == Some(&head.tree)) {
                    // Its directories are HEAD's.
                    return Ok(());
                }
                reader.take_cached_tree().ok().flatten().map(std::sync::Arc::new)
            }
        };
        if cached.is_some_and(|cached| self.add_cached(&cached)) {
            return Ok(());
        }
        let Ok(mut reader) = reader.restarted() else { return Ok(()) };
        let mut dir = Vec::new();
        loop {
            if reader.entries_read() % 4096 == 0 {
                cancel.check()?;
            }
            match reader.step() {
                Ok(Step::End) | Err(_) => return Ok(()),
                Ok(Step::Passed) => {
                    cancel.check()?;
                    continue;
                }
                Ok(_) => {}
            }
            let path = reader.path();
            if !dir.is_empty() && path.starts_with(&dir) {
                continue;
            }
            let Some(below) = path.strip_prefix(self.region) else { continue };
            if let Some(slash) = memchr::memchr(b'/', below) {
                dir = path[..self.region.len() + slash + 1].to_vec();
                self.add(&below[..slash]);
            }
        }
    }

    /// Says whether the cached trees know the listed directory as it is.
    fn add_cached(&mut self, cached: &CachedTree) -> bool {
        let names = self.region.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        let node =
            names.into_iter().try_fold(cached.root(), |node, name| cached.descend(node, name));
        let Some(node) = node.filter(|node| cached.valid(*node).is_some()) else {
            return false;
        };
        cached.children(node).for_each(|child| self.add(cached.name(child)));
        true
    }

    /// The directories that HEAD names.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled.
    pub(crate) fn add_head(
        &mut self,
        head: Option<&HeadRoot>,
        cancel: &Cancel,
    ) -> Result<(), ListError> {
        let Some(head) = head else { return Ok(()) };
        let mut told_before = Faults::default();
        let dir = self.region.strip_suffix(b"/").unwrap_or_default();
        let objects = head.objects.another();
        let (mut stream, _) =
            HeadStream::open(objects, &head.tree, None, Region { dir }, cancel, &mut told_before)?;
        if stream.item() == HeadItem::Tree {
            stream.enter(cancel, &mut told_before)?;
        }
        while stream.item() != HeadItem::End {
            let below = stream.path().strip_prefix(self.region).unwrap_or_default();
            if let Some(name) = below.strip_suffix(b"/") {
                self.add(name);
            }
            stream.step(&mut told_before);
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Vec<RelPathBuf> {
        let paths = self.found.into_iter().map(RelPathBuf::new);
        paths.filter_map(Result::ok).collect()
    }
}
