//! The tools' definitions, in the forms that model APIs and hosts take.
//!
//! ```
//! use trilist_mcp::schema::{Dialect, definitions};
//!
//! let tools = definitions(Dialect::Anthropic);
//! assert_eq!(tools[0]["name"], "list_dir");
//! assert!(tools[0]["input_schema"]["properties"]["mode"].is_object());
//! ```

mod dialect;
pub(crate) mod plain;

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Announced, ToolAnnotations};
use serde_json::{Map, Value, json};
use trilist::Policy;

use crate::tools;
pub use dialect::Dialect;

/// What a model and its host are told of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// A JSON Schema without references, of an object.
    pub(crate) input: Value,
    /// The same of the structured answer; none for tools that answer in text alone.
    pub(crate) output: Option<Value>,
}

impl Definition {
    /// As the protocol announces it.
    pub(crate) fn announced(&self) -> Announced {
        let hints = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        let tool = Announced::new(self.name, self.description, object(&self.input))
            .with_title(self.title)
            .with_annotations(hints);
        match &self.output {
            Some(output) => tool.with_raw_output_schema(object(output)),
            None => tool,
        }
    }
}

fn object(schema: &Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

/// The definitions of trilist's own tools, as a list that can be put into a request.
pub fn definitions(dialect: Dialect) -> Value {
    let tools = tools::native(&Policy::default());
    let list = tools.iter().map(|(definition, _)| dialect.spell(definition)).collect();
    match dialect {
        // There, one entry of the list holds all functions.
        Dialect::Gemini => json!([{ "functionDeclarations": Value::Array(list) }]),
        _ => Value::Array(list),
    }
}

/// The definitions as files: the name under `schemas/`, and the contents.
pub fn files() -> Vec<(String, Value)> {
    let named =
        |dialect: &Dialect| (format!("tools.{}.json", dialect.name()), definitions(*dialect));
    Dialect::ALL.iter().map(named).collect()
}

/// An object's schema with these properties, in their order, and no others.
pub(crate) fn of_properties(properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}
