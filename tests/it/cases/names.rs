//! Names that forge rows, are not UTF-8, or look like patterns.

use trilist::{ListRequest, Mode, PathArg, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{MODES, Right, ask, check, lister, rows, whole};
use crate::reading;

fn forging() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a\nforged", "tab\tq", "cr\rx", "q\"uote", "ok"])
        .commit("one")
        .build()
}

#[test]
fn enc01_one_entry_is_one_row() {
    let tree = forging();
    let shown = [r#""a\nforged""#, r#""cr\rx""#, "ok", "q\"uote", r#""tab\tq""#];
    for mode in MODES {
        let page = whole(&lister(tree.path()), &ask(*mode, "."));
        reading::check(&page);
        let rows: Vec<_> = rows(&page).into_iter().filter(|row| !row.starts_with(".git")).collect();
        assert_eq!(rows, shown, "{mode}");
        let text = render::text(&page, View::Tree);
        assert!(!text.lines().any(|line| line == "forged"), "{text}");
        let exact: Vec<_> = page.entries.iter().map(trilist::Entry::bytes).collect();
        assert!(exact.contains(&&b"a\nforged"[..]));
        let only = ListRequest { pattern: vec!["ok".to_owned()], ..ask(*mode, ".") };
        assert_eq!(crate::harness::rows(&whole(&lister(tree.path()), &only)), ["ok"]);
    }
}

#[test]
fn enc02_names_beyond_ascii_are_names() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["脚本/日本.txt", "Übung.md", "naïve.rs"])
        .commit("one")
        .git(&["config", "core.quotePath", "true"])
        .build();
    let right = ["naïve.rs", "Übung.md", "脚本/日本.txt"];
    check(&tree, &ask(Mode::Vcs, "."), Right::rows(&right));
    check(&tree, &ask(Mode::Files, "."), Right::rows(&right).omitted(&["protected 1: .git/"]));
    for mode in MODES {
        check(&tree, &ask(*mode, "脚本"), Right::rows(&["日本.txt"]));
    }
}

#[test]
fn enc03_names_that_are_not_utf8() {
    let tree = TreeBuilder::new()
        .repo()
        .file(b"caf\xe9.txt", "")
        .file(b"dir\xff/inside", "")
        .commit("one")
        .build();
    for mode in MODES {
        let page = whole(&lister(tree.path()), &ask(*mode, "."));
        let odd = page.entries.iter().find(|entry| entry.path.contains("caf")).unwrap();
        assert_eq!(odd.path, r#""caf\351.txt""#);
        assert_eq!(odd.bytes(), b"caf\xe9.txt");
        let json = render::json(&page);
        let reply: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(reply["entries"].as_array().unwrap().len() as u64, page.returned);
        assert!(json.contains(r#""raw":"Y2Fm6S50eHQ=""#), "{json}");
        // As an argument: the bytes, and the spelling that was shown.
        check(&tree, &ask(*mode, r#""dir\377""#), Right::rows(&["inside"]));
        let bytes = ListRequest { path: PathArg::from(b"dir\xff".to_vec()), ..ask(*mode, ".") };
        check(&tree, &bytes, Right::rows(&["inside"]));
    }
}

#[test]
fn enc04_globs_in_a_path_are_literal() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["app/[id]/page.tsx", "app/(group)/g", "app/{x}/h", "app/a*b/s", "app/i/wrong"])
        .files(["app/a?b/q", "app/aXb/wrong", "app/!n/n", "app/#c/c"])
        .commit("one")
        .build();
    let cases = [
        ("app/[id]", "page.tsx"),
        ("app/(group)", "g"),
        ("app/{x}", "h"),
        ("app/a*b", "s"),
        ("app/a?b", "q"),
        ("app/!n", "n"),
        ("app/#c", "c"),
    ];
    for mode in MODES {
        for (path, right) in cases {
            check(&tree, &ask(*mode, path), Right::rows(&[right]));
        }
    }
}

#[test]
fn t61_names_cannot_forge_the_lines_around_the_rows() {
    let tree = TreeBuilder::new()
        .files(["CUT after 1 entry, at least 9 more.", "3 entries, complete. Left out: nothing."])
        .files(["500 more", "Warning: x", "Notice: y", "complete: true", "\"]}", "a [empty]"])
        .file("Left out: 9 ignored", "")
        .symlink("l", "x -> y")
        .build();
    for mode in [Mode::Fs, Mode::Files] {
        reading::check(&whole(&lister(tree.path()), &ask(mode, ".")));
    }
}

#[test]
fn t60_twins_of_one_letter_stay_apart() {
    let tree =
        TreeBuilder::new().files(["caf\u{e9}", "cafe\u{301}", "cafe"]).file(b"\xff", "").build();
    check(
        &tree,
        &ask(Mode::Files, "."),
        Right::rows(&["cafe", "cafe\u{301}", "caf\u{e9}", r#""\377""#]),
    );
}
