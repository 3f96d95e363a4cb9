//! Text as other programs print it.

use std::borrow::Cow;

use trilist::quote;

/// The most single findings that a notice names.
pub(crate) const MOST_NOTICES: usize = 20;

/// Bytes as text, with U+FFFD for what cannot be decoded: what Rust and Node both do.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The first findings, and how many more there are.
pub(crate) fn bounded(mut findings: Vec<String>) -> Vec<String> {
    let more = findings.len().saturating_sub(MOST_NOTICES);
    if more > 0 {
        findings.truncate(MOST_NOTICES);
        findings.push(format!("and {more} more of the kind"));
    }
    findings
}

/// A line without the carriage return at its end.
pub(crate) fn without_return(line: &str) -> String {
    line.strip_suffix('\r').unwrap_or(line).to_owned()
}

/// A path in which names that break a line stand in quotes.
pub(crate) fn path_on_one_line(path: &str, breaks: impl Fn(&str) -> bool) -> String {
    if !path.split('/').any(&breaks) {
        return path.to_owned();
    }
    let names = path.split('/').map(|name| match breaks(name) {
        true => quote::shown(name.as_bytes()),
        false => Cow::Borrowed(name),
    });
    names.collect::<Vec<_>>().join("/")
}
