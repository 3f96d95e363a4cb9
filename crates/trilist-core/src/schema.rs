//! JSON Schemas of the contract, from the contract types themselves.

use crate::chat::ChatFiles;
use crate::{ErrorReply, Explanation, ListRequest, Page};
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schemas by file name: the request, the reply, the reply of a failed call, the files of a
/// chat session, and what explain says of a path.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("list_request.json", of::<ListRequest>()),
        ("list_reply.json", of::<Page>()),
        ("error_reply.json", of::<ErrorReply>()),
        ("chat_session.json", of::<ChatFiles>()),
        ("explanation.json", of::<Explanation>()),
    ]
}

/// The schema of one type of the wire.
pub fn of<T: schemars::JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    strip_formats(&mut schema);
    schema
}

/// Takes `"format": "uint32"` and its like away: they are no formats of JSON Schema, strict
/// clients refuse them, and the bounds stand beside them anyway.
fn strip_formats(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.get("format").and_then(Value::as_str).is_some_and(is_number_format) {
                fields.remove("format");
            }
            fields.values_mut().for_each(strip_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_formats),
        _ => {}
    }
}

fn is_number_format(format: &str) -> bool {
    format.starts_with("uint") || format.starts_with("int") || format == "double"
}
