//! A page costs what the page costs: proved by counting what was read, never by timing.

use std::fs;
use std::path::Path;

use trilist::{ListRequest, Mode};
use trilist_tests::Tree;

use crate::harness::{ask, lister, page, pages_by_cursor, paths, whole};

/// Eight directories in each directory, `levels` deep in the first three and less in the others;
/// twenty files in each below the very first ones, where a walk begins, and one elsewhere.
fn eightfold(levels: u32) -> Tree {
    fn fill(dir: &Path, levels: u32, files: u32) {
        for number in 0..files {
            fs::write(dir.join(format!("file{number:02}.rs")), "").unwrap();
        }
        for number in 0..if levels > 0 { 8 } else { 0 } {
            let below = dir.join(format!("dir{number}"));
            fs::create_dir(&below).unwrap();
            let first = files > 1 && (levels < 3 || number == 0);
            fill(&below, levels - 1, if first { files } else { 1 });
        }
    }
    let tree = Tree::empty();
    for number in 0..8 {
        let below = tree.join(format!("dir{number}"));
        fs::create_dir(&below).unwrap();
        let levels = if number < 3 { levels - 1 } else { levels - 2 };
        fill(&below, levels, if number == 0 { 20 } else { 1 });
    }
    tree
}

#[test]
fn the_first_page_of_a_huge_tree_opens_few_directories() {
    // 2,120 directories.
    let tree = eightfold(4);
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { depth: Some(64), limit: Some(100), ..ask(mode, ".") };
        let first = page(&lister, &request);
        assert_eq!(first.returned, 100);
        assert!(first.seen.directories <= 20, "{mode}: {:?}", first.seen);
    }
}

#[test]
fn a_late_page_costs_as_much_as_the_first() {
    let tree = eightfold(3);
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { depth: Some(64), limit: Some(7), ..ask(mode, ".") };
        let pages = pages_by_cursor(&lister, &request);
        assert!(pages.len() > 100, "{}", pages.len());
        let first = pages[0].seen.directories;
        let depth = 4;
        for next in &pages[1..] {
            // The way down again, and the directories that the page itself and its look-ahead
            // pass through.
            assert!(next.seen.directories <= first + depth + 6, "{mode}: {:?}", next.seen);
        }
    }
}

#[test]
fn depth_one_opens_one_directory() {
    let tree = eightfold(3);
    let lister = lister(tree.path());
    let request = ListRequest { depth: Some(1), ..ask(Mode::Fs, ".") };
    assert_eq!(whole(&lister, &request).seen.directories, 1);
    let request = ListRequest { depth: Some(1), ..ask(Mode::Files, ".") };
    assert_eq!(whole(&lister, &request).seen.directories, 1);
}

#[test]
fn a_page_of_a_flat_directory_reads_it_once() {
    let tree = Tree::empty();
    // In an order that is not theirs.
    for number in 0..20_000_u32 {
        fs::write(tree.join(format!("entry-{:05}.json", number * 7_919 % 20_000)), "").unwrap();
    }
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { limit: Some(25), ..ask(mode, ".") };
        let first = page(&lister, &request);
        assert_eq!((first.seen.directories, first.seen.entries), (1, 20_000), "{mode}");
        let right: Vec<String> = (0..25).map(|number| format!("entry-{number:05}.json")).collect();
        assert_eq!(paths(&first), right);
        let next = page(&lister, &ListRequest { cursor: first.next_cursor, ..request.clone() });
        assert_eq!((next.seen.directories, next.seen.entries), (1, 20_000), "{mode}");
        assert_eq!(next.entries[0].path, "entry-00025.json");
        // What is pulled beyond the hint reads again, each time four times as much.
        let all = whole(&lister, &ask(mode, "."));
        assert_eq!((all.returned, all.seen.directories), (20_000, 1), "{mode}");
    }
}

#[test]
fn names_left_out_in_front_cost_few_readings() {
    let tree = Tree::empty();
    for number in 0..8_000 {
        fs::write(tree.join(format!(".hidden-{number:05}")), "").unwrap();
    }
    fs::write(tree.join("seen"), "").unwrap();
    let request = ListRequest { limit: Some(1), ..ask(Mode::Fs, ".") };
    let only = page(&lister(tree.path()), &request);
    assert_eq!(paths(&only), ["seen"]);
    assert_eq!(only.omitted[0].count, 8_000);
    assert!(only.seen.directories <= 5, "{:?}", only.seen);
}
