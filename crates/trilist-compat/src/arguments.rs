//! Reading argument objects whose tools have no recorded words for what is wrong with them.

use serde_json::{Map, Value};

/// An object's fields, with what is wrong said in trilist's words.
pub(crate) struct Fields<'a> {
    fields: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(fields: &'a Map<String, Value>) -> Self {
        Fields { fields }
    }

    pub(crate) fn of(value: &'a Value, name: &str) -> Result<Self, String> {
        match value {
            Value::Object(fields) => Ok(Fields { fields }),
            other => Err(format!("`{name}` is {}, not an object", named(other))),
        }
    }

    /// The value itself.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name)
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.fields.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(name, other, "a string")),
        }
    }

    pub(crate) fn needed_text(&self, name: &str) -> Result<&'a str, String> {
        self.text(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    /// An absolute path of the host's. A relative one has no place to count from here, and taken
    /// from `/` it would open more than was meant.
    pub(crate) fn absolute(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.text(name)? {
            Some(path) if !path.starts_with('/') => {
                Err(wrong(name, &self.fields[name], "an absolute path"))
            }
            path => Ok(path),
        }
    }

    pub(crate) fn needed_absolute(&self, name: &str) -> Result<&'a str, String> {
        self.absolute(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    /// Text, or nothing where the field is absent or null.
    pub(crate) fn text_or_null(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.fields.get(name) {
            Some(Value::Null) => Ok(None),
            _ => self.text(name),
        }
    }

    pub(crate) fn flag(&self, name: &str, default: bool) -> Result<bool, String> {
        match self.fields.get(name) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong(name, other, "true or false")),
        }
    }

    /// A whole number, also one written as 2.0; what is too big for the type is its greatest.
    pub(crate) fn number(&self, name: &str, least: u64) -> Result<Option<u64>, String> {
        let Some(value) = self.fields.get(name) else { return Ok(None) };
        match whole(value) {
            None => Err(wrong(name, value, "a whole number")),
            Some(number) if number < i128::from(least) => {
                Err(wrong(name, value, &format!("at least {least}")))
            }
            Some(number) => Ok(Some(u64::try_from(number).unwrap_or(u64::MAX))),
        }
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let items = match self.fields.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(other) => return Err(wrong(name, other, "a list of strings")),
        };
        let texts = items.iter().map(|item| match item {
            Value::String(text) => Ok(text.clone()),
            other => Err(wrong(name, other, "a list of strings")),
        });
        texts.collect()
    }
}

fn whole(value: &Value) -> Option<i128> {
    let number = value.as_number()?;
    let float = || number.as_f64().filter(|float| float.fract() == 0.0).map(|float| float as i128);
    number.as_i128().or_else(float)
}

fn wrong(name: &str, value: &Value, right: &str) -> String {
    format!("`{name}` is {}; it must be {right}", named(value))
}

/// A value as messages name it: what it is, and short ones in full.
pub(crate) fn named(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.len() <= 40 => value.to_string(),
        Value::String(text) => format!("a string of {} bytes", text.len()),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
