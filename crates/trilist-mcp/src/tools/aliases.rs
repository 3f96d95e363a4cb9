//! The names that other tools have for the fields of trilist's own.

use serde_json::{Map, Value};
use trilist::MAX_DEPTH;
use trilist_compat::lenient::{Alias, PATH_NAMES, Reading};

/// The names and forms of other tools: Codex, OpenCode, Roo Code, Gemini CLI and its fork, GenCode.
/// Only those whose field a tool has.
pub(crate) fn aliases(fields: &Map<String, Value>) -> Vec<Alias> {
    let row = |other, field: &str, reading| Alias { other, field: field.to_owned(), reading };
    let paths = PATH_NAMES.iter().filter(|name| **name != "path");
    let mut rows: Vec<Alias> = paths.map(|name| Alias::same(name, "path")).collect();
    rows.extend(PATH_NAMES.iter().map(|name| Alias::same(name, "paths")));
    rows.extend([
        row("recursive", "depth", Reading::Levels(MAX_DEPTH)),
        row("all", "include_hidden", Reading::Same),
        row("long", "metadata", Reading::Same),
        row("directories_only", "kinds", Reading::ListIf("dir")),
        row("files_only", "kinds", Reading::ListIf("file")),
        row("sort", "sort", Reading::Word("name", "path")),
        row("sort", "sort", Reading::Word("type", "kind")),
        row("ignore", "ignore.patterns", Reading::ListForObject),
        row("respect_git_ignore", "ignore.git", Reading::Same),
        row("file_filtering_options.respect_git_ignore", "ignore.git", Reading::Same),
        row(
            "file_filtering_options.respect_gemini_ignore",
            "ignore.tool_files",
            Reading::ListIf(".geminiignore"),
        ),
        row(
            "file_filtering_options.respect_sii_ignore",
            "ignore.tool_files",
            Reading::ListIf(".siiignore"),
        ),
    ]);
    rows.retain(|row| fields.contains_key(row.field.split('.').next().unwrap_or_default()));
    rows
}
