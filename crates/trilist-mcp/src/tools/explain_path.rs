//! `explain_path`: why a path is in a listing, or is not.

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{Cancel, Explanation, ListError, ListRequest, Mode, PathArg, render};

use super::list_dir::input::{STRICT, chosen};
use super::list_dir::output::or_error;
use super::{Setting, Tool};
use crate::answer::Answer;
use crate::arguments;
use crate::engine::Engine;
use crate::schema::plain::{bare, without_nulls};
use crate::schema::{Definition, of_properties};
use crate::workers::Weight;

const NAME: &str = "explain_path";
const BESIDE_LIST_DIR: &str = "Says for each mode of list_dir whether it lists a path and exactly why not (ignore file, line \
     and pattern; hidden, untracked, beyond the depth, unreadable, absent), with a cursor whose \
     page starts there if it does. Take it when something you expect is missing.";
/// Without the tool that says what the modes are, and takes the cursor.
const ALONE: &str = "Says whether a path is in each of three listings, and exactly why not (ignore file, line and \
     pattern; hidden, untracked, beyond the depth, unreadable, absent): `fs`, what is on disk; \
     `files`, what a search sees, ignore files obeyed; `vcs`, what git's HEAD and index name.";

/// Kept for what stands around the explanations.
const AROUND_BYTES: usize = 512;

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
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self, setting: &Setting<'_>) -> Definition {
        let text = json!({ "type": "string" });
        let mut fields = Map::new();
        fields.insert(
            "paths".to_owned(),
            json!({
                "type": "array",
                "items": text,
                "description": "Paths to explain, absolute or relative to the first root, at most \
                                64; they need not exist.",
            }),
        );
        fields.insert(
            "listed".to_owned(),
            json!({
                "type": "string",
                "description": "The directory whose listing is meant, given likewise. Default: the \
                                first root.",
            }),
        );
        fields.extend(chosen(&bare(&of::<ListRequest>()), FIELDS));
        fields.insert("strict".to_owned(), json!({ "type": "boolean", "description": STRICT }));
        let explanations = json!({ "type": "array", "items": bare(&of::<Explanation>()) });
        let notices = json!({ "type": "array", "items": text });
        let output = Map::from_iter([
            ("explanations".to_owned(), explanations),
            ("not_explained".to_owned(), json!({ "type": "integer", "minimum": 1 })),
            ("notices".to_owned(), notices),
        ]);
        Definition {
            name: NAME,
            title: "Explain a path",
            description: if setting.has_list_dir { BESIDE_LIST_DIR } else { ALONE },
            input: of_properties(fields, &["paths"]),
            output: Some(or_error(of_properties(output, &[]))),
        }
    }

    fn weight(&self, _: &Map<String, Value>) -> Weight {
        Weight::Usual
    }

    fn call(
        &self,
        engine: &Engine,
        mut fields: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError> {
        let paths = fields.shift_remove("paths");
        let paths: Vec<PathArg> = texts(paths.as_ref()).map(PathArg::from).collect();
        let listed = fields.shift_remove("listed");
        fields.insert("mode".to_owned(), json!(Mode::Fs));
        if let Some(listed) = listed.filter(|listed| *listed != "") {
            fields.insert("path".to_owned(), listed);
        }
        let request: ListRequest = arguments::typed(fields)?;
        let explained = engine.lister.explain(&request, &Mode::ALL, &paths, cancel)?;
        Ok(answer(&explained, engine.max_bytes))
    }
}

/// The explanations, as many as there is room for, and how many there are beyond them.
fn answer(explained: &[Explanation], max_bytes: usize) -> Answer {
    let texts: Vec<String> = explained.iter().map(render::explanation).collect();
    let rows: Vec<Value> = explained.iter().map(|one| without_nulls(json!(one))).collect();
    let sizes = texts.iter().zip(&rows).map(|(text, row)| (text.len(), row.to_string().len() + 1));
    let given = fitting(sizes, max_bytes);
    let mut text = texts[..given].concat();
    let mut structured = Map::from_iter([("explanations".to_owned(), json!(rows[..given]))]);
    if given < explained.len() {
        let of = explained.len();
        let cut =
            format!("CUT by the byte budget after {given} of {of} paths; ask for the rest.\n");
        text = format!("{cut}{text}{cut}");
        structured.insert("not_explained".to_owned(), json!(of - given));
    }
    Answer::of(text, structured)
}

/// How many answers of these sizes, as text and as JSON, fit; at least one.
fn fitting(sizes: impl Iterator<Item = (usize, usize)>, max_bytes: usize) -> usize {
    let room = max_bytes.saturating_sub(AROUND_BYTES);
    let (mut text, mut json) = (0, 0);
    let fits = |size: &(usize, usize)| {
        text += size.0;
        json += size.1;
        text.max(json) <= room
    };
    sizes.take_while(fits).count().max(1)
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
