//! What `list_dir` answers, in text and in structure.

use serde_json::{Value, json};
use trilist::{Cancel, ListRequest, Lister, Mode, OverviewRequest, Policy, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new()
        .file("README.md", "")
        .file("a\nb", "")
        .file("src/main.rs", "")
        .file("src/z.rs", "")
        .file(".gitignore", "*.log\n")
        .file("x.log", "")
        .repo()
        .commit("one")
        .build()
}

#[test]
fn text_and_structure_are_those_of_the_library() {
    let tree = tree();
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let mut client = Client::legacy(tree.path());
    for mode in Mode::ALL {
        for (view, rows) in
            [(View::Tree, "tree"), (View::Paths, "paths"), (View::Entries, "entries")]
        {
            let request = ListRequest { view: Some(view), ..ListRequest::new(mode, ".") };
            let page = lister.list(&request, &Cancel::new()).unwrap();
            let asked = json!({ "mode": mode, "view": rows });
            let (text, structured) = client.list(asked);
            assert_eq!(text, render::text(&page, view));
            let expected = match view {
                View::Tree => json!(render::rows(&page, view)),
                View::Paths => render::rows(&page, view).lines().collect(),
                _ => json!(page.entries),
            };
            assert_eq!(structured[rows], expected);
            // All else is the reply, without what is not known.
            let mut reply = serde_json::to_value(&page).unwrap();
            let fields = reply.as_object_mut().unwrap();
            fields.remove("entries");
            // The default of `max_bytes` differs, and with it the digest of the request.
            fields.remove("snapshot_id");
            fields.retain(|_, value| !value.is_null());
            let mut rest = structured.as_object().unwrap().clone();
            rest.remove(rows);
            rest.remove("snapshot_id");
            assert_eq!(Value::Object(rest), reply);
        }
    }
}

#[test]
fn rows_stand_in_the_form_of_the_view_and_once() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    const ROWS: &str =
        ".git/ [skipped: protected]\nREADME.md\n\"a\\nb\"\nsrc/\n  main.rs\n  z.rs\nx.log\n";
    let (_, plain) = client.list(json!({}));
    assert_eq!(plain["tree"], ROWS);
    assert_eq!((plain.get("paths"), plain.get("entries")), (None, None));
    let (_, sorted) = client.list(json!({ "sort": "kind" }));
    let first = &sorted["paths"].as_array().unwrap()[..4];
    assert_eq!(first, [".git/", "src/", "README.md", "\"a\\nb\""]);
    assert_eq!((sorted.get("tree"), sorted.get("entries")), (None, None));
    let (_, entries) = client.list(json!({ "view": "entries" }));
    assert_eq!(entries["entries"][2]["raw"], "YQpi");
    assert_eq!((entries.get("tree"), entries.get("paths")), (None, None));
}

#[test]
fn an_overview_is_a_view_and_has_no_pages() {
    let tree = tree();
    let lister = Lister::open(&[tree.path()], Policy::default()).unwrap();
    let mut client = Client::modern(tree.path());
    for mode in Mode::ALL {
        let asked = OverviewRequest::new(mode, ".");
        let overview = lister.overview(&asked, &Cancel::new()).unwrap();
        let (text, structured) = client.list(json!({ "mode": mode, "view": "overview" }));
        assert_eq!(text, render::overview(&overview));
        let rows = structured["tree"].as_str().unwrap();
        assert!(rows.contains("src/ (2 files)\n  main.rs\n") && text.contains(rows), "{text}");
        assert_eq!(structured["returned"], overview.returned);
        assert_eq!(structured.get("rows"), None);
    }
    for more in [json!({ "offset": 2 }), json!({ "cursor": cursor(&mut client) })] {
        let mut asked = json!({ "view": "overview" });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(client.failure("list_dir", asked)["code"], "invalid_argument");
    }
}

fn cursor(client: &mut Client) -> Value {
    client.list(json!({ "limit": 1 })).1["next_cursor"].clone()
}

#[test]
fn pages_go_on_by_their_cursor_alone() {
    let tree = (0..250).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n:03}"), ""));
    let tree = tree.build();
    for mode in ["fs", "files"] {
        let mut client = Client::modern(tree.path());
        let (mut asked, mut seen) = (json!({ "mode": mode, "limit": 60, "view": "paths" }), 0);
        let mut pages = Vec::new();
        loop {
            let (text, page) = client.list(asked);
            seen += page["returned"].as_u64().unwrap();
            pages.extend(page["paths"].as_array().unwrap().clone());
            assert_eq!(page["mode"], mode);
            let Some(cursor) = page["next_cursor"].as_str() else {
                assert_eq!((page["truncated"].clone(), seen), (json!(false), 250));
                break;
            };
            // Each channel alone says that it is cut, and how to go on.
            let line = format!("Next page: cursor=\"{cursor}\"");
            assert!(text.starts_with("CUT after 60 entries") && text.contains(&line), "{text}");
            asked = json!({ "cursor": cursor, "limit": 60, "view": "paths" });
        }
        let all: Vec<Value> = (0..250).map(|n| json!(format!("f{n:03}"))).collect();
        assert_eq!(pages, all);
    }
}

#[test]
fn a_reply_has_65_536_bytes_unless_asked_otherwise() {
    let name = "n".repeat(200);
    let tree = (0..600).fold(TreeBuilder::new(), |tree, n| tree.file(format!("{name}{n:03}"), ""));
    let tree = tree.build();
    let mut client = Client::legacy(tree.path());
    let (text, page) = client.list(json!({ "limit": 1000 }));
    assert_eq!((&page["truncated_by"], text.len() <= 65_536), (&json!("budget"), true));
    let (_, page) = client.list(json!({ "limit": 1000, "max_bytes": 1_048_576 }));
    assert_eq!((&page["truncated"], &page["returned"]), (&json!(false), &json!(600)));
}

#[test]
fn errors_are_results_with_code_message_and_what_to_try() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for (asked, code, message, hint) in [
        (json!({ "path": "scr" }), "not_found", "there is no `scr`", Some("Did you mean `src`?")),
        (json!({ "path": "README.md" }), "not_directory", "is a file", Some("List ")),
        (json!({ "path": "../.." }), "outside_root", "leads outside the root", Some("Give a path")),
        (json!({ "offset": 99 }), "offset_out_of_range", "has 7 entries", Some("from 1 to 7")),
        (json!({ "cursor": "c1.x" }), "invalid_cursor", "cannot be used", Some("Start again")),
        (json!({ "mode": "vcs", "kinds": ["dir"] }), "invalid_argument", "`kinds`", None),
    ] {
        let error = client.failure("list_dir", asked.clone());
        assert_eq!(error["code"], code, "{asked}");
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
        let told = error["hint"].as_str().unwrap_or_default();
        assert!(told.contains(hint.unwrap_or_default()), "{error}");
    }
}

#[test]
fn a_pinned_listing_is_kept_for_its_pages_and_for_what_changes() {
    let tree = (0..9).fold(TreeBuilder::new(), |tree, n| tree.file(format!("f{n}"), "")).build();
    let mut client = Client::modern(tree.path());
    let (_, first) = client.list(json!({ "pin": "true", "limit": 4, "view": "paths" }));
    assert_eq!((&first["pinned"], &first["total"]), (&json!(true), &json!(9)));
    std::fs::remove_file(tree.join("f8")).unwrap();
    std::fs::write(tree.join("new"), "").unwrap();
    // The pages agree with each other, not with what has become of the directory.
    let (_, next) = client.list(json!({ "cursor": first["next_cursor"], "view": "paths" }));
    assert_eq!(next["paths"], json!(["f4", "f5", "f6", "f7", "f8"]));
    let (text, since) = client.list(json!({ "since": first["snapshot_id"], "view": "entries" }));
    let rows = since["entries"].as_array().unwrap();
    let paths: Vec<_> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["f8", "new"], "{text}");
    let lost = client.failure("list_dir", json!({ "since": "0".repeat(32) }));
    assert_eq!(lost["code"], "snapshot_expired");
}

/// Channels say the same: what the text of a view does not mark, its rows do not either.
#[test]
fn paths_are_bare_in_text_and_structure() {
    let tree = TreeBuilder::new().file("node_modules/p/i.js", "").file("a", "").dir("e").build();
    let mut client = Client::legacy(tree.path());
    for asked in [json!({ "view": "paths" }), json!({ "sort": "path", "reverse": true })] {
        let (text, page) = client.list(asked);
        let mut rows: Vec<&str> =
            page["paths"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        assert_eq!(text.lines().skip(1).take(3).collect::<Vec<_>>(), rows);
        rows.sort_unstable();
        assert_eq!(rows, ["a", "e/", "node_modules/"]);
    }
    let marked = "a\ne/ [empty]\nnode_modules/ [skipped: builtin]\n";
    let (text, page) = client.list(json!({}));
    assert_eq!(page["tree"], marked);
    assert!(text.contains(marked), "{text}");
    let (_, page) = client.list(json!({ "view": "entries" }));
    assert_eq!(page["entries"][2]["skipped"], "builtin");
}
