//! Comparisons as text and JSON.

use std::fmt::Write as _;

use trilist_core::{Kind, Mode, TruncatedBy, VcsInfo, VcsState};

use super::frame::{apart, in_backticks, listed_in};
use super::row::safe_path;
use crate::compare::{
    AbsenceCount, Cell, Column, ComparedPath, ComparedRef, Comparison, Folded, InChat,
};

/// The whole comparison as text: head, rows and foot.
pub fn comparison(reply: &Comparison) -> String {
    let mut out = comparison_head(reply);
    reply.rows.iter().for_each(|row| row.with_ref(|row| push_compared(row, &mut out)));
    out.push_str(&comparison_foot(reply));
    out
}

/// The first lines: a cut, what is compared, and the columns.
pub fn comparison_head(reply: &Comparison) -> String {
    let mut out = String::new();
    if reply.truncated {
        out.push_str(&cut_line(reply));
    }
    let asked = &reply.modes.fs.asked;
    out.push_str(&listed_in(&reply.root, &reply.path));
    out.push_str("  compare");
    match asked.depth {
        Some(depth) if depth < trilist_core::MAX_DEPTH => {
            let _ = write!(out, " depth={depth}");
        }
        _ => out.push_str(" depth=all"),
    }
    let hidden = asked.include_hidden.unwrap_or(true);
    out.push_str(if hidden { " hidden=shown\n" } else { " hidden=left out\n" });
    for (mode, column) in reply.modes.iter() {
        if let Some(error) = &column.error {
            let what = if column.available { "has nothing" } else { "NOT COMPARED" };
            let _ = writeln!(out, "{mode}: {what}: {}: {}", error.code, error.message);
        }
    }
    out.push_str("fs files vcs  path\n");
    out
}

/// Adds the line of a row: `+` for a mode that lists the path, `-` for one that does not, `?` for
/// one that could not be asked; then the path, and what there is to say.
pub fn push_compared(row: &ComparedRef<'_>, out: &mut String) {
    for (mode, cell) in row.modes.iter() {
        let sign = match cell {
            None => '?',
            Some(Cell::Listed { .. }) => '+',
            Some(Cell::Absent { .. }) => '-',
        };
        let _ = write!(out, "{sign:<width$}", width = mode.name().len() + 1);
    }
    out.push(' ');
    out.push_str(&safe_path(row.path.as_bytes()));
    out.push_str(match row.kind {
        Kind::Dir | Kind::Submodule => "/",
        Kind::Symlink => "@",
        Kind::Other => "?",
        Kind::File => "",
    });
    if let Some(folded) = row.folded {
        let _ = write!(out, " [folded: {}]", folded_words(folded));
    }
    if row.in_chat {
        out.push_str(" [in chat]");
    }
    push_facts(row, out);
    out.push('\n');
}

fn folded_words(folded: Folded) -> String {
    let Folded { mode, files, dirs, skip_worktree } = folded;
    let plural = |count, one, many| if count == 1 { one } else { many };
    let mut words = format!("{files} {}", plural(files, "file", "files"));
    if dirs > 0 {
        let _ = write!(words, ", {dirs} {}", plural(dirs, "directory", "directories"));
    }
    if skip_worktree > 0 {
        let _ = write!(words, ", {skip_worktree} skip-worktree");
    }
    format!("{words}, only in {mode}")
}

fn push_facts(row: &ComparedRef<'_>, out: &mut String) {
    let mut facts: Vec<(String, Vec<Mode>)> = Vec::new();
    for (mode, cell) in row.modes.iter() {
        let Some(fact) = cell.as_ref().and_then(|cell| fact(cell, row.kind)) else { continue };
        match facts.iter_mut().find(|(known, _)| *known == fact) {
            Some((_, modes)) => modes.push(mode),
            None => facts.push((fact, vec![mode])),
        }
    }
    let told = facts.iter().map(|(fact, modes)| {
        let modes: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
        format!("{}: {fact}", modes.join(" "))
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        out.push_str("  ");
        out.push_str(&told.join("; "));
    }
}

/// What is said of a name that the index does not want on disk.
pub(super) const SPARSE: &str = "skip-worktree";

pub(super) fn is_sparse(vcs: Option<VcsInfo>) -> bool {
    vcs.is_some_and(|vcs| vcs.skip_worktree)
}

/// What there is to say of a cell, beside that the path is listed or not.
fn fact(cell: &Cell<'_>, row: Kind) -> Option<String> {
    let mut facts = Vec::new();
    let rule = match *cell {
        Cell::Absent { reason, rule, below } => {
            let mut fact = reason.words().to_owned();
            if let Some(below) = below {
                let _ = write!(fact, " below {}/", safe_path(below.as_bytes()));
            }
            facts.push(fact);
            rule
        }
        Cell::Listed { kind, skipped, vcs, rule } => {
            facts.extend((kind != row).then(|| format!("a {kind}")));
            facts.extend(skipped.map(|skip| format!("not entered, {}", skip.name())));
            facts.extend(rule.map(|_| "ignored".to_owned()));
            let state = vcs.map(|vcs| vcs.state).filter(|state| *state != VcsState::Tracked);
            facts.extend(state.map(|state| state.name().to_owned()));
            facts.extend(is_sparse(vcs).then(|| SPARSE.to_owned()));
            rule
        }
    };
    let mut fact = Some(facts.join(", ")).filter(|fact| !fact.is_empty())?;
    if let Some(rule) = rule {
        let source = trilist_core::quote::shown(rule.source);
        let pattern = rule.shown_pattern();
        let (source, pattern) = (apart(&source), in_backticks(&pattern));
        let _ = write!(fact, " ({source}:{} `{pattern}`)", rule.line);
    }
    Some(fact)
}

/// The last lines: whether it is all, and the counts of each mode.
pub fn comparison_foot(reply: &Comparison) -> String {
    let mut out = String::new();
    if reply.truncated {
        out.push_str(&cut_line(reply));
    }
    out.push_str(&end_line(reply));
    for (mode, column) in reply.modes.iter() {
        push_column(mode, column, at_least(reply), &mut out);
    }
    if let Some(in_chat) = reply.in_chat {
        out.push_str(&chat_line(in_chat));
    }
    for notice in &reply.notices {
        let _ = writeln!(out, "Notice: {notice}");
    }
    out
}

/// What stands before a count that may be higher.
fn at_least(reply: &Comparison) -> &'static str {
    if reply.at_least { "at least " } else { "" }
}

/// Marks stand in rows, and not every file has one.
fn chat_line(InChat { files, rows, returned }: InChat) -> String {
    let plural = if files == 1 { "file" } else { "files" };
    format!("In the chat: {files} {plural}; {rows} with a row, {returned} shown here.\n")
}

fn end_line(reply: &Comparison) -> String {
    let how = match (reply.truncated, reply.complete) {
        (true, _) => "not all is shown",
        (false, true) => "complete",
        (false, false) if reply.modes.iter().any(|(_, column)| column.has_gap()) => {
            "INCOMPLETE: what the warnings name may be missing"
        }
        (false, false) => "the last rows",
    };
    let (differing, compared) = (reply.differing, reply.compared);
    let verb = if differing == 1 { "differs" } else { "differ" };
    let paths = if compared == 1 { "path" } else { "paths" };
    match reply.at_least {
        true => format!("At least {differing} of at least {compared} {paths} {verb}; {how}.\n"),
        false => format!("{differing} of {compared} {paths} {verb}; {how}.\n"),
    }
}

fn push_column(mode: Mode, column: &Column, at_least: &str, out: &mut String) {
    if !column.available {
        let _ = writeln!(out, "{mode}: not compared.");
        return;
    }
    let _ = write!(out, "{mode}: {at_least}{} listed", column.listed);
    let told = |one: &AbsenceCount| format!("{at_least}{} {}", one.count, one.reason.words());
    let absent = column.absent.iter().map(told);
    let absent: Vec<String> = absent.collect();
    if !absent.is_empty() {
        let _ = write!(out, "; not listed: {}", absent.join(", "));
    }
    out.push_str(".\n");
    for warning in &column.warnings {
        let gap = if warning.gap { " (paths may be missing)" } else { "" };
        let (code, path) = (warning.code.name(), apart(&warning.path));
        let _ = writeln!(out, "Warning: {mode}: {path}: {code}: {}{gap}", warning.message);
    }
    let untold = column.warnings_total.saturating_sub(column.warnings.len() as u64);
    if untold > 0 {
        let _ = writeln!(out, "Warning: {mode}: and {untold} more warnings");
    }
}

fn cut_line(reply: &Comparison) -> String {
    let rows = if reply.returned == 1 { "row" } else { "rows" };
    let mut out = match reply.truncated_by {
        None | Some(TruncatedBy::Limit) => format!("CUT after {} {rows}", reply.returned),
        Some(TruncatedBy::Budget) => {
            format!("CUT by the byte budget after {} {rows}", reply.returned)
        }
        Some(by) => {
            let by = if by == TruncatedBy::Deadline { "deadline" } else { "scan cap" };
            format!("CUT by the {by} after {} {rows}: the rest was not compared", reply.returned)
        }
    };
    match (reply.next_offset, reply.total) {
        (Some(next), Some(total)) => {
            let left = total.saturating_sub(next.saturating_sub(1));
            let _ = write!(out, ", {left} more. Next rows: offset={next}");
        }
        (Some(next), None) => {
            let _ = write!(out, ". Next rows: offset={next}");
        }
        (None, _) => out.push_str(". Compare a smaller directory, or allow more time."),
    }
    out.push('\n');
    out
}

/// The whole comparison as one JSON object on one line.
pub fn comparison_json(reply: &Comparison) -> String {
    serde_json::to_string(reply).expect("a comparison has only string keys and finite numbers")
}

/// One row as a JSON object on one line.
pub fn compared_json(row: &ComparedPath) -> String {
    serde_json::to_string(row).expect("a row has only string keys and finite numbers")
}
