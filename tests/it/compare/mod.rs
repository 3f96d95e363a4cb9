//! The modes side by side.

mod cases;
mod random;

pub(crate) use random::agrees;
use trilist::compare::{ByMode, Presence};
use trilist::{Cancel, CompareRequest, Comparison, Lister, render};

use crate::harness::{assert_clean, lister};

/// The comparison, whose every channel is fit to be shown and fits its schema.
#[track_caller]
fn compare(lister: &Lister, request: &CompareRequest) -> Comparison {
    let reply = lister.compare(request, &Cancel::new()).unwrap();
    assert_clean(&render::comparison(&reply));
    let json = render::comparison_json(&reply);
    assert_clean(&json);
    let value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::from_value::<Comparison>(value).unwrap(), unread(&reply));
    reply
}

/// Without what is not on the wire.
fn unread(reply: &Comparison) -> Comparison {
    let modes = ByMode::of(|mode| {
        let column = reply.modes.mode(mode).clone();
        trilist::compare::Column { seen: Default::default(), ..column }
    });
    Comparison { modes, ..reply.clone() }
}

/// The rows in one line each: `+`, `-` or `?` for each mode, the path, what it stands for, and the
/// facts of each mode.
fn rows(reply: &Comparison) -> Vec<String> {
    let line = |row: &trilist::compare::ComparedPath| {
        let signs: String = row.modes.iter().map(|(_, one)| sign(one.as_ref())).collect();
        let slash = if row.kind == trilist::Kind::Dir { "/" } else { "" };
        let folded = row.folded.map_or(String::new(), |folded| {
            format!(" {}x{}+{}", folded.mode, folded.files, folded.dirs)
        });
        let facts: String = row
            .modes
            .iter()
            .filter_map(|(mode, one)| Some(format!(" {mode}={}", fact(one.as_ref()?)?)))
            .collect();
        let chat = if row.in_chat { " in-chat" } else { "" };
        format!("{signs} {}{slash}{folded}{chat}{facts}", row.path)
    };
    reply.rows.iter().map(line).collect()
}

fn sign(presence: Option<&Presence>) -> char {
    presence.map_or('?', |presence| if presence.listed { '+' } else { '-' })
}

fn fact(one: &Presence) -> Option<String> {
    let mut words = Vec::new();
    words.extend(one.kind.map(|kind| kind.name().to_owned()));
    words.extend(one.skipped.map(|skip| format!("[{}]", skip.name())));
    words.extend(one.reason.map(|reason| reason.name().to_owned()));
    words.extend(one.rule.as_ref().map(|rule| format!("{}:{}", rule.source, rule.line)));
    words.extend(one.below.as_ref().map(|below| format!("below {below}")));
    (!words.is_empty()).then(|| words.join(" "))
}

/// How often each mode lists, and does not by reason.
fn counts(reply: &Comparison) -> Vec<String> {
    let line = |(mode, column): (trilist::Mode, &trilist::compare::Column)| {
        let absent =
            column.absent.iter().map(|one| format!(" {}={}", one.reason.name(), one.count));
        format!("{mode} {}{}", column.listed, absent.collect::<String>())
    };
    reply.modes.iter().map(line).collect()
}

/// Asserts the rows and the counts of a comparison.
#[track_caller]
fn check(tree: &trilist_tests::Tree, request: &CompareRequest, right: &[&str], sums: &[&str]) {
    let reply = compare(&lister(tree.path()), request);
    assert_eq!(rows(&reply), right, "{}", render::comparison(&reply));
    assert_eq!(counts(&reply), sums, "{}", render::comparison(&reply));
}
