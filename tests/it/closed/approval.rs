//! What a host is asked before something is listed, and what its answers do.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use trilist::{
    Approver, Cancel, CompareRequest, Cursor, Decision, ListRequest, Lister, Mode, OverviewRequest,
    PathArg, Permission, Policy, Question,
};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{MODES, ask, page, policy, rows};

/// A host that answers from a list, then with no, and writes down what it was asked.
#[derive(Default)]
struct Host {
    answers: Mutex<VecDeque<Decision>>,
    asked: Mutex<Vec<String>>,
}

impl Host {
    fn answering(answers: &[Decision]) -> Arc<Host> {
        let answers = Mutex::new(answers.iter().copied().collect());
        Arc::new(Host { answers, ..Host::default() })
    }

    /// What was asked since the last time, with `dir` called `/around`.
    fn asked(&self, dir: &Path) -> Vec<String> {
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        let dir = dir.to_str().unwrap();
        asked.into_iter().map(|text| text.replace(dir, "/around")).collect()
    }
}

impl Approver for Host {
    fn ask(&self, question: &Question, _: &Cancel) -> Decision {
        let text = format!("{} {}", question.kind.name(), question.directory.display());
        self.asked.lock().unwrap().push(text);
        self.answers.lock().unwrap().pop_front().unwrap_or(Decision::RejectOnce)
    }
}

use Decision::{AllowAlways, AllowOnce, RejectAlways, RejectOnce};

/// A root, and beside it directories that are in none.
fn tree() -> Tree {
    let tree = TreeBuilder::new()
        .repo()
        .files(["src/deep/x", "src/a", "docs/b"])
        .commit("one")
        .symlink("out", "../other")
        .symlink("in", "src")
        .build();
    for file in ["other/p", "other/q", "other/r", "other/sub/s", "private/key"] {
        let place = tree.outside().join(file);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, "").unwrap();
    }
    tree
}

fn asking(tree: &Tree, host: &Arc<Host>, list: Permission, external: Permission) -> Lister {
    let policy = Policy { list, external_directory: external, ..policy() };
    Lister::open(&[tree.path()], policy)
        .unwrap()
        .with_approver(Arc::clone(host) as Arc<dyn Approver>)
}

/// A path beside the root.
fn beside(tree: &Tree, path: &str) -> String {
    around(tree).join(path).into_os_string().into_string().unwrap()
}

fn around(tree: &Tree) -> PathBuf {
    tree.outside().canonicalize().unwrap()
}

#[track_caller]
fn code(lister: &Lister, request: &ListRequest) -> &'static str {
    match lister.list(request, &Cancel::new()) {
        Ok(page) => panic!("{request:?} lists {:?}", rows(&page)),
        Err(error) => error.code(),
    }
}

#[test]
fn without_a_host_to_ask_nothing_is_approved() {
    let tree = tree();
    let other = ask(Mode::Fs, &beside(&tree, "other"));
    let open = |list, external_directory| {
        Lister::open(&[tree.path()], Policy { list, external_directory, ..policy() }).unwrap()
    };
    let plain = open(Permission::Allow, Permission::Deny);
    assert_eq!(code(&plain, &other), "outside_root");
    let careful = open(Permission::Ask, Permission::Ask);
    assert_eq!(code(&careful, &other), "approval_required");
    for mode in MODES {
        assert_eq!(code(&careful, &ask(*mode, "src")), "approval_required");
    }
    let error = careful.list(&ask(Mode::Fs, "src"), &Cancel::new()).unwrap_err();
    assert!(error.hint().is_some());
    let shut = open(Permission::Deny, Permission::Deny);
    assert_eq!(code(&shut, &ask(Mode::Fs, "src")), "denied_by_policy");
    // What does not exist needs no approval to be told inside a root.
    assert_eq!(code(&careful, &ask(Mode::Fs, "none")), "not_found");
    // A host that is there is asked only where the policy says so.
    let host = Host::answering(&[]);
    let plain = asking(&tree, &host, Permission::Allow, Permission::Deny);
    assert_eq!(rows(&page(&plain, &ask(Mode::Fs, "docs"))), ["b"]);
    assert_eq!(code(&plain, &other), "outside_root");
    assert!(host.asked(&around(&tree)).is_empty());
}

#[test]
fn listing_is_asked_for_once_a_call_by_the_canonical_path() {
    let tree = tree();
    let root = tree.path().canonicalize().unwrap();
    let host = Host::answering(&[AllowOnce; 6]);
    let lister = asking(&tree, &host, Permission::Ask, Permission::Deny);
    let asked = || host.asked(&root);
    for mode in MODES {
        page(&lister, &ask(*mode, "docs/../src//deep/"));
        assert_eq!(asked(), ["list /around/src/deep"], "{mode}");
    }
    page(&lister, &ask(Mode::Fs, "in"));
    assert_eq!(asked(), ["list /around/src"]);
    let compare = CompareRequest::new("src");
    lister.compare(&compare, &Cancel::new()).unwrap();
    assert_eq!(asked(), ["list /around/src"]);
    lister.overview(&OverviewRequest::new(Mode::Files, "src"), &Cancel::new()).unwrap();
    assert_eq!(asked(), ["list /around/src"]);
    // The answers have come to their end: no.
    let paths = [PathArg::from("src/a")];
    let told = lister.explain(&ask(Mode::Fs, "src"), &Mode::ALL, &paths, &Cancel::new());
    assert_eq!(asked(), ["list /around/src"]);
    assert_eq!(told.unwrap_err().code(), "denied_by_policy");
    let streamed = lister.stream(&ask(Mode::Fs, "src"), &Cancel::new(), &mut |_| {
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(streamed.unwrap_err().code(), "denied_by_policy");
    asked();
    // The whole repository is asked for by its top.
    let inventory = ListRequest { subtree: false, ..ask(Mode::Vcs, "src/deep") };
    assert_eq!(code(&lister, &inventory), "denied_by_policy");
    assert_eq!(asked(), ["list /around"]);
    // What cannot be listed anyway is not asked for.
    assert_eq!(code(&lister, &ask(Mode::Fs, "none")), "not_found");
    assert_eq!(
        code(&lister, &ListRequest { limit: Some(0), ..ask(Mode::Fs, "src") }),
        "invalid_argument"
    );
    assert!(asked().is_empty());
}

/// A host that thinks before it answers.
struct Slow(Arc<Host>, Duration);

impl Approver for Slow {
    fn ask(&self, question: &Question, cancel: &Cancel) -> Decision {
        std::thread::sleep(self.1);
        self.0.ask(question, cancel)
    }
}

/// A person's time is not the file system's: it does not count against the deadline, and what was
/// asked ahead of the work is not asked again by it.
#[test]
fn a_call_in_time_asks_before_its_time_begins() {
    let tree = tree();
    let root = tree.path().canonicalize().unwrap();
    let host = Host::answering(&[AllowOnce, AllowOnce, AllowOnce, RejectOnce]);
    let policy = Policy { list: Permission::Ask, external_directory: Permission::Ask, ..policy() };
    let slow = Slow(Arc::clone(&host), Duration::from_millis(700));
    let lister = Lister::open(&[tree.path()], policy).unwrap().with_approver(Arc::new(slow));
    let lister = Arc::new(lister);
    let in_time = |path: &str| {
        let request = ListRequest { deadline_ms: Some(400), ..ask(Mode::Fs, path) };
        lister.list_in_time(&request, &Cancel::new())
    };
    let page = in_time("docs").unwrap();
    assert_eq!((rows(&page), page.complete), (vec!["b".to_owned()], true));
    assert_eq!(host.asked(&root), ["list /around/docs"]);
    // Outside the roots there are two questions, and each is asked once.
    let page = in_time(&beside(&tree, "other")).unwrap();
    assert!(page.complete && rows(&page).contains(&"p".to_owned()), "{page:?}");
    let questions = ["external_directory /around/other", "list /around/other"];
    assert_eq!(host.asked(&around(&tree)), questions);
    assert_eq!(in_time("src").unwrap_err().code(), "denied_by_policy");
    // Whoever goes away while the host thinks is not kept waiting for a listing.
    let cancel = Cancel::new();
    cancel.cancel();
    let gone = lister.list_in_time(&ask(Mode::Fs, "docs"), &cancel);
    assert_eq!(gone.unwrap_err().code(), "cancelled");
}

#[test]
fn answers_for_good_hold_for_the_directory_and_what_is_below() {
    let tree = tree();
    let root = tree.path().canonicalize().unwrap();
    let host = Host::answering(&[AllowAlways, RejectAlways]);
    let lister = asking(&tree, &host, Permission::Ask, Permission::Deny);
    for path in ["src", "src", "src/deep", "in"] {
        page(&lister, &ask(Mode::Fs, path));
    }
    assert_eq!(host.asked(&root), ["list /around/src"]);
    for path in ["docs", "docs", "docs/"] {
        assert_eq!(code(&lister, &ask(Mode::Fs, path)), "denied_by_policy");
    }
    assert_eq!(host.asked(&root), ["list /around/docs"]);
    // The root holds more than either.
    assert_eq!(code(&lister, &ask(Mode::Fs, ".")), "denied_by_policy");
    assert_eq!(code(&lister, &ask(Mode::Fs, ".")), "denied_by_policy");
    assert_eq!(host.asked(&root), ["list /around", "list /around"]);
    // Another lister knows nothing of it.
    let other = asking(&tree, &host, Permission::Ask, Permission::Deny);
    assert_eq!(code(&other, &ask(Mode::Fs, "src")), "denied_by_policy");
}

#[test]
fn a_directory_outside_is_a_question_of_its_own() {
    let tree = tree();
    let around = around(&tree);
    let host = Host::answering(&[AllowOnce, AllowOnce, AllowOnce, RejectOnce]);
    let lister = asking(&tree, &host, Permission::Ask, Permission::Ask);
    let other = ask(Mode::Fs, &beside(&tree, "other"));
    let reply = page(&lister, &other);
    assert_eq!(rows(&reply), ["p", "q", "r", "sub/", "sub/s"]);
    assert_eq!((reply.root, reply.path.as_str()), (beside(&tree, "other"), "."));
    assert!(reply.complete);
    let both = ["external_directory /around/other", "list /around/other"];
    assert_eq!(host.asked(&around), both);
    // Either no is a no.
    assert_eq!(code(&lister, &other), "denied_by_policy");
    assert_eq!(host.asked(&around), both);
    assert_eq!(code(&lister, &other), "denied_by_policy");
    assert_eq!(host.asked(&around), both[..1]);
    // Roots are no directories outside.
    assert_eq!(code(&lister, &ask(Mode::Fs, "src")), "denied_by_policy");
    assert_eq!(host.asked(&tree.path().canonicalize().unwrap()), ["list /around/src"]);
}

fn outside_only(tree: &Tree, answers: &[Decision]) -> (Arc<Host>, Lister) {
    let host = Host::answering(answers);
    let lister = asking(tree, &host, Permission::Allow, Permission::Ask);
    (host, lister)
}

#[test]
fn every_spelling_outside_is_asked_for_by_its_plain_path() {
    let tree = tree();
    let (host, lister) = outside_only(&tree, &[]);
    let name = tree.path().file_name().unwrap().to_str().unwrap();
    for spelling in [
        beside(&tree, "other/"),
        beside(&tree, "./other//sub/.."),
        beside(&tree, &format!("{name}/../other")),
        "../other".to_owned(),
        "src/../../other/.".to_owned(),
        format!("\"{}\"", beside(&tree, "other")),
    ] {
        assert_eq!(code(&lister, &ask(Mode::Fs, &spelling)), "denied_by_policy", "{spelling}");
        let asked = host.asked(&around(&tree));
        assert_eq!(asked, ["external_directory /around/other"], "{spelling}");
    }
    // A link in the tree asks nothing of nobody.
    for path in ["out", "out/sub", "in/../out"] {
        assert_eq!(code(&lister, &ask(Mode::Fs, path)), "outside_root", "{path}");
    }
    assert!(host.asked(&around(&tree)).is_empty());
}

#[test]
fn before_an_approval_nothing_tells_what_exists() {
    let tree = tree();
    let (_, lister) = outside_only(&tree, &[]);
    let told = |path: &str| {
        let path = beside(&tree, path);
        let error = lister.list(&ask(Mode::Fs, &path), &Cancel::new()).unwrap_err();
        format!("{:?}", error.reply()).replace(&path, "PATH")
    };
    let there = told("other");
    for path in ["other/p", "absent", "other/absent/x", "private"] {
        assert_eq!(told(path), there, "{path}");
    }
    // Afterwards it is told, but not what lies beside it.
    let (_, lister) = outside_only(&tree, &[AllowOnce; 3]);
    let error = lister.list(&ask(Mode::Fs, &beside(&tree, "othe")), &Cancel::new()).unwrap_err();
    assert_eq!((error.code(), error.hint()), ("not_found", None));
    assert_eq!(code(&lister, &ask(Mode::Fs, &beside(&tree, "other/p"))), "not_directory");
}

#[test]
fn what_is_opened_is_what_was_approved() {
    let tree = tree();
    let place = |path: &str| tree.outside().join(path);
    std::os::unix::fs::symlink("private", place("alias")).unwrap();
    std::os::unix::fs::symlink("../private", place("other/way")).unwrap();
    let (host, lister) = outside_only(&tree, &[AllowOnce, AllowOnce, AllowAlways]);
    for path in ["alias", "other/way"] {
        let error = lister.list(&ask(Mode::Fs, &beside(&tree, path)), &Cancel::new()).unwrap_err();
        assert_eq!(error.code(), "denied_by_policy");
        let hint = error.hint().unwrap();
        assert!(hint.contains("is a link") && hint.contains("private`"), "{hint}");
    }
    // Beneath what was approved, everything is as beneath a root.
    let follow = |path: &str| ListRequest { follow_symlinks: true, ..ask(Mode::Files, path) };
    let listed = page(&lister, &follow(&beside(&tree, "other")));
    assert_eq!(rows(&listed), ["p", "q", "r", "sub/s", "way@"]);
    assert_eq!(code(&lister, &ask(Mode::Fs, &beside(&tree, "other/way"))), "outside_root");
    let below = page(&lister, &ask(Mode::Fs, &beside(&tree, "other/sub")));
    assert_eq!((below.root, below.path.as_str()), (beside(&tree, "other"), "sub"));
    assert_eq!(host.asked(&around(&tree)).len(), 3);
    // Exchanged while the host thinks: nothing of the other directory is listed.
    let (here, there) = (place("other"), place("moved"));
    let swap = move |_: &Question, _: &Cancel| {
        std::fs::rename(&here, &there).unwrap();
        std::os::unix::fs::symlink("private", &here).unwrap();
        AllowOnce
    };
    let policy = Policy { external_directory: Permission::Ask, ..policy() };
    let lister = Lister::open(&[tree.path()], policy).unwrap().with_approver(Arc::new(swap));
    assert_eq!(code(&lister, &ask(Mode::Fs, &beside(&tree, "other"))), "denied_by_policy");
}

#[test]
fn pages_of_a_directory_outside_go_on_and_are_asked_for_again() {
    let tree = tree();
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { limit: Some(2), ..ask(mode, &beside(&tree, "other")) };
        let right = match mode {
            Mode::Fs => ["p", "q", "r", "sub/", "sub/s"].as_slice(),
            _ => &["p", "q", "r", "sub/s"],
        };
        for pin in [false, true] {
            for (answer, times) in [(AllowOnce, right.len().div_ceil(2)), (AllowAlways, 1)] {
                let (host, lister) = outside_only(&tree, &[answer; 9]);
                let mut next = ListRequest { pin, ..request.clone() };
                let mut seen = Vec::new();
                loop {
                    let page = page(&lister, &next);
                    assert!(!page.drifted);
                    seen.extend(page.entries.iter().map(|entry| {
                        let slash = if entry.kind == trilist::Kind::Dir { "/" } else { "" };
                        format!("{}{slash}", entry.path)
                    }));
                    let Some(cursor) = page.next_cursor else { break };
                    next = ListRequest { cursor: Some(cursor), limit: Some(2), ..ask(mode, ".") };
                    next.path = PathArg::default();
                }
                assert_eq!(seen, right);
                let asked = host.asked(&around(&tree));
                assert_eq!(asked, vec!["external_directory /around/other"; times], "{pin} {mode}");
            }
        }
        // A cursor is no approval, and a forged one none of another place.
        let (_, lister) = outside_only(&tree, &[AllowOnce]);
        let cursor = page(&lister, &request).next_cursor.unwrap();
        let go_on = |cursor: Option<String>| {
            let request = ListRequest { cursor, ..ask(mode, ".") };
            ListRequest { path: PathArg::default(), ..request }
        };
        assert_eq!(code(&lister, &go_on(Some(cursor.clone()))), "denied_by_policy");
        let mut forged = Cursor::decode(&cursor).unwrap();
        forged.request.path = PathArg::from(beside(&tree, "private").as_str());
        assert_eq!(code(&lister, &go_on(forged.encode())), "denied_by_policy");
        let (_, lister) = outside_only(&tree, &[AllowOnce; 2]);
        assert_eq!(code(&lister, &go_on(forged.encode())), "invalid_cursor");
        let plain = Lister::open(&[tree.path()], policy()).unwrap();
        assert_eq!(code(&plain, &go_on(Some(cursor))), "outside_root");
    }
}

#[test]
fn the_policy_comes_before_the_host() {
    let tree = tree();
    let host = Host::answering(&[AllowAlways; 9]);
    let home = tree.outside().join("private");
    let policy = Policy {
        external_directory: Permission::Ask,
        deny: vec!["sub".to_owned(), beside(&tree, "private")],
        refused: vec![PathBuf::from("/"), home],
        ..policy()
    };
    let open = |policy: Policy| {
        let lister = Lister::open(&[tree.path()], policy).unwrap();
        lister.with_approver(Arc::clone(&host) as Arc<dyn Approver>)
    };
    let lister = open(policy.clone());
    for path in ["other/sub", "other/sub/none", "private", "private/x"] {
        assert_eq!(code(&lister, &ask(Mode::Fs, &beside(&tree, path))), "denied_by_policy");
    }
    assert_eq!(code(&lister, &ask(Mode::Fs, "/")), "denied_by_policy");
    assert_eq!(code(&lister, &ask(Mode::Fs, "/..")), "denied_by_policy");
    assert!(host.asked(&around(&tree)).is_empty());
    let listed = page(&lister, &ask(Mode::Files, &beside(&tree, "other")));
    assert_eq!(rows(&listed), ["p", "q", "r", "sub/ protected"]);
    // Of what is allowed only whole paths reach outside.
    let allow = |pattern: String| open(Policy { allow: vec![pattern], ..policy.clone() });
    let other = ask(Mode::Files, &beside(&tree, "other"));
    assert_eq!(code(&allow("other".to_owned()), &other), "denied_by_policy");
    assert_eq!(page(&allow(beside(&tree, "other")), &other).returned, 4);
}

#[test]
fn a_prompt_shows_names_as_they_are_shown_elsewhere() {
    let tree = TreeBuilder::new().file("a\nb/\u{202e}c/x", "").build();
    let texts = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&texts);
    let host = move |question: &Question, _: &Cancel| {
        heard.lock().unwrap().push(question.to_string());
        RejectOnce
    };
    let policy = Policy { list: Permission::Ask, external_directory: Permission::Ask, ..policy() };
    let lister = Lister::open(&[tree.path()], policy).unwrap().with_approver(Arc::new(host));
    for path in ["a\nb/\u{202e}c", "/no\u{1b}[2J/where"] {
        assert_eq!(code(&lister, &ask(Mode::Fs, path)), "denied_by_policy");
    }
    let texts = texts.lock().unwrap();
    assert_eq!(texts.len(), 2);
    texts.iter().for_each(|text| crate::harness::assert_clean(&text.replace('\n', "\u{1}")));
}

#[test]
fn a_call_that_is_cancelled_meanwhile_lists_nothing() {
    let tree = tree();
    let cancel = Cancel::new();
    let host = |_: &Question, cancel: &Cancel| {
        cancel.cancel();
        AllowAlways
    };
    let policy = Policy { list: Permission::Ask, ..policy() };
    let lister = Lister::open(&[tree.path()], policy).unwrap().with_approver(Arc::new(host));
    let error = lister.list(&ask(Mode::Fs, "src"), &cancel).unwrap_err();
    assert_eq!(error.code(), "cancelled");
}
