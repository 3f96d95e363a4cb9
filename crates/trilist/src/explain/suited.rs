//! One request for all modes: each mode gets what has a meaning in it.

use trilist_core::{IgnorePolicy, Kind, ListRequest, Mode, Show};

/// The request for a mode, and notes on the options that were left out.
pub(crate) fn suited(request: &ListRequest, mode: Mode) -> (ListRequest, Vec<String>) {
    let mut suited = ListRequest {
        mode,
        limit: Some(1),
        offset: None,
        count: false,
        view: None,
        max_bytes: None,
        metadata: false,
        pin: false,
        since: None,
        ..request.clone()
    };
    let left_out = match mode {
        Mode::Vcs => without_disk(&mut suited),
        Mode::Fs | Mode::Files => without_repository(&mut suited),
    };
    let mut notes: Vec<String> = left_out
        .iter()
        .map(|option| format!("`{option}` has no meaning in mode `{mode}` and is left out there"))
        .collect();
    notes.extend(without_kinds(&mut suited));
    (suited, notes)
}

/// What concerns the disk has no meaning for tracked names.
fn without_disk(request: &mut ListRequest) -> Vec<&'static str> {
    let ignore = &mut request.ignore;
    let switches = [
        (std::mem::take(&mut request.follow_symlinks), "follow_symlinks"),
        (std::mem::take(&mut request.same_filesystem), "same_filesystem"),
        (ignore.builtin.take() == Some(true), "ignore.builtin"),
        (ignore.git.take() == Some(true), "ignore.git"),
        (ignore.dot_ignore.take() == Some(true), "ignore.dot_ignore"),
        (ignore.show.take() == Some(Show::Mark), "ignore.show"),
    ];
    switches.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect()
}

/// What concerns a repository has no meaning for what is on disk.
fn without_repository(request: &mut ListRequest) -> Vec<&'static str> {
    let whole = !std::mem::replace(&mut request.subtree, true);
    let IgnorePolicy { aiderignore, .. } = &mut request.ignore;
    let files = !std::mem::take(aiderignore).is_empty();
    let options = [(whole, "subtree"), (files, "ignore.aiderignore")];
    options.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect()
}

/// Directories are no entries outside mode `fs`, and only `vcs` knows submodules. Where only such
/// were asked for, the listing is refused.
fn without_kinds(request: &mut ListRequest) -> Vec<String> {
    let mode = request.mode;
    let is_absent = |kind: Kind| match kind {
        Kind::Dir => mode != Mode::Fs,
        Kind::Submodule => mode != Mode::Vcs,
        _ => false,
    };
    let Some(kinds) = &mut request.kinds else { return Vec::new() };
    let (absent, others): (Vec<Kind>, Vec<Kind>) = kinds.iter().partition(|kind| is_absent(**kind));
    if others.is_empty() {
        return Vec::new();
    }
    *kinds = others;
    let note = |kind: Kind| {
        format!("kind `{}` has no meaning in mode `{mode}` and is left out there", kind.name())
    };
    absent.into_iter().map(note).collect()
}
