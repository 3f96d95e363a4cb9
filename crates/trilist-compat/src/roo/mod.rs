//! Roo Code's `list_files`.
//!
//! Two hundred names below a directory: files that ripgrep names with links followed, and
//! directories that the program finds itself. Files stand before the directories beside them.
//! `.rooignore` hides or locks entries, and the program's own files carry a shield.
//!
//! Source: RooCodeInc/Roo-Code 3.52.1, commit `cb836567180a3ff1da6d082f3178b90c3bd22a70`, on the
//! `ignore` package 7.0.5, ripgrep 14.1.1 and Node 20.20.2: the names that are left out, and that
//! they are seen from the process's own directory; which ignore files hold for what; the cap and
//! the first-level directories that it keeps; the file system's root and the home; marks, order
//! and text.
//!
//! Differs: a link out of the workspace is a row of its own and not followed, and as the listed
//! path it is refused. At most five links lead into one another. A line break in a name is shown
//! as `\n` in quotes, since the program makes two entries of it (`strict` does too). Which entries
//! a cut shows is fixed by path order, where the program leaves it to chance. Ignore files above
//! the roots are not read. What cannot be read is told in the notice.

mod directories;
mod files;
mod format;
mod judge;
mod names;

use serde::Serialize;
use serde_json::{Map, Value, json};
use trilist::{Cancel, Kind, ListError, Lister, PathArg};

use crate::arguments::Fields;
use crate::faults::Faults;
use crate::read::{self, MOST_ENTRIES};
use crate::{CallError, Options, node_path};
use judge::{Judge, Mark};

/// The arguments: the model's, and what the host has set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// The directory, relative to the workspace or absolute.
    pub path: String,
    /// Whether everything below is listed. Default: false.
    pub recursive: bool,
    /// The host's: the workspace, absolute.
    pub workspace: String,
    /// The host's: the most entries. Default: 200.
    pub limit: usize,
    /// The host's: whether ignored entries are shown with a lock. Default: false.
    pub show_ignored: bool,
    /// The host's: the process's own directory, absolute, from which names that are left out are
    /// seen.
    pub cwd: String,
    /// The host's: the user's home, which is not listed.
    pub home: Option<String>,
}

/// What the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Whether there is a listing.
    pub ok: bool,
    /// The listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the cap was reached.
    #[serde(rename = "didHitLimit", skip_serializing_if = "Option::is_none")]
    pub did_hit_limit: Option<bool>,
    /// Entries before ignored ones were taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Why there is no listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

/// Reads a call.
///
/// # Errors
///
/// The outer one when the host's part is wrong; the inner one is the reply to a model's mistake.
pub fn parse(
    call: &Map<String, Value>,
    cwd: &str,
    home: Option<&str>,
) -> Result<Result<Args, Reply>, CallError> {
    let fields = Fields::new(call);
    let host = || -> Result<Args, String> {
        let limit = fields.number("limit", 0)?.unwrap_or(200);
        Ok(Args {
            path: String::new(),
            recursive: false,
            workspace: node_path::resolve(cwd, fields.needed_text("workspace")?),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            show_ignored: fields.flag("showRooIgnoredFiles", false)?,
            cwd: node_path::resolve("/", cwd),
            home: home.map(|home| node_path::resolve(cwd, home)),
        })
    };
    let mut args = host().map_err(CallError::new)?;
    let model = || -> Result<(String, bool), String> {
        Ok((fields.needed_text("path")?.to_owned(), fields.flag("recursive", false)?))
    };
    Ok(match model() {
        Ok((path, recursive)) => {
            (args.path, args.recursive) = (path, recursive);
            Ok(args)
        }
        Err(error) => Err(Reply::failed(error)),
    })
}

impl Args {
    /// The directory that is meant, absolute.
    pub fn dir(&self) -> String {
        node_path::resolve(&self.workspace, &self.path)
    }

    /// Whether it lies outside the workspace, which the program asks its user about.
    pub fn is_external(&self) -> bool {
        !node_path::is_within(&self.workspace, &self.dir())
    }

    /// The file system's root and the home are named, not listed.
    pub(crate) fn is_special(&self) -> bool {
        let dir = self.dir();
        dir == "/" || self.home.as_ref().is_some_and(|home| *home == dir)
    }
}

impl Reply {
    fn failed(error: String) -> Reply {
        Reply {
            ok: false,
            text: None,
            did_hit_limit: None,
            count: None,
            error: Some(error),
            notice: Vec::new(),
        }
    }
}

/// Entries by their paths from the listed directory, directories with a slash at the end.
#[derive(Debug, Default)]
struct Found {
    entries: Vec<String>,
    hit_limit: bool,
    faults: Faults,
}

/// Lists. The directory has to lie in one of the lister's roots.
pub fn list(args: &Args, options: Options, lister: &Lister, cancel: &Cancel) -> Reply {
    let mut found = match found(args, options, lister, &cancel.with_deadline(read::LONGEST)) {
        Ok(found) => found,
        Err(ListError::OutsideRoot { .. }) => {
            return Reply::failed(format!("'{}' leads outside the workspace", args.dir()));
        }
        Err(error) => return Reply::failed(error.to_string()),
    };
    let judge = Judge::of(args, lister, &mut found.faults);
    let mark = |entry: String| {
        let mark = judge.mark(&entry);
        (entry, mark)
    };
    let entries: Vec<_> = format::ordered(&found).into_iter().map(mark).collect();
    let ignored = entries.iter().filter(|(_, mark)| *mark == Mark::Ignored).count();
    let count = found.entries.len();
    let mut notice = found.faults.told();
    if ignored > 0 && !args.show_ignored {
        notice.push(format!("`.rooignore` leaves out {ignored}"));
    }
    Reply {
        ok: true,
        text: Some(format::text(args, options, &entries, found.hit_limit)),
        did_hit_limit: Some(found.hit_limit),
        count: Some(count),
        error: None,
        notice,
    }
}

fn found(
    args: &Args,
    options: Options,
    lister: &Lister,
    cancel: &Cancel,
) -> Result<Found, ListError> {
    if args.limit == 0 {
        return Ok(Found::default());
    }
    let dir = args.dir();
    if args.is_special() {
        let itself = if dir == "/" { "/" } else { "" };
        return Ok(Found { entries: vec![itself.to_owned()], ..Found::default() });
    }
    match lister.look(&PathArg::from(dir.as_str())) {
        Ok(found) if found.kind == Kind::Dir => {}
        // A file is found, and its path from itself is empty.
        Ok(_) => return Ok(Found { entries: vec![String::new()], ..Found::default() }),
        Err(error @ (ListError::OutsideRoot { .. } | ListError::InvalidArgument { .. })) => {
            return Err(error);
        }
        Err(error) => {
            let mut found = Found::default();
            found.faults.say(error.to_string());
            return Ok(found);
        }
    }
    let limit = args.limit.min(MOST_ENTRIES);
    let mut faults = Faults::default();
    let files = files::files(args, lister, cancel, limit, &mut faults)?;
    let files = format::lines(&files, options, limit);
    let rules = directories::rules(args, lister, &mut faults);
    let room = limit.saturating_sub(files.len());
    let dirs = directories::directories(args, lister, cancel, &rules, room, &mut faults)?;
    let (mut entries, hit_limit) = format::combined(files, dirs, limit);
    if hit_limit && args.recursive {
        let first = directories::first_level(args, lister, cancel, &rules)?;
        entries = format::with_first_level(entries, first, limit);
    }
    Ok(Found { entries, hit_limit, faults })
}

/// The tool's input schema.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description": "The directory, relative to the workspace or absolute.",
            },
            "recursive": {
                "type": "boolean", "default": false,
                "description": "Whether everything below is listed, not just its own entries.",
            },
        },
        "required": ["path"],
        "additionalProperties": false,
    })
}
