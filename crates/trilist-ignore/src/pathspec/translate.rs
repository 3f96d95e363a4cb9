//! One pattern to one regular expression, with pathspec's meaning.
//!
//! Python's `$` also matches before a newline at the end, and its classes know
//! no nesting, set operations or names: both are spelled out here.

use std::fmt::Write;

const END: &str = r"\n?\z";
const INVALID: &str = "pattern is nothing that pathspec accepts";

/// The expression for `line`, or none for a blank line or a comment.
pub(super) fn regex(line: &str) -> Result<Option<String>, &'static str> {
    let mut pattern = line;
    if !pattern.ends_with("\\ ") {
        pattern = pattern.trim_end_matches(python_space);
    }
    if pattern.is_empty() || pattern.starts_with('#') || pattern == "/" {
        return Ok(None);
    }
    pattern = pattern.strip_prefix('!').unwrap_or(pattern);
    match normalize(pattern)? {
        Normal::Whole(regex) => Ok(Some(regex.to_owned())),
        Normal::Segments(segments) => translate(&segments).map(Some),
    }
}

fn python_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

enum Normal<'a> {
    /// An expression that stands for the whole pattern.
    Whole(&'static str),
    Segments(Vec<&'a str>),
}

fn normalize(pattern: &str) -> Result<Normal<'_>, &'static str> {
    let mut segments: Vec<&str> = pattern.split('/').collect();
    let only_dir = pattern.ends_with('/') || pattern.is_empty();
    if segments[0].is_empty() {
        segments.remove(0);
    } else if (segments.len() == 1 || segments.len() == 2 && segments[1].is_empty())
        && segments[0] != "**"
    {
        segments.insert(0, "**");
    }
    let Some(last) = segments.last_mut() else {
        return Err(INVALID);
    };
    if last.is_empty() {
        *last = "**";
    }
    segments.dedup_by(|after, before| *after == "**" && *before == "**");
    Ok(match segments[..] {
        ["**"] if only_dir => Normal::Whole("/"),
        ["**"] | ["**", "*"] => Normal::Whole("."),
        ["**", "*", "**"] => Normal::Whole("/"),
        _ => Normal::Segments(segments),
    })
}

fn translate(segments: &[&str]) -> Result<String, &'static str> {
    let mut out = String::new();
    let end = segments.len() - 1;
    let mut need_slash = false;
    for (i, &segment) in segments.iter().enumerate() {
        if segment == "**" {
            if i == 0 {
                out.push_str("^(?:.+/)?");
            } else if i < end {
                out.push_str("(?:/.+)?");
                need_slash = true;
            } else {
                out.push('/');
            }
            continue;
        }
        if i == 0 {
            out.push('^');
        }
        if need_slash {
            out.push('/');
        }
        if segment == "*" {
            out.push_str("[^/]+");
        } else {
            translate_segment(segment, &mut out)?;
        }
        if i == end {
            out.push_str("(?:/|");
            out.push_str(END);
            out.push(')');
        }
        need_slash = true;
    }
    Ok(out)
}

fn translate_segment(segment: &str, out: &mut String) -> Result<(), &'static str> {
    let mut rest = segment.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => literal(rest.next().ok_or(INVALID)?, out),
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '[' => match class_len(rest.as_str()) {
                Some(len) => {
                    let (class, behind) = rest.as_str().split_at(len);
                    translate_class(class, out)?;
                    rest = behind[1..].chars();
                }
                None => literal('[', out),
            },
            c => literal(c, out),
        }
    }
    Ok(())
}

/// Where the class that starts `rest` has its `]`; the first item may be one.
fn class_len(rest: &str) -> Option<usize> {
    let negated = usize::from(rest.starts_with(['!', '^']));
    let first = negated + usize::from(rest[negated..].starts_with(']'));
    rest[first..].find(']').map(|at| first + at)
}

fn translate_class(class: &str, out: &mut String) -> Result<(), &'static str> {
    let negated = class.starts_with(['!', '^']);
    out.push_str(if negated { "[^" } else { "[" });
    let mut items = class[usize::from(negated)..].chars();
    while let Some(first) = items.next() {
        literal(first, out);
        let behind = items.as_str();
        if let Some(range) = behind.strip_prefix('-')
            && let Some(last) = range.chars().next()
        {
            if last < first {
                return Err("character range is out of order");
            }
            out.push('-');
            literal(last, out);
            items = range[last.len_utf8()..].chars();
        }
    }
    out.push(']');
    Ok(())
}

fn literal(c: char, out: &mut String) {
    if c.is_alphanumeric() || c == '_' || c == '/' {
        out.push(c);
    } else {
        write!(out, r"\x{{{:x}}}", u32::from(c)).expect("a string can always be written to");
    }
}
