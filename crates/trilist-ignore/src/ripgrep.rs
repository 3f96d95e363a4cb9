//! Ripgrep's ignore dialect, through the crate that ripgrep itself uses.

use std::path::PathBuf;

use bstr::ByteSlice;
use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};
use memchr::memchr_iter;

use crate::{
    BadLine, Case, MAX_PATTERN_BYTES, MAX_RULES, Rule,
    bad::BadLines,
    rules::{LineRef, Span, addressable, push_cap, too_long},
};

const BOM: &str = "\u{feff}";

/// Globs that are compiled together. One set that is too big drops all of its
/// rules, so sets are kept small and halved until the culprit is alone.
const CHUNK: usize = 512;

/// The rules of one file in ripgrep's dialect (`.ignore`, `.rgignore`).
///
/// Nothing is opened: the lines come from bytes in memory. Matching a hostile
/// set can take long; look at the deadline between two calls.
#[derive(Debug)]
pub struct RipgrepRules {
    text: Box<[u8]>,
    rules: Vec<LineRef>,
    /// In file order; a later one decides first.
    chunks: Vec<Gitignore>,
}

impl RipgrepRules {
    /// Reads the content of a `.ignore` or `.rgignore`. Lines that are not UTF-8,
    /// longer than [`MAX_PATTERN_BYTES`] or no glob are returned as bad.
    pub fn parse(bytes: &[u8], case: Case) -> (Self, Vec<BadLine>) {
        let text: Box<[u8]> = addressable(bytes).into();
        let mut bad = BadLines::default();
        let rules = read_lines(&text, &mut bad);
        let mut build = Build { text: &text, rules: &rules, case, chunks: Vec::new(), bad };
        for start in (0..rules.len()).step_by(CHUNK) {
            build.chunk(start, rules.len().min(start + CHUNK));
        }
        let Build { chunks, bad, .. } = build;
        (Self { text, rules, chunks }, bad.finish())
    }

    /// Finds the last rule that matches; see [`RuleSet::matched`](crate::RuleSet::matched).
    pub fn matched(&self, path: &[u8], is_dir: bool) -> Option<usize> {
        // On Unix every path converts; elsewhere one that is no text matches nothing.
        let path = path.to_path().ok()?;
        self.chunks.iter().rev().find_map(|chunk| match chunk.matched(path, is_dir) {
            Match::None => None,
            Match::Ignore(glob) | Match::Whitelist(glob) => glob.from()?.to_str()?.parse().ok(),
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

/// The lines that may hold a glob, as ripgrep's line reader cuts them.
fn read_lines(text: &[u8], bad: &mut BadLines) -> Vec<LineRef> {
    let mut rules = Vec::new();
    let (mut start, mut line) = (0, 0);
    for end in memchr_iter(b'\n', text).chain([text.len()]) {
        line += 1;
        if line == 1 {
            while text[start..end].starts_with(BOM.as_bytes()) {
                start += BOM.len();
            }
        }
        // A carriage return without a newline is part of the pattern.
        let crlf = end < text.len() && text[start..end].ends_with(b"\r");
        let written = Span::new(start, end - usize::from(crlf));
        let raw = written.of(text);
        if raw.iter().any(|&byte| byte != b' ') && raw[0] != b'#' {
            if rules.len() == MAX_RULES {
                push_cap(bad, line, raw);
                break;
            }
            if raw.len() > MAX_PATTERN_BYTES {
                bad.push(line, raw, too_long(raw.len()));
            } else if raw.to_str().is_err() {
                bad.push(line, raw, "line is not UTF-8");
            } else {
                rules.push(LineRef { text: written, line, negated: raw[0] == b'!' });
            }
        }
        start = end + 1;
    }
    rules
}

struct Build<'a> {
    text: &'a [u8],
    rules: &'a [LineRef],
    case: Case,
    chunks: Vec<Gitignore>,
    bad: BadLines,
}

impl Build<'_> {
    /// Adds the rules `start..end` in as few sets as they fit.
    fn chunk(&mut self, start: usize, end: usize) {
        let mut builder = GitignoreBuilder::new("");
        builder
            .case_insensitive(self.case == Case::Insensitive)
            .expect("setting the case never fails");
        for index in start..end {
            self.line(&mut builder, index);
        }
        match builder.build() {
            Ok(set) if set.is_empty() => {}
            Ok(set) => self.chunks.push(set),
            Err(error) if end - start == 1 => {
                let rule = self.rules[start];
                self.bad.push(rule.line, rule.text.of(self.text), error.to_string());
            }
            Err(_) => {
                let middle = start + (end - start) / 2;
                self.chunk(start, middle);
                self.chunk(middle, end);
            }
        }
    }

    fn line(&mut self, builder: &mut GitignoreBuilder, index: usize) {
        let rule = self.rules[index];
        let raw = rule.text.of(self.text);
        let line = raw.to_str().expect("lines that are not UTF-8 were left out");
        // The crate keeps a file name with each glob: it carries the index here.
        if let Err(error) = builder.add_line(Some(PathBuf::from(index.to_string())), line) {
            self.bad.push(rule.line, raw, error.to_string());
        }
    }
}
