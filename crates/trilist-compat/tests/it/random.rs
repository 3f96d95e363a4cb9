//! Whatever a call holds, it is answered or refused in words.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use trilist::Cancel;
use trilist_compat::{Options, Surroundings, Tool, call, lenient};
use trilist_tests::TreeBuilder;

/// Field names that tools know, and some that they do not.
const NAMES: &[&str] = &[
    "dir_path",
    "path",
    "params",
    "ignore",
    "limit",
    "offset",
    "depth",
    "recursive",
    "sort",
    "pattern",
    "target_dir",
    "directory",
    "worktree",
    "workspace",
    "git_root",
    "aiderignore",
    "chat",
    "read_only",
    "subtree_only",
    "raw",
    "strict",
    "extra_workspace_dirs",
    "long",
    "all",
    "file_filtering_options",
    "respect_git_ignore",
    "showRooIgnoredFiles",
    "files_only",
    "foo",
];

fn leaf(root: String) -> impl Strategy<Value = Value> {
    let inside = format!("{root}/a");
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0..4_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "[*?\\[\\]{}!/.,a-c\\\\]{0,8}".prop_map(Value::from),
        Just(json!(root)),
        Just(json!(inside)),
        Just(json!("../..")),
        Just(json!("x".repeat(5_000))),
    ]
}

fn object(root: &str) -> impl Strategy<Value = Value> {
    let nested = leaf(root.to_owned()).prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            fields(inner),
        ]
    });
    fields(nested)
}

fn fields(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let name = proptest::sample::select(NAMES).prop_map(str::to_owned);
    proptest::collection::vec((name, value), 0..8)
        .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
}

/// The host's part, so that most calls get as far as the model's.
fn with_host(tool: Tool, args: Value, root: &str) -> Value {
    let mut whole = args.as_object().cloned().unwrap_or_default();
    let mut set = |name: &str| {
        whole.insert(name.to_owned(), json!(root));
    };
    match tool {
        Tool::OpenCode => ["directory", "worktree"].into_iter().for_each(&mut set),
        Tool::Aider => set("git_root"),
        Tool::Roo => set("workspace"),
        Tool::Gemini | Tool::Gemini01 | Tool::Sii => set("target_dir"),
        Tool::Codex | Tool::GenCode => {}
    }
    if !matches!(whole.get("strict"), None | Some(Value::Bool(_))) {
        whole.remove("strict");
    }
    Value::Object(whole)
}

#[test]
fn random_calls_never_panic() {
    let tree =
        TreeBuilder::new().file("a/b", "").file(".gitignore", "x\n").symlink("l", "a").build();
    let root = tree.path().to_str().unwrap().to_owned();
    let around = Surroundings { cwd: tree.path().to_path_buf(), ..Surroundings::default() };
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let calls = (proptest::sample::select(Tool::ALL), object(&root), any::<bool>());
    runner
        .run(&calls, |(tool, args, has_host)| {
            let args = if has_host { with_host(tool, args, &root) } else { args };
            match call(tool, &args, &around, Options::default(), &Cancel::new()) {
                Ok(answer) => prop_assert!(answer.is_object()),
                Err(error) => prop_assert!(!error.message.is_empty()),
            }
            if let Some(fields) = args.as_object() {
                let _ = lenient::forgive(tool, fields);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn random_text_of_codex_is_refused_in_words() {
    proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }, |(raw in ".{0,60}")| {
        if let Err(reply) = trilist_compat::codex::parse(&raw) {
            prop_assert!(reply.error.unwrap().starts_with("failed to parse function arguments: "));
        }
    });
}
