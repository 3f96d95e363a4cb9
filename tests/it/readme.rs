//! The table in the README is true of its tree.

use trilist::Page;
use trilist_tests::{Tree, workspace};

use crate::harness::{MODES, ask, lister, whole};

#[test]
fn the_table_of_the_modes_is_true() {
    let tree = Tree::build("readme");
    let lister = lister(tree.path());
    let pages: Vec<Page> = MODES.iter().map(|mode| whole(&lister, &ask(*mode, "."))).collect();
    let rows = table();
    assert!(rows.len() >= 10, "the table was not found");
    for (path, cells) in &rows {
        for (page, cell) in pages.iter().zip(cells) {
            assert_eq!(&said(page, path), cell, "{path} in mode {}", page.mode);
        }
    }
    // And nothing is listed that the table does not have.
    for page in &pages {
        for entry in &page.entries {
            let has = |(path, _): &&(String, [String; 3])| path.trim_end_matches('/') == entry.path;
            assert!(rows.iter().any(|row| has(&row)), "{} in mode {}", entry.path, page.mode);
        }
    }
}

/// What a page says of a path, in the words of the table.
fn said(page: &Page, path: &str) -> String {
    let name = path.trim_end_matches('/');
    if let Some(entry) = page.entries.iter().find(|entry| entry.path == name) {
        return if entry.skipped.is_some() { "row, not entered" } else { "row" }.to_owned();
    }
    let left_out = page.omitted.iter().find(|omission| omission.examples.iter().any(|e| e == path));
    left_out.map_or(String::new(), |omission| format!("counted: {}", omission.reason.name()))
}

/// The rows of the README's second table: the path, and a cell for each mode.
fn table() -> Vec<(String, [String; 3])> {
    let text = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let head = "| path | what it is | `fs` | `files` | `vcs` |";
    let lines = text.lines().skip_while(|line| *line != head).skip(2);
    lines.take_while(|line| line.starts_with('|')).map(row).collect()
}

fn row(line: &str) -> (String, [String; 3]) {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, path, _, fs, files, vcs, _] = cells[..] else {
        panic!("a row of another width: {line}")
    };
    (path.trim_matches('`').to_owned(), [fs, files, vcs].map(str::to_owned))
}
