//! What has changed since an earlier reply.

use std::fs;
use std::sync::Arc;

use trilist::{Cancel, Earlier, HostSide, ListError, ListRequest, Lister, Mode, Page, render};
use trilist_tests::{Tree, TreeBuilder, git};

use super::since::changes;
use crate::harness::{MODES, ask, lister, page, paths, whole};

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a/x", "a/y", "b/c/d", "e", "f"])
        .file("odd\nname", "")
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

/// A reply as it comes back from a file.
fn saved(page: &Page) -> Arc<Earlier> {
    Arc::new(Earlier::parse(render::json(page).as_bytes()).unwrap())
}

fn since(lister: &Lister, mode: Mode, earlier: &Arc<Earlier>) -> Result<Page, ListError> {
    let host = HostSide { earlier: Some(Arc::clone(earlier)), chat: None };
    lister.list_for(&ask(mode, "."), &host, &Cancel::new())
}

fn edit(tree: &Tree) {
    fs::remove_file(tree.join("a/y")).unwrap();
    fs::write(tree.join("a/z"), "new").unwrap();
    fs::write(tree.join("e"), "longer than it was").unwrap();
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["commit", "-q", "-m", "two"]);
}

#[test]
fn a_reply_says_enough_to_be_compared_with() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let request = ListRequest { metadata: true, depth: Some(9), ..ask(*mode, ".") };
        let earlier = saved(&whole(&lister, &request));
        assert_eq!(since(&lister, *mode, &earlier).unwrap().total, Some(0), "{mode}");
        edit(&tree);
        let page = since(&lister, *mode, &earlier).unwrap();
        assert_eq!(changes(&page), ["- a/y", "+ a/z", "~ e size modified"], "{mode}");
        assert!(page.complete, "{mode}");
    }
}

#[test]
fn lines_say_the_same_as_one_object() {
    let tree = tree();
    let page = whole(&lister(tree.path()), &ask(Mode::Files, "."));
    let mut rest = serde_json::to_value(&page).unwrap();
    rest.as_object_mut().unwrap().remove("entries");
    let lines: String = page.entries.iter().map(|entry| render::entry_json(entry) + "\n").collect();
    let earlier = Arc::new(Earlier::parse(format!("{lines}{rest}\n").as_bytes()).unwrap());
    edit(&tree);
    let page = since(&lister(tree.path()), Mode::Files, &earlier).unwrap();
    assert_eq!(changes(&page), ["- a/y", "+ a/z"]);
}

#[test]
fn of_a_cut_reply_only_its_part_is_compared() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let all = whole(&lister, &ListRequest { depth: Some(9), ..ask(*mode, ".") });
        for cut in 1..all.returned {
            let request =
                ListRequest { depth: Some(9), limit: Some(cut as u32), ..ask(*mode, ".") };
            let first = page(&lister, &request);
            let earlier = saved(&first);
            let same = since(&lister, *mode, &earlier).unwrap();
            assert_eq!((same.returned, same.complete), (0, false), "{mode} {cut}");
            let counts = same.changes.clone().unwrap();
            assert_eq!(counts.through.as_ref(), Some(&first.entries.last().unwrap().path));
            let text = render::text(&same, trilist::View::Tree);
            assert!(text.contains("NOT COMPARED: what comes behind "), "{text}");
            assert!(!text.contains("complete"), "{text}");
        }
        // A page from the middle has two ends.
        let middle =
            ListRequest { depth: Some(9), offset: Some(3), limit: Some(2), ..ask(*mode, ".") };
        let middle = page(&lister, &middle);
        let earlier = saved(&middle);
        let name = paths(&middle)[0].to_owned();
        fs::write(tree.join("0-before"), "").unwrap();
        fs::write(tree.join("zz-behind"), "").unwrap();
        git(tree.path(), &["add", "-A"]);
        let same = since(&lister, *mode, &earlier).unwrap();
        assert_eq!((same.returned, same.complete), (0, false), "{mode}");
        assert_eq!(same.changes.unwrap().from, Some(name));
    }
}

#[test]
fn a_reply_with_gaps_makes_no_news_of_what_it_could_not_read() {
    if !crate::again::as_ordinary_user(
        module_path!(),
        "a_reply_with_gaps_makes_no_news_of_what_it_could_not_read",
    ) {
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let tree = TreeBuilder::new().files(["a/x", "b/y", "c"]).build();
    let lister = lister(tree.path());
    fs::set_permissions(tree.join("a"), fs::Permissions::from_mode(0o000)).unwrap();
    let earlier = saved(&whole(&lister, &ask(Mode::Files, ".")));
    fs::set_permissions(tree.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(tree.join("b/z"), "").unwrap();
    let page = since(&lister, Mode::Files, &earlier).unwrap();
    assert_eq!(changes(&page), ["+ b/z"]);
    assert_eq!((page.changes.unwrap().unknown, page.complete), (1, false));
}

#[test]
fn its_request_is_made_again() {
    let tree = tree();
    let lister = lister(tree.path());
    let request = ListRequest { pattern: vec!["*y".into()], ..ask(Mode::Files, ".") };
    let reply = whole(&lister, &request);
    assert_eq!(paths(&reply), ["a/y"]);
    let earlier = saved(&reply);
    fs::write(tree.join("b/new"), "").unwrap();
    fs::write(tree.join("b/newly"), "").unwrap();
    assert_eq!(changes(&since(&lister, Mode::Files, &earlier).unwrap()), ["+ b/newly"]);
}

#[test]
fn a_reply_of_another_place_or_none_at_all_is_refused() {
    let (one, two) = (tree(), tree());
    let earlier = saved(&whole(&lister(one.path()), &ask(Mode::Files, ".")));
    let error = since(&lister(two.path()), Mode::Files, &earlier).unwrap_err();
    assert_eq!(error.code(), "invalid_argument");
    assert!(error.to_string().contains("this one is about"), "{error}");
    let error = since(&lister(one.path()), Mode::Fs, &earlier).unwrap_err();
    assert_eq!(error.code(), "invalid_argument");

    let page = whole(&lister(one.path()), &ask(Mode::Files, "."));
    let unfit = [
        Page { snapshot_id: "short".into(), ..page.clone() },
        Page { truncated: true, entries: Vec::new(), ..page.clone() },
        Page { truncated: true, entries: page.entries.iter().rev().cloned().collect(), ..page },
    ];
    for page in unfit {
        let error = Earlier::of_page(&page).unwrap_err();
        assert_eq!(error.code(), "invalid_argument");
    }
    for text in ["", "{}", "[1]", "nothing", "{\"error\":{\"code\":\"busy\",\"message\":\"\"}}"] {
        assert_eq!(Earlier::parse(text.as_bytes()).unwrap_err().code(), "invalid_argument");
    }
}

#[test]
fn a_pipe_is_no_reply() {
    use rustix::fs::{CWD, FileType, Mode as Bits, mknodat};
    let tree = Tree::empty();
    let pipe = tree.join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Bits::RUSR, 0).unwrap();
    assert_eq!(Earlier::read(&pipe).unwrap_err().code(), "io_error");
    assert_eq!(Earlier::read(&tree.join("absent")).unwrap_err().code(), "io_error");
}
