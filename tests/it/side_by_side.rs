//! The three modes side by side: one snapshot a tree.

use trilist::{Cancel, ListRequest, Mode, View, render};
use trilist_tests::Tree;

use crate::harness::{MODES, ask, clean, lister};

/// The trees, and below which directory of each the listing starts.
const TREES: &[(&str, &str)] = &[
    ("modes-table", "."),
    ("ignore-layers", "."),
    ("gitignore-rules", "."),
    ("ign01-anchored-nested", "foo"),
    ("ign06-malformed-line", "."),
    ("ign08-scope", "out"),
    ("hidden", "."),
    ("builtin-rows", "."),
    ("link-shapes", "."),
    ("special-files", "."),
    ("odd-names", "."),
    ("bad-utf8", "."),
    ("unicode-names", "."),
    ("sort-traps", "."),
    ("sort-prefixes", "."),
    ("sort-dirs", "."),
    ("vcs-states", "."),
    ("vcs-conflict", "."),
    ("vcs-unborn-staged", "."),
    ("vcs-file-and-dir-swapped", "."),
    ("vcs-submodule", "super"),
    ("vcs-worktree", "linked"),
    ("vcs-links", "."),
    ("vcs-nested", "."),
    ("vcs-sparse", "."),
    ("vcs-not-a-repo", "."),
];

#[test]
fn three_modes_of_every_tree() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| {
        for (name, path) in TREES {
            let tree = Tree::build(name);
            let modes: Vec<String> = MODES.iter().map(|mode| told(&tree, *mode, path)).collect();
            let text = modes.join("\n").replace(tree.path().to_str().unwrap(), "/repo");
            insta::assert_snapshot!(*name, text);
        }
    });
}

/// The reply's text, or the error's.
fn told(tree: &Tree, mode: Mode, path: &str) -> String {
    let request = ListRequest { limit: Some(1_000), ..ask(mode, path) };
    match lister(tree.path()).list(&request, &Cancel::new()) {
        Ok(page) => {
            clean(&page);
            render::text(&page, View::Tree)
        }
        Err(error) => {
            let hint = error.hint().map_or(String::new(), |hint| format!(" {hint}"));
            format!("mode={mode}\n{}: {error}.{hint}\n", error.code())
        }
    }
}
