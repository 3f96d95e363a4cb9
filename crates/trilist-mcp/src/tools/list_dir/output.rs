//! The structured answer: the reply, with its rows once, in the form of the view.

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{ErrorReply, Overview, Page, View, render};

use crate::schema::plain::{bare, drop_nulls};

/// What a page with these rows is as structure. Absent is what is not known.
pub(super) fn structured(mut page: Page, view: View, rows: String) -> Map<String, Value> {
    if view == View::Entries {
        return fields(&page, None);
    }
    page.entries = Vec::new();
    match view {
        View::Paths => fields(&page, Some(("entries", "paths", rows.lines().collect()))),
        _ => fields(&page, Some(("entries", "tree", Value::from(rows)))),
    }
}

/// The same of an overview.
pub(super) fn overview(mut overview: Overview) -> Map<String, Value> {
    let rows = render::overview_rows(&overview);
    overview.rows = Vec::new();
    fields(&overview, Some(("rows", "tree", Value::from(rows))))
}

/// A reply's fields, with rows in the place of those that it had, under another name.
fn fields(
    reply: &impl serde::Serialize,
    rows: Option<(&'static str, &'static str, Value)>,
) -> Map<String, Value> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(reply) else { return Map::new() };
    drop_nulls(&mut fields);
    if let Some((field, name, rows)) = rows {
        let place = fields.keys().position(|key| key == field).unwrap_or(fields.len());
        fields.shift_remove(field);
        fields.shift_insert(place, name.to_owned(), rows);
    }
    fields
}

/// The schema of both.
pub(super) fn schema() -> Value {
    let mut schema = bare(&of::<Page>());
    let overview = bare(&of::<Overview>());
    let text = json!({ "type": "string" });
    let more = [
        ("tree", text.clone()),
        ("paths", json!({ "type": "array", "items": text })),
        ("hidden", overview["properties"]["hidden"].clone()),
        ("counts", overview["properties"]["counts"].clone()),
    ];
    for (name, field) in more {
        schema["properties"][name] = field;
    }
    or_error(schema)
}

/// A failed call has `error` alone, so that nothing is required.
pub(in crate::tools) fn or_error(mut schema: Value) -> Value {
    schema["properties"]["error"] = bare(&of::<ErrorReply>());
    if let Value::Object(fields) = &mut schema {
        fields.shift_remove("required");
        fields.insert("additionalProperties".to_owned(), json!(false));
    }
    schema
}
