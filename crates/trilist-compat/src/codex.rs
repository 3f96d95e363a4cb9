//! Codex's `list_dir`.
//!
//! One page of a directory tree: two levels and 25 entries unless asked otherwise, in the byte
//! order of whole paths, so that a child can stand below another directory than its own.
//!
//! Source: openai/codex, `codex-rs` core, handler `list_dir`, stored commit
//! `3688f6843232c363108e03d933693c41b2cbad09`: argument names and defaults, the order of the
//! checks, their texts, the form of the lines, the cut at 500 bytes.
//!
//! Differs: a directory below the listed one that cannot be read costs its own entries, not the
//! whole reply; `strict` brings the recorded failure back. A line break in a name is shown as
//! `\n` in quotes, since raw it forges an entry; `strict` shows it raw. Listing stops after ten
//! seconds with what it has. All of these, and order that puts a child below another directory,
//! are told in the notice.

mod order;
mod page;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trilist::{Cancel, Lister, OpenError};

use crate::failure::Errno;
use crate::{Options, text};
use page::Failed;

/// The arguments as the model gives them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "ListDirArgs")]
pub struct Args {
    /// The directory, absolute.
    pub dir_path: String,
    /// The first entry to show, counted from 1. Default: 1.
    pub offset: usize,
    /// The most entries to show, at least 1. Default: 25.
    pub limit: usize,
    /// Levels to show, at least 1. Default: 2.
    pub depth: usize,
}

/// As the arguments are read. Errors of reading name the type, so it bears the program's name for
/// it.
#[derive(Deserialize)]
struct ListDirArgs {
    dir_path: String,
    #[serde(default = "first")]
    offset: usize,
    #[serde(default = "page_size")]
    limit: usize,
    #[serde(default = "levels")]
    depth: usize,
}

impl From<ListDirArgs> for Args {
    fn from(read: ListDirArgs) -> Args {
        let ListDirArgs { dir_path, offset, limit, depth } = read;
        Args { dir_path, offset, limit, depth }
    }
}

fn first() -> usize {
    1
}

fn page_size() -> usize {
    25
}

fn levels() -> usize {
    2
}

/// What the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Whether there is a listing.
    pub ok: bool,
    /// The listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

impl Reply {
    fn failed(error: String) -> Reply {
        Reply { ok: false, text: None, error: Some(error), notice: Vec::new() }
    }
}

/// Reads the text of a call's arguments.
///
/// # Errors
///
/// The reply that says why it cannot be read, in the recorded words.
pub fn parse(arguments: &str) -> Result<Args, Reply> {
    let parsed = serde_json::from_str(arguments);
    parsed.map_err(|error| Reply::failed(format!("failed to parse function arguments: {error}")))
}

/// Lists.
///
/// The directory has to lie in one of the lister's roots; that it must is trilist's own rule, and
/// so is the message.
pub fn list(args: &Args, options: Options, lister: &Lister, cancel: &Cancel) -> Reply {
    match checked(args) {
        Err(error) => Reply::failed(error.to_owned()),
        Ok(()) => match page::page(args, options, lister, cancel) {
            Ok(page) => Reply { ok: true, text: Some(page.text), error: None, notice: page.notice },
            Err(Failed::Contract(error)) => Reply::failed(error),
            Err(Failed::Engine(error)) => Reply::failed(unreadable(&error)),
        },
    }
}

/// The reply when the directory itself cannot be opened as a root; none if the arguments are wrong
/// already.
pub(crate) fn unopened(args: &Args, error: &OpenError) -> Reply {
    if let Err(error) = checked(args) {
        return Reply::failed(error.to_owned());
    }
    let known = match error {
        OpenError::NoneUsable { error, .. } => Errno::of_io(error),
        _ => None,
    };
    Reply::failed(unreadable(&known.map_or_else(|| error.to_string(), Errno::rust_text)))
}

fn checked(args: &Args) -> Result<(), &'static str> {
    if args.offset == 0 {
        return Err("offset must be a 1-indexed entry number");
    }
    if args.limit == 0 {
        return Err("limit must be greater than zero");
    }
    if args.depth == 0 {
        return Err("depth must be greater than zero");
    }
    if !args.dir_path.starts_with('/') {
        return Err("dir_path must be an absolute path");
    }
    if args.dir_path.contains('\0') {
        // As Rust's standard library words it, which has no number for it.
        return Err("failed to read directory: file name contained an unexpected NUL byte");
    }
    Ok(())
}

fn unreadable(error: &str) -> String {
    format!("failed to read directory: {error}")
}

/// The tool's input schema.
pub fn schema() -> Value {
    let count = |description: &str, default: usize| json!({ "type": "integer", "minimum": 1, "default": default, "description": description });
    json!({
        "type": "object",
        "properties": {
            "dir_path": { "type": "string", "description": "Absolute path of the directory." },
            "offset": count("The first entry to show, counted from 1.", first()),
            "limit": count("The most entries to show.", page_size()),
            "depth": count("Levels to show; 1 is the directory's own entries.", levels()),
        },
        "required": ["dir_path"],
        "additionalProperties": false,
    })
}

/// The most bytes of a name that are shown, and of a path that are compared.
const MOST_BYTES: usize = 500;

/// A name as the tool shows it: lossy, and at most so many bytes of it.
fn shown(name: &[u8]) -> String {
    let mut name = text::lossy(name).into_owned();
    if name.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
        name.truncate(end);
    }
    name
}
