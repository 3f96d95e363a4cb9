//! Names of any bytes in every other view: comparisons, HTML, overviews, explanations, chat files,
//! changes, and each error that names something.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use trilist::compare::Compared;
use trilist::render::{self, HtmlPage};
use trilist::{
    Cancel, ChatFiles, CompareItem, CompareRequest, Comparison, HostSide, ListError, ListRequest,
    Lister, Mode, OverviewRequest, PathArg,
};
use trilist_tests::{Tree, as_path, git};

use super::visible::for_names;
use crate::harness::{MODES, ask, assert_clean, clean, lister, page};

/// A repository in which the name is tracked, staged, gone, ignored, untracked, and a branch of
/// directories; the ignore files name it.
fn repository(name: &[u8]) -> Tree {
    let tree = Tree::empty();
    let path = |parts: &[&[u8]]| tree.path().join(as_path(&parts.concat()));
    let put = |parts: &[&[u8]]| {
        let path = path(parts);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    };
    git(tree.path(), &["init", "-q"]);
    ["d/", "gone/", "out/"].iter().for_each(|dir| put(&[dir.as_bytes(), name]));
    put(&[b"e/", name, b"/in"]);
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["commit", "-q", "-m", "one"]);
    fs::remove_dir_all(path(&[b"gone"])).unwrap();
    put(&[b"staged-", name]);
    git(tree.path(), &["add", "-A", "--", "."]);
    put(&[b"new-", name]);
    put(&[b"out/", name, b"-too"]);
    fs::write(path(&[b".ignore"]), [b"/out/*", name, b"*\n[z-a]", name, b"\n"].concat()).unwrap();
    tree
}

fn compared(lister: &Lister, path: impl Into<PathArg>) -> Comparison {
    let request =
        CompareRequest { limit: Some(1_000), show: Compared::All, ..CompareRequest::new(path) };
    lister.compare(&request, &Cancel::new()).unwrap()
}

#[test]
fn t58_t59_comparisons_of_every_name_are_visible() {
    for_names(30, |name| {
        let tree = repository(name);
        let lister = lister(tree.path());
        for path in [PathArg::from("."), [b"e/", name].concat().into()] {
            let reply = compared(&lister, path);
            assert!(!reply.rows.is_empty());
            assert_clean(&render::comparison(&reply));
            assert_clean(&render::comparison_json(&reply));
            reply.rows.iter().for_each(|row| assert_clean(&render::compared_json(row)));
            html_is_clean(&render::comparison_html(&reply), name);
        }
        html_is_clean(&streamed_html(&lister), name);
    });
}

fn streamed_html(lister: &Lister) -> String {
    let (mut html, mut out) = (HtmlPage::new(), String::new());
    let request = CompareRequest::new(".");
    let end = lister.compare_stream(&request, &Cancel::new(), &mut |item| {
        match item {
            CompareItem::Head(head) => html.head(head, &mut out),
            CompareItem::Row(row) => html.row(row, &mut out),
        }
        ControlFlow::Continue(())
    });
    html.foot(&end.unwrap(), &mut out);
    out
}

/// Nothing of the name is markup, and nothing of it is unseen.
#[track_caller]
fn html_is_clean(html: &str, name: &[u8]) {
    assert_clean(html);
    assert!(!html.contains("<img"), "{}", name.escape_ascii());
    let scripts = html.matches("<script").count();
    assert_eq!(scripts, html.matches("</script").count(), "{}", name.escape_ascii());
}

#[test]
fn t58_t59_overviews_of_every_name_are_visible() {
    for_names(30, |name| {
        let tree = repository(name);
        let lister = lister(tree.path());
        for mode in MODES {
            for (path, count) in [(b"e/".to_vec(), true), ([b"e/", name].concat(), false)] {
                let whole = [OverviewRequest::new(*mode, "."), OverviewRequest::new(*mode, path)];
                for request in whole.map(|request| OverviewRequest { count, ..request }) {
                    let reply = lister.overview(&request, &Cancel::new()).unwrap();
                    assert_clean(&render::overview(&reply));
                    assert_clean(&render::overview_rows(&reply));
                    assert_clean(&render::overview_json(&reply));
                }
            }
        }
    });
}

#[test]
fn t58_t59_explanations_of_every_name_are_visible() {
    for_names(30, |name| {
        let tree = repository(name);
        let lister = lister(tree.path());
        let paths: [&[&[u8]]; 8] = [
            &[b"d/", name],
            &[b"e/", name, b"/in"],
            &[b"gone/", name],
            &[b"out/", name],
            &[b"staged-", name],
            &[b"new-", name],
            &[b"absent/", name],
            &[b"d/", name, b"/in"],
        ];
        let paths: Vec<PathArg> = paths.iter().map(|parts| parts.concat().into()).collect();
        let request = ask(Mode::Fs, ".");
        let told = lister.explain(&request, MODES, &paths, &Cancel::new()).unwrap();
        assert_eq!(told.len(), paths.len());
        for explanation in &told {
            assert_clean(&render::explanation(explanation));
            assert_clean(&render::explanation_json(explanation));
        }
    });
}

#[test]
fn t58_t59_chat_files_and_changes_of_every_name_are_visible() {
    for_names(30, |name| {
        let tree = repository(name);
        let lister = lister(tree.path());
        let file = |parts: &[&[u8]]| PathArg::from(parts.concat());
        let chat = ChatFiles {
            in_chat: vec![file(&[b"d/", name]), file(&[b"absent/", name])],
            read_only: vec![file(&[b"out/", name]), file(&[b"../", name])],
        };
        let host = HostSide { chat: Some(Arc::new(chat)), ..HostSide::default() };
        for mode in MODES {
            let asked = ListRequest { depth: Some(9), pin: true, ..ask(*mode, ".") };
            clean(&lister.list_for(&asked, &host, &Cancel::new()).unwrap());
            let id = page(&lister, &asked).snapshot_id;
            let moved = tree.path().join(as_path(&[b"d/", name].concat()));
            fs::rename(&moved, tree.join("d-moved")).unwrap();
            fs::write(tree.path().join(as_path(&[b"late-", name].concat())), "").unwrap();
            clean(&page(&lister, &ListRequest { since: Some(id), ..ask(*mode, ".") }));
            fs::rename(tree.join("d-moved"), moved).unwrap();
        }
    });
}

/// The codes of errors that name something of the request or of the tree.
const NAMING: [&str; 11] = [
    "invalid_argument",
    "invalid_cursor",
    "io_error",
    "not_a_repository",
    "not_directory",
    "not_found",
    "offset_out_of_range",
    "outside_root",
    "snapshot_expired",
    "vcs_invalid",
    "vcs_refused",
];

#[test]
fn t58_t59_each_error_that_names_something_is_visible() {
    let codes = std::cell::RefCell::new(BTreeSet::new());
    for_names(30, |name| {
        let tree = faulty(name);
        let lister = lister(tree.path());
        let listed = page(&lister, &ask(Mode::Fs, ".")).snapshot_id;
        let never_pinned = ListRequest { since: Some(listed), ..ask(Mode::Fs, ".") };
        for request in refused(name).into_iter().chain([never_pinned]) {
            let Err(error) = lister.list(&request, &Cancel::new()) else { continue };
            codes.borrow_mut().insert(error.code());
            error_is_clean(&error);
        }
    });
    let codes = codes.into_inner();
    assert!(NAMING.iter().all(|code| codes.contains(code)), "{codes:?}");
}

/// Repositories that cannot be read, whose files name the name.
fn faulty(name: &[u8]) -> Tree {
    let tree = Tree::empty();
    let config = |text: &[u8]| [b"[core]\n\trepositoryformatversion = 0\n", text].concat();
    let write = |path: &Path, bytes: &[u8]| fs::write(path, bytes).unwrap();
    let git_dir = |at: &str| {
        let dir = tree.join(at).join(as_path(name)).join(".git");
        fs::create_dir_all(dir.join("objects")).unwrap();
        fs::create_dir_all(dir.join("refs")).unwrap();
        write(&dir.join("HEAD"), b"ref: refs/heads/main\n");
        write(&dir.join("config"), &config(b""));
        dir
    };
    write(&git_dir("head").join("HEAD"), &[b"ref: refs/", name, b"/../x\n"].concat());
    write(&git_dir("index").join("index"), &[b"DIRC", name].concat());
    let extension = [b"[extensions]\n\tunknown", name, b" = 1\n\tnew = ", name, b"\n"].concat();
    write(&git_dir("config").join("config"), &config(&extension));
    let format = [b"[extensions]\n\tobjectformat = ", name, b"\n"].concat();
    write(
        &git_dir("format").join("config"),
        &[b"[core]\n\trepositoryformatversion = 1\n", &format[..]].concat(),
    );
    write(
        &git_dir("away").join("config"),
        &config(&[b"\tworktree = ../", name, b"/../..\n"].concat()),
    );
    let pointer = tree.join("pointer").join(as_path(name));
    fs::create_dir_all(&pointer).unwrap();
    write(&pointer.join(".git"), &[b"gitdir: ../../..", name, b"\n"].concat());
    std::os::unix::fs::symlink(as_path(name), tree.path().join(as_path(name))).unwrap();
    write(&tree.path().join(as_path(&[b"file-", name].concat())), b"");
    fs::create_dir_all(tree.join("plain").join(as_path(name))).unwrap();
    tree
}

fn refused(name: &[u8]) -> Vec<ListRequest> {
    let at = |dir: &str| PathArg::from([dir.as_bytes(), b"/", name].concat());
    let repositories = ["head", "index", "config", "format", "away", "pointer", "plain"];
    let mut requests: Vec<_> =
        repositories.iter().map(|dir| ListRequest::new(Mode::Vcs, at(dir))).collect();
    for mode in MODES {
        for path in [
            name.to_vec(),
            [b"file-", name].concat(),
            [b"file-", name, b"/x"].concat(),
            [b"absent-", name].concat(),
            [b"../", name].concat(),
            [name, b"\0"].concat(),
        ] {
            requests.push(ListRequest::new(*mode, path));
        }
    }
    let text = String::from_utf8_lossy(name).into_owned();
    let plain = ask(Mode::Fs, ".");
    requests.push(ListRequest { cursor: Some(text.clone()), ..plain.clone() });
    requests.push(ListRequest { since: Some(text.clone()), ..plain.clone() });
    requests.push(ListRequest { offset: Some(1_000), path: at("head"), ..plain });
    requests
}

#[track_caller]
fn error_is_clean(error: &ListError) {
    let reply = error.reply();
    let json = serde_json::to_string(&reply).unwrap();
    for text in [&error.to_string(), &reply.message, &reply.hint.unwrap_or_default(), &json] {
        assert_clean(text);
        assert!(!text.contains('\n'), "one line: {text:?}");
    }
}
