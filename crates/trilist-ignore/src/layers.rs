//! The stack of ignore files above a directory.
//!
//! Precedence is ripgrep's: the first layer with a matching rule decides, within
//! a layer the deepest file, within a file the last line. Git's layers count
//! only inside a repository, and a repository inside another one is a border for
//! them. Whether their case counts is a setting of the repository.

use std::sync::Arc;

use memchr::memrchr;

use crate::{
    BadLine, BuiltinNames, Case, Dialect, Globs, Layer, LayerSwitches, MAX_BAD_LINES, RuleRef,
    RuleSet, Verdict,
};

/// An ignore file that was found in a directory.
#[derive(Clone, Copy, Debug)]
pub struct IgnoreFile<'a> {
    /// Its layer, one of those that are files. It settles the dialect too: git's
    /// for git's layers and for tool files, ripgrep's for `.ignore` and
    /// `.rgignore`, pathspec's for a tool file called `.aiderignore`.
    pub layer: Layer,
    /// Its path relative to the directory, such as `.gitignore` or
    /// `.git/info/exclude`. Global excludes have no path: `global`.
    pub name: &'a [u8],
    /// Its content.
    pub bytes: &'a [u8],
}

/// The rules in force at one place of a walk.
///
/// The walk enters every directory on its way down from the opened root, with
/// the ignore files it found there, and leaves it on its way up. A verdict is
/// about a path below the directory entered last, and about that path alone: a
/// walk does not enter a directory that is ignored.
#[derive(Debug)]
pub struct IgnoreStack {
    switches: LayerSwitches,
    request: Request,
    builtin: Option<BuiltinNames>,
    assume_repository: bool,
    levels: Vec<Level>,
    /// Directories entered below the top level that hold nothing of interest.
    plain: u32,
    /// The sets in force, in the order in which they are asked.
    active: Vec<Active>,
    cache: Cache,
    bad: Vec<BadLine>,
}

#[derive(Debug)]
struct Request {
    exclude: Globs,
    keep: Globs,
    /// The listed directory, with a slash at the end unless it is the root.
    base: Vec<u8>,
    /// Where globs to exclude come from that are not the request's, in order.
    origins: Vec<GlobOrigin>,
}

/// Where globs to exclude come from that are not the request's own.
#[derive(Clone, Debug)]
pub struct GlobOrigin {
    /// The place of the first of them in the list, counted from 0.
    pub first: usize,
    /// The name of the source.
    pub source: String,
    /// The line of each in its source, counted from 1; empty where places count.
    pub lines: Vec<u32>,
}

/// A directory that holds ignore files or a repository.
#[derive(Debug)]
struct Level {
    /// The length of its path, with the slash behind it.
    prefix_len: usize,
    repository: Option<Case>,
    files: Vec<File>,
    /// `plain` of the level below, kept while this one is on top.
    plain_below: u32,
}

#[derive(Debug)]
struct File {
    layer: Layer,
    /// Relative to the opened root.
    source: Box<[u8]>,
    rules: Arc<RuleSet>,
    /// Global excludes where case does not count: one file for all repositories.
    folded: Option<Arc<RuleSet>>,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    layer: Layer,
    level: u32,
    file: u32,
    prefix_len: usize,
    /// Whether [`File::folded`] is meant.
    folded: bool,
}

impl IgnoreStack {
    /// Makes a stack that has entered nothing. The request's globs are relative
    /// to `base`, the listed directory, itself relative to the opened root and
    /// empty for it.
    pub fn new(switches: LayerSwitches, exclude: Globs, keep: Globs, base: &[u8]) -> Self {
        Self {
            switches,
            request: Request { exclude, keep, base: with_slash(base), origins: Vec::new() },
            builtin: None,
            assume_repository: false,
            levels: Vec::new(),
            plain: 0,
            active: Vec::new(),
            cache: Cache::default(),
            bad: Vec::new(),
        }
    }

    /// Says whether the opened root lies inside a repository whose top is above
    /// it: git's layers then count from the root on. False at first.
    pub fn assume_repository(&mut self, yes: bool) {
        self.assume_repository = yes;
        self.rank();
    }

    /// Puts other names in place of the builtin list.
    pub fn set_builtin(&mut self, names: BuiltinNames) {
        self.builtin = Some(names);
    }

    /// Says where globs to exclude come from that are not the request's, in
    /// their order.
    pub fn set_origins(&mut self, origins: Vec<GlobOrigin>) {
        self.request.origins = origins;
    }

    /// Enters the directory `dir`, relative to the opened root and empty for it.
    ///
    /// `repository` says whether it holds a `.git`, and how case counts in git's
    /// files below it (`core.ignorecase`); in every other file case counts.
    /// Costs a counter when there is neither a repository nor a file.
    pub fn enter(&mut self, dir: &[u8], repository: Option<Case>, files: &[IgnoreFile<'_>]) {
        if files.is_empty() && repository.is_none() {
            self.plain += 1;
            return;
        }
        let prefix = with_slash(dir);
        let mut read = Vec::new();
        let case = repository.or_else(|| self.border_case()).unwrap_or(Case::Sensitive);
        for file in files {
            if self.switches.reads(file.layer) {
                read.push(self.read(&prefix, file, case));
            }
        }
        let plain_below = std::mem::take(&mut self.plain);
        self.levels.push(Level { prefix_len: prefix.len(), repository, files: read, plain_below });
        self.rank();
    }

    /// Leaves the directory entered last.
    ///
    /// # Panics
    ///
    /// If every directory has been left already.
    pub fn leave(&mut self) {
        if self.plain > 0 {
            self.plain -= 1;
            return;
        }
        let level = self.levels.pop().expect("every leave has its enter");
        self.plain = level.plain_below;
        self.rank();
    }

    /// Takes the lines that could not be used since the last call, at most
    /// [`MAX_BAD_LINES`]; the last one counts the others.
    pub fn take_bad_lines(&mut self) -> Vec<BadLine> {
        std::mem::take(&mut self.bad)
    }

    /// Whether a `keep` glob could match something strictly below `dir`
    /// (relative to the opened root), so that pruning it may lose a kept path.
    pub fn may_keep_below(&self, dir: &[u8]) -> bool {
        let Request { keep, base, .. } = &self.request;
        match dir.strip_prefix(&base[..]) {
            Some(below) => keep.may_match_below(below),
            // The listed directory itself, or one above it.
            None => !keep.is_empty() && base.starts_with(&with_slash(dir)),
        }
    }

    /// Whether no file and no glob of the request has a say here, so that a verdict costs next to
    /// nothing.
    pub fn is_plain(&self) -> bool {
        self.active.is_empty() && self.request.exclude.is_empty() && self.request.keep.is_empty()
    }

    /// Says what the layers make of `path`, relative to the opened root and
    /// below the directory entered last. `is_dir` is false for a symlink.
    #[inline]
    pub fn verdict(&self, path: &[u8], is_dir: bool) -> Verdict<'_> {
        // It is asked of every entry, and mostly nothing has a say.
        if self.is_plain() && !is_dir {
            return Verdict::Undecided;
        }
        self.found_verdict(path, is_dir)
    }

    fn found_verdict(&self, path: &[u8], is_dir: bool) -> Verdict<'_> {
        if let Some(verdict) = self.request.verdict(path, is_dir) {
            return verdict;
        }
        for active in &self.active {
            let below = &path[active.prefix_len.min(path.len())..];
            let file = &self.levels[active.level as usize].files[active.file as usize];
            if !below.is_empty()
                && let Some(verdict) = file.verdict(below, is_dir, active.folded)
            {
                return verdict;
            }
        }
        if is_dir && self.switches.builtin {
            let names = self.builtin.as_ref();
            builtin_verdict(names.unwrap_or_else(|| BuiltinNames::standard()), path)
        } else {
            Verdict::Undecided
        }
    }

    /// The rules that re-include `path`, each the one that decides in its own file: the strongest
    /// file first. What decides in the end is [`verdict`](Self::verdict)'s to say.
    pub fn reinclusions(&self, path: &[u8], is_dir: bool) -> Vec<RuleRef<'_>> {
        let negated = |active: &Active| {
            let below = &path[active.prefix_len.min(path.len())..];
            let file = &self.levels[active.level as usize].files[active.file as usize];
            match file.verdict(
                Some(below).filter(|below| !below.is_empty())?,
                is_dir,
                active.folded,
            ) {
                Some(Verdict::Kept(rule)) => Some(rule),
                _ => None,
            }
        };
        self.active.iter().filter_map(negated).collect()
    }

    /// How case counts in the innermost repository.
    fn border_case(&self) -> Option<Case> {
        self.levels.iter().rev().find_map(|level| level.repository)
    }

    fn read(&mut self, prefix: &[u8], file: &IgnoreFile<'_>, case: Case) -> File {
        let dialect = dialect(file.layer, file.name);
        let case = match file.layer {
            Layer::GitIgnore | Layer::InfoExclude => case,
            _ => Case::Sensitive,
        };
        let (rules, bad) = self.cache.parse(dialect, file.bytes, case);
        let folded = (file.layer == Layer::Global)
            .then(|| self.cache.parse(dialect, file.bytes, Case::Insensitive).0);
        let prefix = if file.layer == Layer::Global { b"" } else { prefix };
        let source = [prefix, file.name].concat();
        for line in bad {
            let full = self.bad.len() >= MAX_BAD_LINES;
            match self.bad.last_mut() {
                Some(last) if full => last.more += 1 + line.more,
                _ => self.bad.push(BadLine { source: source.clone(), ..line }),
            }
        }
        File { layer: file.layer, source: source.into(), rules, folded }
    }

    /// Puts the sets in force in their order; see the module.
    fn rank(&mut self) {
        self.active.clear();
        let border = self.levels.iter().rposition(|level| level.repository.is_some());
        let folds = border.is_some_and(|at| self.levels[at].repository == Some(Case::Insensitive));
        let git_from = border.or(self.assume_repository.then_some(0));
        let repository_len = border.map_or(0, |border| self.levels[border].prefix_len);
        for (at, level) in self.levels.iter().enumerate().rev() {
            for (index, file) in level.files.iter().enumerate().rev() {
                let in_force = match file.layer {
                    // Not bound to its place, but to there being a repository.
                    Layer::Global => git_from.is_some(),
                    Layer::GitIgnore | Layer::InfoExclude => git_from.is_some_and(|git| at >= git),
                    _ => true,
                };
                if !in_force || file.rules.is_empty() {
                    continue;
                }
                let global = file.layer == Layer::Global;
                let prefix_len = if global { repository_len } else { level.prefix_len };
                let (level, file_index) = (at as u32, index as u32);
                let folded = global && folds;
                let layer = file.layer;
                self.active.push(Active { layer, level, file: file_index, prefix_len, folded });
            }
        }
        // Stable: within a layer the deepest stays first.
        self.active.sort_by_key(|active| active.layer);
    }
}

impl Request {
    fn verdict(&self, path: &[u8], is_dir: bool) -> Option<Verdict<'_>> {
        if self.keep.is_empty() && self.exclude.is_empty() {
            return None;
        }
        let below = path.strip_prefix(&self.base[..])?;
        if let Some(index) = self.keep.matched(below, is_dir) {
            return Some(Verdict::Kept(request_rule(&self.keep, index, None)));
        }
        let index = self.exclude.matched(below, is_dir)?;
        let origin = self.origins.iter().rev().find(|origin| origin.first <= index);
        Some(Verdict::Ignored(request_rule(&self.exclude, index, origin)))
    }
}

/// The glob at `index`, as a line of the source it comes from.
fn request_rule<'a>(globs: &'a Globs, index: usize, origin: Option<&'a GlobOrigin>) -> RuleRef<'a> {
    let place = index - origin.map_or(0, |origin| origin.first);
    let line = origin.and_then(|origin| origin.lines.get(place).copied());
    RuleRef {
        layer: Layer::Request,
        source: origin.map_or(b"request", |origin| origin.source.as_bytes()),
        line: line.unwrap_or(place as u32 + 1),
        pattern: globs.text(index).as_bytes(),
    }
}

impl File {
    fn verdict(&self, below: &[u8], is_dir: bool, folded: bool) -> Option<Verdict<'_>> {
        let rules = self.folded.as_ref().filter(|_| folded).unwrap_or(&self.rules);
        let rule = rules.rule(rules.matched(below, is_dir)?);
        let (layer, source) = (self.layer, &self.source[..]);
        let found = RuleRef { layer, source, line: rule.line, pattern: rule.text };
        Some(if rule.negated { Verdict::Kept(found) } else { Verdict::Ignored(found) })
    }
}

fn builtin_verdict<'a>(names: &'a BuiltinNames, path: &[u8]) -> Verdict<'a> {
    let base = &path[memrchr(b'/', path).map_or(0, |slash| slash + 1)..];
    match names.find(base) {
        None => Verdict::Undecided,
        Some(entry) => Verdict::Ignored(RuleRef {
            layer: Layer::Builtin,
            source: b"builtin",
            line: entry.line,
            pattern: entry.name.as_bytes(),
        }),
    }
}

fn dialect(layer: Layer, name: &[u8]) -> Dialect {
    match layer {
        Layer::RgIgnore | Layer::DotIgnore => Dialect::Ripgrep,
        Layer::Tool => Dialect::of_tool(name),
        _ => Dialect::Git,
    }
}

fn with_slash(dir: &[u8]) -> Vec<u8> {
    let mut prefix = Vec::with_capacity(dir.len() + 1);
    prefix.extend_from_slice(dir);
    if !dir.is_empty() {
        prefix.push(b'/');
    }
    prefix
}

/// The sets read last: many directories carry the same file, and those dialects
/// that compile to regular expressions take a thousand times as long as git's.
#[derive(Debug, Default)]
struct Cache {
    /// Newest last.
    sets: Vec<Cached>,
}

#[derive(Debug)]
struct Cached {
    dialect: Dialect,
    case: Case,
    bytes: Box<[u8]>,
    rules: Arc<RuleSet>,
    bad: Vec<BadLine>,
}

impl Cache {
    const SETS: usize = 16;
    /// A bigger file is unlikely to be met twice, and costs memory.
    const MAX_BYTES: usize = 64 << 10;

    fn parse(
        &mut self,
        dialect: Dialect,
        bytes: &[u8],
        case: Case,
    ) -> (Arc<RuleSet>, Vec<BadLine>) {
        if dialect == Dialect::Git || bytes.len() > Self::MAX_BYTES {
            let (rules, bad) = RuleSet::parse(dialect, bytes, case);
            return (Arc::new(rules), bad);
        }
        let same = |cached: &Cached| {
            cached.dialect == dialect && cached.case == case && *cached.bytes == *bytes
        };
        let cached = match self.sets.iter().position(same) {
            Some(index) => self.sets.remove(index),
            None => {
                let (rules, bad) = RuleSet::parse(dialect, bytes, case);
                Cached { dialect, case, bytes: bytes.into(), rules: Arc::new(rules), bad }
            }
        };
        let result = (Arc::clone(&cached.rules), cached.bad.clone());
        if self.sets.len() == Self::SETS {
            self.sets.remove(0);
        }
        self.sets.push(cached);
        result
    }
}
