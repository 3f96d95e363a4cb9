//! The contract of GenCode beside the proposal's examples: bounds, orders and text views.

use serde_json::{Value, json};
use trilist::{Cancel, Lister, Policy};
use trilist_compat::gencode::{self, View};
use trilist_compat::{Options, Tool};
use trilist_tests::Tree;

use crate::support::{answer, root};

fn reply(tree: &Tree, args: Value) -> gencode::Reply {
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let args = gencode::parse(args.as_object().unwrap(), root(tree)).unwrap();
    gencode::list(&args, Options::default(), &lister, &Cancel::new()).unwrap()
}

fn paths(tree: &Tree, args: Value) -> Vec<String> {
    reply(tree, args).entries.into_iter().map(|entry| entry.path).collect()
}

#[test]
fn orders_are_largest_newest_and_directories_first() {
    let tree = Tree::build("gencode");
    let files = json!({ "files_only": true, "sort": "size" });
    assert_eq!(paths(&tree, files), ["registry.ts", "types.ts", "index.ts", "a.tsx", "notes.md"]);
    let files = json!({ "files_only": true, "sort": "modified", "reverse": true });
    assert_eq!(paths(&tree, files), ["types.ts", "registry.ts", "index.ts", "notes.md", "a.tsx"]);
    assert_eq!(paths(&tree, json!({ "sort": "type" }))[..2], ["builtin", "a.tsx"]);
    assert_eq!(paths(&tree, json!({ "sort": "type" })).last().unwrap(), "link.ts");
}

#[test]
fn bounds_are_lowered_and_told_and_nonsense_is_refused() {
    let tree = Tree::build("gencode");
    let lowered = answer(Tool::GenCode, &json!({ "limit": 5000, "depth": 99 }), &tree);
    assert_eq!(lowered["notice"].as_array().unwrap().len(), 2, "{lowered}");
    for args in [
        json!({ "depth": -1 }),
        json!({ "limit": "5" }),
        json!({ "directories_only": true, "files_only": true }),
        json!({ "pattern": "[" }),
        json!({ "path": "/" }),
    ] {
        let refused = answer(Tool::GenCode, &args, &tree);
        assert_eq!(refused["invalid"], true, "{args}: {refused}");
        assert_eq!(refused["notice"].as_array().unwrap().len(), 1, "{args}: {refused}");
    }
}

#[test]
fn whole_numbers_are_whole_in_each_notation() {
    let tree = Tree::build("gencode");
    let ask = |limit: &str| {
        let args = format!(r#"{{"limit":{limit}}}"#);
        answer(Tool::GenCode, &serde_json::from_str(&args).unwrap(), &tree)
    };
    assert_eq!(ask("2.0")["entries"].as_array().unwrap().len(), 2);
    for huge in ["1001", "18446744073709551615", "18446744073709551616", "1e30", "1e300"] {
        let notice = ask(huge)["notice"][0].as_str().unwrap().to_owned();
        assert!(notice.ends_with(" and was lowered to 1000"), "{huge}: {notice}");
    }
    for (given, right) in [
        ("-1", "`limit` is -1; it must be at least 1"),
        ("-2.0", "`limit` is -2.0; it must be at least 1"),
        ("0", "`limit` is 0; it must be at least 1"),
        ("2.5", "`limit` is 2.5; it must be a whole number"),
    ] {
        assert_eq!(ask(given)["notice"], json!([right]));
    }
}

#[test]
fn a_tree_is_drawn_with_a_count() {
    let tree = Tree::build("gencode");
    let args = json!({ "path": "builtin", "recursive": true, "long": true });
    let text = gencode::text(&reply(&tree, args), View::Tree).replace(root(&tree), "/repo");
    let right = "\
/repo/builtin
├── ls/
│   ├── deep/
│   │   └── er/
│   │       └── x.ts
│   └── ls.ts
└── read.ts

6 items (3 files, 3 directories)
";
    assert_eq!(text, right);
}

#[test]
fn a_long_listing_is_a_table() {
    let tree = Tree::build("gencode");
    let args = json!({ "long": true, "pattern": "{link.ts,notes.md}" });
    let text = gencode::text(&reply(&tree, args), View::Table);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7, "{text}");
    assert!(lines[0].starts_with('┌') && lines[2].starts_with('├') && lines[5].starts_with('└'));
    assert!(lines[3].contains("│ link.ts -> index.ts │"), "{text}");
    assert!(
        lines[4].contains("│ rw-r--r--   │  300 │ 2024-01-15T11:00:05.000Z │ notes.md"),
        "{text}"
    );
    assert_eq!(lines[6], "2 items (1 file, 0 directories, 1 link)");
}

#[test]
fn a_cut_list_of_paths_says_so() {
    let tree = Tree::build("n40-flat");
    let text = gencode::text(&reply(&tree, json!({ "limit": 10 })), View::Paths);
    assert!(text.starts_with("file_00.txt\nfile_01.txt\n"), "{text}");
    assert!(text.ends_with("\nShowing 10 of 40 files (truncated)\n"), "{text}");
}
