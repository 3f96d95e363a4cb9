//! Schemas that strict clients take: no references, no `null` beside another type, no formats of
//! numbers, names of an enumeration as one list.

use serde_json::{Map, Value, json};

/// The schema of a contract type made plain, without descriptions.
pub(crate) fn bare(schema: &Value) -> Value {
    let empty = Map::new();
    made_plain(schema, schema["$defs"].as_object().unwrap_or(&empty))
}

fn made_plain(schema: &Value, shared: &Map<String, Value>) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut out = Map::new();
    for (name, value) in fields {
        match name.as_str() {
            "$schema" | "$defs" | "title" | "format" | "default" | "description" => {}
            "$ref" => merge(&mut out, made_plain(referred(value, shared), shared)),
            "type" => drop(out.insert(name.clone(), without_null(value))),
            "anyOf" | "oneOf" | "allOf" => merge(&mut out, one_of(value, shared)),
            "properties" => drop(out.insert(name.clone(), each(value, shared))),
            "items" => drop(out.insert(name.clone(), made_plain(value, shared))),
            _ => drop(out.insert(name.clone(), value.clone())),
        }
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
pub(crate) fn without_nulls(mut value: Value) -> Value {
    drop_nulls_in(&mut value);
    value
}

/// Takes away the fields that are null, and what is null in the others; where they stand, since a
/// map made anew costs as much as the first one.
pub(crate) fn drop_nulls(fields: &mut Map<String, Value>) {
    fields.retain(|_, value| !value.is_null());
    fields.values_mut().for_each(drop_nulls_in);
}

fn drop_nulls_in(value: &mut Value) {
    match value {
        Value::Object(fields) => drop_nulls(fields),
        Value::Array(items) => items.iter_mut().for_each(drop_nulls_in),
        _ => {}
    }
}

/// The contract's types refer to nothing that is not there.
fn referred<'s>(reference: &Value, shared: &'s Map<String, Value>) -> &'s Value {
    let name = reference.as_str().and_then(|text| text.strip_prefix("#/$defs/"));
    name.and_then(|name| shared.get(name)).unwrap_or(&Value::Null)
}

fn merge(out: &mut Map<String, Value>, other: Value) {
    let Value::Object(other) = other else { return };
    for (name, value) in other {
        out.entry(name).or_insert(value);
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
    let mut others: Vec<Value> = all
        .filter(|alternative| alternative["type"] != "null")
        .map(|alternative| made_plain(alternative, shared))
        .collect();
    if others.len() == 1 {
        return others.remove(0);
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
