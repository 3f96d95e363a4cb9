//! The three text views.

use std::collections::{BTreeMap, BTreeSet};

use trilist::quote;

use super::{Entry, Reply};

/// How a reply is laid out as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// A tree of box-drawing characters, with a count of the items below.
    Tree,
    /// A table with a border: permissions, size, time, name.
    Table,
    /// A path a line; the last line says how many there are when not all are shown.
    Paths,
}

/// A reply as text. A failed one is its error.
pub fn text(reply: &Reply, view: View) -> String {
    match (&reply.error, view) {
        (Some(error), _) => format!("Error: {error}: {}\n", reply.path),
        (None, View::Tree) => tree(reply),
        (None, View::Table) => table(reply),
        (None, View::Paths) => paths(reply),
    }
}

fn tree(reply: &Reply) -> String {
    let mut below: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    let listed: BTreeSet<&str> = reply.entries.iter().map(|entry| entry.path.as_str()).collect();
    let known = |path: &str| listed.contains(path);
    for entry in &reply.entries {
        // An entry whose directory is not listed hangs on the nearest one that is.
        let mut parent = entry.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        while !parent.is_empty() && !known(parent) {
            parent = parent.rsplit_once('/').map_or("", |(above, _)| above);
        }
        below.entry(parent).or_default().push(entry);
    }
    let mut out = format!("{}\n", reply.path);
    draw("", "", "", &below, &mut out);
    out.push_str(&format!("\n{}\n", footer(reply)));
    out
}

fn draw(
    dir: &str,
    shown_dir: &str,
    lead: &str,
    below: &BTreeMap<&str, Vec<&Entry>>,
    out: &mut String,
) {
    let entries = below.get(dir).map_or(&[][..], Vec::as_slice);
    for (at, entry) in entries.iter().enumerate() {
        let is_last = at + 1 == entries.len();
        let name = entry.path.strip_prefix(shown_dir).unwrap_or(&entry.path);
        let (branch, next) =
            if is_last { ("└── ", "    ") } else { ("├── ", "│   ") };
        out.push_str(&format!("{lead}{branch}{}\n", labelled(name, entry)));
        draw(&entry.path, &format!("{}/", entry.path), &format!("{lead}{next}"), below, out);
    }
}

fn labelled(name: &str, entry: &Entry) -> String {
    let name = quote::shown(name.as_bytes());
    match (entry.r#type, &entry.target) {
        ("directory", _) => format!("{name}/"),
        ("symlink", Some(target)) => format!("{name} -> {}", quote::shown(target.as_bytes())),
        _ => name.into_owned(),
    }
}

/// As "6 items (1 file, 5 directories)".
fn footer(reply: &Reply) -> String {
    let count = |kind: &str| reply.entries.iter().filter(|entry| entry.r#type == kind).count();
    let some = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {more}"),
    };
    let mut parts = vec![
        some(count("file"), "file", "files"),
        some(count("directory"), "directory", "directories"),
    ];
    let others = [("symlink", "link", "links"), ("other", "other", "others")];
    parts.extend(
        others
            .iter()
            .filter(|(kind, _, _)| count(kind) > 0)
            .map(|(kind, one, more)| some(count(kind), one, more)),
    );
    let items = some(reply.entries.len(), "item", "items");
    let cut = if reply.truncated == Some(true) { ", truncated" } else { "" };
    format!("{items} ({}){cut}", parts.join(", "))
}

fn table(reply: &Reply) -> String {
    let mut rows = vec![["Permissions", "Size", "Modified", "Name"].map(str::to_owned)];
    rows.extend(reply.entries.iter().map(|entry| {
        [
            entry.permissions.clone().unwrap_or_default(),
            entry.size.map(|size| size.to_string()).unwrap_or_default(),
            entry.modified.clone().unwrap_or_default(),
            labelled(&entry.path, entry),
        ]
    }));
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let rule = |left: &str, middle: &str, right: &str| {
        let cells = widths.map(|width| "─".repeat(width + 2));
        format!("{left}{}{right}\n", cells.join(middle))
    };
    let mut out = rule("┌", "┬", "┐");
    for (at, row) in rows.iter().enumerate() {
        let [permissions, size, modified, name] = row;
        let [a, b, c, d] = widths;
        out.push_str(&format!(
            "│ {permissions:<a$} │ {size:>b$} │ {modified:<c$} │ {name:<d$} │\n"
        ));
        if at == 0 {
            out.push_str(&rule("├", "┼", "┤"));
        }
    }
    out.push_str(&rule("└", "┴", "┘"));
    out.push_str(&format!("{}\n", footer(reply)));
    out
}

fn paths(reply: &Reply) -> String {
    let mut out: String = reply
        .entries
        .iter()
        .map(|entry| format!("{}\n", quote::shown(entry.path.as_bytes())))
        .collect();
    if reply.truncated == Some(true) {
        let what = if reply.entries.iter().all(|entry| entry.r#type == "file") {
            "files"
        } else {
            "items"
        };
        let (shown, total) = (reply.entries.len(), reply.total);
        out.push_str(&format!("\nShowing {shown} of {total} {what} (truncated)\n"));
    }
    out
}
