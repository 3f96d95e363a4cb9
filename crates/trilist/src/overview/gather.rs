//! One pass over a listing, keeping of it what could ever be shown.
//!
//! Counts are kept for every directory on the way. Names are kept only where the budget could show
//! them: a directory can never get more than a fair share of what its parent has left, and that
//! share only shrinks as more of its siblings come by. So whatever does not fit it now is dropped,
//! and what is held is bounded by the budget, not by the tree.

use std::ops::ControlFlow;

use trilist_core::tally::Tally;
use trilist_core::{EntryRef, Event, Events, Kind, ListError, RelPathBuf, Seen, TruncatedBy};

use super::node::{Node, fair_share, least_bytes};

/// How many top-level directories are named that were not reached before a bound.
const NOT_REACHED: usize = 1000;

/// What was gathered.
pub(super) struct Gathered {
    /// The listed directory.
    pub(super) top: Node,
    pub(super) tally: Tally,
    pub(super) stopped: Option<TruncatedBy>,
    pub(super) seen: Seen,
}

/// Reads `events` to their end, or to a bound, for an overview of so many bytes.
///
/// # Errors
///
/// [`ListError::Cancelled`]; [`ListError::Timeout`] when nothing was read in time.
pub(super) fn gather(events: &mut dyn Events, bytes: u64) -> Result<Gathered, ListError> {
    let mut tally = Tally::default();
    let mut way = Way::new(bytes);
    let ended = events.run(&mut |event, _| {
        match event {
            Event::Entry(entry) => way.entry(entry),
            Event::Omitted(omission) => {
                way.omitted(omission.path.as_bytes());
                tally.omit(omission);
            }
            Event::Fault(fault) => {
                tally.fault(fault);
                if fault.gap && !fault.path.is_empty() && fault.code.hides_directory() {
                    way.unreadable(fault.path.as_bytes());
                }
            }
        }
        ControlFlow::Continue(())
    });
    let stopped = match ended {
        Ok(_) => None,
        Err(ListError::Timeout) if way.is_new() => return Err(ListError::Timeout),
        Err(ListError::Timeout) => Some(TruncatedBy::Deadline),
        Err(ListError::ScanCap { .. }) => Some(TruncatedBy::ScanCap),
        Err(error) => return Err(error),
    };
    let later = match stopped {
        Some(_) => not_reached(events, &way.last)?,
        None => Vec::new(),
    };
    let top = way.finish(stopped.is_some(), later);
    Ok(Gathered { top, tally, stopped, seen: events.seen() })
}

/// The top-level directories behind the last path: a bound must not hide them.
fn not_reached(events: &mut dyn Events, last: &[u8]) -> Result<Vec<RelPathBuf>, ListError> {
    let last = RelPathBuf::new(last).unwrap_or_default();
    match events.not_reached(last.as_path(), NOT_REACHED) {
        Err(ListError::Timeout | ListError::ScanCap { .. }) => Ok(Vec::new()),
        other => other,
    }
}

/// The open directories from the listed one down.
struct Way {
    open: Vec<Open>,
    /// The path of the innermost one.
    path: Vec<u8>,
    /// The path of the last entry.
    last: Vec<u8>,
    has_entries: bool,
}

/// A directory whose contents are coming.
struct Open {
    node: Node,
    /// Where its path ends in [`Way::path`].
    len: usize,
    /// The most bytes that what is below it can get.
    hope: u64,
    /// The least bytes of the rows of directories and of other entries directly in it.
    dir_bytes: u64,
    file_bytes: u64,
    /// How many of its directories could use all that they can get.
    saturated: u64,
    /// Rows of directories whose contents have not come yet, and where they are kept. Each name is
    /// the start of the next.
    waiting: Vec<(Vec<u8>, Option<usize>)>,
    /// Where it is kept itself, if it has been already.
    kept_at: Option<usize>,
}

impl Open {
    fn new(node: Node, len: usize, hope: u64, kept_at: Option<usize>) -> Open {
        let waiting = Vec::new();
        Open { node, len, hope, dir_bytes: 0, file_bytes: 0, saturated: 0, waiting, kept_at }
    }

    /// Forgets the waiting directories that the next name shows to be empty.
    fn pass(&mut self, name: &[u8]) {
        while self.waiting.last().is_some_and(|(waiting, _)| !name.starts_with(waiting)) {
            self.waiting.pop();
        }
    }

    /// Takes an entry in, and says where it is kept.
    fn add(&mut self, depth: usize, entry: Node) -> Option<usize> {
        let is_dir = entry.is_dir();
        let bytes = least_bytes(depth, &entry.name, is_dir);
        self.node.demand += bytes;
        if is_dir {
            self.node.own.dirs += 1;
            self.node.counts.dirs += 1;
            self.dir_bytes += bytes;
        } else {
            self.node.own.files += 1;
            self.node.counts.files += 1;
            self.file_bytes += bytes;
        }
        // Directories come first when not all fit.
        let fits = match is_dir {
            true => self.dir_bytes <= self.hope,
            false => self.dir_bytes + self.file_bytes <= self.hope,
        };
        if !fits {
            return None;
        }
        self.node.kept += bytes;
        self.node.children.push(entry);
        Some(self.node.children.len() - 1)
    }

    /// The most that the next directory in it can get.
    fn share(&self) -> u64 {
        self.hope.saturating_sub(self.dir_bytes) / (self.saturated + 1)
    }

    /// Takes a directory back that is finished. Rows of what is directly in this one stand at
    /// `depth`.
    fn close(&mut self, below: Open, depth: usize) {
        let Open { node, hope, kept_at, .. } = below;
        self.node.counts.files += node.counts.files;
        self.node.counts.dirs += node.counts.dirs;
        self.node.demand += node.demand;
        self.saturated += u64::from(node.demand > hope);
        if let Some(at) = kept_at {
            self.node.kept += node.kept;
            self.node.children[at] = node;
            if self.node.kept > 2 * self.hope {
                level(&mut self.node, self.hope, depth);
            }
        }
    }
}

/// Drops below each directory what it cannot get when `bytes` are shared among all. Rows of what is
/// directly in `node` stand at `depth`.
fn level(node: &mut Node, bytes: u64, depth: usize) {
    let dirs = node.children.iter().filter(|child| child.is_dir());
    let mut demands: Vec<u64> = dirs.map(|child| child.kept).collect();
    let share = fair_share(&mut demands, bytes);
    let mut dropped = 0;
    for child in node.children.iter_mut().filter(|child| child.kept > share) {
        let before = child.kept;
        cut(child, share, depth + 1);
        dropped += before - child.kept;
    }
    node.kept -= dropped;
}

/// Drops what cannot be shown when a directory gets so many bytes: what is below its directories,
/// then its own rows, from the last file to the first directory.
fn cut(node: &mut Node, bytes: u64, depth: usize) {
    let row = |child: &Node| least_bytes(depth, &child.name, child.is_dir());
    let rows: u64 = node.children.iter().map(row).sum();
    level(node, bytes.saturating_sub(rows), depth);
    if rows <= bytes {
        return;
    }
    let mut left = bytes;
    for dirs in [true, false] {
        node.children.retain(|child| {
            let fits = child.is_dir() != dirs || row(child) <= left;
            if fits && child.is_dir() == dirs {
                left -= row(child);
            } else if child.is_dir() == dirs {
                // Nothing behind it fits either: what is shown is the first of them.
                left = 0;
            }
            fits
        });
    }
    node.kept = node.children.iter().map(|child| row(child) + child.kept).sum();
}

impl Way {
    fn new(bytes: u64) -> Way {
        let top = Open::new(Node::new(b"", Kind::Dir, None), 0, bytes, None);
        Way { open: vec![top], path: Vec::new(), last: Vec::new(), has_entries: false }
    }

    fn is_new(&self) -> bool {
        !self.has_entries
    }

    fn entry(&mut self, entry: &EntryRef<'_>) {
        self.has_entries = true;
        let path = entry.path.as_bytes();
        let start = self.go(path);
        self.last.clear();
        self.last.extend_from_slice(path);
        let depth = self.open.len();
        let Some(top) = self.open.last_mut() else { return };
        let name = &path[start..];
        if !top.waiting.is_empty() {
            top.pass(name);
        }
        let at = top.add(depth, Node::of(name, entry));
        if entry.kind == Kind::Dir {
            top.waiting.push((name.to_vec(), at));
        }
    }

    /// Something is left out; that it is there makes no row of the directories above it.
    fn omitted(&mut self, path: &[u8]) {
        while !self.is_above(path) {
            self.close();
        }
        let start = if self.path.is_empty() { 0 } else { self.path.len() + 1 };
        let Some(top) = self.open.last_mut() else { return };
        let Some(slash) = memchr::memchr(b'/', &path[start..]) else {
            top.node.omits = true;
            return;
        };
        let name = &path[start..start + slash];
        top.pass(name);
        if let Some((waiting, Some(at))) = top.waiting.last()
            && waiting == name
        {
            top.node.children[*at].omits = true;
        }
    }

    /// A directory could not be read, or not to its end.
    fn unreadable(&mut self, path: &[u8]) {
        let contents = [path, b"/"].concat();
        self.go(&contents);
        if let Some(top) = self.open.last_mut() {
            top.node.unreadable = true;
        }
    }

    /// Opens the directories above a path, and says where its name begins.
    #[inline]
    fn go(&mut self, path: &[u8]) -> usize {
        while !self.is_above(path) {
            self.close();
        }
        let mut start = if self.path.is_empty() { 0 } else { self.path.len() + 1 };
        while let Some(slash) = memchr::memchr(b'/', &path[start..]) {
            self.enter(&path[start..start + slash]);
            start += slash + 1;
        }
        start
    }

    #[inline]
    fn is_above(&self, path: &[u8]) -> bool {
        self.path.is_empty()
            || (path.get(self.path.len()) == Some(&b'/') && path.starts_with(&self.path))
    }

    fn enter(&mut self, name: &[u8]) {
        let depth = self.open.len();
        let Some(top) = self.open.last_mut() else { return };
        top.pass(name);
        let at = match top.waiting.last() {
            Some((waiting, at)) if waiting == name => {
                let at = *at;
                top.waiting.pop();
                at
            }
            // Without a row of its own.
            _ => top.add(depth, Node::new(name, Kind::Dir, None)),
        };
        let node = Node::new(name, Kind::Dir, None);
        let node = match at {
            Some(at) => std::mem::replace(&mut top.node.children[at], node),
            None => node,
        };
        let hope = if at.is_some() { top.share() } else { 0 };
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
        self.open.push(Open::new(node, self.path.len(), hope, at));
    }

    fn close(&mut self) {
        let depth = self.open.len() - 1;
        if self.open.len() > 1
            && let Some(below) = self.open.pop()
            && let Some(top) = self.open.last_mut()
        {
            self.path.truncate(top.len);
            top.close(below, depth);
        }
    }

    /// The listed directory, when all or the last of it was read.
    fn finish(mut self, is_cut: bool, later: Vec<RelPathBuf>) -> Node {
        for open in &mut self.open {
            open.node.counts.at_least = is_cut;
            for (_, at) in &open.waiting {
                if let Some(at) = at.filter(|_| is_cut) {
                    open.node.children[at].counts.at_least = true;
                }
            }
        }
        while self.open.len() > 1 {
            self.close();
        }
        let Some(mut top) = self.open.pop() else { return Node::new(b"", Kind::Dir, None) };
        for path in later {
            let name = path.as_bytes();
            let known = top.node.children.iter().any(|child| *child.name == *name);
            if let Some(at) =
                (!known).then(|| top.add(1, Node::new(name, Kind::Dir, None))).flatten()
            {
                top.node.children[at].counts.at_least = true;
            }
        }
        top.node
    }
}
