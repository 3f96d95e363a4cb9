//! Replies that a host has read from somewhere and shows: no number in them is to be relied upon.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trilist::{Cancel, CompareRequest, ListRequest, Mode, OverviewRequest, Page, View, render};
use trilist_tests::TreeBuilder;

use crate::harness::{ask, lister};

/// Hands out the reply with each of its numbers replaced, one after another and all at once.
fn with_other_numbers<T: DeserializeOwned>(reply: &Value, show: &dyn Fn(T)) {
    let mut places = Vec::new();
    numbers(reply, &mut String::new(), &mut places);
    assert!(places.len() > 5, "{places:?}");
    let mut shown = 0;
    for other in [0, 1, u64::from(u32::MAX), u64::MAX] {
        let mut all = reply.clone();
        for place in &places {
            let mut one = reply.clone();
            *one.pointer_mut(place).unwrap() = json!(other);
            // A number of fewer bits is refused by who reads it.
            if let Ok(forged) = serde_json::from_value(one) {
                show(forged);
                shown += 1;
                *all.pointer_mut(place).unwrap() = json!(other);
            }
        }
        show(serde_json::from_value(all).unwrap());
    }
    assert!(shown > places.len(), "{shown} of {} times 4", places.len());
}

/// Where the numbers are. What is no number can be one, where it is not known.
fn numbers(value: &Value, at: &mut String, places: &mut Vec<String>) {
    let length = at.len();
    match value {
        Value::Number(_) | Value::Null => places.push(at.clone()),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| {
            at.push_str(&format!("/{index}"));
            numbers(item, at, places);
            at.truncate(length);
        }),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            at.push_str(&format!("/{name}"));
            numbers(field, at, places);
            at.truncate(length);
        }),
        _ => {}
    }
}

/// What each of these tells is full: rows, cuts, rules, warnings, changes.
fn tree() -> trilist_tests::Tree {
    TreeBuilder::new()
        .file(".ignore", "*.log\n*.tmp\n")
        .file("a.log", "")
        .file("b.tmp", "")
        .file("d/e/f", "")
        .file("d/[", "")
        .file("d/.ignore", "[\n")
        .symlink("l", "d/e/f")
        .file("y/g", "")
        .file("z", "")
        .build()
}

#[test]
fn pages_are_shown_whatever_numbers_they_hold() {
    let tree = tree();
    let lister = lister(tree.path());
    let cancel = Cancel::new();
    let first =
        ListRequest { limit: Some(2), metadata: true, count: true, ..ask(Mode::Files, ".") };
    let first = lister.list(&first, &cancel).unwrap();
    assert!(first.truncated && !first.omitted.is_empty() && !first.not_reached.is_empty());
    let next =
        ListRequest { cursor: first.next_cursor.clone(), ..ListRequest::new(Mode::Files, ".") };
    let last = lister.list(&next, &cancel).unwrap();
    let pinned = ListRequest { pin: true, ..ask(Mode::Fs, ".") };
    let pinned = lister.list(&pinned, &cancel).unwrap();
    std::fs::remove_file(tree.join("z")).unwrap();
    std::fs::rename(tree.join("b.tmp"), tree.join("c.tmp")).unwrap();
    let since = ListRequest { since: Some(pinned.snapshot_id.clone()), ..ask(Mode::Fs, ".") };
    let since = lister.list(&since, &cancel).unwrap();
    assert!(since.changes.is_some());
    for page in [first, last, pinned, since] {
        with_other_numbers(&serde_json::to_value(&page).unwrap(), &|forged: Page| {
            for view in [View::Tree, View::Drawn, View::Table, View::Paths, View::Entries] {
                let text = render::text(&forged, view);
                assert!(text.ends_with('\n'), "{text}");
            }
            assert!(render::json(&forged).starts_with('{'));
        });
    }
}

#[test]
fn comparisons_and_overviews_are_shown_whatever_numbers_they_hold() {
    let tree = tree();
    let (lister, cancel) = (lister(tree.path()), Cancel::new());
    let compared = CompareRequest { limit: Some(2), ..CompareRequest::new(".") };
    let compared = lister.compare(&compared, &cancel).unwrap();
    assert!(compared.truncated);
    with_other_numbers(&serde_json::to_value(&compared).unwrap(), &|forged| {
        assert!(render::comparison(&forged).ends_with('\n'));
        assert!(render::comparison_html(&forged).contains("</html>"));
    });
    // More than there is room for.
    (0..200).for_each(|n| std::fs::write(tree.join(format!("y/{n}")), "").unwrap());
    let all = OverviewRequest::new(Mode::Fs, ".");
    let small = OverviewRequest { max_bytes: Some(1_024), ..OverviewRequest::new(Mode::Fs, ".") };
    for request in [all, small] {
        let overview = lister.overview(&request, &cancel).unwrap();
        with_other_numbers(&serde_json::to_value(&overview).unwrap(), &|forged| {
            assert!(render::overview(&forged).ends_with('\n'));
        });
    }
}
