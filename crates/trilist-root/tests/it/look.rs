//! What a path is said to be, and reading a file by its path.

use trilist_core::Kind;
use trilist_root::{ReadError, ResolveError};

use crate::support::{Tree, WAYS};

fn built() -> Tree {
    let tree = Tree::new();
    tree.dirs(&["a/b"]).file("a/f", "four").link("to-f", "a/f").link("to-b", "a/b");
    tree.link("out", "..").link("abs", "/etc").link("gone", "a/none").link("loop", "loop");
    tree.fifo("pipe");
    tree
}

#[test]
fn links_are_followed_and_what_is_found_is_told_canonically() {
    let tree = built();
    for way in WAYS {
        let root = tree.root(way);
        let look = |asked: &str| {
            let found = root.look(asked.as_bytes()).expect("it is there");
            (String::from_utf8_lossy(found.path.as_bytes()).into_owned(), found.kind)
        };
        assert_eq!(look(""), (String::new(), Kind::Dir));
        assert_eq!(look("to-f"), ("a/f".into(), Kind::File));
        assert_eq!(look("to-b/../f"), ("a/f".into(), Kind::File));
        assert_eq!(look("to-b/"), ("a/b".into(), Kind::Dir));
        assert_eq!(look("pipe"), ("pipe".into(), Kind::Other));
        assert_eq!(root.look(b"to-f").expect("it is there").metadata.size_bytes, Some(4));
    }
}

#[test]
fn what_leads_out_is_refused_and_what_is_absent_is_told() {
    let tree = built();
    for way in WAYS {
        let root = tree.root(way);
        for asked in ["..", "out", "out/root", "abs", "a/../../x", "/etc"] {
            let error = root.look(asked.as_bytes()).expect_err("it leads out");
            assert!(matches!(error, ResolveError::OutsideRoot), "{asked}: {error}");
        }
        for asked in ["gone", "a/none"] {
            let error = root.look(asked.as_bytes()).expect_err("it is not there");
            assert!(matches!(error, ResolveError::NotFound { .. }), "{asked}: {error}");
        }
        for asked in ["a/f/x", "a/f/"] {
            let error = root.look(asked.as_bytes()).expect_err("a file has nothing below it");
            assert!(matches!(error, ResolveError::NotDirectory { .. }), "{asked}: {error}");
        }
        let error = root.look(b"loop").expect_err("it leads nowhere");
        assert!(matches!(error, ResolveError::Io { .. }), "{error}");
    }
}

#[test]
fn a_file_is_read_up_to_a_bound_and_nothing_else_is() {
    let tree = built();
    for way in WAYS {
        let root = tree.root(way);
        let read = |asked: &str, cap| root.read(asked.as_bytes(), cap).expect("it is there");
        assert_eq!(read("to-f", 4).expect("it is a file"), b"four");
        assert!(matches!(read("a/f", 3), Err(ReadError::TooLarge { .. })));
        assert!(matches!(read("pipe", 9), Err(ReadError::NotRegular(_))));
        assert!(matches!(read("a", 9), Err(ReadError::NotRegular(_))));
        assert!(matches!(root.read(b"out", 9), Err(ResolveError::OutsideRoot)));
    }
}

#[test]
fn a_path_may_go_by_the_way_the_root_was_spelled() {
    let tree = Tree::new();
    tree.dirs(&["real"]).link("real/up", "..").file("real/f", "");
    for way in WAYS {
        let spelled = tree.outside.join("root/real/up/real");
        let root = crate::support::open(&spelled, way);
        let asked = spelled.join("f");
        assert_eq!(root.relative(asked.as_os_str().as_encoded_bytes()), Some(&b"f"[..]));
    }
}
