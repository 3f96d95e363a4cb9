//! Which ignore files are in force, beyond what the trees of `reports` say.

use trilist::{IgnorePolicy, ListRequest, Mode, Reason};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{Right, ask, check, lister, rows, warned, whole};

#[test]
fn ign01_a_listing_below_is_the_part_of_the_listing_above() {
    let tree = Tree::build("ign01-anchored-nested");
    let lister = lister(tree.path());
    let above = whole(&lister, &ask(Mode::Files, "."));
    let below = whole(&lister, &ask(Mode::Files, "foo"));
    let part: Vec<_> =
        above.entries.iter().filter_map(|entry| entry.path.strip_prefix("foo/")).collect();
    assert_eq!(part, crate::harness::paths(&below));
}

#[test]
fn ign04_no_pattern_brings_git_back() {
    let tree = Tree::build("ign04-metadata");
    for pattern in ["*", "**/*", ".git/**", "**"] {
        let request = ListRequest { pattern: vec![pattern.to_owned()], ..ask(Mode::Files, ".") };
        let page = whole(&lister(tree.path()), &request);
        assert!(rows(&page).iter().all(|row| !row.starts_with(".git/")), "{pattern}");
        let keep = IgnorePolicy { keep: vec![pattern.to_owned()], ..IgnorePolicy::default() };
        for mode in [Mode::Files, Mode::Fs] {
            let page = whole(
                &lister(tree.path()),
                &ListRequest { ignore: keep.clone(), ..ask(mode, ".") },
            );
            assert!(
                rows(&page).iter().all(|row| !row.starts_with(".git/") || row == ".git/ protected")
            );
        }
    }
}

/// The allow lists and re-inclusions of IGN-02 and IGN-03 in a tool's file that is read as git's.
#[test]
fn ign03_the_same_rules_in_a_tool_file_give_the_same_answer() {
    for name in [
        "ign02-dir-excluded",
        "ign02-contents-excluded",
        "ign03-allow-list-by-suffix",
        "ign03-allow-list-by-dir",
    ] {
        let tree = Tree::build(name);
        let by_git = rows(&whole(&lister(tree.path()), &ask(Mode::Files, ".")));
        std::fs::rename(tree.join(".gitignore"), tree.join(".clineignore")).unwrap();
        let mut request = ask(Mode::Files, ".");
        request.ignore.tool_files = vec![".clineignore".to_owned()];
        let by_tool = rows(&whole(&lister(tree.path()), &request));
        let same = |rows: Vec<String>| -> Vec<String> {
            rows.into_iter().filter(|row| !row.ends_with("ignore")).collect()
        };
        assert_eq!(same(by_tool), same(by_git), "{name}");
    }
}

#[test]
fn ign05_marks_and_line_ends_count_in_every_file_that_is_read() {
    let tree = Tree::build("ign05-bom-crlf");
    let mut vcs = ask(Mode::Vcs, ".");
    vcs.ignore.aiderignore = vec![".aiderignore".to_owned()];
    check(&tree, &vcs, Right::rows(&["keep.txt"]).omitted(&["ignored 2: secret.txt x.log"]));
    let content = std::fs::read(tree.join(".aiderignore")).unwrap();
    std::fs::remove_file(tree.join(".aiderignore")).unwrap();
    for name in [".aiderignore", ".ignore", ".rgignore", ".rooignore"] {
        std::fs::write(tree.join(name), &content).unwrap();
        let mut files = ask(Mode::Files, ".");
        files.include_hidden = Some(false);
        files.ignore.git = Some(false);
        files.ignore.tool_files = vec![name.to_owned()];
        assert_eq!(rows(&whole(&lister(tree.path()), &files)), ["keep.txt"], "{name}");
        std::fs::remove_file(tree.join(name)).unwrap();
    }
}

#[test]
fn ign06_the_line_that_cannot_be_used_is_named() {
    let tree = Tree::build("ign06-malformed-line");
    let page = whole(&lister(tree.path()), &ask(Mode::Files, "."));
    assert!(page.complete);
    assert_eq!(warned(&page), ["ignore_pattern_invalid .gitignore"]);
    assert!(page.warnings[0].message.starts_with("line 2: "), "{}", page.warnings[0].message);
}

#[test]
fn ign07_tracked_files_that_a_rule_hides() {
    let tree = Tree::build("ign07-tracked-ignored");
    check(&tree, &ask(Mode::Vcs, "."), Right::rows(&["file", "s.txt"]));
    check(
        &tree,
        &ask(Mode::Files, "."),
        Right::rows(&[".gitignore", "s.txt"]).omitted(&["protected 1: .git/", "ignored 1: file"]),
    );
    let shallow = ListRequest { depth: Some(1), ..ask(Mode::Fs, ".") };
    check(
        &tree,
        &shallow,
        Right::rows(&[".git/ protected", "file", "s.txt"]).omitted(&["hidden 1: .gitignore"]),
    );
}

/// A repository around the root, and one of its own inside.
fn nested() -> Tree {
    TreeBuilder::new()
        .dir(".git")
        .file(".gitignore", "*.log\n")
        .files(["sub/a.log", "sub/b", "sub/own/a.log", "sub/own/b"])
        .file("sub/own/.git/HEAD", "ref: refs/heads/main\n")
        .build()
}

#[test]
fn a_repository_that_begins_above_the_root_is_told() {
    let tree = nested();
    let listed = |root: &str, path: &str| {
        let request = ListRequest { include_hidden: Some(false), ..ask(Mode::Files, path) };
        let page = whole(&lister(&tree.join(root)), &request);
        (rows(&page), warned(&page))
    };
    let beyond = vec!["ignore_beyond_root .".to_owned()];
    assert_eq!(
        listed("sub", "."),
        (["a.log", "b", "own/a.log", "own/b"].map(str::to_owned).to_vec(), beyond)
    );
    // The inner repository is a border: nothing above it counts, wherever the root is.
    let own = ["a.log", "b"].map(str::to_owned).to_vec();
    assert_eq!(listed("sub", "own"), (own.clone(), vec![]));
    assert_eq!(listed("sub/own", "."), (own.clone(), vec![]));
    assert_eq!(listed(".", "sub/own"), (own, vec![]));
    assert_eq!(listed(".", "sub").0, ["b", "own/a.log", "own/b"]);
}

#[test]
fn an_ignore_file_above_the_root_is_told() {
    let tree = TreeBuilder::new().file(".ignore", "*.log\n").files(["sub/a", "sub/x.log"]).build();
    let listed = |root: &str, path: &str| {
        let page = whole(&lister(&tree.join(root)), &ask(Mode::Files, path));
        (rows(&page), warned(&page))
    };
    let beyond = vec!["ignore_beyond_root .".to_owned()];
    assert_eq!(listed("sub", "."), (vec!["a".to_owned(), "x.log".to_owned()], beyond));
    assert_eq!(listed(".", "sub"), (vec!["a".to_owned()], vec![]));
}

/// A directory that rules leave out and of which the request keeps a part is the way to that part,
/// and not left out; of the others, each is left out as one.
#[test]
fn a_directory_of_which_a_part_is_kept_is_not_counted_as_left_out() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "build/\ncache/\n")
        .files(["build/keep.txt", "build/out.o", "build/sub/keep.txt", "build/deep/er/x.o"])
        .files(["cache/a", "cache/b/c", "src/main.rs"])
        .build();
    let keeping = |keep: &str| IgnorePolicy {
        git: Some(true),
        keep: vec![keep.to_owned()],
        ..IgnorePolicy::default()
    };
    let request =
        |mode, keep| ListRequest { ignore: keeping(keep), depth: Some(5), ..ask(mode, ".") };
    check(
        &tree,
        &request(Mode::Fs, "build/keep.txt"),
        Right::rows(&[".git/ protected", "build/", "build/keep.txt", "src/", "src/main.rs"])
            .omitted(&[
                "hidden 1: .gitignore",
                "ignored 4: build/deep/ build/out.o build/sub/ cache/",
            ]),
    );
    check(
        &tree,
        &request(Mode::Files, "keep.txt"),
        Right::rows(&[".gitignore", "build/keep.txt", "build/sub/keep.txt", "src/main.rs"])
            .omitted(&["protected 1: .git/", "ignored 3: build/deep/ build/out.o cache/"]),
    );
    // A directory at the limit is one row.
    let shallow = ListRequest { depth: Some(1), ..request(Mode::Fs, "build/keep.txt") };
    let page = whole(&lister(tree.path()), &shallow);
    assert_eq!(rows(&page), [".git/ protected", "build/ depth", "src/ depth"]);
    // Nothing is kept of what is not there.
    for (mode, ignored) in [(Mode::Fs, 2), (Mode::Files, 2)] {
        let page = whole(&lister(tree.path()), &request(mode, "build/none"));
        let counted = page.omitted.iter().find(|one| one.reason == Reason::Ignored).unwrap();
        assert_eq!(counted.count, ignored, "{:?}", page.omitted);
    }
}
