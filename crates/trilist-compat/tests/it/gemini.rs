//! The contract of Gemini CLI beside the recorded cases. What is right here was found by running
//! the checks of the published packages, 0.61.0 and 0.1.22, on the same trees.

use serde_json::{Value, json};
use trilist_compat::Tool;
use trilist_tests::{Tree, TreeBuilder, unprivileged};

use crate::support::{answer, root};

fn listed(tool: Tool, tree: &Tree, path: &str) -> Value {
    let name = if tool == Tool::Gemini { "dir_path" } else { "path" };
    let params = json!({ name: path });
    let call = json!({ "target_dir": root(tree), "project_temp_dir": null, "params": params });
    unprivileged(|| answer(tool, &call, tree))
}

fn ways() -> Tree {
    TreeBuilder::new()
        .files(["f", "real/x", "locked/in/x"])
        .symlink("link", "real")
        .symlink("gone", "nothing")
        .symlink("loop", "loop")
        .chmod("locked", 0o000)
        .unprivileged()
        .build()
}

#[test]
fn the_early_release_refuses_what_it_cannot_follow() {
    let tree = ways();
    let said = |below: &str| {
        let path = format!("{}/{below}", root(&tree));
        let reply = listed(Tool::Gemini01, &tree, &path);
        let said = reply.get("error").filter(|error| !error.is_null());
        said.unwrap_or(&reply["llmContent"]).as_str().unwrap().replace(&path, "PATH")
    };
    let refused = format!("Path must be within one of the workspace directories: {}", root(&tree));
    let (long, wide) = ("n".repeat(300), "é".repeat(200));
    let unclear =
        ["loop", "loop/x", "gone", "gone/x", "f/x", "locked/in", "locked/in/x", &long, &wide];
    for below in unclear {
        assert_eq!(said(below), refused, "{below}");
    }
    let error = |what: &str| format!("Error listing directory: {what} 'PATH'");
    for below in ["nope", "nope/x", "link/nope", &"n".repeat(255)] {
        assert_eq!(said(below), error("ENOENT: no such file or directory, stat"), "{below}");
    }
    // Its start is missing, which is found out before its length.
    let deep = vec!["a"; 3_000].join("/");
    assert_eq!(said(&deep), error("ENAMETOOLONG: name too long, stat"));
    assert_eq!(said("f"), "Error: Path is not a directory: PATH");
    assert_eq!(said("locked"), error("EACCES: permission denied, scandir"));
    assert_eq!(said("link"), "Directory listing for PATH:\nx");
}

#[test]
fn the_current_release_refuses_what_is_no_path() {
    let tree = ways();
    let refusal = |path: &str| {
        let reply = listed(Tool::Gemini, &tree, path);
        let ok = reply["ok"].as_bool().unwrap();
        (!ok).then(|| reply["error"].as_str().unwrap().to_owned())
    };
    let (long, deep) = ("n".repeat(256), vec!["a"; 3_000].join("/"));
    let none = ["a\nb", "a\tb", "a\0b", "FAIL x", "x/✓ y", "plain...", "q\"q", &long, &deep];
    for path in none {
        let refused = refusal(path).unwrap_or_else(|| panic!("{path} is taken"));
        assert!(refused.starts_with("Invalid path: "), "{path}: {refused}");
    }
    let hidden =
        ["%2e%2e", "%2egit", ".Git.", "node_modules ", ".env:x", "git~1", "GI0a1F~1", "a\\.env\\b"];
    for path in hidden {
        let refused = refusal(path).unwrap_or_else(|| panic!("{path} is taken"));
        let start = format!("Path not in workspace: Attempted path \"{}/{path}\"", root(&tree));
        assert!(refused.starts_with(&start), "{path}: {refused}");
    }
    let wide = "é".repeat(200);
    for path in ["", "real", "nope", "f/x", "%zz", "a%20b", "~", "loop", "gone", &wide] {
        assert_eq!(refusal(path), None, "{path}");
    }
}

/// The link named `.env` leads to a directory that is not hidden.
#[test]
fn the_current_release_judges_names_by_where_they_lead() {
    let kept = ["a b", "bad%zz.git", "real", "x%2Fy"];
    let hidden = [
        "%2e%2e%2fz",
        "%2egit",
        ".env:x",
        "FAIL x",
        "GI0a1F~1",
        "back\\.env\\q",
        "gha-cr~1.jso",
        "git~1",
        "node_modules ",
        "plain...",
        "q\"q",
        "tab\tx",
        "✓ y",
    ];
    let tree = TreeBuilder::new().symlink(".env", "real");
    let tree = kept.iter().chain(&hidden).fold(tree, |tree, dir| tree.dir(dir)).build();
    let reply = listed(Tool::Gemini, &tree, "");
    let rows = reply["returnDisplay"]["files"].as_array().unwrap_or_else(|| panic!("{reply}"));
    let mut rows: Vec<&str> =
        rows.iter().map(|row| row.as_str().unwrap().trim_start_matches("[DIR] ")).collect();
    rows.sort_unstable();
    let mut right = kept.to_vec();
    right.push(".env");
    right.sort_unstable();
    assert_eq!(rows, right);
    assert_eq!(reply["notice"].as_array().unwrap().len(), hidden.len(), "{reply}");
}
