//! Both eras of the protocol, and calls that come out of turn.

use serde_json::{Value, json};
use trilist_mcp::{Ended, Options};
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{Client, Way};

fn tree() -> Tree {
    TreeBuilder::new().file("src/main.rs", "").build()
}

#[test]
fn a_session_with_initialize() {
    let tree = tree();
    let mut client = Client::silent(&[tree.path()], &Options::default());
    let ready = client.initialize();
    assert_eq!(ready["protocolVersion"], "2025-11-25");
    assert_eq!(ready["capabilities"], json!({ "tools": {} }));
    assert_eq!(ready["serverInfo"]["name"], "trilist");
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    let tools = client.request("tools/list", json!({}))["result"].clone();
    assert_eq!(tools.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
    let names: Vec<_> =
        tools["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names[0], "list_dir");
    assert_eq!(*names.last().unwrap(), "list_roots");
    let result = client.call("list_dir", json!({}));
    assert!(result.get("resultType").is_none(), "{result}");
    assert_eq!(client.end().unwrap(), Ended::Input);
}

#[test]
fn requests_are_the_same_however_they_are_read() {
    let tree = tree();
    for way in [Way::Watched, Way::MayWait, Way::Untold] {
        let mut client = Client::read_in(way, tree.path());
        // Three in one piece, and one in three.
        client.part(
            b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n\n{\n{\"jsonrpc\":\"2.0\",",
        );
        // In any order.
        let mut replies = [client.next(), client.next()];
        replies.sort_by_key(|reply| reply["id"].is_null());
        assert_eq!(replies[0]["id"], "a", "{way:?}");
        assert_eq!(replies[1]["error"]["code"], -32700, "{way:?}");
        client.part(b"\"id\":\"b\",\"met");
        assert!(client.is_silent(20));
        client.part(b"hod\":\"ping\"}\n");
        assert_eq!(client.next(), json!({ "jsonrpc": "2.0", "id": "b", "result": {} }), "{way:?}");
        client.line("x".repeat((1 << 20) + 1));
        assert_eq!(client.next()["error"]["code"], -32600, "{way:?}");
        let result = client.call("list_dir", json!({}));
        assert_eq!(result["structuredContent"]["tree"], "src/\n  main.rs\n", "{way:?}");
        // The last line needs no end.
        client.part(b"{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"ping\"}");
        client.close();
        assert_eq!(client.next()["id"], "c", "{way:?}");
        assert_eq!(client.end().unwrap(), Ended::Input, "{way:?}");
    }
}

#[test]
fn older_revisions_are_spoken_and_newer_ones_answered_with_ours() {
    let tree = tree();
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut client = Client::silent(&[tree.path()], &Options::default());
        let who = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": who });
        let reply = client.request("initialize", params);
        assert_eq!(reply["result"]["protocolVersion"], given);
    }
}

#[test]
fn a_session_without_initialize() {
    let tree = tree();
    let mut client = Client::modern(tree.path());
    let found = client.request("server/discover", json!({}))["result"].clone();
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    let tools = client.request("tools/list", json!({}))["result"].clone();
    assert_eq!(tools["resultType"], "complete");
    assert!(tools["tools"].as_array().unwrap().len() >= 2);
    let result = client.call("list_dir", json!({}));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["structuredContent"]["tree"], "src/\n  main.rs\n");
    // Each request says for itself which revision it speaks.
    let bare = json!({ "name": "list_dir", "_meta": {} });
    assert_eq!(client.request("tools/call", bare)["error"]["code"], -32602);
    let strange = json!({
        "io.modelcontextprotocol/protocolVersion": "1999-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let reply = client.request("tools/list", json!({ "_meta": strange }));
    assert_eq!(reply["error"]["code"], -32022, "{reply}");
    assert!(client.call("list_dir", json!({}))["structuredContent"].is_object());
}

#[test]
fn a_session_that_has_begun_without_initialize_refuses_it() {
    let tree = tree();
    let mut client = Client::modern(tree.path());
    client.call("list_dir", json!({}));
    let who = json!({ "name": "test", "version": "1" });
    let begin = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who });
    let refused = client.request("initialize", begin.clone());
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    client.call("list_dir", json!({}));
    // Its id was not taken, and what says nothing of a session does not begin one.
    let mut client = Client::modern(tree.path());
    client.request("server/discover", json!({}));
    assert!(client.request("initialize", begin)["result"].is_object());
}

#[test]
fn an_unknown_method_is_not_repeated_at_length() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for method in ["x".repeat(900_000), "\u{e9}".repeat(400_000)] {
        let reply = client.request(&method, json!({}));
        assert_eq!(reply["error"]["code"], -32601);
        assert!(reply.to_string().len() < 300, "{}", reply.to_string().len());
    }
    let reply = client.request("tools/none", json!({}));
    assert!(reply["error"]["message"].as_str().unwrap().contains("tools/none"), "{reply}");
}

#[test]
fn what_comes_before_its_turn_is_refused_and_the_session_still_begins() {
    let tree = tree();
    let mut client = Client::silent(&[tree.path()], &Options::default());
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.line(r#"{"jsonrpc":"2.0","id":99,"result":{}}"#);
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "list_dir" })),
        ("resources/list", json!({})),
    ] {
        let reply = client.request(method, params);
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
    }
    let wrong = client.request("initialize", json!({ "protocolVersion": 5 }));
    assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    client.initialize();
    assert!(client.call("list_dir", json!({}))["structuredContent"].is_object());
    // Once more is no harm.
    client.initialize();
    assert!(client.call("list_dir", json!({}))["structuredContent"].is_object());
}

#[test]
fn what_is_not_there_is_a_protocol_error_and_the_next_request_is_served() {
    let tree = tree();
    for mut client in [Client::legacy(tree.path()), Client::modern(tree.path())] {
        let code = |reply: &Value| reply["error"]["code"].clone();
        let unknown = client.request("tools/call", json!({ "name": "list_dri" }));
        assert_eq!(code(&unknown), -32602);
        let message = unknown["error"]["message"].as_str().unwrap();
        assert!(message.contains("`list_dri`; there are list_dir, "), "{message}");
        for method in ["resources/list", "prompts/list", "logging/setLevel", "nonsense"] {
            let reply = client.request(method, json!({}));
            assert_eq!(code(&reply), -32601, "{method}: {reply}");
        }
        for params in [
            json!({}),
            json!({ "name": 5 }),
            json!({ "name": "list_dir", "arguments": [] }),
            json!({ "name": "list_dir", "arguments": "{}" }),
        ] {
            let reply = client.request("tools/call", params);
            assert_eq!(code(&reply), -32602, "{reply}");
        }
        let reply = client.request("tools/list", json!({ "cursor": "2" }));
        assert_eq!(code(&reply), -32602, "{reply}");
        let absent = client.call("list_dir", Value::Null);
        assert_eq!(absent["structuredContent"]["returned"], 2);
    }
}

#[test]
fn ids_come_back_as_they_were() {
    let tree = tree();
    let mut client = Client::legacy(tree.path());
    for id in [json!("a"), json!(""), json!(0), json!(-7), json!(i64::MAX)] {
        client.line(json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string());
        assert_eq!(client.next()["id"], id);
    }
    for id in [json!(null), json!(1.5), json!([1]), json!(true)] {
        client.line(json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string());
        let reply = client.next();
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&Value::Null, &json!(-32600)), "{id}");
    }
}

#[test]
fn roots_are_those_of_the_host() {
    let (one, other) = (tree(), tree());
    let missing = one.outside().join("missing");
    let roots = [one.path(), other.path(), &missing];
    let mut client = Client::silent(&roots, &Options::default());
    client.initialize();
    // A client's own roots change nothing.
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    let listed = client.call("list_roots", json!({}));
    let row = |path: &std::path::Path, available| json!({ "path": path, "available": available });
    let rows = json!([row(one.path(), true), row(other.path(), true), row(&missing, false)]);
    assert_eq!(listed["structuredContent"], json!({ "roots": rows }));
    let text = listed["content"][0]["text"].as_str().unwrap();
    let line = |path: &std::path::Path| path.display().to_string();
    let lines = [line(one.path()), line(other.path()), line(&missing) + " [unavailable]"];
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    let (_, there) = client.list(json!({ "path": other.path() }));
    assert_eq!(there["root"], json!(other.path()));
    let gone = client.failure("list_dir", json!({ "path": missing }));
    assert_eq!(gone["code"], "io_error");
    assert_eq!(client.failure("list_dir", json!({ "path": "/" }))["code"], "outside_root");
    std::fs::create_dir(&missing).unwrap();
    assert_eq!(client.list(json!({ "path": missing })).1["complete"], true);
}

#[test]
fn a_root_that_disappears_is_told_and_the_rest_goes_on() {
    let (gone, stays) = (tree(), tree());
    let mut client = Client::silent(&[gone.path(), stays.path()], &Options::default());
    client.initialize();
    client.list(json!({}));
    std::fs::remove_dir_all(gone.path()).unwrap();
    let result = client.call("list_dir", json!({}));
    // Nothing pretends to be a listing of what is no more.
    let structured = &result["structuredContent"];
    assert!(result["isError"] == true || structured["complete"] == false, "{result}");
    let (_, there) = client.list(json!({ "path": stays.path() }));
    assert_eq!(there["complete"], true);
}

#[test]
fn only_the_tools_asked_for_are_announced() {
    let tree = tree();
    let options = Options { tools: vec!["list_roots".to_owned()], ..Options::default() };
    let mut client = Client::silent(&[tree.path()], &options);
    client.initialize();
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 1);
    let reply = client.request("tools/call", json!({ "name": "list_dir" }));
    assert_eq!(reply["error"]["code"], -32602);
}
