//! Gemini CLI's `list_directory`, in two releases.
//!
//! One directory's own entries, directories first, names in the locale's order, links followed.
//! The early release takes `path` and tells git's ignored entries from its own; the current one
//! takes `dir_path`, shows sizes, and keeps a guard over what may be seen.
//!
//! Source: google-gemini/gemini-cli, `@google/gemini-cli-core` 0.61.0 (`gemini`) and 0.1.22
//! (`gemini-0.1`), on Node 20.20.2: arguments, checks, messages, ignore files, guard, order, text,
//! display and description.
//!
//! Differs: an entry that cannot be looked at ends the current release's call; here it is a row
//! without a size if it exists, and left out if it is a link that leads nowhere, and `strict`
//! brings the recorded failure back. The early release looks at what links outside the workspace
//! lead to; here such a link is a row of its own, never a directory. A line break in a name is
//! shown as `\n` in quotes by the early release, since raw it forges an entry (`strict` shows it
//! raw). Why a path is none (`Invalid path`) is said in trilist's words. A dead link whose target ends
//! in a slash is refused by the early release like any other. Repositories and ignore files above the workspace are not looked for. What is left out
//! without a word is named in the notice. The program's temporary directory, which a refusal
//! names, is the host's to say; a served profile has none and names none. In a call of a recorded
//! case that does not speak of it, the placeholder of those cases stands there.

mod arguments;
mod entries;
mod guard;
mod names;
mod rules;
mod shorten;

use serde::Serialize;
use serde_json::{Value, json};
use trilist::{Cancel, Kind, ListError, Lister, PathArg};

use crate::failure::Errno;
use crate::{Options, node_path};

pub use arguments::{parse, schema};
use entries::{Entries, Failed};
use guard::Workspace;

/// Which release is stood in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// 0.61.0.
    Current,
    /// 0.1.22.
    Early,
}

/// The arguments: the model's, and the workspace that the host has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// Which release.
    pub release: Release,
    /// The directory (`dir_path`, in the early release `path`), as the model gave it.
    pub path: String,
    /// Globs to leave out, matched against the name alone; only `*` and `?` are special.
    pub ignore: Vec<String>,
    /// Whether git's rules count. Default: true.
    pub respect_git_ignore: bool,
    /// Whether `.geminiignore` counts. Default: true.
    pub respect_gemini_ignore: bool,
    /// The host's: the workspace, absolute.
    pub target_dir: String,
    /// The host's: further directories of the workspace.
    pub extra_workspace_dirs: Vec<String>,
    /// The host's: its temporary directory, which a refusal names; with none it names none.
    pub project_temp_dir: Option<String>,
}

/// What the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// The arguments were refused before anything ran.
    Refused {
        /// Always false.
        ok: bool,
        /// Why.
        error: String,
    },
    /// The call ran, which does not mean that there is a listing.
    Ran(Ran),
}

/// The result of a call that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// Always true.
    pub ok: bool,
    /// What the model reads.
    #[serde(rename = "llmContent")]
    pub llm_content: String,
    /// What the user sees: a text, or an object with `summary` and `files`.
    #[serde(rename = "returnDisplay")]
    pub return_display: Value,
    /// What the user sees while the call runs.
    pub description: String,
    /// Why there is no listing; the early release never says.
    pub error: Option<Problem>,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

/// Why there is no listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What the model reads, again.
    pub message: String,
    /// The program's name for it.
    pub r#type: &'static str,
}

impl Reply {
    fn refused(error: impl Into<String>) -> Reply {
        Reply::Refused { ok: false, error: error.into() }
    }
}

/// Lists. The workspace has to lie in the lister's roots.
pub fn list(args: &Args, options: Options, lister: &Lister, cancel: &Cancel) -> Reply {
    if args.release == Release::Early && !args.path.starts_with('/') {
        return Reply::refused(format!("Path must be absolute: {}", args.path));
    }
    let workspace = Workspace::of(args, lister);
    let path = node_path::resolve(&args.target_dir, &args.path);
    if let Some(why) = workspace.refuses(&path) {
        return Reply::refused(why);
    }
    let call = Call { args, shown: shown_path(args, &path), path };
    match call.listed(options, &workspace, cancel) {
        Ok(entries) => Reply::Ran(call.answered(&entries)),
        Err(problem) => Reply::Ran(call.failed(problem)),
    }
}

/// The early release repeats the path as it was given.
fn shown_path(args: &Args, resolved: &str) -> String {
    match args.release {
        Release::Current => resolved.to_owned(),
        Release::Early => args.path.clone(),
    }
}

/// Why a call that ran has no listing.
enum NoListing {
    NotDirectory,
    /// In the words of the system call that failed.
    System(String),
}

struct Call<'a> {
    args: &'a Args,
    path: String,
    shown: String,
}

impl Call<'_> {
    fn listed(
        &self,
        options: Options,
        workspace: &Workspace<'_>,
        cancel: &Cancel,
    ) -> Result<Entries, NoListing> {
        let found = workspace.lister.look(&PathArg::from(self.path.as_str()));
        match found.map(|found| found.kind) {
            Ok(Kind::Dir) => {}
            Ok(_) => return Err(NoListing::NotDirectory),
            Err(error) => return Err(self.system(&error, "stat")),
        }
        Entries::read(self.args, options, workspace, &self.path, cancel).map_err(|failed| {
            match failed {
                Failed::Entry(error) => NoListing::System(error),
                Failed::Directory(error) => self.system(&error, "scandir"),
            }
        })
    }

    fn system(&self, error: &ListError, call: &str) -> NoListing {
        let too_long = self.path.len() >= guard::LONGEST_PATH;
        let errno = if too_long { Errno::named("ENAMETOOLONG") } else { Errno::of(error) };
        NoListing::System(match errno {
            Some(errno) => errno.node_message(call, &self.shown),
            None => error.to_string(),
        })
    }

    fn answered(&self, entries: &Entries) -> Ran {
        let (content, display) = if entries.was_empty {
            (format!("Directory {} is empty.", self.shown), json!("Directory is empty."))
        } else {
            self.texts(entries)
        };
        self.ran(content, display, None, entries.notice.clone())
    }

    fn texts(&self, entries: &Entries) -> (String, Value) {
        let current = self.args.release == Release::Current;
        let lines: Vec<String> = entries.rows.iter().map(|row| row.line(current)).collect();
        let left_out = entries.left_out(self.args.release);
        let count = entries.rows.len();
        let mut content = format!("Directory listing for {}:\n{}", self.shown, lines.join("\n"));
        let mut summary = match self.args.release {
            Release::Current => format!("Found {count} item(s)."),
            Release::Early => format!("Listed {count} item(s)."),
        };
        if let Some(left_out) = left_out {
            content.push_str(&format!("\n\n({left_out})"));
            summary.push_str(&format!(" ({left_out})"));
        }
        let display = match self.args.release {
            Release::Early => json!(summary),
            Release::Current => {
                let files: Vec<String> = entries.rows.iter().map(|row| row.line(false)).collect();
                json!({ "summary": summary, "files": files })
            }
        };
        (content, display)
    }

    fn failed(&self, problem: NoListing) -> Ran {
        let (content, display, name) = match problem {
            NoListing::NotDirectory => (
                format!("Error: Path is not a directory: {}", self.shown),
                "Error: Path is not a directory.",
                "path_is_not_a_directory",
            ),
            NoListing::System(error) => (
                format!("Error listing directory: {error}"),
                "Error: Failed to list directory.",
                "ls_execution_error",
            ),
        };
        let current = self.args.release == Release::Current;
        let error = current.then(|| Problem { message: content.clone(), r#type: name });
        self.ran(content, json!(display), error, Vec::new())
    }

    fn ran(
        &self,
        llm_content: String,
        return_display: Value,
        error: Option<Problem>,
        notice: Vec<String>,
    ) -> Ran {
        let description = shorten::description(&self.args.path, &self.args.target_dir);
        Ran { ok: true, llm_content, return_display, description, error, notice }
    }
}
