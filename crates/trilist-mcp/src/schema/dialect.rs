//! How model APIs spell a tool.

use serde_json::{Map, Value, json};

use super::Definition;

/// A form in which tools are handed to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// As the Model Context Protocol announces them in `tools/list`.
    Mcp,
    /// Functions of OpenAI's Responses API, in strict mode: each field is required and may be
    /// null, which means absent.
    OpenAi,
    /// Tools of Anthropic's Messages API.
    Anthropic,
    /// Function declarations of the Gemini API, in its subset of OpenAPI.
    Gemini,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &[Dialect] =
        &[Dialect::Mcp, Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Mcp => "mcp",
            Dialect::OpenAi => "openai",
            Dialect::Anthropic => "anthropic",
            Dialect::Gemini => "gemini",
        }
    }

    pub(super) fn spell(self, tool: &Definition) -> Value {
        let (name, description) = (tool.name, tool.description);
        match self {
            Dialect::Mcp => {
                serde_json::to_value(tool.announced()).expect("a definition has string keys")
            }
            Dialect::OpenAi => json!({
                "type": "function",
                "name": name,
                "description": description,
                "parameters": strict(&tool.input),
                "strict": true,
            }),
            Dialect::Anthropic => {
                json!({ "name": name, "description": description, "input_schema": tool.input })
            }
            Dialect::Gemini => {
                json!({ "name": name, "description": description, "parameters": open_api(&tool.input) })
            }
        }
    }
}

/// Every field required; one that need not be given may be null.
fn strict(schema: &Value) -> Value {
    let mut out = schema.clone();
    let Some(properties) = schema["properties"].as_object() else { return out };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let fields = properties.iter().map(|(name, field)| {
        let field = strict(field);
        let is_required = required.iter().any(|required| required == name);
        (name.clone(), if is_required { field } else { or_null(field) })
    });
    out["properties"] = Value::Object(fields.collect());
    out["required"] = properties.keys().cloned().collect();
    out["additionalProperties"] = json!(false);
    out
}

fn or_null(mut field: Value) -> Value {
    field["type"] = json!([field["type"], "null"]);
    if let Some(names) = field.get_mut("enum").and_then(Value::as_array_mut) {
        names.push(Value::Null);
    }
    field
}

/// Only what that subset knows.
fn open_api(schema: &Value) -> Value {
    const KNOWN: &[&str] = &["type", "description", "enum", "minimum", "maximum", "required"];
    let mut out = Map::new();
    for (name, value) in schema.as_object().into_iter().flatten() {
        let value = match name.as_str() {
            "properties" => {
                let fields = value.as_object().into_iter().flatten();
                fields.map(|(name, field)| (name.clone(), open_api(field))).collect()
            }
            "items" => open_api(value),
            known if KNOWN.contains(&known) => value.clone(),
            _ => continue,
        };
        out.insert(name.clone(), value);
    }
    Value::Object(out)
}
