//! What the fields of a request are called on the command line.
//!
//! The library's errors name fields, which nobody typed here. This table is the one place that
//! knows which option sets which.

use trilist::{ErrorReply, ListError};

/// Fields of requests, and what sets them.
const OPTIONS: &[(&str, &str)] = &[
    ("mode", "--mode"),
    ("path", "PATH"),
    ("depth", "--depth"),
    ("limit", "--limit"),
    ("offset", "--offset"),
    ("cursor", "--cursor"),
    ("count", "--count"),
    ("include_hidden", "--hidden"),
    ("follow_symlinks", "--follow"),
    ("same_filesystem", "--one-file-system"),
    ("ignore.builtin", "--no-builtin"),
    ("ignore.git", "--gitignore"),
    ("ignore.dot_ignore", "--dot-ignore"),
    ("ignore.tool_files", "--ignore-file"),
    ("ignore.patterns", "--exclude"),
    ("ignore.keep", "--keep"),
    ("ignore.show", "--mark-ignored"),
    ("ignore.config", "--no-ignore"),
    ("ignore.aiderignore", "--aiderignore"),
    ("global_excludes", "--global-excludes"),
    ("kinds", "--type"),
    ("pattern", "--glob"),
    ("sort", "--sort"),
    ("reverse", "--reverse"),
    ("subtree", "--no-subtree"),
    ("metadata", "--metadata"),
    ("max_bytes", "--max-bytes"),
    (TIME, "--timeout"),
    ("view", "--view"),
    ("since", "--since"),
    ("chat", "--chat"),
    ("chat.in_chat", "--chat"),
    ("in_chat", "--chat"),
    ("chat.read_only", "--read-only"),
    ("session", "--session"),
];

/// The field that the command line takes with a unit.
const TIME: &str = "deadline_ms";

/// The reply that tells of an error, in the words of the command line.
pub(crate) fn reply(error: ListError) -> ErrorReply {
    match error {
        ListError::InvalidArgument { field, given, expected } => {
            let (given, expected) = match field.as_str() {
                TIME => (time(&given).unwrap_or(given), times(&expected).unwrap_or(expected)),
                "subtree" => ("set".to_owned(), expected),
                _ => (given, expected),
            };
            let field = option(&field).map_or(field, str::to_owned);
            ListError::InvalidArgument { field, given, expected: renamed(&expected) }.reply()
        }
        ListError::InvalidCursor { reason } => {
            ListError::InvalidCursor { reason: renamed(&reason) }.reply()
        }
        error @ ListError::OffsetOutOfRange { .. } => {
            let reply = error.reply();
            ErrorReply { message: renamed(&reply.message), ..reply }
        }
        error => error.reply(),
    }
}

fn option(field: &str) -> Option<&'static str> {
    OPTIONS.iter().find(|(name, _)| *name == field).map(|(_, option)| *option)
}

/// A text that names options in place of fields.
fn renamed(text: &str) -> String {
    OPTIONS.iter().fold(text.to_owned(), |text, (field, option)| {
        text.replace(&format!("`{field}`"), &format!("`{option}`"))
    })
}

/// Milliseconds as they are typed, with the largest unit that they are a whole number of.
fn time(milliseconds: &str) -> Option<String> {
    let number: u64 = milliseconds.replace(',', "").parse().ok()?;
    Some(match number {
        0 => "0s".to_owned(),
        _ if number.is_multiple_of(60_000) => format!("{}m", number / 60_000),
        _ if number.is_multiple_of(1_000) => format!("{}s", number / 1_000),
        _ => format!("{number}ms"),
    })
}

/// The bounds of milliseconds as they are typed.
fn times(expected: &str) -> Option<String> {
    let (before, bounds) = expected.split_once("from ")?;
    let (least, most) = bounds.split_once(" to ")?;
    Some(format!("{before}from {} to {}", time(least)?, time(most)?))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The names of a request's fields; those of `ignore` behind its own.
    fn fields() -> Vec<String> {
        let schemas = trilist::schema::all();
        let (_, schema) =
            schemas.iter().find(|(name, _)| *name == "list_request.json").expect("it is one");
        let names = |schema: &Value| -> Vec<String> {
            let fields = schema["properties"].as_object().expect("an object's schema");
            fields.keys().cloned().collect()
        };
        let ignore = names(&schema["$defs"]["IgnorePolicy"]);
        let plain = names(schema).into_iter().filter(|name| name != "ignore");
        plain.chain(ignore.iter().map(|name| format!("ignore.{name}"))).collect()
    }

    #[test]
    fn every_field_has_its_option() {
        // The command line keeps no listings.
        const NONE: [&str; 2] = ["pin", "snapshot"];
        for name in fields().iter().filter(|name| !NONE.contains(&name.as_str())) {
            assert!(option(name).is_some(), "{name}");
        }
    }

    #[test]
    fn options_are_those_that_there_are() {
        use clap::CommandFactory as _;
        let command = crate::args::Args::command();
        let longs: Vec<_> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        for option in OPTIONS.iter().filter_map(|(_, option)| option.strip_prefix("--")) {
            assert!(longs.contains(&option), "{option}");
        }
    }

    #[test]
    fn times_are_told_with_units() {
        let told = ["0", "1", "500", "1500", "61000", "60,000", "120000"].map(time);
        let right = ["0s", "1ms", "500ms", "1500ms", "61s", "1m", "2m"];
        assert_eq!(told, right.map(|text| Some(text.to_owned())));
        assert_eq!(times("from 1 to 60,000").as_deref(), Some("from 1ms to 1m"));
        assert_eq!(times("soon"), None);
    }
}
