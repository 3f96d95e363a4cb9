//! Tools on a host's own lister.

use serde_json::{Value, json};
use trilist::{Cancel, Lister, Policy};
use trilist_compat::{Options, Tool, aider, codex, opencode};
use trilist_tests::{Tree, TreeBuilder, unprivileged};

use crate::support::{answer, root};

fn lister(tree: &Tree) -> Lister {
    Lister::open(&[tree.path()], Policy::default()).unwrap()
}

#[test]
fn a_page_reads_only_the_directories_that_it_shows() {
    let tree = TreeBuilder::new().file("a/x", "").file("b/y", "").file("z/z", "");
    let tree = tree.chmod("z", 0o000).unprivileged().build();
    let lister = lister(&tree);
    let page = |limit: usize| {
        let args = codex::Args { dir_path: root(&tree).to_owned(), offset: 1, limit, depth: 2 };
        codex::list(&args, Options::default(), &lister, &Cancel::new())
    };
    // Where the locked directory is read, the notice tells.
    let first = unprivileged(|| page(2));
    let lines = "a/\n  x\nMore than 2 entries found";
    assert_eq!(first.text.unwrap(), format!("Absolute path: {}\n{lines}", root(&tree)));
    assert_eq!(first.notice, ["the next page starts at offset 3"]);
    let whole = unprivileged(|| page(25));
    assert!(whole.text.unwrap().ends_with("\nz/"));
    assert_eq!(whole.notice, ["`z` could not be read: Permission denied (os error 13)"]);
}

#[test]
fn pages_of_codex_joined_are_the_whole() {
    for tree in ["sort-dirs", "odd-names", "sort-traps", "bad-utf8", "deep"] {
        let tree = Tree::build(tree);
        let lister = lister(&tree);
        let page = |offset: usize, limit: usize| {
            let args = codex::Args { dir_path: root(&tree).to_owned(), offset, limit, depth: 20 };
            let reply = codex::list(&args, Options::default(), &lister, &Cancel::new());
            let text = reply.text.unwrap_or_default();
            let lines = text.lines().skip(1).filter(|line| !line.starts_with("More than"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let whole = page(1, 1_000);
        let joined: Vec<String> = (1..=whole.len()).flat_map(|offset| page(offset, 1)).collect();
        assert_eq!(joined, whole);
    }
}

#[test]
fn a_cancelled_call_has_no_listing() {
    let tree = Tree::build("basic");
    let cancel = Cancel::new();
    cancel.cancel();
    let args = codex::Args { dir_path: root(&tree).to_owned(), offset: 1, limit: 25, depth: 2 };
    let reply = codex::list(&args, Options::default(), &lister(&tree), &cancel);
    assert!(!reply.ok, "{reply:?}");
}

#[test]
fn what_lies_outside_every_root_is_refused() {
    let tree = Tree::build("links-outside");
    let inside = Lister::open(&[tree.join("ws")], Policy::default()).unwrap();
    let dir_path = tree.join("ws/out").to_str().unwrap().to_owned();
    let args = codex::Args { dir_path, offset: 1, limit: 25, depth: 2 };
    let reply = codex::list(&args, Options::default(), &inside, &Cancel::new());
    assert!(reply.error.unwrap().contains("leads outside the root"));
}

#[test]
fn questions_come_before_any_listing() {
    let call =
        json!({ "params": { "path": "/elsewhere" }, "directory": "/repo/a", "worktree": "/repo" });
    let args = opencode::parse(call.as_object().unwrap()).unwrap();
    let asks: Vec<&str> = opencode::questions(&args).iter().map(|ask| ask.permission).collect();
    assert_eq!(asks, ["external_directory", "list"]);
}

#[test]
fn outside_a_repository_aider_lists_the_chat() {
    let tree = Tree::build("vcs-not-a-repo");
    let call = json!({
        "git_root": root(&tree), "aiderignore": null, "subtree_only": false,
        "chat": ["sub/b.txt", "./a.txt"], "read_only": ["../x"],
    });
    let args = aider::parse(call.as_object().unwrap(), "/").unwrap();
    let reply = aider::list(&args, Options::default(), &lister(&tree), &Cancel::new());
    assert!(!reply.repo);
    let right = "\nRead-only files:\n\n  ../x\n\nFiles in chat:\n\n  a.txt\n  sub/b.txt\n";
    assert_eq!(reply.ls_text.unwrap(), right);
}

#[test]
fn no_name_forges_a_line() {
    let tree = TreeBuilder::new().file("d/new\nline", "").file("new\nline", "").build();
    let here = root(&tree);
    let calls = [
        (Tool::Codex, json!({ "dir_path": here }), "text"),
        (Tool::OpenCode, json!({ "directory": here, "worktree": here }), "output"),
        (Tool::Roo, json!({ "workspace": here, "path": ".", "recursive": true }), "text"),
        (Tool::Gemini01, json!({ "target_dir": here, "params": { "path": here } }), "llmContent"),
        (Tool::Sii, json!({ "target_dir": here, "params": { "path": here } }), "llmContent"),
    ];
    for (tool, args, field) in calls {
        let reply = answer(tool, &args, &tree);
        let text = reply[field].as_str().unwrap();
        assert!(text.contains("\"new\\nline\""), "{}: {text}", tool.name());
        assert!(!text.contains("\nline"), "{}: {text}", tool.name());
    }
}

#[test]
fn strict_is_a_field_of_the_call_too() {
    let tree = TreeBuilder::new().file("new\nline", "").build();
    let args = json!({ "dir_path": root(&tree), "strict": true });
    let reply: Value = answer(Tool::Codex, &args, &tree);
    assert!(reply["text"].as_str().unwrap().ends_with("\nnew\nline"), "{reply}");
}
