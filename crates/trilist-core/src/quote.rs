//! One spelling for names that cannot be shown as they are.
//!
//! A name that is not valid UTF-8, or holds control, bidirectional, zero-width or tag
//! characters or a line separator, or starts with `"`, is shown between double quotes with C
//! escapes, as git does with `core.quotePath`: `\a \b \t \n \v \f \r \" \\`, and three octal
//! digits for any other byte. Ordinary non-ASCII letters stay as they are. The spelling can be
//! undone exactly by [`unquoted`], and is accepted wherever a path is an argument.

use std::borrow::Cow;

/// The name as every channel shows it.
///
/// ```
/// assert_eq!(trilist_core::quote::shown(b"plain name"), "plain name");
/// assert_eq!(trilist_core::quote::shown(b"two\nlines"), r#""two\nlines""#);
/// assert_eq!(trilist_core::quote::shown(b"caf\xe9"), r#""caf\351""#);
/// ```
pub fn shown(bytes: &[u8]) -> Cow<'_, str> {
    match plain(bytes) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(quoted(bytes)),
    }
}

/// An argument as a message repeats it: as [`shown`] has it, but what is quoted already, with the
/// slash of a directory behind it or without, stays as it is.
///
/// ```
/// assert_eq!(trilist_core::quote::argument(br#""two\nlines"/"#), r#""two\nlines"/"#);
/// assert_eq!(trilist_core::quote::argument(br#""two"#), r#""\"two""#);
/// ```
pub fn argument(bytes: &[u8]) -> Cow<'_, str> {
    let quoted = bytes.strip_suffix(b"/").unwrap_or(bytes);
    let is_shown = unquoted(quoted).is_some_and(|name| shown(&name).as_bytes() == quoted);
    match std::str::from_utf8(bytes) {
        Ok(text) if is_shown => Cow::Borrowed(text),
        _ => shown(bytes),
    }
}

/// True when [`shown`] has to quote.
pub fn needs_quotes(bytes: &[u8]) -> bool {
    !is_plain(bytes)
}

/// The text itself, when it can be shown as it is.
#[inline]
pub fn plain(bytes: &[u8]) -> Option<&str> {
    is_plain(bytes).then(|| std::str::from_utf8(bytes).ok()).flatten()
}

/// Whether [`shown`] leaves the bytes as they are; cheaper than asking for the text.
#[inline]
pub fn is_plain(bytes: &[u8]) -> bool {
    // Nearly every name is printable ASCII; this one pass keeps it off the slow path.
    if is_printable_ascii(bytes) {
        return bytes.first() != Some(&b'"');
    }
    is_plain_text(bytes)
}

#[inline(never)]
fn is_plain_text(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes);
    text.is_ok_and(|text| !text.starts_with('"') && !text.chars().any(is_invisible))
}

/// Looks for the largest distance from the first printable byte, in blocks that become vector
/// instructions. The last block looks once more at some bytes, which is cheaper than one by one at
/// the rest.
#[inline]
fn is_printable_ascii(bytes: &[u8]) -> bool {
    const LARGEST: u8 = 0x7e - 0x20;
    let distance = |byte: u8| byte.wrapping_sub(0x20);
    let Some(last) = bytes.last_chunk::<16>() else {
        return bytes.iter().all(|byte| distance(*byte) <= LARGEST);
    };
    let mut most = last.map(distance);
    for block in bytes.as_chunks::<16>().0 {
        most.iter_mut().zip(block).for_each(|(most, byte)| *most = distance(*byte).max(*most));
    }
    most.iter().fold(true, |all, most| all & (*most <= LARGEST))
}

/// Free text with every character that must not be shown raw escaped as `\u{…}`; for messages
/// that embed what somebody typed.
pub fn printable(text: &str) -> Cow<'_, str> {
    if is_printable_ascii(text.as_bytes()) || !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| {
        if is_invisible(c) { c.escape_unicode().to_string() } else { c.into() }
    };
    Cow::Owned(text.chars().map(escape).collect())
}

/// JSON in which what must not be shown raw is escaped as `\uXXXX`: names never hold such
/// characters, but what a caller typed, and gets back as it is, may.
pub fn printable_json(json: String) -> String {
    if is_printable_ascii(json.as_bytes()) || !json.chars().any(is_invisible) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_invisible(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units)
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// True for characters that change how a line reads without being seen.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 8);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(&mut out, c);
        }
        for byte in chunk.invalid() {
            push_octal(&mut out, *byte);
        }
    }
    out.push('"');
    out
}

fn push_char(out: &mut String, c: char) {
    match c {
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\x0b' => out.push_str("\\v"),
        '\x0c' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        c if is_invisible(c) => {
            let mut buffer = [0; 4];
            c.encode_utf8(&mut buffer).bytes().for_each(|byte| push_octal(out, byte));
        }
        c => out.push(c),
    }
}

fn push_octal(out: &mut String, byte: u8) {
    out.push('\\');
    for shift in [6, 3, 0] {
        out.push(char::from(b'0' + ((byte >> shift) & 7)));
    }
}

/// The exact bytes behind a quoted spelling, or `None` when `text` is not one.
///
/// ```
/// use trilist_core::quote::unquoted;
///
/// assert_eq!(unquoted(br#""caf\351""#), Some(b"caf\xe9".to_vec()));
/// assert_eq!(unquoted(b"plain"), None);
/// ```
pub fn unquoted(text: &[u8]) -> Option<Vec<u8>> {
    let inner = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return None,
            b'\\' => out.push(escaped(&mut rest)?),
            other => out.push(other),
        }
    }
    Some(out)
}

fn escaped(rest: &mut impl Iterator<Item = u8>) -> Option<u8> {
    Some(match rest.next()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'"' => b'"',
        b'\\' => b'\\',
        first @ b'0'..=b'3' => {
            let mut value = first - b'0';
            for _ in 0..2 {
                let digit = rest.next().filter(|digit| (b'0'..=b'7').contains(digit))?;
                value = value * 8 + (digit - b'0');
            }
            value
        }
        _ => return None,
    })
}
