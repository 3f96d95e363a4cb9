//! Writing one page.

use trilist::{Page, View, render};

use super::{Layout, Shape, colour, rest_of_reply, stdout};
use crate::failure::{self, Failure};

/// Writes a page, and what there is to know about it.
///
/// # Errors
///
/// [`Failure::Output`] when standard output cannot be written.
pub(crate) fn page(layout: Layout, page: &Page) -> Result<(), Failure> {
    stdout::write_all(&rendered(layout, page)).map_err(Failure::Output)?;
    if let Some(notices) = layout.notices(page) {
        failure::notice(&notices);
    }
    Ok(())
}

fn rendered(layout: Layout, page: &Page) -> Vec<u8> {
    let text = match layout.shape {
        Shape::Null => return null(page),
        Shape::Tree if layout.colour => coloured_tree(page),
        Shape::Tree => render::text(page, View::Tree),
        Shape::Paths if layout.colour => coloured_paths(page),
        Shape::Paths => render::rows(page, View::Paths),
        Shape::Table => render::text(page, View::Table),
        Shape::Drawn => render::text(page, View::Drawn),
        Shape::Entries => render::rows(page, View::Entries),
        Shape::Json => render::json(page) + "\n",
        Shape::JsonLines => render::rows(page, View::Entries) + &rest_of_reply(page) + "\n",
    };
    text.into_bytes()
}

fn null(page: &Page) -> Vec<u8> {
    page.entries.iter().flat_map(|entry| [entry.bytes(), b"\0"].concat()).collect()
}

fn coloured_tree(page: &Page) -> String {
    let mut out = render::head(page);
    colour::tree(&render::rows(page, View::Tree), &mut out);
    out.push_str(&render::foot(page));
    out
}

fn coloured_paths(page: &Page) -> String {
    let mut out = String::new();
    let rows = render::rows(page, View::Paths);
    for (line, entry) in rows.lines().zip(&page.entries) {
        colour::path(line, entry.kind, &mut out);
    }
    out
}
