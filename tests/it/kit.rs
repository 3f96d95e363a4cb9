//! The kit builds what the manifests say, bit for bit.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

use serde_json::Value;
use trilist_tests::oracle::{self, FoundKind};
use trilist_tests::{Tree, TreeBuilder, as_unprivileged, cases, git, require, tree_names};

#[test]
fn every_tree_can_be_built() {
    for name in tree_names() {
        let tree = Tree::build(&name);
        assert!(tree.path().is_dir(), "{name}");
    }
}

#[test]
fn git_objects_have_the_recorded_ids() {
    for (name, case) in cases("git") {
        let tree = Tree::build(case["tree"].as_str().unwrap());
        let dir = tree.path().join(below_root(&case["cwd"]));
        let expected = &case["expected"];
        if let Some(head) = expected["head"].as_str() {
            let found = git(&dir, &["rev-parse", "HEAD"]);
            assert_eq!(String::from_utf8_lossy(&found).trim(), head, "{name}");
        }
        let staged = git(&dir, &["ls-files", "-s", "-z"]);
        assert_eq!(lines(&staged), strings(&expected["ls_files_stage"]), "{name}");
    }
}

#[test]
fn oracles_agree_with_recorded_git() {
    for (name, case) in cases("git") {
        let tree = Tree::build(case["tree"].as_str().unwrap());
        let dir = tree.path().join(below_root(&case["cwd"]));
        check_lists(&name, &dir, &case["expected"]);
        check_rules(&name, &dir, &case["expected"]["check_ignore"]);
    }
}

fn check_lists(name: &str, dir: &Path, expected: &Value) {
    assert_eq!(texts(oracle::git_ls_files(dir)), strings(&expected["ls_files"]), "{name}");
    let mut tree: Vec<String> = strings(&expected["ls_tree"])
        .iter()
        .map(|line| line.split_once('\t').unwrap().1.to_owned())
        .collect();
    tree.sort();
    assert_eq!(texts(oracle::git_ls_tree(dir)), tree, "{name}");
}

fn check_rules(name: &str, dir: &Path, recorded: &Value) {
    let recorded = recorded.as_array().unwrap();
    let paths: Vec<Vec<u8>> = recorded.iter().map(|rule| bytes(&rule["path"])).collect();
    let rules = oracle::git_check_ignore(dir, &paths);
    assert_eq!(rules.len(), recorded.len(), "{name}");
    for (rule, recorded) in rules.iter().zip(recorded) {
        let line = rule.rule.as_ref().map(|(_, line, _)| *line);
        assert_eq!(line, recorded["line"].as_u64(), "{name}: {recorded}");
    }
}

#[test]
fn ripgrep_lists_what_was_recorded() {
    if !require("rg") {
        return;
    }
    for (name, case) in cases("ripgrep") {
        // The recorder left its own cache in the homes of this tree.
        if name == "global-excludes" {
            continue;
        }
        let tree = Tree::build(case["tree"].as_str().unwrap());
        let dir = tree.path().join(below_root(&case["cwd"]));
        for listing in case["expected"]["listings"].as_array().unwrap() {
            // A listing with errors (no permission, a loop) is refused by the oracle.
            if listing["exit"] == 2 {
                continue;
            }
            let mut expected: Vec<Vec<u8>> =
                listing["paths"].as_array().unwrap().iter().map(bytes).collect();
            expected.sort();
            let argv = strings(&listing["argv"]);
            assert_eq!(oracle::rg_files(&dir, &argv), expected, "{name} {argv:?}");
        }
    }
}

#[test]
fn a_fluent_tree_holds_what_was_asked() {
    let tree = TreeBuilder::new()
        .file("a/b", "text")
        .dir("x")
        .symlink("l", "t")
        .fifo("p")
        .file(b"\xff", "")
        .chmod("a/b", 0o600)
        .build();
    assert_eq!(fs::read(tree.join("a/b")).unwrap(), b"text");
    assert_eq!(fs::metadata(tree.join("a/b")).unwrap().mode() & 0o7777, 0o600);
    assert_eq!(fs::metadata(tree.join("a")).unwrap().mode() & 0o7777, 0o755);
    assert_eq!(fs::read_link(tree.join("l")).unwrap(), Path::new("t"));
    assert!(fs::symlink_metadata(tree.join("p")).unwrap().file_type().is_fifo());
    let expected: Vec<(Vec<u8>, FoundKind)> = vec![
        (b"a".to_vec(), FoundKind::Dir),
        (b"a/b".to_vec(), FoundKind::File),
        (b"l".to_vec(), FoundKind::Symlink),
        (b"p".to_vec(), FoundKind::Other),
        (b"x".to_vec(), FoundKind::Dir),
        (b"\xff".to_vec(), FoundKind::File),
    ];
    assert_eq!(oracle::find_paths(tree.path()), expected);
}

#[test]
fn steps_are_done_in_order() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["one", "two"])
        .commit("first")
        .git(&["rm", "-q", "one"])
        .rename("two", "three/two")
        .build();
    assert_eq!(texts(oracle::git_ls_files(tree.path())), ["two"]);
    assert_eq!(texts(oracle::git_ls_tree(tree.path())), ["one", "two"]);
    assert!(tree.join("three/two").exists());
}

#[test]
fn a_tree_is_gone_after_its_value() {
    let tree = TreeBuilder::new().file("shut/x", "").chmod("shut", 0o000).build();
    let outside = tree.outside().to_path_buf();
    drop(tree);
    assert!(!outside.exists());
}

#[test]
fn an_ordinary_user_is_kept_out() {
    let tree = TreeBuilder::new().file("shut/x", "").chmod("shut", 0o000).unprivileged().build();
    let output = as_unprivileged("ls").arg(tree.join("shut")).output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    let open = as_unprivileged("ls").arg(tree.path()).output().unwrap();
    assert_eq!(open.stdout, b"shut\n");
}

#[test]
fn a_program_out_of_reach_still_runs() {
    let stage = TreeBuilder::new().dir("private").build();
    fs::copy("/bin/ls", stage.join("private/program")).unwrap();
    fs::set_permissions(stage.join("private"), fs::Permissions::from_mode(0o700)).unwrap();
    let output = as_unprivileged(stage.join("private/program")).arg("/").output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
#[should_panic(expected = "not a path inside the tree")]
fn nothing_is_made_outside() {
    TreeBuilder::new().file("a/../../b", "").build();
}

/// The directory of a case relative to its tree.
fn below_root(cwd: &Value) -> &str {
    cwd.as_str().unwrap().strip_prefix("${ROOT}").unwrap().trim_start_matches('/')
}

/// A name of a case: text, or hex for what is not UTF-8.
fn bytes(name: &Value) -> Vec<u8> {
    match (name.as_str(), name["hex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(hex)) => hex
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect(),
        (None, None) => panic!("not a name: {name}"),
    }
}

fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn texts(paths: Vec<Vec<u8>>) -> Vec<String> {
    paths.into_iter().map(|path| String::from_utf8(path).unwrap()).collect()
}

fn lines(output: &[u8]) -> Vec<String> {
    let records = output.split(|byte| *byte == 0).filter(|record| !record.is_empty());
    records.map(|record| String::from_utf8_lossy(record).into_owned()).collect()
}
