//! The kernel's fence around the process.

use std::process::Command;

use serde_json::{Value, json};
use trilist_tests::{Tree, TreeBuilder, git, require, tree_names};

use crate::support::trilist;

fn output(tree: &Tree, args: &[&str]) -> (Option<i32>, String, String) {
    let output = trilist(tree).args(args).command().output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn check_same(tree: &Tree, args: &[&str]) {
    let fenced = output(tree, args);
    let open = output(tree, &[args, &["--no-fence"]].concat());
    assert_eq!(fenced, open, "{args:?}");
}

#[test]
fn t70_listings_are_the_same_behind_the_fence() {
    for tree in tree_names().iter().map(|name| Tree::build(name)) {
        for mode in ["fs", "files", "vcs"] {
            check_same(&tree, &["-m", mode, "--json", "-n", "1000", "--hidden"]);
            check_same(&tree, &["explain", "-m", mode, "--json", ".", "a", "absent/x"]);
        }
    }
}

#[test]
fn t70_a_linked_worktree_is_listed_though_its_git_directory_lies_outside() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new().files(["repo/a", "repo/b"]).build();
    let repo = tree.path().join("repo");
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "one"]);
    git(&repo, &["worktree", "add", "-q", "../linked"]);
    std::fs::create_dir_all(repo.join(".git/info")).unwrap();
    std::fs::write(repo.join(".git/info/exclude"), "*.x\n").unwrap();
    std::fs::write(tree.path().join("linked/c.x"), "").unwrap();
    for args in [&["-m", "vcs", "linked", "--json"][..], &["-m", "files", "linked", "--json"]] {
        check_same(&tree, args);
        let page: Value = serde_json::from_str(&output(&tree, args).1).unwrap();
        assert_eq!(page["complete"], true, "{page}");
        assert!(!page["entries"].to_string().contains("c.x"), "its exclude file counts: {page}");
    }
    let told = output(&tree, &["doctor", "linked"]).1;
    assert!(told.contains("read outside"), "{told}");
    // The pages after the first are read behind the same fence.
    let first: Value =
        serde_json::from_str(&output(&tree, &["-m", "vcs", "linked", "--json", "-n", "1"]).1)
            .unwrap();
    let cursor = first["next_cursor"].as_str().unwrap();
    check_same(&tree, &["linked", "--json", "--cursor", cursor]);
}

#[test]
fn t70_the_fence_is_closed_before_anything_of_the_tree_is_read() {
    if !require("strace") {
        return;
    }
    let tree = TreeBuilder::new().files(["inner/file"]).build();
    let trace = tree.outside().join("trace");
    // One call, for the server alone.
    let input = tree.outside().join("input");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = json!({ "name": "list_dir", "_meta": meta });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
    std::fs::write(&input, format!("{call}\n")).unwrap();
    let each = [&["."][..], &["compare"], &["explain", "inner/file", "inner"], &["mcp"]];
    for words in each {
        let program = trilist(&tree).command().get_program().to_owned();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", "signal=none", "-e"]);
        strace.arg("trace=/landlock_.*,getdents64,execve").arg("-o").arg(&trace);
        strace.arg(program).args(words).current_dir(tree.path());
        strace.stdin(std::fs::File::open(&input).unwrap());
        let output = strace.output().unwrap();
        assert!(output.status.success(), "{words:?}");
        assert!(!output.stdout.is_empty(), "{words:?}");
        let text = std::fs::read_to_string(&trace).unwrap();
        let place = |of: &str| text.lines().position(|line| line.contains(of));
        assert!(text.contains("landlock_create_ruleset"), "{words:?} asks for the fence");
        if let Some(fence) = place("landlock_restrict_self") {
            assert!(fence < place("getdents64").expect("a directory is read"), "{text}");
        }
        assert_eq!(text.matches("execve(").count(), 1, "{text}");
    }
}

#[test]
fn the_doctor_says_what_each_mode_can_do() {
    let tree = TreeBuilder::new().files(["a"]).build();
    let (status, text, _) = output(&tree, &["doctor"]);
    assert_eq!(status, Some(0));
    for line in
        ["kernel fence", "root", "mode fs        lists", "mode vcs       not_a_repository: "]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    let object: Value = serde_json::from_str(&output(&tree, &["doctor", "--json"]).1).unwrap();
    assert_eq!(object["modes"]["files"]["lists"], true);
    assert_eq!(object["modes"]["vcs"]["error"]["code"], "not_a_repository");
    assert_eq!(object["roots"][0]["available"], true);
}
