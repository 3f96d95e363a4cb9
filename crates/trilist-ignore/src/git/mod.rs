//! Git's ignore dialect: what `git check-ignore` 2.47 says, and no more work
//! than path times pattern.

mod class;
mod glob;
mod parse;

use memchr::memrchr;

use crate::{
    BadLine, Case, Rule,
    rules::{LineRef, Span, addressable},
};
use class::ByteSet;
use glob::{Segment, Token};

/// The rules of one file in git's dialect.
///
/// Patterns are bytes, not text: any path and any pattern has a meaning. A test
/// costs at most the length of the path times that of the pattern, and does not
/// allocate.
#[derive(Debug)]
pub struct GitRules {
    text: Box<[u8]>,
    rules: Vec<GitRule>,
    tokens: Vec<Token>,
    segments: Vec<Segment>,
    classes: Vec<ByteSet>,
    fold: bool,
}

#[derive(Debug)]
struct GitRule {
    line: LineRef,
    only_dir: bool,
    kind: Kind,
}

/// What a pattern asks of a path, cheapest first. Spans of literals point into
/// the file's text.
#[derive(Debug)]
enum Kind {
    /// The base name is this.
    Name(Span),
    /// The base name starts and ends with these, without overlap.
    Affixes(Span, Span),
    /// The base name matches these tokens.
    NameGlob(Span),
    /// The whole path is this.
    Path(Span),
    /// The path starts with this, and what follows matches these segments.
    PathGlob(Span, Span),
}

impl GitRules {
    /// Reads the content of a `.gitignore`, an `info/exclude` or a global
    /// excludes file. A line that git accepts but that can never match (an
    /// unclosed class, a backslash at the end) is returned as bad.
    pub fn parse(bytes: &[u8], case: Case) -> (Self, Vec<BadLine>) {
        let rules = Self {
            text: addressable(bytes).into(),
            rules: Vec::new(),
            tokens: Vec::new(),
            segments: Vec::new(),
            classes: Vec::new(),
            fold: case == Case::Insensitive,
        };
        parse::parse(rules)
    }

    /// Finds the last rule that matches; see [`RuleSet::matched`](crate::RuleSet::matched).
    #[inline]
    pub fn matched(&self, path: &[u8], is_dir: bool) -> Option<usize> {
        let base = &path[memrchr(b'/', path).map_or(0, |slash| slash + 1)..];
        self.rules
            .iter()
            .rposition(|rule| (is_dir || !rule.only_dir) && self.matches(&rule.kind, path, base))
    }

    /// The rule that [`matched`](Self::matched) named.
    ///
    /// # Panics
    ///
    /// If `index` did not come from this set.
    pub fn rule(&self, index: usize) -> Rule<'_> {
        self.rules[index].line.rule(&self.text)
    }

    /// How many rules are in force.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether no rule is in force.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    #[inline]
    fn matches(&self, kind: &Kind, path: &[u8], base: &[u8]) -> bool {
        match *kind {
            Kind::Name(name) => self.same(name.of(&self.text), base),
            Kind::Affixes(prefix, suffix) => {
                let (prefix, suffix) = (prefix.of(&self.text), suffix.of(&self.text));
                prefix.len() + suffix.len() <= base.len()
                    && self.same(suffix, &base[base.len() - suffix.len()..])
                    && self.same(prefix, &base[..prefix.len()])
            }
            Kind::NameGlob(tokens) => self.globs().matches(tokens.of(&self.tokens), base),
            Kind::Path(name) => self.same(name.of(&self.text), path),
            Kind::PathGlob(prefix, segments) => {
                let prefix = prefix.of(&self.text);
                prefix.len() <= path.len()
                    && self.same(prefix, &path[..prefix.len()])
                    && self.globs().matches_path(segments.of(&self.segments), &path[prefix.len()..])
            }
        }
    }

    #[inline]
    fn same(&self, literal: &[u8], text: &[u8]) -> bool {
        if self.fold { literal.eq_ignore_ascii_case(text) } else { literal == text }
    }

    fn globs(&self) -> glob::Globber<'_> {
        glob::Globber { tokens: &self.tokens, classes: &self.classes, fold: self.fold }
    }
}
