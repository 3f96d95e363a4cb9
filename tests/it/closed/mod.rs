//! What a host keeps closed is listed by no way.

mod approval;
mod cases;
mod random;
mod ways;

pub(crate) use random::closed_at;

use std::path::Path;

use trilist::{ListError, ListRequest, Lister, Policy};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::policy;

/// A lister that denies directories.
fn denying(root: &Path, deny: &[&str]) -> Lister {
    let deny = deny.iter().map(|pattern| (*pattern).to_owned()).collect();
    Lister::open(&[root], Policy { deny, ..policy() }).unwrap()
}

/// A repository with a directory `secrets` in two places, and links that lead there.
fn safe() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["public/a", "public/b", "secrets/key", "secrets/deep/x", "sub/secrets/pin"])
        .file("sub/z", "")
        .commit("one")
        .symlink("link", "secrets")
        .symlink("public/out", "../secrets/deep")
        .build()
}

/// Asserts that a request is denied, and that the reply names nothing of what is closed.
#[track_caller]
fn is_denied(lister: &Lister, request: &ListRequest) {
    match lister.list(request, &trilist::Cancel::new()) {
        Ok(page) => panic!("{request:?} lists {:?}", crate::harness::rows(&page)),
        Err(error) => says_denied(&error),
    }
}

#[track_caller]
fn says_denied(error: &ListError) {
    assert_eq!(error.code(), "denied_by_policy", "{error}");
    // The message repeats what was asked for; no more may be told.
    let hint = error.hint().unwrap();
    for name in ["key", "deep", "pin"] {
        assert!(!hint.contains(name), "{hint}");
    }
}
