//! Forgiving what has one meaning, for tools that are served to models.
//!
//! Conformance never does this: the recorded programs refuse. A host that serves a contract puts a
//! model's arguments through [`forgive`] first, and shows its notices beside the reply's. What is
//! forgiven is told by the tool's schema; [`forgive_fields`] does it for any schema, with a table
//! of the names and forms that other tools use.

mod reading;
mod value;

use std::fmt;

use serde_json::{Map, Value};
use trilist::quote;

use crate::Tool;
pub use reading::{Alias, Reading};

/// The names under which models give the directory.
pub const PATH_NAMES: &[&str] =
    &["path", "dir_path", "directory", "directory_path", "target_directory"];

/// How many unknown fields are named one by one.
const MOST_NAMED: usize = 5;

/// A model's arguments, put right.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forgiven {
    /// The arguments as the tool takes them.
    pub args: Map<String, Value>,
    /// What was changed or left out.
    pub notice: Vec<String>,
    /// The fields that the tool does not know, as they were given; the notice names the first
    /// five.
    pub unknown: Vec<String>,
}

/// A field that is given under two names with two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twice {
    /// The tool's own name for it.
    pub field: String,
    /// The other name, or once more the field's.
    pub other: String,
}

impl fmt::Display for Twice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Twice { field, other } = self;
        write!(f, "`{field}` is given twice, as `{other}` too, with two values")
    }
}

impl std::error::Error for Twice {}

/// Puts a model's arguments right where they have one meaning: null for an absent field, a number
/// or a truth value or a list given as text, 3.0 for 3, a `file:` address for a path, and another
/// tool's name for the directory. A field that the tool does not know is left out and told.
/// Everything else stays as it is, for the tool to judge.
///
/// # Errors
///
/// When the directory is given under two names with two values.
pub fn forgive(tool: Tool, args: &Map<String, Value>) -> Result<Forgiven, Twice> {
    let schema = tool.schema();
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let path = fields.keys().find(|field| PATH_NAMES.contains(&field.as_str()));
    let names = PATH_NAMES.iter().filter(|name| path.is_some_and(|path| path != **name));
    let same = |other: &&'static str| path.map(|path| Alias::same(other, path.clone()));
    let aliases: Vec<Alias> = names.filter_map(same).collect();
    forgive_fields(&fields, &aliases, args)
}

/// As [`forgive`], for the fields of any schema. `fields` are the schema's properties, without
/// references; an alias may lead into an object, as `ignore.git`.
///
/// # Errors
///
/// When a field is given twice with two values.
pub fn forgive_fields(
    fields: &Map<String, Value>,
    aliases: &[Alias],
    args: &Map<String, Value>,
) -> Result<Forgiven, Twice> {
    let mut forgiven = Forgiven::default();
    // What bears the right name comes first: an alias is then held against it.
    for (name, given) in args.iter().filter(|(_, value)| !value.is_null()) {
        if let Some(field) = fields.get(name)
            && !aliases.iter().any(|alias| alias.takes_over(name, given))
        {
            let right = put_right(name, field, given, &mut forgiven);
            forgiven.args.insert(name.clone(), right);
        }
    }
    for (name, given) in args.iter().filter(|(_, value)| !value.is_null()) {
        if let Some(alias) = aliases.iter().find(|alias| alias.takes_over(name, given)) {
            take(fields, alias, given, &mut forgiven)?;
        } else if let Some((alias, inner)) = inside(aliases, name, given) {
            take_inner(fields, aliases, (alias, inner), &mut forgiven)?;
        } else if !fields.contains_key(name) {
            leave_out(fields, name, name, &mut forgiven);
        }
    }
    told(&mut forgiven);
    Ok(forgiven)
}

/// An object of another tool whose fields have other places here.
fn inside<'v>(
    aliases: &[Alias],
    name: &str,
    given: &'v Value,
) -> Option<(String, &'v Map<String, Value>)> {
    let prefix = format!("{name}.");
    let inner = given.as_object()?;
    aliases.iter().any(|alias| alias.other.starts_with(&prefix)).then_some((prefix, inner))
}

fn take_inner(
    fields: &Map<String, Value>,
    aliases: &[Alias],
    (prefix, inner): (String, &Map<String, Value>),
    forgiven: &mut Forgiven,
) -> Result<(), Twice> {
    for (name, given) in inner.iter().filter(|(_, value)| !value.is_null()) {
        let full = format!("{prefix}{name}");
        match aliases.iter().find(|alias| alias.other == full) {
            Some(alias) => take(fields, alias, given, forgiven)?,
            None => leave_out(fields, &full, name, forgiven),
        }
    }
    Ok(())
}

/// Takes a value that bears another tool's name.
fn take(
    fields: &Map<String, Value>,
    alias: &Alias,
    given: &Value,
    forgiven: &mut Forgiven,
) -> Result<(), Twice> {
    let Some(meant) = alias.reading.value(given) else { return Ok(()) };
    let (outer, inner) = match alias.field.split_once('.') {
        Some((outer, inner)) => (outer, Some(inner)),
        None => (alias.field.as_str(), None),
    };
    let Some(mut field) = fields.get(outer) else { return Ok(()) };
    let mut place = &mut forgiven.args;
    if let Some(inner) = inner {
        let nested = place.entry(outer).or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(nested) = nested else { return Err(alias.twice()) };
        (place, field) = (nested, &field["properties"][inner]);
    }
    let key = inner.unwrap_or(outer);
    let right = in_form(key, field, &meant);
    match place.get(key) {
        Some(other) if !alias.reading.agrees(given, other, &right) => return Err(alias.twice()),
        Some(_) => {}
        None => drop(place.insert(key.to_owned(), right)),
    }
    if alias.other != alias.field {
        forgiven.notice.push(format!("`{}` was taken as `{}`", alias.other, alias.field));
    }
    Ok(())
}

/// A value of the right name in the right form; within an object, field by field.
fn put_right(name: &str, field: &Value, given: &Value, forgiven: &mut Forgiven) -> Value {
    let given = in_form(name, field, given);
    let (Value::Object(given), Some(fields)) = (&given, field["properties"].as_object()) else {
        return given;
    };
    let mut right = Map::new();
    for (inner, value) in given.iter().filter(|(_, value)| !value.is_null()) {
        match fields.get(inner) {
            Some(field) => drop(right.insert(inner.clone(), value::put_right(field, value))),
            None => leave_out(fields, &format!("{name}.{inner}"), inner, forgiven),
        }
    }
    Value::Object(right)
}

fn in_form(name: &str, field: &Value, given: &Value) -> Value {
    if PATH_NAMES.contains(&name) { value::path(given) } else { value::put_right(field, given) }
}

/// Leaves a field out; `name` is what the known ones are compared with.
fn leave_out(fields: &Map<String, Value>, full: &str, name: &str, forgiven: &mut Forgiven) {
    let shown: String = full.chars().take(40).collect();
    let shown = quote::printable(&shown).into_owned();
    if forgiven.unknown.len() < MOST_NAMED {
        let near = match (nearest(fields, name), full.strip_suffix(name)) {
            (Some(near), Some(prefix)) => format!("; the nearest is `{prefix}{near}`"),
            _ => String::new(),
        };
        let text = format!("`{shown}` is no field of this tool and was left out{near}");
        forgiven.notice.push(text);
    }
    forgiven.unknown.push(shown);
}

fn told(forgiven: &mut Forgiven) {
    let untold = forgiven.unknown.len().saturating_sub(MOST_NAMED);
    if untold > 0 {
        forgiven.notice.push(format!("{untold} more unknown fields were left out"));
    }
}

/// The field that a name resembles most.
fn nearest<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f str> {
    let name: String = name.chars().take(64).flat_map(char::to_lowercase).collect();
    let likeness = |field: &&String| strsim::normalized_damerau_levenshtein(field, &name);
    fields.keys().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).map(String::as_str)
}
