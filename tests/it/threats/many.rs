//! Very many, very long, very unreadable.

use std::fs;

use trilist::{ListRequest, Mode, TruncatedBy, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::again::as_ordinary_user;
use crate::harness::{ask, lister, page, pages_by_cursor, whole};

#[test]
fn t34_long_names_are_cut_between_entries() {
    let tree = Tree::empty();
    for number in 0..1_000 {
        fs::write(tree.join(format!("{number:04}{}", "x".repeat(251))), "").unwrap();
    }
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { max_bytes: Some(65_536), limit: Some(1_000), ..ask(mode, ".") };
        let pages = pages_by_cursor(&lister, &request);
        assert!(pages.len() > 4, "{}", pages.len());
        assert_eq!(pages.iter().map(|page| page.returned).sum::<u64>(), 1_000);
        for cut in &pages[..pages.len() - 1] {
            assert_eq!(cut.truncated_by, Some(TruncatedBy::Budget));
            let text = render::text(cut, View::Tree);
            assert!(text.starts_with("CUT by the byte budget after "), "{}", &text[..80]);
            assert!(text.len() <= 65_536 && render::json(cut).len() <= 65_536);
            // Not wasteful either.
            assert!(render::json(cut).len() > 50_000);
        }
    }
}

#[test]
fn t36_a_flood_of_warnings_is_counted() {
    if !as_ordinary_user(module_path!(), "t36_a_flood_of_warnings_is_counted") {
        return;
    }
    let shut: Vec<String> = (0..2_000).map(|number| format!("d{number:04}")).collect();
    let tree = shut.iter().fold(TreeBuilder::new(), |tree, dir| tree.dir(dir).chmod(dir, 0o000));
    let tree = tree.file("z", "").build();
    let deep = ListRequest { limit: Some(5_000), depth: Some(3), ..ask(Mode::Fs, ".") };
    let page = page(&lister(tree.path()), &deep);
    assert_eq!((page.returned, page.warnings.len(), page.warnings_total), (2_001, 100, 2_000));
    assert!(!page.complete);
    let text = render::text(&page, View::Tree);
    assert!(text.contains("\nWarning: and 1900 more warnings\n"), "{text}");
    assert!(render::json(&page).len() < 1 << 20);
}

#[test]
fn t36_a_gap_behind_a_hundred_notes_is_still_a_gap() {
    if !as_ordinary_user(module_path!(), "t36_a_gap_behind_a_hundred_notes_is_still_a_gap") {
        return;
    }
    let tree = TreeBuilder::new()
        .file(".ignore", "a{\n".repeat(150))
        .file("shut/x", "")
        .chmod("shut", 0o000)
        .build();
    let page = whole(&lister(tree.path()), &ask(Mode::Files, "."));
    assert!(page.warnings.iter().all(|warning| !warning.gap) && page.warnings_total > 100);
    assert!(!page.complete);
    let text = render::text(&page, View::Tree);
    assert!(text.contains("1 entry, INCOMPLETE"), "{text}");
}
