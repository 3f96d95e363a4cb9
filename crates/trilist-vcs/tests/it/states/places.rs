//! Where a repository lies, and where the listing starts.

use std::os::unix::fs::symlink;
use std::path::Path;

use trilist_tests::{Tree, TreeBuilder};

use super::{FILES, Place, State, committed, state};

fn variant(name: &'static str, which: &'static str, make: fn() -> Place) -> State {
    State { name, which, make }
}

pub(super) fn states() -> Vec<State> {
    let mut states = submodules();
    states.extend(work_trees());
    states.extend(stores());
    states
}

/// `outer` has the submodule `middle`, and that has `inner`.
fn nested() -> TreeBuilder {
    let tree = TreeBuilder::new().files(["inner/i/n", "middle/m/m", "outer/o", "outer/z"]);
    let commit = |tree: TreeBuilder, dir: &str| {
        tree.git_in(dir, &["add", "-A"]).git_in(dir, &["commit", "-q", "-m", "i"])
    };
    let repo = |tree: TreeBuilder, dir: &str| commit(tree.git_in(dir, &["init", "-q"]), dir);
    let tree = repo(repo(repo(tree, "inner"), "middle"), "outer");
    let tree = tree.git_in("middle", &["submodule", "add", "-q", "../inner", "in"]);
    let tree = commit(tree, "middle");
    let tree = tree.git_in("outer", &["submodule", "add", "-q", "../middle", "sub/mid"]);
    let tree = tree.git_in("outer", &["submodule", "update", "-q", "--init", "--recursive"]);
    commit(tree, "outer").files(["outer/sub/mid/m/new"]).git_in("outer/sub/mid", &["add", "m/new"])
}

fn submodules() -> Vec<State> {
    vec![
        variant("submodule, listed in the superproject", "initialised", || {
            Place::made(&nested()).at("", "outer")
        }),
        variant("submodule, listed in the superproject", "not initialised", || {
            Place::made(&nested().git(&["clone", "-q", "outer", "copy"])).at("", "copy")
        }),
        variant("submodule, listed in itself", "", || {
            Place::made(&nested()).at("", "outer/sub/mid")
        }),
        variant("submodule, listed in itself", "as the root", || {
            Place::made(&nested()).at("outer/sub/mid", "")
        }),
        variant("submodule, listed in itself", "nested in another", || {
            Place::made(&nested()).at("outer", "sub/mid/in")
        }),
        variant("nested repository that is no submodule", "listed in the outer one", || {
            Place::of(Tree::build("vcs-nested"))
        }),
        variant("nested repository that is no submodule", "listed in itself", || {
            Place::of(Tree::build("vcs-nested")).at("", "inner")
        }),
    ]
}

fn linked() -> TreeBuilder {
    let tree = TreeBuilder::new().files(["main/a/x", "main/b"]).git_in("main", &["init", "-q"]);
    let tree = tree.git_in("main", &["add", "-A"]).git_in("main", &["commit", "-q", "-m", "i"]);
    tree.git_in("main", &["worktree", "add", "-q", "-b", "feature", "../linked"])
        .files(["linked/n", "linked/a/y"])
        .git_in("linked", &["add", "-A"])
        .git_in("linked", &["rm", "-q", "--cached", "b"])
}

fn work_trees() -> Vec<State> {
    vec![
        variant("linked worktree", "", || Place::made(&linked()).at("", "linked")),
        variant("linked worktree", "as the root", || Place::made(&linked()).at("linked", "")),
        variant("linked worktree", "with a split index", || {
            let tree = linked().git_in("linked", &["config", "splitIndex.maxPercentChange", "100"]);
            let tree = tree.git_in("linked", &["update-index", "--split-index"]);
            let tree = tree.files(["linked/o"]).git_in("linked", &["add", "o"]);
            let place = Place::made(&tree).at("linked", "");
            let dir = place.tree.path().join("main/.git/worktrees/linked");
            let shared = std::fs::read_dir(dir).expect("there").flatten();
            let shared =
                shared.filter(|file| file.file_name().as_encoded_bytes().starts_with(b"sh"));
            assert_eq!(shared.count(), 1, "the shared index is beside the index");
            place
        }),
        variant("main worktree of a linked one", "", || Place::made(&linked()).at("", "main")),
        state("git directory elsewhere in the root", || {
            let tree = TreeBuilder::new().files(["w/a", "w/b/c"]);
            let tree = tree.git_in("w", &["init", "-q", "--separate-git-dir", "../g"]);
            let tree = tree.git_in("w", &["add", "-A"]).git_in("w", &["commit", "-q", "-m", "i"]);
            Place::made(&tree).at("", "w")
        }),
        state("`.git` is a link that stays in the root", || {
            let tree = committed().rename(".git", "real").symlink(".git", "real");
            Place::made(&tree)
        }),
        state("root reached through a link", || {
            let place = Place::made(
                &TreeBuilder::new()
                    .files(["r/a/b", "r/c"])
                    .git_in("r", &["init", "-q"])
                    .git_in("r", &["add", "-A"])
                    .git_in("r", &["commit", "-q", "-m", "i"]),
            );
            symlink("r", place.tree.path().join("link")).expect("linked");
            place.at("link", "")
        }),
        state("owned by somebody else", || {
            let tree = committed().file("n", "").git(&["add", "n"]).build();
            tree.hand_over();
            Place::of(tree)
        }),
    ]
}

fn stores() -> Vec<State> {
    vec![
        state("bare repository, named", || {
            let tree = committed().git(&["clone", "-q", "--bare", ".", "x.git"]);
            Place { is_bare: true, ..Place::made(&tree).at("x.git", "") }
        }),
        state("shallow clone", || {
            let tree =
                committed().file("e", "2").commit("ii").git(&["rm", "-q", "e"]).commit("iii");
            let tree = tree.build();
            let url = format!("file://{}", path(tree.path()));
            tree.git(&["clone", "-q", "--depth", "1", &url, "copy"]);
            assert!(tree.path().join("copy/.git/shallow").exists());
            Place::of(tree).at("copy", "")
        }),
        state("partial clone, all trees there", || {
            let tree = committed().git(&["config", "uploadpack.allowFilter", "true"]).build();
            let url = format!("file://{}", path(tree.path()));
            tree.git(&["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "copy"]);
            Place::of(tree).at("copy", "")
        }),
        state("objects borrowed from a store in the root", || {
            let tree = TreeBuilder::new().files(FILES.map(|name| format!("a/{name}")));
            let tree = tree.git_in("a", &["init", "-q"]).git_in("a", &["add", "-A"]);
            let tree = tree.git_in("a", &["commit", "-q", "-m", "i"]);
            let tree = tree.git(&["clone", "-q", "--shared", "a", "b"]).files(["b/n"]);
            let place = Place::made(&tree.git_in("b", &["add", "n"])).at("", "b");
            assert!(place.tree.path().join("b/.git/objects/info/alternates").exists());
            place
        }),
    ]
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a temporary folder's name is plain")
}
