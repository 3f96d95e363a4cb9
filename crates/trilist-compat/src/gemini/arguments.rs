//! Reading a call, with the words of the program's schema check.

use serde_json::{Map, Value, json};

use super::{Args, Release, Reply};
use crate::CallError;
use crate::arguments::Fields;
use crate::node_path;

/// Stands for the program's temporary directory where a call does not speak of one, as in the
/// recorded cases.
const NO_TEMP_DIR: &str = "${PEER_TEMP}";

/// Reads a call: `params` is what the model gave, the rest is the host's.
///
/// # Errors
///
/// The outer one when the host's part is wrong; the inner one is the reply to a model's mistake.
pub fn parse(
    release: Release,
    call: &Map<String, Value>,
) -> Result<Result<Args, Reply>, CallError> {
    let host = Fields::new(call);
    let empty = Value::Object(Map::new());
    let params = host.get("params").unwrap_or(&empty);
    let read = || -> Result<Args, String> {
        let temp_dir = match host.get("project_temp_dir") {
            None => Some(NO_TEMP_DIR),
            Some(_) => host.text_or_null("project_temp_dir")?,
        };
        let target_dir = node_path::resolve("/", host.needed_absolute("target_dir")?);
        let extra = host.texts("extra_workspace_dirs")?;
        Ok(Args {
            release,
            path: String::new(),
            ignore: Vec::new(),
            respect_git_ignore: true,
            respect_gemini_ignore: true,
            extra_workspace_dirs: extra
                .iter()
                .map(|dir| node_path::resolve(&target_dir, dir))
                .collect(),
            target_dir,
            project_temp_dir: temp_dir.map(str::to_owned),
        })
    };
    let args = read().map_err(CallError::new)?;
    Ok(checked(args, params).map_err(Reply::refused))
}

fn path_name(release: Release) -> &'static str {
    match release {
        Release::Current => "dir_path",
        Release::Early => "path",
    }
}

/// The model's part, in the order in which the program's schema names it.
fn checked(mut args: Args, params: &Value) -> Result<Args, String> {
    let Value::Object(params) = params else { return Err("params must be object".to_owned()) };
    let name = path_name(args.release);
    let path = params.get(name).ok_or(format!("params must have required property '{name}'"))?;
    args.path = path.as_str().ok_or(format!("params/{name} must be string"))?.to_owned();
    if let Some(ignore) = params.get("ignore") {
        args.ignore = globs(ignore)?;
    }
    if let Some(options) = params.get("file_filtering_options") {
        const HERE: &str = "params/file_filtering_options";
        let options = options.as_object().ok_or(format!("{HERE} must be object"))?;
        let flag = |name: &str| match options.get(name) {
            None => Ok(true),
            Some(flag) => flag.as_bool().ok_or(format!("{HERE}/{name} must be boolean")),
        };
        args.respect_git_ignore = flag("respect_git_ignore")?;
        args.respect_gemini_ignore = flag("respect_gemini_ignore")?;
    }
    Ok(args)
}

fn globs(ignore: &Value) -> Result<Vec<String>, String> {
    let items = ignore.as_array().ok_or("params/ignore must be array")?;
    let texts = items.iter().enumerate().map(|(at, item)| {
        item.as_str().map(str::to_owned).ok_or(format!("params/ignore/{at} must be string"))
    });
    texts.collect()
}

/// The tool's input schema in a release.
pub fn schema(release: Release) -> Value {
    let name = path_name(release);
    let path = match release {
        Release::Current => "The directory, absolute or relative to the workspace.",
        Release::Early => "The directory, absolute.",
    };
    json!({
        "type": "object",
        "properties": {
            name: { "type": "string", "description": path },
            "ignore": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Names to leave out; `*` is any text and `?` any letter.",
            },
            "file_filtering_options": {
                "type": "object",
                "description": "Which ignore files count.",
                "properties": {
                    "respect_git_ignore": {
                        "type": "boolean", "default": true,
                        "description": "Git's, inside a repository.",
                    },
                    "respect_gemini_ignore": {
                        "type": "boolean", "default": true,
                        "description": "The workspace's .geminiignore.",
                    },
                },
            },
        },
        "required": [name],
    })
}
