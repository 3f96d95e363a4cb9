//! Explanations, comparisons and the files of a chat give the same reason for the same path.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use trilist::compare::{Compared, Fold};
use trilist::{
    Cancel, ChatFiles, CompareRequest, HostSide, IgnorePolicy, Kind, ListRequest, Lister, Mode,
    PathArg, Reason, Standing, quote,
};
use trilist_tests::oracle::{find_paths, git_ls_files, git_ls_tree};
use trilist_tests::{Tree, TreeBuilder, git, unprivileged};

use super::props::explain;
use crate::forest::plant;
use crate::harness::lister;
use crate::props::{RICH, for_forests};
use crate::tracked::{TRACKED, repository};

/// What explanations say, by path.
struct Told<'l> {
    lister: &'l Lister,
    request: ListRequest,
    known: BTreeMap<Vec<u8>, Standing>,
}

impl<'l> Told<'l> {
    fn of(lister: &'l Lister, request: ListRequest, paths: &BTreeSet<Vec<u8>>) -> Self {
        let mut told = Told { lister, request, known: BTreeMap::new() };
        told.learn(paths.iter().cloned().collect());
        told
    }

    fn learn(&mut self, paths: Vec<Vec<u8>>) {
        let shown: Vec<Vec<u8>> =
            paths.iter().map(|path| quote::shown(path).as_bytes().to_vec()).collect();
        let answers = explain(self.lister, &self.request, &shown);
        let standings =
            answers.into_iter().map(|one| one.modes.of(self.request.mode).unwrap().clone());
        self.known.extend(paths.into_iter().zip(standings));
    }

    fn about(&mut self, path: &[u8]) -> &Standing {
        if !self.known.contains_key(path) {
            self.learn(vec![path.to_vec()]);
        }
        &self.known[path]
    }

    /// Asserts that another answer about a path is the same.
    #[track_caller]
    fn is(&mut self, path: &[u8], reason: Option<Reason>, who: &str) {
        let (mode, standing) = (self.request.mode, self.about(path).clone());
        // Directories are no entries of these modes; explained is whether something below is one.
        let is_start = mode != Mode::Fs && standing.listed == Some(true);
        // What has come in the place of a tracked directory is no entry either.
        let of_start = [Some(Reason::Kind), Some(Reason::Untracked)];
        if is_start && standing.kind == Some(Kind::Dir) && of_start.contains(&reason) {
            return;
        }
        let path = path.escape_ascii();
        assert_eq!(reason, standing.reason, "{who}, {mode} of {path}: {standing:?}");
    }
}

/// All three agree on these paths, and on all that a comparison has.
fn agree(lister: &Lister, request: &CompareRequest, paths: &BTreeSet<Vec<u8>>) {
    let request = CompareRequest {
        show: Compared::All,
        fold: Fold::Never,
        limit: Some(100_000),
        ..request.clone()
    };
    let mut told = Mode::ALL.map(|mode| Told::of(lister, request.asked_of(mode), paths));
    let reply = lister.compare(&request, &Cancel::new()).unwrap();
    for row in &reply.rows {
        for (told, (_, presence)) in told.iter_mut().zip(row.modes.iter()) {
            if let Some(presence) = presence {
                told.is(row.bytes(), presence.reason, "a comparison");
            }
        }
    }
    for told in &mut told {
        if lister.list(&told.request, &Cancel::new()).is_ok() {
            chats(lister, told, paths);
        }
    }
}

/// The files of a chat, which are followed where they lead through links.
fn chats(lister: &Lister, told: &mut Told<'_>, paths: &BTreeSet<Vec<u8>>) {
    let names: Vec<PathArg> =
        paths.iter().map(|path| PathArg::from(quote::shown(path).as_bytes().to_vec())).collect();
    for names in names.chunks(1_000) {
        let chat = ChatFiles { in_chat: names.to_vec(), read_only: Vec::new() };
        let host = HostSide { chat: Some(Arc::new(chat)), ..HostSide::default() };
        let page = lister.list_for(&told.request, &host, &Cancel::new()).unwrap();
        for file in page.chat.unwrap().in_chat.files {
            let shown = file.path.as_bytes();
            let path = file.raw.as_ref().map_or(shown, |raw| raw.as_bytes());
            // It led through a link to somewhere else.
            if !matches!(file.reason, Some(Reason::Subtree | Reason::OutsideRoot)) {
                told.is(path, file.reason, "a chat");
            }
        }
    }
}

/// What is there, and names that are not.
fn paths(tree: &Tree) -> BTreeSet<Vec<u8>> {
    let mut paths: BTreeSet<Vec<u8>> =
        find_paths(tree.path()).into_iter().map(|(path, _)| path).collect();
    let none: Vec<Vec<u8>> = paths.iter().map(|path| [path, &b"/none"[..]].concat()).collect();
    paths.extend(none);
    paths.insert(b"none".to_vec());
    paths
}

fn requests() -> Vec<CompareRequest> {
    let plain = CompareRequest::new(".");
    let ignoring = |ignore| CompareRequest { ignore, ..plain.clone() };
    let out = IgnorePolicy { patterns: vec!["a*".to_owned()], ..IgnorePolicy::default() };
    let aider =
        IgnorePolicy { aiderignore: vec![".aiderignore".to_owned()], ..IgnorePolicy::default() };
    vec![
        plain.clone(),
        CompareRequest { depth: Some(2), ..plain.clone() },
        CompareRequest { include_hidden: Some(false), ..plain.clone() },
        CompareRequest { pattern: vec!["a*".to_owned()], ..plain.clone() },
        ignoring(out),
        ignoring(aider),
    ]
}

#[test]
fn reasons_are_the_same_on_disk() {
    for_forests(10, RICH, |forest| {
        let tree = plant(forest);
        git(tree.path(), &["init", "-q"]);
        let lister = lister(tree.path());
        requests().iter().for_each(|request| agree(&lister, request, &paths(&tree)));
    });
}

#[test]
fn reasons_are_the_same_in_repositories() {
    for_forests(10, TRACKED, |forest| {
        let tree = repository(forest);
        std::fs::write(tree.join(".aiderignore"), "a0\nzz/\n!a/a0\n*.b\n").unwrap();
        let lister = lister(tree.path());
        let mut paths = paths(&tree);
        paths.extend(git_ls_files(tree.path()).into_iter().chain(git_ls_tree(tree.path())));
        requests().iter().for_each(|request| agree(&lister, request, &paths));
    });
}

#[test]
fn reasons_are_the_same_in_submodules_and_git_directories() {
    let tree = Tree::build("vcs-submodule");
    let lister = lister(&tree.join("super"));
    let top = tree.join("super");
    let mut paths: BTreeSet<Vec<u8>> = find_paths(&top).into_iter().map(|(path, _)| path).collect();
    let none: Vec<Vec<u8>> = paths.iter().map(|path| [path, &b"/none"[..]].concat()).collect();
    paths.extend(none);
    requests().iter().for_each(|request| agree(&lister, request, &paths));
    let below = Told::of(&lister, CompareRequest::new(".").asked_of(Mode::Vcs), &paths);
    assert_eq!(below.known[&b"ext/lib/lib.c"[..]].reason, Some(Reason::Submodule));
    assert_eq!(below.known[&b".git/HEAD"[..]].reason, Some(Reason::Protected));
}

/// Directories that are gone, that became links, that are cut and of which files are gone.
#[test]
fn reasons_are_the_same_where_disk_and_index_have_parted() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "/out/\n/linked-out\n")
        .files(["gone/a", "gone/b/c", "linked/a", "linked-out/a", "was/x", "out/kept", "out/lost"])
        .files(["node_modules/p/kept.js", "node_modules/p/lost.js", "docs/a.md", "left/x"])
        .file(".aiderignore", "docs/\n/left/x\n")
        .git(&["add", "-A", "-f"])
        .git(&["commit", "-q", "-m", "one"])
        .remove("gone")
        .remove("linked")
        .remove("linked-out")
        .remove("was")
        .remove("out/lost")
        .remove("left/x")
        .remove("node_modules/p/lost.js")
        .file("was", "a file now")
        .symlink("linked", "docs")
        .symlink("linked-out", "docs")
        .dir("left")
        .files(["docs/new.md", "out/new"])
        .build();
    let lister = lister(tree.path());
    let mut paths = paths(&tree);
    paths.extend(git_ls_files(tree.path()));
    requests().iter().for_each(|request| agree(&lister, request, &paths));
    let plain = CompareRequest::new(".");
    let mut on_disk = Told::of(&lister, plain.asked_of(Mode::Files), &paths);
    for (path, reason) in [
        ("gone/a", Reason::Absent),
        ("linked/a", Reason::Link),
        ("linked-out/a", Reason::Ignored),
        ("was/x", Reason::Absent),
        ("out/kept", Reason::Ignored),
        ("out/lost", Reason::Absent),
        ("node_modules/p/kept.js", Reason::Builtin),
        ("node_modules/p/lost.js", Reason::Absent),
        ("left", Reason::Empty),
    ] {
        on_disk.is(path.as_bytes(), Some(reason), "the disk");
    }
}

/// What cannot be read is no ground for saying more than that.
#[test]
fn reasons_are_the_same_where_nothing_can_be_read() {
    let tree = TreeBuilder::new()
        .repo()
        .files(["shut/a", "shut/b/c", "blind/a", "blind/b/c", "seen/a", "open"])
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .files(["shut/new", "blind/new", "seen/new"])
        .unprivileged()
        .build();
    let modes = [("shut", 0o000), ("blind", 0o300), ("seen", 0o400)];
    let set = |(dir, mode): (&str, u32)| {
        std::fs::set_permissions(tree.join(dir), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let paths = paths(&tree);
    modes.into_iter().for_each(set);
    unprivileged(|| {
        let lister = lister(tree.path());
        agree(&lister, &CompareRequest::new("."), &paths);
    });
    modes.into_iter().for_each(|(dir, _)| set((dir, 0o755)));
}
