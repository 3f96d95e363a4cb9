//! `list_dir`: one page of a directory.

pub(super) mod input;
pub(super) mod output;

use serde_json::{Map, Value, json};
use trilist::{Cancel, Cursor, ListError, ListRequest, OverviewRequest, View, render};

use super::{Setting, Tool};
use crate::answer::Answer;
use crate::arguments;
use crate::engine::Engine;
use crate::schema::Definition;
use crate::workers::Weight;

pub(super) const NAME: &str = "list_dir";

/// An offset from which the entries before the page are many.
const FAR: u64 = 10_000;

pub(super) struct ListDir;

impl Tool for ListDir {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self, setting: &Setting<'_>) -> Definition {
        Definition {
            name: NAME,
            title: "List a directory",
            description: "Lists a directory below the roots, sorted by path. Pick `mode`: `fs`, \
                          what is on disk (look into a folder, see what a build made); `files`, \
                          what a search sees, ignore files obeyed (find what to read); `vcs`, \
                          what git's HEAD and index name, even if gone from disk (what belongs \
                          to the project). A reply that says CUT is a part: for the next \
                          page pass its cursor, and `limit`, `view` and `metadata` as before. \
                          What is left out is counted, with the rule. A name in double quotes \
                          has C escapes; `path` takes it so.",
            input: input::schema(setting.policy),
            output: Some(output::schema()),
        }
    }

    fn weight(&self, fields: &Map<String, Value>) -> Weight {
        let is_set = |name: &str| fields.get(name).is_some_and(|value| *value == true);
        let is_other =
            |name: &str, usual: &str| fields.get(name).is_some_and(|value| *value != usual);
        let holds_all = is_set("count")
            || is_set("pin")
            || is_set("reverse")
            || fields.contains_key("since")
            || is_other("sort", "path")
            || fields.get("view").is_some_and(|view| *view == "overview")
            || fields.get("offset").and_then(Value::as_u64).is_some_and(|offset| offset > FAR);
        if holds_all { Weight::Heavy } else { Weight::Usual }
    }

    fn call(
        &self,
        engine: &Engine,
        fields: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError> {
        let request = request(fields)?;
        if request.view == Some(View::Overview) {
            return overview(engine, &request, cancel);
        }
        let page = engine.lister.list(&request, cancel)?;
        let view = render::default_view(&request);
        let rows = render::rows(&page, view);
        let text = render::text_around(&page, &rows);
        Ok(Answer::of(text, output::structured(page, view, rows)))
    }
}

/// A whole directory in a few thousand bytes: no page, so that none can follow it.
fn overview(engine: &Engine, request: &ListRequest, cancel: &Cancel) -> Result<Answer, ListError> {
    if request.cursor.is_some() || request.offset.is_some() {
        let expected = "an overview has no pages; leave `cursor` and `offset` out";
        return Err(ListError::invalid("view", "overview", expected));
    }
    let reply = engine.lister.overview(&OverviewRequest::of(request)?, cancel)?;
    Ok(Answer::of(render::overview(&reply), output::overview(reply)))
}

/// The request that the arguments make; the mode of a page that goes on is that of the page
/// before.
fn request(mut fields: Map<String, Value>) -> Result<ListRequest, ListError> {
    if fields.get("path").is_some_and(|path| path == "") {
        fields.shift_remove("path");
    }
    if !fields.contains_key("mode") {
        let cursor =
            fields.get("cursor").and_then(Value::as_str).map(Cursor::decode).transpose()?;
        let mode = cursor.map_or("fs", |cursor| cursor.request.mode.name());
        fields.insert("mode".to_owned(), json!(mode));
    }
    arguments::typed(fields)
}
