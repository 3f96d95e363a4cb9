//! The one table: what each mode shows, leaves out and counts.

use trilist::Mode;
use trilist_tests::Tree;

use crate::harness::{Right, ask, check};

#[test]
fn fs() {
    let tree = Tree::build("modes-table");
    // Plain, link, builtin, at the depth limit; the git layer is off. `.git` comes before hidden
    // in the order of reasons, so it has its row also without hidden names.
    check(
        &tree,
        &ask(Mode::Fs, "."),
        Right::rows(&[
            ".git/ protected",
            "debug.log",
            "deep/",
            "deep/one/ depth",
            "dir/",
            "dir/inner.txt",
            "dir/trace.log",
            "ignored-dir/",
            "ignored-dir/inside.txt",
            "link-to-dir@",
            "link-to-file@",
            "node_modules/ builtin",
            "plain.txt",
            "staged.txt",
            "untracked.txt",
        ])
        .omitted(&["hidden 3: .gitignore .hidden .hidden-dir/"]),
    );
}

#[test]
fn fs_with_everything_on() {
    let tree = Tree::build("modes-table");
    let mut request = ask(Mode::Fs, ".");
    request.include_hidden = Some(true);
    request.ignore.git = Some(true);
    request.ignore.builtin = Some(false);
    request.depth = Some(1);
    check(
        &tree,
        &request,
        Right::rows(&[
            ".git/ protected",
            ".gitignore",
            ".hidden",
            ".hidden-dir/ depth",
            "deep/ depth",
            "dir/ depth",
            "link-to-dir@",
            "link-to-file@",
            "node_modules/ depth",
            "plain.txt",
            "staged.txt",
            "untracked.txt",
        ])
        .omitted(&["ignored 2: debug.log ignored-dir/"]),
    );
}

#[test]
fn files() {
    let tree = Tree::build("modes-table");
    // Directories are drawn from the paths; those that are cut are rows. `.git` is counted.
    let mut request = ask(Mode::Files, ".");
    request.depth = Some(2);
    check(
        &tree,
        &request,
        Right::rows(&[
            ".gitignore",
            ".hidden",
            ".hidden-dir/inside.txt",
            "deep/one/ depth",
            "dir/inner.txt",
            "link-to-dir@",
            "link-to-file@",
            "node_modules/ builtin",
            "plain.txt",
            "staged.txt",
            "untracked.txt",
        ])
        .omitted(&["protected 1: .git/", "ignored 3: debug.log dir/trace.log ignored-dir/"]),
    );
}

#[test]
fn files_without_hidden_names() {
    let tree = Tree::build("modes-table");
    let mut request = ask(Mode::Files, ".");
    request.include_hidden = Some(false);
    request.ignore.builtin = Some(false);
    check(
        &tree,
        &request,
        Right::rows(&[
            "deep/one/two/three/bottom.txt",
            "dir/inner.txt",
            "link-to-dir@",
            "link-to-file@",
            "node_modules/pkg/index.js",
            "plain.txt",
            "staged.txt",
            "untracked.txt",
        ])
        .omitted(&[
            "protected 1: .git/",
            "hidden 3: .gitignore .hidden .hidden-dir/",
            "ignored 3: debug.log dir/trace.log ignored-dir/",
        ]),
    );
}

#[test]
fn what_is_named_is_listed_whatever_cuts_it() {
    let tree = Tree::build("modes-table");
    for mode in [Mode::Fs, Mode::Files] {
        for (dir, row) in [(".hidden-dir", "inside.txt"), ("ignored-dir", "inside.txt")] {
            check(&tree, &ask(mode, dir), Right::rows(&[row]));
        }
    }
    check(&tree, &ask(Mode::Fs, "node_modules"), Right::rows(&["pkg/", "pkg/index.js"]));
    check(&tree, &ask(Mode::Files, "node_modules"), Right::rows(&["pkg/index.js"]));
}

#[test]
fn protected_state_is_listed_when_it_is_named() {
    let tree = Tree::build("modes-table");
    let mut request = ask(Mode::Fs, ".git");
    request.depth = Some(1);
    request.pattern = vec!["HEAD".to_owned()];
    let lister = crate::harness::lister(tree.path());
    assert_eq!(crate::harness::rows(&crate::harness::whole(&lister, &request)), ["HEAD"]);
}
