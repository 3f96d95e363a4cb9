//! Other programs' tools: their names, their schemas, and their answers as `trilist compat` gives
//! them.

use serde_json::{Value, json};
use trilist::{Cancel, Policy};
use trilist_compat::{Surroundings, Tool, call};
use trilist_mcp::{Options, Server, SetupError};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new()
        .file(".gitignore", "*.log\n")
        .file("x.log", "")
        .file("src/main.rs", "fn")
        .file("docs/a.md", "")
        .repo()
        .commit("one")
        .build()
}

fn serving(tree: &Tree, tool: Tool) -> Client {
    let options = Options { profiles: vec![tool], ..Options::default() };
    let mut client = Client::silent(&[tree.path()], &options);
    client.initialize();
    client
}

/// A model's arguments, the call that `trilist compat` would be given, and what of its answer is
/// the text for the model.
fn calls(tree: &Tree) -> Vec<(Tool, &'static str, Value, Value, &'static str)> {
    let root = tree.path().to_str().unwrap();
    let codex = json!({ "dir_path": root, "limit": 3 });
    let roo = json!({
        "workspace": root, "path": ".", "recursive": true, "limit": 200,
        "showRooIgnoredFiles": false,
    });
    let aider = json!({
        "git_root": root, "aiderignore": null, "subtree_only": false, "chat": [], "read_only": [],
    });
    let opencode = json!({ "params": { "path": "src" }, "directory": root, "worktree": "/" });
    let src = format!("{root}/src");
    let early = json!({ "target_dir": root, "params": { "path": src } });
    vec![
        (Tool::Codex, "list_dir", codex.clone(), codex, "text"),
        (Tool::Roo, "list_files", json!({ "path": ".", "recursive": true }), roo, "text"),
        (Tool::Aider, "ls", json!({}), aider, "ls_text"),
        (Tool::OpenCode, "list", json!({ "path": "src" }), opencode, "output"),
        (
            Tool::Gemini,
            "list_directory",
            json!({ "dir_path": "." }),
            json!({ "target_dir": root, "params": { "dir_path": "." } }),
            "llmContent",
        ),
        (Tool::Gemini01, "list_directory", json!({ "path": src }), early.clone(), "llmContent"),
        (Tool::Sii, "list_directory", json!({ "path": src }), early, "llmContent"),
    ]
}

#[test]
fn a_profile_answers_as_the_program_does() {
    let tree = tree();
    let around = Surroundings { cwd: tree.path().to_path_buf(), ..Surroundings::default() };
    for (tool, name, args, whole, field) in calls(&tree) {
        let mut client = serving(&tree, tool);
        let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
        let found: Vec<_> =
            tools.as_array().unwrap().iter().filter(|tool| tool["name"] == name).collect();
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0]["inputSchema"], tool.schema());
        assert_eq!(found[0].get("outputSchema"), None);
        let reply = call(tool, &whole, &around, Default::default(), &Cancel::new()).unwrap();
        let result = client.call(name, args);
        assert_eq!(result["isError"], false, "{result}");
        assert_eq!(result["content"][0]["text"], reply[field], "{name}");
        assert!(reply[field].is_string());
        assert_eq!(result.get("structuredContent"), None);
    }
}

#[test]
fn gencode_answers_with_its_object() {
    let tree = tree();
    let mut client = serving(&tree, Tool::GenCode);
    let result = client.call("LS", json!({ "path": "src", "long": "true" }));
    let object: Value =
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!((&object["success"], &object["entries"][0]["size"]), (&json!(true), &json!(2)));
    let refused = client.call("LS", json!({ "path": "../.." }));
    assert_eq!(refused["isError"], true, "{refused}");
}

#[test]
fn a_profile_takes_the_place_of_the_tool_with_its_name_and_only_that() {
    let tree = tree();
    let names = |tool| {
        let mut client = serving(&tree, tool);
        let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
        let names = tools.as_array().unwrap().iter().map(|tool| tool["name"].clone());
        names.collect::<Vec<_>>()
    };
    let codex = names(Tool::Codex);
    assert_eq!(codex.iter().filter(|name| **name == "list_dir").count(), 1);
    let roo = names(Tool::Roo);
    assert_eq!(roo.len(), codex.len() + 1);
    assert_eq!(roo.last(), Some(&json!("list_files")));
    // The tool in its place takes other arguments, and says so in the recorded words.
    let mut client = serving(&tree, Tool::Codex);
    let result = client.call("list_dir", json!({ "dir_path": "src" }));
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"][0]["text"], "dir_path must be an absolute path");
}

#[test]
fn what_is_added_stands_beside_the_text() {
    let tree = tree();
    let mut client = serving(&tree, Tool::Codex);
    let args = json!({ "path": tree.path(), "limit": "2", "depht": 1 });
    let result = client.call("list_dir", args);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("\nMore than 2 entries found"), "{text}");
    let beside = result["content"][1]["text"].as_str().unwrap();
    let lines: Vec<_> = beside.lines().collect();
    assert_eq!(lines[0], "Notice: `path` was taken as `dir_path`");
    assert!(lines[1].starts_with("Notice: `depht` is no field of this tool"), "{beside}");
    assert_eq!(lines[2], "Notice: the next page starts at offset 3");
    let twice = client.call("list_dir", json!({ "path": "/a", "dir_path": "/b", "depht": 1 }));
    assert_eq!(twice["structuredContent"]["error"]["code"], "invalid_argument");
    let notice = twice["structuredContent"]["notices"][0].as_str().unwrap();
    assert!(notice.starts_with("`depht` is no field of this tool"), "{notice}");
    // What the program refuses keeps its words.
    let refused = client.call("list_dir", json!({ "path": "src", "depht": 1 }));
    assert_eq!(refused["isError"], true);
    assert_eq!(refused["content"][0]["text"], "dir_path must be an absolute path");
    let beside = refused["content"][1]["text"].as_str().unwrap();
    assert_eq!(beside.lines().count(), 2, "{beside}");
}

#[test]
fn a_refusal_of_gemini_names_no_temporary_directory() {
    let tree = tree();
    for tool in [Tool::Gemini, Tool::Gemini01, Tool::Sii] {
        let field = if tool == Tool::Gemini { "dir_path" } else { "path" };
        let result = serving(&tree, tool).call("list_directory", json!({ field: "/etc" }));
        let text = result["content"][0]["text"].as_str().unwrap();
        let workspace = format!("workspace directories: {}", tree.path().display());
        let is_named = tool == Tool::Sii || text.ends_with(&workspace);
        let names_it = text.contains("${") || text.contains("temp directory");
        assert!(is_named && !names_it, "{text}");
    }
}

#[test]
fn aider_speaks_of_its_ignore_file_only_where_there_is_one() {
    let tree = tree();
    let ls = || serving(&tree, Tool::Aider).call("ls", json!({}))["content"].clone();
    let without = ls();
    assert_eq!(without.as_array().unwrap().len(), 1, "{without}");
    std::fs::write(tree.join(".aiderignore"), "docs/\n").unwrap();
    let with = ls();
    assert_eq!(with.as_array().unwrap().len(), 1, "{with}");
    let lists = |content: &Value| content[0]["text"].as_str().unwrap().contains("docs/a.md");
    assert!(lists(&without) && !lists(&with), "{without} {with}");
    std::fs::remove_file(tree.join(".aiderignore")).unwrap();
    std::fs::create_dir(tree.join(".aiderignore")).unwrap();
    let told = ls();
    assert!(told[1]["text"].as_str().unwrap().contains(".aiderignore"), "{told}");
}

/// No description speaks of the modes of a tool that is not there, and none leaves them unsaid.
#[test]
fn descriptions_speak_only_of_tools_that_are_announced() {
    let tree = tree();
    let announced = |options: Options| {
        let mut client = Client::silent(&[tree.path()], &options);
        client.initialize();
        let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
        tools.as_array().unwrap().clone()
    };
    let with = |tools: &[&str], profiles: &[Tool]| {
        let tools = tools.iter().map(|name| (*name).to_owned()).collect();
        announced(Options { tools, profiles: profiles.to_vec(), ..Options::default() })
    };
    let speaks = |tool: &Value| tool["description"].as_str().unwrap().contains("list_dir");
    let modes_of = |tools: Vec<Value>| {
        let explains = |tool: &Value| tool["name"] != "list_dir" && tool["name"] != "list_roots";
        tools.into_iter().filter(explains).collect::<Vec<_>>()
    };
    for tool in modes_of(with(&[], &[])) {
        assert!(speaks(&tool), "{tool}");
    }
    for tools in [
        with(&["explain_path"], &[]),
        with(&["compare_modes", "list_roots"], &[]),
        modes_of(with(&[], &[Tool::Codex])),
        modes_of(with(&["list_dir", "explain_path", "compare_modes"], &[Tool::Codex])),
    ] {
        for tool in tools {
            assert!(!tool.to_string().replace("list_directory", "").contains("list_dir"), "{tool}");
            let says = tool["description"].as_str().unwrap();
            assert!(tool["name"] == "list_roots" || says.contains("what is on disk"), "{says}");
        }
    }
}

#[test]
fn a_profile_reads_only_below_the_roots() {
    let tree = tree();
    for (tool, name, args) in [
        (Tool::Codex, "list_dir", json!({ "dir_path": "/" })),
        (Tool::OpenCode, "list", json!({ "path": "/" })),
        (Tool::Gemini, "list_directory", json!({ "dir_path": "/" })),
        (Tool::Roo, "list_files", json!({ "path": "../.." })),
    ] {
        let result = serving(&tree, tool).call(name, args);
        let text = result["content"].to_string();
        assert!(!text.contains("\\netc") && !text.contains("etc/"), "{text}");
        assert_eq!(result["isError"], true, "{name}: {text}");
    }
}

#[test]
fn two_profiles_of_one_name_are_refused() {
    let tree = tree();
    let open = |profiles: Vec<Tool>| {
        let options = Options { profiles, ..Options::default() };
        Server::open(&[tree.path()], Policy::default(), &options).err()
    };
    let error = open(vec![Tool::Gemini, Tool::Sii]).unwrap();
    assert!(matches!(error, SetupError::SameName { .. }));
    assert!(error.to_string().contains("`gemini` and `sii` both call their tool `list_directory`"));
    assert!(open(vec![Tool::Gemini, Tool::Gemini, Tool::Roo, Tool::Codex]).is_none());
    let options = Options { tools: vec!["list".to_owned()], ..Options::default() };
    let error = Server::open(&[tree.path()], Policy::default(), &options).err().unwrap();
    assert!(error.to_string().starts_with("there is no tool `list`; there are list_dir, "));
}
