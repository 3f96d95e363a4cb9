//! What a tool answers: text and structure, each complete alone.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};
use trilist::{ErrorReply, ListError};

/// An answer on its way to the client, of whom a model sees one part: some clients hand on the
/// text, others the structure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// What is to be said beside a text that must stay as another program wrote it.
    pub(crate) beside: Option<String>,
    pub(crate) structured: Option<Map<String, Value>>,
    pub(crate) is_error: bool,
}

impl Answer {
    /// A good answer.
    pub(crate) fn of(text: String, structured: Map<String, Value>) -> Answer {
        Answer { text, beside: None, structured: Some(structured), is_error: false }
    }

    /// A failed call.
    pub(crate) fn failed(reply: &ErrorReply) -> Answer {
        let text = match &reply.hint {
            Some(hint) => format!("{}: {}. {hint}", reply.code, reply.message),
            None => format!("{}: {}", reply.code, reply.message),
        };
        let structured = Map::from_iter([("error".to_owned(), json!(reply))]);
        Answer { text, beside: None, structured: Some(structured), is_error: true }
    }
}

impl From<ListError> for Answer {
    fn from(error: ListError) -> Answer {
        Answer::failed(&error.reply())
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> CallToolResult {
        let blocks = std::iter::once(answer.text).chain(answer.beside);
        let mut result = CallToolResult::success(blocks.map(ContentBlock::text).collect());
        result.structured_content = answer.structured.map(Value::Object);
        result.is_error = Some(answer.is_error);
        result
    }
}
