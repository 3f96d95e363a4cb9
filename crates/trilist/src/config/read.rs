//! From the bytes of a file to settings with their lines.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use trilist_core::{Show, quote};
use trilist_ignore::{Globs, MAX_GLOB_BYTES};

use crate::config::error::ConfigError;
use crate::config::keys::{KEYS, Key, SECTIONS, Takes, similar};
use crate::config::values::Value;
use crate::ignoring::{TOOL_FILE, is_tool_file};

/// The most globs and tool files in one list.
const MAX_GLOBS: usize = 64;
const MAX_TOOL_FILES: usize = 16;
/// The most names of directories in one list, and the longest one in bytes.
const MAX_NAMES: usize = 1_000;
const MAX_NAME_BYTES: usize = 255;

/// A key of a file with its value as written.
pub(super) struct Setting {
    pub(super) key: &'static Key,
    /// Counted from 1.
    pub(super) line: usize,
    /// Of a list, the line of each item, counted from 1.
    pub(super) item_lines: Vec<u32>,
    raw: Raw,
}

/// A value before it is checked.
enum Raw {
    Flag(bool),
    Number(Option<u64>),
    Text(String),
    List(Vec<String>),
    /// Anything else, by its name.
    Other(&'static str),
}

/// Reads the settings of a file.
///
/// # Errors
///
/// Names the line of what is no TOML, and of the first unknown key.
pub(super) fn settings(bytes: &[u8]) -> Result<Vec<Setting>, ConfigError> {
    let (table, text) = parse(bytes)?;
    let mut settings = Vec::new();
    for (section, value) in table.get_ref() {
        let (name, line) = (section.get_ref(), line(text, section.span()));
        if !SECTIONS.contains(&name.as_ref()) {
            return Err(unknown(name, line));
        }
        let DeValue::Table(table) = value.get_ref() else {
            return Err(ConfigError::at(line, format!("`{name}` is a section: write `[{name}]`")));
        };
        for (key, value) in table {
            settings.push(setting(text, &format!("{name}.{}", key.get_ref()), key.span(), value)?);
        }
    }
    settings.sort_by_key(|setting| setting.line);
    Ok(settings)
}

fn parse(bytes: &[u8]) -> Result<(Spanned<DeTable<'_>>, &str), ConfigError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        ConfigError::at(bytecount(good) + 1, "it is not UTF-8".to_owned())
    })?;
    let table = DeTable::parse(text).map_err(|error| {
        let reason = quote::printable(error.message().trim()).replace('\n', ", ");
        ConfigError::at(line(text, error.span().unwrap_or(0..0)), reason)
    })?;
    Ok((table, text))
}

fn setting(
    text: &str,
    name: &str,
    at: Range<usize>,
    value: &Spanned<DeValue<'_>>,
) -> Result<Setting, ConfigError> {
    let line_of = |at| u32::try_from(line(text, at)).unwrap_or(u32::MAX);
    let line = line(text, at);
    let key = KEYS.iter().find(|key| key.name == name).ok_or_else(|| unknown(name, line))?;
    let raw = match value.get_ref() {
        DeValue::Boolean(flag) => Raw::Flag(*flag),
        DeValue::Integer(number) => {
            Raw::Number(u64::from_str_radix(number.as_str(), number.radix()).ok())
        }
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Array(items) => {
            let texts = items.iter().map(|item| item.get_ref().as_str().map(str::to_owned));
            texts.collect::<Option<_>>().map_or(Raw::Other("a list of other things"), Raw::List)
        }
        DeValue::Float(_) => Raw::Other("a fraction"),
        DeValue::Datetime(_) => Raw::Other("a time"),
        DeValue::Table(_) => Raw::Other("a table"),
    };
    let items = value.get_ref().as_array().into_iter().flatten();
    let item_lines = items.map(|item| line_of(item.span())).collect();
    Ok(Setting { key, line, item_lines, raw })
}

fn unknown(name: &str, line: usize) -> ConfigError {
    let shown = quote::shown(shortened(name).as_bytes()).into_owned();
    ConfigError::at(line, format!("there is no key `{shown}`")).with_similar(similar(name))
}

/// A name from a file may be as long as the file.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

fn line(text: &str, at: Range<usize>) -> usize {
    bytecount(&text.as_bytes()[..at.start.min(text.len())]) + 1
}

/// The newlines.
fn bytecount(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

impl Setting {
    /// The value, if it is one that the key takes.
    ///
    /// # Errors
    ///
    /// Says what was given and what is right.
    pub(super) fn checked(&self) -> Result<Value, ConfigError> {
        let name = self.key.name;
        let wrong = |given: &str, right: String| {
            Err(ConfigError::at(self.line, format!("`{name}` is {given}; {right}")))
        };
        match (self.key.takes, &self.raw) {
            (Takes::Flag, Raw::Flag(flag)) => Ok(Value::Flag(*flag)),
            (Takes::Whole(least, most), Raw::Number(number)) => match number {
                Some(number) if (least..=most).contains(number) => Ok(Value::Number(*number)),
                _ => wrong("out of range", format!("it must be from {least} to {most}")),
            },
            (Takes::Show, Raw::Text(text)) if text == "omit" => Ok(Value::Show(Show::Omit)),
            (Takes::Show, Raw::Text(text)) if text == "mark" => Ok(Value::Show(Show::Mark)),
            (Takes::Globs | Takes::ToolFiles | Takes::Names, Raw::List(list)) => {
                match list_fault(self.key.takes, list) {
                    None => Ok(Value::List(list.clone())),
                    Some(fault) => wrong("a list that cannot be used", fault),
                }
            }
            (takes, raw) => wrong(raw.name(), format!("it must be {}", takes.name())),
        }
    }
}

/// What is wrong with a list's items.
fn list_fault(takes: Takes, list: &[String]) -> Option<String> {
    let (most, what) = match takes {
        Takes::Globs => (MAX_GLOBS, "globs"),
        Takes::ToolFiles => (MAX_TOOL_FILES, "names"),
        _ => (MAX_NAMES, "names"),
    };
    if list.len() > most {
        return Some(format!("it may hold at most {most} {what}"));
    }
    let shown = |text: &String| quote::shown(shortened(text).as_bytes()).into_owned();
    match takes {
        Takes::Globs => match list.iter().find(|glob| glob.len() > MAX_GLOB_BYTES) {
            Some(long) => Some(format!("`{}` is longer than {MAX_GLOB_BYTES} bytes", shown(long))),
            None => Globs::new(list).err().map(|error| quote::printable(&error.to_string()).into()),
        },
        Takes::ToolFiles => list
            .iter()
            .find(|name| !is_tool_file(name))
            .map(|name| format!("`{}` is none: {TOOL_FILE}", shown(name))),
        _ => list
            .iter()
            .find(|name| !is_name(name))
            .map(|name| format!("`{}` is not the name of a directory", shown(name))),
    }
}

fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && name.len() <= MAX_NAME_BYTES && !name.contains(['/', '\0'])
}

impl Raw {
    fn name(&self) -> &'static str {
        match self {
            Raw::Flag(_) => "true or false",
            Raw::Number(_) => "a number",
            Raw::Text(_) => "a text",
            Raw::List(_) => "a list",
            Raw::Other(name) => name,
        }
    }
}

impl Takes {
    fn name(self) -> String {
        match self {
            Takes::Flag => "true or false".to_owned(),
            Takes::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Takes::Show => "\"omit\" or \"mark\"".to_owned(),
            Takes::Globs => "a list of globs".to_owned(),
            Takes::ToolFiles | Takes::Names => "a list of names".to_owned(),
        }
    }
}
