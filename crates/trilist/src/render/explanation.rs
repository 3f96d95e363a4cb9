//! Explanations as text and JSON.

use std::fmt::Write as _;

use trilist_core::{ErrorReply, ExplainedRule, Explanation, Mode, Reason, Standing};

/// An explanation as lines: the path, then what each mode says of it.
pub fn explanation(explanation: &Explanation) -> String {
    let mut out = heading(&explanation.path);
    out.push('\n');
    for (mode, standing) in explanation.modes.iter() {
        mode_lines(mode, standing, &mut out);
    }
    out
}

/// An explanation as one JSON object on one line.
pub fn explanation_json(explanation: &Explanation) -> String {
    serde_json::to_string(explanation).expect("an explanation has only string keys")
}

/// A name at the margin must not pass for one of the lines below, which are indented.
fn heading(path: &str) -> String {
    if path.starts_with(char::is_whitespace) {
        return format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""));
    }
    path.to_owned()
}

fn mode_lines(mode: Mode, standing: &Standing, out: &mut String) {
    let verdict = match (standing.listed, standing.reason) {
        (Some(true), _) => String::new(),
        (Some(false), Some(reason)) => format!("not listed ({}): ", reason.name()),
        (Some(false), None) => "not listed: ".to_owned(),
        (None, Some(Reason::Unavailable)) => "unavailable: ".to_owned(),
        (None, _) => "unknown: ".to_owned(),
    };
    let _ = writeln!(out, "  {:<6} {verdict}{}.", mode.name(), standing.message);
    let mut rest = Vec::new();
    // The first is told in a note.
    rest.extend(standing.overruled.iter().skip(1).map(overruled));
    rest.extend(standing.error.as_ref().and_then(hint));
    rest.extend(standing.notes.iter().map(|note| format!("Note: {note}.")));
    rest.extend(standing.cursor.as_ref().map(|cursor| format!("cursor=\"{cursor}\"")));
    for text in rest {
        let _ = writeln!(out, "         {text}");
    }
}

fn overruled(rule: &ExplainedRule) -> String {
    format!("Without effect: {}:{} `{}`", rule.source, rule.line, rule.pattern)
}

fn hint(error: &ErrorReply) -> Option<String> {
    error.hint.clone()
}
