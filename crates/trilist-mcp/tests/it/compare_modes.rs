//! What `compare_modes` answers.

use serde_json::{Value, json};
use trilist::{Cancel, CompareRequest, Lister, Policy, render};
use trilist_mcp::Options;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new()
        .file(".gitignore", "*.log\n")
        .file("src/main.rs", "")
        .repo()
        .commit("one")
        .file("x.log", "")
        .file("new.rs", "")
        .build()
}

#[test]
fn text_and_structure_are_those_of_the_library() {
    let tree = tree();
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let reply = lister.compare(&CompareRequest::new("."), &Cancel::new()).unwrap();
    let mut client = Client::legacy(tree.path());
    let result = client.call("compare_modes", json!({}));
    assert_eq!(result["isError"], false);
    assert_eq!(result["content"][0]["text"], render::comparison(&reply));
    let structured = &result["structuredContent"];
    assert_eq!(structured["differing"], reply.differing);
    let row = |path: &str| -> Value {
        let rows = structured["rows"].as_array().unwrap();
        rows.iter().find(|row| row["path"] == path).unwrap_or_else(|| panic!("{path}")).clone()
    };
    let log = row("x.log")["modes"].clone();
    assert_eq!((&log["fs"]["listed"], &log["files"]["listed"]), (&json!(true), &json!(false)));
    assert_eq!(log["files"]["rule"]["pattern"], "*.log");
    assert_eq!(row("new.rs")["modes"]["vcs"]["listed"], false);
}

#[test]
fn arguments_are_forgiven_and_errors_told_as_for_list_dir() {
    let tree = tree();
    let mut client = Client::modern(tree.path());
    let plain = client.call("compare_modes", json!({ "path": "src", "depth": 1, "show": "all" }));
    let odd = json!({ "directory": "src/", "recursive": "false", "show": "all", "mode": null });
    let odd = client.call("compare_modes", odd);
    assert_eq!(odd["structuredContent"]["rows"], plain["structuredContent"]["rows"]);
    assert!(odd["structuredContent"]["rows"][0].is_object());
    let notices = odd["structuredContent"]["notices"].as_array().unwrap();
    assert!(notices.contains(&json!("`directory` was taken as `path`")), "{notices:?}");
    let unknown = client.call("compare_modes", json!({ "sort": "size" }));
    let notice = unknown["structuredContent"]["notices"][0].as_str().unwrap();
    assert!(notice.starts_with("`sort` is no field of this tool"), "{notice}");
    for (asked, code) in [
        (json!({ "path": "nope" }), "not_found"),
        (json!({ "path": "../.." }), "outside_root"),
        (json!({ "limit": 0 }), "invalid_argument"),
        (json!({ "in_chat": ["x"], "strict": true }), "invalid_argument"),
    ] {
        assert_eq!(client.failure("compare_modes", asked.clone())["code"], code, "{asked}");
    }
}

#[test]
fn a_page_ends_where_its_bytes_end_and_joined_pages_are_the_whole() {
    let tree = tree();
    let names: Vec<String> = (0..300).map(|n| format!("{n:03}-{}", "x".repeat(200))).collect();
    for name in &names {
        std::fs::write(tree.join(name), "").unwrap();
    }
    let few = Policy { default_max_bytes: Some(4_096), ..Policy::default() };
    for (policy, most) in [(Policy::default(), 65_536), (few, 4_096)] {
        let mut client = Client::under(policy, &[tree.path()], &Options::default());
        client.initialize();
        let (mut paths, mut next) = (Vec::new(), json!(1));
        while !next.is_null() {
            let result = client.call("compare_modes", json!({ "limit": 250, "offset": next }));
            let (text, page) = (&result["content"][0]["text"], &result["structuredContent"]);
            let text = text.as_str().unwrap();
            assert!(text.len() <= most && page.to_string().len() <= most, "{}", text.len());
            let rows = page["rows"].as_array().unwrap();
            assert_eq!(page["returned"], rows.len());
            paths.extend(rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()));
            let is_cut = page["truncated"] == true;
            assert_eq!(is_cut, page["truncated_by"] == "budget");
            assert_eq!((page["complete"] == true, page["total"].as_u64()), (false, Some(303)));
            next = page.get("next_offset").cloned().unwrap_or_default();
            let cut = format!("CUT by the byte budget after {} rows, ", rows.len());
            assert_eq!(text.matches(&cut).count(), if is_cut { 2 } else { 0 }, "{text}");
            assert_eq!(text.contains(&format!("Next rows: offset={next}\n")), is_cut);
        }
        let mut right = vec![".git"];
        right.extend(names.iter().map(String::as_str));
        right.extend(["new.rs", "x.log"]);
        assert_eq!(paths, right);
    }
}
