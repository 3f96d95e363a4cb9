//! What `explain_path` answers.

use serde_json::json;
use trilist::{Cancel, ListRequest, Lister, Mode, PathArg, Policy, render};
use trilist_mcp::Options;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new()
        .file(".gitignore", "*.log\n")
        .file("src/main.rs", "")
        .repo()
        .commit("one")
        .file("x.log", "")
        .build()
}

#[test]
fn text_and_structure_are_those_of_the_library() {
    let tree = tree();
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let paths = ["x.log", "src/main.rs", "nope"];
    let asked: Vec<PathArg> = paths.into_iter().map(PathArg::from).collect();
    let request = ListRequest::new(Mode::Fs, ".");
    let explained = lister.explain(&request, &Mode::ALL, &asked, &Cancel::new()).unwrap();
    let mut client = Client::legacy(tree.path());
    let result = client.call("explain_path", json!({ "paths": paths }));
    assert_eq!(result["isError"], false);
    let text: String = explained.iter().map(render::explanation).collect();
    assert_eq!(result["content"][0]["text"], text);
    let rows = &result["structuredContent"]["explanations"];
    assert_eq!(rows[0]["modes"]["fs"]["listed"], true);
    assert_eq!(rows[0]["modes"]["files"]["rule"]["pattern"], "*.log");
    assert_eq!(rows[2]["modes"]["fs"]["listed"], false);
    // The cursor of a listed path starts a page with it.
    let cursor = rows[1]["modes"]["files"]["cursor"].clone();
    let (_, page) = client.list(json!({ "cursor": cursor, "view": "paths" }));
    assert_eq!(page["paths"][0], "src/main.rs");
}

#[test]
fn arguments_are_forgiven_and_errors_told_as_for_list_dir() {
    let tree = tree();
    let mut client = Client::modern(tree.path());
    let plain = client.call("explain_path", json!({ "paths": ["x.log"] }));
    for given in
        [json!({ "path": "x.log" }), json!({ "paths": "x.log" }), json!({ "paths": "[\"x.log\"]" })]
    {
        let odd = client.call("explain_path", given.clone());
        let rows = &odd["structuredContent"]["explanations"];
        assert_eq!(*rows, plain["structuredContent"]["explanations"], "{given}");
    }
    for asked in [
        json!({}),
        json!({ "paths": [] }),
        json!({ "paths": [1] }),
        json!({ "paths": "x", "depth": 0 }),
    ] {
        assert_eq!(
            client.failure("explain_path", asked.clone())["code"],
            "invalid_argument",
            "{asked}"
        );
    }
}

/// A directory that cannot be listed has nothing to explain: `list_dir` says why.
#[test]
fn a_listing_that_cannot_be_is_an_error_as_of_list_dir() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for (dir, code) in [
        ("no/such/dir", "not_found"),
        ("src/main.rs", "not_directory"),
        ("../..", "outside_root"),
        ("/etc", "outside_root"),
    ] {
        let error = client.failure("explain_path", json!({ "paths": ["x", "y"], "listed": dir }));
        assert_eq!(error, client.failure("list_dir", json!({ "path": dir })), "{dir}");
        assert_eq!(error["code"], code);
    }
    // What only version control knows has a listing there.
    let trees = TreeBuilder::new().file("old/f", "").repo().commit("one").build();
    std::fs::remove_dir_all(trees.join("old")).unwrap();
    let mut client = Client::legacy(trees.path());
    let result = client.call("explain_path", json!({ "paths": ["old/f"], "listed": "old" }));
    assert_eq!(result["isError"], false, "{result}");
    let modes = &result["structuredContent"]["explanations"][0]["modes"];
    assert_eq!(
        (&modes["vcs"]["listed"], &modes["fs"]["reason"]),
        (&json!(true), &json!("unavailable"))
    );
}

#[test]
fn paths_and_the_listed_directory_start_at_the_first_root() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let told = |client: &mut Client, path: &str| {
        let result = client.call("explain_path", json!({ "paths": [path], "listed": "src" }));
        result["structuredContent"]["explanations"][0]["modes"]["fs"]["listed"].clone()
    };
    assert_eq!(told(&mut client, "src/main.rs"), json!(true));
    assert_eq!(told(&mut client, "main.rs"), json!(false));
    let absolute = tree.join("src/main.rs");
    assert_eq!(told(&mut client, absolute.to_str().unwrap()), json!(true));
}

#[test]
fn what_has_no_room_is_counted_and_said() {
    let tree = tree();
    // Names that bring long cursors and long words.
    let long = |n: usize| format!("src/{n:02}-{}", "x".repeat(200));
    let paths: Vec<String> = (0..64).map(long).collect();
    for path in &paths {
        std::fs::write(tree.join(path), "").unwrap();
    }
    let few = Policy { default_max_bytes: Some(4_096), ..Policy::default() };
    for (policy, most) in [(Policy::default(), 65_536), (few, 4_096)] {
        let mut client = Client::under(policy, &[tree.path()], &Options::default());
        client.initialize();
        let result = client.call("explain_path", json!({ "paths": paths }));
        assert_eq!(result["isError"], false);
        let text = result["content"][0]["text"].as_str().unwrap();
        let structured = &result["structuredContent"];
        assert!(text.len() <= most && structured.to_string().len() <= most, "{}", text.len());
        let given = structured["explanations"].as_array().unwrap().len();
        assert!((1..64).contains(&given), "{given}");
        assert_eq!(structured["not_explained"], 64 - given);
        let cut = format!("CUT by the byte budget after {given} of 64 paths; ask for the rest.");
        assert_eq!(text.lines().next(), Some(cut.as_str()));
        assert_eq!(text.lines().last(), Some(cut.as_str()));
        // There is room for the rest in further calls.
        let rest = client.call("explain_path", json!({ "paths": [paths[given]] }));
        assert_eq!(rest["structuredContent"]["explanations"][0]["path"], paths[given]);
        assert_eq!(rest["structuredContent"].get("not_explained"), None);
    }
}
