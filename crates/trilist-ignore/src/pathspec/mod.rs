//! Pathspec's dialect as Aider uses it for `.aiderignore`.

mod translate;

use std::{borrow::Cow, ops::Range};

use bstr::ByteSlice;
use regex::bytes::{RegexSet, RegexSetBuilder};

use crate::{
    BadLine, MAX_PATTERN_BYTES, MAX_RULES, Rule,
    bad::BadLines,
    rules::{LineRef, Span, addressable, push_cap, too_long},
};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Patterns that are compiled together; a set that is too big is halved until
/// the culprit is alone.
const CHUNK: usize = 256;

/// Bytes that one compiled set may take.
const SET_BYTES: usize = 8 << 20;

/// The rules of one `.aiderignore`: pathspec 1.0.4's GitWildMatch.
///
/// Differs from git's dialect: a rule for a directory matches every path below
/// it and the last match wins, so a later `!` re-includes below an excluded
/// directory; `?` is a character and not a byte; there are no POSIX classes.
#[derive(Debug)]
pub struct PathspecRules {
    text: Box<[u8]>,
    rules: Vec<LineRef>,
    /// In file order; a later one decides first.
    chunks: Vec<Chunk>,
}

#[derive(Debug)]
struct Chunk {
    set: RegexSet,
    /// The rule of each expression.
    rules: Vec<u32>,
}

impl PathspecRules {
    /// Reads the content of an `.aiderignore`.
    ///
    /// Pathspec raises on a pattern like `!` or `a\`, and Aider then fails as a
    /// whole; here the line is returned as bad and the others hold. So does a
    /// line that is not UTF-8, and a byte order mark is not part of the first
    /// pattern.
    pub fn parse(bytes: &[u8]) -> (Self, Vec<BadLine>) {
        let text: Box<[u8]> = addressable(bytes).into();
        let mut build = Build { text: &text, rules: Vec::new(), bad: BadLines::default() };
        let sources = build.read_lines();
        let mut chunks = Vec::new();
        for start in (0..sources.len()).step_by(CHUNK) {
            build.chunk(&sources, start..sources.len().min(start + CHUNK), &mut chunks);
        }
        let Build { rules, bad, .. } = build;
        (Self { text, rules, chunks }, bad.finish())
    }

    /// Finds the last rule that matches a file's path, be it on one of its
    /// parents; see [`RuleSet::matched`](crate::RuleSet::matched).
    ///
    /// A directory is never matched: a later rule can re-include what is below
    /// it, so only files can be decided.
    pub fn matched(&self, path: &[u8], is_dir: bool) -> Option<usize> {
        if is_dir {
            return None;
        }
        let path = as_text(path);
        self.chunks.iter().rev().find_map(|chunk| {
            // Asked first because it allocates nothing.
            chunk
                .set
                .is_match(&path)
                .then(|| chunk.set.matches(&path).iter().next_back())?
                .map(|last| chunk.rules[last] as usize)
        })
    }

    /// The rule that [`matched`](Self::matched) named.
    ///
    /// # Panics
    ///
    /// If `index` did not come from this set.
    pub fn rule(&self, index: usize) -> Rule<'_> {
        self.rules[index].rule(&self.text)
    }

    /// Whether no rule is in force.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }
}

/// Python's strings hold a stray byte as one character; so does this text.
fn as_text(path: &[u8]) -> Cow<'_, [u8]> {
    if path.to_str().is_ok() {
        return Cow::Borrowed(path);
    }
    let mut text = Vec::with_capacity(path.len() + 16);
    for chunk in path.utf8_chunks() {
        text.extend_from_slice(chunk.valid().as_bytes());
        for _ in chunk.invalid() {
            text.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
    Cow::Owned(text)
}

struct Build<'a> {
    text: &'a [u8],
    rules: Vec<LineRef>,
    bad: BadLines,
}

impl Build<'_> {
    /// Translates the lines; gives an expression for each rule.
    fn read_lines(&mut self) -> Vec<String> {
        let mut sources = Vec::new();
        let mut start = if self.text.starts_with(BOM) { BOM.len() } else { 0 };
        let mut line = 1;
        while start < self.text.len() {
            let (end, next, newline) = line_end(self.text, start);
            if self.rules.len() == MAX_RULES {
                push_cap(&mut self.bad, line, &self.text[start..end]);
                break;
            }
            sources.extend(self.read_line(Span::new(start, end), line));
            start = next;
            line += u32::from(newline);
        }
        sources
    }

    fn read_line(&mut self, written: Span, line: u32) -> Option<String> {
        let raw = written.of(self.text);
        let translated = if raw.len() > MAX_PATTERN_BYTES && raw[0] != b'#' {
            Err(too_long(raw.len()))
        } else {
            raw.to_str()
                .map_err(|_| "line is not UTF-8".to_owned())
                .and_then(|pattern| translate::regex(pattern).map_err(str::to_owned))
        };
        match translated {
            Ok(source) => {
                let source = source?;
                self.rules.push(LineRef { text: written, line, negated: raw[0] == b'!' });
                Some(source)
            }
            Err(reason) => {
                self.bad.push(line, raw, reason);
                None
            }
        }
    }

    fn chunk(&mut self, sources: &[String], range: Range<usize>, chunks: &mut Vec<Chunk>) {
        let built = RegexSetBuilder::new(&sources[range.clone()]).size_limit(SET_BYTES).build();
        match built {
            Ok(set) => chunks.push(Chunk { set, rules: range.map(|rule| rule as u32).collect() }),
            Err(error) if range.len() == 1 => {
                let rule = self.rules[range.start];
                self.bad.push(rule.line, rule.text.of(self.text), error.to_string());
            }
            Err(_) => {
                let middle = range.start + range.len() / 2;
                self.chunk(sources, range.start..middle, chunks);
                self.chunk(sources, middle..range.end, chunks);
            }
        }
    }
}

/// The end of the line that starts at `start`, the start of the next one, and
/// whether an editor counts it as one. Python's `splitlines` also cuts at
/// separators that are no line ends to anyone else.
fn line_end(text: &[u8], start: usize) -> (usize, usize, bool) {
    for at in start..text.len() {
        let (len, newline) = match &text[at..] {
            [b'\r', b'\n', ..] => (2, true),
            [b'\r' | b'\n', ..] => (1, true),
            [0x0b | 0x0c | 0x1c..=0x1e, ..] => (1, false),
            [0xc2, 0x85, ..] => (2, false),
            [0xe2, 0x80, 0xa8 | 0xa9, ..] => (3, false),
            _ => continue,
        };
        return (at, at + len, newline);
    }
    (text.len(), text.len(), false)
}
