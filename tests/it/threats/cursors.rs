//! Cursors that no listing has made, and those of other listings.

use trilist::{Cancel, Cursor, IgnorePolicy, ListError, ListRequest, Lister, Mode};
use trilist_core::RelPathBuf;
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{ask, lister, page, paths};

fn tree() -> Tree {
    let tree = TreeBuilder::new().files(["a/1", "a/2", "a/3", "b/4", "b/5", "c"]).build();
    std::fs::create_dir(tree.outside().join("etc")).unwrap();
    std::fs::write(tree.outside().join("etc/secret"), "").unwrap();
    tree
}

fn first(lister: &Lister, request: &ListRequest) -> String {
    let request = ListRequest { limit: Some(2), ..request.clone() };
    page(lister, &request).next_cursor.expect("there is more")
}

#[track_caller]
fn refused(lister: &Lister, cursor: &str, request: &ListRequest) {
    let request = ListRequest { cursor: Some(cursor.to_owned()), ..request.clone() };
    match lister.list(&request, &Cancel::new()) {
        Ok(page) => panic!("{cursor} was taken: {:?}", paths(&page)),
        Err(error) => {
            assert_eq!(error.code(), "invalid_cursor", "{error}");
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
}

#[test]
fn t63_every_flipped_bit_is_noticed() {
    let tree = tree();
    let lister = lister(tree.path());
    for mode in [Mode::Fs, Mode::Files] {
        let good = first(&lister, &ask(mode, "."));
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bytes = good.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                // Where it is no text it cannot come in.
                let Ok(bad) = String::from_utf8(bytes) else { continue };
                refused(&lister, &bad, &ask(mode, "."));
            }
        }
        for end in 0..good.len() {
            refused(&lister, &good[..end], &ask(mode, "."));
        }
        refused(&lister, &format!("{good}A"), &ask(mode, "."));
    }
}

#[test]
fn t63_what_is_too_long_is_not_read() {
    let tree = tree();
    let lister = lister(tree.path());
    for length in [8_193, 9 * 1_024, 1 << 20] {
        let long = format!("c1.{}", "A".repeat(length - 3));
        refused(&lister, &long, &ask(Mode::Fs, "."));
    }
}

#[test]
fn t63_cursors_of_other_listings_are_refused() {
    let (tree, other) = (tree(), tree_like());
    let (here, there) = (lister(tree.path()), lister(other.path()));
    let cursor = first(&here, &ask(Mode::Fs, "."));
    refused(&there, &cursor, &ask(Mode::Fs, "."));
    refused(&here, &cursor, &ask(Mode::Files, "."));
    refused(&here, &cursor, &ask(Mode::Fs, "a"));
    let ignore = IgnorePolicy { patterns: vec!["x".to_owned()], ..IgnorePolicy::default() };
    for other in [
        ListRequest { depth: Some(3), ..ask(Mode::Fs, ".") },
        ListRequest { include_hidden: Some(true), ..ask(Mode::Fs, ".") },
        ListRequest { follow_symlinks: true, ..ask(Mode::Fs, ".") },
        ListRequest { pattern: vec!["x".to_owned()], ..ask(Mode::Fs, ".") },
        ListRequest { reverse: true, ..ask(Mode::Fs, ".") },
        ListRequest { ignore, ..ask(Mode::Fs, ".") },
    ] {
        refused(&here, &cursor, &other);
    }
}

/// Another tree with the same names.
fn tree_like() -> Tree {
    tree()
}

/// A cursor with a right checksum, as somebody who read the source could make it.
fn forged(lister: &Lister, change: impl FnOnce(&mut Cursor)) -> Option<String> {
    let mut cursor = Cursor::decode(&first(lister, &ask(Mode::Fs, "."))).unwrap();
    change(&mut cursor);
    cursor.encode()
}

#[test]
fn t63_a_forged_place_reads_nothing_outside() {
    let tree = tree();
    let lister = lister(tree.path());
    // What leads out is no path that a cursor can hold.
    for out in ["../../etc", "..", "a/../../etc", "/etc", "a//b", "./a", "a\0b"] {
        assert!(RelPathBuf::new(out).is_err(), "{out}");
    }
    // The listed directory of a forged cursor is checked like one that is asked for.
    for out in ["..", "../etc", "/etc", "a/../.."] {
        let cursor = forged(&lister, |cursor| cursor.request.path = out.into()).unwrap();
        let request = ListRequest { cursor: Some(cursor), ..ListRequest::new(Mode::Fs, ".") };
        let answer = lister.list(&request, &Cancel::new());
        match answer {
            Err(ListError::OutsideRoot { .. } | ListError::NotFound { .. }) => {}
            Err(ListError::InvalidCursor { .. }) => {}
            other => panic!("{out}: {other:?}"),
        }
    }
    // A place that is not there is only compared: what comes behind it is what is behind it.
    let behind = forged(&lister, |cursor| cursor.after = RelPathBuf::new("b/4x/y/z").unwrap());
    let request = ListRequest { cursor: behind, ..ListRequest::new(Mode::Fs, ".") };
    let page = page(&lister, &request);
    assert_eq!(paths(&page), ["b/5", "c"]);
    assert!(page.drifted, "it was made by no listing of this tree");
}

#[test]
fn t63_a_forged_request_has_the_bounds_of_every_request() {
    let tree = tree();
    let lister = lister(tree.path());
    type Change = fn(&mut Cursor);
    let changes: [(Change, &[&str]); 4] = [
        (|cursor| cursor.request.depth = Some(0), &["invalid_argument", "invalid_cursor"]),
        (|cursor| cursor.request.depth = Some(u32::MAX), &["invalid_argument", "invalid_cursor"]),
        (
            |cursor| cursor.request.pattern = vec!["{".repeat(900)],
            &["invalid_argument", "invalid_cursor"],
        ),
        (|cursor| cursor.request.follow_symlinks = true, &["none"]),
    ];
    for (change, codes) in changes {
        let cursor = forged(&lister, change);
        let request = ListRequest { cursor, ..ListRequest::new(Mode::Fs, ".") };
        let code =
            lister.list(&request, &Cancel::new()).map_or_else(|error| error.code(), |_| "none");
        assert!(codes.contains(&code), "{code}");
    }
}

#[test]
fn t63_no_random_bytes_are_a_cursor() {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut rng = trilist_tests::rules::Rng::new(63);
    let tree = tree();
    let lister = lister(tree.path());
    for _ in 0..2_000 {
        let body: String = (0..rng.below(300)).map(|_| char::from(rng.pick(LETTERS))).collect();
        refused(&lister, &format!("c1.{body}"), &ask(Mode::Fs, "."));
    }
}
