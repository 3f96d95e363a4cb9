//! Overviews of fewer levels than there are, of what is staged, and requests that no overview fits.

use serde_json::json;
use trilist::{
    Cancel, ListError, ListRequest, Mode, OverviewRequest, Show, Sort, VcsState, View, render,
};
use trilist_tests::{Tree, TreeBuilder, git};

use super::{overview, rows};
use crate::harness::{ask, lister, streamed};

fn deep() -> Tree {
    TreeBuilder::new()
        .files(["a/f1", "a/b/f2", "a/b/c/f3", "e/x", "top"])
        .repo()
        .commit("one")
        .build()
}

#[test]
fn a_directory_at_the_last_level_is_not_called_empty() {
    let tree = deep();
    let lister = lister(tree.path());
    for mode in Mode::ALL {
        for count in [true, false] {
            let request = |depth| OverviewRequest {
                count,
                depth: Some(depth),
                ..OverviewRequest::new(mode, ".")
            };
            let one = overview(&lister, &request(1));
            let shown: Vec<_> =
                rows(&one).into_iter().filter(|row| !row.starts_with(".git/")).collect();
            assert_eq!(shown, ["a/ (not entered)", "e/ (not entered)", "top"], "{mode} {count}");
            let text = render::overview(&one);
            assert!(text.contains(&format!("  mode={mode} overview depth=1\n")), "{text}");
            assert!(!text.contains("empty"), "{text}");
            let names = |request| {
                let rows = overview(&lister, &request).rows;
                rows.into_iter().map(|row| row.path).collect::<Vec<_>>()
            };
            // The same entries as a listing of so many levels, which draws directories from paths.
            for depth in 1..=4 {
                let listing = ListRequest { depth: Some(depth), ..ask(mode, ".") };
                let mut listed: Vec<String> = Vec::new();
                for entry in streamed(&lister, &listing).0 {
                    for (slash, _) in entry.path.match_indices('/') {
                        listed.push(entry.path[..slash].to_owned());
                    }
                    listed.push(entry.path);
                }
                listed.sort();
                listed.dedup();
                assert_eq!(names(request(depth)), listed, "{mode} {count} {depth}");
            }
        }
    }
    let counted = OverviewRequest { depth: Some(2), ..OverviewRequest::new(Mode::Fs, ".") };
    let counted = overview(&lister, &counted);
    // What lies deeper is counted nowhere.
    assert_eq!(
        rows(&counted),
        [
            ".git/ [skipped: protected]",
            "a/ (1 file)",
            "  b/ (not entered)",
            "  f1",
            "e/ (1 file)",
            "  x",
            "top"
        ]
    );
    assert!(counted.complete);
}

#[test]
fn what_is_staged_is_marked() {
    let tree = deep();
    git(tree.path(), &["rm", "-q", "--cached", "a/f1"]);
    std::fs::write(tree.path().join("new"), "").unwrap();
    git(tree.path(), &["add", "new"]);
    for count in [true, false] {
        let request = OverviewRequest { count, ..OverviewRequest::new(Mode::Vcs, ".") };
        let reply = overview(&lister(tree.path()), &request);
        let state =
            |path: &str| reply.rows.iter().find(|row| row.path == path).map(|row| row.state);
        assert_eq!(state("a/f1"), Some(Some(VcsState::Deleted)));
        assert_eq!(state("new"), Some(Some(VcsState::Added)));
        assert_eq!(state("top"), Some(None));
        let rows = rows(&reply);
        assert!(rows.iter().any(|row| row == "  f1 [deleted]"), "{rows:?}");
        assert!(rows.iter().any(|row| row == "new [added]"), "{rows:?}");
    }
}

#[test]
fn a_field_that_an_overview_has_no_use_for_is_refused_by_its_name() {
    let all = json!({
        "limit": 5, "offset": 1, "cursor": "c", "count": true, "follow_symlinks": true,
        "same_filesystem": true, "kinds": ["file"], "sort": "size", "reverse": true,
        "subtree": false, "metadata": true, "pin": true, "snapshot": "0", "since": "0",
    });
    for (field, value) in all.as_object().unwrap() {
        let mut request = json!({ "mode": "files", "view": "overview" });
        request[field] = value.clone();
        let request: ListRequest = serde_json::from_value(request).unwrap();
        refused(&request, field);
    }
    let mut marked = ask(Mode::Files, ".");
    marked.ignore.show = Some(Show::Mark);
    refused(&marked, "ignore.show");
    let fits = ListRequest {
        depth: Some(3),
        include_hidden: Some(true),
        pattern: vec!["*.rs".to_owned()],
        max_bytes: Some(2_000),
        deadline_ms: Some(500),
        view: Some(View::Overview),
        sort: Sort::Path,
        ..ask(Mode::Vcs, "src")
    };
    let overview = OverviewRequest::of(&fits).unwrap();
    assert_eq!((overview.depth, overview.max_bytes), (Some(3), Some(2_000)));
    assert_eq!(overview.pattern, ["*.rs"]);
}

fn refused(request: &ListRequest, field: &str) {
    match OverviewRequest::of(request) {
        Err(ListError::InvalidArgument { field: named, .. }) => assert_eq!(named, field),
        other => panic!("{field}: {other:?}"),
    }
}

#[test]
fn a_kept_listing_is_not_compared_with_another() {
    let tree = deep();
    let lister = lister(tree.path());
    let pinned = ListRequest { pin: true, ..ask(Mode::Fs, ".") };
    let id = lister.list(&pinned, &Cancel::new()).unwrap().snapshot_id;
    let both = ListRequest { snapshot: Some(id.clone()), since: Some(id), ..ask(Mode::Fs, ".") };
    match lister.list(&both, &Cancel::new()) {
        Err(ListError::InvalidArgument { field, .. }) => assert_eq!(field, "since"),
        other => panic!("{other:?}"),
    }
}
