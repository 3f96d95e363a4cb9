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
/// How many fields a tool has at most whose names are all given to whoever gives an unknown one.
const FEW_FIELDS: usize = 4;
/// The longest name, in letters, that is compared with those of fields.
const LONGEST_COMPARED: usize = 64;

/// A model's arguments, put right.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forgiven {
    /// The arguments as the tool takes them.
    pub args: Map<String, Value>,
    /// Which other names were taken for the tool's own.
    pub taken: Vec<String>,
    /// The fields that the tool does not know; they are not among the arguments.
    pub unknown: Vec<Unknown>,
}

impl Forgiven {
    /// What is to be said of the arguments: what was taken for something else, and what was left
    /// out; of the latter the first five are named.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = self.taken.clone();
        notices.extend(self.unknown.iter().take(MOST_NAMED).map(|unknown| {
            let right = unknown.right.as_ref().map(|right| format!("; {right}"));
            let right = right.unwrap_or_default();
            format!("`{}` is no field of this tool and was left out{right}", unknown.name)
        }));
        let untold = self.unknown.len().saturating_sub(MOST_NAMED);
        if untold > 0 {
            let (fields, were) = if untold == 1 { ("field", "was") } else { ("fields", "were") };
            notices.push(format!("{untold} more unknown {fields} {were} left out"));
        }
        notices
    }
}

/// A field that a tool does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The name as it was given, fit to be shown, cut after 40 letters.
    pub name: String,
    /// What is right: the field that it resembles, or the few that there are. None where nothing
    /// comes near, and for those that the notices do not name.
    pub right: Option<String>,
}

/// A field that is given under two names with two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twice {
    /// The tool's own name for it.
    pub field: String,
    /// The other name, or once more the field's.
    pub other: String,
    /// What is to be said of the other arguments, as [`Forgiven::notices`].
    pub notices: Vec<String>,
}

impl fmt::Display for Twice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Twice { field, other, .. } = self;
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
    let mut twice = None;
    for (name, given) in args.iter().filter(|(_, value)| !value.is_null()) {
        let taken = take_other(fields, aliases, (name, given), &mut forgiven);
        twice = twice.or(taken.err());
    }
    match twice {
        Some(twice) => Err(Twice { notices: forgiven.notices(), ..twice }),
        None => Ok(forgiven),
    }
}

/// What to say of the fields that a tool does not know, where its schema allows no others. They
/// count for nothing.
pub(crate) fn unknown(tool: Tool, args: &Map<String, Value>) -> Vec<String> {
    let schema = tool.schema();
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let mut left_out = Forgiven::default();
    if schema["additionalProperties"] == Value::Bool(false) {
        for name in args.keys().filter(|name| !fields.contains_key(*name)) {
            leave_out(&fields, name, name, &mut left_out);
        }
    }
    left_out.notices()
}

/// Takes what does not bear the right name: by another tool's, or not at all.
fn take_other(
    fields: &Map<String, Value>,
    aliases: &[Alias],
    (name, given): (&str, &Value),
    forgiven: &mut Forgiven,
) -> Result<(), Twice> {
    if let Some(alias) = aliases.iter().find(|alias| alias.takes_over(name, given)) {
        return take(fields, alias, given, forgiven);
    }
    if let Some((alias, inner)) = inside(aliases, name, given) {
        return take_inner(fields, aliases, (alias, inner), forgiven);
    }
    if !fields.contains_key(name) {
        leave_out(fields, name, name, forgiven);
    }
    Ok(())
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
        forgiven.taken.push(format!("`{}` was taken as `{}`", alias.other, alias.field));
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
    let prefix = full.strip_suffix(name).unwrap_or_default();
    let is_named = forgiven.unknown.len() < MOST_NAMED;
    forgiven.unknown.push(Unknown {
        name: quote::printable(&shown).into_owned(),
        right: if is_named { right(fields, prefix, name) } else { None },
    });
}

/// What is right in the place of an unknown field.
fn right(fields: &Map<String, Value>, prefix: &str, name: &str) -> Option<String> {
    if let Some(near) = nearest(fields, name) {
        return Some(format!("the nearest is `{prefix}{near}`"));
    }
    let all: Vec<String> = fields.keys().map(|field| format!("`{prefix}{field}`")).collect();
    match &all[..] {
        [] => Some("it takes none".to_owned()),
        [only] => Some(format!("there is only {only}")),
        few if few.len() <= FEW_FIELDS => Some(format!("there are {}", few.join(", "))),
        _ => None,
    }
}

/// The field that a name resembles most, if any is near enough to be meant.
fn nearest<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f str> {
    if name.chars().count() > LONGEST_COMPARED {
        return None;
    }
    let name = name.to_lowercase();
    let far = |field: &'f String| Some((distance(field, &name)?, field.as_str()));
    fields.keys().filter_map(far).min_by_key(|(edits, _)| *edits).map(|(_, field)| field)
}

/// How far a field is from a name, when it is near enough to be meant: one letter in three may
/// differ, and one of the shortest names, or one starts or ends with the other.
fn distance(field: &str, name: &str) -> Option<usize> {
    let letters = field.chars().count().max(name.chars().count());
    let edits = strsim::damerau_levenshtein(field, name);
    let (long, short) = if field.len() > name.len() { (field, name) } else { (name, field) };
    let is_part = short.len() > 2 && (long.starts_with(short) || long.ends_with(short));
    (edits <= (letters / 3).max(1) || is_part).then_some(edits)
}
