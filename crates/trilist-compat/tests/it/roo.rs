//! What Roo Code's tool leaves out without a word is told beside its text.

use serde_json::{Value, json};
use trilist_compat::Tool;
use trilist_tests::TreeBuilder;

use crate::support::{answer, root};

/// TIG-02: what `.rooignore` hides is not "no files".
#[test]
fn what_rooignore_hides_is_told() {
    let tree = TreeBuilder::new()
        .file(".rooignore", "data/\n*.pem\n")
        .files(["data/logs/1", "data/logs/2", "key.pem", "src/a"])
        .build();
    let listed = |path: &str, recursive: bool, shown: bool| {
        let call = json!({
            "workspace": root(&tree), "path": path, "recursive": recursive, "limit": 200,
            "showRooIgnoredFiles": shown,
        });
        answer(Tool::Roo, &call, &tree)
    };
    let hidden = |count: u32| json!([format!("`.rooignore` leaves out {count}")]);
    let data = listed("data", true, false);
    assert_eq!((&data["text"], &data["notice"]), (&json!("No files found."), &hidden(3)));
    assert_eq!(listed("data", false, false)["notice"], hidden(1));
    let all = listed(".", true, false);
    assert_eq!(all["text"], "data/\nsrc/\nsrc/a");
    // The file itself, the key, and what lies in `data`.
    assert_eq!(all["notice"], hidden(5));
    for path in ["data", "."] {
        assert_eq!(listed(path, true, true)["notice"], Value::Null);
    }
}
