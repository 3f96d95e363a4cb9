//! How changes are told in text.

use std::fmt::Write as _;

use trilist_core::Page;
use trilist_core::since::{Change, Changes, What};
use trilist_core::{Entry, Kind};

use super::frame::apart;
use super::row::{push_path, quoted_if, unbracketed};

/// The mark of a row of a tree.
pub(crate) fn mark(change: &Change) -> String {
    match change.what {
        // Not `added` and `deleted`, which version control says of an entry.
        What::Added => "new".to_owned(),
        What::Removed => "gone".to_owned(),
        What::Changed => format!("changed: {}", fields(change)),
        What::Renamed => {
            let from = change.from.as_deref().unwrap_or_default();
            let mut mark = format!("renamed from {}", unbracketed(from));
            if !change.fields.is_empty() {
                let _ = write!(mark, ", changed: {}", fields(change));
            }
            mark
        }
    }
}

fn fields(change: &Change) -> String {
    let names: Vec<&str> = change.fields.iter().map(|field| field.name()).collect();
    names.join(", ")
}

/// The line of a list of paths: a sign, the path, and where it was.
pub(crate) fn push_line(entry: &Entry, change: &Change, out: &mut Vec<u8>) {
    let sign = match change.what {
        What::Added => '+',
        What::Removed => '-',
        What::Changed => '~',
        What::Renamed => '>',
    };
    out.extend_from_slice(format!("{sign} ").as_bytes());
    let Some(from) = change.from.as_deref().filter(|_| change.what == What::Renamed) else {
        return push_path(entry.bytes(), entry.kind, out);
    };
    let has_arrow = |path: &str| path.contains(" <- ");
    let now = quoted_if(entry.bytes(), has_arrow);
    let from_bytes = change.from_raw.as_ref().map_or(from.as_bytes(), |raw| raw.as_bytes());
    let slash = if entry.kind == Kind::Dir { "/" } else { "" };
    let line = format!("{now}{slash} <- {}{slash}\n", quoted_if(from_bytes, has_arrow));
    out.extend_from_slice(line.as_bytes());
}

/// How many changes there are, and what was not compared.
pub(crate) fn summary(page: &Page, changes: &Changes) -> String {
    let Changes { added, removed, changed, renamed, .. } = changes;
    let total =
        [removed, changed, renamed].into_iter().fold(*added, |sum, n| sum.saturating_add(*n));
    let noun = if total == 1 { "change" } else { "changes" };
    let complete = if page.complete { ", complete" } else { "" };
    let mut out = format!(
        "{total} {noun}{complete}: {added} new, {removed} gone, {changed} changed, {renamed} renamed."
    );
    if let Some(from) = &changes.from {
        let _ = write!(
            out,
            " NOT COMPARED: what comes before {}, where the earlier reply began.",
            apart(from)
        );
    }
    if let Some(through) = &changes.through {
        let _ = write!(
            out,
            " NOT COMPARED: what comes behind {}, where the earlier reply was cut.",
            apart(through)
        );
    }
    if changes.unknown > 0 {
        let _ = write!(
            out,
            " NOT COMPARED: {} in places that one of the two could not read.",
            changes.unknown
        );
    }
    if !changes.sees_edits {
        out.push_str(" Edits do not show: the earlier listing has no metadata.");
    }
    if !changes.sees_renames {
        out.push_str(" Renames show as gone and new.");
    }
    out
}
