//! Forgiving what has one meaning, for tools that are served to models.
//!
//! Conformance never does this: the recorded programs refuse. A host that serves a contract puts a
//! model's arguments through [`forgive`] first, and shows its notices beside the reply's.

use serde_json::{Map, Value};

use crate::Tool;

/// The names under which models give the directory.
const PATH_NAMES: &[&str] =
    &["path", "dir_path", "directory", "directory_path", "target_directory"];

/// A model's arguments, put right.
#[derive(Debug, Clone, PartialEq)]
pub struct Forgiven {
    /// The arguments as the tool takes them.
    pub args: Map<String, Value>,
    /// What was changed or left out.
    pub notice: Vec<String>,
}

/// Puts a model's arguments right where they have one meaning: null for an absent field, a number
/// or a truth value or a list given as text, 3.0 for 3, and another tool's name for the directory.
/// A field that the tool does not know is left out and told. Everything else stays as it is, for
/// the tool to judge.
///
/// # Errors
///
/// When the directory is given under two names with two values.
pub fn forgive(tool: Tool, args: &Map<String, Value>) -> Result<Forgiven, String> {
    let schema = tool.schema();
    let empty = Map::new();
    let fields = schema["properties"].as_object().unwrap_or(&empty);
    let mut forgiven = Forgiven { args: Map::new(), notice: Vec::new() };
    for (name, value) in args.iter().filter(|(_, value)| !value.is_null()) {
        let Some(known) = known(fields, name) else {
            forgiven.notice.push(unknown(fields, name));
            continue;
        };
        let value = put_right(&fields[known]["type"], value);
        match forgiven.args.get(known) {
            Some(other) if *other != value => {
                return Err(format!("`{known}` is given twice, as `{name}` too, with two values"));
            }
            _ => {}
        }
        if known != name {
            forgiven.notice.push(format!("`{name}` was taken as `{known}`"));
        }
        forgiven.args.insert(known.to_owned(), value);
    }
    Ok(forgiven)
}

/// The field of the tool that a name means.
fn known<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f str> {
    if let Some((known, _)) = fields.get_key_value(name) {
        return Some(known);
    }
    let is_path = |name: &str| PATH_NAMES.contains(&name);
    let path = fields.keys().find(|field| is_path(field));
    path.filter(|_| is_path(name)).map(String::as_str)
}

fn unknown(fields: &Map<String, Value>, name: &str) -> String {
    let shown: String = name.chars().take(40).collect();
    let shown = trilist::quote::printable(&shown).into_owned();
    let known: Vec<&str> = fields.keys().map(String::as_str).collect();
    format!("`{shown}` is no field of this tool and was left out; there are {}", known.join(", "))
}

fn put_right(kind: &Value, value: &Value) -> Value {
    let text = value.as_str().map(str::trim);
    let right = match (kind.as_str(), text) {
        (Some("integer"), Some(text)) => whole(text),
        (Some("integer"), None) => value.as_f64().and_then(|number| whole(&number.to_string())),
        (Some("boolean"), Some(text)) => match text.to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        (Some("array" | "object"), Some(text)) => {
            let parsed: Option<Value> = serde_json::from_str(text).ok();
            parsed.filter(|parsed| parsed.is_array() == (kind == "array") && !parsed.is_null())
        }
        _ => None,
    };
    right.unwrap_or_else(|| value.clone())
}

/// A whole number in decimal digits, with nothing but zeros behind a point.
fn whole(text: &str) -> Option<Value> {
    let (digits, zeros) = text.split_once('.').unwrap_or((text, "0"));
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let is_whole = unsigned.bytes().all(|byte| byte.is_ascii_digit())
        && !zeros.is_empty()
        && zeros.bytes().all(|byte| byte == b'0');
    let number = digits.parse::<i64>().ok().filter(|_| is_whole);
    number.map(Value::from)
}
