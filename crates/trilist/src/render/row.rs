//! One row of text, from an owned or a borrowed entry.

use std::borrow::Cow;
use std::fmt::Write as _;

use trilist_core::chat::Bucket;
use trilist_core::since::Change;
use trilist_core::{Contents, Entry, EntryRef, Kind, OnDisk, Skip, VcsInfo, VcsState, quote};

use super::changes;

/// What text shows of an entry.
pub struct Row<'a> {
    pub(crate) path: &'a [u8],
    /// The path as text, where that is at hand.
    text: Option<&'a str>,
    pub(crate) kind: Kind,
    /// Absent with most.
    marks: Option<Marks<'a>>,
    facts: Option<Facts<'a>>,
}

/// What stands in brackets behind a name.
struct Marks<'a> {
    bucket: Option<Bucket>,
    change: Option<&'a Change>,
    is_submodule: bool,
    skipped: Option<Skip>,
    contents: Option<Contents>,
    /// The place of the rule that ignores it, as shown.
    ignored_by: Option<(Cow<'a, str>, u32)>,
    vcs: Option<VcsInfo>,
}

/// What metadata tells.
enum Facts<'a> {
    Of(&'a Entry),
    /// Apart, since few rows have it and each is moved.
    Made(Box<Entry>),
}

impl Facts<'_> {
    fn entry(&self) -> &Entry {
        match self {
            Facts::Of(entry) => entry,
            Facts::Made(entry) => entry,
        }
    }
}

impl<'a> Row<'a> {
    /// The row of an entry of a page.
    pub fn of(entry: &'a Entry) -> Self {
        let has_facts = entry.size.is_some()
            || entry.modified.is_some()
            || entry.target.is_some()
            || entry.permissions.is_some();
        Row {
            path: entry.bytes(),
            text: entry.raw.is_none().then_some(&entry.path),
            kind: entry.kind,
            marks: Marks::of(entry),
            facts: has_facts.then_some(Facts::Of(entry)),
        }
    }

    /// The row of an entry that goes by in a stream.
    pub fn streamed(entry: &EntryRef<'a>) -> Self {
        Row {
            path: entry.path.as_bytes(),
            text: None,
            kind: entry.kind,
            marks: Some(Marks::streamed(entry)),
            facts: entry.metadata.map(|_| Facts::Made(Box::new(Entry::of(entry)))),
        }
    }

    /// Adds the line of a tree, without indentation, for the part of the path from `start` on.
    pub(crate) fn push_name(&self, start: usize, out: &mut String) {
        match self.text.map(|path| &path[start..]) {
            Some(name) if is_safe(name) => out.push_str(name),
            _ => out.push_str(&safe(&self.path[start..])),
        }
        out.push_str(match self.kind {
            Kind::Dir | Kind::Submodule => "/",
            Kind::Symlink => "@",
            Kind::Other => "?",
            Kind::File => "",
        });
        if let Some(marks) = &self.marks {
            marks.push(out);
        }
        self.push_facts(out);
        out.push('\n');
    }

    /// Adds the line of a table: kind, size in bytes, time, permissions, path and marks. What is not
    /// known is `-`.
    pub fn push_table(&self, out: &mut String) {
        let facts = self.facts.as_ref().map(Facts::entry);
        let size = facts.and_then(|facts| facts.size).map(|size| size.to_string());
        // A table is for people: whole seconds are enough.
        let time = facts.and_then(|facts| facts.modified.as_deref());
        let time =
            time.map(|time| format!("{}Z", &time[..time.len().min(19)].trim_end_matches('Z')));
        let permissions = facts.and_then(|facts| facts.permissions.as_deref());
        let _ = write!(
            out,
            "{:<9} {:>12} {:<20} {:<4}  ",
            self.kind.name(),
            size.as_deref().unwrap_or("-"),
            time.as_deref().unwrap_or("-"),
            permissions.unwrap_or("-"),
        );
        out.push_str(&safe_path(self.path));
        out.push_str(if matches!(self.kind, Kind::Dir | Kind::Submodule) { "/" } else { "" });
        if let Some(marks) = &self.marks {
            marks.push(out);
        }
        if let Some(target) = facts.and_then(|facts| facts.target.as_deref()) {
            out.push_str(" -> ");
            out.push_str(target);
        }
        out.push('\n');
    }

    fn push_facts(&self, out: &mut String) {
        let Some(facts) = self.facts.as_ref().map(Facts::entry) else { return };
        if let Some(target) = &facts.target {
            out.push_str(" -> ");
            out.push_str(target);
        }
        let size = facts.size.map(|size| format!("{size} B"));
        let facts = [size.as_deref(), facts.modified.as_deref(), facts.permissions.as_deref()];
        let facts: Vec<&str> = facts.into_iter().flatten().collect();
        if !facts.is_empty() {
            out.push_str("  ");
            out.push_str(&facts.join(" "));
        }
    }
}

impl<'a> Marks<'a> {
    fn of(entry: &'a Entry) -> Option<Self> {
        let is_submodule = entry.kind == Kind::Submodule;
        let has_marks = is_submodule
            || entry.bucket.is_some()
            || entry.change.is_some()
            || entry.skipped.is_some()
            || entry.contents.is_some()
            || entry.ignored_by.is_some()
            || entry.vcs.is_some();
        has_marks.then(|| Marks {
            bucket: entry.bucket,
            change: entry.change.as_deref(),
            is_submodule,
            skipped: entry.skipped,
            contents: entry.contents,
            ignored_by: entry
                .ignored_by
                .as_ref()
                .map(|rule| (rule.source.as_str().into(), rule.line)),
            vcs: entry.vcs,
        })
    }

    fn streamed(entry: &EntryRef<'a>) -> Self {
        Marks {
            bucket: None,
            change: None,
            is_submodule: entry.kind == Kind::Submodule,
            skipped: entry.skipped,
            contents: None,
            ignored_by: entry.ignored_by.map(|rule| (quote::shown(rule.source), rule.line)),
            vcs: entry.vcs,
        }
    }

    fn push(&self, out: &mut String) {
        let mut mark = |text: &str| {
            out.push_str(" [");
            out.push_str(text);
            out.push(']');
        };
        match self.bucket {
            None | Some(Bucket::Repo) => {}
            Some(Bucket::InChat) => mark("in chat"),
            Some(Bucket::ReadOnly) => mark("read-only"),
        }
        if let Some(change) = self.change {
            mark(&changes::mark(change));
        }
        if self.is_submodule {
            mark("submodule");
        }
        match self.skipped {
            // The head names the depth, so every directory at it would say the same.
            None | Some(Skip::Depth) => {}
            Some(Skip::Builtin) => mark("skipped: builtin"),
            Some(Skip::Protected) => mark("skipped: protected"),
            Some(Skip::Mount) => mark("skipped: mount"),
            Some(Skip::Loop) => mark("skipped: loop"),
        }
        match self.contents {
            None => {}
            Some(Contents::Empty) => mark("empty"),
            Some(Contents::Omitted) => mark("all left out"),
            Some(Contents::Unreadable) => mark("unreadable"),
        }
        if let Some((source, line)) = &self.ignored_by {
            mark(&format!("ignored: {}:{line}", unbracketed(source)));
        }
        if let Some(vcs) = self.vcs {
            if vcs.state != VcsState::Tracked {
                mark(vcs.state.name());
            }
            if vcs.skip_worktree {
                mark("skip-worktree");
            }
            match vcs.on_disk {
                None | Some(OnDisk::Present) => {}
                Some(OnDisk::Absent) => mark("not on disk"),
                Some(OnDisk::OtherKind) => mark("on disk: another kind"),
                Some(OnDisk::Unknown) => mark("on disk: unknown"),
            }
        }
    }
}

/// A file's name that cannot end its brackets.
pub(crate) fn unbracketed(source: &str) -> Cow<'_, str> {
    if source.starts_with('"') || !source.contains([']', ' ']) {
        return Cow::Borrowed(source);
    }
    Cow::Owned(format!("\"{}\"", source.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Adds the line of a list of paths, which is always text: directories end in `/`; odd names are
/// quoted, and so is a path that could pass for one of the lines around the rows.
#[inline]
pub fn push_path(path: &[u8], kind: Kind, out: &mut Vec<u8>) {
    if quote::is_plain(path) && !may_be_our_line(path) {
        out.extend_from_slice(path);
    } else {
        push_safe_path(path, out);
    }
    if kind == Kind::Dir {
        out.push(b'/');
    }
    out.push(b'\n');
}

#[inline(never)]
fn push_safe_path(path: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(quoted_if(path, is_our_line).as_bytes());
}

/// A name as trees show it: quoted also when it could be read as something that it is not.
pub(crate) fn safe(name: &[u8]) -> Cow<'_, str> {
    quoted_if(name, is_misleading)
}

/// Whether [`safe`] leaves the name as it is, as far as that is quickly told: so it is with nearly
/// every name.
fn is_safe(name: &str) -> bool {
    is_common(name) && !is_our_line(name)
}

/// Whether a name is made of characters alone that mean nothing anywhere.
fn is_common(name: &str) -> bool {
    let is_common = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    name.bytes().all(is_common)
}

/// A path as lines show it that have marks behind it.
pub(crate) fn safe_path(path: &[u8]) -> Cow<'_, str> {
    quoted_if(path, |path| is_misleading(path) || path.contains(';'))
}

pub(crate) fn quoted_if(name: &[u8], is_odd: fn(&str) -> bool) -> Cow<'_, str> {
    let shown = quote::shown(name);
    if shown.starts_with('"') || !is_odd(&shown) {
        return shown;
    }
    Cow::Owned(format!("\"{}\"", shown.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Whether a name could pass for an indented row, a mark, or one of the lines around the rows.
fn is_misleading(name: &str) -> bool {
    if is_common(name) {
        return is_our_line(name);
    }
    name.starts_with(' ')
        || name.ends_with([' ', '@', '?'])
        || name.contains("  ")
        || name.contains(" [")
        || name.contains(" -> ")
        || name.contains(" (")
        || name.starts_with('…')
        || name.chars().any(is_odd_blank)
        || is_our_line(name)
}

/// Blanks that look like the space of an indentation or a mark, and are none.
fn is_odd_blank(c: char) -> bool {
    c != ' ' && (c.is_whitespace() || c == '\u{2800}')
}

/// Rules out, by the first byte, nearly every name that [`is_our_line`] would look at.
#[inline]
fn may_be_our_line(name: &[u8]) -> bool {
    matches!(name.first(), Some(b'C' | b'D' | b'L' | b'N' | b'W' | b'0'..=b'9'))
}

/// Whether a line that starts with this could pass for one of those around the rows.
fn is_our_line(name: &str) -> bool {
    const OURS: [&str; 7] =
        ["CUT ", "DRIFTED", "Left out", "Not reached", "Warning", "Notice", "Next page"];
    let counts = || {
        let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < name.len() && (rest.starts_with(" entr") || rest.starts_with(" more"))
    };
    may_be_our_line(name.as_bytes()) && (OURS.iter().any(|ours| name.starts_with(ours)) || counts())
}
