//! Overviews as text and JSON.

use std::fmt::Write as _;

use trilist_core::{Kind, Omission, Skip, TruncatedBy};

use super::frame::{apart, listed_in, word};
use super::row::safe;
use crate::overview::{Counts, Hidden, Overview, OverviewRow};

/// How many warnings, and how many characters of a name or message, stand around the rows.
const MOST_TOLD: usize = 2;
const MOST_CHARS: usize = 120;

/// The whole overview as text: head, rows and foot.
pub fn overview(reply: &Overview) -> String {
    let mut out = String::new();
    if reply.truncated {
        out.push_str(&cut_line(reply));
    }
    let listed = listed_in(&reply.root, &reply.path);
    let _ = write!(out, "{}  mode={} overview", shortened(&listed), reply.mode);
    if let Some(depth) = reply.depth {
        let _ = write!(out, " depth={depth}");
    }
    out.push('\n');
    push_rows(reply, &mut out);
    if reply.truncated {
        out.push_str(&cut_line(reply));
    }
    push_foot(reply, &mut out);
    out
}

/// Only the rows.
pub fn overview_rows(reply: &Overview) -> String {
    let mut out = String::new();
    push_rows(reply, &mut out);
    out
}

/// The whole overview as one JSON object on one line.
pub fn overview_json(reply: &Overview) -> String {
    serde_json::to_string(reply).expect("an overview has only string keys and finite numbers")
}

/// The rows, and behind those of each directory what of it has none.
fn push_rows(reply: &Overview, out: &mut String) {
    // The open directories above the next row that have something to be told behind their rows.
    let mut open: Vec<(usize, Hidden)> = Vec::new();
    for row in &reply.rows {
        let depth = depth(row);
        while let Some((above, hidden)) = open.pop_if(|(above, _)| *above >= depth) {
            out.push_str(&hidden_line(hidden, above + 1));
        }
        out.push_str(&overview_line(row, depth));
        open.extend(row.hidden.map(|hidden| (depth, hidden)));
    }
    while let Some((above, hidden)) = open.pop() {
        out.push_str(&hidden_line(hidden, above + 1));
    }
    out.extend(reply.hidden.map(|hidden| hidden_line(hidden, 1)));
}

fn depth(row: &OverviewRow) -> usize {
    memchr::memchr_iter(b'/', row.bytes()).count() + 1
}

/// The line of a row; entries directly in the listed directory have depth 1.
pub(crate) fn overview_line(row: &OverviewRow, depth: usize) -> String {
    let path = row.bytes();
    let name = memchr::memrchr(b'/', path).map_or(path, |slash| &path[slash + 1..]);
    let mut out = "  ".repeat(depth - 1);
    out.push_str(&safe(name));
    out.push_str(match row.kind {
        Kind::Dir | Kind::Submodule => "/",
        Kind::Symlink => "@",
        Kind::Other => "?",
        Kind::File => "",
    });
    if row.kind == Kind::Submodule {
        out.push_str(" [submodule]");
    }
    match row.skipped {
        None => {}
        Some(Skip::Depth) => out.push_str(" (not entered)"),
        Some(skip) => {
            let _ = write!(out, " [skipped: {}]", skip.name());
        }
    }
    if let Some(state) = row.state {
        let _ = write!(out, " [{}]", state.name());
    }
    if row.unreadable {
        out.push_str(" [unreadable]");
    }
    if row.kind == Kind::Dir && row.skipped.is_none() && !row.unreadable {
        push_counts(row, &mut out);
    }
    out.push('\n');
    out
}

fn push_counts(row: &OverviewRow, out: &mut String) {
    let _ = match row.counts {
        None => return,
        Some(_) if row.all_left_out => write!(out, " (all left out)"),
        Some(Counts { files: 0, dirs: 0, at_least: false }) => write!(out, " (empty)"),
        Some(Counts { files: 0, dirs: 0, at_least: true }) => write!(out, " (not counted)"),
        Some(Counts { files, at_least, .. }) => {
            let or_more = if at_least { " or more" } else { "" };
            write!(out, " ({} {}{or_more})", grouped(files), plural(files, "file", "files"))
        }
    };
}

/// The line that says what of a directory has no row; it stands where those rows would.
pub(crate) fn hidden_line(hidden: Hidden, depth: usize) -> String {
    let Hidden { files, dirs } = hidden;
    let mut parts = Vec::new();
    if dirs > 0 {
        parts.push(format!("{} {}", grouped(dirs), plural(dirs, "directory", "directories")));
    }
    if files > 0 {
        parts.push(format!("{} {}", grouped(files), plural(files, "file", "files")));
    }
    format!("{}… {} more\n", "  ".repeat(depth - 1), parts.join(", "))
}

fn cut_line(reply: &Overview) -> String {
    let mut out = String::from("OVERVIEW");
    match reply.truncated_by {
        Some(TruncatedBy::Deadline) => {
            out.push_str(", ended by the deadline: what follows may be missing")
        }
        Some(TruncatedBy::ScanCap) => {
            out.push_str(", ended by the scan cap: what follows may be missing")
        }
        _ => {}
    }
    let _ = write!(out, ": {} rows", grouped(reply.returned));
    if let Some(counts) = reply.counts {
        let or_more = if counts.at_least { " or more" } else { "" };
        let _ = write!(out, " of {}{or_more}", grouped(counts.files.saturating_add(counts.dirs)));
    }
    out.push_str(". To go on: `path` opens one of its directories");
    if reply.hidden.is_some() {
        out.push_str(", more `max_bytes` shows more of this one");
    }
    out.push_str(".\n");
    out
}

fn push_foot(reply: &Overview, out: &mut String) {
    if let Some(counts) = reply.counts {
        let (files, dirs) = (counts.files, counts.dirs);
        let _ = write!(
            out,
            "{}{} {}, {} {}",
            if counts.at_least { "at least " } else { "" },
            grouped(files),
            plural(files, "file", "files"),
            grouped(dirs),
            plural(dirs, "directory", "directories")
        );
    } else {
        out.push_str("Not counted");
    }
    out.push_str(match (reply.complete, reply.gaps > 0) {
        (true, _) => ", complete.",
        (false, true) => ", INCOMPLETE: what the warnings name may be missing.",
        (false, false) => ".",
    });
    push_left_out(&reply.omitted, out);
    for warning in reply.warnings.iter().take(MOST_TOLD) {
        let gap = if warning.gap { " (entries may be missing)" } else { "" };
        let (path, message) = (shortened(&warning.path), shortened(&warning.message));
        let (path, code) = (apart(&path), warning.code.name());
        let _ = writeln!(out, "Warning: {path}: {code}: {message}{gap}");
    }
    let untold = reply.warnings_total.saturating_sub(reply.warnings.len().min(MOST_TOLD) as u64);
    if untold > 0 {
        let _ = writeln!(out, "Warning: and {untold} more warnings");
    }
    for notice in reply.notices.iter().take(MOST_TOLD) {
        let _ = writeln!(out, "Notice: {}", shortened(notice));
    }
}

fn push_left_out(omitted: &[Omission], out: &mut String) {
    let parts = omitted.iter().map(|one| format!("{} {}", one.count, word(one.reason)));
    let parts: Vec<String> = parts.collect();
    let left_out = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
    let _ = writeln!(out, " Left out: {left_out}.");
}

/// The end of a text that is too long to stand around the rows.
fn shortened(text: &str) -> String {
    let chars = text.chars().count();
    if chars <= MOST_CHARS {
        return text.to_owned();
    }
    let end: String = text.chars().skip(chars - MOST_CHARS).collect();
    format!("…{end}")
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// A number with thousands set apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
