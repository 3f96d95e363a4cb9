//! What is wrong with a model's arguments, and what is done with those that have no meaning.

use serde_json::{Value, json};
use trilist_compat::Tool;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{answer, root};

fn tree() -> Tree {
    TreeBuilder::new().file("a", "").build()
}

#[test]
fn codex_speaks_as_its_own_reader_does() {
    let tree = tree();
    let error = |raw: &str| {
        let reply = answer(Tool::Codex, &json!({ "raw": raw }), &tree);
        reply["error"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
    };
    let right = "failed to parse function arguments: invalid type: string \"x\", expected struct \
                 ListDirArgs at line 1 column 3";
    assert_eq!(error("\"x\""), right);
    let right = "failed to parse function arguments: invalid length 0, expected struct \
                 ListDirArgs with 4 elements at line 1 column 2";
    assert_eq!(error("[]"), right);
    let right = "failed to read directory: file name contained an unexpected NUL byte";
    assert_eq!(error(r#"{"dir_path":"/a\u0000b"}"#), right);
    assert_eq!(error(r#"{"dir_path":"a\u0000b"}"#), "dir_path must be an absolute path");
}

#[test]
fn a_bad_glob_is_named_by_the_models_field_and_its_place_there() {
    let tree = tree();
    let error = |tool: Tool, ignore: Value| {
        let params = json!({ "path": root(&tree), "ignore": ignore });
        let host = json!({ "directory": root(&tree), "target_dir": root(&tree), "params": params });
        answer(tool, &host, &tree)["error"].as_str().unwrap().to_owned()
    };
    for tool in [Tool::OpenCode, Tool::Sii] {
        let said = error(tool, json!(["["]));
        assert!(said.starts_with("`ignore` is no valid glob (glob 1 is not valid"), "{said}");
        let said = error(tool, json!(["x", "y", "["]));
        assert!(said.starts_with("`ignore` is no valid glob (glob 3 is not valid"), "{said}");
        let said = error(tool, json!(vec!["x"; 300]));
        assert!(said.starts_with("`ignore` is 300 globs"), "{said}");
    }
    // An empty one is left out by the program, and keeps its place.
    let said = error(Tool::OpenCode, json!(["", "["]));
    assert!(said.contains("(glob 2 is not valid"), "{said}");
}

#[test]
fn an_empty_glob_of_opencode_hides_nothing() {
    let tree = tree();
    let params = json!({ "ignore": ["", "b"] });
    let args = json!({ "directory": root(&tree), "params": params });
    let reply = answer(Tool::OpenCode, &args, &tree);
    assert_eq!(reply["output"], format!("{}/\n  a\n", root(&tree)));
}

#[test]
fn a_field_that_the_schema_does_not_have_is_told() {
    let tree = tree();
    let here = root(&tree);
    let notices = |tool: Tool, args: Value| answer(tool, &args, &tree)["notice"].clone();
    let said = |name: &str, right: &str| {
        json!([format!("`{name}` is no field of this tool and was left out{right}")])
    };
    let depth = said("dept", "; the nearest is `depth`");
    assert_eq!(notices(Tool::GenCode, json!({ "dept": 1 })), depth);
    let roo = |more: &str| json!({ "workspace": here, "path": ".", "limit": 9, more: true });
    assert_eq!(
        notices(Tool::Roo, roo("recursiv")),
        said("recursiv", "; the nearest is `recursive`")
    );
    assert_eq!(notices(Tool::Roo, roo("showRooIgnoredFiles")), Value::Null);
    let opencode = |params: Value| json!({ "directory": here, "params": params });
    let right = "; there are `path`, `ignore`";
    assert_eq!(notices(Tool::OpenCode, opencode(json!({ "x": 1 }))), said("x", right));
    assert_eq!(notices(Tool::OpenCode, opencode(json!({ "ignore": [] }))), Value::Null);
    assert_eq!(
        notices(Tool::Codex, json!({ "dir_path": here, "recursive": 1 })).as_array().unwrap().len(),
        1
    );
    let raw = format!(r#"{{"dir_path":"{here}","paths":1}}"#);
    assert_eq!(notices(Tool::Codex, json!({ "raw": raw })).as_array().unwrap().len(), 1);
    // A refused call says it as well.
    let refused = answer(Tool::GenCode, &json!({ "x": 1, "limit": "9" }), &tree);
    assert_eq!(refused["notice"].as_array().unwrap().len(), 2, "{refused}");
    // These schemas take other fields.
    let gemini = |name: &str| json!({ "target_dir": here, "params": { name: here, "x": 1 } });
    assert_eq!(notices(Tool::Gemini, gemini("dir_path")), Value::Null);
    assert_eq!(notices(Tool::Sii, gemini("path")), Value::Null);
}
