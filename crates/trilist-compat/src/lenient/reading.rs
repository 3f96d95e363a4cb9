//! Other tools' names for a field, and what their values mean there.

use serde_json::{Value, json};

use super::{Twice, value};

/// Another tool's name for a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Alias {
    /// The other name; `a.b` is the field `b` of an object `a`.
    pub other: &'static str,
    /// The field that it means; `a.b` is the field `b` of an object `a`.
    pub field: String,
    /// What its value means there.
    pub reading: Reading,
}

/// How a value of another tool is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// It is the value.
    Same,
    /// The name is the field's own, but a list of globs stands where an object belongs.
    ListForObject,
    /// True means that many levels, false means one; a depth beside it only has to agree.
    Levels(u32),
    /// True means a list of this text, false says nothing.
    ListIf(&'static str),
    /// This text means that one; any other is the field's own.
    Word(&'static str, &'static str),
}

impl Alias {
    /// A name whose value is the field's.
    pub fn same(other: &'static str, field: impl Into<String>) -> Alias {
        Alias { other, field: field.into(), reading: Reading::Same }
    }

    /// Whether an argument is read by this row.
    pub(super) fn takes_over(&self, name: &str, given: &Value) -> bool {
        let is_own_form = match self.reading {
            Reading::ListForObject => given_list(given).is_none(),
            Reading::Word(other, _) => given.as_str().map(str::trim) != Some(other),
            _ => false,
        };
        self.other == name && !is_own_form
    }

    pub(super) fn twice(&self) -> Twice {
        Twice { field: self.field.clone(), other: self.other.to_owned(), notices: Vec::new() }
    }
}

impl Reading {
    /// The value that is meant, if the given one says anything.
    pub(super) fn value(self, given: &Value) -> Option<Value> {
        match self {
            Reading::Same => Some(given.clone()),
            Reading::ListForObject => given_list(given),
            Reading::Levels(levels) => match value::truth(given) {
                Some(true) => Some(json!(levels)),
                Some(false) => Some(json!(1)),
                None => Some(given.clone()),
            },
            Reading::ListIf(text) => match value::truth(given) {
                Some(true) => Some(json!([text])),
                Some(false) => None,
                None => Some(given.clone()),
            },
            Reading::Word(_, own) => Some(json!(own)),
        }
    }

    /// Whether the given value and the field's own can both be meant.
    pub(super) fn agrees(self, given: &Value, field: &Value, meant: &Value) -> bool {
        match (self, value::truth(given)) {
            (Reading::Levels(_), Some(true)) => *field != json!(1),
            _ => field == meant,
        }
    }
}

/// A list, also as JSON text.
fn given_list(given: &Value) -> Option<Value> {
    match given {
        Value::Array(_) => Some(given.clone()),
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_array),
        _ => None,
    }
}
