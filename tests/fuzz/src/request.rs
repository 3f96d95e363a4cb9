//! Requests from outside.

use std::time::Duration;

use trilist::{Cancel, ListRequest, Page, PathArg, Sort, View, quote, render};

use crate::choices::Choices;
use crate::path::{Fixed, check_error, with_fixed};
use crate::quote::assert_visible;

const FIELDS: &[&[u8]] = &[
    b"\"mode\":",
    b"\"path\":",
    b"\"depth\":",
    b"\"limit\":",
    b"\"offset\":",
    b"\"cursor\":",
    b"\"count\":",
    b"\"include_hidden\":",
    b"\"follow_symlinks\":",
    b"\"same_filesystem\":",
    b"\"ignore\":",
    b"\"kinds\":",
    b"\"pattern\":",
    b"\"sort\":",
    b"\"reverse\":",
    b"\"subtree\":",
    b"\"metadata\":",
    b"\"max_bytes\":",
    b"\"view\":",
    b"\"what\":",
];

const VALUES: &[&[u8]] = &[
    b"1",
    b"true",
    b"2",
    b"false",
    b"null",
    b"\"fs\"",
    b"\"files\"",
    b"\"vcs\"",
    b"\".\"",
    b"\"sub\"",
    b"\"repo\"",
    b"\"link-in\"",
    b"\"link-out\"",
    b"\"../outside\"",
    b"0",
    b"-1",
    b"4096",
    b"4097",
    b"1024",
    b"1e3",
    b"18446744073709551615",
    b"18446744073709551616",
    b"[\"*\"]",
    b"[\"file\"]",
    b"[\"dir\"]",
    b"[\"submodule\",\"symlink\"]",
    b"[\"s*\",\"**/x\"]",
    b"[]",
    b"{}",
    b"[\"[\"]",
    b"\"size\"",
    b"\"modified\"",
    b"\"kind\"",
    b"\"paths\"",
    b"\"entries\"",
    b"{\"builtin\":false,\"git\":true}",
    b"{\"patterns\":[\"sub/\"]}",
    b"{\"keep\":[\"*.log\"],\"dot_ignore\":true}",
    b"{\"aiderignore\":[\"../x\",\".git\"]}",
    b"{\"aiderignore\":[\"sub/.gitignore\"]}",
    b"{\"tool_files\":[\".gitignore\",\"../x\"]}",
    b"{\"show\":\"mark\",\"git\":true}",
    b"\"odd\\nname\"",
    b"\"\\ud800\"",
    b"\"c1.AAAA\"",
    b"\"\\u0000\"",
    b"[[[[[[[[]]]]]]]]",
];

/// Takes the bytes as a request's JSON, or makes some. A request that is read is written and read
/// again, then answered over a small fixed tree: its page keeps what every page promises, and its
/// cursor goes on behind it.
///
/// # Panics
///
/// When one of these does not hold.
pub fn request(data: &[u8]) {
    let mut choices = Choices::new(data);
    let text = match choices.below(4) {
        3 => String::from_utf8_lossy(choices.rest()).into_owned(),
        _ => json(&mut choices),
    };
    let Ok(mut request) = serde_json::from_str::<ListRequest>(&text) else { return };
    check_written(&request);
    // So that what the machine does meanwhile makes no difference.
    request.deadline_ms = None;
    with_fixed(|fixed| {
        if !fixed.place.is_known_to(data) {
            answer(fixed, request);
        }
    });
}

/// A request as JSON, mostly one that is read.
pub(crate) fn json(choices: &mut Choices<'_>) -> String {
    let mut text = b"{".to_vec();
    if !choices.one_in(16) {
        text.extend_from_slice(b"\"mode\":");
        text.extend_from_slice(choices.pick(&[&b"\"fs\""[..], b"\"files\"", b"\"vcs\""]));
    }
    for _ in 0..choices.below(6) {
        text.push(b',');
        text.extend_from_slice(choices.pick(FIELDS));
        text.extend_from_slice(choices.pick(VALUES));
    }
    text.push(b'}');
    if choices.one_in(8) {
        choices.damage(&mut text);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Writing changes at most the spelling of the path, and that once.
fn check_written(request: &ListRequest) {
    let text = serde_json::to_string(request).expect("it can be written");
    let again: ListRequest = serde_json::from_str(&text).expect("it was written");
    let text_again = serde_json::to_string(&again).expect("it can be written");
    assert_eq!(text, text_again);
    assert_eq!(meant(request), meant(&again));
}

/// The request with its path as bytes.
pub(crate) fn meant(request: &ListRequest) -> ListRequest {
    let path = request.path.as_bytes();
    let path = quote::unquoted(path).unwrap_or_else(|| path.to_vec());
    ListRequest { path: PathArg::from(path), ..request.clone() }
}

fn answer(fixed: &Fixed, request: ListRequest) {
    let Fixed { place, lister, .. } = fixed;
    let cancel = Cancel::new().with_deadline(Duration::from_secs(5));
    let page = match lister.list(&request, &cancel) {
        Ok(page) => page,
        Err(error) => return check_error(place, &error),
    };
    check_page(fixed, &request, &page);
    let Some(cursor) = page.next_cursor.clone() else { return };
    let next = ListRequest { cursor: Some(cursor), offset: None, ..request };
    match lister.list(&next, &cancel) {
        Ok(more) => {
            check_page(fixed, &next, &more);
            let (last, first) = (page.entries.last(), more.entries.first());
            if let (Sort::Path, false, Some(last), Some(first)) =
                (next.sort, next.reverse, last, first)
            {
                assert!(bytes(&last.path) < bytes(&first.path), "{} {}", last.path, first.path);
            }
        }
        Err(error) => panic!("{}: the page's own cursor: {error}", error.code()),
    }
}

fn check_page(fixed: &Fixed, request: &ListRequest, page: &Page) {
    assert_eq!(page.entries.len() as u64, page.returned);
    assert!(page.entries.len() <= request.limit.unwrap_or(100) as usize);
    assert!(!(page.complete && page.truncated));
    assert_eq!(page.truncated, page.truncated_by.is_some());
    for entry in &page.entries {
        assert_visible(&entry.path);
        crate::index::check_shown(&bytes(&entry.path));
    }
    if request.sort == Sort::Path && !request.reverse {
        let in_order = |two: &[trilist::Entry]| bytes(&two[0].path) < bytes(&two[1].path);
        assert!(page.entries.windows(2).all(in_order));
    }
    let json = render::json(page);
    fixed.place.assert_tells_nothing(&json);
    serde_json::from_str::<serde_json::Value>(&json).expect("it is JSON");
    for view in [View::Tree, View::Paths, View::Entries, View::Table, View::Drawn] {
        let text = render::text(page, view);
        fixed.place.assert_tells_nothing(&text);
        text.lines().for_each(assert_visible);
    }
    if let Some(most) = request.max_bytes {
        let is_small = json.len() <= most as usize;
        assert!(is_small || page.entries.len() <= 1, "{} bytes, not {most}", json.len());
    }
}

fn bytes(shown: &str) -> Vec<u8> {
    quote::unquoted(shown.as_bytes()).unwrap_or_else(|| shown.as_bytes().to_vec())
}
