//! Every state that git can put a repository into, and what is listed then.
//!
//! The states are data: how to make one, where the listing starts, and what is right. For a
//! healthy repository the right answer is what git says of its two sides. `docs/modes/vcs.md`
//! names the same states in the same words, and a test compares.

mod faulty;
mod healthy;
mod page;

mod places;
mod split;

use std::collections::BTreeSet;

use trilist_core::VcsState;
use trilist_tests::{Tree, TreeBuilder, require};

use crate::checks::{At, check_all};
use crate::support::{below, expected, git_union, list, query};

/// A state of a repository whose listing is what git says.
pub(crate) struct State {
    /// As the page of the documentation calls it.
    pub(crate) name: &'static str,
    /// Which of several repositories in that state it is; may be empty.
    pub(crate) which: &'static str,
    pub(crate) make: fn() -> Place,
}

/// Where a repository was made.
pub(crate) struct Place {
    pub(crate) tree: Tree,
    /// The directory that is opened as the root, below the tree's.
    pub(crate) root: &'static str,
    /// The repository's top below the root.
    pub(crate) top: &'static str,
    /// False before the first commit.
    pub(crate) has_head: bool,
    pub(crate) is_bare: bool,
}

impl Place {
    fn of(tree: Tree) -> Place {
        Place { tree, root: "", top: "", has_head: true, is_bare: false }
    }

    /// The root to open and the repository's top below it.
    fn at(self, root: &'static str, top: &'static str) -> Place {
        Place { root, top, ..self }
    }

    fn made(tree: &TreeBuilder) -> Place {
        Place::of(tree.build())
    }
}

/// A state without variants.
fn state(name: &'static str, make: fn() -> Place) -> State {
    State { name, which: "", make }
}

/// Some files in directories that sort among each other.
const FILES: [&str; 7] = [".x", "a-b", "a/b/c", "a/d", "e", "f/g", "z"];

fn committed() -> TreeBuilder {
    TreeBuilder::new().repo().files(FILES).commit("i")
}

fn all() -> Vec<State> {
    [healthy::states(), split::states(), places::states()].into_iter().flatten().collect()
}

#[test]
fn every_state_is_listed_as_git_says() {
    if !require("git") {
        return;
    }
    for State { name, which, make } in all() {
        let context = format!("{name} {which}");
        let place = make();
        let root = place.tree.path().join(place.root);
        let mut union = git_union(&root.join(place.top), place.has_head);
        if place.is_bare {
            // There is no index, so nothing is staged.
            union.values_mut().for_each(|(_, info)| info.state = VcsState::Tracked);
        }
        let told = list(&root, &below(place.top));
        let told = told.unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(told, expected(&union, &query()), "{context}");
        check_all(&At { root: &root, top: place.top }, &union, &context);
    }
}

#[test]
fn every_name_is_in_the_states_only_once() {
    let mut seen = BTreeSet::new();
    for State { name, which, .. } in all() {
        assert!(seen.insert((name, which)), "{name} {which}");
    }
}
