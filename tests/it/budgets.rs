//! What a page has in its bytes when they are few.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use trilist::{ListRequest, Lister, Mode, Page, View, render};
use trilist_tests::Tree;

use crate::harness::{ask, lister, page, pages_by_cursor, paths, sums, whole};

fn length(page: &Page) -> usize {
    render::json(page).len().max(render::text(page, View::Tree).len())
}

fn has_extras(page: &Page) -> bool {
    let told = |omission: &trilist::Omission| omission.examples.len() + omission.rules.len();
    !page.not_reached.is_empty() || page.omitted.iter().any(|omission| told(omission) > 0)
}

/// Each page keeps the budget, unless it is one row with nothing around it that could give way;
/// joined they are the whole listing, and all that was left out is counted.
fn check(lister: &Lister, request: &ListRequest, budget: u32) -> Vec<Page> {
    let all = whole(lister, request);
    let request = ListRequest { max_bytes: Some(budget), ..request.clone() };
    let pages = pages_by_cursor(lister, &request);
    assert_eq!(pages.iter().flat_map(paths).collect::<Vec<_>>(), paths(&all));
    assert_eq!(sums(&pages), sums(&[all]));
    for page in &pages {
        let found = length(page);
        let is_kept = found <= budget as usize || (page.returned <= 1 && !has_extras(page));
        assert!(is_kept, "{found} of {budget}: {}", render::text(page, View::Tree));
    }
    pages
}

/// `count` directories with a file two levels down.
fn wide(count: usize, name: &str) -> Tree {
    let tree = Tree::empty();
    for number in 0..count {
        let dir = tree.join(format!("{name}-{number:02}/src"));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("f"), "").unwrap();
    }
    tree
}

#[test]
fn names_that_were_not_reached_give_way_to_rows() {
    let tree = wide(60, "a-directory-with-an-ordinary-name");
    let lister = lister(tree.path());
    let deep = ListRequest { depth: Some(3), ..ask(Mode::Fs, ".") };
    for budget in [1024, 2000, 4096] {
        let pages = check(&lister, &deep, budget);
        let rows: usize = pages.iter().map(|page| paths(page).len()).sum();
        assert_eq!(rows, 180);
        // All but the last page use at least a third of the budget for rows.
        for page in &pages[..pages.len() - 1] {
            let rows: usize =
                page.entries.iter().map(|entry| render::entry_json(entry).len() + 1).sum();
            assert!(rows >= budget as usize / 3, "{rows} of {budget}");
        }
    }
    // Where there is room, they are all there.
    let first = page(&lister, &ListRequest { limit: Some(9), max_bytes: Some(8192), ..deep });
    assert_eq!((first.returned, first.not_reached.len()), (9, 50));
}

#[test]
fn a_row_with_a_long_name_has_no_other_names_around_it() {
    let tree = wide(60, &"n".repeat(200));
    let lister = lister(tree.path());
    let pages = check(&lister, &ask(Mode::Files, "."), 1024);
    assert!(pages.iter().all(|page| page.returned == 1));
    assert!(pages[0].not_reached.len() < 3);
}

/// Directories and files of all lengths, with rules that leave some out.
fn trees() -> impl Strategy<Value = Vec<(u8, usize, u8, bool)>> {
    proptest::collection::vec((0..12_u8, 1..200_usize, 0..6_u8, any::<bool>()), 1..60)
}

#[test]
fn pages_of_few_bytes_keep_them_on_random_trees_with_long_names() {
    let config = Config {
        cases: 12,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 100,
        ..Config::default()
    };
    let given = (trees(), 1024..8192_u32);
    let outcome = TestRunner::new(config).run(&given, |(files, budget)| {
        let tree = Tree::empty();
        for (dir, length, file, is_ignored) in files {
            let dir = tree.join(format!("{dir}{}", "d".repeat(length)));
            fs::create_dir_all(&dir).unwrap();
            let ending = if is_ignored { ".log" } else { "" };
            fs::write(dir.join(format!("{file}{}{ending}", "f".repeat(length))), "").unwrap();
            fs::write(dir.join(format!(".{file}{}", "h".repeat(length))), "").unwrap();
        }
        let rules: Vec<String> = (0..9).map(|rule| format!("*{rule}*f.log")).collect();
        fs::write(tree.join(".ignore"), rules.join("\n") + "\n*.log\n").unwrap();
        let lister = lister(tree.path());
        for mode in [Mode::Fs, Mode::Files] {
            let request =
                ListRequest { include_hidden: Some(mode == Mode::Files), ..ask(mode, ".") };
            check(&lister, &request, budget);
            let hiding = ListRequest { include_hidden: Some(false), ..ask(mode, ".") };
            check(&lister, &hiding, budget);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
