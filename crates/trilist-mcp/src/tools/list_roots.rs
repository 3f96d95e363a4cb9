//! `list_roots`: where this server reads.

use std::os::unix::ffi::OsStrExt as _;

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{Cancel, ErrorReply, ListError, quote};

use super::{Setting, Tool};
use crate::answer::Answer;
use crate::engine::Engine;
use crate::schema::plain::bare;
use crate::schema::{Definition, of_properties};
use crate::workers::Weight;

const NAME: &str = "list_roots";

pub(super) struct ListRoots;

impl Tool for ListRoots {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self, _: &Setting<'_>) -> Definition {
        let root = json!({ "path": { "type": "string" }, "available": { "type": "boolean" } });
        let root = of_properties(fields(root), &["path", "available"]);
        let notices = json!({ "type": "array", "items": { "type": "string" } });
        let output = json!({
            "roots": { "type": "array", "items": root },
            "notices": notices,
            "error": bare(&of::<ErrorReply>()),
        });
        Definition {
            name: NAME,
            title: "List the roots",
            description: "Lists the directories that this server may read below. Relative paths \
                          start at the first.",
            input: of_properties(Map::new(), &[]),
            output: Some(of_properties(fields(output), &[])),
        }
    }

    /// Of each root no more is asked than whether it is there.
    fn weight(&self, _: &Map<String, Value>) -> Weight {
        Weight::Quick
    }

    fn call(
        &self,
        engine: &Engine,
        _: Map<String, Value>,
        _: &Cancel,
    ) -> Result<Answer, ListError> {
        let (mut text, mut roots) = (String::new(), Vec::new());
        for root in engine.lister.roots() {
            let path = quote::shown(root.path.as_os_str().as_bytes()).into_owned();
            let mark = if root.available { "" } else { " [unavailable]" };
            text.push_str(&format!("{path}{mark}\n"));
            roots.push(json!({ "path": path, "available": root.available }));
        }
        Ok(Answer::of(text, fields(json!({ "roots": roots }))))
    }
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
