//! `list_roots`: where this server reads.

use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{Cancel, ErrorReply, ListError, Policy, quote};

use super::Tool;
use crate::answer::Answer;
use crate::arguments;
use crate::engine::Engine;
use crate::schema::plain::bare;
use crate::schema::{Definition, of_properties};

pub(super) struct ListRoots;

impl Tool for ListRoots {
    fn definition(&self, _: &Policy) -> Definition {
        let root = json!({ "path": { "type": "string" }, "available": { "type": "boolean" } });
        let root = of_properties(fields(root), &["path", "available"]);
        let notices = json!({ "type": "array", "items": { "type": "string" } });
        let output = json!({
            "roots": { "type": "array", "items": root },
            "notices": notices,
            "error": bare(&of::<ErrorReply>()),
        });
        Definition {
            name: "list_roots",
            title: "List the roots",
            description: "Lists the directories that this server may read below. Relative paths \
                          start at the first.",
            input: of_properties(Map::new(), &[]),
            output: Some(of_properties(fields(output), &[])),
        }
    }

    fn call(
        &self,
        definition: &Definition,
        engine: &Engine,
        args: Map<String, Value>,
        _: &Cancel,
    ) -> Result<Answer, ListError> {
        let arguments = arguments::read(&definition.input, &args)?;
        let (mut text, mut roots) = (String::new(), Vec::new());
        for root in engine.lister.roots() {
            let path = quote::shown(root.path.as_os_str().as_bytes()).into_owned();
            let mark = if root.available { "" } else { " [unavailable]" };
            text.push_str(&format!("{path}{mark}\n"));
            roots.push(json!({ "path": path, "available": root.available }));
        }
        let mut structured = fields(json!({ "roots": roots }));
        for notice in &arguments.notices {
            text.push_str(&format!("Notice: {notice}\n"));
        }
        if !arguments.notices.is_empty() {
            structured.insert("notices".to_owned(), json!(arguments.notices));
        }
        Ok(Answer::of(text, structured))
    }
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
