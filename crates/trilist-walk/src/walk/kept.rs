//! Looking ahead into a directory that rules leave out, for what the request keeps.
//!
//! Where the directory's own row stands it has to be known whether a part of it is shown: then it
//! is not left out, and its entries are judged one by one. If not, it is left out as one and never
//! entered.

use std::ops::ControlFlow;

use trilist_core::{Kind, ListError, MAX_DEPTH, RelPath};
use trilist_ignore::{Layer, Verdict};

use super::enter::bound_hit;
use super::{Style, Walk};

/// What the request keeps below a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    Something,
    /// Something there cannot be read, or is a link to be followed: entering it will tell.
    Unknown,
}

impl Walk<'_> {
    /// What the request keeps below the directory at `self.path`, which rules leave out. How deep the
    /// listing goes does not matter: at its limit a directory is a row if there is more to it.
    ///
    /// # Errors
    ///
    /// When a bound is reached, or the caller has cancelled.
    pub(super) fn kept_below(&mut self) -> Result<Kept, ListError> {
        if !self.keeps_below() || self.is_mount() {
            return Ok(Kept::Nothing);
        }
        if let Some(known) = self.kept.get(&self.path) {
            return Ok(*known);
        }
        let kept = self.look_below()?;
        // The directory's second key asks again and forgets it; on the last level there is none.
        if !self.is_last(self.top().depth) {
            self.kept.insert(self.path.clone(), kept);
        }
        Ok(kept)
    }

    fn look_below(&mut self) -> Result<Kept, ListError> {
        let mut waiting = vec![self.path.clone()];
        let mut kept = Kept::Nothing;
        while let Some(path) = waiting.pop() {
            match self.look_in(&path, &mut waiting)? {
                Kept::Something => return Ok(Kept::Something),
                Kept::Unknown => kept = Kept::Unknown,
                Kept::Nothing => {}
            }
        }
        Ok(kept)
    }

    /// Looks at what lies directly in a directory; what may hold more is added to `waiting`.
    fn look_in(&mut self, path: &[u8], waiting: &mut Vec<Vec<u8>>) -> Result<Kept, ListError> {
        self.cancel.check()?;
        let Ok(dir) = self.root.open_dir(RelPath::assume(path)) else { return Ok(Kept::Unknown) };
        let Walk { query, stack, style, seen, scratch, cancel, .. } = self;
        seen.directories += 1;
        let is_last = RelPath::assume(path).depth() >= MAX_DEPTH;
        let mut child = [path, b"/"].concat();
        let (prefix, mut found, mut stop) = (child.len(), Kept::Nothing, None);
        let read = dir.entries(scratch, &mut |entry| {
            seen.entries += 1;
            stop = bound_hit(seen.entries, query.scan_cap, cancel);
            if stop.is_some() {
                return Ok(ControlFlow::Break(()));
            }
            let is_hidden = !query.include_hidden && entry.name.first() == Some(&b'.');
            if is_hidden || query.closed.protects(entry.name) {
                return Ok(ControlFlow::Continue(()));
            }
            child.truncate(prefix);
            child.extend_from_slice(entry.name);
            let is_dir = entry.kind == Kind::Dir;
            if is_dir && query.closed.denies(RelPath::assume(&child)) {
                return Ok(ControlFlow::Continue(()));
            }
            let verdict = stack.verdict(&child, is_dir);
            let is_kept = matches!(verdict, Verdict::Kept(rule) if rule.layer == Layer::Request);
            if is_kept && (!is_dir || *style == Style::Rows) {
                found = Kept::Something;
                return Ok(ControlFlow::Break(()));
            }
            if is_dir && !is_last && stack.may_keep_below(&child) {
                waiting.push(child.clone());
            }
            Ok(ControlFlow::Continue(()))
        });
        match (stop, read) {
            (Some(error), _) => Err(error),
            (None, Err(_)) if found == Kept::Nothing => Ok(Kept::Unknown),
            _ => Ok(found),
        }
    }
}
