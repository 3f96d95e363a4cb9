//! Whether what a followed link leads to is listed where it really lies.
//!
//! A directory is listed once, and a link to it must not take it away from the place that a
//! listing without links shows it at: there other rules decide about what it holds. So a link is
//! entered only if its target is not entered by its real way, on which there is no link.

use trilist_core::{Kind, ListError, Query, RelPath, RelPathBuf};

use super::Walk;

impl Walk<'_> {
    /// Whether the listing enters a directory, relative to the root, by its real way.
    ///
    /// # Errors
    ///
    /// When a bound is reached, or the caller has cancelled.
    pub(super) fn is_entered_itself(&mut self, target: RelPath<'_>) -> Result<bool, ListError> {
        let base = self.query.base.as_path();
        let Some(below) = target.below(base) else { return Ok(target == base) };
        if let Some(known) = self.known_way(below) {
            return Ok(known);
        }
        let stopped_at = self.stop_on_real_way(below)?;
        let (place, is_entered) = match stopped_at {
            Some(place) => (place, false),
            None => (below.to_buf(), true),
        };
        self.real_ways.insert(place.as_path().as_bytes().to_vec(), is_entered);
        Ok(is_entered)
    }

    /// What was found out before: below what is not entered nothing is.
    fn known_way(&self, target: RelPath<'_>) -> Option<bool> {
        if let Some(known) = self.real_ways.get(target.as_bytes()) {
            return Some(*known);
        }
        let above = std::iter::successors(Some(target.parent()), |dir| Some(dir.parent()));
        let mut above = above.take_while(|dir| !dir.is_empty());
        let stops = above.any(|dir| self.real_ways.get(dir.as_bytes()) == Some(&false));
        stops.then_some(false)
    }

    /// Goes the real way to a directory below the listed one, as the listing does without links.
    /// Gives the first directory on it that is not entered.
    fn stop_on_real_way(&mut self, target: RelPath<'_>) -> Result<Option<RelPathBuf>, ListError> {
        let query = Query {
            follow_symlinks: false,
            metadata: false,
            after: None,
            want: None,
            probe: Some(target.to_buf()),
            ..self.query.clone()
        };
        let mut way = Walk::prepare(self.root, &query, self.style, self.cancel)?;
        way.seen = self.seen;
        let stopped = way.go_to(target);
        self.seen.directories = way.seen.directories;
        self.seen.entries = way.seen.entries;
        stopped
    }

    fn go_to(&mut self, target: RelPath<'_>) -> Result<Option<RelPathBuf>, ListError> {
        let digest = self.enter_parents()?;
        self.enter_base(digest)?;
        let mut place = RelPathBuf::default();
        for part in target.components() {
            place.push(RelPath::assume(part));
            let prefix = self.top().prefix;
            self.path.truncate(prefix);
            self.path.extend_from_slice(part);
            let is_entered = match place.as_path() == target {
                // What it holds does not matter.
                true => self.open_to_descend(Kind::Dir, true)?.is_some(),
                false => self.descend(Kind::Dir, true)?,
            };
            if !is_entered {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }
}
