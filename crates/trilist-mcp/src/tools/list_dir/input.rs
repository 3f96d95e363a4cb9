//! The arguments of `list_dir`: which fields of the request a model may give, and what it is told of
//! them.

use serde_json::{Map, Value, json};
use trilist::schema::of;
use trilist::{ListRequest, Policy};

use crate::engine::MAX_BYTES;
use crate::schema::of_properties;
use crate::schema::plain::bare;

/// The fields in the order in which they are announced, with what a model is told of each. A field
/// of the request that is not here is not for models to give.
const FIELDS: &[(&str, &str)] = &[
    ("mode", "Default: fs."),
    ("path", "Absolute, or relative to the first root. Default: the first root."),
    ("depth", "Levels; 1 is the immediate children. Default: 2 in fs, all in files and vcs."),
    ("limit", "Entries per page."),
    ("cursor", "From a cut reply: gives the next page of the same request."),
    ("offset", "First entry, counted from 1; not with cursor."),
    ("pattern", "Globs, one of which must match; without `/`, the base name."),
    ("kinds", "Kinds to show; dir only in fs. Default: all."),
    ("include_hidden", "Show names that start with a dot. Default: not in fs."),
    ("ignore", "Ignore layers to switch, by default as the mode has them."),
    ("metadata", "Give size, time, permissions and link target."),
    ("sort", "Default: path. Largest or newest first."),
    ("reverse", "Turn the order round."),
    ("count", "Pay for an exact total."),
    (
        "view",
        "Form of the rows. Default: tree; of sorted rows paths, which are bare: no marks (skipped, \
         ignored, empty), no metadata. overview: the whole below path in max_bytes (4000).",
    ),
    ("follow_symlinks", "Enter links to directories inside the root."),
    ("same_filesystem", "Show mounts without entering them."),
    ("subtree", "vcs: false lists the whole repository. Default: true."),
    ("pin", "Keep this listing, so that its pages agree and `since` can name it."),
    ("snapshot", "snapshot_id of a kept listing to read from."),
    ("since", "snapshot_id of a kept listing: only what has changed."),
    ("max_bytes", "Cut the page before the reply is longer."),
    ("deadline_ms", "End the page after this time."),
];

/// The same within `ignore`.
const LAYERS: &[(&str, &str)] = &[
    ("git", "Git's ignore files. Default: in files."),
    ("dot_ignore", ".ignore and .rgignore. Default: in files."),
    ("builtin", "node_modules and the like. Default: not in vcs."),
    ("patterns", "Globs to leave out."),
    ("keep", "Globs to keep against every layer."),
    ("show", "`mark` lists what is ignored, with the rule."),
    ("tool_files", "Ignore files of tools, such as .aiderignore."),
];

pub(in crate::tools) const STRICT: &str = "Refuse unknown fields instead of leaving them out.";

/// The input schema under a policy.
pub(super) fn schema(policy: &Policy) -> Value {
    let mut fields = chosen(&bare(&of::<ListRequest>()), FIELDS);
    fields["limit"]["maximum"] = json!(policy.max_limit);
    fields["deadline_ms"]["maximum"] = json!(policy.max_deadline_ms);
    let max_bytes = policy.default_max_bytes.unwrap_or(MAX_BYTES);
    add_default(&mut fields["limit"], policy.default_limit);
    add_default(&mut fields["max_bytes"], max_bytes);
    add_default(&mut fields["deadline_ms"], policy.default_deadline_ms);
    fields.insert("strict".to_owned(), json!({ "type": "boolean", "description": STRICT }));
    of_properties(fields, &[])
}

pub(in crate::tools) fn add_default(field: &mut Value, default: u32) {
    let text = field["description"].as_str().unwrap_or_default();
    field["description"] = json!(format!("{text} Default: {default}."));
}

/// The chosen properties of a request's schema, with what is told of them; within `ignore`, the
/// layers.
pub(in crate::tools) fn chosen(schema: &Value, texts: &[(&str, &str)]) -> Map<String, Value> {
    let known = texts.iter().filter(|(name, _)| schema["properties"][name].is_object());
    let field = |(name, text): &(&str, &str)| {
        let mut field = schema["properties"][name].clone();
        if *name == "ignore" {
            field = of_properties(chosen(&field, LAYERS), &[]);
        }
        field["description"] = json!(text);
        ((*name).to_owned(), field)
    };
    known.map(field).collect()
}
