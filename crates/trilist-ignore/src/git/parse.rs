//! From a file's lines to rules.

use memchr::{memchr, memchr_iter};

use super::{
    GitRule, GitRules, Kind, class,
    glob::{Segment, Token},
};
use crate::{
    BadLine, MAX_RULES,
    bad::BadLines,
    rules::{LineRef, Span, push_cap},
};

const BOM: &[u8] = b"\xef\xbb\xbf";
const EMPTY: &str = "pattern is empty and matches nothing";

pub(super) fn parse(mut rules: GitRules) -> (GitRules, Vec<BadLine>) {
    let text = std::mem::take(&mut rules.text);
    let mut bad = BadLines::default();
    let mut start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut line = 0;
    for end in memchr_iter(b'\n', &text).chain([text.len()]) {
        line += 1;
        // A BOM cannot hold the newline, so `start` is never behind `end`.
        let raw = &text[start..end];
        if !raw.is_empty() && raw[0] != b'#' {
            let written = Span::new(start, end - usize::from(raw.ends_with(b"\r")));
            if rules.rules.len() == MAX_RULES {
                push_cap(&mut bad, line, written.of(&text));
                break;
            }
            rules.add(&text, written, line, &mut bad);
        }
        start = end + 1;
    }
    rules.text = text;
    (rules, bad.finish())
}

impl GitRules {
    fn add(&mut self, text: &[u8], written: Span, line: u32, bad: &mut BadLines) {
        let mut pattern = written.of(text);
        if let Some(nul) = memchr(0, pattern) {
            bad.push(line, pattern, "line holds a NUL byte, and git reads only what precedes it");
            pattern = &pattern[..nul];
        }
        pattern = trim_spaces(pattern);
        if pattern.is_empty() {
            return;
        }
        let negated = pattern[0] == b'!';
        let only_dir = pattern.ends_with(b"/");
        let from = written.start as usize + usize::from(negated);
        let to = written.start as usize + pattern.len() - usize::from(only_dir);
        let sizes = (self.tokens.len(), self.segments.len(), self.classes.len());
        match (Compiler { rules: self, text }).compile(from, to.max(from)) {
            Ok(kind) => {
                let line = LineRef { text: written, line, negated };
                self.rules.push(GitRule { line, only_dir, kind });
            }
            Err(reason) => {
                self.tokens.truncate(sizes.0);
                self.segments.truncate(sizes.1);
                self.classes.truncate(sizes.2);
                bad.push(line, written.of(text), reason);
            }
        }
    }
}

/// Cuts trailing spaces that are not escaped; tabs stay.
fn trim_spaces(line: &[u8]) -> &[u8] {
    if !line.ends_with(b" ") {
        return line;
    }
    let (mut at, mut end) = (0, 0);
    while at < line.len() {
        match line[at] {
            b' ' => at += 1,
            b'\\' => {
                at += 2;
                end = at;
            }
            _ => {
                at += 1;
                end = at;
            }
        }
    }
    &line[..end.min(line.len())]
}

struct Compiler<'a> {
    rules: &'a mut GitRules,
    text: &'a [u8],
}

impl Compiler<'_> {
    /// Compiles `text[from..to]`: the pattern without `!` and the last slash.
    fn compile(&mut self, from: usize, to: usize) -> Result<Kind, &'static str> {
        let pattern = &self.text[from..to];
        if pattern.is_empty() || pattern == b"/" {
            return Err(EMPTY);
        }
        if memchr(b'/', pattern).is_none() { self.name(from, to) } else { self.path(from, to) }
    }

    /// A pattern without a slash is about base names.
    fn name(&mut self, from: usize, to: usize) -> Result<Kind, &'static str> {
        if let Some(kind) = self.simple_name(from, to) {
            return Ok(kind);
        }
        let start = self.rules.tokens.len();
        let mut at = from;
        while at < to {
            at = self.token(at, to)?;
        }
        Ok(Kind::NameGlob(Span::new(start, self.rules.tokens.len())))
    }

    /// Literals with at most one run of stars.
    fn simple_name(&self, from: usize, to: usize) -> Option<Kind> {
        let pattern = &self.text[from..to];
        let literal = literal_len(pattern);
        if literal == pattern.len() {
            return Some(Kind::Name(Span::new(from, to)));
        }
        let stars = pattern[literal..].iter().take_while(|&&byte| byte == b'*').count();
        let suffix = literal + stars;
        let simple = stars > 0 && literal_len(&pattern[suffix..]) == pattern.len() - suffix;
        simple.then(|| Kind::Affixes(Span::new(from, from + literal), Span::new(from + suffix, to)))
    }

    /// A pattern with a slash is about the whole path. Git compares what precedes
    /// the first special byte as a plain prefix and starts anew behind it, so
    /// that `a**/b` is `a` and then `**/b`, and matches `ab`.
    fn path(&mut self, from: usize, to: usize) -> Result<Kind, &'static str> {
        let from = from + usize::from(self.text[from] == b'/');
        let literal = from + literal_len(&self.text[from..to]);
        if literal == to {
            return Ok(Kind::Path(Span::new(from, to)));
        }
        if literal == from
            && let Some(name) = self.any_depth(from, to)
        {
            return self.name(name, to);
        }
        let start = self.rules.segments.len();
        self.path_segments(literal, to)?;
        let segments = Span::new(start, self.rules.segments.len());
        Ok(Kind::PathGlob(Span::new(from, literal), segments))
    }

    /// Where the name starts in `**/name`, which is the same as `name`.
    fn any_depth(&self, from: usize, to: usize) -> Option<usize> {
        let stars = self.stars(from, to);
        let name = from + stars + 1;
        let any = stars >= 2 && name < to && self.text[name - 1] == b'/';
        (any && memchr(b'/', &self.text[name..to]).is_none()).then_some(name)
    }

    fn path_segments(&mut self, from: usize, to: usize) -> Result<(), &'static str> {
        let mut at = from;
        loop {
            let stars = self.stars(at, to);
            let behind = &self.text[at + stars..to];
            if stars >= 2 && behind.starts_with(b"/") {
                self.many();
                at += stars + 1;
                continue;
            }
            if stars >= 2 && (behind.is_empty() || behind.starts_with(b"\\/")) {
                // One segment or more; only a plain `**/` can also be none.
                self.many();
            }
            let start = self.rules.tokens.len();
            while at < to && separator(&self.text[at..to]) == 0 {
                at = self.token(at, to)?;
            }
            let tokens = Span::new(start, self.rules.tokens.len());
            self.rules.segments.push(Segment::One(tokens));
            if at == to {
                return Ok(());
            }
            at += separator(&self.text[at..to]);
        }
    }

    fn many(&mut self) {
        // A repeated `**/` adds nothing. The segment before may be another
        // rule's last one, which is always a `One`.
        if self.rules.segments.last() != Some(&Segment::Many) {
            self.rules.segments.push(Segment::Many);
        }
    }

    fn stars(&self, from: usize, to: usize) -> usize {
        self.text[from..to].iter().take_while(|&&byte| byte == b'*').count()
    }

    /// Reads one token at `at` and gives the index behind it.
    fn token(&mut self, at: usize, to: usize) -> Result<usize, &'static str> {
        let (token, next) = match self.text[at] {
            b'*' => (Token::Star, at + self.stars(at, to)),
            b'?' => (Token::Any, at + 1),
            b'[' => {
                let (set, next) = class::parse(&self.text[..to], at + 1, self.rules.fold)?;
                self.rules.classes.push(set);
                (Token::Class((self.rules.classes.len() - 1) as u32), next)
            }
            b'\\' if at + 1 == to => return Err("backslash at the end escapes nothing"),
            // Git lowers the text but not an escaped byte when it folds case.
            b'\\' => (Token::Byte(self.text[at + 1]), at + 2),
            byte if self.rules.fold => (Token::Byte(byte.to_ascii_lowercase()), at + 1),
            byte => (Token::Byte(byte), at + 1),
        };
        self.rules.tokens.push(token);
        Ok(next)
    }
}

/// The length of the slash that `pattern` starts with, escaped or not.
fn separator(pattern: &[u8]) -> usize {
    match pattern {
        [b'/', ..] => 1,
        [b'\\', b'/', ..] => 2,
        _ => 0,
    }
}

fn literal_len(pattern: &[u8]) -> usize {
    pattern
        .iter()
        .position(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\'))
        .unwrap_or(pattern.len())
}
