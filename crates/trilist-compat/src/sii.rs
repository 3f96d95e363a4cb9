//! The `list_directory` of `sii`, a fork of Gemini CLI's.
//!
//! One directory's own entries, directories first, as text and as data. Links are told as what they
//! are and never followed.
//!
//! Source: the published description of the tool; there are no recordings. Arguments, defaults,
//! what is left out, the fields of the result and the words of the summary are from there. The text
//! and the display are those of the release that it was forked from (see
//! [`gemini`](crate::gemini)), with its own ignore file's name.
//!
//! Differs: git's files hold wherever they lie, and hide directories, not just files; a name that
//! breaks a line is quoted in the text and as it is in the data. Globs of `ignore` know `*`, `**`, `?`, `[abc]` and `{a,b}`. Messages for which the
//! description has no words are trilist's.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::{Map, Value, json};
use trilist::{
    Cancel, IgnorePolicy, Kind, ListError, ListRequest, Lister, Metadata, Mode, PathArg, Reason,
};

use crate::arguments::Fields;
use crate::faults::{Faults, rule_file};
use crate::iso::iso;
use crate::node_ignore::{As, NodeIgnore, trimmed_lines};
use crate::order::Locale;
use crate::read::{self, Detail, joined};
use crate::{CallError, Options, node_path, text};

/// The arguments: the model's, and the project that the host has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Args {
    /// The directory, absolute and inside the project.
    pub path: String,
    /// Globs to leave out. Default: none.
    pub ignore: Vec<String>,
    /// Whether git's rules count, inside a repository. Default: true.
    pub respect_git_ignore: bool,
    /// Whether `.siiignore` counts. Default: true.
    pub respect_sii_ignore: bool,
    /// The host's: the project's root, absolute.
    pub target_dir: String,
}

/// What the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Whether there is a listing.
    pub ok: bool,
    /// What the model reads.
    #[serde(rename = "llmContent", skip_serializing_if = "Option::is_none")]
    pub llm_content: Option<String>,
    /// What the user sees.
    #[serde(rename = "returnDisplay", skip_serializing_if = "Option::is_none")]
    pub return_display: Option<String>,
    /// How many entries there are, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<Entry>>,
    /// Why there is no listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What trilist adds; no part of the contract.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notice: Vec<String>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its absolute path.
    pub path: String,
    /// Whether it is a directory; a link is none.
    #[serde(rename = "isDirectory")]
    pub is_directory: bool,
    /// In bytes; 0 for directories.
    pub size: u64,
    /// When it was last changed, ISO 8601 in UTC.
    #[serde(rename = "modifiedTime", skip_serializing_if = "Option::is_none")]
    pub modified_time: Option<String>,
}

impl Reply {
    fn failed(error: impl Into<String>) -> Reply {
        Reply {
            ok: false,
            llm_content: None,
            return_display: None,
            summary: None,
            entries: None,
            error: Some(error.into()),
            notice: Vec::new(),
        }
    }
}

/// Reads a call: `params` is what the model gave, the rest is the host's.
///
/// # Errors
///
/// The outer one when the host's part is wrong; the inner one is the reply to a model's mistake.
pub fn parse(call: &Map<String, Value>) -> Result<Result<Args, Reply>, CallError> {
    let host = Fields::new(call);
    let target_dir = host.needed_absolute("target_dir").map_err(CallError::new)?;
    let empty = Value::Object(Map::new());
    let model = || -> Result<Args, String> {
        let params = Fields::of(host.get("params").unwrap_or(&empty), "params")?;
        let options = params.get("file_filtering_options").unwrap_or(&empty);
        let options = Fields::of(options, "file_filtering_options")?;
        Ok(Args {
            path: params.needed_text("path")?.to_owned(),
            ignore: params.texts("ignore")?,
            respect_git_ignore: options.flag("respect_git_ignore", true)?,
            respect_sii_ignore: options.flag("respect_sii_ignore", true)?,
            target_dir: node_path::resolve("/", target_dir),
        })
    };
    Ok(model().map_err(Reply::failed))
}

/// What is left when some rules hold, by name.
type Children = BTreeMap<Vec<u8>, (Kind, Metadata)>;

/// Lists. The project has to lie in one of the lister's roots.
pub fn list(args: &Args, _: Options, lister: &Lister, cancel: &Cancel) -> Reply {
    if !args.path.starts_with('/') {
        return Reply::failed(format!("Path must be absolute: {}", args.path));
    }
    let path = node_path::resolve("/", &args.path);
    if !node_path::is_within(&args.target_dir, &path) {
        return outside(args);
    }
    match listed(args, &path, lister, &cancel.with_deadline(read::LONGEST)) {
        Ok(reply) => reply,
        Err(ListError::OutsideRoot { .. }) => outside(args),
        Err(ListError::NotFound { .. }) => Reply::failed(format!("Directory not found: {path}")),
        Err(ListError::NotDirectory { .. }) => {
            Reply::failed(format!("Path is not a directory: {path}"))
        }
        Err(ListError::PermissionDenied { .. }) => {
            Reply::failed(format!("Permission denied: {path}"))
        }
        Err(error) => Reply::failed(error.to_string()),
    }
}

fn outside(args: &Args) -> Reply {
    Reply::failed(format!(
        "Path must be within the project root ({}): {}",
        args.target_dir, args.path
    ))
}

fn listed(args: &Args, path: &str, lister: &Lister, cancel: &Cancel) -> Result<Reply, ListError> {
    let dir = lister.look(&PathArg::from(path))?;
    let root = lister.look(&PathArg::from(args.target_dir.as_str()))?.absolute();
    if !node_path::is_within(&text::lossy(&root), &text::lossy(&dir.absolute())) {
        return Ok(outside(args));
    }
    let mut faults = Faults::default();
    let (all, by_globs) = children(args, path, Rules::None, lister, cancel, &mut faults)?;
    // Either file may hide an entry, and neither brings back what the other hides; so each is asked
    // by itself.
    let by_git = match (args.respect_git_ignore, &all) {
        (false, all) => all.clone(),
        (true, _) if git_hides_dir(args, path, lister, cancel)? => Children::new(),
        (true, _) => children(args, path, Rules::Git, lister, cancel, &mut faults)?.0,
    };
    let own = own_rules(args, lister, &mut faults);
    let mut notice = faults.told();
    if by_globs > 0 {
        notice.push(format!("`ignore` leaves out {by_globs}"));
    }
    let way = node_path::relative(&args.target_dir, path);
    let own_hides = |(name, (kind, _)): &(Vec<u8>, (Kind, Metadata))| {
        let what = if *kind == Kind::Dir { As::Dir } else { As::File };
        own.as_ref().is_some_and(|own| own.ignores(&joined(way.as_bytes(), name), what))
    };
    let git_hides =
        |name: &Vec<u8>| !by_git.contains_key(name) || args.respect_git_ignore && name == b".git";
    let (hidden, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(name, _)| git_hides(name));
    let (own, kept): (Vec<_>, Vec<_>) = rest.into_iter().partition(own_hides);
    let mut entries: Vec<Entry> =
        kept.into_iter().map(|(name, (kind, facts))| entry(path, &name, kind, &facts)).collect();
    let locale = Locale::plain();
    entries.sort_by(|a, b| {
        b.is_directory.cmp(&a.is_directory).then_with(|| locale.compare(&a.name, &b.name))
    });
    let is_empty = entries.is_empty() && by_globs == 0;
    Ok(answered(path, entries, is_empty, (hidden.len(), own.len()), notice))
}

/// Which rules hold beside the globs of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rules {
    None,
    Git,
}

/// Whether git's rules hide the listed directory itself or one on the way to it, and with it all
/// that it holds.
fn git_hides_dir(
    args: &Args,
    path: &str,
    lister: &Lister,
    cancel: &Cancel,
) -> Result<bool, ListError> {
    let way = node_path::relative(&args.target_dir, path);
    if way.is_empty() {
        return Ok(false);
    }
    if way.split('/').any(|name| name == ".git") {
        return Ok(true);
    }
    let request = ListRequest {
        ignore: IgnorePolicy { git: Some(true), ..IgnorePolicy::none() },
        ..read::tree(args.target_dir.as_bytes(), Detail::Names)
    };
    let explained = lister.explain(&request, &[Mode::Fs], &[PathArg::from(path)], cancel)?;
    let standing = explained.first().and_then(|explained| explained.modes.fs.as_ref());
    Ok(standing.is_some_and(|standing| standing.reason == Some(Reason::Ignored)))
}

/// The rules of the project's own file; one further down has none.
fn own_rules(args: &Args, lister: &Lister, faults: &mut Faults) -> Option<NodeIgnore> {
    if !args.respect_sii_ignore {
        return None;
    }
    let content = faults.rules(lister, &rule_file(&args.target_dir, ".siiignore"), ".siiignore")?;
    let mut rules = NodeIgnore::default();
    rules.add(b"", &trimmed_lines(&content));
    Some(rules)
}

/// The children that the rules leave, and how many they leave out.
fn children(
    args: &Args,
    path: &str,
    rules: Rules,
    lister: &Lister,
    cancel: &Cancel,
    faults: &mut Faults,
) -> Result<(Children, u64), ListError> {
    let request = ListRequest {
        ignore: IgnorePolicy {
            git: Some(rules == Rules::Git),
            patterns: args.ignore.clone(),
            ..IgnorePolicy::none()
        },
        ..read::children(path.as_bytes(), Detail::Metadata)
    };
    let mut children = Children::new();
    let page = read::each(lister, &request, cancel, &mut |entry| {
        let facts = entry.metadata.cloned().unwrap_or_default();
        children.insert(entry.path.as_bytes().to_vec(), (entry.kind, facts));
        let full = children.len() >= read::MOST_ENTRIES;
        if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let page = page.map_err(|error| read::of_ignore(error, args.ignore.len()))?;
    faults.page(&page);
    let ignored = page.omitted.iter().filter(|omission| omission.reason == Reason::Ignored);
    Ok((children, ignored.map(|omission| omission.count).sum()))
}

fn entry(dir: &str, name: &[u8], kind: Kind, facts: &Metadata) -> Entry {
    let is_directory = kind == Kind::Dir;
    Entry {
        name: text::lossy(name).into_owned(),
        path: text::lossy(&joined(dir.as_bytes(), name)).into_owned(),
        is_directory,
        size: if is_directory { 0 } else { facts.size_bytes.unwrap_or(0) },
        modified_time: facts.modified.map(iso),
    }
}

fn answered(
    path: &str,
    entries: Vec<Entry>,
    is_empty: bool,
    (by_git, by_own): (usize, usize),
    notice: Vec<String>,
) -> Reply {
    let count = entries.len();
    let counts = [(by_git, "git-ignored"), (by_own, "sii-ignored")];
    let hidden: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let mut display = format!("Listed {count} item(s).");
    let rows = entries.iter().map(|entry| {
        let name = text::path_on_one_line(&entry.name, |name| name.contains('\n'));
        if entry.is_directory { format!("[DIR] {name}") } else { name }
    });
    let mut content = if is_empty && hidden.is_empty() {
        format!("Directory {path} is empty.")
    } else {
        format!("Directory listing for {path}:\n{}", rows.collect::<Vec<_>>().join("\n"))
    };
    if !hidden.is_empty() {
        let hidden = hidden.join(", ");
        content.push_str(&format!("\n\n({hidden})"));
        display.push_str(&format!(" ({hidden})"));
    }
    Reply {
        ok: true,
        llm_content: Some(content),
        return_display: Some(display),
        summary: Some(format!("Listed {count} items in directory")),
        entries: Some(entries),
        error: None,
        notice,
    }
}

/// The tool's input schema.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "description": "The directory, absolute and inside the project.",
            },
            "ignore": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Globs to leave out: `*`, `**`, `?`, `[abc]` and `{a,b}`.",
            },
            "file_filtering_options": {
                "type": "object",
                "description": "Which ignore files count.",
                "properties": {
                    "respect_git_ignore": {
                        "type": "boolean", "default": true,
                        "description": "Git's, inside a repository.",
                    },
                    "respect_sii_ignore": {
                        "type": "boolean", "default": true,
                        "description": "The project's .siiignore.",
                    },
                },
            },
        },
        "required": ["path"],
    })
}
