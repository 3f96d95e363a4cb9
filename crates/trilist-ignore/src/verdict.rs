//! What the layers say about a path.

use trilist_core::RuleDialect;

use crate::Dialect;

/// Where a rule comes from, in order of precedence: the first layer that has a
/// matching rule decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Globs of the request: those to keep, then those to exclude.
    Request,
    /// A tool's own ignore file, such as `.aiderignore`.
    Tool,
    /// `.rgignore`.
    RgIgnore,
    /// `.ignore`.
    DotIgnore,
    /// `.gitignore`.
    GitIgnore,
    /// `.git/info/exclude`.
    InfoExclude,
    /// The user's global excludes.
    Global,
    /// The builtin list; directories only.
    Builtin,
}

/// The rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRef<'a> {
    /// The layer it belongs to.
    pub layer: Layer,
    /// The ignore file's path relative to the opened root, or `builtin`, or
    /// `request`.
    pub source: &'a [u8],
    /// The line, counted from 1; in a request, the glob's place in its list.
    pub line: u32,
    /// The pattern as written, without its line ending.
    pub pattern: &'a [u8],
}

impl RuleRef<'_> {
    /// The language in which the rule is read.
    pub fn dialect(&self) -> RuleDialect {
        match self.layer {
            Layer::Request => RuleDialect::Glob,
            Layer::Builtin => RuleDialect::Name,
            Layer::RgIgnore | Layer::DotIgnore => RuleDialect::Ripgrep,
            Layer::Tool => Dialect::of_tool(self.source).into(),
            Layer::GitIgnore | Layer::InfoExclude | Layer::Global => RuleDialect::Git,
        }
    }
}

/// The layers' answer about one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// No rule matches.
    Undecided,
    /// Left out by this rule.
    Ignored(RuleRef<'a>),
    /// Kept by this rule, whatever weaker layers say.
    Kept(RuleRef<'a>),
}

/// Which layers are in force; the request's globs and tool files always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerSwitches {
    /// The builtin list.
    pub builtin: bool,
    /// `.gitignore`, `.git/info/exclude` and the global excludes.
    pub git: bool,
    /// `.ignore` and `.rgignore`.
    pub dot_ignore: bool,
}

impl LayerSwitches {
    /// Every layer.
    pub const ALL: Self = Self { builtin: true, git: true, dot_ignore: true };
    /// No layer but the request's globs and tool files.
    pub const NONE: Self = Self { builtin: false, git: false, dot_ignore: false };

    pub(crate) fn reads(self, layer: Layer) -> bool {
        match layer {
            Layer::Tool => true,
            Layer::RgIgnore | Layer::DotIgnore => self.dot_ignore,
            Layer::GitIgnore | Layer::InfoExclude | Layer::Global => self.git,
            Layer::Request | Layer::Builtin => false,
        }
    }
}
