//! The host's part of a call.

use serde_json::{Value, json};
use trilist::Cancel;
use trilist_compat::{Options, Surroundings, Tool, call};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{answer, root};

fn tree() -> Tree {
    TreeBuilder::new().file("a", "").build()
}

/// Taken from `/`, a relative workspace would open the whole file system.
#[test]
fn a_relative_workspace_opens_nothing() {
    let tree = tree();
    let around = Surroundings { cwd: tree.path().to_path_buf(), ..Surroundings::default() };
    let refused = |tool: Tool, args: &Value| match call(
        tool,
        args,
        &around,
        Options::default(),
        &Cancel::new(),
    ) {
        Err(error) => error.to_string(),
        Ok(reply) => reply["error"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned(),
    };
    for relative in ["", ".", "..", "a", "./../.."] {
        let gemini = |key: &str| json!({ "target_dir": relative, "params": { key: "/etc" } });
        let opencode = |directory: &str, worktree: &str| json!({ "params": { "path": "/etc" }, "directory": directory, "worktree": worktree });
        for (tool, args, field) in [
            (Tool::Gemini, gemini("dir_path"), "target_dir"),
            (Tool::Gemini01, gemini("path"), "target_dir"),
            (Tool::Sii, gemini("path"), "target_dir"),
            (Tool::OpenCode, opencode(relative, "/"), "directory"),
            (Tool::OpenCode, opencode(root(&tree), relative), "worktree"),
        ] {
            let said = refused(tool, &args);
            let right = format!("`{field}` is \"{relative}\"; it must be an absolute path");
            assert!(said.contains(&right), "{said}");
        }
    }
}

#[test]
fn a_refusal_names_the_temporary_directory_that_the_host_names() {
    let tree = tree();
    let refusal = |temp: Option<Value>| {
        let mut call = json!({ "target_dir": root(&tree), "params": { "dir_path": "/etc" } });
        if let Some(temp) = temp {
            call["project_temp_dir"] = temp;
        }
        answer(Tool::Gemini, &call, &tree)["error"].as_str().unwrap().to_owned()
    };
    let dirs = format!(" workspace directories: {}", root(&tree));
    let named = " or the project temp directory: ";
    assert!(refusal(Some(json!("/t"))).ends_with(&format!("{dirs}{named}/t")));
    assert!(refusal(Some(Value::Null)).ends_with(&dirs));
    // As recorded.
    assert!(refusal(None).ends_with(&format!("{dirs}{named}${{PEER_TEMP}}")));
}
