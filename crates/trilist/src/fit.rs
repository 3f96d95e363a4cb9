//! Making a page that fits its byte budget.

use trilist_core::{ListError, ListRequest, Page};

use crate::render;

/// Bytes of a reply that are kept for everything but entries and warnings.
const RESERVED_BYTES: usize = 1536;

/// The page that `make` gives for a number of bytes for its entries; made again with fewer, where
/// what stands around the entries was longer than was set aside for it. Entries have half of the
/// budget before anything that may be told in part: that gives way first.
///
/// # Errors
///
/// As `make`.
pub(crate) fn fitting(
    request: &ListRequest,
    max_bytes: Option<usize>,
    make: &mut dyn FnMut(Option<usize>) -> Result<Page, ListError>,
) -> Result<Page, ListError> {
    let Some(most) = max_bytes else { return make(None) };
    let half = most / 2;
    let mut bytes = most.saturating_sub(RESERVED_BYTES).max(half);
    loop {
        let mut page = make(Some(bytes))?;
        let Some(over) = overrun(request, most, &mut page) else { return Ok(page) };
        if bytes > half {
            bytes = bytes.saturating_sub(over + 64).max(half);
            continue;
        }
        match shortened(request, most, &mut page, over) {
            Some(over) if page.returned > 1 => bytes = bytes.saturating_sub(over + 64),
            _ => return Ok(page),
        }
    }
}

/// By how many bytes the reply is longer than allowed.
fn overrun(request: &ListRequest, most: usize, page: &mut Page) -> Option<usize> {
    // Most pages are far from their bound, and writing one twice more costs as much as listing it.
    let rows = rows_at_most(page);
    if rows + around_at_most(page) <= most || rows + around(page) <= most {
        return None;
    }
    let text = render::text(page, render::default_view(request)).len();
    let json = render::json(page).len();
    text.max(json).checked_sub(most).filter(|over| *over > 0)
}

/// Leaves out what may be told in part until the reply is no longer than allowed; by how much it
/// still is, when nothing more can give way.
fn shortened(
    request: &ListRequest,
    most: usize,
    page: &mut Page,
    mut over: usize,
) -> Option<usize> {
    while give_way(page, over) {
        over = overrun(request, most, page)?;
    }
    Some(over)
}

/// Leaves out about so many bytes, the least needed first; whether there was anything.
fn give_way(page: &mut Page, bytes: usize) -> bool {
    let mut saved = 0;
    while saved < bytes
        && let Some(less) = give_one_way(page)
    {
        saved += less;
    }
    saved > 0
}

/// Leaves out one directory that was not reached, or else an example or a rule of what was left
/// out: counts stay, and tell that there are more. Says how many bytes it took at the least.
fn give_one_way(page: &mut Page) -> Option<usize> {
    // Quotes or a slash, and a comma.
    const AROUND: usize = 3;
    if let Some(name) = page.not_reached.pop() {
        return Some(name.len() + AROUND);
    }
    let example = page.omitted.iter_mut().rev().find_map(|omission| omission.examples.pop());
    if let Some(example) = example {
        return Some(example.len() + AROUND);
    }
    let rule = page.omitted.iter_mut().rev().find_map(|omission| omission.rules.pop())?;
    Some(rule.source.len() + rule.pattern.len() + AROUND)
}

/// No fewer bytes than the rows take in any form.
fn rows_at_most(page: &Page) -> usize {
    page.entries.iter().map(render::cost_at_most).sum()
}

/// No fewer bytes than stand around the rows in any form, without writing them.
fn around_at_most(page: &Page) -> usize {
    // The names of all fields, their numbers, and the sentences around the rows.
    const WORDS: usize = 1024;
    // The same of one thing in a list.
    const ITEM: usize = 160;
    // In JSON a character that is not shown raw has six bytes. In text a name stands twice at most,
    // with two bytes for one.
    const LONGER: usize = 6;
    let Page { omitted, warnings, not_reached, notices, next_cursor, .. } = page;
    let rules = omitted.iter().flat_map(|omission| &omission.rules);
    let texts = [&page.root, &page.path, &page.snapshot_id].into_iter();
    let texts = texts.chain(next_cursor).chain(not_reached).chain(notices);
    let texts = texts.chain(warnings.iter().flat_map(|warning| [&warning.path, &warning.message]));
    let texts = texts.chain(omitted.iter().flat_map(|omission| &omission.examples));
    let texts = texts.chain(rules.flat_map(|rule| [&rule.source, &rule.pattern]));
    let texts: usize = texts.map(|text| ITEM + LONGER * text.len()).sum();
    let others = [
        page.request.as_ref().map(render::length),
        page.chat.as_ref().map(render::length),
        page.changes.as_ref().map(render::length),
    ];
    let others: usize = others.into_iter().flatten().sum();
    WORDS + ITEM * omitted.len() + texts + LONGER * others
}

/// The bytes of what stands around the rows, in the larger of text and JSON.
fn around(page: &mut Page) -> usize {
    let entries = std::mem::take(&mut page.entries);
    let text = render::head(page).len() + render::foot(page).len();
    let json = render::json(page).len();
    page.entries = entries;
    text.max(json)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use trilist_core::Page;

    use super::{around, around_at_most};

    /// A page that has as much as can be around its rows.
    fn page(text: &str, times: usize) -> Page {
        let all = |item: Value| Value::from(vec![item; times]);
        let rule = json!({ "source": text, "line": u32::MAX, "pattern": text, "count": u64::from(u32::MAX) });
        let omitted = json!({
            "reason": "outside_root",
            "count": u64::MAX,
            "examples": vec![text; 5],
            "rules": vec![rule; 5],
        });
        let warning = json!({
            "path": text,
            "code": "ignore_pattern_invalid",
            "gap": true,
            "message": text,
        });
        let page = json!({
            "root": text,
            "path": text,
            "mode": "files",
            "entries": [],
            "returned": 0,
            "total": null,
            "at_least": 0,
            "complete": false,
            "truncated": true,
            "truncated_by": "budget",
            "next_cursor": text,
            "next_offset": u64::MAX,
            "not_reached": all(text.into()),
            "omitted": all(omitted),
            "warnings": all(warning),
            "warnings_total": u64::MAX,
            "gaps": u64::MAX,
            "snapshot_id": "0123456789abcdef0123456789abcdef",
            "drifted": true,
            "pinned": true,
            "summary": { "files": 0, "dirs": 0, "symlinks": 0, "other": 0 },
            "request": { "mode": "files", "path": text, "pattern": vec![text; times] },
            "notices": all(text.into()),
        });
        serde_json::from_value(page).expect("a page")
    }

    #[test]
    fn what_stands_around_the_rows_is_bounded_without_writing_it() {
        let texts =
            ["", "a", "a, (b): `c`. d", "\u{7f}", "\u{1}", "\"", "\\", "\u{202e}", "\u{e0041}"];
        for text in texts {
            for (long, times) in [(1, 0), (1, 1), (40, 3), (400, 50)] {
                let mut page = page(&text.repeat(long), times);
                let most = around_at_most(&page);
                let written = around(&mut page);
                assert!(written <= most, "{text:?} {long} {times}: {written} of {most}");
            }
        }
    }
}
