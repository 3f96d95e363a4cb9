//! Text as other programs print it.

use std::borrow::Cow;

/// The most single findings that a notice names.
const MOST_NOTICES: usize = 20;

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
