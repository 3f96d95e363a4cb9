//! What `compare_modes` answers.

use serde_json::{Value, json};
use trilist::{Cancel, CompareRequest, Lister, Policy, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new()
        .file(".gitignore", "*.log\n")
        .file("src/main.rs", "")
        .repo()
        .commit("one")
        .file("x.log", "")
        .file("new.rs", "")
        .build()
}

#[test]
fn text_and_structure_are_those_of_the_library() {
    let tree = tree();
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let reply = lister.compare(&CompareRequest::new("."), &Cancel::new()).unwrap();
    let mut client = Client::legacy(tree.path());
    let result = client.call("compare_modes", json!({}));
    assert_eq!(result["isError"], false);
    assert_eq!(result["content"][0]["text"], render::comparison(&reply));
    let structured = &result["structuredContent"];
    assert_eq!(structured["differing"], reply.differing);
    let row = |path: &str| -> Value {
        let rows = structured["rows"].as_array().unwrap();
        rows.iter().find(|row| row["path"] == path).unwrap_or_else(|| panic!("{path}")).clone()
    };
    let log = row("x.log")["modes"].clone();
    assert_eq!((&log["fs"]["listed"], &log["files"]["listed"]), (&json!(true), &json!(false)));
    assert_eq!(log["files"]["rule"]["pattern"], "*.log");
    assert_eq!(row("new.rs")["modes"]["vcs"]["listed"], false);
}

#[test]
fn arguments_are_forgiven_and_errors_told_as_for_list_dir() {
    let tree = tree();
    let mut client = Client::modern(tree.path());
    let plain = client.call("compare_modes", json!({ "path": "src", "depth": 1, "show": "all" }));
    let odd = json!({ "directory": "src/", "recursive": "false", "show": "all", "mode": null });
    let odd = client.call("compare_modes", odd);
    assert_eq!(odd["structuredContent"]["rows"], plain["structuredContent"]["rows"]);
    assert!(odd["structuredContent"]["rows"][0].is_object());
    let notices = odd["structuredContent"]["notices"].as_array().unwrap();
    assert!(notices.contains(&json!("`directory` was taken as `path`")), "{notices:?}");
    let unknown = client.call("compare_modes", json!({ "sort": "size" }));
    let notice = unknown["structuredContent"]["notices"][0].as_str().unwrap();
    assert!(notice.starts_with("`sort` is no field of this tool"), "{notice}");
    for (asked, code) in [
        (json!({ "path": "nope" }), "not_found"),
        (json!({ "path": "../.." }), "outside_root"),
        (json!({ "limit": 0 }), "invalid_argument"),
        (json!({ "in_chat": ["x"], "strict": true }), "invalid_argument"),
    ] {
        assert_eq!(client.failure("compare_modes", asked.clone())["code"], code, "{asked}");
    }
}
