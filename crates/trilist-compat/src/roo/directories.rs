//! The directories, which the program finds without ripgrep.

use std::ops::ControlFlow;

use trilist::{Cancel, IgnorePolicy, Kind, ListError, ListRequest, Lister, PathArg};

use super::Args;
use super::names::{CRITICAL, first_parts};
use crate::faults::{Faults, rule_file};
use crate::node_ignore::{As, NodeIgnore};
use crate::read::{self, Detail};
use crate::{node_path, text};

/// The `.gitignore` files from the listed directory upwards, as one flat list that counts from the
/// listed directory, whatever directory they stand in.
pub(super) fn rules(args: &Args, lister: &Lister, faults: &mut Faults) -> NodeIgnore {
    let mut contents = Vec::new();
    let mut dir = args.dir();
    while dir != "/" {
        if let Err(ListError::OutsideRoot { .. }) = lister.look(&PathArg::from(dir.as_str())) {
            break;
        }
        let file = rule_file(&dir, ".gitignore");
        contents.extend(faults.rules(lister, &file, &rules_name(args, &dir)));
        dir = node_path::resolve(&dir, "..");
    }
    let mut rules = NodeIgnore::default();
    for content in contents.iter().rev() {
        rules.add(b"", content);
    }
    rules.add(b"", b".gitignore");
    rules
}

/// How the engine names the `.gitignore` of a directory: from the listed one, or from the
/// workspace where it lies above.
fn rules_name(args: &Args, dir: &str) -> String {
    let from = if dir == args.dir() { dir } else { &args.workspace };
    node_path::relative(from, &node_path::resolve(dir, ".gitignore"))
}

/// Directories below the listed one, at most `limit`, with a slash at the end.
pub(super) fn directories(
    args: &Args,
    lister: &Lister,
    cancel: &Cancel,
    rules: &NodeIgnore,
    limit: usize,
    faults: &mut Faults,
) -> Result<Vec<String>, ListError> {
    let in_hidden = node_path::basename(&args.dir()).starts_with('.');
    let request = request(args, args.recursive, in_hidden);
    let mut found = Vec::new();
    if limit == 0 {
        return Ok(found);
    }
    let page = read::each(lister, &request, cancel, &mut |entry| {
        if !is_ignored(rules, entry.path.as_bytes()) {
            found.push(format!("{}/", text::lossy(entry.path.as_bytes())));
        }
        if found.len() >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match page {
        Ok(page) => faults.page(&page),
        Err(ListError::Cancelled) => return Err(ListError::Cancelled),
        Err(error) => faults.say(error.to_string()),
    }
    Ok(found)
}

/// The listed directory's own directories, whatever the cap.
pub(super) fn first_level(
    args: &Args,
    lister: &Lister,
    cancel: &Cancel,
    rules: &NodeIgnore,
) -> Result<Vec<String>, ListError> {
    let mut found = Vec::new();
    let done = read::each(lister, &request(args, false, false), cancel, &mut |entry| {
        if !is_ignored(rules, entry.path.as_bytes()) {
            found.push(format!("{}/", text::lossy(entry.path.as_bytes())));
        }
        let full = found.len() >= read::MOST_ENTRIES;
        if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match done {
        Err(ListError::Cancelled) => Err(ListError::Cancelled),
        _ => Ok(found),
    }
}

fn request(args: &Args, recursive: bool, in_hidden: bool) -> ListRequest {
    let mut patterns: Vec<String> = if in_hidden {
        CRITICAL.iter().map(|name| format!("{name}/")).collect()
    } else {
        first_parts().map(|name| format!("{name}/")).collect()
    };
    if !in_hidden {
        // A hidden directory is shown and not entered.
        patterns.push("**/.*/**".to_owned());
    }
    let tree = read::tree(args.dir().as_bytes(), Detail::Names);
    ListRequest {
        depth: if recursive { tree.depth } else { Some(1) },
        kinds: Some(vec![Kind::Dir]),
        ignore: IgnorePolicy { patterns, ..IgnorePolicy::none() },
        ..tree
    }
}

/// Judged as a file and as a directory.
fn is_ignored(rules: &NodeIgnore, path: &[u8]) -> bool {
    let posix: Vec<u8> =
        path.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
    rules.ignores(&posix, As::File) || rules.ignores(&posix, As::Dir)
}
