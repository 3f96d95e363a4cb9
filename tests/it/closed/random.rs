//! On random trees, a policy takes away what lies below closed directories and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use trilist::{Kind, ListRequest, Lister, Mode, Skip};
use trilist_tests::oracle::{find_paths, git_ls_files, git_ls_tree};

use super::denying;
use crate::compare;
use crate::explain;
use crate::forest::plant;
use crate::harness::{lister, whole};
use crate::props::{
    RICH, check_budget, check_depths, check_pages, check_rendering, for_forests, requests,
};
use crate::tracked::{self, TRACKED, repository};

/// Names and a path that random trees have.
const DENIED: [&str; 5] = ["a-b", ".h", "zz", "A/a0", "venv"];

/// The oracle: does the path lie in a closed directory, or is it one?
pub(crate) fn closed_at(path: &[u8]) -> Option<&[u8]> {
    let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    ends.chain([path.len()]).map(|end| &path[..end]).find(|dir| {
        let name = dir.rsplit(|byte| *byte == b'/').next().unwrap();
        let dir = dir.to_ascii_lowercase();
        let is_name = |one: &&str| one.as_bytes() == name.to_ascii_lowercase().as_slice();
        ["a-b", ".h", "zz", "venv"].iter().any(is_name) || dir == b"a/a0"
    })
}

fn check(root: &Path, open: &Lister, shut: &Lister, request: &ListRequest) {
    let (all, some) = (whole(open, request), whole(shut, request));
    // A directory that is closed has a row in every mode, if the kinds and patterns let it.
    let mut right: BTreeMap<Vec<u8>, Option<Skip>> = BTreeMap::new();
    for entry in &all.entries {
        let path = entry.bytes();
        match closed_at(path) {
            Some(dir) if dir != path => {}
            Some(_) if entry.kind == Kind::Dir => {}
            _ => drop(right.insert(path.to_vec(), entry.skipped)),
        }
    }
    let mut found: BTreeMap<Vec<u8>, Option<Skip>> = BTreeMap::new();
    for entry in &some.entries {
        let is_closed = entry.kind == Kind::Dir && closed_at(entry.bytes()) == Some(entry.bytes());
        if is_closed {
            assert_eq!(entry.skipped, Some(Skip::Protected), "{} in {request:?}", entry.path);
        } else {
            found.insert(entry.bytes().to_vec(), entry.skipped);
        }
    }
    assert_eq!(found, right, "{request:?} in {}", root.display());
}

#[test]
fn on_disk() {
    for_forests(24, RICH, |forest| {
        let tree = plant(forest);
        let (open, shut) = (lister(tree.path()), denying(tree.path(), &DENIED));
        let disk: BTreeSet<Vec<u8>> =
            find_paths(tree.path()).into_iter().map(|(path, _)| path).collect();
        for request in requests() {
            check_pages(&shut, &request);
            check_rendering(&shut, &request);
            check_budget(&shut, &request);
            explain::check(&shut, &request, b"", &disk);
            // What a link leads to may be found another way then.
            if !request.follow_symlinks {
                check(tree.path(), &open, &shut, &request);
                check_depths(&shut, &request);
            }
        }
    });
}

#[test]
fn in_repositories() {
    for_forests(15, TRACKED, |forest| {
        let tree = repository(forest);
        let (open, shut) = (lister(tree.path()), denying(tree.path(), &DENIED));
        let mut paths: BTreeSet<Vec<u8>> = git_ls_files(tree.path()).into_iter().collect();
        paths.extend(git_ls_tree(tree.path()));
        let above = |path: &Vec<u8>| -> Vec<Vec<u8>> {
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            slashes.map(|(at, _)| path[..at].to_vec()).collect()
        };
        paths.extend(paths.clone().iter().flat_map(above));
        for request in tracked::requests() {
            check_pages(&shut, &request);
            check_rendering(&shut, &request);
            check_depths(&shut, &request);
            check_budget(&shut, &request);
            check(tree.path(), &open, &shut, &request);
            explain::check(&shut, &request, b"", &paths);
        }
        for mode in [Mode::Fs, Mode::Files] {
            check(tree.path(), &open, &shut, &crate::harness::ask(mode, "."));
        }
        compare::agrees(&tree, &shut);
    });
}
