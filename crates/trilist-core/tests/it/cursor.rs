//! Cursors come back as they were made, and nothing else is one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::prelude::*;
use trilist_core::cursor::{Cursor, MAX_CURSOR_BYTES};
use trilist_core::{
    Bound, Digest, Identity, IgnorePolicy, Kind, ListError, ListRequest, Mode, RelPathBuf, Sort,
};

fn cursor() -> Cursor {
    Cursor {
        request: ListRequest::new(Mode::Files, "src"),
        root: 7,
        ordinal: Some(100),
        after: RelPathBuf::new("lib.rs").unwrap(),
        bound: Bound::After,
        identity: Some(Identity::from_bytes([3; 16])),
        rank: 0,
    }
}

#[track_caller]
fn refused(text: &str) -> String {
    match Cursor::decode(text) {
        Err(ListError::InvalidCursor { reason }) => reason,
        other => panic!("`{text}` gives {other:?}"),
    }
}

/// A cursor as a forger makes it: the checksum is right, since it is no secret.
fn forged(request: &[u8], request_len: u16, ordinal: u64, after: &[u8]) -> String {
    let mut bytes = Vec::new();
    bytes.extend(7u64.to_le_bytes());
    bytes.extend(ordinal.to_le_bytes());
    bytes.extend([3; 16]);
    bytes.extend(0i128.to_le_bytes());
    bytes.extend(request_len.to_le_bytes());
    bytes.extend(request);
    bytes.extend(after);
    let sum = Digest::new().add(b"trilist cursor").add(&bytes).short();
    bytes.extend(sum.to_le_bytes());
    format!("c1.{}", URL_SAFE_NO_PAD.encode(bytes))
}

const REQUEST: &[u8] = br#"{"mode":"files","path":"src"}"#;

#[test]
fn every_damaged_byte_is_noticed() {
    let text = cursor().encode().unwrap();
    assert_eq!(Cursor::decode(&text).unwrap(), cursor());
    for at in 0..text.len() {
        // Every other character of the alphabet, and some from outside.
        for byte in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. \n\0" {
            let mut damaged = text.clone().into_bytes();
            if damaged[at] != *byte {
                damaged[at] = *byte;
                refused(std::str::from_utf8(&damaged).unwrap());
            }
        }
    }
}

#[test]
fn every_truncation_and_addition_is_noticed() {
    let text = cursor().encode().unwrap();
    for length in 0..text.len() {
        refused(&text[..length]);
    }
    for tail in ["A", "AA", "AAAA", "=", "==", " ", "\n", "c1."] {
        refused(&format!("{text}{tail}"));
        refused(&format!("{tail}{text}"));
    }
}

#[test]
fn reasons_tell_the_cases_apart() {
    let text = cursor().encode().unwrap();
    let foreign = text.replacen("c1.", "c2.", 1);
    insta::assert_snapshot!(refused(&foreign), @"it does not start with `c1.`");
    insta::assert_snapshot!(refused(""), @"it does not start with `c1.`");
    insta::assert_snapshot!(refused("../../etc"), @"it does not start with `c1.`");
    insta::assert_snapshot!(refused("c1."), @"it is damaged");
    insta::assert_snapshot!(refused("c1.é"), @"it is damaged");
    insta::assert_snapshot!(refused(&text.to_uppercase().replacen('C', "c", 1)), @"it is damaged");
    let long = format!("c1.{}", "A".repeat(9 << 10));
    insta::assert_snapshot!(refused(&long), @"it is longer than any cursor");
    insta::assert_snapshot!(
        refused(&forged(b"{}", 2, 1, b"a")),
        @"it is not one that a listing has made"
    );
}

#[test]
fn forgeries_with_a_right_checksum_are_refused_all_the_same() {
    let honest = forged(REQUEST, REQUEST.len() as u16, 100, b"lib.rs");
    assert_eq!(Cursor::decode(&honest).unwrap(), cursor(), "the forger knows the format");
    let length = REQUEST.len() as u16;
    for after in [&b"../../etc/passwd"[..], b"/etc", b"a//b", b"a/", b"./a", b"a\0b", b".."] {
        refused(&forged(REQUEST, length, 100, after));
    }
    refused(&forged(REQUEST, u16::MAX, 100, b"a"));
    refused(&forged(REQUEST, length - 1, 100, b"a"));
    refused(&forged(br#"{"mode":"files","what":1}"#, 25, 100, b"a"));
    refused(&forged(br#"{"mode":"magic"}"#, 16, 100, b"a"));
    let deep = [b"[".repeat(3000), b"]".repeat(3000)].concat();
    refused(&forged(&deep, 6000, 100, b"a"));
    // No listing is so long; and the next page's numbers must not wrap.
    refused(&forged(REQUEST, length, u64::MAX, b"a"));
    refused(&forged(REQUEST, length, (1 << 53) + 1, b"a"));
    assert!(Cursor::decode(&forged(REQUEST, length, 1 << 53, b"a")).is_ok());
    // Of what was not counted there is no number, and of a way not looked at no identity.
    refused(&forged(REQUEST, length, 1 << 63 | 1, b"a"));
    refused(&forged(REQUEST, length, 1 << 61, b"a"));
    let at = Cursor::decode(&forged(REQUEST, length, 1 << 63 | 1 << 62, b"a")).unwrap();
    assert_eq!((at.ordinal, at.bound), (None, Bound::At));
}

#[test]
fn what_does_not_fit_has_no_cursor() {
    let long =
        |bytes: usize| Cursor { after: RelPathBuf::new(vec![b'a'; bytes]).unwrap(), ..cursor() };
    let fits = (1..8192).rev().find(|bytes| long(*bytes).encode().is_some()).unwrap();
    assert!(fits > 4096, "every path that a system call takes fits");
    let text = long(fits).encode().unwrap();
    assert!(text.len() <= MAX_CURSOR_BYTES && text.len() + 4 > MAX_CURSOR_BYTES);
    assert_eq!(Cursor::decode(&text).unwrap(), long(fits));
    assert_eq!(long(fits + 1).encode(), None);
    assert_eq!(long(1 << 20).encode(), None);

    let mut request = ListRequest::new(Mode::Fs, ".");
    request.pattern = vec!["x".repeat(70_000)];
    assert_eq!(Cursor { request, ..cursor() }.encode(), None);
}

#[test]
fn cursors_are_text_that_needs_no_escaping() {
    let after = RelPathBuf::new(b"\xff\n\"\xe2\x80\xae".to_vec()).unwrap();
    let text = Cursor { after, ..cursor() }.encode().unwrap();
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte)));
}

fn request() -> impl Strategy<Value = ListRequest> {
    let word = || "[a-zé*./ ]{1,8}";
    let mode = prop::sample::select(&Mode::ALL[..]);
    let sort = prop::sample::select(vec![Sort::Path, Sort::Size, Sort::Modified, Sort::Kind]);
    let kinds = prop::option::of(prop::collection::vec(prop::sample::select(&Kind::ALL[..]), 1..4));
    let words = || prop::collection::vec(word(), 0..3);
    let layers = (prop::option::of(any::<bool>()), words(), words());
    (
        (mode, word(), prop::option::of(any::<u32>()), prop::option::of(any::<bool>())),
        (any::<[bool; 4]>(), kinds, words(), sort, layers),
    )
        .prop_map(|((mode, path, depth, hidden), (flags, kinds, pattern, sort, layers))| {
            let (git, patterns, keep) = layers;
            ListRequest {
                depth,
                include_hidden: hidden,
                follow_symlinks: flags[0],
                same_filesystem: flags[1],
                reverse: flags[2],
                subtree: flags[3],
                kinds,
                pattern,
                sort,
                ignore: IgnorePolicy { git, patterns, keep, ..IgnorePolicy::default() },
                ..ListRequest::new(mode, path.as_str())
            }
        })
}

fn components() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 1..5), 1..4)
        .prop_map(|parts| parts.join(&b'/'))
}

proptest! {
    #[test]
    fn cursors_come_back_as_they_were_made(
        request in request(),
        root: u64,
        ordinal in prop::option::of(0..=1u64 << 53),
        identity: Option<[u8; 16]>,
        at: bool,
        rank: i128,
        after in components(),
    ) {
        let Ok(after) = RelPathBuf::new(after) else { return Ok(()) };
        let identity = identity.map(Identity::from_bytes);
        let bound = if at { Bound::At } else { Bound::After };
        let cursor = Cursor { request, root, ordinal, after, bound, identity, rank };
        prop_assert_eq!(Cursor::decode(&cursor.encode().unwrap()).unwrap(), cursor);
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in ".{0,200}", bytes: Vec<u8>) {
        prop_assert!(Cursor::decode(&text).is_err());
        let body = format!("c1.{}", URL_SAFE_NO_PAD.encode(bytes));
        prop_assert!(Cursor::decode(&body).is_err());
    }

    #[test]
    fn a_forged_body_is_read_without_a_panic(
        request: Vec<u8>,
        length: u16,
        ordinal: u64,
        after: Vec<u8>,
    ) {
        let text = forged(&request, length, ordinal, &after);
        prop_assert!(Cursor::decode(&text).is_err(), "random bytes are no request");
    }
}
