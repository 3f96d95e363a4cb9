//! What holds for mode `vcs` too, on random trees in random states.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use trilist::{ListRequest, Mode};
use trilist_tests::oracle::{git_ls_files, git_ls_tree};
use trilist_tests::{Tree, git};

use crate::forest::{Forest, Ground, plant};
use crate::harness::{ask, lister, whole};
use crate::props::{check_budget, check_depths, check_pages, check_rendering, for_forests};

pub(crate) const TRACKED: Ground = Ground { rules: true, bad_rules: false, git: false };

/// A repository whose HEAD holds the forest, and whose index and work tree have gone on.
pub(crate) fn repository(forest: &Forest) -> Tree {
    let tree = plant(forest);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "-A", "-f"]);
    git(tree.path(), &["commit", "-q", "--allow-empty", "-m", "one"]);
    for (number, path) in git_ls_files(tree.path()).iter().enumerate() {
        let path = OsStr::from_bytes(path);
        match number % 4 {
            0 => git_on(&tree, &["rm", "-q", "-f", "--cached", "--"], path),
            1 => fs::remove_file(tree.path().join(path)).unwrap(),
            2 => git_on(&tree, &["update-index", "--skip-worktree", "--"], path),
            _ => {}
        }
    }
    for (path, staged) in [("a-new", true), ("zz/new", true), ("untracked", false)] {
        fs::create_dir_all(tree.join(path).parent().unwrap()).unwrap();
        fs::write(tree.join(path), "new").unwrap();
        if staged {
            git(tree.path(), &["add", "-f", path]);
        }
    }
    tree
}

fn git_on(tree: &Tree, args: &[&str], path: &OsStr) {
    // A name may look like a pattern.
    let mut words = vec![OsStr::new("--literal-pathspecs")];
    words.extend(args.iter().map(OsStr::new));
    words.push(path);
    git(tree.path(), &words);
}

pub(crate) fn requests() -> Vec<ListRequest> {
    let plain = ask(Mode::Vcs, ".");
    let shallow = ListRequest { depth: Some(2), include_hidden: Some(false), ..plain.clone() };
    let picked = ListRequest { pattern: vec!["a*".to_owned()], ..plain.clone() };
    vec![plain, shallow, picked]
}

#[test]
fn vcs_keeps_the_rules_of_every_listing() {
    for_forests(15, TRACKED, |forest| {
        let tree = repository(forest);
        let lister = lister(tree.path());
        for request in requests() {
            check_pages(&lister, &request);
            check_rendering(&lister, &request);
            check_depths(&lister, &request);
            check_budget(&lister, &request);
        }
    });
}

#[test]
fn vcs_is_what_git_lists() {
    for_forests(15, TRACKED, |forest| {
        let tree = repository(forest);
        let both: BTreeSet<Vec<u8>> =
            git_ls_files(tree.path()).into_iter().chain(git_ls_tree(tree.path())).collect();
        let page = whole(&lister(tree.path()), &ask(Mode::Vcs, "."));
        let ours: Vec<Vec<u8>> = page.entries.iter().map(|entry| entry.bytes().to_vec()).collect();
        assert_eq!(ours, both.into_iter().collect::<Vec<_>>());
        assert!(page.complete);
    });
}
