//! Other programs' tools, under their own names.

use serde_json::{Map, Value};
use trilist::{Cancel, ListError};
use trilist_compat::{Tool as Contract, lenient};

use super::{Setting, Tool};
use crate::answer::Answer;
use crate::arguments::{Arguments, Fields};
use crate::engine::Engine;
use crate::schema::Definition;
use crate::workers::Weight;

/// The tool of one program.
pub(super) struct Profile(pub(super) Contract);

/// The name that a contract's tool is announced under. Aider's is a command with a slash, which is
/// no name for a tool.
pub(super) fn name(contract: Contract) -> &'static str {
    contract.facts().registered_as.trim_start_matches('/')
}

impl Tool for Profile {
    fn name(&self) -> &'static str {
        name(self.0)
    }

    fn definition(&self, _: &Setting<'_>) -> Definition {
        Definition {
            name: name(self.0),
            title: "List a directory",
            description: self.0.description(),
            input: self.0.schema(),
            output: None,
        }
    }

    /// What has no meaning is for the program to refuse, in its own words.
    fn read(&self, _: &Fields, given: &Map<String, Value>) -> Arguments {
        match lenient::forgive(self.0, given) {
            Ok(forgiven) => {
                let notices = forgiven.notices();
                Arguments { fields: Ok(forgiven.args), notices }
            }
            Err(twice) => Arguments::twice(twice),
        }
    }

    fn weight(&self, _: &Map<String, Value>) -> Weight {
        // Their orders are others than the engine's, so that they read whole directories.
        Weight::Heavy
    }

    fn call(
        &self,
        engine: &Engine,
        fields: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError> {
        let reply = engine.contract(self.0, &fields, cancel)?;
        let own = reply["notice"].as_array().into_iter().flatten();
        let beside = own.filter_map(Value::as_str).map(str::to_owned).collect();
        let (text, is_error) = told(self.0, reply);
        Ok(Answer { text, beside, structured: None, is_error })
    }
}

/// What the program hands its model, and whether that is an error.
fn told(contract: Contract, mut reply: Value) -> (String, bool) {
    let field = match contract {
        Contract::Codex | Contract::Roo => "text",
        Contract::OpenCode => "output",
        Contract::Aider => "ls_text",
        Contract::Gemini | Contract::Gemini01 | Contract::Sii => "llmContent",
        // Its model is given the object.
        Contract::GenCode => {
            let is_error = reply["success"] != true;
            reply.as_object_mut().map(|fields| fields.shift_remove("notice"));
            return (reply.to_string(), is_error);
        }
    };
    let is_error = reply.get("ok").is_some_and(|ok| ok == false);
    let mut text = |field: &str| match reply[field].take() {
        Value::String(text) => Some(text),
        _ => None,
    };
    match text(field) {
        Some(text) => (text, is_error),
        None => {
            let why = text("error").or_else(|| text("exception")).unwrap_or_default();
            (why, true)
        }
    }
}
