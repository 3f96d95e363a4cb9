//! Test support: builds fixture trees, runs the programs that serve as oracles, and says which of
//! them a machine lacks.
//!
//! ```no_run
//! use trilist_tests::{Tree, TreeBuilder, oracle};
//!
//! let recorded = Tree::build("vcs-states");
//! assert!(!oracle::git_ls_files(recorded.path()).is_empty());
//!
//! let made = TreeBuilder::new().file("a/b", "text").symlink("l", "a").repo().commit("one").build();
//! assert!(made.path().join("a/b").exists());
//! ```
//!
//! Everything here panics when it cannot do its work: a test that lacks its tree has failed.
//! Left out on purpose: any knowledge of trilist, so that every crate may use the kit for its own
//! tests.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files and run programs; what they check must not"
)]

mod builder;
mod fixture;
mod fuse;
mod git;
mod manifest;
mod materialise;
pub mod oracle;
mod require;
pub mod rules;
mod tree;
mod user;

pub use builder::TreeBuilder;
pub use fixture::{case, cases, fixtures, tree_names, workspace};
pub use fuse::{Answers, Fuse, FuseDir, Told};
pub use git::{git, git_command};
pub use manifest::{Content, Entry, Kind, Manifest, Step, as_path};
pub use require::{browser, figure, is_full, pathspec_python, require, rg, skip};
pub use tree::Tree;
pub use user::{Unprivileged, as_unprivileged, unprivileged};
