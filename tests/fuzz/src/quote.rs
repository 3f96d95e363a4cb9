//! Names as they are shown.

use std::borrow::Cow;

use trilist_core::quote::{is_plain, printable, shown, unquoted};

/// Takes the bytes as a name, and as what somebody types: what is shown is one visible line, leads
/// back to the name, and is the name itself exactly where [`is_plain`] says so.
///
/// # Panics
///
/// When one of these does not hold.
pub fn quote(data: &[u8]) {
    let text = shown(data);
    assert_visible(&text);
    assert_eq!(is_plain(data), text.as_bytes() == data, "{text}");
    assert_eq!(is_plain(data), matches!(text, Cow::Borrowed(_)), "{text}");
    match is_plain(data) {
        true => assert_eq!(unquoted(text.as_bytes()), None, "{text}"),
        false => assert_eq!(unquoted(text.as_bytes()).as_deref(), Some(data), "{text}"),
    }
    if let Some(meant) = unquoted(data) {
        let again = shown(&meant);
        assert!(again.as_bytes() == meant || unquoted(again.as_bytes()) == Some(meant));
    }
    let text = String::from_utf8_lossy(data);
    assert_visible(&printable(&text));
}

/// What DESIGN names: no controls, nothing that turns the direction round, nothing of no width, no
/// tags.
pub(crate) fn assert_visible(text: &str) {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
            || matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{61c}' | '\u{ad}')
    };
    assert!(!text.chars().any(hidden), "{text:?}");
}
