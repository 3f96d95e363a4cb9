//! The indented tree.
//!
//! Rows come in path order, in which a directory's contents need not follow it. A page is
//! regrouped so that they do; a stream repeats the directory's line instead. Either way no row
//! ever stands below a directory that is not its parent.

use std::cmp::Ordering;

use trilist_core::{Entry, Kind, Mode, Page};

use super::row::{Row, safe};

/// Writes rows as a tree, one after another.
pub struct TreeWriter {
    /// The directories whose lines are above the next row, by path.
    open: Vec<Vec<u8>>,
    /// Directories at or before this path were shown by an earlier page.
    after: Option<Vec<u8>>,
    /// Whether directories are rows of their own.
    dirs_are_rows: bool,
    /// Whether rows have come already.
    started: bool,
}

impl TreeWriter {
    /// A writer for a listing of `mode` that starts after `after`.
    pub fn new(mode: Mode, after: Option<&[u8]>) -> Self {
        TreeWriter {
            open: Vec::new(),
            after: after.map(<[u8]>::to_vec),
            dirs_are_rows: mode == Mode::Fs,
            started: false,
        }
    }

    /// Adds a row, and before it the lines of directories above it that are not open.
    pub fn push(&mut self, row: &Row<'_>, out: &mut String) {
        let name = row.path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        let parent = &row.path[..name.saturating_sub(1)];
        self.close_to(parent);
        self.open_to(parent, out);
        indent(self.open.len(), out);
        row.push_name(name, out);
        // Below a link stand its rows when it was followed.
        if matches!(row.kind, Kind::Dir | Kind::Symlink) {
            self.open.push(row.path.to_vec());
        }
        self.started = true;
    }

    fn close_to(&mut self, parent: &[u8]) {
        while let Some(last) = self.open.last() {
            let holds = parent == last.as_slice()
                || (parent.starts_with(last) && parent.get(last.len()) == Some(&b'/'));
            if holds {
                return;
            }
            self.open.pop();
        }
    }

    fn open_to(&mut self, parent: &[u8], out: &mut String) {
        let mut at = self.open.last().map_or(0, |last| last.len() + 1);
        while at < parent.len() {
            let end = memchr::memchr(b'/', &parent[at..]).map_or(parent.len(), |slash| at + slash);
            indent(self.open.len(), out);
            out.push_str(&safe(&parent[at..end]));
            out.push('/');
            if self.was_shown(&parent[..end]) {
                out.push_str(" (continued)");
            }
            out.push('\n');
            self.open.push(parent[..end].to_vec());
            at = end + 1;
        }
    }

    /// Whether the directory's line stands further up, or on an earlier page.
    fn was_shown(&self, dir: &[u8]) -> bool {
        if self.started && self.dirs_are_rows {
            return true;
        }
        self.after.as_deref().is_some_and(|after| {
            let inside =
                after.starts_with(dir) && matches!(after.get(dir.len()), None | Some(b'/'));
            inside || (self.dirs_are_rows && dir < after)
        })
    }
}

/// The rows of a page, regrouped under their parents.
pub(crate) fn page(page: &Page, out: &mut String) {
    let mut entries: Vec<&Entry> = page.entries.iter().collect();
    entries.sort_by(|a, b| by_component(a.bytes(), b.bytes()));
    let after = page.after.as_ref().map(|after| after.as_bytes());
    let mut writer = TreeWriter::new(page.mode, after);
    // Directories between changes need have none themselves.
    writer.dirs_are_rows &= page.changes.is_none();
    for entry in entries {
        // After regrouping, a directory without a line here has none on this page.
        writer.started = false;
        writer.push(&Row::of(entry), out);
    }
}

/// Byte order with `/` below every other byte: each directory is followed by its contents.
fn by_component(a: &[u8], b: &[u8]) -> Ordering {
    let key = |byte: u8| if byte == b'/' { 0 } else { byte };
    match a.iter().zip(b).find(|(a, b)| a != b) {
        Some((a, b)) => key(*a).cmp(&key(*b)),
        None => a.len().cmp(&b.len()),
    }
}

fn indent(levels: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", levels));
}
