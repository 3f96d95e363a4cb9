//! The globs of a request: `pattern`, `exclude`, `keep`.

use bstr::ByteSlice;
use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use memchr::memrchr;

use crate::Case;

mod position;
mod shape;

use shape::{Shape, Unmatched};

/// The longest glob, in bytes.
pub const MAX_GLOB_BYTES: usize = 1_024;

/// The most globs in one list.
pub const MAX_GLOBS: usize = 256;

/// A list of globs over paths relative to the listed directory.
///
/// - A glob without `/` matches the base name, at any depth.
/// - A glob with `/` matches the whole path; `*` and `?` stop at `/`, `**` does
///   not. A leading `/` or `./` says the same: it only anchors, so `/a` and `./a`
///   match `a` and not `b/a`.
/// - A glob that ends in `/` matches directories only; that slash does not count
///   for the rules above: `build/` is any directory called `build`.
/// - Doubled slashes and `.` between slashes say nothing: `a//b` and `a/./b` are
///   `a/b`, `a//` and `a/.` are `a/`. A `..` between slashes is refused, since no
///   path has one; so are braces that stand for such spellings, as `a{/,/b}/c`.
/// - `{a,b}`, `[a-z]`, `[!a]` and `\` are as in [`globset`]. Case counts.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    texts: Vec<String>,
    only_dir: Vec<bool>,
    names: Set,
    paths: Set,
    /// Where each path glob can match; base-name globs have none and match
    /// anywhere.
    reaches: Vec<Reach>,
}

#[derive(Clone, Debug, Default)]
struct Set {
    globs: GlobSet,
    /// The place of each glob in the request's list.
    index: Vec<usize>,
}

/// The leading path components that a glob asks for.
#[derive(Clone, Debug)]
struct Reach {
    /// `None` is a component with wildcards, which may be anything.
    components: Vec<Option<Vec<u8>>>,
    /// Whether more components may follow.
    open: bool,
}

/// Why a list of globs is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// The list is too long.
    #[error("{given} globs were given, at most {MAX_GLOBS} are allowed")]
    TooMany {
        /// How many were given.
        given: usize,
    },
    /// A glob is too long.
    #[error("glob {index} has {bytes} bytes, at most {MAX_GLOB_BYTES} are allowed: {glob}…")]
    TooLong {
        /// The glob's place in the list, counted from 1.
        index: usize,
        /// Its first characters.
        glob: String,
        /// Its length.
        bytes: usize,
    },
    /// A glob is empty but for slashes and a dot.
    #[error("glob {index} is empty")]
    Empty {
        /// The glob's place in the list, counted from 1.
        index: usize,
    },
    /// A glob has a component `..`.
    #[error(
        "glob {index} goes up: no path has `..` in it, so it would match nothing; write the path \
         without, in place of {glob:?}"
    )]
    Parent {
        /// The glob's place in the list, counted from 1.
        index: usize,
        /// The glob.
        glob: String,
    },
    /// The braces of a glob stand for a path that there cannot be.
    #[error(
        "glob {index} would match nothing for an alternative in its braces that begins or ends \
         with `/`, or is `.`; write the slashes outside, in place of {glob:?}"
    )]
    Alternative {
        /// The glob's place in the list, counted from 1.
        index: usize,
        /// The glob.
        glob: String,
    },
    /// A glob does not parse.
    // The glob comes last: messages are cut when they are long.
    #[error("glob {index} is not valid{}: {reason}, in {glob:?}", place(*.at))]
    Invalid {
        /// The glob's place in the list, counted from 1.
        index: usize,
        /// The glob.
        glob: String,
        /// The character at fault, counted from 1: of a bracket or brace that is not closed the
        /// opening one. `None` where no single one is.
        at: Option<usize>,
        /// What is wrong with it.
        reason: String,
    },
    /// The globs are too big together.
    #[error("the globs are too complex together: {reason}")]
    TooComplex {
        /// What is wrong.
        reason: String,
    },
}

impl Globs {
    /// Compiles a list of globs.
    ///
    /// # Errors
    ///
    /// [`GlobError`] names the first glob that is refused and why.
    pub fn new<S: AsRef<str>>(globs: &[S]) -> Result<Self, GlobError> {
        Self::with_case(globs, Case::Sensitive)
    }

    /// As [`Globs::new`], with or without regard to the case of ASCII letters. Without,
    /// [`Globs::may_match_below`] is not to be asked.
    ///
    /// # Errors
    ///
    /// As [`Globs::new`].
    pub fn with_case<S: AsRef<str>>(globs: &[S], case: Case) -> Result<Self, GlobError> {
        if globs.len() > MAX_GLOBS {
            return Err(GlobError::TooMany { given: globs.len() });
        }
        let mut list = Self::default();
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for (i, glob) in globs.iter().map(AsRef::as_ref).enumerate() {
            check_size(i + 1, glob)?;
            let refused = |why| refusal(i + 1, glob, why);
            let shape = Shape::of(glob).map_err(refused)?;
            let compiled = compile(i + 1, glob, &shape, case)?;
            shape.check_alternatives().map_err(refused)?;
            if shape.is_path {
                paths.add(compiled);
                list.paths.index.push(i);
                list.reaches.push(Reach::of(&shape.body));
            } else {
                names.add(compiled);
                list.names.index.push(i);
            }
            list.texts.push(glob.to_owned());
            list.only_dir.push(shape.only_dir);
        }
        let too_complex =
            |error: globset::Error| GlobError::TooComplex { reason: error.to_string() };
        list.names.globs = names.build().map_err(too_complex)?;
        list.paths.globs = paths.build().map_err(too_complex)?;
        Ok(list)
    }

    /// The list without globs, which matches nothing.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Whether there is no glob.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// How many globs there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The glob at `index`, as it was given.
    ///
    /// # Panics
    ///
    /// If there is no such glob.
    pub fn text(&self, index: usize) -> &str {
        &self.texts[index]
    }

    /// Finds the first glob that matches `path`, counted from 0.
    ///
    /// `path` is relative to the listed directory, `/`-separated, without a
    /// leading slash; the empty path is the directory itself and matches nothing.
    pub fn matched(&self, path: &[u8], is_dir: bool) -> Option<usize> {
        if self.texts.is_empty() || path.is_empty() {
            return None;
        }
        let base = &path[memrchr(b'/', path).map_or(0, |slash| slash + 1)..];
        let name = self.first(&self.names, base, is_dir);
        let whole = self.first(&self.paths, path, is_dir);
        match (name, whole) {
            (Some(name), Some(whole)) => Some(name.min(whole)),
            (name, whole) => name.or(whole),
        }
    }

    /// Whether some glob could match a path strictly below `dir` (relative to
    /// the listed directory, empty for itself). Errs on the side of true.
    pub fn may_match_below(&self, dir: &[u8]) -> bool {
        !self.names.index.is_empty() || self.reaches.iter().any(|reach| reach.goes_below(dir))
    }

    fn first(&self, set: &Set, text: &[u8], is_dir: bool) -> Option<usize> {
        if set.index.is_empty() {
            return None;
        }
        let candidate = Candidate::from_bytes(text);
        // Asked first because it allocates nothing.
        if !set.globs.is_match_candidate(&candidate) {
            return None;
        }
        let found = set.globs.matches_candidate(&candidate);
        found.into_iter().map(|i| set.index[i]).find(|&i| is_dir || !self.only_dir[i])
    }
}

fn refusal(index: usize, glob: &str, why: Unmatched) -> GlobError {
    let glob = || glob.to_owned();
    match why {
        Unmatched::Empty => GlobError::Empty { index },
        Unmatched::Parent => GlobError::Parent { index, glob: glob() },
        Unmatched::Alternative => GlobError::Alternative { index, glob: glob() },
    }
}

fn check_size(index: usize, glob: &str) -> Result<(), GlobError> {
    if glob.len() <= MAX_GLOB_BYTES {
        return Ok(());
    }
    let start = glob.chars().take(40).collect();
    Err(GlobError::TooLong { index, glob: start, bytes: glob.len() })
}

fn compile(
    index: usize,
    glob: &str,
    shape: &Shape,
    case: Case,
) -> Result<globset::Glob, GlobError> {
    let mut builder = GlobBuilder::new(&shape.body);
    builder.literal_separator(true).backslash_escape(true);
    builder.case_insensitive(case == Case::Insensitive);
    builder.build().map_err(|error| {
        let at = position::of_fault(glob).map(|at| at + 1);
        GlobError::Invalid { index, glob: glob.to_owned(), at, reason: error.kind().to_string() }
    })
}

fn place(at: Option<usize>) -> String {
    at.map(|at| format!(" at character {at}")).unwrap_or_default()
}

impl Reach {
    fn of(body: &str) -> Self {
        let mut components = Vec::new();
        for component in body.split('/') {
            // Classes and alternates can hold a slash, and an escape hides what
            // the component says: from there on anything goes.
            if component.contains("**") || component.contains(['[', '{', '\\']) {
                return Self { components, open: true };
            }
            let wild = component.contains(['*', '?']);
            components.push((!wild).then(|| component.as_bytes().to_vec()));
        }
        Self { components, open: false }
    }

    fn goes_below(&self, dir: &[u8]) -> bool {
        let mut wanted = self.components.iter();
        for name in dir.split_str("/").filter(|name| !name.is_empty()) {
            match wanted.next() {
                None => return self.open,
                Some(Some(component)) if component != name => return false,
                Some(_) => {}
            }
        }
        self.open || wanted.next().is_some()
    }
}
