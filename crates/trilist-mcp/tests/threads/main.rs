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
use trilist_tests::{Tree, figure, is_full};

use crate::support::Client;

/// What calls at once may take together.
const MOST_KIB: u64 = 256 << 10;

/// How many entries the directory has: those of T-30, or a part that every run can afford.
fn entries() -> u64 {
    if is_full() { 1_000_000 } else { 20_000 }
}

#[test]
fn t38_calls_at_once_are_each_answered_once() {
    let tree = Tree::on_tmpfs();
    let entries = entries();
    for number in 0..entries {
        std::fs::write(tree.join(format!("entry-{number:07}")), "").unwrap();
    }
    let mut client = Client::legacy(tree.path());
    // Pages, and calls that have to hold the whole directory.
    let asked = [json!({}), json!({ "mode": "files" }), json!({ "count": true })];
    let heavy = json!({ "sort": "kind", "limit": 10 });
    let asked: Vec<_> = asked.into_iter().cycle().take(60).chain(vec![heavy; 4]).collect();
    let mut open: BTreeSet<u64> = asked
        .into_iter()
        .map(|asked| client.send("tools/call", json!({ "name": "list_dir", "arguments": asked })))
        .collect();
    let mut busy = 0;
    while !open.is_empty() {
        let reply = client.next();
        assert!(open.remove(&reply["id"].as_u64().unwrap()), "{reply}");
        let result = &reply["result"];
        let page = &result["structuredContent"];
        let is_answered = result["isError"] == false && page["truncated"] == true;
        let is_busy = page["error"]["code"] == "busy" || page["error"]["code"] == "timeout";
        assert!(is_answered || is_busy, "{result}");
        busy += u64::from(is_busy);
    }
    assert!(client.is_silent(50));
    let peak = status("VmHWM:");
    let told = format!("{} answered, {busy} told to come again, {peak} KiB", 64 - busy);
    figure("T-38", &format!("64 calls at once on {entries} entries in one directory"), &told);
    assert!(peak <= MOST_KIB, "{peak} KiB");
    // Eight for pages, two for what holds a directory, and one for calls that only tell.
    assert!(threads("mcp-call") <= 11, "{}", threads("mcp-call"));
}

/// A number of this process's status.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Threads of this process whose name starts like this.
fn threads(name: &str) -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|comm| comm.starts_with(name)).count()
}
