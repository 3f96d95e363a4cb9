//! The files of a chat session beside a listing.

use std::fs;
use std::sync::Arc;

use trilist::{
    Bucket, Cancel, ChatFile, ChatFiles, ChatGroup, Entry, HostSide, ListError, ListRequest,
    Lister, Mode, Page, PathArg, View, read_session, render,
};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{MODES, ask, clean, lister};

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["README.md", "gone.rs", "src/deep/er/x.rs", "src/lib.rs", "src/main.rs"])
        .file("caf\u{e9}\nbar", "")
        .symlink("link.rs", "src/lib.rs")
        .symlink("out", "/etc")
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .file(".gitignore", "*.log\nbuilt/\n")
        .files(["built/a.rs", "src/debug.log", "src/new.rs", "node_modules/x/index.js", ".env"])
        .remove("gone.rs")
        .build()
}

fn session(in_chat: &[&str], read_only: &[&str]) -> ChatFiles {
    let names = |names: &[&str]| names.iter().map(|name| PathArg::from(*name)).collect();
    ChatFiles { in_chat: names(in_chat), read_only: names(read_only) }
}

fn ask_in(lister: &Lister, request: &ListRequest, files: ChatFiles) -> Result<Page, ListError> {
    let host = HostSide { chat: Some(Arc::new(files)), ..HostSide::default() };
    lister.list_for(request, &host, &Cancel::new())
}

fn page_in(lister: &Lister, request: &ListRequest, files: ChatFiles) -> Page {
    let page = ask_in(lister, request, files).unwrap();
    clean(&page);
    page
}

/// A line for each file of a group: its path, and why it is not listed.
fn told(group: &ChatGroup) -> Vec<String> {
    let line = |file: &ChatFile| {
        assert_eq!(file.listed, file.reason.is_none());
        let rule = file.rule.as_ref().map_or(String::new(), |rule| format!(" {}", rule.pattern));
        let reason = file.reason.map_or(String::new(), |reason| format!(": {}", reason.words()));
        format!("{}{reason}{rule}", file.path)
    };
    group.files.iter().map(line).collect()
}

fn of(page: &Page, bucket: Bucket) -> Vec<&str> {
    let of_bucket = |entry: &&Entry| entry.bucket == Some(bucket);
    page.entries.iter().filter(of_bucket).map(|entry| entry.path.as_str()).collect()
}

#[test]
fn entries_have_buckets_and_the_reply_has_three_groups() {
    for mode in MODES {
        let tree = tree();
        let files = session(&["src/main.rs"], &["README.md"]);
        let page = page_in(&lister(tree.path()), &ask(*mode, "."), files);
        assert_eq!(of(&page, Bucket::InChat), ["src/main.rs"], "{mode}");
        assert_eq!(of(&page, Bucket::ReadOnly), ["README.md"], "{mode}");
        let chat = page.chat.as_ref().unwrap();
        assert_eq!((chat.in_chat.count, chat.read_only.count), (1, 1));
        assert_eq!(told(&chat.in_chat), ["src/main.rs"]);
        let others = of(&page, Bucket::Repo).len() as u64;
        assert_eq!((chat.repo.count, chat.repo.returned), (Some(page.returned - 2), others));
        let text = render::text(&page, View::Tree);
        assert!(text.contains("  main.rs [in chat]\n"), "{text}");
        assert!(text.contains("README.md [read-only]\n"), "{text}");
        assert!(
            text.contains("\nIn the chat: 1 (src/main.rs).\nRead-only: 1 (README.md).\n"),
            "{text}"
        );
    }
}

#[test]
fn without_a_session_nothing_is_said_of_one() {
    let tree = tree();
    let page = lister(tree.path()).list(&ask(Mode::Fs, "."), &Cancel::new()).unwrap();
    assert!(page.chat.is_none() && page.entries.iter().all(|entry| entry.bucket.is_none()));
    assert!(!render::json(&page).contains("bucket"));
}

#[test]
fn what_the_mode_does_not_list_is_told_with_its_reason() {
    let tree = tree();
    let all = [
        "gone.rs",
        "src/new.rs",
        "src/debug.log",
        "built/a.rs",
        "node_modules/x/index.js",
        ".env",
        ".git/config",
        "src/deep/er/x.rs",
        "absent/x.rs",
        "../notes.md",
        "src",
    ];
    let lister = lister(tree.path());
    let reasons = |mode| {
        let page = page_in(&lister, &ask(mode, "."), session(&all, &[]));
        let chat = page.chat.unwrap();
        assert_eq!(chat.in_chat.count, all.len() as u64);
        told(&chat.in_chat)
    };
    let fs = [
        ".env: hidden",
        ".git/config: protected",
        "absent/x.rs: not on disk",
        "built/a.rs",
        "gone.rs: not on disk",
        "node_modules/x/index.js: builtin",
        "src",
        "src/debug.log",
        "src/deep/er/x.rs: beyond the depth",
        "src/new.rs",
        "../notes.md: outside the root",
    ];
    assert_eq!(reasons(Mode::Fs), fs);
    let files = [
        ".env",
        ".git/config: protected",
        "absent/x.rs: not on disk",
        "built/a.rs: ignored built/",
        "gone.rs: not on disk",
        "node_modules/x/index.js: builtin",
        "src: of another kind",
        "src/debug.log: ignored *.log",
        "src/deep/er/x.rs",
        "src/new.rs",
        "../notes.md: outside the root",
    ];
    assert_eq!(reasons(Mode::Files), files);
    let vcs = [
        ".env: untracked",
        ".git/config: protected",
        "absent/x.rs: not on disk",
        "built/a.rs: untracked",
        "gone.rs",
        "node_modules/x/index.js: untracked",
        "src: of another kind",
        "src/debug.log: untracked",
        "src/deep/er/x.rs",
        "src/new.rs: untracked",
        "../notes.md: outside the root",
    ];
    assert_eq!(reasons(Mode::Vcs), vcs);
}

#[test]
fn a_file_is_listed_also_behind_a_cut_and_in_no_other_place() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let files = || session(&["src/main.rs", "README.md"], &["src/lib.rs"]);
        let first = page_in(&lister, &ListRequest { limit: Some(1), ..ask(*mode, ".") }, files());
        let chat = first.chat.as_ref().unwrap();
        assert_eq!(told(&chat.in_chat), ["README.md", "src/main.rs"], "{mode}");
        assert_eq!(told(&chat.read_only), ["src/lib.rs"], "{mode}");
        assert_eq!(chat.repo.count, None, "the total is not known");
        // A page that goes on counts, and names none.
        let next = ListRequest { cursor: first.next_cursor, ..ask(*mode, ".") };
        let next = page_in(&lister, &next, files());
        let chat = next.chat.as_ref().unwrap();
        assert_eq!((chat.in_chat.count, chat.in_chat.files.len()), (2, 0), "{mode}");
        assert_eq!(of(&next, Bucket::ReadOnly), ["src/lib.rs"], "{mode}");
        // Of a part, the rest is outside.
        let part = page_in(&lister, &ask(*mode, "src"), files());
        let chat = part.chat.as_ref().unwrap();
        assert_eq!(told(&chat.in_chat), ["main.rs", "README.md: outside the listed directory"]);
    }
}

#[test]
fn every_spelling_of_a_file_is_the_same_entry() {
    let tree = tree();
    let absolute = tree.join("src/lib.rs");
    let spellings = [
        "src/lib.rs",
        "./src//lib.rs",
        "src/deep/../lib.rs",
        "src/deep/er/../../lib.rs",
        "link.rs",
        "\"src/lib.rs\"",
        "\"src/\\154ib.rs\"",
        absolute.to_str().unwrap(),
    ];
    for mode in MODES {
        let lister = lister(tree.path());
        let page = page_in(&lister, &ask(*mode, "."), session(&spellings, &spellings));
        let chat = page.chat.as_ref().unwrap();
        assert_eq!(told(&chat.in_chat), ["src/lib.rs"], "{mode}");
        assert_eq!((chat.in_chat.count, chat.read_only.count), (1, 0), "{mode}");
        assert_eq!(of(&page, Bucket::InChat), ["src/lib.rs"], "{mode}");
    }
    // An odd name as it is shown, and as it is.
    for odd in ["caf\u{e9}\nbar", "\"caf\u{e9}\\nbar\""] {
        let page = page_in(&lister(tree.path()), &ask(Mode::Files, "."), session(&[odd], &[]));
        assert_eq!(of(&page, Bucket::InChat), ["\"caf\u{e9}\\nbar\""]);
    }
}

#[test]
fn a_link_that_leads_out_is_the_link_and_what_is_outside_keeps_its_name() {
    let tree = tree();
    let named = ["out", "out/passwd", "/etc/passwd", "../../etc/hosts", "/nowhere/at/all"];
    let page = page_in(&lister(tree.path()), &ask(Mode::Fs, "."), session(&[], &named));
    let chat = page.chat.as_ref().unwrap();
    assert_eq!(
        told(&chat.read_only),
        [
            "out",
            "../../etc/hosts: outside the root",
            "/etc/passwd: outside the root",
            "/nowhere/at/all: outside the root",
            "out/passwd: outside the root",
        ]
    );
    assert_eq!(of(&page, Bucket::ReadOnly), ["out"]);
}

#[test]
fn what_is_outside_is_one_file_by_its_names_and_what_comes_back_is_inside() {
    let tree = tree();
    let name = tree.path().file_name().unwrap().to_str().unwrap();
    let back = format!("src/../../{name}/src/lib.rs");
    let files = session(
        &["/etc/hosts", &back],
        &["/etc/../etc/hosts", "/etc//hosts", "/etc/./hosts", "src/lib.rs"],
    );
    let page = page_in(&lister(tree.path()), &ask(Mode::Files, "."), files);
    let chat = page.chat.as_ref().unwrap();
    assert_eq!(told(&chat.in_chat), ["src/lib.rs", "/etc/hosts: outside the root"]);
    assert_eq!(chat.read_only.count, 0);
}

#[test]
fn a_session_is_bounded_and_checked() {
    let tree = tree();
    let lister = lister(tree.path());
    let code = |files: ChatFiles| ask_in(&lister, &ask(Mode::Fs, "."), files).unwrap_err().code();
    let many = vec![PathArg::from("a"); 501];
    let too_many = ChatFiles { in_chat: many.clone(), read_only: many };
    assert_eq!(code(too_many), "invalid_argument");
    let long = "x".repeat(4_097);
    for name in ["", "a\0b", &long] {
        assert_eq!(code(session(&[name], &[])), "invalid_argument", "{name:.10}");
        assert_eq!(code(session(&[], &[name])), "invalid_argument", "{name:.10}");
    }
}

#[test]
fn no_request_can_carry_a_session() {
    for text in [
        r#"{"mode":"fs","chat":{"in_chat":["a"]}}"#,
        r#"{"mode":"fs","in_chat":["a"]}"#,
        r#"{"mode":"fs","read_only":["a"]}"#,
    ] {
        assert!(serde_json::from_str::<ListRequest>(text).is_err(), "{text}");
    }
    let schemas: Vec<_> = trilist::schema::all();
    let request = &schemas.iter().find(|(name, _)| *name == "list_request.json").unwrap().1;
    assert!(request["properties"].get("chat").is_none());
}

#[test]
fn a_session_comes_from_a_file() {
    let tree = Tree::empty();
    let file = tree.join("session.json");
    fs::write(&file, r#"{"in_chat": ["a"], "read_only": ["b"]}"#).unwrap();
    assert_eq!(read_session(&file).unwrap(), session(&["a"], &["b"]));
    for text in ["", "[]", r#"{"in_chats": []}"#, r#"{"in_chat": "a"}"#] {
        fs::write(&file, text).unwrap();
        assert_eq!(read_session(&file).unwrap_err().code(), "invalid_argument", "{text}");
    }
    assert_eq!(read_session(&tree.join("absent")).unwrap_err().code(), "io_error");
}

#[test]
fn kept_listings_and_changes_have_buckets_too() {
    let tree = tree();
    let lister = lister(tree.path());
    let files = || session(&["src/main.rs", "src/debug.log"], &[]);
    let request = ListRequest { pin: true, ..ask(Mode::Files, ".") };
    let pinned = page_in(&lister, &request, files());
    assert_eq!(of(&pinned, Bucket::InChat), ["src/main.rs"]);
    let chat = pinned.chat.as_ref().unwrap();
    assert_eq!(told(&chat.in_chat), ["src/debug.log: ignored *.log", "src/main.rs"]);
    let id = Some(pinned.snapshot_id);
    let again = ListRequest { snapshot: id.clone(), offset: Some(2), ..ask(Mode::Files, ".") };
    assert_eq!(of(&page_in(&lister, &again, files()), Bucket::InChat), ["src/main.rs"]);
    fs::remove_file(tree.join("src/main.rs")).unwrap();
    let since = page_in(&lister, &ListRequest { since: id, ..ask(Mode::Files, ".") }, files());
    assert_eq!(of(&since, Bucket::InChat), ["src/main.rs"]);
    let chat = since.chat.as_ref().unwrap();
    assert_eq!(told(&chat.in_chat)[1], "src/main.rs: not on disk");
    assert_eq!(chat.repo.count, None);
}

#[test]
fn equal_ids_mean_equal_buckets() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = |files| page_in(&lister, &ask(Mode::Files, "."), files).snapshot_id;
    assert_ne!(id(session(&["src/main.rs"], &[])), id(session(&["src/lib.rs"], &[])));
    assert_eq!(id(session(&["src/main.rs"], &[])), id(session(&["./src/main.rs"], &[])));
}

#[test]
fn a_page_with_groups_keeps_its_budget() {
    let tree = TreeBuilder::new().files((0..300).map(|number| format!("dir/f{number:03}"))).build();
    let names: Vec<String> = (0..30).map(|number| format!("dir/f{number:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let request = ListRequest { max_bytes: Some(8_192), limit: Some(300), ..ask(Mode::Files, ".") };
    let page = page_in(&lister(tree.path()), &request, session(&names, &[]));
    assert!(page.truncated && page.returned > 1);
    assert!(render::json(&page).len() <= 8_192 && render::text(&page, View::Tree).len() <= 8_192);
}
