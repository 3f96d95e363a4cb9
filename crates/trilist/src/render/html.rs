//! A comparison as one self-contained page.
//!
//! Everything that the page shows of the tree is data in it, and its script sets it as text alone.
//! The policy at its top allows that script and that style, by their digests, and nothing else: no
//! other code, no request.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use trilist_core::{Kind, Reason, VcsState, quote};

use super::compare::{SPARSE, is_sparse};
use super::frame::listed_in;
use crate::compare::{Cell, ComparedRef, Comparison};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// The SHA-256 of each, as the page's policy names it; a test holds them to the files.
const STYLE_DIGEST: &str = "NgVcqaJt3cm7NNcBCnvl+/Oeaw4fxZK7q425mYDt+wI=";
const SCRIPT_DIGEST: &str = "71Je48/0OVRjk08UNGGLJiOvBVxgqGzE1dHhKB42fm0=";

/// Writes the page part by part: head, rows as they come, foot.
#[derive(Debug, Default)]
pub struct HtmlPage {
    /// The names of the last row's path, and where each of them ends.
    last: Vec<Vec<u8>>,
    has_rows: bool,
    /// Cells that were written out already, and their numbers.
    known: HashMap<String, usize>,
}

/// A cell that was written out before is a number: its place among the first so many different
/// ones, above those of [`FIRST_NUMBER`].
const MOST_KNOWN: usize = 4096;
const FIRST_NUMBER: usize = 2;

impl HtmlPage {
    /// A page without rows yet.
    pub fn new() -> Self {
        HtmlPage::default()
    }

    /// Adds everything before the rows; of the reply, what is known before them.
    pub fn head(&self, reply: &Comparison, out: &mut String) {
        let place = escaped(&listed_in(&reply.root, &reply.path));
        out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.push_str(&format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'sha256-{STYLE_DIGEST}'; script-src 'sha256-{SCRIPT_DIGEST}'; \
             base-uri 'none'; form-action 'none'\">\n"
        ));
        out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        out.push_str(&format!("<title>{place} – trilist compare</title>\n"));
        out.push_str(&format!("<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"));
        out.push_str(&format!("<h1><span class=\"where\">{place}</span></h1>\n"));
        out.push_str(BODY);
        push_data("head", &head_data(reply), out);
        out.push_str("<script type=\"application/json\" id=\"rows\">[");
    }

    /// Adds a row.
    pub fn row(&mut self, row: &ComparedRef<'_>, out: &mut String) {
        out.push_str(if self.has_rows { ",\n" } else { "\n" });
        self.has_rows = true;
        let names: Vec<&[u8]> = row.path.components().collect();
        // The last name of a path is never a directory on the way to the next.
        let most = names.len().min(self.last.len()).saturating_sub(1);
        let same = |at: &usize| names[*at] == self.last[*at];
        let shared = (0..most).take_while(same).count();
        let shown: Vec<_> = names[shared..].iter().map(|name| quote::shown(name)).collect();
        let cells =
            row.modes.map(|one| cell(one.as_ref(), row.kind)).map(|cell| self.known(cell.clone()));
        let folded = row
            .folded
            .map(|folded| json!([folded.mode, folded.files, folded.dirs, folded.skip_worktree]));
        let data = json!([
            shared,
            shown,
            sign(row.kind),
            cells.fs,
            cells.files,
            cells.vcs,
            folded.unwrap_or(json!(0)),
            u8::from(row.in_chat),
        ]);
        out.push_str(&harmless(&data.to_string()));
        self.last.truncate(shared);
        self.last.extend(names[shared..].iter().map(|name| name.to_vec()));
    }

    /// The cell, or its number when it was written out before.
    fn known(&mut self, cell: Value) -> Value {
        if cell.is_number() {
            return cell;
        }
        let text = cell.to_string();
        if let Some(number) = self.known.get(&text) {
            return json!(number);
        }
        if self.known.len() < MOST_KNOWN {
            self.known.insert(text, FIRST_NUMBER + self.known.len());
        }
        cell
    }

    /// Adds everything behind the rows.
    pub fn foot(&self, reply: &Comparison, out: &mut String) {
        out.push_str("\n]</script>\n");
        let end = serde_json::to_value(Comparison { rows: Vec::new(), ..reply.clone() });
        push_data("end", &end.unwrap_or_default(), out);
        out.push_str(&format!("<script>{SCRIPT}</script>\n</body>\n</html>\n"));
    }
}

/// A page of a reply that holds its rows.
pub fn comparison_html(reply: &Comparison) -> String {
    let mut out = String::new();
    let mut page = HtmlPage::new();
    page.head(reply, &mut out);
    reply.rows.iter().for_each(|row| row.with_ref(|row| page.row(row, &mut out)));
    page.foot(reply, &mut out);
    out
}

fn head_data(reply: &Comparison) -> Value {
    let modes: Map<String, Value> = reply
        .modes
        .iter()
        .map(|(mode, column)| (mode.name().to_owned(), json!({ "available": column.available })))
        .collect();
    let words: Map<String, Value> =
        Reason::ALL.iter().map(|one| (one.name().to_owned(), json!(one.words()))).collect();
    let asked = &reply.modes.fs.asked;
    let levels = match asked.depth {
        Some(1) => "one level".to_owned(),
        Some(depth) if depth < trilist_core::MAX_DEPTH => format!("{depth} levels"),
        _ => "every level".to_owned(),
    };
    let hidden = match asked.include_hidden {
        Some(false) => "without hidden names",
        _ => "hidden names too",
    };
    json!({ "modes": modes, "words": words, "asked": format!("Each mode was asked for {levels}, {hidden}.") })
}

fn cell(cell: Option<&Cell<'_>>, row: Kind) -> Value {
    match cell {
        None => json!(0),
        Some(Cell::Listed { kind, skipped, vcs, rule }) => {
            let mut notes = Vec::new();
            notes.extend((*kind != row).then(|| format!("a {kind}")));
            notes.extend(skipped.map(|skip| format!("not entered, {}", skip.name())));
            notes.extend(rule.map(|_| "ignored".to_owned()));
            let state = vcs.map(|vcs| vcs.state).filter(|state| *state != VcsState::Tracked);
            notes.extend(state.map(|state| state.name().to_owned()));
            notes.extend(is_sparse(*vcs).then(|| SPARSE.to_owned()));
            let is_other = is_dir(*kind) != is_dir(row) || (*kind != row && !is_dir(row));
            match notes.is_empty() {
                true => json!(1),
                false if is_other => json!({ "note": notes.join(", "), "kind": kind }),
                false => json!({ "note": notes.join(", ") }),
            }
        }
        Some(Cell::Absent { reason, rule, below }) => {
            let mut fields = Map::new();
            fields.insert("reason".to_owned(), json!(reason));
            if let Some(rule) = rule {
                let (source, pattern) = (quote::shown(rule.source), rule.shown_pattern());
                fields
                    .insert("rule".to_owned(), json!(format!("{source}:{} {pattern}", rule.line)));
            }
            if let Some(below) = below {
                fields.insert("below".to_owned(), json!(quote::shown(below.as_bytes())));
            }
            Value::Object(fields)
        }
    }
}

fn is_dir(kind: Kind) -> bool {
    matches!(kind, Kind::Dir | Kind::Submodule)
}

fn sign(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "f",
        Kind::Dir => "d",
        Kind::Symlink => "l",
        Kind::Submodule => "s",
        Kind::Other => "o",
    }
}

/// Adds a value for the script to read.
fn push_data(id: &str, value: &Value, out: &mut String) {
    out.push_str(&format!("<script type=\"application/json\" id=\"{id}\">"));
    out.push_str(&harmless(&value.to_string()));
    out.push_str("</script>\n");
}

/// JSON that cannot end the element that it stands in: `<` occurs in strings alone.
fn harmless(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Text as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

const BODY: &str = include_str!("html/body.html");
