//! What models are forgiven, as a table: arguments as they come, and those that they mean.

use serde_json::{Value, json};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new()
        .file("a b/c/d/e.rs", "")
        .file("a b/c/x.log", "")
        .file("a b/.hidden", "")
        .file(".gitignore", "*.log\n")
        .file(".geminiignore", "*.rs\n")
        .file("z", "zz")
        .repo()
        .build()
}

/// The structure of an answer, without what tells one spelling from another: the notices, and the
/// digest of the request.
fn meaning(client: &mut Client, arguments: Value) -> Value {
    let (_, mut page) = client.list(arguments);
    let fields = page.as_object_mut().unwrap();
    fields.retain(|name, _| name != "notices" && name != "snapshot_id");
    page
}

#[test]
fn what_has_one_meaning_is_understood() {
    let tree = tree();
    let address = format!("file://{}/a%20b", tree.path().display());
    let local = format!("file://localhost{}/a%20b/", tree.path().display());
    let table = [
        // Numbers and truth values as text, whole numbers with a point.
        (json!({ "depth": "1" }), json!({ "depth": 1 })),
        (json!({ "depth": 3.0, "limit": " 2 " }), json!({ "depth": 3, "limit": 2 })),
        (json!({ "include_hidden": "True" }), json!({ "include_hidden": true })),
        (json!({ "count": "false" }), json!({ "count": false })),
        // Null is absent; so is an empty path.
        (json!({ "mode": null, "cursor": null, "depth": null }), json!({})),
        (json!({ "ignore": { "git": null } }), json!({ "ignore": {} })),
        (json!({ "path": "" }), json!({ "path": "." })),
        // Lists and objects as text, and one text for a list of one.
        (json!({ "kinds": "[\"dir\"]" }), json!({ "kinds": ["dir"] })),
        (json!({ "kinds": "dir" }), json!({ "kinds": ["dir"] })),
        (json!({ "pattern": "*.rs", "depth": 4 }), json!({ "pattern": ["*.rs"], "depth": 4 })),
        (json!({ "ignore": "{\"git\": \"true\"}" }), json!({ "ignore": { "git": true } })),
        (
            json!({ "ignore": { "patterns": "[\"z\"]" } }),
            json!({ "ignore": { "patterns": ["z"] } }),
        ),
        // Paths.
        (json!({ "path": "a b/" }), json!({ "path": "a b" })),
        (json!({ "path": address }), json!({ "path": "a b" })),
        (json!({ "path": local }), json!({ "path": "a b" })),
        // The names of Codex, OpenCode, Roo Code, Gemini CLI and its fork, GenCode.
        (json!({ "dir_path": "a b" }), json!({ "path": "a b" })),
        (json!({ "directory": "a b", "path": "a b" }), json!({ "path": "a b" })),
        (json!({ "directory_path": "a b" }), json!({ "path": "a b" })),
        (json!({ "target_directory": address }), json!({ "path": "a b" })),
        (json!({ "recursive": true }), json!({ "depth": 4096 })),
        (json!({ "recursive": "false" }), json!({ "depth": 1 })),
        (json!({ "recursive": true, "depth": 3 }), json!({ "depth": 3 })),
        (json!({ "ignore": ["z"] }), json!({ "ignore": { "patterns": ["z"] } })),
        (json!({ "ignore": "[\"z\"]" }), json!({ "ignore": { "patterns": ["z"] } })),
        (json!({ "respect_git_ignore": true }), json!({ "ignore": { "git": true } })),
        (
            json!({ "file_filtering_options": {
                "respect_git_ignore": "true", "respect_gemini_ignore": true,
            } }),
            json!({ "ignore": { "git": true, "tool_files": [".geminiignore"] } }),
        ),
        (json!({ "file_filtering_options": { "respect_gemini_ignore": false } }), json!({})),
        (
            json!({ "file_filtering_options": { "respect_sii_ignore": true } }),
            json!({ "ignore": { "tool_files": [".siiignore"] } }),
        ),
        (json!({ "all": true }), json!({ "include_hidden": true })),
        (json!({ "long": true }), json!({ "metadata": true })),
        (json!({ "directories_only": true }), json!({ "kinds": ["dir"] })),
        (json!({ "files_only": true, "directories_only": false }), json!({ "kinds": ["file"] })),
        (json!({ "sort": "name" }), json!({ "sort": "path" })),
        (json!({ "sort": "type" }), json!({ "sort": "kind" })),
        (json!({ "sort": "size" }), json!({ "sort": "size" })),
    ];
    let mut client = Client::legacy(tree.path());
    for (given, meant) in table {
        let (given_page, meant_page) =
            (meaning(&mut client, given.clone()), meaning(&mut client, meant.clone()));
        assert_eq!(given_page, meant_page, "{given} is {meant}");
    }
    // The table would prove nothing if all of these meant the same.
    assert_ne!(meaning(&mut client, json!({ "depth": 1 })), meaning(&mut client, json!({})));
}

#[test]
fn another_tools_name_is_told() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let (text, page) = client.list(json!({ "directory": "a b" }));
    assert_eq!(page["notices"], json!(["`directory` was taken as `path`"]));
    assert!(text.ends_with("\nNotice: `directory` was taken as `path`\n"), "{text}");
}

#[test]
fn an_unknown_field_is_named_with_its_neighbour() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for (given, unknown, near) in [
        (json!({ "include_hiden": true }), "include_hiden", "include_hidden"),
        (json!({ "max_depth": 3 }), "max_depth", "depth"),
        (json!({ "ignore": { "gti": true } }), "ignore.gti", "ignore.git"),
        (json!({ "chat": { "in_chat": ["z"] } }), "chat", ""),
        (json!({ "colour": "red" }), "colour", ""),
    ] {
        let (_, page) = client.list(given.clone());
        let notice = page["notices"][0].as_str().unwrap();
        let mut right = format!("`{unknown}` is no field of this tool and was left out");
        if !near.is_empty() {
            right.push_str(&format!("; the nearest is `{near}`"));
        }
        assert_eq!(notice, right);
        let mut strict = given;
        strict["strict"] = json!("true");
        let error = client.failure("list_dir", strict);
        assert_eq!(error["code"], "invalid_argument");
        let right = match near {
            "" => "leave it out".to_owned(),
            near => format!("the nearest is `{near}`"),
        };
        let message = format!("`{unknown}` is no field of this tool; {right}");
        assert_eq!(error["message"], message);
    }
    let many: Value =
        (0..50).map(|n| (format!("u{n}"), json!(1))).collect::<serde_json::Map<_, _>>().into();
    let (_, page) = client.list(many);
    assert_eq!(page["notices"].as_array().unwrap().len(), 6);
    assert_eq!(page["notices"][5], "45 more unknown fields were left out");
}

#[test]
fn what_has_no_meaning_or_two_is_refused_with_field_and_right_value() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for (given, field, right) in [
        (json!({ "path": "a b", "dir_path": "z" }), "path", "give it once"),
        (json!({ "dir_path": "z", "directory": "a b" }), "path", "give it once"),
        (json!({ "depth": 1, "recursive": true }), "depth", "give it once"),
        (json!({ "depth": 2, "recursive": false }), "depth", "give it once"),
        (json!({ "kinds": ["file"], "directories_only": true }), "kinds", "give it once"),
        (json!({ "path": 5 }), "path", "it must be text"),
        (json!({ "path": ["a b"] }), "path", "it must be text"),
        (json!({ "mode": "git" }), "mode", "it must be one of `fs`, `files`, `vcs`"),
        (json!({ "mode": "FS" }), "mode", "it must be one of"),
        (json!({ "include_hidden": "yes" }), "include_hidden", "it must be true or false"),
        (json!({ "include_hidden": 1 }), "include_hidden", "it must be true or false"),
        (json!({ "kinds": ["link"] }), "kinds", "it must be one of `file`, `dir`"),
        (json!({ "kinds": [1] }), "kinds", "it must be one of"),
        (json!({ "pattern": 5 }), "pattern", "it must be a list"),
        (json!({ "ignore": 5 }), "ignore", "it must be an object"),
        (json!({ "ignore": { "git": "no" } }), "ignore.git", "it must be true or false"),
        (json!({ "recursive": "deep" }), "depth", "a whole number from 1 to 4,096"),
        (json!({ "strict": "on" }), "strict", "it must be true or false"),
    ] {
        let error = client.failure("list_dir", given.clone());
        assert_eq!(error["code"], "invalid_argument", "{given}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("`{field}` is ")), "{given}: {message}");
        assert!(message.contains(right), "{given}: {message}");
    }
}

#[test]
fn t37_numbers_are_neither_wrapped_nor_clamped() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for field in ["depth", "limit", "offset", "max_bytes", "deadline_ms"] {
        let too_large = json!(18_446_744_073_709_551_615_u64);
        for value in [json!(0), json!(-1), json!(1.5), json!("1e3"), json!(1e300), json!("0x10")] {
            let error = client.failure("list_dir", json!({ field: value }));
            let message = error["message"].as_str().unwrap();
            assert!(message.starts_with(&format!("`{field}` is ")), "{value}: {message}");
            assert!(message.contains("whole number"), "{value}: {message}");
        }
        let error = client.failure("list_dir", json!({ field: too_large }));
        assert!(
            ["invalid_argument", "offset_out_of_range"].contains(&error["code"].as_str().unwrap())
        );
    }
}

#[test]
fn addresses_outside_the_root_are_refused_like_paths() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for (path, code) in [
        ("file:///etc", "outside_root"),
        ("file://other-host/etc", "not_found"),
        ("file://%2e%2e/x", "not_found"),
        ("file:///%zz", "not_found"),
        ("%2e%2e/x", "not_found"),
    ] {
        assert_eq!(client.failure("list_dir", json!({ "path": path }))["code"], code, "{path}");
    }
}

/// What there is to say of the arguments is said whatever becomes of the call, in both parts.
#[test]
fn notices_stand_in_failed_answers_too() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let odd = "`odd` is no field of this tool and was left out";
    for (tool, args, code, told) in [
        ("list_dir", json!({ "dir_path": "no" }), "not_found", "`dir_path` was taken as `path`"),
        ("list_dir", json!({ "odd": 1, "depth": 0 }), "invalid_argument", odd),
        ("list_dir", json!({ "odd": 1, "path": "z", "directory": "a" }), "invalid_argument", odd),
        ("list_dir", json!({ "odd": 1, "view": "overview", "offset": 2 }), "invalid_argument", odd),
        ("explain_path", json!({ "odd": 1, "paths": [] }), "invalid_argument", odd),
        ("compare_modes", json!({ "odd": 1, "path": "no" }), "not_found", odd),
    ] {
        let result = client.call(tool, args.clone());
        let structured = &result["structuredContent"];
        assert_eq!(structured["error"]["code"], code, "{args}");
        assert_eq!(structured["notices"], json!([told]), "{args}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.ends_with(&format!("\nNotice: {told}\n")), "{text}");
    }
    let roots = client.call("list_roots", json!({ "odd": 1 }));
    let told = format!("{odd}; it takes none");
    assert_eq!(roots["structuredContent"]["notices"], json!([told]));
    let text = roots["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with(&format!("\nNotice: {told}\n")), "{text}");
}

/// Nothing is said to be left out by a call that does nothing because of it.
#[test]
fn a_strict_call_leaves_nothing_out() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let args = json!({ "directory": "a b", "odd": 1, "even": 2, "strict": true });
    let result = client.call("list_dir", args);
    let structured = &result["structuredContent"];
    let message = "`odd` is no field of this tool; leave it out; one more is unknown";
    assert_eq!(structured["error"]["message"], message);
    assert_eq!(structured["notices"], json!(["`directory` was taken as `path`"]));
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(!text.contains("left out"), "{text}");
}
