//! Listings that are taken once: pages from them do not change, whatever becomes of the tree.

use std::fs;

use trilist::{Cancel, Entry, ListRequest, Lister, Mode, Page, Policy, Sort, View, render};
use trilist_tests::{Tree, TreeBuilder, git};

use crate::harness::{
    MODES, ask, clean, lister, omitted, page, pages_by_cursor, paths, policy, rows, warned, whole,
};

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a-b", "a/x", "a/y", "b/c/d", "e", "out/z.log"])
        .dir("hollow")
        .file(".gitignore", "*.log\n")
        .file("odd\nname", "")
        .symlink("link", "e")
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

fn pin(mode: Mode) -> ListRequest {
    ListRequest { pin: true, depth: Some(9), ..ask(mode, ".") }
}

/// Everything that a listing says, but for its id and how far it is cut.
fn said(pages: &[Page]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let of = |of: fn(&Page) -> Vec<String>| pages.iter().flat_map(of).collect::<Vec<_>>();
    (of(rows), of(omitted), of(warned))
}

#[test]
fn a_pinned_listing_is_the_listing() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        for metadata in [false, true] {
            let plain = ListRequest { metadata, depth: Some(9), ..ask(*mode, ".") };
            let right = whole(&lister, &plain);
            let pinned = page(&lister, &ListRequest { pin: true, ..plain.clone() });
            assert_eq!(pinned.entries, right.entries, "{mode}");
            assert_eq!(said(std::slice::from_ref(&pinned)), said(&[right]), "{mode}");
            assert!(pinned.complete && pinned.pinned && !pinned.truncated, "{mode}");
            assert_eq!(pinned.total, Some(pinned.returned));
            clean(&pinned);
            let text = render::text(&pinned, View::Tree);
            assert!(text.contains(&format!("Pinned: snapshot={}\n", pinned.snapshot_id)), "{text}");
        }
    }
}

#[test]
fn pages_come_from_it_whatever_becomes_of_the_tree() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let right = whole(&lister, &ListRequest { depth: Some(9), ..ask(*mode, ".") });
        let first = page(&lister, &ListRequest { limit: Some(2), ..pin(*mode) });
        assert_eq!(first.total, Some(right.returned), "{mode}");
        fs::remove_dir_all(tree.join("a")).unwrap();
        fs::write(tree.join("b/new"), "").unwrap();
        git(tree.path(), &["add", "-A"]);
        let mut pages = vec![first];
        while let Some(cursor) = pages.last().unwrap().next_cursor.clone() {
            pages.push(page(
                &lister,
                &ListRequest { cursor: Some(cursor), limit: Some(3), ..ask(*mode, ".") },
            ));
        }
        let entries: Vec<&Entry> = pages.iter().flat_map(|page| &page.entries).collect();
        assert_eq!(entries, right.entries.iter().collect::<Vec<_>>(), "{mode}");
        assert_eq!(said(&pages), said(std::slice::from_ref(&right)), "{mode}");
        for one in &pages {
            assert!(!one.drifted && one.pinned && !one.complete);
            assert_eq!(one.snapshot_id, pages[0].snapshot_id);
            assert_eq!(one.total, Some(right.returned));
        }
    }
}

#[test]
fn a_page_can_start_anywhere_in_it() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let all = page(&lister, &pin(*mode));
        let from = |offset: u64, limit: u32| {
            let snapshot = Some(all.snapshot_id.clone());
            let request = ListRequest {
                snapshot,
                offset: Some(offset),
                limit: Some(limit),
                ..ask(*mode, ".")
            };
            lister.list(&request, &Cancel::new())
        };
        for offset in 1..=all.returned {
            let page = from(offset, 2).unwrap();
            let at = offset as usize - 1;
            let right: Vec<_> = all.entries.iter().skip(at).take(2).collect();
            assert_eq!(page.entries.iter().collect::<Vec<_>>(), right, "{mode} {offset}");
            assert_eq!(page.next_offset, (offset + 2 <= all.returned).then_some(offset + 2));
        }
        let error = from(all.returned + 1, 2).unwrap_err();
        assert_eq!(error.code(), "offset_out_of_range");
    }
}

#[test]
fn other_orders_are_kept_too() {
    let tree = TreeBuilder::new()
        .file("large", "x".repeat(300))
        .file("small", "x")
        .file("tiny", "")
        .file("medium", "x".repeat(30))
        .build();
    let lister = lister(tree.path());
    for reverse in [false, true] {
        let sorted = ListRequest { sort: Sort::Size, reverse, ..ask(Mode::Fs, ".") };
        let right = whole(&lister, &sorted);
        let request = ListRequest { pin: true, limit: Some(1), ..sorted };
        let pages = pages_by_cursor(&lister, &request);
        assert_eq!(pages.iter().flat_map(paths).collect::<Vec<_>>(), paths(&right));
        assert!(pages.iter().all(|page| page.entries[0].size.is_none()), "it was not asked for");
    }
}

#[test]
fn a_pinned_listing_cut_by_its_first_page_names_what_is_behind() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        // Told by the entries behind the page, as where these are counted.
        let plain = ListRequest { limit: Some(1), depth: Some(9), count: true, ..ask(*mode, ".") };
        let right = page(&lister, &plain);
        let pinned = page(&lister, &ListRequest { pin: true, ..plain });
        assert!(!right.not_reached.is_empty(), "{mode}");
        assert_eq!(pinned.not_reached, right.not_reached, "{mode}");
    }
}

fn lister_with(tree: &Tree, max_snapshots: u32, max_snapshot_bytes: usize) -> Lister {
    let policy = Policy { max_snapshots, max_snapshot_bytes, ..policy() };
    Lister::open(&[tree.path()], policy).unwrap()
}

#[test]
fn the_one_that_was_used_least_is_dropped() {
    let tree = TreeBuilder::new().files(["a/1", "b/2", "c/3"]).build();
    let lister = lister_with(&tree, 2, 1 << 20);
    let pinned =
        |path: &str| page(&lister, &ListRequest { pin: true, ..ask(Mode::Fs, path) }).snapshot_id;
    let ask_for = |id: &str| {
        let request = ListRequest { snapshot: Some(id.to_owned()), ..ask(Mode::Fs, ".") };
        lister.list(&request, &Cancel::new()).map(|page| page.path)
    };
    let (a, b) = (pinned("a"), pinned("b"));
    assert_eq!(ask_for(&a), Ok("a".to_owned()));
    let c = pinned("c");
    let error = ask_for(&b).unwrap_err();
    assert_eq!(error.code(), "snapshot_expired");
    assert!(error.to_string().contains(&b) && error.hint().unwrap().contains("`pin`"), "{error}");
    assert_eq!((ask_for(&a), ask_for(&c)), (Ok("a".to_owned()), Ok("c".to_owned())));
    let cursorless = ListRequest { since: Some(b), ..ask(Mode::Fs, ".") };
    let error = lister.list(&cursorless, &Cancel::new()).unwrap_err();
    assert_eq!(error.code(), "snapshot_expired");
}

#[test]
fn one_that_does_not_fit_is_listed_and_says_so() {
    let tree = TreeBuilder::new().files((0..100).map(|number| format!("f{number:03}"))).build();
    let small = lister_with(&tree, 16, 2_000);
    let request = ListRequest { pin: true, limit: Some(10), ..ask(Mode::Fs, ".") };
    let first = page(&small, &request);
    assert!(!first.pinned && first.returned == 10 && first.truncated);
    assert!(first.notices.iter().any(|notice| notice.starts_with("not pinned: ")), "{first:?}");
    // It goes on as any listing does.
    let next = page(&small, &ListRequest { cursor: first.next_cursor, ..ask(Mode::Fs, ".") });
    assert_eq!((next.returned, next.total), (90, Some(100)));
    // Two of them do not fit together, one does.
    let room = lister_with(&tree, 16, 6_000);
    let id = |depth| {
        page(&room, &ListRequest { pin: true, depth: Some(depth), ..ask(Mode::Fs, ".") })
            .snapshot_id
    };
    let (one, two) = (id(1), id(2));
    let found = |id: &str| {
        let request = ListRequest { snapshot: Some(id.to_owned()), ..ask(Mode::Fs, ".") };
        room.list(&request, &Cancel::new()).is_ok()
    };
    assert_eq!((found(&one), found(&two)), (false, true));
}

#[test]
fn what_does_not_agree_is_refused() {
    let tree = tree();
    let lister = lister(tree.path());
    let first = page(&lister, &ListRequest { limit: Some(1), ..pin(Mode::Files) });
    let plain = page(&lister, &ListRequest { limit: Some(1), ..ask(Mode::Files, ".") });
    let base = ListRequest { snapshot: Some(first.snapshot_id.clone()), ..ask(Mode::Files, ".") };
    let wrong = [
        (ListRequest { mode: Mode::Fs, ..base.clone() }, "invalid_argument"),
        (ListRequest { depth: Some(3), ..base.clone() }, "invalid_argument"),
        (ListRequest { path: "a".into(), ..base.clone() }, "invalid_argument"),
        (ListRequest { metadata: true, ..base.clone() }, "invalid_argument"),
        (ListRequest { snapshot: Some("x".into()), ..base.clone() }, "invalid_argument"),
        (ListRequest { snapshot: Some("0".repeat(32)), ..base.clone() }, "snapshot_expired"),
        (ListRequest { snapshot: Some(plain.snapshot_id), ..base.clone() }, "snapshot_expired"),
        (ListRequest { cursor: plain.next_cursor.clone(), ..base.clone() }, "invalid_cursor"),
        (
            ListRequest { cursor: plain.next_cursor, pin: true, ..ask(Mode::Files, ".") },
            "invalid_argument",
        ),
        (
            ListRequest { cursor: first.next_cursor, offset: Some(2), ..base.clone() },
            "invalid_argument",
        ),
    ];
    for (request, code) in wrong {
        let error = lister.list(&request, &Cancel::new()).unwrap_err();
        assert_eq!(error.code(), code, "{request:?}: {error}");
    }
    let right = ListRequest { path: "a/..".into(), depth: Some(9), ..base };
    assert!(lister.list(&right, &Cancel::new()).is_ok());
}

#[test]
fn a_stream_cannot_be_pinned() {
    let tree = tree();
    let error = lister(tree.path())
        .stream(&pin(Mode::Fs), &Cancel::new(), &mut |_| std::ops::ControlFlow::Continue(()))
        .unwrap_err();
    assert!(error.to_string().contains("`pin`"), "{error}");
}
