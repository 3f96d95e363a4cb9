//! Ignore layers to a verdict that names file, line and pattern.
//!
//! Every ignore file is read in the dialect of the program that owns it: git's
//! files mean exactly what git means ([`GitRules`]), `.ignore` and `.rgignore`
//! what ripgrep means ([`RipgrepRules`]), `.aiderignore` what Python's pathspec
//! means ([`PathspecRules`]), and the globs of a request are [`Globs`].
//! [`RuleSet`] is one interface over the file dialects; [`IgnoreStack`] puts the
//! files of a walk in their order of precedence.
//!
//! ```
//! use trilist_ignore::{Case, Globs, IgnoreFile, IgnoreStack, Layer, LayerSwitches, Verdict};
//!
//! let mut stack = IgnoreStack::new(LayerSwitches::ALL, Globs::empty(), Globs::empty(), b"");
//! let file = IgnoreFile { layer: Layer::GitIgnore, name: b".gitignore", bytes: b"*.log\n!keep.log\n" };
//! stack.enter(b"", Some(Case::Sensitive), &[file]);
//! let Verdict::Ignored(rule) = stack.verdict(b"src/a.log", false) else { panic!("not ignored") };
//! assert_eq!((rule.source, rule.line, rule.pattern), (&b".gitignore"[..], 1, &b"*.log"[..]));
//! assert!(matches!(stack.verdict(b"src/keep.log", false), Verdict::Kept(rule) if rule.line == 2));
//! assert_eq!(stack.verdict(b"src/main.rs", false), Verdict::Undecided);
//! ```
//!
//! Left out on purpose: reading anything (bytes come from the caller), pruning
//! (a verdict is about one path, not about its parents: the walk does not enter
//! what is ignored), hidden and protected names, and git's index.

mod bad;
mod builtin;
mod git;
mod glob;
mod layers;
mod pathspec;
mod ripgrep;
mod rules;
mod verdict;

pub use bad::{BadLine, MAX_BAD_LINES};
pub use builtin::{BuiltinEntry, BuiltinNames};
pub use git::GitRules;
pub use glob::{GlobError, Globs, MAX_GLOB_BYTES, MAX_GLOBS};
pub use layers::{GlobOrigin, IgnoreFile, IgnoreStack};
pub use pathspec::PathspecRules;
pub use ripgrep::RipgrepRules;
pub use rules::{Case, Dialect, MAX_PATTERN_BYTES, MAX_RULES, Rule, RuleSet};
pub use verdict::{Layer, LayerSwitches, RuleRef, Verdict};
