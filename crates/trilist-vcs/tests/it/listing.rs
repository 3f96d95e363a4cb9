//! What is asked for: where, how deep, by which rules, and at which price.

use std::fs;
use std::os::unix::fs::symlink;

use trilist_core::{FaultCode, Kind, ListError, Query, Reason, RelPath};
use trilist_tests::{Tree, TreeBuilder, case, cases, git, require};
use trilist_vcs::Tracked;

use crate::support::{
    Told, below, expected, faults, git_union, list, list_seen, names, page, query, source,
};

/// The recorded inventories of Aider that need no option of its own.
#[test]
fn inventories_equal_the_recorded_ones() {
    if !require("git") {
        return;
    }
    let mut checked = 0;
    for (name, case) in cases("aider") {
        let (Some(tree), args) = (case["tree"].as_str(), &case["args"]) else { continue };
        let Some(files) = case["expected"]["files"].as_array() else { continue };
        // The library under Aider cannot read such an index and leaves it out without a word.
        if tree == "vcs-index-v4" {
            continue;
        }
        let inside = case["cwd"].as_str().is_none_or(|cwd| cwd.starts_with("${ROOT}"));
        if case["expected"]["repo"] != true || tree == "global-excludes" || !inside {
            continue;
        }
        let built = Tree::build(tree);
        let place = |field: &str| -> String {
            let text = case[field].as_str().or(args[field].as_str()).unwrap_or("${ROOT}");
            text.trim_start_matches("${ROOT}").trim_matches('/').to_owned()
        };
        let (top, cwd) = (place("git_root"), place("cwd"));
        let subtree = args["subtree_only"] == true;
        let mut query = below(if subtree { &cwd } else { &top });
        query.subtree = subtree;
        let ignore = args["aiderignore"].as_str();
        query.ignore.aiderignore = ignore
            .into_iter()
            .map(|path| {
                path.trim_start_matches("${ROOT}/")
                    .trim_start_matches(&format!("{top}/"))
                    .to_owned()
            })
            .collect();
        let told = list(built.path(), &query).unwrap_or_else(|error| panic!("{name}: {error}"));
        let prefix = if subtree && cwd != top { format!("{cwd}/") } else { String::new() };
        let found: Vec<_> = names(&told).iter().map(|path| format!("{prefix}{path}")).collect();
        let files: Vec<_> = files.iter().filter_map(|file| file.as_str()).collect();
        assert_eq!(found, files, "{name}");
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} cases were checked");
    assert!(case("aider", "vcs-states--all")["expected"]["files"].is_array());
}

/// Every tree of the fixtures that is a repository with a commit.
#[test]
fn listings_equal_what_git_says() {
    if !require("git") {
        return;
    }
    let trees = [
        ("aiderignore", ""),
        ("gitignore-rules", ""),
        ("vcs-cached-tree", ""),
        ("vcs-conflict", ""),
        ("vcs-file-and-dir-swapped", ""),
        ("vcs-index-v4", ""),
        ("vcs-links", ""),
        ("vcs-names", ""),
        ("vcs-sparse", ""),
        ("vcs-staged-deleted", ""),
        ("vcs-states", ""),
    ];
    for (name, dir) in trees {
        let tree = Tree::build(name);
        let union = git_union(&tree.path().join(dir), true);
        for depth in [1, 2, 4096] {
            for include_hidden in [true, false] {
                let query = Query { depth, include_hidden, ..below(dir) };
                let told = list(tree.path(), &query).expect(name);
                assert_eq!(told, expected(&union, &query), "{name}, depth {depth}");
            }
        }
    }
}

fn four_files() -> TreeBuilder {
    let files = ["docs/r.md", "src/a/x.rs", "src/m.rs", "top"];
    TreeBuilder::new().repo().files(files).commit("i")
}

#[test]
fn t56_submodules_and_worktrees_are_repositories_of_their_own() {
    if !require("git") {
        return;
    }
    let tree = Tree::build("vcs-submodule");
    let told = list(tree.path(), &below("super")).expect("it is listed");
    let submodule = told.iter().find_map(|told| match told {
        Told::Entry(path, Kind::Submodule, ..) => Some(path.clone()),
        _ => None,
    });
    let submodule = String::from_utf8(submodule.expect("a submodule")).expect("UTF-8");
    let inside = format!("super/{submodule}");
    let told = list(tree.path(), &below(&inside)).expect("it is listed");
    assert_eq!(told, expected(&git_union(&tree.path().join(&inside), true), &query()));
    // The same without a checkout.
    fs::remove_dir_all(tree.path().join(&inside)).expect("removed");
    match list(tree.path(), &below(&inside)) {
        Err(error @ ListError::NotDirectory { .. }) => {
            assert!(error.to_string().contains("submodule that is not checked out"), "{error}");
        }
        other => panic!("not an error: {other:?}"),
    }
    let tree = Tree::build("vcs-worktree");
    for dir in ["main", "linked"] {
        let told = list(tree.path(), &below(dir)).expect("it is listed");
        assert_eq!(told, expected(&git_union(&tree.path().join(dir), true), &query()), "{dir}");
    }
}

#[test]
fn a_name_that_is_no_directory_says_so() {
    if !require("git") {
        return;
    }
    let tree = four_files().build();
    for want in [None, Some(1)] {
        let query = Query { want, ..below("src/m.rs") };
        let result = list(tree.path(), &query);
        assert!(matches!(result, Err(ListError::NotDirectory { .. })), "{result:?}");
    }
    let source = source(tree.path(), &query()).expect("opened");
    let tracks =
        |path: &str| source.tracks(RelPath::new(path.as_bytes()).expect("a path")).expect("read");
    assert_eq!(
        [tracks("src"), tracks("src/a"), tracks("top"), tracks("sr")],
        [Tracked::Below, Tracked::Below, Tracked::Itself, Tracked::Nothing]
    );
    fs::remove_dir_all(tree.path().join("src")).expect("removed");
    assert_eq!(names(&list(tree.path(), &below("src/a")).expect("listed")), ["x.rs"]);
}

#[test]
fn what_is_left_out_names_its_rule() {
    if !require("git") {
        return;
    }
    let tree = TreeBuilder::new()
        .repo()
        .files(["a.log", "dir-x", "dir/a", "dir/b.keep", "keep.log", "sub/c.log"])
        .file(".rules", "\n*.log\n!keep.log\nbad\\\n")
        .commit("i")
        .build();
    let mut asked = query();
    asked.ignore.aiderignore = vec![".rules".to_owned()];
    asked.ignore.patterns = vec!["dir/".to_owned()];
    let told = list(tree.path(), &asked).expect("it is listed");
    assert_eq!(names(&told), [".rules", "dir-x", "keep.log"]);
    assert_eq!(faults(&told), [(FaultCode::IgnorePatternInvalid, false)]);
    let omitted: Vec<_> = told.iter().filter(|told| matches!(told, Told::Omitted(..))).collect();
    let log = Some((b".rules".to_vec(), 2, b"*.log".to_vec()));
    let dir = Some((b"request".to_vec(), 1, b"dir/".to_vec()));
    let ignored = |path: &str, kind, rule: &Option<(Vec<u8>, u32, Vec<u8>)>| {
        Told::Omitted(path.into(), kind, Reason::Ignored, rule.clone())
    };
    let right = [
        ignored("a.log", Kind::File, &log),
        ignored("dir", Kind::Dir, &dir),
        ignored("sub/c.log", Kind::File, &log),
    ];
    assert_eq!(omitted, right.iter().collect::<Vec<_>>());
    let paths: Vec<_> = told.iter().map(Told::path).collect();
    assert!(paths.is_sorted(), "{told:?}");
    asked.ignore.keep = vec!["*.keep".to_owned()];
    let told = list(tree.path(), &asked).expect("it is listed");
    assert_eq!(names(&told), [".rules", "dir-x", "dir/b.keep", "keep.log"]);
}

#[test]
fn only_what_the_page_needs_is_read() {
    if !require("git") {
        return;
    }
    let files = (0..40).flat_map(|dir| (0..60).map(move |file| format!("d{dir:02}/s/f{file:02}")));
    let tree = TreeBuilder::new().repo().files(files).commit("i").build();
    let (_, seen) = list_seen(tree.path(), &query()).expect("it is listed");
    assert_eq!((seen.directories, seen.entries), (0, 2400), "the cached trees spare every object");
    let few = Query { want: Some(30), ..query() };
    let (told, beyond, seen) = page(tree.path(), &few, 30);
    assert_eq!(told.len(), 30);
    assert!(seen.directories <= 5 && seen.entries <= 40, "{seen:?}");
    let right: Vec<_> = (1..40).map(|dir| format!("d{dir:02}").into_bytes()).collect();
    assert_eq!(beyond, right);
    // One staged change: the trees on its way, and no others.
    git(tree.path(), &["rm", "-q", "--cached", "d07/s/f03"]);
    let (told, seen) = list_seen(tree.path(), &query()).expect("it is listed");
    assert_eq!(told.len(), 2400);
    assert_eq!(seen.directories, 3);
    let (_, again, _) = page(tree.path(), &few, 30);
    assert_eq!(again, right, "also when the index has to be read on");
}

#[test]
fn the_identity_follows_head_and_index() {
    if !require("git") {
        return;
    }
    let tree = four_files().file("new", "x").build();
    let identity = || list_seen(tree.path(), &query()).expect("listed").1.identity;
    let first = identity();
    assert_eq!(first, identity());
    git(tree.path(), &["add", "new"]);
    let staged = identity();
    assert_ne!(first, staged);
    git(tree.path(), &["commit", "-q", "-m", "ii"]);
    assert_ne!(staged, identity());
}

#[test]
fn metadata_tells_what_is_on_disk() {
    if !require("git") {
        return;
    }
    let tree = four_files().build();
    fs::remove_file(tree.path().join("top")).expect("removed");
    fs::remove_dir_all(tree.path().join("src/a")).expect("removed");
    symlink("docs", tree.path().join("src/a")).expect("linked");
    let asked = Query { metadata: true, ..query() };
    let source = source(tree.path(), &asked).expect("opened");
    let cancel = trilist_core::Cancel::new();
    let mut events = trilist_core::ListSource::open(&source, &asked, &cancel).expect("listed");
    let mut sizes = Vec::new();
    while events.advance().expect("read") {
        if let trilist_core::Event::Entry(entry) = events.event() {
            sizes.push(entry.metadata.and_then(|metadata| metadata.size_bytes));
        }
    }
    assert_eq!(sizes, [Some(2), None, Some(2), None]);
}
