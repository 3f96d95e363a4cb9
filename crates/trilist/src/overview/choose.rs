//! Choosing the rows that fit the budget.
//!
//! A directory is opened by showing what lies directly in it, directories before files. What
//! remains of its bytes is shared fairly among its directories: who needs less than an equal share
//! gets it all, and leaves the rest to the others. So every directory of a level is visible before
//! one of them is opened wider than its share allows.

use trilist_core::{Kind, ListError, RawName, VcsState, quote};

use super::node::{Node, Own};
use super::reply::{Hidden, OverviewRow};
use super::request::Measure;
use crate::render;

/// Below this nothing could be shown of a directory.
const LEAST_SHARE: usize = 8;
/// A directory of which fewer rows fit stays shut, unless these are all: what is left over after
/// its siblings would open the last of them by a crack.
const FEWEST_ROWS: u64 = 4;

/// Reads what lies directly in the directory at a path, when nothing is known of it.
pub(super) type Grow<'g> = dyn FnMut(&[u8], &mut Node) -> Result<(), ListError> + 'g;

/// What is shown, and how it is measured.
pub(super) struct Chooser<'g> {
    pub(super) measure: Measure,
    /// Whether rows of directories have counts.
    pub(super) counted: bool,
    /// Whether a directory in which nothing is found is no row: the listing has files alone.
    pub(super) drops_empty: bool,
    pub(super) grow: Option<&'g mut Grow<'g>>,
}

/// The rows of a directory's own entries, and what they cost.
struct Prices {
    dirs: Vec<usize>,
    files: Vec<usize>,
}

impl Chooser<'_> {
    /// Chooses what is shown of `node` at `path`, whose rows stand at `depth`, in at most `budget`
    /// bytes; says how many it takes.
    ///
    /// # Errors
    ///
    /// As reading a directory, when directories are read for it.
    pub(super) fn open(
        &mut self,
        node: &mut Node,
        path: &[u8],
        depth: usize,
        budget: usize,
    ) -> Result<usize, ListError> {
        if let Some(grow) = &mut self.grow {
            grow(path, node)?;
        }
        node.children.sort_by(|a, b| a.name.cmp(&b.name));
        let opening = if depth > 1 { self.opening() } else { 0 };
        let Some(left) = budget.checked_sub(opening) else { return Ok(0) };
        let prices = self.prices(node, path, depth);
        let (shown, spent) = self.rows(node, &prices, depth, left);
        let is_crack = shown != node.own && shown.dirs + shown.files < FEWEST_ROWS;
        if depth > 1 && (is_crack || shown == Own::default()) {
            return Ok(0);
        }
        node.shown = Some(shown);
        if shown.dirs < node.own.dirs {
            return Ok(opening + spent);
        }
        Ok(opening + spent + self.below(node, path, depth, left - spent)?)
    }

    /// The bytes of all rows directly in the listed directory, if they were all kept.
    pub(super) fn level_bytes(&self, top: &Node) -> Option<usize> {
        let prices = self.prices(top, b"", 1);
        let has_all =
            (prices.dirs.len() as u64, prices.files.len() as u64) == (top.own.dirs, top.own.files);
        has_all.then(|| prices.dirs.iter().chain(&prices.files).sum())
    }

    fn prices(&self, node: &Node, path: &[u8], depth: usize) -> Prices {
        let mut prices = Prices { dirs: Vec::new(), files: Vec::new() };
        for child in &node.children {
            let price = self.price(&row(child, path, self.counted), depth);
            if child.is_dir() { &mut prices.dirs } else { &mut prices.files }.push(price);
        }
        prices
    }

    /// How many of the first directories and files are shown in `left` bytes, and what that takes.
    fn rows(&self, node: &Node, prices: &Prices, depth: usize, left: usize) -> (Own, usize) {
        let Own { dirs, files } = node.own;
        let dir_bytes: usize = prices.dirs.iter().sum();
        let file_bytes: usize = prices.files.iter().sum();
        let has_all = (prices.dirs.len() as u64, prices.files.len() as u64) == (dirs, files);
        let rest = left.checked_sub(dir_bytes);
        if let Some(rest) = rest
            && has_all
            && file_bytes <= self.for_files(node, depth, rest)
        {
            return (node.own, dir_bytes + file_bytes);
        }
        let more = self.more(depth, node.own);
        if let Some(rest) = rest.and_then(|rest| rest.checked_sub(more))
            && prices.dirs.len() as u64 == dirs
        {
            // A long list of files leaves half of the room to what is below the directories.
            let most = if dirs == 0 { rest } else { rest / 2 };
            let (files, bytes) = first(&prices.files, most);
            return (Own { dirs, files }, dir_bytes + bytes + more);
        }
        let (dirs, bytes) = first(&prices.dirs, left.saturating_sub(more));
        (Own { dirs, files: 0 }, if left < more { 0 } else { bytes + more })
    }

    /// The bytes that the files of a directory may take beside its directories.
    fn for_files(&self, node: &Node, depth: usize, rest: usize) -> usize {
        if depth == 1 {
            return rest;
        }
        let below: u64 = node.children.iter().filter(|c| c.is_dir()).map(|c| c.demand).sum();
        rest.saturating_sub(usize::try_from(below).unwrap_or(usize::MAX)).max(rest / 2)
    }

    /// Opens the directories of `node`, all of which are shown.
    fn below(
        &mut self,
        node: &mut Node,
        path: &[u8],
        depth: usize,
        bytes: usize,
    ) -> Result<usize, ListError> {
        let is_unknown = self.grow.is_some();
        let may_open = |child: &&mut Node| {
            child.is_dir() && child.skipped.is_none() && (is_unknown || child.own != Own::default())
        };
        let mut dirs: Vec<&mut Node> = node.children.iter_mut().filter(may_open).collect();
        // Who needs least comes first, so that what it leaves is shared by all others.
        dirs.sort_by(|a, b| (a.demand, &a.name).cmp(&(b.demand, &b.name)));
        let (mut left, mut sharing) = (bytes, dirs.len());
        for child in dirs {
            let share = left / sharing;
            if share >= LEAST_SHARE {
                let path = joined(path, &child.name);
                left -= self.open(child, &path, depth + 1, share)?;
            }
            sharing -= 1;
        }
        if is_unknown && self.drops_empty {
            drop_empty(node);
        }
        Ok(bytes - left)
    }

    fn price(&self, row: &OverviewRow, depth: usize) -> usize {
        match self.measure {
            Measure::Text => render::overview_line(row, depth).len(),
            Measure::Json => json_len(row) + 1,
        }
    }

    /// What a row costs more when it is open.
    fn opening(&self) -> usize {
        match self.measure {
            Measure::Text => 0,
            Measure::Json => "\"open\":true,".len(),
        }
    }

    /// At most what it costs to say that so much has no row.
    fn more(&self, depth: usize, own: Own) -> usize {
        let hidden = Hidden { files: own.files, dirs: own.dirs };
        match self.measure {
            Measure::Text => render::hidden_line(hidden, depth).len(),
            Measure::Json => json_len(&hidden) + "\"hidden\":,".len(),
        }
    }

    /// Adds the rows that were chosen below `node`.
    pub(super) fn collect(&self, node: &Node, path: &[u8], rows: &mut Vec<OverviewRow>) {
        let Some(mut shown) = node.shown else { return };
        for child in &node.children {
            let left = if child.is_dir() { &mut shown.dirs } else { &mut shown.files };
            if *left == 0 {
                continue;
            }
            *left -= 1;
            let mut row = row(child, path, self.counted);
            row.open = child.shown.is_some_and(|shown| shown != Own::default());
            row.hidden = hidden(child).filter(|_| row.open);
            rows.push(row);
            self.collect(child, &joined(path, &child.name), rows);
        }
    }
}

/// Forgets the directories that were read and hold nothing.
fn drop_empty(node: &mut Node) {
    let before = node.children.len();
    node.children.retain(|child| !(child.is_read && child.is_empty()));
    let dropped = (before - node.children.len()) as u64;
    node.own.dirs -= dropped;
    if let Some(shown) = &mut node.shown {
        shown.dirs -= dropped;
    }
}

/// What lies directly in a directory and is not shown.
pub(super) fn hidden(node: &Node) -> Option<Hidden> {
    let shown = node.shown?;
    let Own { dirs, files } = node.own;
    let hidden = Hidden { files: files - shown.files, dirs: dirs - shown.dirs };
    (hidden != Hidden::default()).then_some(hidden)
}

/// How many of the first fit, and what they take.
fn first(prices: &[usize], most: usize) -> (u64, usize) {
    let (mut count, mut bytes) = (0, 0);
    for price in prices {
        if bytes + price > most {
            break;
        }
        bytes += price;
        count += 1;
    }
    (count, bytes)
}

fn row(node: &Node, parent: &[u8], counted: bool) -> OverviewRow {
    let path = joined(parent, &node.name);
    let is_told_empty = node.is_dir() && node.is_empty() && (counted || node.is_read);
    let has_counts = node.is_dir() && counted && node.skipped.is_none();
    OverviewRow {
        path: quote::shown(&path).into_owned(),
        kind: node.kind,
        // That it is empty is known of each that was read.
        counts: (has_counts || (node.is_read && node.is_empty())).then_some(node.counts),
        hidden: None,
        open: false,
        all_left_out: is_told_empty && node.omits && node.skipped.is_none(),
        skipped: node.skipped.filter(|_| node.kind == Kind::Dir),
        unreadable: node.unreadable,
        state: node.state.filter(|state| *state != VcsState::Tracked),
        raw: RawName::of(&path),
    }
}

fn joined(parent: &[u8], name: &[u8]) -> Vec<u8> {
    match parent {
        b"" => name.to_vec(),
        parent => [parent, b"/", name].concat(),
    }
}

fn json_len(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}
