//! Requests on the wire.

use serde_json::{Value, json};
use trilist_core::quote::unquoted;
use trilist_core::{IgnorePolicy, Kind, ListRequest, Mode, PathArg, Show, Sort, View};

use crate::schema::check_schema;

fn read(json: &str) -> Result<ListRequest, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

/// Every field with another value than its default.
pub(crate) fn full() -> ListRequest {
    ListRequest {
        mode: Mode::Vcs,
        path: PathArg::from("src/é"),
        depth: Some(3),
        limit: Some(50),
        offset: Some(u64::MAX),
        cursor: Some("c1.x".to_owned()),
        count: true,
        include_hidden: Some(true),
        follow_symlinks: true,
        same_filesystem: true,
        ignore: IgnorePolicy {
            builtin: Some(true),
            git: Some(false),
            dot_ignore: Some(true),
            patterns: vec!["*.o".to_owned()],
            keep: vec!["a.o".to_owned()],
            tool_files: vec![".rooignore".to_owned()],
            show: Some(Show::Mark),
            config: Some(false),
            aiderignore: vec![".aiderignore".to_owned(), "more".to_owned()],
        },
        kinds: Some(Kind::ALL.to_vec()),
        pattern: vec!["*.rs".to_owned(), "b".to_owned()],
        sort: Sort::Modified,
        reverse: true,
        subtree: false,
        metadata: true,
        max_bytes: Some(65_536),
        deadline_ms: Some(1000),
        pin: true,
        snapshot: Some("0".repeat(32)),
        since: Some("1".repeat(32)),
        view: Some(View::Entries),
    }
}

#[test]
fn a_plain_request_is_short() {
    for mode in Mode::ALL {
        let request = ListRequest::new(mode, ".");
        assert_eq!(serde_json::to_value(&request).unwrap(), json!({ "mode": mode.name() }));
        assert_eq!(read(&format!(r#"{{"mode":"{mode}"}}"#)).unwrap(), request);
    }
}

#[test]
fn every_field_comes_back() {
    let json = serde_json::to_value(full()).unwrap();
    assert_eq!(serde_json::from_value::<ListRequest>(json.clone()).unwrap(), full());
    // One field at a time as well: none hides behind another.
    for (name, value) in json.as_object().unwrap() {
        let one: Value = json!({ "mode": "fs", name.as_str(): value });
        let request: ListRequest = serde_json::from_value(one.clone()).unwrap();
        assert_eq!(serde_json::to_value(&request).unwrap(), one);
    }
}

#[test]
fn the_schema_accepts_what_is_sent() {
    check_schema::<ListRequest>(&full());
    check_schema::<ListRequest>(&ListRequest::new(Mode::Fs, "."));
    let schema = serde_json::to_value(schemars::schema_for!(ListRequest)).unwrap();
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let sent = serde_json::to_value(full()).unwrap();
    assert_eq!(fields, sent.as_object().unwrap().keys().collect::<Vec<_>>());
    assert_eq!(schema["required"], json!(["mode"]));
}

#[test]
fn unknown_fields_and_values_are_refused() {
    for json in [
        r#"{}"#,
        r#"{"mode":"disk"}"#,
        r#"{"mode":"Fs"}"#,
        r#"{"mode":"fs","dept":1}"#,
        r#"{"mode":"fs","ignore":{"gti":true}}"#,
        r#"{"mode":"fs","sort":"name"}"#,
        r#"{"mode":"fs","view":"grid"}"#,
        r#"{"mode":"fs","kinds":["pipe"]}"#,
        r#"{"mode":"fs","kinds":"file"}"#,
        r#"{"mode":"fs","path":7}"#,
        r#"{"mode":"fs","count":"yes"}"#,
        r#"{"mode":"fs","mode":"files"}"#,
    ] {
        assert!(read(json).is_err(), "{json}");
    }
    let error = read(r#"{"mode":"fs","dept":1}"#).unwrap_err();
    assert!(error.contains("unknown field `dept`"), "{error}");
}

#[test]
fn integers_neither_wrap_nor_are_rounded() {
    let bounded = [("depth", u32::MAX), ("limit", u32::MAX), ("max_bytes", u32::MAX)];
    for (field, most) in bounded.into_iter().chain([("deadline_ms", u32::MAX)]) {
        let fits = read(&format!(r#"{{"mode":"fs","{field}":{most}}}"#)).unwrap();
        assert_eq!(serde_json::to_value(fits).unwrap()[field], json!(most));
        for wrong in ["4294967296", "9007199254740993", "18446744073709551616"] {
            assert!(read(&format!(r#"{{"mode":"fs","{field}":{wrong}}}"#)).is_err(), "{wrong}");
        }
    }
    for field in ["depth", "limit", "max_bytes", "deadline_ms", "offset"] {
        for wrong in ["-1", "18446744073709551616", "1e400", "1.5", "1e3", "5.0", "\"5\"", "NaN"] {
            let json = format!(r#"{{"mode":"fs","{field}":{wrong}}}"#);
            assert!(read(&json).is_err(), "{json}");
        }
    }
    // Zero has its own message further up; here it only must not turn into something else.
    assert_eq!(read(r#"{"mode":"fs","limit":0}"#).unwrap().limit, Some(0));
    for exact in [(1 << 53) + 1, u64::MAX] {
        let request = read(&format!(r#"{{"mode":"fs","offset":{exact}}}"#)).unwrap();
        assert_eq!(request.offset, Some(exact));
    }
}

#[test]
fn path_arguments_keep_their_bytes() {
    for text in ["", ".", "/abs", "a/../b", "é", "a b", "~", "C:\\x"] {
        let request = ListRequest::new(Mode::Fs, text);
        let back = read(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(back.path.as_bytes(), text.as_bytes());
    }
    // What cannot be shown travels quoted, and is unquoted where the path is looked up.
    for bytes in [&b"caf\xe9"[..], b"two\nlines", b"\"quoted", "a\u{202e}b".as_bytes()] {
        let request = ListRequest::new(Mode::Fs, bytes.to_vec());
        let back = read(&serde_json::to_string(&request).unwrap()).unwrap();
        assert_eq!(unquoted(back.path.as_bytes()).unwrap(), bytes);
    }
}

#[test]
fn a_request_that_is_passed_on_keeps_its_path() {
    let json = r#"{"mode":"fs","path":"\"caf\\351\""}"#;
    let passed_on = serde_json::to_value(read(json).unwrap()).unwrap();
    assert_eq!(passed_on["path"], r#""caf\351""#);
}

#[test]
fn other_orders_are_told_apart() {
    let mut request = ListRequest::new(Mode::Fs, ".");
    assert!(!request.is_sorted());
    request.reverse = true;
    assert!(request.is_sorted());
    request = ListRequest { sort: Sort::Size, reverse: false, ..request };
    assert!(request.is_sorted());
}

#[test]
fn no_layer_at_all_is_spelled_out() {
    let none = serde_json::to_value(IgnorePolicy::none()).unwrap();
    assert_eq!(
        none,
        json!({ "builtin": false, "git": false, "dot_ignore": false, "config": false })
    );
}
