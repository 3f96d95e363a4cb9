//! Repositories as git lays them out.

use std::path::Path;
use std::process::Command;

use trilist_core::RelPath;
use trilist_root::gitdir::{GitDirError, Layout, Repository, at, discover, discover_among};
use trilist_root::{Beneath, Root};

use crate::support::{Tree, WAYS, open, rel};

/// Runs git, alone with its own configuration.
pub(crate) fn git(dir: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"])
        .args(["-c", "user.name=n", "-c", "user.email=e@example.com"])
        .args(arguments)
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("HOME", "/nonexistent")
        .output()
        .expect("git runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {error}");
}

/// A repository with one commit at a path below the root, or outside with `../`.
pub(crate) fn repository(tree: &Tree, path: &str) {
    tree.file(&format!("{path}/f"), "contents");
    let dir = tree.inside.join(path);
    git(&dir, &["init", "-q"]);
    git(&dir, &["add", "f"]);
    git(&dir, &["commit", "-q", "-m", "one"]);
}

fn found(root: &Root, base: &str) -> Repository {
    let found = discover(root, rel(base)).expect("it is accepted");
    found.expect("there is a repository")
}

/// The error's kind and text.
pub(crate) fn refusal(result: Result<Option<Repository>, GitDirError>) -> (&'static str, String) {
    match result {
        Ok(None) => ("none", String::new()),
        Ok(Some(found)) => ("accepted", format!("{:?}", found.layout)),
        Err(GitDirError::Refused { reason }) => ("refused", reason),
        Err(GitDirError::Invalid { reason }) => ("invalid", reason),
        Err(GitDirError::Io { error, .. }) => ("io", trilist_root::errno_name(&error)),
    }
}

fn assert_dirs(found: &Repository, git_dir: &Path, common_dir: &Path) {
    let same = |root: &Root, path: &Path| {
        let expected = open(path, Beneath::Kernel);
        let ids = (root.id().expect("it is open"), expected.id().expect("it is open"));
        assert_eq!(ids.0, ids.1, "{}", path.display());
        assert_eq!(root.path(), expected.path());
    };
    same(&found.git_dir, git_dir);
    same(&found.common_dir, common_dir);
}

#[test]
fn plain_repositories_are_found_from_below() {
    let tree = Tree::new();
    repository(&tree, "repo");
    tree.dirs(&["repo/a/b", "elsewhere"]);
    for way in WAYS {
        let root = tree.root(way);
        for base in ["repo", "repo/a/b", "repo/a/absent/path", "repo/f/x", "repo/.git/refs"] {
            let found = found(&root, base);
            assert_eq!((found.top.as_path(), found.layout), (rel("repo"), Layout::Plain));
            let git_dir = tree.inside.join("repo/.git");
            assert_dirs(&found, &git_dir, &git_dir);
            assert_eq!(found.config.flag("core", None, "bare"), Some(false));
            assert!(found.git_dir.resolve(b"refs/heads").is_ok());
        }
        assert!(discover(&root, rel("elsewhere")).expect("nothing is there").is_none());
        assert!(at(&root, rel("repo/a")).expect("nothing is there").is_none());
        assert!(at(&root, rel("repo")).expect("it is accepted").is_some());
    }
}

#[test]
fn the_root_may_be_the_top_and_nothing_above_is_looked_at() {
    let tree = Tree::new();
    repository(&tree, ".");
    tree.dirs(&["sub"]);
    assert_eq!(found(&tree.root(WAYS[0]), "sub").top.as_path(), RelPath::EMPTY);
    let below = open(&tree.inside.join("sub"), WAYS[0]);
    assert!(discover(&below, RelPath::EMPTY).expect("nothing is there").is_none());
    assert!(below.inside_repository());
}

#[test]
fn other_directories_of_that_name_are_passed_by() {
    let tree = Tree::new();
    repository(&tree, ".");
    tree.dirs(&["a/.git", "b/.git/objects", "c"]).link("c/.git", "nothing");
    for base in ["a", "b", "c"] {
        assert_eq!(found(&tree.root(WAYS[0]), base).top.as_path(), RelPath::EMPTY);
    }
}

#[test]
fn t56_linked_worktrees() {
    let tree = Tree::new();
    repository(&tree, "main");
    repository(&tree, "../away");
    let [main, away] = [tree.inside.join("main"), tree.outside.join("away")];
    for (repository, place) in [(&main, "in"), (&away, "out")] {
        let path = tree.inside.join(place);
        let path = path.to_str().expect("it is UTF-8");
        git(repository, &["worktree", "add", "-q", path, "-b", "side"]);
    }
    tree.dirs(&["out/deep"]);
    for way in WAYS {
        let root = tree.root(way);
        for (base, repository, name) in [("in", &main, "in"), ("out/deep", &away, "out")] {
            let found = found(&root, base);
            assert_eq!((found.top.as_path(), found.layout), (rel(name), Layout::Linked));
            let common = repository.join(".git");
            assert_dirs(&found, &common.join("worktrees").join(name), &common);
        }
        // The work tree alone as root: everything of git lies outside.
        let alone = open(&tree.inside.join("in"), way);
        assert_eq!(found(&alone, "").layout, Layout::Linked);
    }
}

#[test]
fn t56_worktrees_with_their_own_configuration() {
    let tree = Tree::new();
    repository(&tree, "../away");
    let away = tree.outside.join("away");
    git(&away, &["config", "extensions.worktreeConfig", "true"]);
    let path = tree.inside.join("out");
    git(&away, &["worktree", "add", "-q", path.to_str().expect("UTF-8"), "-b", "side"]);
    git(&path, &["config", "--worktree", "core.ignoreCase", "true"]);
    let found = found(&tree.root(WAYS[0]), "out");
    assert_eq!(found.config.flag("core", None, "ignorecase"), Some(true));
    git(&path, &["config", "--worktree", "core.worktree", "/etc"]);
    let (outcome, reason) = refusal(at(&tree.root(WAYS[0]), rel("out")));
    assert_eq!(outcome, "refused");
    assert!(reason.starts_with("`core.worktree` names another"), "{reason}");
}

#[test]
fn t56_submodules() {
    let tree = Tree::new();
    repository(&tree, "../library");
    repository(&tree, "super");
    let library = tree.outside.join("library");
    let library = library.to_str().expect("it is UTF-8");
    let over = tree.inside.join("super");
    git(&over, &["submodule", "--quiet", "add", library, "lib/one"]);
    tree.dirs(&["super/lib/one/deep"]);
    for way in WAYS {
        let found = found(&tree.root(way), "super/lib/one/deep");
        let layout = (found.top.as_path(), found.layout);
        assert_eq!(layout, (rel("super/lib/one"), Layout::Submodule));
        let git_dir = over.join(".git/modules/lib/one");
        assert_dirs(&found, &git_dir, &git_dir);
        // The submodule alone as root: its git directory points back by `core.worktree`.
        let alone = open(&over.join("lib/one"), way);
        let found = crate::gitdir::found(&alone, "deep");
        assert_eq!((found.top.as_path(), found.layout), (RelPath::EMPTY, Layout::Submodule));
    }
}

#[test]
fn t56_bare_repositories_only_by_name() {
    let tree = Tree::new();
    repository(&tree, ".");
    git(&tree.inside, &["init", "-q", "--bare", "embedded"]);
    tree.dirs(&["embedded/deep"]);
    let root = tree.root(WAYS[0]);
    // Git itself would take it; whoever plants one could then answer for the tree. Inside
    // another repository it is a directory like any, by name and from below.
    for base in ["embedded", "embedded/deep"] {
        let outer = found(&root, base);
        assert_eq!((outer.top.as_path(), outer.layout), (RelPath::EMPTY, Layout::Plain), "{base}");
    }
    assert_eq!(found(&root, ".git").layout, Layout::Plain);
    // Alone it counts when it is named, and not from below.
    let alone = Tree::new();
    git(&alone.inside, &["init", "-q", "--bare", "store"]);
    alone.dirs(&["store/deep"]);
    let root = alone.root(WAYS[0]);
    let bare = found(&root, "store");
    assert_eq!((bare.top.as_path(), bare.layout), (rel("store"), Layout::Bare));
    assert!(discover(&root, rel("store/deep")).expect("nothing is wrong").is_none());
}

#[test]
fn separate_git_directories_inside() {
    let tree = Tree::new();
    tree.dirs(&["work", "store"]);
    let work = tree.inside.join("work");
    git(&work, &["init", "-q", "--separate-git-dir", "../store/g"]);
    let found = found(&tree.root(WAYS[0]), "work");
    assert_eq!(found.layout, Layout::Plain);
    assert_dirs(&found, &tree.inside.join("store/g"), &tree.inside.join("store/g"));
}

#[test]
fn git_links_inside_and_out() {
    let tree = Tree::new();
    repository(&tree, "real");
    repository(&tree, "../away");
    tree.dirs(&["a", "b", "c"]);
    tree.link("a/.git", "../real/.git").link("b/.git", "../../away/.git");
    tree.link("c/.git", "../../absent/.git");
    tree.dirs(&["d"]).link("d/.git", ".git");
    for way in WAYS {
        let root = tree.root(way);
        let inside = found(&root, "a");
        assert_eq!(inside.top.as_path(), rel("a"));
        assert_dirs(&inside, &tree.inside.join("real/.git"), &tree.inside.join("real/.git"));
        let refused = |name| format!("`.git` is a link that leads outside the root, in `{name}`");
        for name in ["b", "c"] {
            assert_eq!(refusal(discover(&root, rel(name))), ("refused", refused(name)));
        }
        let circle = "`.git` is a link that leads in a circle, in `d`".to_owned();
        assert_eq!(refusal(discover(&root, rel("d"))), ("invalid", circle));
        // A place that the host lists as a root is no outside.
        let away = open(&tree.outside.join("away"), way);
        let accepted = discover_among(&root, &[&away], rel("b"));
        assert_eq!(refusal(accepted), ("accepted", "Plain".to_owned()));
    }
}
