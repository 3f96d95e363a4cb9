//! The contract of `sii`, by its description.

use serde_json::{Value, json};
use trilist_compat::Tool;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{answer, root};

fn tree() -> Tree {
    TreeBuilder::new()
        .file(".gitignore", "gen/\n*.log\n")
        .file(".siiignore", "/poc\n!/gen/\n")
        .file("poc/p", "")
        .file("gen/g", "")
        .file("a.log", "")
        .file("keep.txt", "text")
        .symlink("link", "poc")
        .repo()
        .build()
}

fn listed(tree: &Tree, params: Value) -> Value {
    answer(Tool::Sii, &json!({ "target_dir": root(tree), "params": params }), tree)
}

fn names(reply: &Value) -> Vec<&str> {
    let entries = reply["entries"].as_array().unwrap_or_else(|| panic!("{reply}"));
    entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

#[test]
fn either_ignore_file_hides_and_both_can_be_switched_off() {
    let tree = tree();
    let ask = |git: bool, own: bool| {
        let options = json!({ "respect_git_ignore": git, "respect_sii_ignore": own });
        listed(&tree, json!({ "path": root(&tree), "file_filtering_options": options }))
    };
    let (both, git, own, none) =
        (ask(true, true), ask(true, false), ask(false, true), ask(false, false));
    assert_eq!(names(&both), [".gitignore", ".siiignore", "keep.txt", "link"]);
    assert_eq!(names(&git), ["poc", ".gitignore", ".siiignore", "keep.txt", "link"]);
    let all_but_poc = [".git", "gen", ".gitignore", ".siiignore", "a.log", "keep.txt", "link"];
    assert_eq!(names(&own), all_but_poc);
    assert_eq!(names(&none).len(), 8);
    let text = both["llmContent"].as_str().unwrap();
    assert!(text.ends_with("\nlink\n\n(3 git-ignored, 1 sii-ignored)"), "{text}");
    assert_eq!(both["summary"], "Listed 4 items in directory");
    assert_eq!(both["returnDisplay"], "Listed 4 item(s). (3 git-ignored, 1 sii-ignored)");
}

/// As the recorded `gemini-0.1/basic--ignore-star`, the release that it was forked from.
#[test]
fn a_directory_that_is_all_left_out_is_not_called_empty() {
    let tree = tree();
    let reply = listed(&tree, json!({ "path": root(&tree), "ignore": ["**"] }));
    let text = format!("Directory listing for {}:\n", root(&tree));
    assert_eq!((names(&reply).len(), &reply["llmContent"]), (0, &json!(text)));
    assert_eq!(reply["notice"], json!(["`ignore` leaves out 8"]));
    let empty = TreeBuilder::new().dir("d").build();
    let reply = listed(&empty, json!({ "path": format!("{}/d", root(&empty)), "ignore": ["**"] }));
    let text = format!("Directory {}/d is empty.", root(&empty));
    assert_eq!((&reply["llmContent"], &reply["notice"]), (&json!(text), &Value::Null));
}

#[test]
fn entries_carry_their_facts_and_links_are_not_followed() {
    let tree = tree();
    let reply = listed(&tree, json!({ "path": root(&tree), "ignore": ["{.*,gen}", "[ab].*"] }));
    assert_eq!(names(&reply), ["keep.txt", "link"]);
    let (keep, link) = (&reply["entries"][0], &reply["entries"][1]);
    assert_eq!(keep["path"], format!("{}/keep.txt", root(&tree)));
    assert_eq!((&keep["size"], &keep["isDirectory"]), (&json!(4), &json!(false)));
    assert!(keep["modifiedTime"].as_str().unwrap().ends_with('Z'));
    assert_eq!(link["isDirectory"], false);
}

#[test]
fn every_mistake_has_its_message() {
    let tree = tree();
    let at = |below: &str| format!("{}{below}", root(&tree));
    let said = |params: Value| {
        let reply = listed(&tree, params);
        assert_eq!(reply["ok"], false, "{reply}");
        reply["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(said(json!({ "path": "src" })), "Path must be absolute: src");
    assert!(said(json!({ "path": at("/../x") })).starts_with("Path must be within"));
    assert_eq!(said(json!({ "path": at("/no") })), format!("Directory not found: {}", at("/no")));
    let file = at("/keep.txt");
    assert_eq!(said(json!({ "path": file })), format!("Path is not a directory: {file}"));
    assert_eq!(said(json!({})), "`path` is missing");
    assert_eq!(said(json!({ "path": 5 })), "`path` is 5; it must be a string");
    let ignore = json!({ "path": at(""), "ignore": "x" });
    assert_eq!(said(ignore), "`ignore` is \"x\"; it must be a list of strings");
}

/// As the release that it was forked from judges what lies below an ignored directory.
#[test]
fn what_lies_in_an_ignored_directory_is_hidden_there_too() {
    let tree = TreeBuilder::new()
        .file(".gitignore", "gen/\n")
        .file(".siiignore", "/poc\n")
        .files(["gen/a", "gen/sub/b", "poc/p", "src/new/x"])
        .file("src/.siiignore", "new\n")
        .repo()
        .build();
    let hidden = |below: &str| {
        let reply = listed(&tree, json!({ "path": format!("{}/{below}", root(&tree)) }));
        let text = reply["llmContent"].as_str().unwrap().to_owned();
        (names(&reply).len(), text.rsplit_once("\n\n").map(|(_, hidden)| hidden.to_owned()))
    };
    let by = |count: u32, whose: &str| (0, Some(format!("({count} {whose}-ignored)")));
    assert_eq!(hidden("gen"), by(2, "git"));
    assert_eq!(hidden("gen/sub"), by(1, "git"));
    assert_eq!(hidden(".git/refs"), by(2, "git"));
    assert_eq!(hidden("poc"), by(1, "sii"));
    // Only the project's own file counts.
    assert_eq!(hidden("src"), (2, None));
    let options = json!({ "respect_git_ignore": false });
    let path = format!("{}/gen", root(&tree));
    let shown = listed(&tree, json!({ "path": path, "file_filtering_options": options }));
    assert_eq!(names(&shown), ["sub", "a"]);
}

#[test]
fn a_name_is_quoted_in_the_text_and_as_it_is_in_the_data() {
    let tree = TreeBuilder::new().file("new\nline", "").build();
    let reply = listed(&tree, json!({ "path": root(&tree) }));
    assert_eq!(names(&reply), ["new\nline"]);
    assert!(reply["llmContent"].as_str().unwrap().ends_with(":\n\"new\\nline\""), "{reply}");
}
