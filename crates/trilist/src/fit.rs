//! Making a page that fits its byte budget.

use trilist_core::{ListError, ListRequest, Page};

use crate::render;

/// Bytes of a reply that are kept for everything but entries and warnings.
const RESERVED_BYTES: usize = 1536;

/// The page that `make` gives for a number of bytes for its entries; made again with fewer, where
/// what stands around the entries was longer than was set aside for it.
///
/// # Errors
///
/// As `make`.
pub(crate) fn fitting(
    request: &ListRequest,
    max_bytes: Option<usize>,
    make: &mut dyn FnMut(Option<usize>) -> Result<Page, ListError>,
) -> Result<Page, ListError> {
    let mut bytes = max_bytes.map(|bytes| bytes.saturating_sub(RESERVED_BYTES));
    loop {
        let mut page = make(bytes)?;
        match overrun(request, max_bytes, &mut page) {
            None => return Ok(page),
            Some(over) => bytes = bytes.map(|bytes| bytes.saturating_sub(over + 64)),
        }
    }
}

/// By how many bytes the reply is longer than allowed, unless it has a single entry.
fn overrun(request: &ListRequest, max_bytes: Option<usize>, page: &mut Page) -> Option<usize> {
    let most = max_bytes.filter(|_| page.returned > 1)?;
    // Most pages are far from their bound, and writing one twice more costs as much as listing it.
    if rows_at_most(page) + around(page) <= most {
        return None;
    }
    let text = render::text(page, render::default_view(request)).len();
    let json = render::json(page).len();
    text.max(json).checked_sub(most).filter(|over| *over > 0)
}

/// No fewer bytes than the rows take in any form.
fn rows_at_most(page: &Page) -> usize {
    page.entries.iter().map(render::cost_at_most).sum()
}

/// The bytes of what stands around the rows, in the larger of text and JSON.
fn around(page: &mut Page) -> usize {
    let entries = std::mem::take(&mut page.entries);
    let text = render::head(page).len() + render::foot(page).len();
    let json = render::json(page).len();
    page.entries = entries;
    text.max(json)
}
