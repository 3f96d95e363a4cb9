//! The lines around the rows.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{changes, chat};
use trilist_core::{Mode, Omission, Page, Reason, TruncatedBy};

/// The first lines: a cut, and what is listed.
pub fn head(page: &Page) -> String {
    let mut out = String::new();
    if page.truncated {
        out.push_str(&cut_line(page));
    }
    out.push_str(&listed_in(&page.root, &page.path));
    let _ = write!(out, "  mode={}", page.mode);
    if let Some(depth) = page.depth {
        let _ = write!(out, " depth={depth}");
    }
    if let Some(changes) = &page.changes {
        let _ = write!(out, " since={}", changes.since);
    }
    out.push('\n');
    if page.drifted {
        out.push_str("DRIFTED: the way to this page's start has changed since the page before.\n");
    }
    out
}

/// The last lines: whether it is all, what is left out, what went wrong, and a cut again.
pub fn foot(page: &Page) -> String {
    let mut out = String::new();
    if page.truncated {
        out.push_str(&cut_line(page));
    } else if page.changes.is_none() {
        out.push_str(&end_line(page));
        out.push(' ');
    }
    if let Some(changes) = &page.changes {
        out.push_str(&changes::summary(page, changes));
        out.push(' ');
    }
    out.push_str(&left_out(&page.omitted));
    if !page.not_reached.is_empty() {
        let dirs = page.not_reached.iter().map(|dir| format!("{}/", apart(dir)));
        let dirs: Vec<String> = dirs.collect();
        let _ = write!(out, " Not reached: {}", dirs.join(", "));
    }
    out.push('\n');
    for warning in &page.warnings {
        let gap = if warning.gap { " (entries may be missing)" } else { "" };
        let code = warning.code.name();
        let path = apart(&warning.path);
        let _ = writeln!(out, "Warning: {path}: {code}: {}{gap}", warning.message);
    }
    let untold = page.warnings_total.saturating_sub(page.warnings.len() as u64);
    if untold > 0 {
        let plural = if untold == 1 { "" } else { "s" };
        let _ = writeln!(out, "Warning: and {untold} more warning{plural}");
    }
    if let Some(chat) = &page.chat {
        out.push_str(&chat::groups(page, chat));
    }
    if page.pinned {
        let _ = writeln!(out, "Pinned: snapshot={}", page.snapshot_id);
    }
    for notice in &page.notices {
        let _ = writeln!(out, "Notice: {notice}");
    }
    out
}

/// The directory that a reply is about.
pub(crate) fn listed_in(root: &str, path: &str) -> String {
    match (root, path) {
        (root, ".") => root.to_owned(),
        // A quoted path cannot be joined inside its quotes.
        (root, path) if root.starts_with('"') || path.starts_with('"') => format!("{root} {path}"),
        ("/", path) => format!("/{path}"),
        (root, path) => format!("{root}/{path}"),
    }
}

fn cut_line(page: &Page) -> String {
    let by = match page.truncated_by {
        None | Some(TruncatedBy::Limit) => "",
        Some(TruncatedBy::Budget) => " by the byte budget",
        Some(TruncatedBy::Deadline) => " by the deadline",
        Some(TruncatedBy::ScanCap) => " by the scan cap",
    };
    let mut out = format!("CUT{by} after {}, {}.", entries(page.returned), more(page));
    match (&page.next_cursor, page.next_offset) {
        (Some(cursor), _) => {
            let _ = write!(out, " Next page: cursor=\"{cursor}\"");
        }
        (None, Some(offset)) => {
            let _ = write!(out, " Next page: offset={offset}");
        }
        (None, None) if page.returned == 0 => {
            out.push_str(" Nothing could be listed; ask for less.");
        }
        (None, None) => out.push_str(
            " These are the first of what was read, not of all; ask for less, or allow more time.",
        ),
    }
    out.push('\n');
    out
}

fn more(page: &Page) -> String {
    let shown = match page.next_offset {
        Some(next) => next.saturating_sub(1),
        None if page.returned == 0 => page.at_least,
        None => page.returned,
    };
    match page.total {
        Some(total) => format!("{} more", total.saturating_sub(shown)),
        None if page.at_least > shown => format!("at least {} more", page.at_least - shown),
        None => "more may follow".to_owned(),
    }
}

fn end_line(page: &Page) -> String {
    let first = page.at_least.saturating_sub(page.returned).saturating_add(1);
    if page.gaps > 0 {
        format!("{}, INCOMPLETE: what the warnings name may be missing.", entries(page.returned))
    } else if !page.complete && page.returned == 0 {
        "0 entries: nothing follows any more, the last page.".to_owned()
    } else if page.uncounted {
        format!("{}, the last page.", entries(page.returned))
    } else if !page.complete {
        format!("{}, {first} to {}, the last page.", entries(page.returned), page.at_least)
    } else if page.returned == 0 {
        format!("0 entries, complete: {}.", emptiness(page))
    } else {
        format!("{}, complete.", entries(page.returned))
    }
}

fn emptiness(page: &Page) -> &'static str {
    if !page.omitted.is_empty() {
        return "everything in it is left out";
    }
    match page.mode {
        Mode::Fs => "the directory is empty",
        Mode::Files => "there is no file in it",
        Mode::Vcs => "nothing in it is tracked",
    }
}

fn left_out(omitted: &[Omission]) -> String {
    if omitted.is_empty() {
        return "Left out: nothing.".to_owned();
    }
    let parts: Vec<String> = omitted.iter().map(omission).collect();
    format!("Left out: {}.", parts.join(", "))
}

fn omission(omission: &Omission) -> String {
    let mut details: Vec<String> = omission
        .rules
        .iter()
        .map(|rule| {
            let (source, pattern) = (apart(&rule.source), in_backticks(&rule.pattern));
            format!("{source}:{} `{pattern}` {}", rule.line, rule.count)
        })
        .collect();
    let told: u64 = if details.is_empty() {
        details = omission.examples.iter().map(|example| apart_dir(example)).collect();
        details.len() as u64
    } else {
        omission.rules.iter().fold(0, |sum, rule| sum.saturating_add(rule.count))
    };
    if told < omission.count {
        details.push("…".to_owned());
    }
    format!("{} {} ({})", omission.count, word(omission.reason), details.join(", "))
}

/// A name among others: quoted when it could end the list, or pass for a part of the line.
pub(crate) fn apart(name: &str) -> Cow<'_, str> {
    let is_odd = name.contains([',', '(', ')', '`', ':']) || name.contains(". ");
    if name.starts_with('"') || !is_odd {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// As [`apart`], with the slash of a directory outside the quotes.
fn apart_dir(name: &str) -> String {
    match name.strip_suffix('/') {
        Some(dir) => format!("{}/", apart(dir)),
        None => apart(name).into_owned(),
    }
}

/// A pattern that cannot end its backticks.
pub(crate) fn in_backticks(pattern: &str) -> Cow<'_, str> {
    if pattern.contains('`') { Cow::Owned(pattern.replace('`', "\\140")) } else { pattern.into() }
}

pub(crate) fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::OutsideRoot => "outside the root",
        Reason::Subtree => "outside the subtree",
        Reason::Kind => "of other kinds",
        Reason::Pattern => "not matching",
        other => other.name(),
    }
}

fn entries(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}
