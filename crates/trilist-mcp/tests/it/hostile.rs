//! Threats T-64 and T-65: lines that are meant to do harm.

use serde_json::{Value, json};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::Client;

fn tree() -> Tree {
    TreeBuilder::new().file("f", "").build()
}

/// The line is answered with this code and no id, and the next request is served.
fn refused(client: &mut Client, line: &[u8], code: i64) {
    client.line(line);
    let reply = client.next();
    assert_eq!(reply.get("id"), Some(&Value::Null), "{reply}");
    assert_eq!(reply["error"]["code"], code, "{reply}");
    served(client);
}

fn served(client: &mut Client) {
    assert_eq!(client.call("list_dir", json!({}))["structuredContent"]["returned"], 1);
}

/// Kilobytes of this process that are in memory, at most so far.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn t64_a_line_without_end_is_refused_and_takes_no_room() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    served(&mut client);
    let before = peak_kib();
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        client.part(&chunk);
    }
    client.line("");
    let reply = client.next();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)), "{reply}");
    served(&mut client);
    // Other tests share this process, so the bar of 8 MiB is held for the program itself.
    assert!(peak_kib() - before < 64 * 1024, "{} KiB more", peak_kib() - before);
}

#[test]
fn t64_a_long_line_just_below_the_bound_is_a_request() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let long = "x".repeat((1 << 20) - 200);
    let error = client.failure("list_dir", json!({ "path": long }));
    assert_eq!(error["code"], "invalid_argument");
    assert!(error["message"].as_str().unwrap().len() < 500);
}

#[test]
fn t65_bombs_of_json_are_refused() {
    let tree = tree();
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"list_dir","arguments":{arguments}}}}}"#
        )
    };
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    for mut client in [Client::legacy(tree.path()), Client::modern(tree.path())] {
        for (line, code) in [
            (deep.clone().into_bytes(), -32700),
            (br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#.to_vec(), -32600),
            (br#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#.to_vec(), -32700),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xff\"}".to_vec(), -32700),
            (b"{".to_vec(), -32700),
            (b"\x00".to_vec(), -32700),
            (b"[]".to_vec(), -32600),
            (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.to_vec(), -32600),
            (b"7".to_vec(), -32600),
            (b"{}".to_vec(), -32600),
            (br#"{"method":"ping"}"#.to_vec(), -32600),
        ] {
            refused(&mut client, &line, code);
        }
        // Where it is a request but for that, it is refused under its id.
        for (line, code) in [
            (call(&nested), -32700),
            (call(r#"{"path":"\ud800"}"#), -32700),
            (call(r#"{"path":"f","path":"/"}"#), -32600),
            (call("1e999"), -32700),
        ] {
            client.line(line);
            let reply = client.next();
            assert_eq!(
                (&reply["id"], &reply["error"]["code"]),
                (&json!(7), &json!(code)),
                "{reply}"
            );
            served(&mut client);
        }
    }
}

#[test]
fn t65_deep_arguments_as_text_are_no_way_around_the_bound() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for arguments in [json!({ "kinds": deep }), json!({ "ignore": "{".repeat(100_000) })] {
        let error = client.failure("list_dir", arguments);
        assert_eq!(error["code"], "invalid_argument");
    }
}

#[test]
fn requests_with_an_id_are_refused_under_it() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for line in [
        r#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#,
        r#"{"id":"x","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"x"}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":5}"#,
        r#"{"jsonrpc":"2.0","id":"x","result":1,"error":2}"#,
    ] {
        client.line(line);
        let reply = client.next();
        assert_eq!(
            (&reply["id"], &reply["error"]["code"]),
            (&json!("x"), &json!(-32600)),
            "{line}"
        );
    }
    client.line(r#"{"jsonrpc":"2.0","id":"x","method":"ping","params":[1]}"#);
    assert_eq!(client.next()["error"]["code"], -32602);
    // Notifications and answers are never answered, however odd.
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#);
    client.line(r#"{"jsonrpc":"2.0","method":"nonsense","params":[]}"#);
    client.line(r#"{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}"#);
    served(&mut client);
}

#[test]
fn names_in_errors_cannot_forge_lines() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    let reply = client.request("tools/call", json!({ "name": "x\u{1b}[2J\n\u{202e}" }));
    let message = reply["error"]["message"].as_str().unwrap();
    assert!(!message.chars().any(|c| c.is_control() || c == '\u{202e}'), "{message:?}");
    let error = client.failure("list_dir", json!({ "\u{1b}[2J": 1, "strict": true }));
    assert!(!error.to_string().contains('\u{1b}'));
}
