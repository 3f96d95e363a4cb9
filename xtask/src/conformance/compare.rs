//! Comparing what came out with what was recorded.

use serde_json::{Map, Value};

use super::Case;

/// Puts what placeholders stand for in their place, in every text of a value.
pub(super) fn filled(value: &Value, root: &str) -> Value {
    match value {
        Value::String(text) => Value::String(filled_text(text, root)),
        Value::Array(items) => items.iter().map(|item| filled(item, root)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), filled(value, root)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

pub(super) fn filled_text(text: &str, root: &str) -> String {
    text.replace("${ROOT}", root).replace("${ROOT_REL}", root.trim_start_matches('/'))
}

/// The answer without what trilist adds to it.
pub(super) fn without_notice(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("notice");
    }
    answer
}

/// Whether an answer is one of the results that a case takes as right.
pub(super) fn is_right(case: &Case, answer: &Value, root: &str) -> bool {
    let expected = filled(&case.expected, root);
    if case.source.as_deref() == Some("proposal") {
        return settled(case, &expected, answer);
    }
    let alternatives = case.alternatives.iter().map(|other| filled(other, root));
    std::iter::once(expected).chain(alternatives).any(|right| right == *answer)
}

/// A proposal settles only the keys that it names, and not always the order.
fn settled(case: &Case, expected: &Value, answer: &Value) -> bool {
    if expected.get("invalid").is_some() {
        return answer.get("invalid") == Some(&Value::Bool(true));
    }
    let is_open = |part: &str| case.unspecified.iter().any(|open| open == part);
    let (mut expected, mut answer) = (expected.clone(), answer.clone());
    if is_open("order") {
        by_path(&mut expected);
        by_path(&mut answer);
    }
    covers(&expected, &answer)
}

fn by_path(reply: &mut Value) {
    if let Some(entries) = reply.get_mut("entries").and_then(Value::as_array_mut) {
        entries.sort_by_key(|entry| entry["path"].as_str().unwrap_or_default().to_owned());
    }
}

/// Whether everything that is expected is there, and lists are equally long.
fn covers(expected: &Value, answer: &Value) -> bool {
    match (expected, answer) {
        (Value::Object(wanted), Value::Object(there)) => has_all(wanted, there),
        (Value::Array(wanted), Value::Array(there)) => {
            wanted.len() == there.len()
                && wanted.iter().zip(there).all(|(wanted, there)| covers(wanted, there))
        }
        (wanted, there) => wanted == there,
    }
}

fn has_all(wanted: &Map<String, Value>, there: &Map<String, Value>) -> bool {
    wanted.iter().all(|(name, value)| there.get(name).is_some_and(|there| covers(value, there)))
}

/// What differs, for a person.
pub(super) fn difference(expected: &Value, answer: &Value) -> String {
    match (expected, answer) {
        (Value::Object(wanted), Value::Object(there)) => {
            let names =
                wanted.keys().chain(there.keys().filter(|name| !wanted.contains_key(*name)));
            let differing = names.filter(|name| wanted.get(*name) != there.get(*name));
            let lines = differing.map(|name| {
                let shown = |value: Option<&Value>| match value {
                    Some(Value::String(text)) => text.clone(),
                    Some(other) => other.to_string(),
                    None => "(absent)".to_owned(),
                };
                format!(
                    "  {name}:\n--- recorded\n{}\n--- ours\n{}\n",
                    shown(wanted.get(name)),
                    shown(there.get(name))
                )
            });
            lines.collect()
        }
        _ => format!("--- recorded\n{expected}\n--- ours\n{answer}\n"),
    }
}
