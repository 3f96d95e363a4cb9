//! Values in the form that a schema asks for.

use serde_json::Value;
use trilist::quote;

/// A value in the form of the field's type, where it has one meaning.
pub(super) fn put_right(field: &Value, given: &Value) -> Value {
    let kind = field["type"].as_str().unwrap_or_default();
    let text = given.as_str().map(str::trim);
    let right = match (kind, text) {
        ("integer", Some(text)) => whole(text),
        ("integer", None) if given.is_f64() => {
            given.as_f64().and_then(|number| whole(&number.to_string()))
        }
        ("boolean", Some(_)) => truth(given).map(Value::Bool),
        ("array" | "object", Some(text)) => parsed(kind, text),
        _ => None,
    };
    match (right, given) {
        (Some(right), _) => right,
        // One text where a list of texts belongs.
        (None, Value::String(_)) if kind == "array" && field["items"]["type"] == "string" => {
            Value::Array(vec![given.clone()])
        }
        _ => given.clone(),
    }
}

/// True or false, also as text.
pub(super) fn truth(given: &Value) -> Option<bool> {
    let text = match given {
        Value::Bool(truth) => return Some(*truth),
        Value::String(text) => text.trim(),
        _ => return None,
    };
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("true") { Some(true) } else { is("false").then_some(false) }
}

/// JSON text of a list or an object.
fn parsed(kind: &str, text: &str) -> Option<Value> {
    let parsed: Value = serde_json::from_str(text).ok()?;
    let fits = if kind == "array" { parsed.is_array() } else { parsed.is_object() };
    fits.then_some(parsed)
}

/// A whole number in decimal digits, with nothing but zeros behind a point.
fn whole(text: &str) -> Option<Value> {
    let (digits, zeros) = text.split_once('.').unwrap_or((text, "0"));
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let is_whole = unsigned.bytes().all(|byte| byte.is_ascii_digit())
        && !zeros.is_empty()
        && zeros.bytes().all(|byte| byte == b'0');
    if !is_whole {
        return None;
    }
    let signed = digits.parse::<i64>().map(Value::from);
    signed.or_else(|_| digits.parse::<u64>().map(Value::from)).ok()
}

/// A path, also as a `file:` address on this machine.
pub(super) fn path(given: &Value) -> Value {
    let Some(address) = given.as_str().and_then(|text| text.trim().strip_prefix("file://")) else {
        return given.clone();
    };
    let path = address.strip_prefix("localhost").unwrap_or(address);
    // Another host's file is no path here: it stays as it is and is not found.
    match decoded(path).filter(|path| path.first() == Some(&b'/')) {
        Some(bytes) => Value::String(quote::shown(&bytes).into_owned()),
        None => given.clone(),
    }
}

/// The bytes that a percent-encoded text means; none if it is not one.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let code = digit()? * 16 + digit()?;
        bytes.push(u8::try_from(code).ok()?);
    }
    Some(bytes)
}
