//! `compare_modes`: the modes side by side.

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{Cancel, CompareRequest, Comparison, ListError, render};

use super::list_dir::input::{STRICT, add_default, chosen};
use super::list_dir::output::or_error;
use super::{Setting, Tool};
use crate::answer::Answer;
use crate::arguments;
use crate::engine::Engine;
use crate::schema::plain::{bare, without_nulls};
use crate::schema::{Definition, of_properties};
use crate::workers::Weight;

/// As for `list_dir`: a field that is not here is not for models to give.
const FIELDS: &[(&str, &str)] = &[
    ("path", "Absolute, or relative to the first root. Default: the first root."),
    ("depth", "Levels; 1 is the immediate children. Default: all."),
    ("show", "Only what differs, or all. Default: differences."),
    ("limit", "Rows; all are counted."),
    ("offset", "First row, counted from 1."),
    ("pattern", "Globs, one of which must match."),
    ("include_hidden", "Names that start with a dot. Default: true."),
    ("ignore", "Ignore layers to switch."),
    ("fold", "never: a row for each path below a directory that a mode leaves out."),
    ("deadline_ms", "End after this time."),
];

const NAME: &str = "compare_modes";
const BESIDE_LIST_DIR: &str = "Shows where the modes of list_dir differ below a directory: each path with the modes that \
     list it and why the others do not (ignore rule with file and line, untracked, only staged, \
     gone from disk). Take it when a file is in one listing and not in another.";
/// Without the tool that says what the modes are.
const ALONE: &str = "Compares three listings of a directory: `fs`, what is on disk; `files`, what a search sees, \
     ignore files obeyed; `vcs`, what git's HEAD and index name. Shows each path that is not in \
     all of them, with the reason (ignore rule with file and line, untracked, only staged, gone \
     from disk).";

pub(super) struct CompareModes;

impl Tool for CompareModes {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self, setting: &Setting<'_>) -> Definition {
        let policy = setting.policy;
        let mut fields = chosen(&bare(&of::<CompareRequest>()), FIELDS);
        let most = |least: u32, most: u32| (json!(least), json!(most));
        for (name, (minimum, maximum)) in [
            ("depth", most(1, trilist::MAX_DEPTH)),
            ("limit", most(1, policy.max_limit)),
            ("deadline_ms", most(1, policy.max_deadline_ms)),
        ] {
            fields[name]["minimum"] = minimum;
            fields[name]["maximum"] = maximum;
        }
        fields["offset"]["minimum"] = json!(1);
        add_default(&mut fields["limit"], policy.default_limit);
        add_default(&mut fields["deadline_ms"], policy.default_deadline_ms);
        fields.insert("strict".to_owned(), json!({ "type": "boolean", "description": STRICT }));
        Definition {
            name: NAME,
            title: "Compare the modes",
            description: if setting.has_list_dir { BESIDE_LIST_DIR } else { ALONE },
            input: of_properties(fields, &[]),
            output: Some(or_error(bare(&of::<Comparison>()))),
        }
    }

    fn weight(&self, _: &Map<String, Value>) -> Weight {
        // Three sorted listings, each of which may stand in a wide directory.
        Weight::Heavy
    }

    fn call(
        &self,
        engine: &Engine,
        mut fields: Map<String, Value>,
        cancel: &Cancel,
    ) -> Result<Answer, ListError> {
        if fields.get("path").is_some_and(|path| path == "") {
            fields.shift_remove("path");
        }
        let request: CompareRequest = arguments::typed(fields)?;
        let reply = engine.lister.compare(&request, cancel)?;
        let structured = serde_json::to_value(&reply).map(without_nulls);
        let structured = structured.ok().and_then(|value| value.as_object().cloned());
        Ok(Answer::of(render::comparison(&reply), structured.unwrap_or_default()))
    }
}
