//! What cannot be read is told: each fact once, and with its true number.

use serde_json::{Value, json};
use trilist_compat::Tool;
use trilist_tests::{Tree, TreeBuilder, unprivileged};

use crate::support::{answer, root};

/// A call that lists everything below the tree's root, or its own entries.
fn everything(tool: Tool, tree: &Tree) -> Value {
    let here = root(tree);
    let args = match tool {
        Tool::OpenCode => json!({ "directory": here }),
        Tool::Roo => json!({ "workspace": here, "path": ".", "recursive": true }),
        Tool::GenCode => json!({ "recursive": true, "all": true, "long": true }),
        Tool::Gemini => json!({ "target_dir": here, "params": { "dir_path": here } }),
        _ => json!({ "target_dir": here, "params": { "path": here } }),
    };
    unprivileged(|| answer(tool, &args, tree))
}

fn notices(reply: &Value) -> Vec<String> {
    let notices = reply["notice"].as_array().map(Vec::as_slice).unwrap_or_default();
    notices.iter().map(|notice| notice.as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_number_of_faults_is_the_true_one() {
    let mut tree = TreeBuilder::new().file("a", "");
    for at in 0..1_200 {
        let dir = format!("d{at:04}");
        tree = tree.dir(&dir).chmod(&dir, 0o000);
    }
    let tree = tree.unprivileged().build();
    for tool in [Tool::GenCode, Tool::OpenCode, Tool::Roo] {
        let said = notices(&everything(tool, &tree));
        assert_eq!(said[0], "`d0000`: EACCES", "{}", tool.name());
        assert_eq!(said[20], "and 1180 more of the kind", "{}", tool.name());
    }
}

#[test]
fn each_fault_is_told_once() {
    let tree = TreeBuilder::new().files(["x", "noexec/a/b", "noexec/c/d"]);
    let tree = tree.dir("locked").chmod("locked", 0o000).dir("other").chmod("other", 0o000);
    let tree = tree.fifo(".gitignore").chmod("noexec", 0o444).repo().unprivileged().build();
    for tool in [Tool::GenCode, Tool::OpenCode, Tool::Roo, Tool::Sii, Tool::Gemini, Tool::Gemini01]
    {
        let said = notices(&everything(tool, &tree));
        assert!(!said.is_empty(), "{}", tool.name());
        let mut once = said.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), said.len(), "{}: {said:?}", tool.name());
        let of_git = said.iter().filter(|said| said.contains(".gitignore")).count();
        assert_eq!(of_git, usize::from(tool != Tool::GenCode), "{}: {said:?}", tool.name());
    }
}

/// The file of rules of each program, where it cannot be used.
#[test]
fn rules_that_are_not_in_force_are_told() {
    let files = [
        (Tool::Roo, ".rooignore"),
        (Tool::Roo, ".gitignore"),
        (Tool::Gemini, ".geminiignore"),
        (Tool::Gemini, ".gitignore"),
        (Tool::Gemini01, ".geminiignore"),
        (Tool::Gemini01, ".gitignore"),
        (Tool::Sii, ".siiignore"),
        (Tool::Sii, ".gitignore"),
    ];
    for (tool, file) in files {
        let bare = TreeBuilder::new().file("x", "").repo().unprivileged();
        let cases = [
            (bare.clone().fifo(file), "it is a pipe, socket or device, not a regular file"),
            (bare.clone().dir(file), "it is a directory, not a regular file"),
            (bare.clone().file(file, "x\n").chmod(file, 0o000), "EACCES"),
            (bare.clone().file(file, vec![b'#'; (1 << 20) + 1]), "it is larger than 1048576 bytes"),
        ];
        for (tree, why) in cases {
            let said = notices(&everything(tool, &tree.build()));
            let right = format!("`{file}`: {why}, so its rules are not in force");
            let of_file: Vec<&String> = said.iter().filter(|said| said.contains(file)).collect();
            assert_eq!(of_file, [&right], "{}", tool.name());
        }
        // The engine follows no link to git's files; the others follow links in the workspace.
        let out = bare.clone().symlink(file, "/etc/hostname").build();
        let said = notices(&everything(tool, &out));
        let is_told = |said: &String| {
            said.starts_with(&format!("`{file}`: it "))
                && said.contains("link") | said.contains("leads out of the workspace")
        };
        assert_eq!(
            said.iter().filter(|said| is_told(said)).count(),
            1,
            "{}: {said:?}",
            tool.name()
        );
        // One that is usable, or is not there, is nothing to tell.
        let usable = bare.clone().file(file, "nothing\n").build();
        for tree in [usable, bare.build()] {
            let said = notices(&everything(tool, &tree));
            assert!(
                !said.iter().any(|said| said.contains("in force")),
                "{}: {said:?}",
                tool.name()
            );
        }
    }
}
