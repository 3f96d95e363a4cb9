//! The rules of relative paths, and their order.

use proptest::prelude::*;
use trilist_core::{RelPath, RelPathBuf, RelPathError};

fn path(bytes: &[u8]) -> RelPath<'_> {
    RelPath::new(bytes).unwrap()
}

#[test]
fn what_is_no_relative_path_is_refused() {
    for bytes in ["/", "/a", "//", "//a", "/.."] {
        assert_eq!(RelPath::new(bytes.as_bytes()), Err(RelPathError::Absolute), "{bytes}");
    }
    for bytes in [".", "..", "./a", "a/.", "a/./b", "../a", "a/..", "a/../b", "a/", "a//b", "a//"] {
        assert_eq!(RelPath::new(bytes.as_bytes()), Err(RelPathError::Component), "{bytes}");
    }
    for bytes in ["\0", "a\0", "/\0", "a/\0/b"] {
        assert_eq!(RelPath::new(bytes.as_bytes()), Err(RelPathError::Nul));
    }
    for bytes in ["", "a", "...", ".a", "a.", "..a", "a..", "a/...", " ", "\\", "a\\..", "~", "\n"]
    {
        assert!(RelPath::new(bytes.as_bytes()).is_ok(), "{bytes:?}");
        assert!(RelPathBuf::new(bytes).is_ok());
    }
    assert!(RelPath::new(b"\xff/\xfe").is_ok());
    assert!(RelPathBuf::new("../a").is_err());
}

#[test]
fn messages_are_clauses() {
    insta::assert_snapshot!(RelPathError::Nul, @"a path cannot hold a NUL byte");
    insta::assert_snapshot!(RelPathError::Absolute, @"the path is absolute");
    insta::assert_snapshot!(RelPathError::Component, @"the path has an empty, `.` or `..` component");
}

#[test]
fn depth_name_and_parent() {
    let facts = |bytes: &'static str| {
        let path = path(bytes.as_bytes());
        let text = |bytes| std::str::from_utf8(bytes).unwrap();
        (path.depth(), text(path.name()), text(path.parent().as_bytes()))
    };
    assert_eq!(facts(""), (0, "", ""));
    assert_eq!(facts("a"), (1, "a", ""));
    assert_eq!(facts("a/b"), (2, "b", "a"));
    assert_eq!(facts("a/b/c.rs"), (3, "c.rs", "a/b"));
    assert_eq!(RelPath::EMPTY.components().count(), 0);
    assert!(path(b"a/b/c").components().eq([b"a", b"b", b"c"]));
}

#[test]
fn below_means_strictly_below() {
    let below = |inner: &str, dir: &str| {
        let rest = path(inner.as_bytes()).below(path(dir.as_bytes()));
        rest.map(|rest| rest.to_string())
    };
    assert_eq!(below("a/b/c", "a").as_deref(), Some("b/c"));
    assert_eq!(below("a/b/c", "a/b").as_deref(), Some("c"));
    assert_eq!(below("a", "").as_deref(), Some("a"));
    assert_eq!(below("", ""), None);
    assert_eq!(below("a", "a"), None);
    assert_eq!(below("ab/c", "a"), None);
    assert_eq!(below("a", "a/b"), None);
    assert_eq!(below("b/a", "a"), None);
}

#[test]
fn joining_and_popping() {
    let mut buf = RelPathBuf::default();
    assert!(!buf.pop());
    buf.push(path(b"a/b"));
    buf.push(RelPath::EMPTY);
    buf.push(path(b"c"));
    assert_eq!(buf.as_bytes(), b"a/b/c");
    assert!(buf.pop());
    assert_eq!(buf.as_bytes(), b"a/b");
    assert_eq!(buf.join(path(b"x/y")).as_bytes(), b"a/b/x/y");
    assert!(buf.pop() && buf.pop() && !buf.pop());
    assert_eq!(buf, RelPathBuf::default());
}

#[test]
fn order_is_byte_order_of_the_whole_path() {
    let sorted = ["A", "a", "a b", "a-b", "a.txt", "a/x", "a0", "b", "\u{e9}", "\u{10000}"];
    let mut paths: Vec<RelPathBuf> = sorted.iter().map(|p| RelPathBuf::new(*p).unwrap()).collect();
    paths.reverse();
    paths.sort();
    assert_eq!(
        paths.iter().map(|path| path.as_bytes()).collect::<Vec<_>>(),
        sorted.map(str::as_bytes)
    );
}

#[test]
fn paths_are_shown_quoted_where_needed() {
    assert_eq!(path(b"a b/c").to_string(), "a b/c");
    assert_eq!(path(b"a\nb").to_string(), r#""a\nb""#);
    assert_eq!(RelPathBuf::new(b"\xff".to_vec()).unwrap().to_string(), r#""\377""#);
    assert!(format!("{:?}", path(b"a\x1b\xff")).is_ascii());
}

/// Components, some of them odd.
fn parts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let odd = prop::sample::select(vec![b".".to_vec(), b"..".to_vec(), Vec::new(), b"\0".to_vec()]);
    let good = prop::collection::vec(prop::sample::select(&b"ab.-\xff/"[..]), 1..4);
    prop::collection::vec(prop_oneof![1 => odd, 6 => good], 0..5)
}

proptest! {
    #[test]
    fn the_rules_are_those_of_the_components(parts in parts()) {
        let bytes = parts.join(&b'/');
        let good = |part: &[u8]| {
            !part.is_empty() && part != b"." && part != b".." && !part.contains(&0)
        };
        let expected = bytes.is_empty() || bytes.split(|byte| *byte == b'/').all(good);
        prop_assert_eq!(RelPath::new(&bytes).is_ok(), expected);
    }

    #[test]
    fn a_path_is_its_parent_and_its_name(parts in parts()) {
        let bytes = parts.join(&b'/');
        let Ok(path) = RelPath::new(&bytes) else { return Ok(()) };
        prop_assert_eq!(path.depth() as usize, path.components().count());
        let rebuilt = path.components().fold(RelPathBuf::default(), |mut buf, part| {
            buf.push(RelPath::new(part).unwrap());
            buf
        });
        prop_assert_eq!(rebuilt.as_path(), path);
        if !path.is_empty() {
            let name = RelPath::new(path.name()).unwrap();
            prop_assert_eq!(path.parent().to_buf().join(name), path.to_buf());
            prop_assert_eq!(path.below(path.parent()), Some(name));
            prop_assert!(path.parent() < path);
        }
    }

    #[test]
    fn order_is_that_of_the_bytes(a in parts(), b in parts()) {
        let (a, b) = (a.join(&b'/'), b.join(&b'/'));
        let (Ok(left), Ok(right)) = (RelPath::new(&a), RelPath::new(&b)) else { return Ok(()) };
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        prop_assert_eq!(left.to_buf().cmp(&right.to_buf()), a.cmp(&b));
        prop_assert_eq!(left.below(right).is_some(),
            !a.is_empty() && (b.is_empty() || a.starts_with(&[&b[..], b"/"].concat())));
    }
}
