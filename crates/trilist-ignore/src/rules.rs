//! One interface over the file dialects.

use trilist_core::RuleDialect;

use crate::{BadLine, GitRules, PathspecRules, RipgrepRules, bad::BadLines};

/// The most patterns of one ignore file that are kept: the first ones. A line
/// beyond is told in one [`BadLine`].
pub const MAX_RULES: usize = 5_000;

/// The longest pattern, in bytes, in the dialects that compile to regular
/// expressions (ripgrep and pathspec). Git's dialect knows no such limit.
pub const MAX_PATTERN_BYTES: usize = 4_096;

/// Whether letters of either case are the same, as `core.ignorecase` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `A` is not `a`.
    Sensitive,
    /// ASCII letters match in either case; pathspec knows no such option and is
    /// always sensitive.
    Insensitive,
}

/// What an ignore file's lines mean: the rules of the program that owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// git 2.47's `.gitignore`.
    Git,
    /// ripgrep 15's `.ignore`.
    Ripgrep,
    /// pathspec 1.0.4's GitWildMatch, as Aider reads `.aiderignore`.
    Pathspec,
}

impl Dialect {
    /// The dialect of a tool's ignore file, by its name or path: pathspec's for `.aiderignore`,
    /// git's for every other one.
    pub fn of_tool(name: &[u8]) -> Self {
        let is_aiders = name == b".aiderignore" || name.ends_with(b"/.aiderignore");
        if is_aiders { Self::Pathspec } else { Self::Git }
    }
}

impl From<Dialect> for RuleDialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Git => RuleDialect::Git,
            Dialect::Ripgrep => RuleDialect::Ripgrep,
            Dialect::Pathspec => RuleDialect::Pathspec,
        }
    }
}

/// One rule as it stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'a> {
    /// The line as written, without its line ending.
    pub text: &'a [u8],
    /// The line's number, counted from 1.
    pub line: u32,
    /// Whether the rule re-includes (`!`).
    pub negated: bool,
}

/// The rules of one ignore file in their dialect.
#[derive(Debug)]
pub enum RuleSet {
    /// Git's dialect.
    Git(GitRules),
    /// Ripgrep's dialect.
    Ripgrep(RipgrepRules),
    /// Pathspec's dialect.
    Pathspec(PathspecRules),
}

impl RuleSet {
    /// Reads the content of an ignore file. Never fails: lines that cannot be
    /// used are returned, at most [`MAX_BAD_LINES`](crate::MAX_BAD_LINES), of
    /// which the last one counts the rest, and the others hold.
    pub fn parse(dialect: Dialect, bytes: &[u8], case: Case) -> (Self, Vec<BadLine>) {
        match dialect {
            Dialect::Git => {
                let (rules, bad) = GitRules::parse(bytes, case);
                (Self::Git(rules), bad)
            }
            Dialect::Ripgrep => {
                let (rules, bad) = RipgrepRules::parse(bytes, case);
                (Self::Ripgrep(rules), bad)
            }
            Dialect::Pathspec => {
                let (rules, bad) = PathspecRules::parse(bytes);
                (Self::Pathspec(rules), bad)
            }
        }
    }

    /// Finds the rule that decides about `path`: the last one that matches.
    ///
    /// `path` is relative to the ignore file's directory, `/`-separated, without
    /// a leading slash, and not empty. Only this path is tested, not its
    /// parents. `is_dir` is false for a symlink.
    #[inline]
    pub fn matched(&self, path: &[u8], is_dir: bool) -> Option<usize> {
        match self {
            Self::Git(rules) => rules.matched(path, is_dir),
            Self::Ripgrep(rules) => rules.matched(path, is_dir),
            Self::Pathspec(rules) => rules.matched(path, is_dir),
        }
    }

    /// The rule that [`matched`](Self::matched) named.
    ///
    /// # Panics
    ///
    /// If `index` did not come from this set.
    pub fn rule(&self, index: usize) -> Rule<'_> {
        match self {
            Self::Git(rules) => rules.rule(index),
            Self::Ripgrep(rules) => rules.rule(index),
            Self::Pathspec(rules) => rules.rule(index),
        }
    }

    /// The language of the rules.
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Git(_) => Dialect::Git,
            Self::Ripgrep(_) => Dialect::Ripgrep,
            Self::Pathspec(_) => Dialect::Pathspec,
        }
    }

    /// Whether no line of the file is in force.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Git(rules) => rules.is_empty(),
            Self::Ripgrep(rules) => rules.is_empty(),
            Self::Pathspec(rules) => rules.is_empty(),
        }
    }
}

/// A range of bytes or items; an ignore file is far below 4 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, len: (end - start) as u32 }
    }

    #[inline]
    pub(crate) fn of<T>(self, items: &[T]) -> &[T] {
        &items[self.start as usize..self.start as usize + self.len as usize]
    }
}

/// A rule's place in its file, for the dialects that keep nothing else of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineRef {
    pub(crate) text: Span,
    pub(crate) line: u32,
    pub(crate) negated: bool,
}

impl LineRef {
    pub(crate) fn rule(self, text: &[u8]) -> Rule<'_> {
        Rule { text: self.text.of(text), line: self.line, negated: self.negated }
    }
}

/// Cuts what a [`Span`] could not address.
pub(crate) fn addressable(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(u32::MAX as usize)]
}

/// Tells that the file has more than [`MAX_RULES`] patterns, from `line` on.
pub(crate) fn push_cap(bad: &mut BadLines, line: u32, text: &[u8]) {
    bad.push(
        line,
        text,
        format!("more than {MAX_RULES} patterns in one file: not read from here on"),
    );
}

/// Why a line is too long for the dialects that compile to regular expressions.
pub(crate) fn too_long(bytes: usize) -> String {
    format!("pattern of {bytes} bytes is longer than {MAX_PATTERN_BYTES}")
}
