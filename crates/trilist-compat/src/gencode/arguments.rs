//! Reading and checking a call.

use serde_json::{Map, Value, json};

use super::{Args, MOST_DEPTH, MOST_ENTRIES, Sort, USUAL_DEPTH};
use crate::arguments::{Fields, named};

/// Why a call is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// What is wrong.
    pub message: String,
}

impl Invalid {
    pub(super) fn new(message: impl Into<String>) -> Invalid {
        Invalid { message: message.into() }
    }
}

/// Reads a call; the working directory is the host's.
///
/// # Errors
///
/// [`Invalid`] for a field of the wrong type or out of its bounds.
pub fn parse(call: &Map<String, Value>, cwd: &str) -> Result<Args, Invalid> {
    read(&Fields::new(call), cwd).map_err(Invalid::new)
}

fn read(fields: &Fields<'_>, cwd: &str) -> Result<Args, String> {
    let mut lowered = Vec::new();
    let mut bounded = |name: &str, usual: u64, most: u64| -> Result<u64, String> {
        match fields.number(name, 1)? {
            None => Ok(usual),
            Some(number) if number > most => {
                let given = fields.get(name).map(named).unwrap_or_default();
                lowered.push(format!("`{name}` is {given} and was lowered to {most}"));
                Ok(most)
            }
            Some(number) => Ok(number),
        }
    };
    let depth = bounded("depth", u64::from(USUAL_DEPTH), u64::from(MOST_DEPTH))?;
    let limit = bounded("limit", MOST_ENTRIES as u64, MOST_ENTRIES as u64)?;
    let args = Args {
        path: fields.text("path")?.map(str::to_owned),
        all: fields.flag("all", false)?,
        long: fields.flag("long", false)?,
        recursive: fields.flag("recursive", false)?,
        depth: u32::try_from(depth).unwrap_or(MOST_DEPTH),
        pattern: fields.text("pattern")?.map(str::to_owned),
        sort: sort(fields.text("sort")?)?,
        reverse: fields.flag("reverse", false)?,
        directories_only: fields.flag("directories_only", false)?,
        files_only: fields.flag("files_only", false)?,
        limit: usize::try_from(limit).unwrap_or(MOST_ENTRIES),
        cwd: cwd.to_owned(),
        lowered,
    };
    if args.directories_only && args.files_only {
        return Err(
            "`directories_only` and `files_only` leave nothing; give one of them".to_owned()
        );
    }
    Ok(args)
}

fn sort(name: Option<&str>) -> Result<Sort, String> {
    match name {
        None | Some("name") => Ok(Sort::Name),
        Some("size") => Ok(Sort::Size),
        Some("modified") => Ok(Sort::Modified),
        Some("type") => Ok(Sort::Type),
        Some(_) => Err("`sort` must be one of name, size, modified and type".to_owned()),
    }
}

/// The tool's input schema.
pub fn schema() -> Value {
    let flag = |description: &str| json!({ "type": "boolean", "default": false, "description": description });
    json!({
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description": "The directory, absolute or relative to the working directory; not \
                                outside it. Default: the working directory.",
            },
            "all": flag("Whether names that start with a dot are listed."),
            "long": flag("Whether size, time, permissions and link target are given."),
            "recursive": flag("Whether levels below are listed."),
            "depth": {
                "type": "integer", "minimum": 1, "maximum": MOST_DEPTH, "default": USUAL_DEPTH,
                "description": "Levels below the directory's own entries, with `recursive`.",
            },
            "pattern": { "type": "string", "description": "A glob that names must match." },
            "sort": {
                "type": "string", "enum": ["name", "size", "modified", "type"], "default": "name",
                "description": "The order; sizes largest first, times newest first.",
            },
            "reverse": flag("Whether the order is turned round."),
            "directories_only": flag("Only directories."),
            "files_only": flag("Only files; a link is none."),
            "limit": {
                "type": "integer", "minimum": 1, "maximum": MOST_ENTRIES,
                "default": MOST_ENTRIES, "description": "The most entries.",
            },
        },
        "additionalProperties": false,
    })
}
