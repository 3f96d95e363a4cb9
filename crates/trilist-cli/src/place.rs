//! Which directory is meant, and beneath which root it is read.
//!
//! A person at a terminal has their own authority: links in the given path are followed, and the
//! root is the repository around the directory, or else the directory itself. From there on, the
//! library reads only beneath that root.

#![expect(
    clippy::disallowed_methods,
    reason = "the root is chosen before there is one to read beneath"
)]

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use trilist::{ListError, PathArg, quote};

use crate::environment::working_directory;

/// The roots to open and the path to list.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) path: PathArg,
}

/// What the path was found to be.
struct Found {
    /// The path with its links resolved, as far as it exists.
    path: PathBuf,
    /// The deepest directory on it.
    dir: PathBuf,
}

impl Place {
    /// The place that a command line means.
    ///
    /// # Errors
    ///
    /// [`ListError::Io`] when the working directory is needed and cannot be told.
    pub(crate) fn of(path: Option<&OsStr>, roots: &[PathBuf]) -> Result<Place, ListError> {
        if roots.is_empty() {
            return Place::around(path);
        }
        let roots = roots.iter().map(|root| absolute(root)).collect::<Result<_, _>>()?;
        let path =
            path.map_or_else(PathArg::default, |path| PathArg::from(path.as_bytes().to_vec()));
        Ok(Place { roots, path })
    }

    fn around(path: Option<&OsStr>) -> Result<Place, ListError> {
        let found = match path {
            Some(path) => find(path)?,
            None => Found::existing(absolute(Path::new(""))?),
        };
        let root = repository_around(&found.dir).to_path_buf();
        Ok(Place { roots: vec![root], path: PathArg::from(found.path.into_os_string().into_vec()) })
    }
}

/// A path to be explained, absolute and unquoted, and spelled so that the roots hold it where they
/// do: links above them are followed, those below are not.
///
/// # Errors
///
/// As [`Place::of`].
pub(crate) fn unfollowed(path: &OsStr, roots: &[PathBuf]) -> Result<PathBuf, ListError> {
    let whole = unquoted(path)?;
    let is_within = |path: &Path| roots.iter().any(|root| path.starts_with(root));
    if is_within(&whole) {
        return Ok(whole);
    }
    let mut above: Vec<&Path> = whole.ancestors().collect();
    above.reverse();
    let found = above.into_iter().find_map(|above| {
        let real = above.canonicalize().ok().filter(|real| is_within(real))?;
        Some(real.join(whole.strip_prefix(above).ok()?))
    });
    Ok(found.unwrap_or(whole))
}

/// A path as it is spelled if there is something, else unquoted.
fn unquoted(path: &OsStr) -> Result<PathBuf, ListError> {
    let literal = absolute(Path::new(path))?;
    match unquoted_bytes(path) {
        Some(bytes) if literal.symlink_metadata().is_err() => {
            absolute(Path::new(&OsString::from_vec(bytes)))
        }
        _ => Ok(literal),
    }
}

fn unquoted_bytes(path: &OsStr) -> Option<Vec<u8>> {
    // Lists of paths put the slash of a directory behind the quotes.
    let spelled = path.as_bytes();
    quote::unquoted(spelled.strip_suffix(b"/").unwrap_or(spelled))
}

/// Finds a path as it is spelled, else unquoted, else as far as it exists.
fn find(path: &OsStr) -> Result<Found, ListError> {
    let literal = absolute(Path::new(path))?;
    if let Ok(real) = literal.canonicalize() {
        return Ok(Found::existing(real));
    }
    let Some(unquoted) = unquoted_bytes(path) else { return Ok(nearest(&literal)) };
    let unquoted = absolute(Path::new(&OsString::from_vec(unquoted)))?;
    Ok(unquoted.canonicalize().map_or_else(|_| nearest(&unquoted), Found::existing))
}

impl Found {
    fn existing(path: PathBuf) -> Found {
        let is_dir = path.is_dir();
        let parent = path.parent().unwrap_or(&path);
        Found { dir: if is_dir { path.clone() } else { parent.to_path_buf() }, path }
    }
}

/// What exists of a path that does not exist as a whole.
fn nearest(path: &Path) -> Found {
    let mut above = path.ancestors().skip(1);
    let existing = above.find_map(|above| Some((above, above.canonicalize().ok()?)));
    let Some((above, real)) = existing else {
        return Found { path: path.to_path_buf(), dir: PathBuf::from("/") };
    };
    let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
    Found { path: real.join(rest), ..Found::existing(real) }
}

/// The nearest directory with a `.git`, at or above `dir`, else `dir` itself.
fn repository_around(dir: &Path) -> &Path {
    dir.ancestors().find(|above| above.join(".git").symlink_metadata().is_ok()).unwrap_or(dir)
}

/// Whether two paths lead to one directory.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|real| other.canonicalize().ok() == Some(real))
}

/// The path from the root of the file system.
///
/// # Errors
///
/// When the working directory is needed and cannot be told.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, ListError> {
    if path.is_absolute() {
        return Ok(path.to_path_buf());
    }
    let dir = working_directory().map_err(|error: io::Error| ListError::Io {
        what: "cannot tell the working directory".to_owned(),
        error: error.to_string(),
    })?;
    // Nothing is joined for an empty path: that would leave a slash at the end.
    Ok(if path.as_os_str().is_empty() { dir } else { dir.join(path) })
}
