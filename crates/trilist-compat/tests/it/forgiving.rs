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
    let said = [
        "`path` was taken as `dir_path`",
        "`include_hidden` is no field of this tool and was left out; there are `dir_path`, \
         `offset`, `limit`, `depth`",
    ];
    assert_eq!(forgiven.notices(), said);
    // What was done to the other arguments is told all the same.
    let args = json!({ "dir_path": "/a", "path": "/b", "foo": 1 });
    let twice = forgive(Tool::Codex, args.as_object().unwrap()).unwrap_err();
    assert!(twice.notices[0].starts_with("`foo` is no field of this tool"), "{twice:?}");
}

/// Right are the fields that whoever misspelled them would have meant.
#[test]
fn a_field_is_named_only_where_it_is_near() {
    let right = |tool: Tool, name: &str| {
        let forgiven = forgive(tool, json!({ name: 1 }).as_object().unwrap()).unwrap();
        forgiven.unknown[0].right.clone().unwrap_or_default()
    };
    for (name, near) in [
        ("depht", "depth"),
        ("max_depth", "depth"),
        ("limits", "limit"),
        ("Offset", "offset"),
        ("dirpath", "dir_path"),
    ] {
        assert_eq!(right(Tool::Codex, name), format!("the nearest is `{near}`"));
    }
    for far in ["chat", "x", "color", "li", &"depth".repeat(100)] {
        let all = "there are `dir_path`, `offset`, `limit`, `depth`";
        assert_eq!(right(Tool::Codex, far), all, "{far}");
    }
    assert_eq!(right(Tool::Aider, "path"), "it takes none");
    // Of many fields none is named.
    assert_eq!(right(Tool::GenCode, "zzzz"), "");
}
