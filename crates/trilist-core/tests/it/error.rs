//! Codes, messages and hints, one row each.

use std::collections::BTreeSet;

use trilist_core::{ErrorReply, ListError};

fn text(text: &str) -> String {
    text.to_owned()
}

fn not_found(similar: &[&str], hint: Option<&str>) -> ListError {
    ListError::NotFound {
        asked: text("srx"),
        within: text("/r"),
        similar: similar.iter().map(|name| text(name)).collect(),
        hint: hint.map(text),
    }
}

/// Every variant, those with several faces more than once.
fn all() -> Vec<ListError> {
    let asked = || text("src");
    vec![
        ListError::invalid("limit", 0, "limits count from 1"),
        not_found(&[], None),
        not_found(&["src"], None),
        not_found(&["src", "srv", "sr"], None),
        not_found(&[], Some("A `~` is not expanded here.")),
        ListError::NotDirectory { asked: asked(), kind: "file", parent: text("/r") },
        ListError::OutsideRoot { asked: text("../x") },
        ListError::DeniedByPolicy { asked: asked(), instead: "List `lib`.".to_owned() },
        ListError::ApprovalRequired { asked: asked() },
        ListError::PermissionDenied { asked: asked() },
        ListError::OffsetOutOfRange { offset: 2, entries: 0 },
        ListError::OffsetOutOfRange { offset: 3, entries: 1 },
        ListError::OffsetOutOfRange { offset: 101, entries: 100 },
        ListError::InvalidCursor { reason: text("it is damaged") },
        ListError::SnapshotExpired { id: text("0123") },
        ListError::NotARepository { asked: asked() },
        ListError::VcsRefused { reason: text("reftable is not read") },
        ListError::VcsInvalid { reason: text("the index ends too early") },
        ListError::Io { what: text("opening `src`"), error: text("EIO (input/output error)") },
        ListError::Timeout,
        ListError::ScanCap { cap: 1000 },
        ListError::Busy,
        ListError::Cancelled,
    ]
}

#[test]
fn code_message_and_hint_of_every_error() {
    let rows = all().into_iter().map(|error| {
        let ErrorReply { code, message, hint } = error.reply();
        format!("{code} | {message} | {}", hint.unwrap_or_default())
    });
    let table = rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(table, @r#"
    invalid_argument | `limit` is 0; limits count from 1 |
    not_found | there is no `srx` in /r |
    not_found | there is no `srx` in /r | Did you mean `src`?
    not_found | there is no `srx` in /r | Did you mean `src`, `srv` or `sr`?
    not_found | there is no `srx` in /r | A `~` is not expanded here.
    not_directory | `src` is a file, not a directory | List /r instead.
    outside_root | `../x` leads outside the root | Give a path that stays below the root, also through links.
    denied_by_policy | the host's policy does not allow listing `src` | List `lib`.
    approval_required | listing `src` needs an approval, and no one can be asked | The host has to approve it; go on with what can be listed.
    permission_denied | no permission to read `src` |
    offset_out_of_range | `offset` is 2, but the listing has 0 entries | The listing is empty.
    offset_out_of_range | `offset` is 3, but the listing has 1 entry | Give an offset from 1 to 1.
    offset_out_of_range | `offset` is 101, but the listing has 100 entries | Give an offset from 1 to 100.
    invalid_cursor | the cursor cannot be used: it is damaged | Start again without a cursor, or pass the last `next_cursor` as it is.
    snapshot_expired | there is no pinned listing `0123`: it was dropped for newer ones, or never pinned | List again with `pin` and go on from that reply, or without `pin` and `since`.
    not_a_repository | `src` is not in a git repository | Mode `files` lists it.
    vcs_refused | the repository is refused: reftable is not read |
    vcs_invalid | the repository cannot be read: the index ends too early |
    io_error | opening `src`: EIO (input/output error) |
    timeout | nothing could be listed before the deadline | Ask for a smaller directory or depth, or allow more time.
    timeout | the cap of 1000 scanned entries was reached | Ask for a smaller directory or depth, or allow more time.
    busy | too many listings are at work or waiting for the file system | Try again later.
    cancelled | the listing was cancelled |
    "#);
}

#[test]
fn messages_are_one_lowercase_clause_and_hints_are_sentences() {
    for error in all() {
        let message = error.to_string();
        let first = message.chars().next().unwrap();
        assert!(first.is_lowercase() || first == '`', "{message}");
        assert!(!message.ends_with(['.', '!', '?']), "{message}");
        assert!(!message.contains('\n'));
        if let Some(hint) = error.hint() {
            assert!(hint.starts_with(char::is_uppercase), "{hint}");
            assert!(hint.ends_with(['.', '?']), "{hint}");
        }
    }
}

#[test]
fn codes_are_stable() {
    let codes: BTreeSet<&str> = all().iter().map(ListError::code).collect();
    let expected = [
        "approval_required",
        "busy",
        "cancelled",
        "denied_by_policy",
        "invalid_argument",
        "invalid_cursor",
        "io_error",
        "not_a_repository",
        "not_directory",
        "not_found",
        "offset_out_of_range",
        "outside_root",
        "permission_denied",
        "snapshot_expired",
        "timeout",
        "vcs_invalid",
        "vcs_refused",
    ];
    assert_eq!(codes, BTreeSet::from(expected));
}

#[test]
fn given_values_are_shown_safely() {
    let error = ListError::invalid("pattern", "a\x1b[31m\u{202e}", "printable");
    insta::assert_snapshot!(error, @r"`pattern` is a\u{1b}[31m\u{202e}; printable");
}

#[test]
fn replies_go_over_the_wire() {
    let reply = ListError::Busy.reply();
    let json = serde_json::to_string(&reply).unwrap();
    assert_eq!(serde_json::from_str::<ErrorReply>(&json).unwrap(), reply);
    let json = serde_json::to_value(ListError::Cancelled.reply()).unwrap();
    assert!(json.get("hint").is_none(), "no hint is absent");
}

#[test]
fn a_long_value_is_named_by_its_beginning() {
    let error = ListError::invalid("pattern", "é".repeat(5_000), "give a shorter one");
    assert_eq!(error.to_string(), format!("`pattern` is {}…; give a shorter one", "é".repeat(200)));
    let error = ListError::invalid("pattern", "é".repeat(200), "give a shorter one");
    assert_eq!(error.to_string(), format!("`pattern` is {}; give a shorter one", "é".repeat(200)));
}
