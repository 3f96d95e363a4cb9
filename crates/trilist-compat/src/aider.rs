//! Aider's `/ls`.
//!
//! What HEAD and the index name, in three groups: files of the repository that are not in the chat,
//! read-only files, files in the chat. Outside a repository there are only the last two.
//!
//! Source: Aider-AI/aider, commit `b9050e1d5faf8096eae7a46a9ecc05a86231384b` (0.86.3.dev) on
//! GitPython 3.1.46 and pathspec 1.0.4: the inventory, the ignore file, the subtree rule, the
//! groups, their order and words.
//!
//! Differs: one line of the ignore file that cannot be used costs that line, not the call (`strict`
//! brings the exception back). An index of version 4 is read, where the program lists HEAD alone
//! and loses what is staged. An ignore file outside the repository is not read. All of these are
//! told in the notice. A line break in a name is printed as `\n` in quotes, since raw it forges
//! files and groups; `strict` prints it raw.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::{Map, Value, json};
use trilist::{
    Cancel, FaultCode, IgnorePolicy, Kind, ListError, ListRequest, Lister, Look, Mode, Page,
    PathArg, PathspecRules, quote,
};

use crate::arguments::Fields;
use crate::faults::Faults;
use crate::read::{self, Detail, MOST_ENTRIES};
use crate::{CallError, Options, node_path, text};

/// The longest ignore file, in bytes.
const MOST_IGNORE_BYTES: u64 = 1 << 20;

/// What the host's session is about; a model has no argument here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// The repository's top, absolute; or the directory of a session without one.
    pub git_root: String,
    /// The ignore file, absolute; none for no file.
    pub aiderignore: Option<String>,
    /// Whether only files below the working directory count.
    pub subtree_only: bool,
    /// Files in the chat, relative to the root.
    pub chat: Vec<String>,
    /// Read-only files, relative to the root.
    pub read_only: Vec<String>,
    /// The working directory, absolute.
    pub cwd: String,
}

/// What the command answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Whether there is a repository.
    pub repo: bool,
    /// The inventory, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// Messages of errors while the inventory was made.
    pub errors: Vec<String>,
    /// Messages of warnings.
    pub warnings: Vec<String>,
    /// The call failed as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
    /// What is printed, one message an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ls_calls: Option<Vec<String>>,
    /// The same as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ls_text: Option<String>,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

/// Reads a call: all of it is the host's.
///
/// # Errors
///
/// When a field is missing or of the wrong type.
pub fn parse(call: &Map<String, Value>, cwd: &str) -> Result<Args, CallError> {
    let read = || -> Result<Args, String> {
        let fields = Fields::new(call);
        Ok(Args {
            git_root: node_path::resolve(cwd, fields.needed_text("git_root")?),
            aiderignore: fields.text_or_null("aiderignore")?.map(str::to_owned),
            subtree_only: fields.flag("subtree_only", false)?,
            chat: fields.texts("chat")?,
            read_only: fields.texts("read_only")?,
            cwd: cwd.to_owned(),
        })
    };
    read().map_err(CallError::new)
}

/// The inventory, and what came up while it was made.
#[derive(Default)]
struct Inventory {
    repo: bool,
    files: BTreeSet<String>,
    errors: Vec<String>,
    notice: Vec<String>,
}

/// Lists. The repository has to lie in one of the lister's roots.
pub fn list(args: &Args, options: Options, lister: &Lister, cancel: &Cancel) -> Reply {
    let mut inventory = match inventory(args, lister, &cancel.with_deadline(read::LONGEST)) {
        Ok(inventory) => inventory,
        Err(ListError::NotARepository { .. }) => Inventory::default(),
        Err(error) => {
            Inventory { repo: true, errors: vec![error.to_string()], ..Inventory::default() }
        }
    };
    if let Some(exception) = exception(args, options, lister, &inventory) {
        return Reply {
            repo: true,
            files: None,
            errors: Vec::new(),
            warnings: Vec::new(),
            exception: Some(exception),
            ls_calls: None,
            ls_text: None,
            notice: Vec::new(),
        };
    }
    if !inventory.repo {
        inventory.files = args.chat.iter().map(|file| in_root(&args.git_root, file)).collect();
    }
    let messages = messages(args, options, &inventory.files);
    Reply {
        repo: inventory.repo,
        files: Some(inventory.files.into_iter().collect()),
        errors: inventory.errors,
        warnings: Vec::new(),
        exception: None,
        ls_text: Some(messages.iter().map(|message| format!("{message}\n")).collect()),
        ls_calls: Some(messages),
        notice: inventory.notice,
    }
}

fn request(args: &Args, ignore_file: Option<String>) -> ListRequest {
    let path = if args.subtree_only { &args.cwd } else { &args.git_root };
    ListRequest {
        mode: Mode::Vcs,
        subtree: args.subtree_only,
        ignore: IgnorePolicy {
            aiderignore: ignore_file.into_iter().collect(),
            ..IgnorePolicy::none()
        },
        ..read::tree(path.as_bytes(), Detail::Names)
    }
}

fn inventory(args: &Args, lister: &Lister, cancel: &Cancel) -> Result<Inventory, ListError> {
    let mut inventory = Inventory { repo: true, ..Inventory::default() };
    let Some(prefix) = prefix(args, lister)? else { return Ok(inventory) };
    let ignore_file = ignore_file(args, lister).unwrap_or_else(|why| {
        inventory.notice.push(why);
        None
    });
    let mut too_many = false;
    let page = read::each(lister, &request(args, ignore_file), cancel, &mut |entry| {
        if inventory.files.len() >= MOST_ENTRIES {
            too_many = true;
            return ControlFlow::Break(());
        }
        let path = read::joined(prefix.as_bytes(), entry.path.as_bytes());
        inventory.files.insert(text::lossy(&path).into_owned());
        ControlFlow::Continue(())
    })?;
    inventory.tell(&page);
    if too_many {
        inventory.notice.push(format!("only the first {MOST_ENTRIES} files are listed"));
    }
    Ok(inventory)
}

/// What stands before the paths of a listing; none when the working directory is outside, so that
/// nothing lies below it.
fn prefix(args: &Args, lister: &Lister) -> Result<Option<String>, ListError> {
    if !args.subtree_only {
        return Ok(Some(String::new()));
    }
    let top = lister.look(&PathArg::from(args.git_root.as_str()))?.absolute();
    let here = match lister.look(&PathArg::from(args.cwd.as_str())) {
        Ok(here) => here.absolute(),
        Err(ListError::OutsideRoot { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let (top, here) = (text::lossy(&top), text::lossy(&here));
    Ok(node_path::is_within(&top, &here).then(|| node_path::relative(&top, &here)))
}

/// The ignore file from the repository's top, if it lies there; or why there is none. As in the
/// program, an empty path names no file, and what is no file has no rules.
fn ignore_file(args: &Args, lister: &Lister) -> Result<Option<String>, String> {
    let Some(asked) = args.aiderignore.as_deref().filter(|file| !file.is_empty()) else {
        return Ok(None);
    };
    let named = quote::shown(asked.as_bytes());
    let outside = || format!("the ignore file `{named}` lies outside the repository: not read");
    let file = node_path::resolve(&args.git_root, asked);
    if !node_path::is_within(&args.git_root, &file) {
        return Err(outside());
    }
    let look = |path: &str| lister.look(&PathArg::from(path));
    let absolute = |found: Look| text::lossy(&found.absolute()).into_owned();
    // The program follows links, and the engine reads only the file itself.
    let (top, file) = match (look(&args.git_root), look(&file)) {
        (_, Ok(found)) if found.kind != Kind::File => {
            return Err(format!("the ignore file `{named}` is no file: it has no rules"));
        }
        (Ok(top), Ok(found)) => (absolute(top), absolute(found)),
        _ => (args.git_root.clone(), file),
    };
    match node_path::is_within(&top, &file) {
        true => Ok(Some(node_path::relative(&top, &file))),
        false => Err(outside()),
    }
}

impl Inventory {
    fn tell(&mut self, page: &Page) {
        let is_index = |code| code == FaultCode::VcsIndexInvalid;
        for warning in page.warnings.iter().filter(|warning| is_index(warning.code)) {
            self.errors.push(format!("Unable to read staged files: {}", warning.message));
        }
        let mut faults = Faults::default();
        faults.page(page);
        self.notice.extend(faults.told());
    }
}

/// The exception of a line in the ignore file that pathspec refuses; only `strict` keeps it.
fn exception(
    args: &Args,
    options: Options,
    lister: &Lister,
    inventory: &Inventory,
) -> Option<String> {
    if !options.strict || !inventory.repo {
        return None;
    }
    let file = read::joined(args.git_root.as_bytes(), ignore_file(args, lister).ok()??.as_bytes());
    let bytes = lister.read(&PathArg::from(file), MOST_IGNORE_BYTES).ok()?;
    let (_, bad) = PathspecRules::parse(&bytes);
    let line = text::lossy(&bad.first()?.text).into_owned();
    Some(format!("GitIgnorePatternError: Invalid git pattern: {}", python_repr(&line)))
}

/// Text as Python shows it.
fn python_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// A file's path without dots that lead nowhere, from the root.
fn in_root(root: &str, file: &str) -> String {
    node_path::relative(root, &node_path::resolve(root, file))
}

fn messages(args: &Args, options: Options, files: &BTreeSet<String>) -> Vec<String> {
    let chat: BTreeSet<String> =
        args.chat.iter().map(|file| in_root(&args.git_root, file)).collect();
    let read_only: BTreeSet<String> =
        args.read_only.iter().map(|file| in_root(&args.git_root, file)).collect();
    let others: Vec<&String> = files.iter().filter(|file| !chat.contains(*file)).collect();
    let chatting: Vec<&String> = files.iter().filter(|file| chat.contains(*file)).collect();
    if others.is_empty() && chatting.is_empty() && read_only.is_empty() {
        return vec!["\nNo files in chat, git repo, or read-only list.".to_owned()];
    }
    let mut messages = Vec::new();
    let mut group = |title: &str, files: Vec<&String>| {
        if !files.is_empty() {
            messages.push(format!("{title}\n"));
            messages.extend(files.into_iter().map(|file| format!("  {}", shown(file, options))));
        }
    };
    group("Repo files not in the chat:", others);
    group("\nRead-only files:", read_only.iter().collect());
    group("\nFiles in chat:", chatting);
    messages
}

/// A file as it is printed: raw, a line break in its name forges files and whole groups.
fn shown(file: &str, options: Options) -> String {
    match options.strict {
        true => file.to_owned(),
        false => text::path_on_one_line(file, |name| name.contains('\n')),
    }
}

/// The command's input schema: a model has nothing to say.
pub fn schema() -> Value {
    json!({ "type": "object", "properties": {}, "additionalProperties": false })
}
