//! JSON Schemas of the contract, from the contract types themselves.

use schemars::generate::SchemaSettings;
use serde_json::Value;
use trilist_core::{ErrorReply, ListRequest, Page};

/// The schemas by file name: the request, the reply, and the reply of a failed call.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("list_request.json", schema::<ListRequest>()),
        ("list_reply.json", schema::<Page>()),
        ("error_reply.json", schema::<ErrorReply>()),
    ]
}

fn schema<T: schemars::JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}
