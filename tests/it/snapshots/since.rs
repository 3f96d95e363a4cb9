//! What has changed since a pinned listing.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;
use trilist::{Cancel, ListRequest, Lister, Mode, Page, View, What, render};
use trilist_tests::{Tree, TreeBuilder, git, skip};

use crate::harness::{MODES, ask, clean, lister, page, pages_by_cursor};

fn pinned(lister: &Lister, mode: Mode, metadata: bool) -> String {
    let request = ListRequest { pin: true, metadata, depth: Some(9), ..ask(mode, ".") };
    let page = page(lister, &request);
    assert!(page.pinned);
    page.snapshot_id
}

fn since(lister: &Lister, mode: Mode, id: &str) -> Page {
    let request = ListRequest { since: Some(id.to_owned()), ..ask(mode, ".") };
    let page = page(lister, &request);
    clean(&page);
    page
}

/// A line for each change: a sign, the path, where it was, what differs.
pub(super) fn changes(page: &Page) -> Vec<String> {
    let line = |entry: &trilist::Entry| {
        let change = entry.change.as_ref().unwrap();
        let sign = match change.what {
            What::Added => "+",
            What::Removed => "-",
            What::Changed => "~",
            What::Renamed => ">",
        };
        let from = change.from.as_ref().map_or(String::new(), |from| format!(" <- {from}"));
        let fields: String =
            change.fields.iter().map(|field| format!(" {}", field.name())).collect();
        format!("{sign} {}{from}{fields}", entry.path)
    };
    page.entries.iter().map(line).collect()
}

fn tree() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["a/x", "a/y", "b/c/d", "e", "f"])
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

#[test]
fn added_removed_and_changed_are_told_in_every_mode() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let id = pinned(&lister, *mode, true);
        fs::remove_file(tree.join("a/y")).unwrap();
        fs::write(tree.join("a/z"), "new").unwrap();
        fs::write(tree.join("e"), "longer than it was").unwrap();
        git(tree.path(), &["add", "-A"]);
        git(tree.path(), &["commit", "-q", "-m", "two"]);
        let page = since(&lister, *mode, &id);
        let edited =
            if *mode == Mode::Vcs { "~ e size modified object" } else { "~ e size modified" };
        assert_eq!(changes(&page), ["- a/y", "+ a/z", edited], "{mode}");
        let counts = page.changes.clone().unwrap();
        assert_eq!((counts.added, counts.removed, counts.changed, counts.renamed), (1, 1, 1, 0));
        assert!(page.complete && counts.sees_edits && counts.sees_renames, "{mode}");
        assert_eq!((counts.since, page.total), (id, Some(3)), "{mode}");
        let text = render::text(&page, View::Tree);
        assert!(
            text.contains("3 changes, complete: 1 new, 1 gone, 1 changed, 0 renamed."),
            "{text}"
        );
        assert!(text.contains("  y [gone]\n  z [new]\n"), "{text}");
    }
}

#[test]
fn nothing_has_changed_since() {
    for mode in MODES {
        for metadata in [false, true] {
            let tree = tree();
            let lister = lister(tree.path());
            let id = pinned(&lister, *mode, metadata);
            let page = since(&lister, *mode, &id);
            assert!(page.entries.is_empty() && page.complete, "{mode}");
            assert_eq!(page.total, Some(0), "{mode}");
            let text = render::text(&page, View::Tree);
            assert!(text.contains("0 changes, complete: 0 new"), "{text}");
        }
    }
}

#[test]
fn an_unchanged_inventory_is_not_listed_again() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Vcs, false);
    let same = since(&lister, Mode::Vcs, &id);
    // Opening looks at the first name of each side.
    assert!(same.seen.entries <= 1, "{:?}", same.seen);
    // An index that is written anew is another one until its names were compared.
    git(tree.path(), &["update-index", "--force-write-index"]);
    let again = since(&lister, Mode::Vcs, &id);
    assert!(again.entries.is_empty() && again.complete);
    assert!(again.seen.entries >= 5, "{:?}", again.seen);
}

#[test]
fn renames_are_told_where_the_very_thing_is_elsewhere() {
    for mode in [Mode::Fs, Mode::Files] {
        let tree = tree();
        let lister = lister(tree.path());
        let id = pinned(&lister, mode, true);
        fs::rename(tree.join("e"), tree.join("b/moved")).unwrap();
        fs::rename(tree.join("a"), tree.join("z")).unwrap();
        let page = since(&lister, mode, &id);
        if !page.changes.as_ref().unwrap().sees_renames {
            return skip("this file system does not tell when files were born");
        }
        let dir: &[&str] = if mode == Mode::Fs { &["> z <- a"] } else { &[] };
        let right = [&["> b/moved <- e"], dir, &["> z/x <- a/x", "> z/y <- a/y"]].concat();
        assert_eq!(changes(&page), right, "{mode}");
        let text = render::text(&page, View::Tree);
        assert!(text.contains("moved [renamed from e]"), "{text}");
        assert!(render::rows(&page, View::Paths).contains("> b/moved <- e\n"));
    }
}

#[test]
fn a_file_on_a_reused_inode_is_no_rename() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Files, true);
    // Most file systems give the inode that is freed last to the next file.
    for number in 0..50 {
        fs::remove_file(tree.join("e")).unwrap();
        fs::write(tree.join("g"), format!("{number}")).unwrap();
        let page = since(&lister, Mode::Files, &id);
        assert_eq!(changes(&page), ["- e", "+ g"]);
        fs::rename(tree.join("g"), tree.join("e")).unwrap();
    }
}

#[test]
fn a_link_more_is_no_rename() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Files, true);
    fs::hard_link(tree.join("e"), tree.join("g")).unwrap();
    fs::hard_link(tree.join("e"), tree.join("h")).unwrap();
    assert_eq!(changes(&since(&lister, Mode::Files, &id)), ["+ g", "+ h"]);
    fs::remove_file(tree.join("e")).unwrap();
    // Either of them could be meant.
    assert_eq!(changes(&since(&lister, Mode::Files, &id)), ["- e", "+ g", "+ h"]);
}

#[test]
fn without_metadata_neither_edits_nor_renames_are_seen_and_that_is_said() {
    for mode in [Mode::Fs, Mode::Files] {
        let tree = tree();
        let lister = lister(tree.path());
        let id = pinned(&lister, mode, false);
        fs::write(tree.join("e"), "longer").unwrap();
        fs::rename(tree.join("f"), tree.join("g")).unwrap();
        let page = since(&lister, mode, &id);
        assert_eq!(changes(&page), ["- f", "+ g"]);
        let counts = page.changes.clone().unwrap();
        assert!(!counts.sees_edits && !counts.sees_renames);
        let text = render::text(&page, View::Tree);
        assert!(text.contains("Edits do not show") && text.contains("Renames show as"), "{text}");
    }
}

#[test]
fn what_is_staged_is_told_by_the_index_alone() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Vcs, false);
    fs::write(tree.join("e"), "edited").unwrap();
    assert_eq!(changes(&since(&lister, Mode::Vcs, &id)), [""; 0], "it is not staged");
    git(tree.path(), &["add", "e"]);
    git(tree.path(), &["update-index", "--chmod=+x", "f"]);
    git(tree.path(), &["rm", "-q", "--cached", "a/x"]);
    let right = ["~ a/x vcs", "~ e object", "~ f vcs"];
    assert_eq!(changes(&since(&lister, Mode::Vcs, &id)), right);
}

#[test]
fn a_rename_shows_in_the_index_staged_and_committed() {
    let tree = TreeBuilder::new()
        .repo()
        .file("a", "one")
        .file("b", "two")
        .file("empty", "")
        .file("twin-1", "twin")
        .file("twin-2", "twin")
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Vcs, false);
    git(tree.path(), &["mv", "a", "c"]);
    git(tree.path(), &["mv", "empty", "hollow"]);
    git(tree.path(), &["mv", "twin-1", "twin-3"]);
    git(tree.path(), &["mv", "twin-2", "twin-4"]);
    let staged = since(&lister, Mode::Vcs, &id);
    let right = [
        "~ a vcs",
        "> c <- a",
        "~ empty vcs",
        // Files without contents, and two of the same, could be any.
        "+ hollow",
        "~ twin-1 vcs",
        "~ twin-2 vcs",
        "+ twin-3",
        "+ twin-4",
    ];
    assert_eq!(changes(&staged), right);
    git(tree.path(), &["commit", "-q", "-m", "two"]);
    let right = ["> c <- a", "- empty", "+ hollow", "- twin-1", "- twin-2", "+ twin-3", "+ twin-4"];
    assert_eq!(changes(&since(&lister, Mode::Vcs, &id)), right);
}

#[test]
fn kinds_modes_and_targets_are_compared() {
    let tree = TreeBuilder::new().files(["a", "b"]).symlink("l", "a").dir("d").build();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Fs, true);
    fs::remove_file(tree.join("a")).unwrap();
    fs::create_dir(tree.join("a")).unwrap();
    fs::set_permissions(tree.join("a"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(tree.join("b"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(tree.join("d"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::remove_file(tree.join("l")).unwrap();
    std::os::unix::fs::symlink("b", tree.join("l")).unwrap();
    let right = ["~ a kind", "~ b permissions", "~ d permissions", "~ l modified target"];
    assert_eq!(changes(&since(&lister, Mode::Fs, &id)), right);
}

#[test]
fn changes_come_in_pages_too() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Files, false);
    for number in 0..25 {
        fs::write(tree.join(format!("n{number:02}")), "").unwrap();
    }
    let request = ListRequest { since: Some(id), limit: Some(10), ..ask(Mode::Files, ".") };
    let pages = pages_by_cursor(&lister, &request);
    assert_eq!(pages.iter().map(|page| page.returned).collect::<Vec<_>>(), [10, 10, 5]);
    let all: Vec<String> = pages.iter().flat_map(changes).collect();
    let right: Vec<String> = (0..25).map(|number| format!("+ n{number:02}")).collect();
    assert_eq!(all, right);
    assert!(pages.iter().all(|page| page.changes.as_ref().unwrap().added == 25 && !page.drifted));
    assert!(render::text(&pages[0], View::Tree).starts_with("CUT after 10 entries, 15 more. "));
    let offset = ListRequest { offset: Some(21), ..request.clone() };
    assert_eq!(changes(&page(&lister, &offset)), right[20..]);
    // Another change between the pages is told, and nothing that stays is lost.
    let next = ListRequest { cursor: pages[0].next_cursor.clone(), ..request };
    fs::write(tree.join("aa"), "").unwrap();
    let drifted = page(&lister, &next);
    assert!(drifted.drifted);
    assert_eq!(changes(&drifted), right[10..20]);
}

#[test]
fn since_and_pin_make_a_chain() {
    for mode in MODES {
        let tree = tree();
        let lister = lister(tree.path());
        let mut id = pinned(&lister, *mode, true);
        for number in 0..3 {
            fs::write(tree.join(format!("n{number}")), "").unwrap();
            git(tree.path(), &["add", "-A"]);
            let request = ListRequest { since: Some(id), pin: true, ..ask(*mode, ".") };
            let next = page(&lister, &request);
            assert_eq!(changes(&next), [format!("+ n{number}")], "{mode}");
            assert!(next.pinned);
            id = next.snapshot_id;
        }
        let same = ListRequest { since: Some(id.clone()), pin: true, ..ask(*mode, ".") };
        let same = page(&lister, &same);
        assert_eq!((same.returned, same.pinned), (0, true), "{mode}");
    }
}

#[test]
fn a_directory_that_cannot_be_read_hides_no_removal() {
    if !crate::again::as_ordinary_user(
        module_path!(),
        "a_directory_that_cannot_be_read_hides_no_removal",
    ) {
        return;
    }
    let tree = TreeBuilder::new().files(["a/x", "b/y", "c"]).build();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Files, false);
    fs::set_permissions(tree.join("a"), fs::Permissions::from_mode(0o000)).unwrap();
    let page = since(&lister, Mode::Files, &id);
    fs::set_permissions(tree.join("a"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(changes(&page), [""; 0], "it may still be there");
    assert_eq!((page.changes.unwrap().unknown, page.complete, page.gaps), (1, false, 1));
}

#[test]
fn too_many_changes_are_cut_and_said_to_be() {
    let tree = TreeBuilder::new().file("a", "").build();
    let policy = trilist::Policy { max_snapshot_bytes: 4_000, ..crate::harness::policy() };
    let lister = Lister::open(&[tree.path()], policy).unwrap();
    let id = pinned(&lister, Mode::Files, false);
    for number in 0..100 {
        fs::write(tree.join(format!("n{number:02}")), "").unwrap();
    }
    let page = since(&lister, Mode::Files, &id);
    assert_eq!(page.truncated_by, Some(trilist::TruncatedBy::ScanCap));
    assert!(!page.complete && page.total.is_none() && page.returned < 100);
    assert!(render::text(&page, View::Tree).starts_with("CUT by the scan cap after "));
}

#[test]
fn another_request_is_refused() {
    let tree = tree();
    let lister = lister(tree.path());
    let id = pinned(&lister, Mode::Files, false);
    let base = ListRequest { since: Some(id.clone()), ..ask(Mode::Files, ".") };
    for wrong in [
        ListRequest { mode: Mode::Fs, ..base.clone() },
        ListRequest { depth: Some(2), ..base.clone() },
        ListRequest { path: "a".into(), ..base.clone() },
        ListRequest { since: Some(id.to_uppercase() + "0"), ..base.clone() },
    ] {
        let error = lister.list(&wrong, &Cancel::new()).unwrap_err();
        assert_eq!(error.code(), "invalid_argument", "{wrong:?}");
    }
}

/// What is done to a name.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Nothing,
    Toggle,
    Save,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// For random edits, what is told is exactly what was done.
    #[test]
    fn what_is_told_is_what_was_done(
        before in prop::collection::vec(any::<bool>(), 24),
        edits in prop::collection::vec(
            prop_oneof![2 => Just(Edit::Nothing), 1 => Just(Edit::Toggle), 1 => Just(Edit::Save)],
            24,
        ),
        limit in 1..8_u32,
    ) {
        let name = |at: usize| format!("{}/{at:02}", ["a", "a-b", "b"][at % 3]);
        let tree = TreeBuilder::new().dir("a").dir("a-b").dir("b").build();
        for at in (0..24).filter(|at| before[*at]) {
            fs::write(tree.join(name(at)), "as it was").unwrap();
        }
        let lister = lister(tree.path());
        let id = pinned(&lister, Mode::Files, true);
        let mut right = Vec::new();
        for at in 0..24 {
            match (edits[at], before[at]) {
                (Edit::Toggle, true) => {
                    fs::remove_file(tree.join(name(at))).unwrap();
                    right.push(format!("- {}", name(at)));
                }
                (Edit::Toggle | Edit::Save, false) => {
                    fs::write(tree.join(name(at)), "new").unwrap();
                    right.push(format!("+ {}", name(at)));
                }
                (Edit::Save, true) => {
                    fs::write(tree.join(name(at)), "of another size").unwrap();
                    right.push(format!("~ {} size modified", name(at)));
                }
                (Edit::Nothing, _) => {}
            }
        }
        right.sort_by(|a, b| a[2..].cmp(&b[2..]));
        let request = ListRequest { since: Some(id), limit: Some(limit), ..ask(Mode::Files, ".") };
        let told: Vec<String> =
            pages_by_cursor(&lister, &request).iter().flat_map(changes).collect();
        prop_assert_eq!(told, right);
    }
}
