//! `trilist compat` and `trilist schema`: wiring, exit statuses and what is taken from around.

use serde_json::{Value, json};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn call(tree: &Tree, tool: &str, args: &Value, home: Option<&str>) -> Value {
    let args = args.to_string();
    let mut run = trilist(tree).args(["compat", tool, "--args", &args]);
    if let Some(home) = home {
        run = run.env("HOME", home);
    }
    serde_json::from_str(&run.ok().stdout).unwrap()
}

#[test]
fn a_call_is_answered_with_one_object_and_a_refusal_is_one() {
    let tree = TreeBuilder::new().file("src/main.rs", "").build();
    let root = tree.path().to_str().unwrap();
    let listed = call(&tree, "codex", &json!({ "dir_path": root }), None);
    assert_eq!(listed["text"], "Absolute path: /repo\nsrc/\n  main.rs");
    let refused = call(&tree, "codex", &json!({ "dir_path": "src" }), None);
    assert_eq!(refused, json!({ "ok": false, "error": "dir_path must be an absolute path" }));
    let here = call(&tree, "gencode", &json!({}), None);
    assert_eq!(here["entries"][0], json!({ "name": "src", "path": "src", "type": "directory" }));
}

#[test]
fn the_excludes_of_the_home_hold() {
    let tree = TreeBuilder::new().files(["proj/a.swp", "proj/b"]).git_in("proj", &["init", "-q"]);
    let tree = tree.file("home/.config/git/ignore", "*.swp\n").build();
    let at = |below: &str| tree.path().join(below).to_str().unwrap().to_owned();
    let args = json!({ "params": {}, "directory": at("proj"), "worktree": at("proj") });
    let listed = call(&tree, "opencode", &args, Some(&at("home")));
    assert_eq!(listed["output"], "/repo/proj/\n  b\n");
    let without = call(&tree, "opencode", &args, None);
    assert_eq!(without["output"], "/repo/proj/\n  a.swp\n  b\n");
}

#[test]
fn strict_brings_the_recorded_faults_back() {
    let tree = TreeBuilder::new().file("new\nline", "").build();
    let args = json!({ "dir_path": tree.path().to_str().unwrap() }).to_string();
    let usual = trilist(&tree).args(["compat", "codex", "--args", &args]).ok();
    assert!(usual.stdout.contains(r#"\n\"new\\nline\"""#), "{usual}");
    let strict = trilist(&tree).args(["compat", "codex", "--strict", "--args", &args]).ok();
    assert!(strict.stdout.contains(r"\nnew\nline"), "{strict}");
}

#[test]
fn what_is_no_call_is_an_error() {
    let tree = Tree::empty();
    for args in ["[]", "{", "{\"strict\":1}"] {
        let answer = trilist(&tree).args(["compat", "roo", "--args", args]).exits(2);
        assert!(answer.stderr.starts_with("invalid_argument: "), "{answer}");
        assert_eq!(answer.stdout, "");
    }
    let missing = trilist(&tree).args(["compat", "roo", "--args", "{}"]).exits(2);
    assert!(missing.stderr.contains("`workspace` is missing"), "{missing}");
    let unknown = trilist(&tree).args(["compat", "cline", "--args", "{}"]).exits(2);
    assert!(unknown.stderr.contains("codex, opencode, aider, roo, gemini"), "{unknown}");
}

#[test]
fn a_schema_is_printed_as_json() {
    let tree = Tree::empty();
    let schema = trilist(&tree).args(["schema", "--tool", "gencode"]).ok();
    let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
    assert_eq!(schema["properties"]["depth"]["maximum"], 10);
    assert_eq!(schema["properties"]["sort"]["default"], "name");
}
