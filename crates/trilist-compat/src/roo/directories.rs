//! The directories, which the program finds without ripgrep.

use std::ops::ControlFlow;

use trilist::{Cancel, IgnorePolicy, Kind, ListError, ListRequest, Lister, PathArg};

use super::Args;
use super::names::{CRITICAL, first_parts};
use crate::node_ignore::{As, NodeIgnore};
use crate::read::{self, Detail, joined};
use crate::{node_path, text};

/// The longest ignore file, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The `.gitignore` files from the listed directory upwards, as one flat list that counts from the
/// listed directory, whatever directory they stand in.
pub(super) fn rules(args: &Args, lister: &Lister) -> NodeIgnore {
    let mut contents = Vec::new();
    let mut dir = args.dir();
    while dir != "/" {
        let file = joined(dir.as_bytes(), b".gitignore");
        match lister.read(&PathArg::from(file), MOST_BYTES) {
            Ok(content) => contents.push(content),
            Err(ListError::OutsideRoot { .. }) => break,
            Err(_) => {}
        }
        dir = node_path::resolve(&dir, "..");
    }
    let mut rules = NodeIgnore::default();
    for content in contents.iter().rev() {
        rules.add(b"", content);
    }
    rules.add(b"", b".gitignore");
    rules
}

/// Directories below the listed one, at most `limit`, with a slash at the end.
pub(super) fn directories(
    args: &Args,
    lister: &Lister,
    cancel: &Cancel,
    rules: &NodeIgnore,
    limit: usize,
    notice: &mut Vec<String>,
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
        Ok(page) => notice.extend(text::faults(&page)),
        Err(ListError::Cancelled) => return Err(ListError::Cancelled),
        Err(error) => notice.push(error.to_string()),
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
