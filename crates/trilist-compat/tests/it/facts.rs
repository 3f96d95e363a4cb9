//! Names, schemas and facts of the tools.

use serde_json::json;
use trilist_compat::Tool;

#[test]
fn every_tool_has_its_name() {
    let names: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
    let right = ["codex", "opencode", "aider", "roo", "gemini", "gemini-0.1", "sii", "gencode"];
    assert_eq!(names, right);
    assert!(Tool::ALL.iter().all(|tool| Tool::named(tool.name()) == Some(*tool)));
    assert_eq!(Tool::named("cline"), None);
}

#[test]
fn every_schema_takes_a_plain_call_and_refuses_a_wrong_type() {
    let calls = [
        (Tool::Codex, json!({ "dir_path": "/repo", "limit": 3 }), json!({ "dir_path": 1 })),
        (Tool::OpenCode, json!({ "path": "src", "ignore": ["*.o"] }), json!({ "ignore": "*.o" })),
        (Tool::Roo, json!({ "path": ".", "recursive": true }), json!({ "recursive": true })),
        (Tool::Gemini, json!({ "dir_path": "/repo" }), json!({ "path": "/repo" })),
        (Tool::Gemini01, json!({ "path": "/repo" }), json!({ "dir_path": "/repo" })),
        (Tool::Sii, json!({ "path": "/repo" }), json!({ "path": "/repo", "ignore": [1] })),
        (Tool::GenCode, json!({ "sort": "size", "depth": 10 }), json!({ "depth": 11 })),
    ];
    for (tool, right, wrong) in calls {
        let validator = jsonschema::validator_for(&tool.schema()).unwrap();
        assert!(validator.is_valid(&right), "{} takes {right}", tool.name());
        assert!(!validator.is_valid(&wrong), "{} refuses {wrong}", tool.name());
    }
}

#[test]
fn facts_are_those_of_the_programs() {
    assert!(Tool::Codex.facts().parallel && Tool::Codex.facts().gated);
    assert_eq!(Tool::OpenCode.facts().asks.len(), 2);
    assert_eq!(Tool::Roo.facts().stops_after_ms, Some(10_000));
    assert_eq!(Tool::Roo.facts().most_entries, Some(200));
}
