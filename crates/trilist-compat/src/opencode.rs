//! OpenCode's `list`.
//!
//! A tree drawn from the first hundred files that ripgrep names below a directory, directories
//! first, in the order of UTF-16. Empty directories and links do not show.
//!
//! Source: sst/opencode, tool `list` at commit `9198bb7a19db9532af6c3f7f6f41d6c3bd78a5ce`, file
//! enumeration as in release 1.2.6 on ripgrep 14.1.1: arguments, the two questions, the names that
//! are left out without being asked, the cap, title, metadata and text.
//!
//! Differs: a path that is a link out of the project is refused, not followed. A line break in a
//! name is shown as `\n` in quotes and the file counts once; `strict` brings back two files, which
//! do not exist. A directory that cannot be entered is told by its own path, where the program
//! names its ripgrep. Which hundred files are shown of more is fixed by path order, where the
//! program leaves it to chance. Directories that cannot be read, and that a cut is one, are told in
//! the notice.

mod tree;

use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::{Map, Value, json};
use trilist::{Cancel, IgnorePolicy, Kind, ListError, ListRequest, Lister, PathArg};

use crate::arguments::Fields;
use crate::faults::Faults;
use crate::read::{self, Detail};
use crate::{Options, node_path};

/// Files of one reply.
const LIMIT: usize = 100;

/// What the program leaves out by itself. With the star behind it, a name with a slash counts in
/// the listed directory alone, and one without at any depth, with every name that starts so.
const SKIPPED: &[&str] = &[
    "node_modules/",
    "__pycache__/",
    ".git/",
    "dist/",
    "build/",
    "target/",
    "vendor/",
    "bin/",
    "obj/",
    ".idea/",
    ".vscode/",
    ".zig-cache/",
    "zig-out",
    ".coverage",
    "coverage/",
    "tmp/",
    "temp/",
    ".cache/",
    "cache/",
    "logs/",
    ".venv/",
    "venv/",
    "env/",
];

/// The arguments: the model's, and the project that the host has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// The directory, absolute or relative to the project's. Default: the project's.
    pub path: Option<String>,
    /// Globs to leave out besides. Default: none.
    pub ignore: Vec<String>,
    /// The host's: the project's directory, absolute.
    pub directory: String,
    /// The host's: the work tree around it, absolute; `/` for none.
    pub worktree: String,
}

/// A permission question, as the program puts it to its user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ask {
    /// `external_directory` or `list`.
    pub permission: &'static str,
    /// What is asked for.
    pub patterns: Vec<String>,
    /// What a lasting yes would cover.
    pub always: Vec<String>,
    /// What the user is shown with it.
    pub metadata: Map<String, Value>,
}

/// What the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Whether there is a listing.
    pub ok: bool,
    /// The path relative to the work tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Counts beside the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    /// The tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Why there is no listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The error's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The questions that come before the listing, in order. A host puts them first.
    pub asks: Vec<Ask>,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

/// What stands beside the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// Files shown.
    pub count: usize,
    /// True at a hundred files, also when there are no more.
    pub truncated: bool,
}

/// Reads a call: `params` is what the model gave, the rest is the host's.
///
/// # Errors
///
/// The reply that says what is wrong.
pub fn parse(call: &Map<String, Value>) -> Result<Args, Box<Reply>> {
    let read = || -> Result<Args, String> {
        let host = Fields::new(call);
        let empty = Value::Object(Map::new());
        let params = Fields::of(host.get("params").unwrap_or(&empty), "params")?;
        let directory = node_path::resolve("/", host.needed_absolute("directory")?);
        let worktree = host.absolute("worktree")?.unwrap_or(&directory).to_owned();
        Ok(Args {
            path: params.text("path")?.map(str::to_owned),
            ignore: params.texts("ignore")?,
            directory,
            worktree: node_path::resolve("/", &worktree),
        })
    };
    read().map_err(|error| {
        let error = format!("The list tool was called with invalid arguments: {error}.");
        Box::new(Reply::new(Vec::new()).failed(error, "invalid_argument"))
    })
}

impl Args {
    /// The directory that is meant, absolute.
    pub fn search_path(&self) -> String {
        node_path::resolve(&self.directory, self.path.as_deref().unwrap_or(""))
    }

    /// Whether it lies outside the project, which is a question of its own.
    pub fn is_external(&self) -> bool {
        let path = self.search_path();
        let in_worktree = self.worktree != "/" && node_path::is_within(&self.worktree, &path);
        !node_path::is_within(&self.directory, &path) && !in_worktree
    }
}

/// The questions that come before the listing, in order.
pub fn questions(args: &Args) -> Vec<Ask> {
    let path = args.search_path();
    let metadata = |fields: &[&str]| -> Map<String, Value> {
        fields.iter().map(|name| ((*name).to_owned(), Value::String(path.clone()))).collect()
    };
    let mut asks = Vec::new();
    if args.is_external() {
        let below = format!("{}/*", path.trim_end_matches('/'));
        asks.push(Ask {
            permission: "external_directory",
            patterns: vec![below.clone()],
            always: vec![below],
            metadata: metadata(&["filepath", "parentDir"]),
        });
    }
    asks.push(Ask {
        permission: "list",
        patterns: vec![path.clone()],
        always: vec!["*".to_owned()],
        metadata: metadata(&["path"]),
    });
    asks
}

impl Reply {
    fn new(asks: Vec<Ask>) -> Reply {
        Reply {
            ok: false,
            title: None,
            metadata: None,
            output: None,
            error: None,
            code: None,
            asks,
            notice: Vec::new(),
        }
    }

    fn failed(self, error: String, code: &str) -> Reply {
        Reply { error: Some(error), code: Some(code.to_owned()), ..self }
    }
}

/// Lists, as after the questions were answered with yes. The path has to lie in one of the
/// lister's roots.
pub fn list(args: &Args, options: Options, lister: &Lister, cancel: &Cancel) -> Reply {
    let reply = Reply::new(questions(args));
    let path = args.search_path();
    match lister.look(&PathArg::from(path.as_str())).map(|found| found.kind) {
        Err(ListError::OutsideRoot { .. }) => {
            return reply.failed(format!("'{path}' leads outside the project"), "outside_root");
        }
        Ok(Kind::Dir) => {}
        _ => {
            let error = format!("No such file or directory: '{path}'");
            return reply.failed(error, "ENOENT");
        }
    }
    if !can_be_entered(lister, &path) {
        let error = format!("EACCES: permission denied, scandir '{path}'");
        return reply.failed(error, "EACCES");
    }
    match files(args, lister, &cancel.with_deadline(read::LONGEST)) {
        Ok((files, notice)) => answered(reply, args, options, &files, notice),
        Err(error) => {
            let code = error.code();
            reply.failed(error.to_string(), code)
        }
    }
}

/// A directory that cannot be entered ends the call, one that can only not be read is empty.
fn can_be_entered(lister: &Lister, path: &str) -> bool {
    let inside = read::joined(path.as_bytes(), b"-");
    !matches!(lister.look(&PathArg::from(inside)), Err(ListError::PermissionDenied { .. }))
}

fn request(args: &Args) -> ListRequest {
    let skipped: Vec<String> = SKIPPED.iter().map(|name| format!("{name}*")).collect();
    // An empty glob matches nothing. One that is there anyway takes its place, so that the others
    // keep theirs, by which an error names them.
    let asked = args.ignore.iter().map(|glob| if glob.is_empty() { &skipped[0] } else { glob });
    ListRequest {
        mode: trilist::Mode::Files,
        kinds: Some(vec![Kind::File]),
        ignore: IgnorePolicy {
            git: Some(true),
            dot_ignore: Some(true),
            patterns: asked.chain(&skipped).cloned().collect(),
            ..IgnorePolicy::none()
        },
        ..read::tree(args.search_path().as_bytes(), Detail::Names)
    }
}

/// The first files in path order, and what to say of the listing besides.
fn files(
    args: &Args,
    lister: &Lister,
    cancel: &Cancel,
) -> Result<(Vec<Vec<u8>>, Vec<String>), ListError> {
    let mut files = Vec::new();
    let page = read::each(lister, &request(args), cancel, &mut |entry| {
        files.push(entry.path.as_bytes().to_vec());
        // One more than is shown tells whether a full page is a cut one.
        if files.len() > LIMIT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let page = match page {
        Ok(page) => page,
        Err(ListError::PermissionDenied { .. }) => {
            return Ok((files, vec!["the directory itself could not be read".to_owned()]));
        }
        Err(error) => return Err(read::of_ignore(error, args.ignore.len())),
    };
    let mut faults = Faults::default();
    faults.page(&page);
    let mut notice = faults.told();
    if files.len() > LIMIT {
        files.truncate(LIMIT);
        notice.push(format!("only the first {LIMIT} files in path order are shown"));
    } else if files.len() == LIMIT {
        notice.push("the listing is complete, although it counts as truncated".to_owned());
    }
    Ok((files, notice))
}

fn answered(
    reply: Reply,
    args: &Args,
    options: Options,
    files: &[Vec<u8>],
    notice: Vec<String>,
) -> Reply {
    let mut names = tree::names(files, options);
    names.truncate(LIMIT);
    let path = args.search_path();
    Reply {
        ok: true,
        title: Some(node_path::relative(&args.worktree, &path)),
        metadata: Some(Metadata { count: names.len(), truncated: names.len() >= LIMIT }),
        output: Some(format!("{path}/\n{}", tree::drawn(&names))),
        notice,
        ..reply
    }
}

/// The tool's input schema.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description": "The directory, absolute or relative to the project's. Default: \
                                the project's.",
            },
            "ignore": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Globs to leave out. One without a slash counts at any depth.",
            },
        },
        "additionalProperties": false,
    })
}
