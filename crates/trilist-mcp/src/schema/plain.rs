//! Schemas that strict clients take: no references, no `null` beside another type, no formats of
//! numbers, names of an enumeration as one list.

use serde_json::{Map, Value, json};

/// The schema of a contract type, made plain.
fn plain(schema: &Value) -> Value {
    let empty = Map::new();
    let shared = schema["$defs"].as_object().unwrap_or(&empty);
    made_plain(schema, shared)
}

fn made_plain(schema: &Value, shared: &Map<String, Value>) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut out = Map::new();
    for (name, value) in fields {
        match name.as_str() {
            "$schema" | "$defs" | "title" | "format" | "default" => {}
            "$ref" => merge(&mut out, &made_plain(referred(value, shared), shared)),
            "type" => drop(out.insert(name.clone(), without_null(value))),
            "anyOf" | "oneOf" | "allOf" => merge(&mut out, &one_of(value, shared)),
            "properties" => drop(out.insert(name.clone(), each(value, shared))),
            "items" => drop(out.insert(name.clone(), made_plain(value, shared))),
            // A type's own description gives way to that of the field.
            "description" => drop(out.insert(name.clone(), one_line(value))),
            _ => drop(out.insert(name.clone(), value.clone())),
        }
    }
    if let Some(description) = fields.get("description") {
        out.insert("description".to_owned(), one_line(description));
    }
    need_not_be_null(&mut out, fields);
    Value::Object(out)
}

/// What may be null is left out instead, so it is not required.
fn need_not_be_null(out: &mut Map<String, Value>, fields: &Map<String, Value>) {
    let Some(required) = out.get_mut("required").and_then(Value::as_array_mut) else { return };
    let properties = fields.get("properties").unwrap_or(&Value::Null);
    required.retain(|name| !name.as_str().is_some_and(|name| may_be_null(&properties[name])));
    if required.is_empty() {
        out.shift_remove("required");
    }
}

fn may_be_null(field: &Value) -> bool {
    let has_null =
        |kinds: &Value| kinds.as_array().is_some_and(|all| all.iter().any(|k| k == "null"));
    let alternatives = field.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    has_null(&field["type"]) || alternatives.clone().any(|one| one["type"] == "null")
}

/// A value without what is null in it.
pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// The schema of a contract type made plain, without descriptions.
pub(crate) fn bare(schema: &Value) -> Value {
    let mut schema = plain(schema);
    undescribed(&mut schema);
    schema
}

/// The contract's types refer to nothing that is not there.
fn referred<'s>(reference: &Value, shared: &'s Map<String, Value>) -> &'s Value {
    let name = reference.as_str().and_then(|text| text.strip_prefix("#/$defs/"));
    name.and_then(|name| shared.get(name)).unwrap_or(&Value::Null)
}

fn merge(out: &mut Map<String, Value>, other: &Value) {
    for (name, value) in other.as_object().into_iter().flatten() {
        out.entry(name).or_insert_with(|| value.clone());
    }
}

fn each(properties: &Value, shared: &Map<String, Value>) -> Value {
    let properties = properties.as_object().into_iter().flatten();
    properties.map(|(name, field)| (name.clone(), made_plain(field, shared))).collect()
}

fn without_null(kind: &Value) -> Value {
    match kind.as_array().map(Vec::as_slice) {
        Some([kind, null]) | Some([null, kind]) if null == "null" => kind.clone(),
        _ => kind.clone(),
    }
}

/// The one alternative that there is beside null, or a list of names.
fn one_of(alternatives: &Value, shared: &Map<String, Value>) -> Value {
    let all = alternatives.as_array().into_iter().flatten();
    let others: Vec<Value> = all
        .filter(|alternative| alternative["type"] != "null")
        .map(|alternative| made_plain(alternative, shared))
        .collect();
    if let [only] = &others[..] {
        return only.clone();
    }
    let mut names = Vec::new();
    for alternative in &others {
        match (alternative.get("const"), alternative.get("enum")) {
            (Some(name), _) => names.push(name.clone()),
            (_, Some(Value::Array(more))) => names.extend_from_slice(more),
            _ => return json!({ "anyOf": others }),
        }
    }
    json!({ "type": "string", "enum": names })
}

/// Doc comments are broken into lines.
fn one_line(text: &Value) -> Value {
    match text.as_str() {
        Some(text) => Value::from(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        None => text.clone(),
    }
}

/// Takes all descriptions away.
fn undescribed(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("description").is_some_and(Value::is_string) {
                fields.shift_remove("description");
            }
            fields.values_mut().for_each(undescribed);
        }
        Value::Array(items) => items.iter_mut().for_each(undescribed),
        _ => {}
    }
}
