//! `explain_path`: why a path is in a listing, or is not.

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{Cancel, Explanation, ListError, ListRequest, Mode, PathArg, Policy, render};

use super::Tool;
use super::list_dir::input::{STRICT, chosen};
use super::list_dir::output::or_error;
use crate::answer::Answer;
use crate::arguments;
use crate::engine::Engine;
use crate::schema::plain::{bare, without_nulls};
use crate::schema::{Definition, of_properties};

/// As for `list_dir`, of the listing that is asked about.
const FIELDS: &[(&str, &str)] = &[
    ("depth", "Of the listing."),
    ("include_hidden", "Of the listing."),
    ("ignore", "Of the listing."),
    ("kinds", "Of the listing."),
    ("pattern", "Of the listing."),
];

pub(super) struct ExplainPath;

impl Tool for ExplainPath {
    fn definition(&self, _: &Policy) -> Definition {
        let text = json!({ "type": "string" });
        let mut fields = Map::new();
        fields.insert(
            "paths".to_owned(),
            json!({
                "type": "array",
                "items": text,
                "description": "Paths to explain, at most 64; they need not exist.",
            }),
        );
        fields.insert(
            "listed".to_owned(),
            json!({
                "type": "string",
                "description": "The directory whose listing is meant. Default: the first root.",
            }),
        );
        fields.extend(chosen(&bare(&of::<ListRequest>()), FIELDS));
        fields.insert("strict".to_owned(), json!({ "type": "boolean", "description": STRICT }));
        let explanations = json!({ "type": "array", "items": bare(&of::<Explanation>()) });
        let notices = json!({ "type": "array", "items": text });
        let output = Map::from_iter([
            ("explanations".to_owned(), explanations),
            ("notices".to_owned(), notices),
        ]);
        Definition {
            name: "explain_path",
            title: "Explain a path",
            description: "Says for each mode of list_dir whether it lists a path and exactly why \
                          not (ignore file, line and pattern; hidden, untracked, beyond the depth, \
                          unreadable, absent), with a cursor whose page starts there if it does. \
                          Take it when something you expect is missing.",
            input: of_properties(fields, &["paths"]),
            output: Some(or_error(of_properties(output, &[]))),
        }
    }

    fn call(
        &self,
        definition: &Definition,
        engine: &Engine,
        args: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError> {
        let mut arguments = arguments::read(&definition.input, &args)?;
        let paths = arguments.fields.shift_remove("paths");
        let paths: Vec<PathArg> = texts(paths.as_ref()).map(PathArg::from).collect();
        let listed = arguments.fields.shift_remove("listed");
        let mut fields = arguments.fields;
        fields.insert("mode".to_owned(), json!(Mode::Fs));
        if let Some(listed) = listed.filter(|listed| *listed != "") {
            fields.insert("path".to_owned(), listed);
        }
        let request: ListRequest = arguments::typed(fields)?;
        let explained = engine.lister.explain(&request, &Mode::ALL, &paths, cancel)?;
        let mut text: String = explained.iter().map(render::explanation).collect();
        for notice in &arguments.notices {
            text.push_str(&format!("Notice: {notice}\n"));
        }
        let mut structured = json!({ "explanations": explained });
        if !arguments.notices.is_empty() {
            structured["notices"] = json!(arguments.notices);
        }
        let structured = without_nulls(structured).as_object().cloned();
        Ok(Answer::of(text, structured.unwrap_or_default()))
    }
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
