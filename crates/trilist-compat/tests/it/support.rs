use serde_json::Value;
use trilist::Cancel;
use trilist_compat::{Options, Surroundings, Tool, call};
use trilist_tests::Tree;

pub(crate) fn root(tree: &Tree) -> &str {
    tree.path().to_str().unwrap()
}

/// What `trilist compat` prints for a call, made in the tree's root.
pub(crate) fn answer(tool: Tool, args: &Value, tree: &Tree) -> Value {
    let around = Surroundings { cwd: tree.path().to_path_buf(), ..Surroundings::default() };
    call(tool, args, &around, Options::default(), &Cancel::new()).unwrap()
}
