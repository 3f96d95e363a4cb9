//! Asking a lister and writing down what it answers, so that cases survive a change of the API.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use trilist::{
    Cancel, Contents, Entry, Kind, ListError, ListRequest, Lister, Mode, Page, Policy, StreamItem,
    View, render,
};
use trilist_tests::Tree;

/// The modes of this build.
pub(crate) const MODES: &[Mode] = &[Mode::Fs, Mode::Files, Mode::Vcs];

/// What is right about a whole listing, in the notation of [`row`], [`omitted`] and [`warned`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Right<'a> {
    rows: &'a [&'a str],
    omitted: &'a [&'a str],
    warned: &'a [&'a str],
}

impl<'a> Right<'a> {
    /// These rows, nothing left out, nothing to warn of.
    pub(crate) fn rows(rows: &'a [&'a str]) -> Self {
        Right { rows, ..Right::default() }
    }

    /// And this left out.
    pub(crate) fn omitted(self, omitted: &'a [&'a str]) -> Self {
        Right { omitted, ..self }
    }

    /// And these warnings.
    pub(crate) fn warned(self, warned: &'a [&'a str]) -> Self {
        Right { warned, ..self }
    }
}

/// Asserts that the whole listing is right; see [`Right`].
#[track_caller]
pub(crate) fn check(tree: &Tree, request: &ListRequest, right: Right<'_>) {
    check_with(&lister(tree.path()), request, right);
}

/// As [`check`], of a lister with a policy of its own.
#[track_caller]
pub(crate) fn check_with(lister: &Lister, request: &ListRequest, right: Right<'_>) {
    let page = whole(lister, request);
    let context = format!("{request:?}\n{}", render::text(&page, View::Tree));
    assert_eq!(rows(&page), right.rows, "rows of {context}");
    assert_eq!(omitted(&page), right.omitted, "left out by {context}");
    assert_eq!(warned(&page), right.warned, "warnings of {context}");
    let gaps = page.warnings.iter().any(|warning| warning.gap);
    assert_eq!(page.complete, !gaps, "completeness of {context}");
    clean(&page);
}

/// Asserts the stable code of a failed listing, and that its message is fit to be shown.
#[track_caller]
pub(crate) fn check_error(tree: &Tree, request: &ListRequest, code: &str) -> ListError {
    let error = match lister(tree.path()).list(request, &Cancel::new()) {
        Ok(page) => panic!("no error but {}", render::text(&page, View::Tree)),
        Err(error) => error,
    };
    assert_eq!(error.code(), code, "{error}");
    let reply = serde_json::to_string(&error.reply()).unwrap();
    assert_clean(&reply);
    error
}

/// A lister with one root.
pub(crate) fn lister(root: &Path) -> Lister {
    Lister::open(&[root], policy()).unwrap()
}

/// Test machines may be slow, and no test here is about time.
pub(crate) fn policy() -> Policy {
    Policy {
        max_limit: 1_000_000,
        default_deadline_ms: 60_000,
        max_deadline_ms: 600_000,
        ..Policy::default()
    }
}

/// The plain request.
pub(crate) fn ask(mode: Mode, path: &str) -> ListRequest {
    ListRequest::new(mode, path)
}

/// Everything on disk: no limit of depth, hidden names, no layer.
pub(crate) fn everything(path: &str) -> ListRequest {
    let mut request = ask(Mode::Fs, path);
    request.depth = Some(trilist::MAX_DEPTH);
    request.include_hidden = Some(true);
    request.ignore = trilist::IgnorePolicy::none();
    request
}

/// The whole listing as one page.
#[track_caller]
pub(crate) fn whole(lister: &Lister, request: &ListRequest) -> Page {
    let mut request = request.clone();
    // Other orders hold no more.
    request.limit.get_or_insert(100_000);
    page(lister, &request)
}

/// One page as asked.
#[track_caller]
pub(crate) fn page(lister: &Lister, request: &ListRequest) -> Page {
    match lister.list(request, &Cancel::new()) {
        Ok(page) => page,
        Err(error) => panic!("{request:?}: {error}"),
    }
}

/// All pages, each from the cursor of the one before.
#[track_caller]
pub(crate) fn pages_by_cursor(lister: &Lister, request: &ListRequest) -> Vec<Page> {
    let mut request = request.clone();
    let mut pages = Vec::new();
    loop {
        let next = page(lister, &request);
        request.cursor = next.next_cursor.clone();
        assert_eq!(next.truncated, next.next_cursor.is_some());
        pages.push(next);
        assert!(pages.len() < 3_000, "{request:?} goes on for ever");
        if request.cursor.is_none() {
            return pages;
        }
    }
}

/// All pages, each from the offset that the one before names.
#[track_caller]
pub(crate) fn pages_by_offset(lister: &Lister, request: &ListRequest) -> Vec<Page> {
    let mut request = request.clone();
    let mut pages = Vec::new();
    loop {
        let next = page(lister, &request);
        request.offset = next.next_offset;
        pages.push(next);
        assert!(pages.len() < 3_000, "{request:?} goes on for ever");
        if request.offset.is_none() {
            return pages;
        }
    }
}

/// The rows of a stream, and the reply that ends it.
pub(crate) fn streamed(lister: &Lister, request: &ListRequest) -> (Vec<Entry>, Page) {
    let mut entries = Vec::new();
    let mut each = |item: StreamItem<'_>| {
        if let StreamItem::Entry(entry) = item {
            entries.push(Entry::of(entry));
        }
        ControlFlow::Continue(())
    };
    let page = lister.stream(request, &Cancel::new(), &mut each).unwrap();
    (entries, page)
}

/// The entries in one line each: the path as shown, `/` for a directory, `@` for a link, `?` for
/// what is neither file, then why it was not entered or shows nothing, and the rule that ignores it.
pub(crate) fn rows(page: &Page) -> Vec<String> {
    page.entries.iter().map(row).collect()
}

/// See [`rows`].
pub(crate) fn row(entry: &Entry) -> String {
    let kind = match entry.kind {
        Kind::Dir => "/",
        Kind::Symlink => "@",
        Kind::Other => "?",
        Kind::Submodule => "/ submodule",
        Kind::File => "",
    };
    let skipped = entry.skipped.map_or(String::new(), |skip| format!(" {}", skip.name()));
    let contents = match entry.contents {
        None => "",
        Some(Contents::Empty) => " empty",
        Some(Contents::Omitted) => " all-omitted",
        Some(Contents::Unreadable) => " unreadable",
    };
    let ignored = entry.ignored_by.as_ref().map_or(String::new(), |rule| {
        format!(" ignored {}:{} {}", rule.source, rule.line, rule.pattern)
    });
    format!("{}{kind}{skipped}{contents}{ignored}", entry.path)
}

/// The paths of a page as shown.
pub(crate) fn paths(page: &Page) -> Vec<&str> {
    page.entries.iter().map(|entry| entry.path.as_str()).collect()
}

/// What was left out in one line per reason: its name, the count, the first examples.
pub(crate) fn omitted(page: &Page) -> Vec<String> {
    let line = |one: &trilist::Omission| {
        format!("{} {}: {}", one.reason.name(), one.count, one.examples.join(" "))
    };
    page.omitted.iter().map(line).collect()
}

/// The warnings in one line each: code, path, and whether entries may be missing.
pub(crate) fn warned(page: &Page) -> Vec<String> {
    let line = |one: &trilist::Warning| {
        format!("{} {}{}", one.code.name(), one.path, if one.gap { " gap" } else { "" })
    };
    page.warnings.iter().map(line).collect()
}

/// How often each reason and each warning occurs over some pages.
pub(crate) fn sums(pages: &[Page]) -> (BTreeMap<&'static str, u64>, Vec<String>, u64) {
    let mut reasons = BTreeMap::new();
    for omission in pages.iter().flat_map(|page| &page.omitted) {
        *reasons.entry(omission.reason.name()).or_default() += omission.count;
    }
    let told = pages.iter().flat_map(warned).collect();
    (reasons, told, pages.iter().map(|page| page.warnings_total).sum())
}

/// Asserts that no channel of a page holds a character that changes how it reads unseen.
#[track_caller]
pub(crate) fn clean(page: &Page) {
    for view in [View::Tree, View::Paths, View::Entries, View::Table, View::Drawn] {
        assert_clean(&render::text(page, view));
    }
    let json = render::json(page);
    assert_clean(&json);
    let mut reply: serde_json::Value = serde_json::from_str(&json).unwrap();
    // What was asked stands there as it was asked, to be asked again.
    reply.as_object_mut().unwrap().remove("request");
    strings(&reply, &mut |text| assert_clean(text));
}

fn strings(value: &serde_json::Value, each: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => each(text),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, each)),
        serde_json::Value::Object(fields) => fields.values().for_each(|item| strings(item, each)),
        _ => {}
    }
}

#[track_caller]
pub(crate) fn assert_clean(text: &str) {
    let bad = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(*c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    if let Some(found) = text.chars().find(bad) {
        panic!("{found:?} in {text:?}");
    }
}
