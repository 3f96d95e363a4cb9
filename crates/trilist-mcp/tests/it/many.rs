//! More calls than a server takes; those that it takes at once are in a binary of their own.

use std::collections::BTreeSet;

use serde_json::json;
use trilist_tests::TreeBuilder;

use crate::support::Client;

#[test]
fn more_calls_than_may_wait_are_busy_at_once() {
    let tree = TreeBuilder::new().file("f", "").build();
    let mut client = Client::modern(tree.path());
    let call = json!({ "name": "list_dir", "arguments": {} });
    let open = (0..500).map(|_| client.send("tools/call", call.clone())).count();
    let replies: Vec<_> = (0..open).map(|_| client.next()).collect();
    let ids: BTreeSet<u64> = replies.iter().map(|reply| reply["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), 500);
    for reply in &replies {
        let page = &reply["result"]["structuredContent"];
        assert!(page["returned"] == 1 || page["error"]["code"] == "busy", "{reply}");
    }
}
