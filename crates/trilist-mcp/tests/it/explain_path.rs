//! What `explain_path` answers.

use serde_json::json;
use trilist::{Cancel, ListRequest, Lister, Mode, PathArg, Policy, render};
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
