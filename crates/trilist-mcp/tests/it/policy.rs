//! What the host closes is closed to every tool.

use serde_json::{Value, json};
use trilist::Policy;
use trilist_compat::{Surroundings, Tool};
use trilist_mcp::Options;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    let files = ["open/a", "secrets/key", "secrets/deep/pin"];
    TreeBuilder::new().repo().files(files).commit("one").symlink("link", "secrets").build()
}

fn client(tree: &Tree, profiles: &[Tool]) -> Client {
    let policy = Policy { deny: vec!["secrets".to_owned()], ..Policy::default() };
    let around = Surroundings::default();
    let options = Options { tools: Vec::new(), profiles: profiles.to_vec(), around };
    let mut client = Client::under(policy, &[tree.path()], &options);
    client.initialize();
    client
}

fn names_nothing(result: &Value) {
    let text = result.to_string();
    assert!(!text.contains("key") && !text.contains("pin") && !text.contains("deep"), "{text}");
}

#[test]
fn listings_and_comparisons() {
    let tree = tree();
    let mut client = client(&tree, &[]);
    for mode in ["fs", "files", "vcs"] {
        for view in ["tree", "paths", "entries", "overview"] {
            let result = client.call("list_dir", json!({ "mode": mode, "view": view }));
            assert_eq!(result["isError"], false, "{result}");
            assert!(result.to_string().contains("secrets"), "{result}");
            names_nothing(&result);
            for path in ["secrets", "secrets/deep", "link", "open/../secrets", "secrets/nothing"] {
                let asked = json!({ "mode": mode, "view": view, "path": path });
                let error = client.failure("list_dir", asked);
                assert_eq!(error["code"], "denied_by_policy", "{error}");
                assert!(error["hint"].is_string());
            }
        }
    }
    let result = client.call("compare_modes", json!({ "show": "all" }));
    names_nothing(&result);
    let error = client.failure("compare_modes", json!({ "path": "secrets" }));
    assert_eq!(error["code"], "denied_by_policy");
}

#[test]
fn other_programs_tools() {
    let tree = tree();
    let mut client = client(&tree, &[Tool::OpenCode, Tool::Roo, Tool::GenCode]);
    let top = tree.path().to_str().unwrap();
    let secrets = tree.join("secrets");
    let secrets = secrets.to_str().unwrap();
    for (tool, field, recursive) in
        [("list", "path", false), ("list_files", "path", true), ("LS", "path", false)]
    {
        for path in [top, secrets] {
            let mut asked = json!({ field: path });
            if recursive {
                asked["recursive"] = json!(true);
            }
            names_nothing(&client.call(tool, asked));
        }
    }
}
