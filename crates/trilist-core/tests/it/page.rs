//! Replies: exact names, metadata at its extremes, and the wire.

use proptest::prelude::*;
use serde_json::json;
use trilist_core::chat::{Bucket, Chat, ChatFile, ChatGroup, RepoGroup};
use trilist_core::pager::page;
use trilist_core::since::{Change, Changes, Field, What};
use trilist_core::{
    Contents, Entry, EntryRef, Event, FaultCode, Kind, ListRequest, Metadata, Mode, Modified,
    Omission, Page, Reason, RelPath, RuleCount, Seen, Skip, Summary, TruncatedBy, VcsInfo,
    VcsState, Warning,
};

use crate::fake::{Fake, with_metadata};
use crate::pager::paging;
use crate::quote::unseen;
use crate::random::listing;
use crate::schema::check_schema;

fn entry_with(metadata: &Metadata) -> Entry {
    let path = RelPath::new(b"a").unwrap();
    Entry::of(&EntryRef { metadata: Some(metadata), ..EntryRef::new(path, Kind::File) })
}

fn modified(seconds: i64, nanoseconds: u32) -> Option<String> {
    let modified = Some(Modified { seconds, nanoseconds });
    entry_with(&Metadata { modified, ..Metadata::default() }).modified
}

/// A page with something in every field.
fn full() -> Page {
    let odd = RelPath::new(b"src/caf\xe9").unwrap();
    let metadata = Metadata {
        size_bytes: Some(u64::MAX),
        modified: Some(Modified { seconds: 1, nanoseconds: 0 }),
        permissions: Some(0o4755),
        target: Some(b"to\nthere".to_vec()),
        id: None,
    };
    let vcs = Some(VcsInfo {
        head: true,
        index: false,
        state: VcsState::Deleted,
        skip_worktree: false,
        executable: false,
        on_disk: None,
    });
    let rows = [
        Entry::of(&EntryRef { metadata: Some(&metadata), vcs, ..EntryRef::new(odd, Kind::File) }),
        Entry {
            skipped: Some(Skip::Builtin),
            contents: Some(Contents::Unreadable),
            bucket: Some(Bucket::ReadOnly),
            change: Some(Box::new(Change {
                what: What::Renamed,
                fields: vec![Field::Permissions],
                from: Some("\"\\001\"".to_owned()),
                from_raw: serde_json::from_value(json!("AQ==")).unwrap(),
            })),
            ..Entry::of(&EntryRef::new(RelPath::new(b"b").unwrap(), Kind::Dir))
        },
    ];
    Page {
        root: "/r".to_owned(),
        path: ".".to_owned(),
        mode: Mode::Fs,
        returned: 2,
        total: None,
        at_least: 3,
        complete: false,
        truncated: true,
        truncated_by: Some(TruncatedBy::Budget),
        next_cursor: Some("c1.x".to_owned()),
        next_offset: Some(3),
        not_reached: vec!["later".to_owned()],
        omitted: vec![Omission {
            reason: Reason::Ignored,
            count: 4,
            examples: vec!["x.o".to_owned()],
            rules: vec![RuleCount {
                source: ".gitignore".to_owned(),
                line: 1,
                pattern: "*.o".to_owned(),
                count: 4,
            }],
        }],
        warnings: vec![Warning {
            path: "locked".to_owned(),
            code: FaultCode::PermissionDenied,
            gap: true,
            message: "EACCES".to_owned(),
        }],
        warnings_total: 1,
        gaps: 1,
        snapshot_id: "0".repeat(32),
        drifted: true,
        pinned: true,
        changes: Some(Changes {
            since: "1".repeat(32),
            added: 1,
            removed: 0,
            changed: 0,
            renamed: 1,
            unknown: 2,
            from: Some("a".to_owned()),
            through: Some("z".to_owned()),
            sees_edits: true,
            sees_renames: true,
        }),
        chat: Some(Box::new(Chat {
            in_chat: ChatGroup {
                count: 1,
                files: vec![ChatFile {
                    path: "gone".to_owned(),
                    raw: None,
                    kind: Some(Kind::File),
                    listed: false,
                    reason: Some(Reason::OutsideRoot),
                    rule: None,
                }],
            },
            read_only: ChatGroup::default(),
            repo: RepoGroup { count: Some(2), returned: 1 },
        })),
        request: Some(Box::new(ListRequest { depth: Some(3), ..ListRequest::new(Mode::Fs, ".") })),
        summary: Summary::of(&rows),
        entries: rows.to_vec(),
        notices: vec!["something to know".to_owned()],
        seen: Seen::default(),
        after: None,
        uncounted: false,
        depth: None,
    }
}

/// A page with as little as there can be.
fn bare() -> Page {
    Page {
        entries: Vec::new(),
        returned: 0,
        total: Some(0),
        at_least: 0,
        complete: true,
        truncated: false,
        truncated_by: None,
        next_cursor: None,
        next_offset: None,
        not_reached: Vec::new(),
        omitted: Vec::new(),
        warnings: Vec::new(),
        warnings_total: 0,
        gaps: 0,
        drifted: false,
        pinned: false,
        changes: None,
        chat: None,
        request: None,
        summary: Summary::default(),
        notices: Vec::new(),
        ..full()
    }
}

#[test]
fn pages_come_back_as_they_were_sent() {
    for page in [full(), bare()] {
        let json = serde_json::to_string(&page).unwrap();
        assert_eq!(serde_json::from_str::<Page>(&json).unwrap(), page);
    }
}

#[test]
fn what_is_not_on_the_wire_does_not_show() {
    let mut page = full();
    page.seen.entries = 99;
    page.depth = Some(4);
    page.after = Some(trilist_core::RelPathBuf::new("a").unwrap());
    let json = serde_json::to_value(&page).unwrap();
    assert_eq!(json, serde_json::to_value(full()).unwrap());
}

#[test]
fn an_empty_page_still_says_everything_that_a_reader_looks_for() {
    insta::assert_json_snapshot!(bare(), @r#"
    {
      "root": "/r",
      "path": ".",
      "mode": "fs",
      "entries": [],
      "returned": 0,
      "total": 0,
      "at_least": 0,
      "complete": true,
      "truncated": false,
      "truncated_by": null,
      "next_cursor": null,
      "next_offset": null,
      "not_reached": [],
      "omitted": [],
      "warnings": [],
      "warnings_total": 0,
      "gaps": 0,
      "snapshot_id": "00000000000000000000000000000000",
      "drifted": false,
      "summary": {
        "files": 0,
        "dirs": 0,
        "symlinks": 0,
        "other": 0
      }
    }
    "#);
}

#[test]
fn entries_carry_only_what_is_known() {
    insta::assert_json_snapshot!(full().entries, @r#"
    [
      {
        "path": "\"src/caf\\351\"",
        "kind": "file",
        "depth": 2,
        "size": 18446744073709551615,
        "modified": "1970-01-01T00:00:01Z",
        "permissions": "4755",
        "target": "\"to\\nthere\"",
        "vcs": {
          "head": true,
          "index": false,
          "state": "deleted",
          "skip_worktree": false
        },
        "raw": "c3JjL2NhZuk="
      },
      {
        "path": "b",
        "kind": "dir",
        "depth": 1,
        "skipped": "builtin",
        "contents": "unreadable",
        "bucket": "read_only",
        "change": {
          "what": "renamed",
          "fields": [
            "permissions"
          ],
          "from": "\"\\001\"",
          "from_raw": "AQ=="
        }
      }
    ]
    "#);
}

#[test]
fn the_schema_accepts_real_replies() {
    check_schema::<Page>(&full());
    check_schema::<Page>(&bare());
    check_schema(&trilist_core::ListError::Busy.reply());
    check_schema(&trilist_core::ListError::Cancelled.reply());
    for code in [TruncatedBy::Limit, TruncatedBy::Deadline, TruncatedBy::ScanCap] {
        check_schema::<Page>(&Page { truncated_by: Some(code), ..bare() });
    }
}

#[test]
fn names_in_code_are_names_on_the_wire() {
    let json = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    for mode in Mode::ALL {
        assert_eq!(json(serde_json::to_value(mode).unwrap()), mode.name());
        assert_eq!(mode.to_string(), mode.name());
    }
    for kind in Kind::ALL {
        assert_eq!(json(serde_json::to_value(kind).unwrap()), kind.name());
        assert_eq!(kind.to_string(), kind.name());
    }
    for reason in Reason::COUNTED {
        assert_eq!(json(serde_json::to_value(reason).unwrap()), reason.name());
    }
    use FaultCode as F;
    for code in [
        F::PermissionDenied,
        F::DirVanished,
        F::DirReplaced,
        F::IoError,
        F::FdExhausted,
        F::DepthCapped,
        F::MountSkipped,
        F::PseudoFsSkipped,
        F::MetadataUnreadable,
        F::LinkLoop,
        F::LinkUnresolved,
        F::IgnoreNotRegular,
        F::IgnoreTooLarge,
        F::IgnoreUnreadable,
        F::IgnorePatternInvalid,
        F::IgnoreBeyondRoot,
        F::VcsIndexInvalid,
        F::VcsEntryInvalid,
        F::VcsObjectInvalid,
    ] {
        assert_eq!(json(serde_json::to_value(code).unwrap()), code.name());
    }
    for skip in [Skip::Builtin, Skip::Protected, Skip::Mount, Skip::Loop, Skip::Depth] {
        assert_eq!(json(serde_json::to_value(skip).unwrap()), skip.name());
    }
    use TruncatedBy as T;
    for by in [T::Limit, T::Budget, T::Deadline, T::ScanCap] {
        assert_eq!(json(serde_json::to_value(by).unwrap()), by.name());
    }
    use VcsState as V;
    for state in [V::Tracked, V::Added, V::Deleted, V::Conflicted] {
        assert_eq!(json(serde_json::to_value(state).unwrap()), state.name());
    }
}

#[test]
fn times_are_rfc_3339_in_utc() {
    let shown = |seconds, nanoseconds| modified(seconds, nanoseconds).unwrap();
    insta::assert_snapshot!(shown(0, 0), @"1970-01-01T00:00:00Z");
    insta::assert_snapshot!(shown(1_700_000_000, 0), @"2023-11-14T22:13:20Z");
    insta::assert_snapshot!(shown(0, 1), @"1970-01-01T00:00:00.000000001Z");
    insta::assert_snapshot!(shown(0, 999_999_999), @"1970-01-01T00:00:00.999999999Z");
    // Nanoseconds count forward, also before 1970.
    insta::assert_snapshot!(shown(-1, 500_000_000), @"1969-12-31T23:59:59.5Z");
    insta::assert_snapshot!(shown(951_782_400, 0), @"2000-02-29T00:00:00Z");
    insta::assert_snapshot!(shown(-62_167_219_200, 0), @"0000-01-01T00:00:00Z");
}

#[test]
fn times_outside_the_calendar_are_null() {
    let last = 253_402_300_799;
    for (seconds, nanoseconds) in [
        (1 << 60, 0),
        (-(1 << 60), 0),
        (i64::MIN, 0),
        (i64::MAX, 999_999_999),
        (last + 1, 0),
        (-62_167_219_201, 0),
        (0, 1_000_000_000),
        (0, u32::MAX),
    ] {
        assert_eq!(modified(seconds, nanoseconds), None, "{seconds} s {nanoseconds} ns");
    }
    // The calendar's last day is left free for times in other zones.
    assert!(modified(last - 2 * 86_400, 999_999_999).unwrap().starts_with("9999-12-29T"));
}

#[test]
fn sizes_and_permissions_are_exact() {
    for size in [0, 1 << 53, (1 << 53) + 1, 1 << 63, u64::MAX] {
        let entry = entry_with(&Metadata { size_bytes: Some(size), ..Metadata::default() });
        let json = serde_json::to_string(&entry).unwrap();
        assert!(json.contains(&format!(r#""size":{size}"#)), "{json}");
        assert_eq!(serde_json::from_str::<Entry>(&json).unwrap(), entry);
    }
    for (bits, shown) in [(0, "0000"), (0o7, "0007"), (0o644, "0644"), (0o7777, "7777")] {
        let entry = entry_with(&Metadata { permissions: Some(bits), ..Metadata::default() });
        assert_eq!(entry.permissions.as_deref(), Some(shown));
    }
}

#[test]
fn link_targets_are_shown_safely() {
    let entry = |target: &[u8]| {
        let metadata = Metadata { target: Some(target.to_vec()), ..Metadata::default() };
        entry_with(&metadata).target.unwrap()
    };
    assert_eq!(entry(b"../x"), "../x");
    assert_eq!(entry(b"\x1b]0;t\x07"), r#""\033]0;t\a""#);
    assert_eq!(entry(b""), "");
}

#[test]
fn metadata_can_be_taken_away_again() {
    let mut entry = full().entries.remove(0);
    entry.strip_metadata();
    let path = RelPath::new(b"src/caf\xe9").unwrap();
    let vcs = entry.vcs;
    assert_eq!(entry, Entry::of(&EntryRef { vcs, ..EntryRef::new(path, Kind::File) }));
}

#[test]
fn odd_names_carry_their_bytes() {
    let of = |bytes: &[u8]| Entry::of(&EntryRef::new(RelPath::new(bytes).unwrap(), Kind::File));
    let odd = of(b"a/\xff");
    assert_eq!((odd.path.as_str(), odd.depth, odd.bytes()), (r#""a/\377""#, 2, &b"a/\xff"[..]));
    assert_eq!(serde_json::to_value(&odd).unwrap()["raw"], json!("YS//"));
    let plain = of("a/é".as_bytes());
    assert_eq!((plain.bytes(), &plain.raw), ("a/é".as_bytes(), &None));
    assert!(
        serde_json::from_value::<Entry>(json!({
            "path": "a", "kind": "file", "depth": 1, "raw": "no base64!"
        }))
        .is_err()
    );
}

#[test]
fn summaries_count_by_kind_and_do_not_wrap() {
    let mut summary = Summary::default();
    for kind in Kind::ALL {
        summary.add(kind, None);
    }
    assert_eq!(summary, Summary { files: 1, dirs: 1, symlinks: 1, other: 2, bytes: None });
    summary.add(Kind::Symlink, Some(9));
    assert_eq!(summary.bytes, None, "only files have bytes that add up");
    summary.add(Kind::File, Some(u64::MAX));
    summary.add(Kind::File, Some(1));
    assert_eq!(summary.bytes, Some(u64::MAX));
    let json = serde_json::to_string(&summary).unwrap();
    assert_eq!(serde_json::from_str::<Summary>(&json).unwrap(), summary);
}

#[test]
fn whole_pages_of_extremes_stay_whole() {
    let times = [i64::MIN, -(1 << 60), 0, 1 << 60, i64::MAX];
    let said = times.iter().enumerate().map(|(n, seconds)| {
        let metadata = Metadata {
            size_bytes: Some(u64::MAX),
            modified: Some(Modified { seconds: *seconds, nanoseconds: u32::MAX }),
            permissions: Some(u32::MAX),
            target: Some(vec![0xff; 4096]),
            id: None,
        };
        with_metadata(format!("f{n}"), Kind::File, metadata)
    });
    let fake = Fake::new(said.collect());
    let body = fake.with_open(None, |events| page(events, paging(9))).unwrap();
    assert!(body.complete);
    assert!(body.entries.iter().all(|entry| entry.modified.is_none()));
}

proptest! {
    #[test]
    fn any_time_is_exact_or_null(seconds: i64, nanoseconds: u32) {
        // Half of all seconds lie in the calendar.
        for seconds in [seconds, seconds % 250_000_000_000] {
            if let Some(text) = modified(seconds, nanoseconds) {
                let back: jiff::Timestamp = text.parse().unwrap();
                let expected = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
                prop_assert_eq!(back.as_nanosecond(), expected);
                prop_assert!(text.ends_with('Z'));
            }
        }
    }

    #[test]
    fn entries_of_any_listing_are_safe_and_exact(fake in listing()) {
        for said in fake.events() {
            let Event::Entry(entry) = said.event() else { continue };
            let owned = Entry::of(&entry);
            let json = serde_json::to_string(&owned).unwrap();
            prop_assert_eq!(unseen(&json), None);
            let back: Entry = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(back.bytes(), said.path.as_bytes());
            prop_assert_eq!(back, owned);
        }
    }

    #[test]
    fn the_schema_accepts_any_listing(fake in listing()) {
        let body = fake.with_open(None, |events| page(events, paging(9))).unwrap();
        let reply = Page {
            omitted: body.tally.omitted(),
            warnings: body.tally.warnings().to_vec(),
            entries: body.entries,
            ..full()
        };
        check_schema::<Page>(&reply);
    }
}
