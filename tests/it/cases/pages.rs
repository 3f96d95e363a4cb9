//! Cuts, offsets, totals, and what a cut hides.

use std::fs;

use trilist::{Cancel, ListRequest, Mode, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{
    MODES, Right, ask, check, check_error, lister, page, pages_by_cursor, pages_by_offset, paths,
    whole,
};

/// So many files, spread over so many directories, all tracked.
fn files(count: usize, directories: usize) -> Tree {
    let names = (0..count).map(|number| match directories {
        0 => format!("f{number:03}"),
        _ => format!("d{:02}/f{number:03}", number % directories),
    });
    TreeBuilder::new().repo().files(names).commit("one").build()
}

#[test]
fn page01_exactly_full_is_not_cut() {
    for directories in [0, 10] {
        for count in [99, 100, 101] {
            let tree = files(count, directories);
            for mode in [Mode::Files, Mode::Vcs] {
                let request = ListRequest { limit: Some(100), ..ask(mode, ".") };
                let first = page(&lister(tree.path()), &request);
                assert_eq!(first.truncated, count > 100, "{mode} {count}");
                assert_eq!(first.next_cursor.is_some(), count > 100);
                assert_eq!(first.next_offset.is_some(), count > 100);
                assert_eq!(first.returned, count.min(100) as u64);
                assert_eq!(first.complete, count <= 100);
                let counted = page(&lister(tree.path()), &ListRequest { count: true, ..request });
                assert_eq!(counted.total, Some(count as u64));
            }
        }
    }
    // In mode `fs` `.git` is an entry as well.
    let tree = files(99, 0);
    let request = ListRequest { limit: Some(100), ..ask(Mode::Fs, ".") };
    let full = page(&lister(tree.path()), &request);
    assert_eq!((full.returned, full.truncated, full.total), (100, false, Some(100)));
}

/// 1,037 entries on three levels.
fn three_levels() -> Tree {
    let tree = Tree::empty();
    for number in 0..37 {
        let dir = tree.join(format!("d{number:02}"));
        fs::create_dir(&dir).unwrap();
        if number < 30 {
            for below in 0..10 {
                fs::create_dir(dir.join(format!("s{below}"))).unwrap();
                if below < 7 {
                    fs::write(dir.join(format!("s{below}/a")), "").unwrap();
                    fs::write(dir.join(format!("s{below}/b")), "").unwrap();
                }
            }
        }
    }
    for number in 0..280 {
        fs::write(tree.join(format!("f{number:03}")), "").unwrap();
    }
    tree
}

#[test]
fn page02_cuts_are_loud_and_pages_join() {
    let tree = three_levels();
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { depth: Some(3), ..ask(mode, ".") };
        let all = whole(&lister, &request);
        assert_eq!(all.returned, if mode == Mode::Fs { 1_037 } else { 700 });
        for limit in [7, 25, 100, 699, 700, 1_036, 1_037, 5_000] {
            let request = ListRequest { limit: Some(limit), ..request.clone() };
            for pages in [pages_by_cursor(&lister, &request), pages_by_offset(&lister, &request)] {
                let joined: Vec<_> = pages.iter().flat_map(paths).collect();
                assert_eq!(joined, paths(&all), "{mode} by {limit}");
                for cut in &pages[..pages.len() - 1] {
                    let text = render::text(cut, View::Tree);
                    let line = format!("cursor=\"{}\"", cut.next_cursor.as_deref().unwrap());
                    let lines: Vec<_> = text.lines().filter(|one| one.contains(&line)).collect();
                    assert_eq!(lines.len(), 2, "{text}");
                    assert!(text.starts_with("CUT after "), "{text}");
                    assert!(lines.iter().all(|one| one.contains("at least 1 more")), "{text}");
                }
            }
        }
    }
}

#[test]
fn page03_past_the_end() {
    let tree = TreeBuilder::new().files((0..10).map(|n| format!("f{n}"))).dir("empty").build();
    let at = |path: &str, offset| ListRequest {
        depth: Some(1),
        offset: Some(offset),
        ..ask(Mode::Fs, path)
    };
    let last = page(&lister(tree.path()), &at(".", 11));
    assert_eq!((paths(&last), last.total), (vec!["f9"], Some(11)));
    let error = check_error(&tree, &at(".", 12), "offset_out_of_range");
    assert_eq!(error.to_string(), "`offset` is 12, but the listing has 11 entries");
    check(&tree, &at("empty", 1), Right::rows(&[]));
    check_error(&tree, &at("empty", 2), "offset_out_of_range");
    check_error(&tree, &at(".", 0), "invalid_argument");
}

/// 41 directories of 50 files.
fn forty_one() -> Tree {
    let tree = Tree::empty();
    for dir in 1..=41 {
        let dir = tree.join(format!("d{dir:02}"));
        fs::create_dir(&dir).unwrap();
        for number in 1..=50 {
            fs::write(dir.join(format!("f{number:02}")), "").unwrap();
        }
    }
    tree
}

#[test]
fn big02_a_cut_names_the_directories_that_it_hides() {
    let tree = forty_one();
    for count in [false, true] {
        for mode in [Mode::Files, Mode::Fs] {
            let request = ListRequest { limit: Some(100), count, depth: Some(2), ..ask(mode, ".") };
            let first = page(&lister(tree.path()), &request);
            let shown = first.entries.iter().map(|entry| &entry.path[..3]);
            let mut dirs: Vec<&str> =
                shown.chain(first.not_reached.iter().map(String::as_str)).collect();
            dirs.dedup();
            assert_eq!(dirs.len(), 41, "{mode} {:?}", first.not_reached);
            let text = render::text(&first, View::Tree);
            assert!(text.contains("Not reached: d") && text.contains(", d41/"), "{text}");
            let entries = if mode == Mode::Fs { 2_091 } else { 2_050 };
            assert_eq!(first.total, count.then_some(entries));
            assert_eq!(first, page(&lister(tree.path()), &request));
        }
    }
}

#[test]
fn a_cut_between_a_directory_and_its_contents_names_it() {
    let tree = TreeBuilder::new().repo().files(["a-b", "a/x", "b/y"]).commit("one").build();
    for (mode, count, right) in [
        (Mode::Files, false, ["a", "b"].as_slice()),
        (Mode::Files, true, &["a", "b"]),
        (Mode::Vcs, false, &["a", "b"]),
        (Mode::Vcs, true, &["a", "b"]),
    ] {
        let request = ListRequest { limit: Some(1), count, ..ask(mode, ".") };
        let first = page(&lister(tree.path()), &request);
        assert_eq!(paths(&first), ["a-b"]);
        assert_eq!(first.not_reached, right, "{mode} count {count}");
    }
}

#[test]
fn ord01_same_tree_same_bytes() {
    let names = ["B", "_", "a-b", "a.txt", "a/z", "a0", "é", "Z z"];
    let right = ["B", "Z z", "_", "a-b", "a.txt", "a/z", "a0", "é"];
    let made = |names: &[&str]| TreeBuilder::new().repo().files(names).commit("one").build();
    let mut backwards = names;
    backwards.reverse();
    let trees = [made(&names), made(&backwards)];
    for mode in [Mode::Files, Mode::Vcs] {
        for tree in &trees {
            assert_eq!(paths(&whole(&lister(tree.path()), &ask(mode, "."))), right, "{mode}");
        }
    }
    for mode in MODES {
        let text = |tree: &Tree, request: &ListRequest| {
            let page = whole(&lister(tree.path()), request);
            render::text(&page, View::Tree).replace(tree.path().to_str().unwrap(), "/repo")
        };
        for (sort, reverse) in [
            (trilist::Sort::Path, false),
            (trilist::Sort::Path, true),
            (trilist::Sort::Kind, false),
            (trilist::Sort::Kind, true),
        ] {
            let request = ListRequest { sort, reverse, ..ask(*mode, ".") };
            let first = text(&trees[0], &request);
            for _ in 0..3 {
                assert_eq!(text(&trees[1], &request), first);
            }
        }
    }
}

#[test]
fn ord01_ties_are_broken_by_name_also_when_reversed() {
    let tree = TreeBuilder::new()
        .files(["b", "a", "c"])
        .file("big", "xxxxxxxx")
        .file("d/small", "")
        .build();
    for (reverse, right) in [
        (false, ["big", "a", "b", "c", "d/small", "d"]),
        (true, ["d/small", "a", "b", "c", "big", "d"]),
    ] {
        let request = ListRequest { sort: trilist::Sort::Size, reverse, ..ask(Mode::Fs, ".") };
        assert_eq!(paths(&whole(&lister(tree.path()), &request)), right);
        let one = ListRequest { limit: Some(1), ..request };
        let pages = pages_by_cursor(&lister(tree.path()), &one);
        assert_eq!(pages.iter().flat_map(paths).collect::<Vec<_>>(), right);
    }
}

#[test]
fn a_directory_whose_row_is_on_the_page_is_reached() {
    let tree = TreeBuilder::new().files(["a/x", "b/y", "node_modules/q"]).build();
    let shallow = ListRequest { limit: Some(1), depth: Some(1), ..ask(Mode::Files, ".") };
    let first = page(&lister(tree.path()), &shallow);
    assert_eq!(
        (paths(&first), &*first.not_reached),
        (vec!["a"], &["b", "node_modules"].map(String::from)[..])
    );
    let cut = ListRequest { limit: Some(3), ..ask(Mode::Files, ".") };
    let tree = TreeBuilder::new().files(["a", "b", "node_modules/q", "z/z"]).build();
    let first = page(&lister(tree.path()), &cut);
    assert_eq!(
        (paths(&first), &*first.not_reached),
        (vec!["a", "b", "node_modules"], &["z".to_owned()][..])
    );
}

#[test]
fn a_filtered_row_keeps_the_reason_that_nothing_below_was_looked_at() {
    let tree = TreeBuilder::new().repo().files(["a/x", "node_modules/q"]).build();
    let pattern = vec!["q".to_owned()];
    let files = ListRequest { pattern: pattern.clone(), ..ask(Mode::Files, ".") };
    check(
        &tree,
        &files,
        Right::rows(&[]).omitted(&[
            "protected 1: .git/",
            "builtin 1: node_modules/",
            "pattern 1: a/x",
        ]),
    );
    let fs = ListRequest { pattern, ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &fs,
        Right::rows(&[]).omitted(&[
            "protected 1: .git/",
            "builtin 1: node_modules/",
            "pattern 2: a/ a/x",
        ]),
    );
}

#[test]
fn saying_what_is_in_force_anyway_agrees_with_a_cursor() {
    let tree = TreeBuilder::new().files(["a/x", "b"]).build();
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let first = page(&lister, &ListRequest { limit: Some(1), ..ask(mode, ".") });
        let mut next = ListRequest { cursor: first.next_cursor, limit: Some(1), ..ask(mode, ".") };
        next.include_hidden = Some(mode != Mode::Fs);
        next.depth = Some(if mode == Mode::Fs { 2 } else { trilist::MAX_DEPTH });
        next.ignore.git = Some(mode == Mode::Files);
        assert_eq!(page(&lister, &next).returned, 1, "{mode}");
        next.ignore.git = Some(mode != Mode::Files);
        let error = lister.list(&next, &Cancel::new()).unwrap_err();
        assert_eq!(error.code(), "invalid_cursor");
    }
}

#[test]
fn names_in_the_foot_cannot_pass_for_parts_of_it() {
    let tree = TreeBuilder::new().files([".a), 9 ignored (x", ".b). Not reached: src"]).build();
    let text = render::text(&whole(&lister(tree.path()), &ask(Mode::Fs, ".")), View::Tree);
    let right = r#"Left out: 2 hidden (".a), 9 ignored (x", ".b). Not reached: src")."#;
    assert!(text.contains(right), "{text}");
}
