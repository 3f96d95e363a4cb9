//! Names of any bytes: what is shown of them is visible, can be undone, and is understood.

use std::os::unix::fs::symlink;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use trilist::{
    Cancel, Entry, IgnorePolicy, ListRequest, Lister, Mode, PathArg, Sort, View, quote, render,
};
use trilist_tests::{Tree, as_path, is_full};

use crate::harness::{ask, assert_clean, clean, everything, lister, omitted, whole};
use crate::reading;

/// Pieces of names that a terminal or a reader takes for something else.
const PIECES: &[&[u8]] = &[
    b"\x1b[31m",
    b"\x1b]52;c;aGk=\x07",
    b"\r",
    b"\n",
    b"\r\n",
    b"\x7f",
    b"\x08",
    b"\t",
    "\u{85}".as_bytes(),
    "\u{9b}31m".as_bytes(),
    b"\x9b",
    "\u{202e}".as_bytes(),
    "\u{2066}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{200d}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{e0041}".as_bytes(),
    "\u{61c}".as_bytes(),
    "\u{ad}".as_bytes(),
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\"",
    b"\\",
    b"\\n",
    b"\\303",
    b" ",
    b"a",
    b"-",
    b"*",
    b"[",
    b"#",
    b"!",
    b"~",
    "é".as_bytes(),
    "\u{301}".as_bytes(),
    b" -> ",
    b"/\n",
    b"complete",
    b"<img src=x>",
    b"&lt;",
    b"'",
];

/// Names that a directory can hold.
fn names() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..4),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    vec(piece, 1..7).prop_map(|pieces| pieces.concat()).prop_filter_map("no name", |mut name| {
        name.retain(|byte| *byte != b'/' && *byte != 0);
        name.truncate(60);
        let is_name = !matches!(name.as_slice(), b"" | b"." | b".." | b".git");
        is_name.then_some(name)
    })
}

pub(super) fn for_names(cases: u32, check: impl Fn(&[u8])) {
    let cases = if is_full() { 20 * cases } else { cases };
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(58),
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&names(), |name| {
        check(&name);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// The name as a file, a directory, a link, a link's target, a rule, and where an ignore file is
/// none: every place of a reply in which a name can stand.
fn tree(name: &[u8]) -> Tree {
    let tree = Tree::empty();
    let path = |parts: &[&[u8]]| tree.path().join(as_path(&parts.concat()));
    for (dir, file) in [(&b"f"[..], name), (b"d/", b"in"), (b"dir/", b"x")] {
        let dir = if dir == b"d/" { [dir, name].concat() } else { dir.to_vec() };
        std::fs::create_dir_all(path(&[&dir])).unwrap();
        std::fs::write(path(&[&dir, b"/", file]), "").unwrap();
    }
    symlink(as_path(name), path(&[b"l-", name])).unwrap();
    std::fs::create_dir_all(path(&[b"i/", name, b"/.ignore"])).unwrap();
    std::fs::write(path(&[b".rgignore"]), [name, b"\n/nothing\n"].concat()).unwrap();
    std::fs::write(path(&[b"i/", name, b"/.rgignore"]), [b"{", name, b"\n[z-a]"].concat()).unwrap();
    tree
}

/// Requests that reach every place where a name is shown.
fn requests(name: &[u8]) -> Vec<ListRequest> {
    let all = everything(".");
    let marks = IgnorePolicy {
        show: Some(trilist::Show::Mark),
        dot_ignore: Some(true),
        ..IgnorePolicy::default()
    };
    let mut requests = vec![
        ListRequest { metadata: true, ..all.clone() },
        ListRequest { follow_symlinks: true, ..all.clone() },
        ListRequest { limit: Some(2), ..all.clone() },
        ListRequest { sort: Sort::Kind, ..all.clone() },
        ListRequest { ignore: marks, ..all.clone() },
        ask(Mode::Files, "."),
        ListRequest { path: in_dir(b"d", name), ..all.clone() },
        ListRequest { path: in_dir(b"i", name), ..ask(Mode::Files, ".") },
    ];
    if let Ok(text) = std::str::from_utf8(name) {
        let patterns = IgnorePolicy { patterns: vec![text.to_owned()], ..IgnorePolicy::default() };
        requests.push(ListRequest { ignore: patterns, ..ask(Mode::Files, ".") });
    }
    requests
}

fn in_dir(dir: &[u8], name: &[u8]) -> PathArg {
    [dir, b"/", name].concat().into()
}

#[test]
fn t58_t59_every_view_of_every_name_is_visible_and_can_be_read_back() {
    for_names(60, |name| {
        let tree = tree(name);
        let lister = lister(tree.path());
        for request in requests(name) {
            // A name may be a glob that is none.
            let Ok(page) = lister.list(&request, &Cancel::new()) else { continue };
            clean(&page);
            reading::check(&page);
            assert_clean(&omitted(&page).concat());
        }
        let page = whole(&lister, &everything("."));
        for at in [[b"f/", name].concat(), [b"d/", name, b"/in"].concat(), [b"l-", name].concat()] {
            let entry = page.entries.iter().find(|entry| entry.bytes() == at).unwrap();
            undone(entry, &at);
        }
    });
}

/// What is shown leads back to the exact bytes, by each of the ways that a reply offers.
fn undone(entry: &Entry, right: &[u8]) {
    let shown = entry.path.as_bytes();
    let spelled = quote::unquoted(shown).unwrap_or_else(|| shown.to_vec());
    assert_eq!(spelled, right, "{}", entry.path);
    assert_eq!(quote::shown(right), entry.path);
    let json: Entry = serde_json::from_str(&serde_json::to_string(entry).unwrap()).unwrap();
    assert_eq!(json.bytes(), right);
    let line = render::entry_json(entry);
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["path"].as_str().unwrap(), entry.path);
    assert_eq!(value["raw"].is_string(), quote::needs_quotes(right), "{line}");
}

#[test]
fn t58_t59_what_is_shown_is_understood_as_an_argument() {
    for_names(60, |name| {
        let tree = tree(name);
        let lister = lister(tree.path());
        let path = [b"d/", name].concat();
        for mode in [Mode::Fs, Mode::Files] {
            for spelling in [path.clone(), quote::shown(&path).into_owned().into_bytes()] {
                // As a line of a tree or a list ends a directory.
                for ending in [&b""[..], b"/"] {
                    let asked = [&spelling[..], ending].concat();
                    let request = ListRequest { path: asked.into(), ..ask(mode, ".") };
                    let page = whole(&lister, &request);
                    assert_eq!(page.entries[0].path, "in");
                    assert_eq!(page.path, quote::shown(&path));
                    let first = render::text(&page, View::Tree);
                    assert_clean(first.lines().next().unwrap());
                }
            }
        }
    });
}

#[test]
fn t58_t59_every_error_about_every_name_is_visible() {
    for_names(60, |name| {
        let tree = tree(name);
        let lister = lister(tree.path());
        let file = [b"f/", name].concat();
        let asked = [
            [b"f/", name, b"x"].concat(),
            [&file[..], b"/x"].concat(),
            [b"d/", name, b"/absent/x"].concat(),
            [b"../", name].concat(),
            [b"/", name].concat(),
            [name, b"\0"].concat(),
            file.clone(),
            name.repeat(100),
        ];
        for asked in asked {
            for mode in [Mode::Fs, Mode::Files, Mode::Vcs] {
                let path = PathArg::from(asked.clone());
                error_is_visible(&lister, &ListRequest { path, ..ask(mode, ".") });
            }
        }
        let Ok(text) = std::str::from_utf8(name) else { return };
        let word = || vec![text.to_owned()];
        let plain = ask(Mode::Files, ".");
        let tools = IgnorePolicy { tool_files: word(), ..IgnorePolicy::default() };
        for request in [
            ListRequest { pattern: word(), ..plain.clone() },
            ListRequest { cursor: Some(text.to_owned()), ..plain.clone() },
            ListRequest { cursor: Some(format!("c1.{text}")), ..plain.clone() },
            ListRequest { ignore: tools, ..plain },
        ] {
            error_is_visible(&lister, &request);
        }
    });
}

fn error_is_visible(lister: &Lister, request: &ListRequest) {
    let Err(error) = lister.list(request, &Cancel::new()) else { return };
    let reply = error.reply();
    for text in [&error.to_string(), &reply.message, &reply.hint.unwrap_or_default()] {
        assert_clean(text);
        assert!(!text.contains('\n'), "one line: {text:?}");
        assert!(text.len() < 20_000, "{}", text.len());
    }
    assert_clean(&format!("{error:?}"));
    assert_clean(&format!("{:?}", request.path));
}
