//! GenCode's `LS`.
//!
//! A directory's entries, or those of a few levels, as data and in three text views.
//!
//! Source: GenCode 0.1.0, proposal 0015 (a draft; nothing of it was ever run): arguments, defaults,
//! bounds, what is left out, the fields of the result. Not settled there, and settled here: `depth`
//! counts the levels below the directory's own entries, as the sketch does; names are in the
//! locale's order within their directory; sizes come largest first and times newest first;
//! permissions are written as by `ls`; a bound that is exceeded is lowered and told in the notice.
//!
//! Differs: a refused call says why in its notice. A link is never followed, so that the bound of
//! five links is kept by itself. A directory that cannot be read costs its own entries, which the
//! notice tells.

mod arguments;
mod collect;
mod views;

use serde::Serialize;
use serde_json::{Value, json};
use trilist::{Cancel, Kind, ListError, Lister, PathArg};

use crate::{Options, node_path};

pub use arguments::{Invalid, parse, schema};
pub use views::{View, text};

/// The most entries of a result.
const MOST_ENTRIES: usize = 1_000;
/// The most levels below the directory's own entries.
const MOST_DEPTH: u32 = 10;
/// Levels that a recursive call shows unless asked otherwise.
const USUAL_DEPTH: u32 = 3;

/// The arguments, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// The directory, absolute or relative to the working directory. Default: that.
    pub path: Option<String>,
    /// Whether names that start with a dot are listed. Default: false.
    pub all: bool,
    /// Whether size, time, permissions and link target are given. Default: false.
    pub long: bool,
    /// Whether levels below are listed. Default: false.
    pub recursive: bool,
    /// Levels below the directory's own entries, 1 to 10. Default: 3.
    pub depth: u32,
    /// A glob that names must match. Default: none.
    pub pattern: Option<String>,
    /// The order. Default: by name.
    pub sort: Sort,
    /// Whether it is turned round. Default: false.
    pub reverse: bool,
    /// Only directories. Default: false.
    pub directories_only: bool,
    /// Only files; a link is none. Default: false.
    pub files_only: bool,
    /// The most entries, 1 to 1,000. Default: 1,000.
    pub limit: usize,
    /// The host's: the working directory, absolute.
    pub cwd: String,
    /// What was lowered to its bound.
    pub lowered: Vec<String>,
}

/// The order of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// By name within each directory, its contents behind it.
    Name,
    /// Largest first.
    Size,
    /// Newest first.
    Modified,
    /// Directories, files, links, others.
    Type,
}

/// What the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Whether there is a listing.
    pub success: bool,
    /// The directory, absolute.
    pub path: String,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// Whether there are more entries than are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// Counts of the entries given, for a long listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// Why there is no listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How many entries there are in all; for the text views.
    #[serde(skip)]
    pub total: usize,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The last part of its path.
    pub name: String,
    /// Its path from the listed directory.
    pub path: String,
    /// `file`, `directory`, `symlink` or `other`.
    pub r#type: &'static str,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was last changed, ISO 8601 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// As `rw-r--r--`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<String>,
    /// What a link holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// Counts of the entries given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Files.
    pub total_files: usize,
    /// Directories.
    pub total_directories: usize,
    /// The sizes of the files, in bytes.
    pub total_size: u64,
}

impl Args {
    /// The directory that is meant, absolute.
    pub fn dir(&self) -> String {
        node_path::resolve(&self.cwd, self.path.as_deref().unwrap_or(""))
    }
}

/// Lists. The working directory has to lie in one of the lister's roots.
///
/// # Errors
///
/// [`Invalid`] when the path leads out of the working directory, or the pattern is no glob.
pub fn list(args: &Args, _: Options, lister: &Lister, cancel: &Cancel) -> Result<Reply, Invalid> {
    let dir = args.dir();
    if !node_path::is_within(&args.cwd, &dir) {
        return Err(Invalid::new("`path` leads out of the working directory"));
    }
    match lister.look(&PathArg::from(dir.as_str())).map(|found| found.kind) {
        Ok(Kind::Dir) => {}
        Ok(_) => return Ok(failed(dir, "Not a directory")),
        Err(error) => return refused(dir, &error),
    }
    match collect::collect(args, &dir, lister, cancel) {
        Ok(reply) => Ok(reply),
        Err(error) => refused(dir, &error),
    }
}

fn refused(dir: String, error: &ListError) -> Result<Reply, Invalid> {
    let said = match error {
        ListError::OutsideRoot { .. } => {
            return Err(Invalid::new("`path` leads out of the working directory"));
        }
        ListError::InvalidArgument { .. } => return Err(Invalid::new(error.to_string())),
        ListError::NotFound { .. } => "No such file or directory".to_owned(),
        ListError::NotDirectory { .. } => "Not a directory".to_owned(),
        ListError::PermissionDenied { .. } => "Permission denied".to_owned(),
        other => other.to_string(),
    };
    Ok(failed(dir, &said))
}

fn failed(path: String, error: &str) -> Reply {
    Reply {
        success: false,
        path,
        entries: Vec::new(),
        truncated: None,
        summary: None,
        error: Some(error.to_owned()),
        total: 0,
        notice: Vec::new(),
    }
}

/// A refused call as JSON.
pub(crate) fn invalid(invalid: &Invalid) -> Value {
    json!({ "invalid": true, "notice": [invalid.message] })
}
