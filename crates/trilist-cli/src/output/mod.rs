//! What is written where: rows and replies to standard output, notices to standard error.

mod colour;
mod overview;
mod page;
pub(crate) mod stdout;
mod stream;

pub(crate) use overview::overview;
pub(crate) use page::page;
pub(crate) use stream::Stream;

use serde_json::Value;
use trilist::{ListRequest, Page, View, quote, render};

use crate::args::Args;
use crate::environment::wants_colour;
use crate::values::Colour;

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Tree,
    Paths,
    Entries,
    Table,
    Drawn,
    Json,
    JsonLines,
    Null,
}

/// How a listing is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    shape: Shape,
    colour: bool,
    /// Whether nobody asked for the view: the order leaves no other default.
    is_switched: bool,
}

impl Layout {
    /// The layout that the arguments ask for; `request` is the one that is carried out.
    pub(crate) fn of(args: &Args, request: &ListRequest) -> Layout {
        let format = &args.format;
        let shape = if format.json {
            Shape::Json
        } else if format.jsonl {
            Shape::JsonLines
        } else if format.null {
            Shape::Null
        } else if format.paths {
            Shape::Paths
        } else {
            match format.view().unwrap_or_else(|| render::default_view(request)) {
                View::Tree | View::Overview => Shape::Tree,
                View::Table => Shape::Table,
                View::Drawn => Shape::Drawn,
                View::Paths => Shape::Paths,
                View::Entries => Shape::Entries,
            }
        };
        let has_colour = matches!(shape, Shape::Tree | Shape::Paths);
        let colour = has_colour
            && match args.look.color.unwrap_or(Colour::Auto) {
                Colour::Auto => wants_colour(),
                Colour::Always => true,
                Colour::Never => false,
            };
        let is_named = format.paths || format.view().is_some();
        Layout { shape, colour, is_switched: shape == Shape::Paths && !is_named }
    }

    /// What standard error says of a page: what its rows leave out.
    fn notices(self, page: &Page) -> Option<String> {
        let notices = [self.lost_marks(page), self.lost_frame(page)];
        let notices: String = notices.into_iter().flatten().collect();
        Some(notices).filter(|notices| !notices.is_empty())
    }

    /// An order other than that of paths takes the tree's marks away, which nobody asked for.
    fn lost_marks(self, page: &Page) -> Option<String> {
        let marked = page.entries.iter().filter(|entry| entry.ignored_by.is_some()).count();
        let is_lost = self.is_switched && marked > 0;
        is_lost.then(|| {
            let of = page.entries.len();
            format!("Ignored: {marked} of {of}. Paths have no marks; --view table has them.\n")
        })
    }

    /// What standard error says of a reply whose text has rows only; nothing when the rows are all
    /// there is.
    fn lost_frame(self, page: &Page) -> Option<String> {
        let has_rows_only = matches!(self.shape, Shape::Paths | Shape::Entries | Shape::Null);
        let is_plain = !page.truncated
            && !page.drifted
            && page.changes.is_none()
            && page.chat.is_none()
            && page.omitted.is_empty()
            && page.warnings_total == 0
            && page.notices.is_empty();
        if !has_rows_only || is_plain {
            return None;
        }
        let head = render::head(page);
        let drift = head.lines().find(|line| page.drifted && line.starts_with("DRIFTED"));
        let drift = drift.map(|line| format!("{line}\n")).unwrap_or_default();
        Some(drift + &render::foot(page))
    }
}

/// The reply as one JSON object without its entries.
fn rest_of_reply(page: &Page) -> String {
    let mut reply = serde_json::to_value(page).expect("a page has only string keys");
    if let Value::Object(fields) = &mut reply {
        fields.shift_remove("entries");
    }
    quote::printable_json(reply.to_string())
}
