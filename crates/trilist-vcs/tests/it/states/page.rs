//! The page of the documentation names these states, and no others.

use std::collections::BTreeSet;
use std::fs;

use trilist_tests::workspace;

use super::{all, faulty};

/// The rows of the table below a heading: its first two cells.
fn rows(heading: &str) -> Vec<(String, String)> {
    let page =
        fs::read_to_string(workspace().join("docs/modes/vcs.md")).expect("the page is there");
    let start = page.find(&format!("\n## {heading}\n")).expect("the heading is there");
    let section = page[start + 1..].split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|line| line.starts_with("| ")).skip(2);
    lines
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
            (cells.next().unwrap_or_default(), cells.next().unwrap_or_default())
        })
        .collect()
}

#[test]
fn the_page_names_the_states_that_are_tested() {
    let on_page: Vec<_> = rows("What is listed").into_iter().map(|(state, _)| state).collect();
    let mut tested: Vec<_> = all().iter().map(|state| state.name.to_owned()).collect();
    tested.dedup();
    assert_eq!(on_page.iter().collect::<BTreeSet<_>>().len(), on_page.len(), "each once");
    let sorted = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(sorted(&on_page), sorted(&tested));
}

#[test]
fn the_page_says_what_is_printed() {
    let gaps = faulty::gaps();
    let gaps: Vec<_> = gaps.iter().map(|gap| (gap.name.into(), gap.message.into())).collect();
    assert_eq!(rows("Listed with a gap"), gaps);
    assert!(faulty::gaps().iter().all(|gap| gap.code.name() == "vcs_index_invalid"));
    let refusals = faulty::refusals();
    let refusals: Vec<_> = refusals.iter().map(|one| (one.name.into(), one.said.into())).collect();
    assert_eq!(rows("Not listed"), refusals);
}
