//! A model's arguments, from what it wrote to what a tool takes.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use trilist::ListError;
use trilist_compat::lenient::{Alias, Twice, Unknown, forgive_fields};

use crate::tools::aliases::aliases;

/// What a tool takes.
pub(crate) struct Fields {
    /// The schema of each.
    known: Map<String, Value>,
    /// The names that other tools have for them.
    aliases: Vec<Alias>,
}

impl Fields {
    /// The fields of a tool with this schema of its arguments.
    pub(crate) fn of(input: &Value) -> Fields {
        let known = input["properties"].as_object().cloned().unwrap_or_default();
        Fields { aliases: aliases(&known), known }
    }
}

/// A model's arguments, put right where they have one meaning.
pub(crate) struct Arguments {
    /// Each of its field's type, or why there can be no call with them.
    pub(crate) fields: Result<Map<String, Value>, ListError>,
    /// What was changed or left out.
    pub(crate) notices: Vec<String>,
}

impl Arguments {
    /// Those of a call that gives a field twice.
    pub(crate) fn twice(twice: Twice) -> Arguments {
        let other = format!("given under the name `{}` too, with another value", twice.other);
        let error = ListError::invalid(&twice.field, other, "give it once");
        Arguments { fields: Err(error), notices: twice.notices }
    }
}

/// Puts arguments right where they have one meaning and refuses those that have none: with the
/// field, what was given and what is right. With `strict` a field that the tool does not know is
/// refused too.
pub(crate) fn read(fields: &Fields, given: &Map<String, Value>) -> Arguments {
    let mut forgiven = match forgive_fields(&fields.known, &fields.aliases, given) {
        Ok(forgiven) => forgiven,
        Err(twice) => return Arguments::twice(twice),
    };
    let checked =
        forgiven.args.iter().try_for_each(|(name, value)| check(&fields.known[name], value, name));
    let is_strict = forgiven.args.shift_remove("strict") == Some(Value::Bool(true));
    let refused = match checked {
        Ok(()) if is_strict => unknown(&std::mem::take(&mut forgiven.unknown)),
        checked => checked.err(),
    };
    let notices = forgiven.notices();
    Arguments { fields: refused.map_or(Ok(forgiven.args), Err), notices }
}

/// The refusal of unknown fields.
fn unknown(fields: &[Unknown]) -> Option<ListError> {
    let first = fields.first()?;
    let mut right = first.right.clone().unwrap_or_else(|| "leave it out".to_owned());
    match fields.len() - 1 {
        0 => {}
        1 => right.push_str("; one more is unknown"),
        more => right.push_str(&format!("; {more} more are unknown")),
    }
    Some(ListError::invalid(&first.name, "no field of this tool", right))
}

/// The arguments as the type that their schema was made from.
///
/// # Errors
///
/// [`ListError::InvalidArgument`] when they are none after all.
pub(crate) fn typed<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, ListError> {
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| ListError::invalid("arguments", "not as it should be", error.to_string()))
}

/// Holds a value against its field's schema.
fn check(field: &Value, value: &Value, name: &str) -> Result<(), ListError> {
    let fits = match (field["type"].as_str().unwrap_or_default(), value) {
        ("integer", Value::Number(number)) => within(field, number),
        ("boolean", Value::Bool(_)) => true,
        ("string", Value::String(text)) => match field["enum"].as_array() {
            Some(words) => words.iter().any(|word| word == text),
            None => true,
        },
        ("array", Value::Array(items)) => {
            return items.iter().try_for_each(|item| check(&field["items"], item, name));
        }
        ("object", Value::Object(inner)) => {
            return inner.iter().try_for_each(|(key, value)| {
                check(&field["properties"][key], value, &format!("{name}.{key}"))
            });
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(ListError::invalid(name, value, expected(field))) }
}

fn within(field: &Value, number: &serde_json::Number) -> bool {
    let bound = |name: &str| field[name].as_i64().map(i128::from);
    let number = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    number.is_some_and(|number| {
        bound("minimum").is_none_or(|least| number >= least)
            && bound("maximum").is_none_or(|most| number <= most)
    })
}

fn expected(field: &Value) -> String {
    match field["type"].as_str().unwrap_or_default() {
        "integer" => match (field["minimum"].as_i64(), field["maximum"].as_i64()) {
            (Some(least), Some(most)) => {
                format!("it must be a whole number from {} to {}", grouped(least), grouped(most))
            }
            (Some(least), None) => format!("it must be a whole number of at least {least}"),
            _ => "it must be a whole number".to_owned(),
        },
        "boolean" => "it must be true or false".to_owned(),
        "string" => match field["enum"].as_array() {
            Some(words) => format!("it must be one of {}", in_backticks(words)),
            None => "it must be text".to_owned(),
        },
        "array" => format!("it must be a list; of each item, {}", expected(&field["items"])),
        _ => "it must be an object".to_owned(),
    }
}

fn in_backticks(words: &[Value]) -> String {
    let words = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`"));
    words.collect::<Vec<_>>().join(", ")
}

/// A number with a comma between thousands.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
