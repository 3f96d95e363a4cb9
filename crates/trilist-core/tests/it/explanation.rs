//! Explanations on the wire.

use trilist_core::{
    ByMode, ErrorReply, ExplainedRule, Explanation, FaultCode, Kind, LinkOnWay, Mode, RawName,
    Reason, RuleDialect, RuleRef, Skip, Standing, VcsInfo, VcsState,
};

use crate::schema::check_schema;

fn rule() -> ExplainedRule {
    let (source, pattern) = (&b".gitignore"[..], &b"a\x01*"[..]);
    ExplainedRule::of(RuleRef { source, line: 3, pattern, dialect: RuleDialect::Git })
}

fn full() -> Standing {
    let error = ErrorReply { code: "timeout".to_owned(), message: "late".to_owned(), hint: None };
    Standing {
        listed: None,
        reason: Some(Reason::Unknown),
        message: "not found out".to_owned(),
        at: Some("a".to_owned()),
        rule: Some(rule()),
        overruled: vec![rule()],
        kind: Some(Kind::Dir),
        skipped: Some(Skip::Depth),
        vcs: Some(VcsInfo {
            head: true,
            index: false,
            state: VcsState::Deleted,
            skip_worktree: false,
            executable: false,
            on_disk: None,
        }),
        link: Some(LinkOnWay {
            path: "l".to_owned(),
            target: "t".to_owned(),
            leads_to: Some("t/x".to_owned()),
        }),
        similar: vec!["b".to_owned()],
        omitted: Vec::new(),
        fault: Some(FaultCode::PermissionDenied),
        error: Some(error),
        cursor: Some("c1.x".to_owned()),
        notes: vec!["more".to_owned()],
    }
}

fn explanation(standing: Standing) -> Explanation {
    let mut modes = ByMode::default();
    modes.set(Mode::Files, standing);
    let (path, raw) = (r#""a\xff""#.to_owned(), RawName::of(b"a\xff"));
    Explanation { path, raw, on_disk: Some(Kind::File), modes }
}

#[test]
fn the_schema_accepts_real_explanations() {
    check_schema(&explanation(full()));
    check_schema(&explanation(Standing { listed: Some(true), ..Standing::default() }));
}

#[test]
fn what_is_not_known_is_left_out() {
    let listed =
        Standing { listed: Some(true), message: "listed".to_owned(), ..Standing::default() };
    let plain = Explanation {
        path: "a".to_owned(),
        raw: RawName::of(b"a"),
        on_disk: None,
        modes: explanation(listed).modes,
    };
    let json = serde_json::to_string(&plain).unwrap();
    assert_eq!(json, r#"{"path":"a","modes":{"files":{"listed":true,"message":"listed"}}}"#);
    let again: Explanation = serde_json::from_str(&json).unwrap();
    assert_eq!(again, plain);
    let unknown = serde_json::to_value(full()).unwrap();
    assert!(unknown["listed"].is_null() && unknown.get("listed").is_some());
}

#[test]
fn rules_are_shown_by_the_one_way_to_quote() {
    assert_eq!(rule().pattern, r#""a\001*""#);
    for dialect in [
        RuleDialect::Git,
        RuleDialect::Ripgrep,
        RuleDialect::Pathspec,
        RuleDialect::Glob,
        RuleDialect::Name,
    ] {
        assert_eq!(serde_json::to_value(dialect).unwrap(), dialect.name());
    }
}

#[test]
fn reasons_have_their_names_and_those_that_are_counted_come_first() {
    for reason in Reason::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
    }
    assert!(Reason::ALL.is_sorted());
    assert_eq!(Reason::ALL[..Reason::COUNTED.len()], Reason::COUNTED);
}
