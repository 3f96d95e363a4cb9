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
    pub(crate) kind: Kind,
    skipped: Option<Skip>,
    contents: Option<Contents>,
    /// The place of the rule that ignores it, as shown.
    ignored_by: Option<(Cow<'a, str>, u32)>,
    vcs: Option<VcsInfo>,
    facts: Option<Cow<'a, Entry>>,
    change: Option<&'a Change>,
    bucket: Option<Bucket>,
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
            kind: entry.kind,
            skipped: entry.skipped,
            contents: entry.contents,
            ignored_by: entry
                .ignored_by
                .as_ref()
                .map(|rule| (rule.source.as_str().into(), rule.line)),
            vcs: entry.vcs,
            facts: has_facts.then_some(Cow::Borrowed(entry)),
            change: entry.change.as_deref(),
            bucket: entry.bucket,
        }
    }

    /// The row of an entry that goes by in a stream.
    pub fn streamed(entry: &EntryRef<'a>) -> Self {
        Row {
            path: entry.path.as_bytes(),
            kind: entry.kind,
            skipped: entry.skipped,
            contents: None,
            ignored_by: entry.ignored_by.map(|rule| (quote::shown(rule.source), rule.line)),
            vcs: entry.vcs,
            facts: entry.metadata.map(|_| Cow::Owned(Entry::of(entry))),
            change: None,
            bucket: None,
        }
    }

    /// Adds the name's line of a tree, without indentation.
    pub(crate) fn push_name(&self, name: &[u8], out: &mut String) {
        out.push_str(&safe(name));
        out.push_str(match self.kind {
            Kind::Dir | Kind::Submodule => "/",
            Kind::Symlink => "@",
            Kind::Other => "?",
            Kind::File => "",
        });
        self.push_marks(out);
        self.push_facts(out);
        out.push('\n');
    }

    /// Adds the line of a table: kind, size in bytes, time, permissions, path and marks. What is not
    /// known is `-`.
    pub fn push_table(&self, out: &mut String) {
        let facts = self.facts.as_deref();
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
        self.push_marks(out);
        if let Some(target) = facts.and_then(|facts| facts.target.as_deref()) {
            out.push_str(" -> ");
            out.push_str(target);
        }
        out.push('\n');
    }

    fn push_marks(&self, out: &mut String) {
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
        if self.kind == Kind::Submodule {
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

    fn push_facts(&self, out: &mut String) {
        let Some(facts) = &self.facts else { return };
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
    // Nearly every name is made of these alone, and then of none of the below.
    let is_common = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if name.bytes().all(is_common) {
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
