//! Which directories a host lets be listed.

use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use trilist_core::{Closed, ListError, RelPath, RelPathBuf};
use trilist_ignore::{Case, Globs};
use trilist_root::{ResolveError, Root};

use crate::Policy;
use crate::lister::OpenError;
use crate::roots::{Place, argument, shown, whole};

/// How many patterns of `allow` an error names.
const MAX_NAMED: usize = 5;

/// A policy's patterns, compiled.
pub(crate) struct Gate {
    rules: Arc<Rules>,
    protected: Closed,
    /// Absolute paths that are refused as requested ones, by their canonical and their given
    /// spelling.
    refused: Vec<Vec<u8>>,
}

struct Rules {
    deny: Patterns,
    allow: Patterns,
}

impl Gate {
    /// Compiles the patterns, and looks up where the refused paths lead.
    ///
    /// # Errors
    ///
    /// [`OpenError::Policy`] for a pattern or a name that cannot be used.
    pub(crate) fn new(policy: &Policy) -> Result<Gate, OpenError> {
        let unfit = |name: &&String| name.is_empty() || name.contains('/');
        if let Some(name) = policy.protected.iter().find(unfit) {
            let reason = format!("{name:?} is no name of a file or directory");
            return Err(OpenError::Policy { field: "protected", reason });
        }
        let given = policy.refused.iter();
        let refused = given.flat_map(|path| {
            let canonical = Root::open(path).ok().map(|root| root.path().to_vec());
            let spelled = without_slash(path.as_os_str().as_bytes()).to_vec();
            canonical.into_iter().chain([spelled])
        });
        Ok(Gate {
            rules: Arc::new(Rules {
                // What is closed by mistake is seen, what is open by mistake is not: where case
                // does not count on disk, another spelling must not open a directory.
                deny: Patterns::new("deny", &policy.deny, Case::Insensitive)?,
                allow: Patterns::new("allow", &policy.allow, Case::Sensitive)?,
            }),
            protected: Closed::names(&policy.protected),
            refused: refused.collect(),
        })
    }

    /// What a listing in a root does not enter.
    pub(crate) fn closed(&self, root: &Arc<Root>) -> Closed {
        let closed = self.protected.clone();
        if self.is_open() {
            return closed;
        }
        let (rules, root) = (Arc::clone(&self.rules), Arc::clone(root));
        closed.denying(move |dir| rules.shut(root.path(), dir.as_bytes()))
    }

    /// Lets a requested directory pass, or says why not.
    ///
    /// # Errors
    ///
    /// [`ListError::DeniedByPolicy`].
    pub(crate) fn admit(&self, place: &Place, asked: &[u8]) -> Result<(), ListError> {
        let Place { root, path, .. } = place;
        // A root itself was opened by the host, which is its consent.
        if !path.as_path().is_empty() && self.refuses(&whole(root.path(), path.as_bytes())) {
            return Err(refused(asked));
        }
        self.admit_below(root, path.as_path(), asked)
    }

    /// Lets an absolute path outside the roots pass, before anything is looked up there. Names
    /// count in the whole path; which directories are allowed only absolute patterns say.
    ///
    /// # Errors
    ///
    /// [`ListError::DeniedByPolicy`].
    pub(crate) fn admit_outside(&self, path: &[u8], asked: &[u8]) -> Result<(), ListError> {
        let Rules { deny, allow } = &*self.rules;
        if self.refuses(path) {
            return Err(refused(asked));
        }
        if deny.cover(b"/", path.strip_prefix(b"/").unwrap_or(path)) {
            return Err(denied(asked));
        }
        match allow.is_empty() || allow.cover(path, b"") {
            true => Ok(()),
            false => Err(self.not_among(asked)),
        }
    }

    /// As [`Gate::admit`], of any directory of a root: also of one that is not asked for itself.
    ///
    /// # Errors
    ///
    /// [`ListError::DeniedByPolicy`].
    pub(crate) fn admit_below(
        &self,
        root: &Root,
        dir: RelPath<'_>,
        asked: &[u8],
    ) -> Result<(), ListError> {
        let (root, dir) = (root.path(), dir.as_bytes());
        if self.rules.deny.cover(root, dir) {
            return Err(denied(asked));
        }
        if self.rules.shut(root, dir) { Err(self.not_among(asked)) } else { Ok(()) }
    }

    /// Refuses a path that is denied as it was spelled, below the root, wherever links lead from
    /// there.
    ///
    /// # Errors
    ///
    /// [`ListError::DeniedByPolicy`].
    pub(crate) fn admit_spelled(
        &self,
        root: &Root,
        spelled: RelPath<'_>,
        asked: &[u8],
    ) -> Result<(), ListError> {
        let is_denied = self.rules.deny.cover(root.path(), spelled.as_bytes());
        if is_denied { Err(denied(asked)) } else { Ok(()) }
    }

    /// The error of a path that did not resolve, unless it would tell what a closed directory
    /// holds.
    ///
    /// # Errors
    ///
    /// [`ListError::DeniedByPolicy`].
    pub(crate) fn admit_error(
        &self,
        root: &Root,
        error: &ResolveError,
        asked: &[u8],
    ) -> Result<(), ListError> {
        match error {
            ResolveError::NotFound { existing, .. } => {
                self.admit_below(root, existing.as_path(), asked)
            }
            ResolveError::NotDirectory { path, .. }
            | ResolveError::PermissionDenied { path }
            | ResolveError::Io { path, .. } => {
                self.admit_below(root, path.as_path().parent(), asked)
            }
            ResolveError::OutsideRoot | ResolveError::Nul | ResolveError::TooLong => Ok(()),
        }
    }

    /// The directory above a path because of which nothing may be told of the path, if there is
    /// one.
    pub(crate) fn shut_above(&self, root: &Root, path: RelPath<'_>) -> Option<RelPathBuf> {
        if self.is_open() || path.is_empty() {
            return None;
        }
        let Rules { deny, allow } = &*self.rules;
        let mut dir = RelPathBuf::default();
        for name in path.parent().components() {
            if deny.cover(root.path(), dir.as_bytes()) {
                return Some(dir);
            }
            dir.push(RelPath::assume(name));
        }
        let is_told = allow.is_empty() || allow.cover(root.path(), path.as_bytes());
        (!is_told || deny.cover(root.path(), dir.as_bytes())).then_some(dir)
    }

    fn is_open(&self) -> bool {
        self.rules.deny.is_empty() && self.rules.allow.is_empty()
    }

    fn refuses(&self, path: &[u8]) -> bool {
        self.refused.iter().any(|refused| refused == path)
    }

    fn not_among(&self, asked: &[u8]) -> ListError {
        let named = self.rules.allow.texts.iter().take(MAX_NAMED);
        let named: Vec<String> =
            named.map(|pattern| format!("`{}`", shown(pattern.as_bytes()))).collect();
        let more = if self.rules.allow.texts.len() > MAX_NAMED { " and others" } else { "" };
        let instead = format!(
            "Only these directories and those below can be listed: {}{more}.",
            named.join(", ")
        );
        ListError::DeniedByPolicy { asked: argument(asked), instead }
    }
}

impl Rules {
    /// Whether nothing in a directory may be listed.
    fn shut(&self, root: &[u8], dir: &[u8]) -> bool {
        let outside = || !self.allow.is_empty() && !self.allow.cover(root, dir);
        self.deny.cover(root, dir) || outside()
    }
}

/// Patterns of directories: they match a directory and so everything below it.
struct Patterns {
    texts: Vec<String>,
    /// Over paths below a root.
    below: Globs,
    /// Over absolute paths, without the first slash.
    whole: Globs,
}

impl Patterns {
    fn new(field: &'static str, texts: &[String], case: Case) -> Result<Patterns, OpenError> {
        let is_whole = |text: &&str| text.starts_with('/');
        let texts: Vec<&str> = texts.iter().map(|text| itself(text)).collect();
        let compiled = |texts: Vec<&str>| {
            Globs::with_case(&texts, case)
                .map_err(|error| OpenError::Policy { field, reason: error.to_string() })
        };
        Ok(Patterns {
            below: compiled(texts.iter().copied().filter(|text| !is_whole(text)).collect())?,
            whole: compiled(texts.iter().copied().filter(is_whole).collect())?,
            texts: texts.into_iter().map(str::to_owned).collect(),
        })
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a directory, or one above it, matches.
    fn cover(&self, root: &[u8], dir: &[u8]) -> bool {
        if self.is_empty() {
            return false;
        }
        let matches = |globs: &Globs, path: &[u8]| {
            let ends = memchr::memchr_iter(b'/', path).chain([path.len()]);
            ends.into_iter().any(|end| globs.matched(&path[..end], true).is_some())
        };
        let absolute = || matches(&self.whole, &whole(root, dir)[1..]);
        matches(&self.below, dir) || (!self.whole.is_empty() && absolute())
    }
}

/// `a/**` means what is below `a`; so none of it, or all, is what `a` has to show.
fn itself(text: &str) -> &str {
    let above = trimmed(text).strip_suffix("/**").filter(|above| !trimmed(above).is_empty());
    above.map_or(text, itself)
}

/// A pattern without slashes and dots at its end, which say nothing of what a directory's name is.
fn trimmed(mut text: &str) -> &str {
    while let Some(short) = text.strip_suffix('/').or_else(|| text.strip_suffix("/.")) {
        text = short;
    }
    if text == "." { "" } else { text }
}

fn without_slash(path: &[u8]) -> &[u8] {
    match path {
        [b'/'] => path,
        path => path.strip_suffix(b"/").unwrap_or(path),
    }
}

fn denied(asked: &[u8]) -> ListError {
    let instead = "The host keeps it closed, with everything below; list another directory.";
    ListError::DeniedByPolicy { asked: argument(asked), instead: instead.to_owned() }
}

fn refused(asked: &[u8]) -> ListError {
    let instead = "It is too wide to be asked for: list a directory below it, or let the host open \
                   it as a root.";
    ListError::DeniedByPolicy { asked: argument(asked), instead: instead.to_owned() }
}
