//! Values of options.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use trilist::{Kind, Mode, Sort, View};
use trilist_compat::Tool;
use trilist_mcp::schema::Dialect;

/// Names that an option takes, with what each means.
type Names<T> = &'static [(&'static str, T, &'static str)];

pub(crate) const MODES: Names<Mode> = &[
    ("fs", Mode::Fs, "what is on disk, whatever version control thinks"),
    ("files", Mode::Files, "what a searcher sees: files that no ignore rule hides"),
    ("vcs", Mode::Vcs, "what git knows: HEAD joined with the index"),
];

pub(crate) const KINDS: Names<Kind> = &[
    ("file", Kind::File, "regular files"),
    ("dir", Kind::Dir, "directories (mode fs only)"),
    ("symlink", Kind::Symlink, "symbolic links"),
    ("submodule", Kind::Submodule, "commits of other repositories (mode vcs only)"),
    ("other", Kind::Other, "pipes, sockets and devices"),
];

pub(crate) const SORTS: Names<Sort> = &[
    ("path", Sort::Path, "byte order of the whole path"),
    ("size", Sort::Size, "largest first"),
    ("modified", Sort::Modified, "newest first"),
    ("kind", Sort::Kind, "directories, files, links, submodules, others"),
];

pub(crate) const VIEWS: Names<View> = &[
    ("tree", View::Tree, "indented, with a first and a last line about the listing"),
    ("paths", View::Paths, "a path a line; directories end in `/`"),
    ("entries", View::Entries, "a JSON object a line"),
    ("overview", View::Overview, "a whole directory in a few thousand bytes, with counts"),
    ("table", View::Table, "kind, size, time, permissions and path, a line each"),
    ("drawn", View::Drawn, "a tree drawn with lines"),
];

pub(crate) const DIALECTS: Names<Dialect> = &[
    ("mcp", Dialect::Mcp, "as an MCP server announces them"),
    ("openai", Dialect::OpenAi, "functions of OpenAI's Responses API, strict"),
    ("anthropic", Dialect::Anthropic, "tools of Anthropic's Messages API"),
    ("gemini", Dialect::Gemini, "function declarations of the Gemini API"),
];

/// When names are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

pub(crate) const COLOURS: Names<Colour> = &[
    ("auto", Colour::Auto, "on a terminal, as NO_COLOR and CLICOLOR say"),
    ("always", Colour::Always, "in every case"),
    ("never", Colour::Never, "in no case"),
];

/// A parser for whole numbers. Bounds are checked by the library; what is no number that it could
/// take is refused here with the same bounds.
pub(crate) fn whole<T: TryFrom<i128>>(
    bounds: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse::<i128>().ok().and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("it must be a whole number {bounds}"))
    }
}

/// A parser for one of some names.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    names: Names<T>,
) -> impl TypedValueParser<Value = T> {
    let described = names.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(described).map(move |given| {
        let known = names.iter().find(|(name, ..)| *name == given);
        known.expect("the parser lets only these names pass").1
    })
}

/// Milliseconds, from `500ms`, `10s`, `1m`, or plain seconds; decimal fractions are allowed.
pub(crate) fn milliseconds(text: &str) -> Result<u32, String> {
    let (number, unit_ms) = match text {
        _ if text.ends_with("ms") => (&text[..text.len() - 2], 1.0),
        _ if text.ends_with('s') => (&text[..text.len() - 1], 1_000.0),
        _ if text.ends_with('m') => (&text[..text.len() - 1], 60_000.0),
        _ => (text, 1_000.0),
    };
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = number.parse().ok().filter(|_| is_plain).ok_or("write 500ms, 10s or 1m")?;
    let milliseconds = (value * unit_ms).ceil();
    if milliseconds > f64::from(u32::MAX) {
        return Err("that is longer than any listing".to_owned());
    }
    Ok(milliseconds as u32)
}

/// A parser for the tools that there are.
pub(crate) fn tool() -> impl TypedValueParser<Value = Tool> {
    let names = Tool::ALL.iter().map(|tool| PossibleValue::new(tool.name()));
    PossibleValuesParser::new(names)
        .map(|name| Tool::named(&name).expect("only names of tools are let through"))
}

/// A value that is a list with commas.
#[derive(Debug, Clone)]
pub(crate) struct Items<T>(Vec<T>);

impl<T: Clone> Items<T> {
    /// The items of all lists.
    pub(crate) fn all(lists: &[Items<T>]) -> Vec<T> {
        lists.iter().flat_map(|list| list.0.iter().cloned()).collect()
    }
}

/// The items of a list with commas, without the blanks around them. Nothing behind the last comma
/// is no item; nothing between two is one, and for whoever knows the names to refuse.
fn items(text: &str) -> Vec<&str> {
    let mut items: Vec<&str> = text.split(',').map(str::trim).collect();
    if items.len() > 1 && items.last() == Some(&"") {
        items.pop();
    }
    items
}

/// A list of words.
#[expect(clippy::unnecessary_wraps, reason = "a parser of values can fail")]
pub(crate) fn words(text: &str) -> Result<Items<String>, String> {
    Ok(Items(items(text).into_iter().map(str::to_owned).collect()))
}

/// A parser for lists of the tools that there are.
#[derive(Debug, Clone)]
pub(crate) struct ToolList;

impl TypedValueParser for ToolList {
    type Value = Items<Tool>;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Items<Tool>, clap::Error> {
        let (one, text) = (tool(), value.to_string_lossy());
        let tools = items(&text).into_iter().map(|name| one.parse_ref(command, arg, name.as_ref()));
        Ok(Items(tools.collect::<Result<_, _>>()?))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Tool::ALL.iter().map(|tool| PossibleValue::new(tool.name()))))
    }
}

#[cfg(test)]
mod tests {
    use super::{items, milliseconds};

    #[test]
    fn lists_have_commas_and_blanks() {
        assert_eq!(items("a"), ["a"]);
        assert_eq!(items(" a, b ,c"), ["a", "b", "c"]);
        assert_eq!(items("a,b,"), ["a", "b"]);
        assert_eq!(items("a, "), ["a"]);
        for (given, empty) in [("", 0), (",", 0), ("a,,b", 1), ("a,,", 1), (",a", 0)] {
            assert_eq!(items(given)[empty], "", "{given:?}");
        }
    }

    #[test]
    fn times_have_units() {
        let given = ["500ms", "10s", "1m", "10", "0.5", "1.5s", "0", "0.2ms"];
        let read = given.map(|text| milliseconds(text).ok());
        let right = [500, 10_000, 60_000, 10_000, 500, 1_500, 0, 1];
        assert_eq!(read, right.map(Some));
    }

    #[test]
    fn other_words_are_no_times() {
        for text in ["", "s", "ms", "-1", "1h", "1e3", "inf", "NaN", "1..2", ".", "9999999999"] {
            assert!(milliseconds(text).is_err(), "{text}");
        }
    }
}
