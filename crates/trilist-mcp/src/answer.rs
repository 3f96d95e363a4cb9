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
    pub(crate) beside: Vec<String>,
    pub(crate) structured: Option<Map<String, Value>>,
    pub(crate) is_error: bool,
}

impl Answer {
    /// A good answer.
    pub(crate) fn of(text: String, structured: Map<String, Value>) -> Answer {
        Answer { text, beside: Vec::new(), structured: Some(structured), is_error: false }
    }

    /// A failed call.
    pub(crate) fn failed(reply: &ErrorReply) -> Answer {
        let text = match &reply.hint {
            Some(hint) => format!("{}: {}. {hint}", reply.code, reply.message),
            None => format!("{}: {}", reply.code, reply.message),
        };
        let structured = Map::from_iter([("error".to_owned(), json!(reply))]);
        Answer { text, beside: Vec::new(), structured: Some(structured), is_error: true }
    }

    /// The answer with what there is to say of the arguments: in both parts, or beside the text
    /// of another program.
    pub(crate) fn with_notices(mut self, notices: Vec<String>) -> Answer {
        let Some(structured) = &mut self.structured else {
            self.beside.splice(0..0, notices);
            return self;
        };
        if notices.is_empty() {
            return self;
        }
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.extend(notices.iter().map(|notice| line(notice)));
        let told = structured.entry("notices").or_insert_with(|| json!([]));
        if let Value::Array(told) = told {
            told.extend(notices.into_iter().map(Value::String));
        }
        self
    }
}

fn line(notice: &str) -> String {
    format!("Notice: {notice}\n")
}

impl From<ListError> for Answer {
    fn from(error: ListError) -> Answer {
        Answer::failed(&error.reply())
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> CallToolResult {
        let beside: String = answer.beside.iter().map(|notice| line(notice)).collect();
        let beside = Some(beside).filter(|lines| !lines.is_empty());
        let blocks = std::iter::once(answer.text).chain(beside);
        let mut result = CallToolResult::success(blocks.map(ContentBlock::text).collect());
        result.structured_content = answer.structured.map(Value::Object);
        result.is_error = Some(answer.is_error);
        result
    }
}
