//! What models are forgiven when a contract is served.

use serde_json::{Value, json};
use trilist_compat::Tool;
use trilist_compat::lenient::forgive;

fn forgiven(tool: Tool, args: Value) -> Result<Value, String> {
    let forgiven = forgive(tool, args.as_object().unwrap()).map_err(|twice| twice.to_string())?;
    Ok(Value::Object(forgiven.args))
}

#[test]
fn what_has_one_meaning_is_put_right() {
    let right = json!({ "dir_path": "/r", "limit": 50, "depth": 3 });
    for args in [
        json!({ "dir_path": "/r", "limit": " 50 ", "depth": 3.0, "offset": null }),
        json!({ "path": "/r", "limit": "50", "depth": "3.0" }),
        json!({ "target_directory": "/r", "dir_path": "/r", "limit": 50, "depth": "3", "foo": 1 }),
    ] {
        assert_eq!(forgiven(Tool::Codex, args.clone()), Ok(right.clone()), "{args}");
    }
    let flags = json!({ "path": ".", "recursive": "False" });
    assert_eq!(forgiven(Tool::Roo, flags), Ok(json!({ "path": ".", "recursive": false })));
    for list in [json!("[\"*.o\"]"), json!("*.o")] {
        let list = json!({ "path": ".", "ignore": list });
        assert_eq!(forgiven(Tool::OpenCode, list), Ok(json!({ "path": ".", "ignore": ["*.o"] })));
    }
    let address = json!({ "directory": "file:///r/a%20b", "limit": 50 });
    assert_eq!(forgiven(Tool::Codex, address), Ok(json!({ "dir_path": "/r/a b", "limit": 50 })));
}

#[test]
fn what_has_no_meaning_stays_for_the_tool_to_refuse() {
    let beyond_doubles = json!(9_007_199_254_740_993_u64);
    for limit in [
        beyond_doubles,
        json!("1.5"),
        json!("3abc"),
        json!(""),
        json!("0x10"),
        json!(true),
        json!([3]),
    ] {
        let args = json!({ "dir_path": "/r", "limit": limit });
        assert_eq!(forgiven(Tool::Codex, args.clone()), Ok(args));
    }
}

#[test]
fn two_directories_are_refused_and_unknown_fields_told() {
    let args = json!({ "dir_path": "/a", "path": "/b" });
    assert!(forgiven(Tool::Codex, args).unwrap_err().contains("`dir_path` is given twice"));
    let args = json!({ "path": "/a", "include_hidden": true });
    let forgiven = forgive(Tool::Codex, args.as_object().unwrap()).unwrap();
    assert!(forgiven.notice[0].contains("`path` was taken as `dir_path`"), "{forgiven:?}");
    assert!(forgiven.notice[1].contains("`include_hidden` is no field"), "{forgiven:?}");
}
