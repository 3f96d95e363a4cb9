//! Many calls at once (T-38), alone in a process, because its threads are counted.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make files and fail where they stand; what they check must not"
)]

#[allow(dead_code, reason = "it serves the other tests too")]
#[path = "../it/support.rs"]
mod support;

use std::collections::BTreeSet;

use serde_json::json;
use trilist_tests::Tree;

use crate::support::Client;

#[test]
fn t38_calls_at_once_are_each_answered_once() {
    let tree = Tree::empty();
    for number in 0..4_000 {
        std::fs::write(tree.join(format!("f{number:04}")), "").unwrap();
    }
    let mut client = Client::legacy(tree.path());
    let mut open: BTreeSet<u64> = (0..64)
        .map(|_| {
            client.send("tools/call", json!({ "name": "list_dir", "arguments": { "count": true } }))
        })
        .collect();
    while !open.is_empty() {
        let reply = client.next();
        assert!(open.remove(&reply["id"].as_u64().unwrap()), "{reply}");
        let result = &reply["result"];
        let page = &result["structuredContent"];
        let is_answered = result["isError"] == false && page["total"] == 4_000;
        assert!(is_answered || page["error"]["code"] == "busy", "{result}");
    }
    assert!(client.is_silent(50));
    // Eight for those that list, and one for those that only tell.
    assert!(threads("mcp-call") <= 9, "{}", threads("mcp-call"));
}

/// Threads of this process whose name starts like this.
fn threads(name: &str) -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|comm| comm.starts_with(name)).count()
}
