//! The part of a tree that may be shown.

use trilist_core::{EntryRef, Kind, Skip, VcsState};

use super::reply::Counts;

/// An entry that may become a row, and what is known of what lies below it.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) name: Box<[u8]>,
    pub(super) kind: Kind,
    pub(super) skipped: Option<Skip>,
    pub(super) unreadable: bool,
    /// Whether something in it is left out.
    pub(super) omits: bool,
    /// Whether all that lies directly in it was read, where directories are read one by one.
    pub(super) is_read: bool,
    /// In mode `vcs`: what the repository says of it.
    pub(super) state: Option<VcsState>,
    /// What lies below, whether or not it is in `children`.
    pub(super) counts: Counts,
    /// What of it lies directly below.
    pub(super) own: Own,
    /// What may be shown of that.
    pub(super) children: Vec<Node>,
    /// A lower bound of the bytes that all rows below would take.
    pub(super) demand: u64,
    /// The same of those in `children` and below them.
    pub(super) kept: u64,
    /// The part of `children` that is shown, when it was chosen.
    pub(super) shown: Option<Own>,
}

/// Entries directly in a directory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) dirs: u64,
    pub(super) files: u64,
}

impl Node {
    pub(super) fn new(name: &[u8], kind: Kind, skipped: Option<Skip>) -> Node {
        Node {
            name: name.into(),
            kind,
            skipped,
            unreadable: false,
            omits: false,
            is_read: false,
            state: None,
            counts: Counts::default(),
            own: Own::default(),
            children: Vec::new(),
            demand: 0,
            kept: 0,
            shown: None,
        }
    }

    /// The entry at the end of a path.
    pub(super) fn of(name: &[u8], entry: &EntryRef<'_>) -> Node {
        let state = entry.vcs.map(|vcs| vcs.state);
        Node { state, ..Node::new(name, entry.kind, entry.skipped) }
    }

    /// Whether nothing below it is listed, as far as that was found out.
    pub(super) fn is_empty(&self) -> bool {
        let is_known = self.is_read || self.counts == Counts::default();
        is_known && self.own == Own::default() && !self.unreadable
    }

    /// Whether everything below it was chosen to be shown.
    pub(super) fn is_whole(&self) -> bool {
        let is_told = |child: &Node| !child.is_dir() || child.skipped.is_some() || child.is_whole();
        let is_shown = self.shown == Some(self.own) || self.is_empty();
        is_shown && self.children.iter().all(is_told)
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind == Kind::Dir
    }
}

/// The fewest bytes of a row at a depth: its indentation, its name, the line's end, and the slash
/// of a directory.
pub(super) fn least_bytes(depth: usize, name: &[u8], is_dir: bool) -> u64 {
    (2 * (depth - 1) + name.len() + 1 + usize::from(is_dir)) as u64
}

/// The level up to which demands are met when `bytes` are shared fairly among them: whoever asks
/// for less gets it, and the others get the same. It is as high as the greatest demand when all can
/// be met.
pub(super) fn fair_share(demands: &mut [u64], bytes: u64) -> u64 {
    demands.sort_unstable();
    let mut left = bytes;
    let mut sharing = demands.len() as u64;
    for demand in demands.iter() {
        let share = left / sharing;
        if *demand > share {
            return share;
        }
        left -= demand;
        sharing -= 1;
    }
    demands.last().copied().unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::fair_share;

    #[test]
    fn small_demands_are_met_and_the_rest_is_equal() {
        assert_eq!(fair_share(&mut [100, 10, 100], 90), 40);
        assert_eq!(fair_share(&mut [30, 10, 20], 60), 30);
        assert_eq!(fair_share(&mut [30, 10, 20], 59), 29);
        assert_eq!(fair_share(&mut [7], 3), 3);
        assert_eq!(fair_share(&mut [], 3), 3);
        assert_eq!(fair_share(&mut [5, 5], 0), 0);
    }
}
