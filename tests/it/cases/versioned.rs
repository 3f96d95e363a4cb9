//! Mode `vcs`: facts of entries, ways in, and what a cursor keeps.

use std::fs;

use serde_json::json;
use trilist::{Cancel, ListRequest, Mode, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{ask, check_error, lister, page, pages_by_cursor, paths, whole};

fn tracked() -> ListRequest {
    ask(Mode::Vcs, ".")
}

/// A name in each state that the disk can give it.
fn on_disk() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["dir/gone-with-it", "gone", "here", "now-a-dir", "out", "run", "way/x"])
        .symlink("link", "here")
        .git(&["add", "-A"])
        .git(&["update-index", "--chmod=+x", "run"])
        .git(&["commit", "-q", "-m", "one"])
        .git(&["update-index", "--skip-worktree", "out"])
        .git(&["rm", "-q", "--cached", "here"])
        .remove("dir")
        .remove("gone")
        .remove("now-a-dir")
        .dir("now-a-dir")
        .remove("out")
        .remove("way")
        .symlink("way", "elsewhere")
        .file("elsewhere/x", "not the tracked one")
        .build()
}

#[test]
fn with_metadata_what_is_gone_from_disk_is_seen() {
    let tree = on_disk();
    let request = ListRequest { metadata: true, ..tracked() };
    let reply = whole(&lister(tree.path()), &request);
    let facts: Vec<_> = reply
        .entries
        .iter()
        .map(|entry| {
            let vcs = serde_json::to_value(entry.vcs).unwrap();
            (entry.path.as_str(), vcs["on_disk"].clone(), entry.size)
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("dir/gone-with-it", json!("absent"), None),
            ("gone", json!("absent"), None),
            ("here", json!("present"), Some(2)),
            ("link", json!("present"), Some(4)),
            ("now-a-dir", json!("other_kind"), None),
            ("out", json!("absent"), None),
            ("run", json!("present"), Some(2)),
            // The link leads to a file of that name, which is another.
            ("way/x", json!("absent"), None),
        ]
    );
    let text = render::text(&reply, View::Tree);
    let marks: Vec<_> = text.lines().filter(|line| line.contains(" [")).collect();
    assert_eq!(marks[..2], ["  gone-with-it [not on disk]", "gone [not on disk]"], "{text}");
    assert!(marks[2].starts_with("here [deleted]  2 B "), "{text}");
    assert_eq!(
        marks[3..],
        [
            "now-a-dir [on disk: another kind]",
            "out [skip-worktree] [not on disk]",
            "  x [not on disk]"
        ],
        "{text}"
    );
}

#[test]
fn without_metadata_and_without_a_disk_there_is_no_such_fact() {
    let tree = on_disk();
    let around = tree.outside().to_str().unwrap();
    tree.git(&["clone", "-q", "--bare", ".", &format!("{around}/bare.git")]);
    let bare = ListRequest { metadata: true, ..ask(Mode::Vcs, "bare.git") };
    for (root, request) in [(tree.path(), tracked()), (tree.outside(), bare)] {
        let reply = whole(&lister(root), &request);
        assert_eq!(reply.entries.len(), 8);
        for entry in &reply.entries {
            let value = serde_json::to_value(entry).unwrap();
            assert!(value["vcs"].get("on_disk").is_none(), "{value}");
            assert!(value.get("size").is_none(), "{value}");
        }
    }
}

#[test]
fn executable_files_are_told() {
    let tree = on_disk();
    let reply = whole(&lister(tree.path()), &tracked());
    let executable: Vec<_> = reply
        .entries
        .iter()
        .filter(|entry| entry.vcs.is_some_and(|vcs| vcs.executable))
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(executable, ["run"]);
    let plain = serde_json::to_value(&reply.entries[0]).unwrap();
    assert!(plain["vcs"].get("executable").is_none(), "only said where it is so: {plain}");
}

#[test]
fn a_linked_path_leads_to_the_tracked_names_behind_it() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["src/deep/a", "src/deep/b", "c"])
        .commit("one")
        .symlink("link", "src/deep")
        .build();
    let reply = whole(&lister(tree.path()), &ask(Mode::Vcs, "link"));
    assert_eq!((paths(&reply), reply.path.as_str()), (vec!["a", "b"], "src/deep"));
}

#[test]
fn a_split_index_is_paged_like_any() {
    let files = (0..60).map(|number| format!("d{}/f{number:02}", number % 4));
    let tree = TreeBuilder::new()
        .repo()
        .files(files)
        .commit("one")
        .git(&["config", "splitIndex.maxPercentChange", "100"])
        .git(&["update-index", "--split-index"])
        .files(["d1/new", "new"])
        .file("d2/f02", "changed")
        .git(&["add", "-A"])
        .git(&["rm", "-q", "--cached", "d0/f00", "d3/f59"])
        .build();
    let lister = lister(tree.path());
    let all = whole(&lister, &tracked());
    assert_eq!(all.entries.len(), 62);
    for limit in [1, 7, 61] {
        let pages = pages_by_cursor(&lister, &ListRequest { limit: Some(limit), ..tracked() });
        let joined: Vec<_> = pages.iter().flat_map(|page| page.entries.clone()).collect();
        assert_eq!(joined, all.entries, "limit {limit}");
        assert!(pages.iter().all(|page| !page.drifted));
    }
}

#[test]
fn a_cursor_keeps_the_ignore_files() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["a.log", "b", "c.log", "d", "e.log"])
        .file(".one", "*.log\n")
        .file(".two", "!c.log\n")
        .commit("one")
        .build();
    let mut request = ListRequest { limit: Some(3), include_hidden: Some(false), ..tracked() };
    request.ignore.aiderignore = vec![".one".to_owned(), ".two".to_owned()];
    let lister = lister(tree.path());
    let first = page(&lister, &request);
    assert_eq!(paths(&first), ["b", "c.log", "d"]);
    let cursor = ListRequest { limit: Some(2), ..request };
    let mut pages = pages_by_cursor(&lister, &cursor);
    assert_eq!(paths(&pages.remove(0)), ["b", "c.log"]);
    // The next page is asked for by the cursor alone.
    let alone = ListRequest { cursor: page(&lister, &cursor).next_cursor, ..tracked() };
    let second = page(&lister, &alone);
    assert_eq!(paths(&second), ["d"]);
    fs::write(tree.join(".two"), "").unwrap();
    assert!(page(&lister, &alone).drifted);
}

#[test]
fn ignore_files_are_bounded_and_belong_to_one_mode() {
    let tree = on_disk();
    let mut request = tracked();
    request.ignore.aiderignore = vec!["gone".to_owned(); 17];
    let error = check_error(&tree, &request, "invalid_argument");
    assert!(error.to_string().contains("at most 16"), "{error}");
    request.ignore.aiderignore.truncate(16);
    assert!(lister(tree.path()).list(&request, &Cancel::new()).is_ok());
    request.mode = Mode::Fs;
    check_error(&tree, &request, "invalid_argument");
}
