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

/// What is tracked below a name is listed by that name, whatever is there on disk now.
#[test]
fn a_tracked_directory_that_has_become_a_link_is_listed_by_its_name() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["a/x", "a/y", "b/in"])
        .commit("one")
        .rename("a", "moved")
        .symlink("a", "moved")
        .remove("b")
        .symlink("b", "/etc")
        .symlink("elsewhere", "moved")
        .build();
    let lister = lister(tree.path());
    for (path, right) in [("a", &["x", "y"][..]), ("./b/", &["in"])] {
        let page = page(&lister, &ask(Mode::Vcs, path));
        assert_eq!(paths(&page), right, "{path}");
        assert!(page.complete);
    }
    let page = page(&lister, &ask(Mode::Vcs, "elsewhere"));
    assert_eq!(page.path, "moved", "a link under which nothing is tracked is followed");
}

#[test]
fn what_is_not_there_is_not_found_also_outside_a_repository() {
    let tree = TreeBuilder::new().file("a", "").build();
    check_error(&tree, &ask(Mode::Vcs, "b"), "not_found");
    check_error(&tree, &tracked(), "not_a_repository");
}

#[test]
fn a_submodule_that_is_not_checked_out_says_so() {
    let tree = TreeBuilder::new()
        .repo()
        .file("a", "")
        .commit("one")
        .git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", "1".repeat(40))])
        .dir("sub")
        .build();
    let error = lister(tree.path()).list(&ask(Mode::Vcs, "sub"), &Cancel::new()).unwrap_err();
    assert_eq!(error.code(), "not_directory");
    assert!(error.to_string().contains("submodule that is not checked out"), "{error}");
}

/// The layout in which a bare clone's worktrees lie beside it.
#[test]
fn a_git_file_that_leads_to_a_bare_repository() {
    let tree = TreeBuilder::new()
        .files(["src/a", "src/b"])
        .git_in("src", &["init", "-q"])
        .git_in("src", &["add", "."])
        .git_in("src", &["commit", "-q", "-m", "one"])
        .git(&["clone", "-q", "--bare", "src", "work/.bare"])
        .file("work/.git", "gitdir: ./.bare\n")
        .build();
    let request = ListRequest { metadata: true, ..ask(Mode::Vcs, "work") };
    let page = page(&lister(tree.path()), &request);
    assert_eq!(paths(&page), ["a", "b"]);
    assert!(page.notices.iter().any(|notice| notice.contains("bare repository")), "{page:?}");
    let vcs = json!({"head": true, "index": false, "state": "tracked", "skip_worktree": false});
    assert!(page.entries.iter().all(|entry| serde_json::to_value(entry.vcs).unwrap() == vcs));
}

/// The cached trees of an index are its own word: it can be made to say that it equals HEAD.
#[test]
fn t53_an_index_that_lies_about_head_hides_nothing() {
    let tree = TreeBuilder::new().repo().files(["a/x", "b", "c"]).commit("one").build();
    let id = |name: &str| String::from_utf8(tree.git(&["rev-parse", name])).unwrap();
    let bytes = |hex: String| -> Vec<u8> {
        let digits = hex.trim().as_bytes().chunks(2);
        let byte = |two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap();
        digits.map(byte).collect()
    };
    // What git writes of an index with one name, and of trees that equal HEAD's.
    let head = bytes(id("HEAD^{tree}"));
    tree.git(&["rm", "-q", "--cached", "a/x", "b", "c"]);
    let blob = id("HEAD:b");
    let added = format!("100644,{},zzz", blob.trim());
    tree.git(&["update-index", "--add", "--cacheinfo", &added]);
    tree.git(&["write-tree"]);
    let staged = bytes(id(":zzz").trim().to_owned());
    assert_eq!(staged, bytes(blob), "the blob is staged");
    let path = tree.join(".git/index");
    let mut index = fs::read(&path).unwrap();
    let at = index.windows(4).position(|four| four == b"TREE").unwrap();
    let start = index[at + 8..].iter().position(|byte| *byte == b'\n').unwrap() + at + 9;
    index[start..start + 20].copy_from_slice(&head);
    let end = index.len() - 20;
    // Git takes an index without a checksum as it is.
    index[end..].fill(0);
    fs::write(&path, index).unwrap();
    let right = ["a/x", "b", "c", "zzz"];
    let lister = lister(tree.path());
    for request in [tracked(), ListRequest { count: true, ..tracked() }] {
        assert_eq!(paths(&page(&lister, &request)), right);
    }
    assert_eq!(paths(&whole(&lister, &tracked())), right);
}
