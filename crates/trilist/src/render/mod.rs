//! Pages as text and JSON: pure functions of a [`Page`].
//!
//! Text and JSON each stand alone: cuts, cursor, omissions and warnings are in both. In text a
//! name is quoted (see [`trilist_core::quote`]) also when, unquoted, it could pass for one of
//! the marks or lines that trilist writes itself.

mod changes;
mod chat;
mod compare;
mod drawn;
mod explanation;
mod frame;
mod html;
mod overview;
mod row;
mod tree;

use trilist_core::{Entry, ListRequest, Page, View, quote};

pub use compare::{
    compared_json, comparison, comparison_foot, comparison_head, comparison_json, push_compared,
};
pub use explanation::{explanation, explanation_json};
pub use frame::{foot, head};
pub use html::{HtmlPage, comparison_html};
pub(crate) use overview::{hidden_line, overview_line};
pub use overview::{overview, overview_json, overview_rows};
pub use row::{Row, push_path};
pub use tree::TreeWriter;

/// The view that a request gets.
pub fn default_view(request: &ListRequest) -> View {
    match request.view {
        Some(view) => view,
        None if request.is_sorted() => View::Paths,
        None => View::Tree,
    }
}

/// The whole reply as text: head, rows and foot.
pub fn text(page: &Page, view: View) -> String {
    text_around(page, &rows(page, view))
}

/// The whole reply as text, of rows that [`rows`] has given.
pub fn text_around(page: &Page, rows: &str) -> String {
    [head(page).as_str(), rows, foot(page).as_str()].concat()
}

/// Only the rows.
pub fn rows(page: &Page, view: View) -> String {
    if view == View::Paths {
        return paths(page);
    }
    let mut out = String::with_capacity(rows_length(page));
    match view {
        // An overview is made of more than a page.
        View::Tree | View::Overview => tree::page(page, &mut out),
        View::Drawn => {
            let mut lines = String::new();
            tree::page(page, &mut lines);
            drawn::draw(&lines, &mut out);
        }
        View::Table => page.entries.iter().for_each(|entry| Row::of(entry).push_table(&mut out)),
        View::Paths => out.push_str(&paths(page)),
        View::Entries => page.entries.iter().for_each(|entry| {
            out.push_str(&entry_json(entry));
            out.push('\n');
        }),
    }
    out
}

/// About the bytes of the rows as names.
fn rows_length(page: &Page) -> usize {
    page.entries.iter().map(|entry| entry.path.len() + 2).sum()
}

fn paths(page: &Page) -> String {
    let mut lines = Vec::with_capacity(rows_length(page));
    page.entries.iter().for_each(|entry| match &entry.change {
        None => push_path(entry.bytes(), entry.kind, &mut lines),
        Some(change) => changes::push_line(entry, change, &mut lines),
    });
    String::from_utf8(lines).expect("what is no text was quoted")
}

/// The whole reply as one JSON object on one line.
pub fn json(page: &Page) -> String {
    let json = serde_json::to_string(page);
    quote::printable_json(json.expect("a page has only string keys and finite numbers"))
}

/// One entry as a JSON object on one line.
pub fn entry_json(entry: &Entry) -> String {
    serde_json::to_string(entry).expect("an entry has only string keys and finite numbers")
}

/// About the bytes that an entry takes in the larger of text and JSON: in a tree it may bring the
/// lines of all directories above it.
pub(crate) fn cost(entry: &Entry) -> usize {
    let depth = entry.depth as usize;
    let lines = entry.path.len() + depth * (depth + 1) + 48;
    // Its JSON is `{"path":"","kind":"","depth":}`, a kind of nine letters at most, the digits of
    // the depth, and the path: no longer than that, unless something in the path is escaped.
    if entry.is_bare() && memchr::memchr2(b'"', b'\\', entry.path.as_bytes()).is_none() {
        return lines;
    }
    cost_with_more(entry, lines)
}

/// The same of an entry of which more is known, or whose path is escaped.
#[inline(never)]
fn cost_with_more(entry: &Entry, lines: usize) -> usize {
    let rule = entry.ignored_by.as_ref().map_or(0, |rule| rule.source.len() + 24);
    let from = entry.change.as_ref().map_or(0, |change| {
        change.from.as_ref().map_or(0, String::len) + 10 * change.fields.len() + 32
    });
    (lines + rule + from).max(length(entry) + 1)
}

/// No fewer bytes than an entry takes in any view's text or in JSON, and than [`cost`] says; without
/// writing it.
pub(crate) fn cost_at_most(entry: &Entry) -> usize {
    // Every word and number of a fixed kind, with the names of its fields.
    const WORDS: usize = 160;
    let depth = entry.depth as usize;
    // A tree that is drawn takes six bytes a level, and the entry may bring the lines of all
    // directories above it. In JSON a character of what is printable has at most one more before it.
    let way = 2 * entry.path.len() + depth * (6 * depth + 24);
    WORDS + way + if entry.is_bare() { 0 } else { more_at_most(entry) }
}

/// What [`cost_at_most`] adds for what few entries have.
#[inline(never)]
fn more_at_most(entry: &Entry) -> usize {
    const METADATA: usize = 160;
    const VCS: usize = 144;
    let text = |text: &Option<String>| text.as_ref().map_or(0, |text| 2 * text.len());
    let has_metadata = entry.size.is_some()
        || entry.modified.is_some()
        || entry.permissions.is_some()
        || entry.target.is_some();
    let metadata = if has_metadata { METADATA + text(&entry.target) } else { 0 };
    let vcs = if entry.vcs.is_some() { VCS } else { 0 };
    let raw = entry.raw.as_ref().map_or(0, |raw| 16 + raw.as_bytes().len().div_ceil(3) * 4);
    let rule = entry.ignored_by.as_ref();
    let rule = rule.map_or(0, |rule| 64 + 2 * (rule.source.len() + rule.pattern.len()));
    let change = entry.change.as_ref().map_or(0, |change| 2 * length(change) + 128);
    metadata + vcs + raw + rule + change
}

/// The bytes of a value as JSON.
pub(crate) fn length(value: &impl serde::Serialize) -> usize {
    let mut counted = Counted(0);
    serde_json::to_writer(&mut counted, value).expect("only string keys and finite numbers");
    counted.0
}

/// Takes bytes and keeps their number.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use trilist_core::{EntryRef, Kind, RelPath};

    use super::{Entry, cost, cost_at_most, entry_json};

    #[test]
    fn what_an_entry_costs_is_known_without_writing_it() {
        let names: [&[u8]; 8] = [
            b"a",
            b"a/b c/d",
            b"back\\slash",
            b"qu\"ote",
            b"\"q",
            b"\xff",
            "\u{e9}".as_bytes(),
            b"x\ty",
        ];
        let deep = [&b"d/"[..]; 200].concat();
        let deep: Vec<u8> = [&deep[..], b"f"].concat();
        for path in names.into_iter().chain([&deep[..]]) {
            for kind in Kind::ALL {
                let entry = Entry::of(&EntryRef::new(RelPath::assume(path), kind));
                assert!(cost(&entry) > entry_json(&entry).len(), "{}", entry.path);
                assert!(cost(&entry) <= cost_at_most(&entry), "{}", entry.path);
            }
        }
    }
}
