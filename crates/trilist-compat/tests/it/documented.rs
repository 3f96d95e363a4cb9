//! The exchanges in `docs/contracts.md` are what is answered.

use std::fs;

use serde_json::Value;
use trilist_compat::Tool;
use trilist_tests::{Tree, workspace};

use crate::support::{answer, root};

#[test]
#[allow(clippy::disallowed_methods, reason = "a test reads the page that it checks")]
fn documented_exchanges_are_true() {
    let page = fs::read_to_string(workspace().join("docs/contracts.md")).unwrap();
    let tree = Tree::build("readme");
    let mut tools = Vec::new();
    for block in page.split("$ trilist compat ").skip(1) {
        let (tool, rest) = block.split_once(" --args '").unwrap();
        let (args, rest) = rest.split_once("'\n").unwrap();
        let (shown, _) = rest.split_once("```").unwrap();
        let here = |text: &str| text.replace("/repo", root(&tree));
        let args: Value = serde_json::from_str(&here(args)).unwrap();
        let right: Value = serde_json::from_str(&here(shown)).unwrap();
        let said = answer(Tool::named(tool).unwrap(), &args, &tree);
        assert_eq!(said, right, "{tool}");
        tools.push(tool);
    }
    let all: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
    assert_eq!(tools, all, "every tool has one exchange");
}
