//! A check of values against their JSON Schema: the keywords that ours use, and no other.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The value as it is sent is what the schema of its type describes.
#[track_caller]
pub(crate) fn check_schema<T: JsonSchema + Serialize>(value: &T) {
    let schema = serde_json::to_value(schemars::schema_for!(T)).unwrap();
    let value = serde_json::to_value(value).unwrap();
    let checker = Checker { definitions: schema.get("$defs").cloned().unwrap_or_default() };
    if let Err(fault) = checker.check(&schema, &value) {
        panic!("{fault}\nin {value:#}");
    }
}

struct Checker {
    definitions: Value,
}

impl Checker {
    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Object(schema) => schema,
            _ => return Err(format!("nothing is allowed in place of {value}")),
        };
        schema.iter().try_for_each(|(keyword, rule)| self.keyword(schema, keyword, rule, value))
    }

    fn keyword(
        &self,
        schema: &Map<String, Value>,
        keyword: &str,
        rule: &Value,
        value: &Value,
    ) -> Result<(), String> {
        let fits = match keyword {
            "$schema" | "$defs" | "title" | "description" | "default" => true,
            "format" => in_format(rule.as_str().unwrap(), value),
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                return self.check(&self.definitions[name], value);
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|one| is_of_type(one, value)),
                one => is_of_type(one, value),
            },
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "anyOf" | "oneOf" => {
                let schemas = rule.as_array().unwrap();
                let fitting = schemas.iter().filter(|one| self.check(one, value).is_ok()).count();
                fitting == 1 || (keyword == "anyOf" && fitting > 1)
            }
            "items" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice);
                return items.iter().try_for_each(|item| self.check(rule, item));
            }
            "required" => rule
                .as_array()
                .unwrap()
                .iter()
                .all(|name| value.get(name.as_str().unwrap()).is_some()),
            "properties" => return self.properties(rule, value),
            "additionalProperties" => {
                assert_eq!(rule, &json!(false));
                let known = schema["properties"].as_object().unwrap();
                value
                    .as_object()
                    .is_none_or(|fields| fields.keys().all(|key| known.contains_key(key)))
            }
            other => panic!("this check does not know the keyword `{other}`"),
        };
        if fits { Ok(()) } else { Err(format!("{value} does not fit {keyword}: {rule}")) }
    }

    fn properties(&self, rule: &Value, value: &Value) -> Result<(), String> {
        for (name, schema) in rule.as_object().unwrap() {
            if let Some(field) = value.get(name) {
                self.check(schema, field).map_err(|fault| format!("{name}: {fault}"))?;
            }
        }
        Ok(())
    }
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no JSON type is called `{other}`"),
    }
}

fn in_format(format: &str, value: &Value) -> bool {
    match (format, value.as_u64()) {
        ("uint32", Some(number)) => u32::try_from(number).is_ok(),
        ("uint64", Some(_)) => true,
        ("uint32" | "uint64", None) => !value.is_number(),
        (other, _) => panic!("this check does not know the format `{other}`"),
    }
}

#[derive(Serialize, JsonSchema)]
struct Loose {
    number: Option<u32>,
}

#[test]
#[should_panic(expected = "does not fit")]
fn the_check_sees_a_wrong_value() {
    let schema = serde_json::to_value(schemars::schema_for!(Loose)).unwrap();
    let checker = Checker { definitions: Value::Null };
    checker.check(&schema, &json!({ "number": 7 })).unwrap();
    checker.check(&schema, &json!({ "number": "7" })).unwrap();
}
