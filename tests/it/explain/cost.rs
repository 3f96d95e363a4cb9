//! Only what is on the way is opened: counted, never timed.

use std::fs;
use std::path::Path;

use trilist::{Cancel, Mode};
use trilist_core::{Events as _, Query, RelPathBuf, Seen};
use trilist_root::Root;
use trilist_tests::Tree;
use trilist_walk::{Style, Walk};

use crate::harness::ask;

fn probe(path: &str) -> Query {
    let probe = RelPathBuf::new(path).ok();
    Query { probe, want: Some(1), ..Query::new(RelPathBuf::default()) }
}

/// What a walk reads until it has said all that there is to say of a path.
fn walked(root: &Path, path: &str, style: Style) -> Seen {
    let (root, query, cancel) = (Root::open(root).unwrap(), probe(path), Cancel::new());
    let mut walk = Walk::open(&root, &query, style, &cancel).unwrap();
    while walk.advance().unwrap() {}
    walk.seen()
}

#[test]
fn directories_on_the_way_are_opened_and_not_read() {
    let tree = Tree::empty();
    for dir in ["a", "a/b", "a/b/c", "beside", "a/beside"] {
        fs::create_dir(tree.join(dir)).unwrap();
        for number in 0..500 {
            fs::write(tree.join(format!("{dir}/f{number}")), "").unwrap();
        }
    }
    for style in [Style::Rows, Style::Leaves] {
        for path in ["a/b/c/f77", "a/b/c/none", "a/b/c/f77/x"] {
            let seen = walked(tree.path(), path, style);
            assert_eq!((seen.directories, seen.entries), (4, 0), "{path} {style:?}");
        }
        // The path itself is read for what is below it, and nothing else is.
        let seen = walked(tree.path(), "a/b/c", style);
        assert_eq!((seen.directories, seen.entries), (4, 500), "{style:?}");
    }
}

#[test]
fn a_name_with_another_spelling_is_read_for() {
    let tree = Tree::empty();
    fs::write(tree.join("Name"), "").unwrap();
    fs::hard_link(tree.join("Name"), tree.join("nAME")).unwrap();
    assert_eq!(walked(tree.path(), "Name", Style::Rows).entries, 2);
}

#[test]
fn explaining_reads_no_more_than_the_probe() {
    // The library's own call, on a directory with more names than it may scan.
    let tree = Tree::empty();
    for number in 0..300 {
        fs::write(tree.join(format!("f{number}")), "").unwrap();
    }
    let policy = trilist::Policy { scan_cap: 100, ..trilist::Policy::default() };
    let lister = trilist::Lister::open(&[tree.path()], policy).unwrap();
    let all = lister.explain(
        &ask(Mode::Fs, "."),
        &[Mode::Fs, Mode::Files],
        &["f7".into()],
        &Cancel::new(),
    );
    for (mode, standing) in all.unwrap()[0].modes.iter() {
        assert_eq!(standing.listed, Some(true), "{mode}: {standing:?}");
    }
}
