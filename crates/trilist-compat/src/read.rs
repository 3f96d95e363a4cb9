//! Asking the engine: one directory's children, or everything below it.

use std::ops::ControlFlow;
use std::time::Duration;

use trilist::{
    Cancel, EntryRef, IgnorePolicy, ListError, ListRequest, Lister, MAX_DEPTH, Mode, Page, Sort,
    StreamItem,
};

/// The longest that one call reads, whatever its contract says; then it answers with what it has
/// and says so in its notice.
pub(crate) const LONGEST: Duration = Duration::from_secs(10);

/// The most entries that one reply holds; what a model asks for is no bound.
pub(crate) const MOST_ENTRIES: usize = 1_000_000;

/// What is read of each entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Name and kind.
    Names,
    /// Size, time, permissions and link target as well.
    Metadata,
}

/// The children of a directory, hidden ones included and no rule in force.
pub(crate) fn children(path: &[u8], detail: Detail) -> ListRequest {
    ListRequest { depth: Some(1), ..tree(path, detail) }
}

/// Everything below a directory, hidden names included and no rule in force.
pub(crate) fn tree(path: &[u8], detail: Detail) -> ListRequest {
    ListRequest {
        mode: Mode::Fs,
        path: path.to_vec().into(),
        depth: Some(MAX_DEPTH),
        limit: None,
        offset: None,
        cursor: None,
        count: false,
        include_hidden: Some(true),
        follow_symlinks: false,
        same_filesystem: false,
        ignore: IgnorePolicy::none(),
        kinds: None,
        pattern: Vec::new(),
        sort: Sort::Path,
        reverse: false,
        subtree: true,
        metadata: detail == Detail::Metadata,
        max_bytes: None,
        deadline_ms: None,
        pin: false,
        snapshot: None,
        since: None,
        view: None,
    }
}

/// Gives every entry to `each`. The page that is returned has no entries: it tells what was left
/// out and what went wrong.
///
/// # Errors
///
/// As a listing.
pub(crate) fn each(
    lister: &Lister,
    request: &ListRequest,
    cancel: &Cancel,
    each: &mut dyn FnMut(&EntryRef<'_>) -> ControlFlow<()>,
) -> Result<Page, ListError> {
    lister.stream(request, cancel, &mut |item| match item {
        StreamItem::Head(_) => ControlFlow::Continue(()),
        StreamItem::Entry(entry) => each(entry),
    })
}

/// The error of a call's globs in the call's own terms: they stand first in the list, `asked` of
/// them, and behind them those that the program adds.
pub(crate) fn of_ignore(error: ListError, asked: usize) -> ListError {
    match error {
        ListError::InvalidArgument { field, given, expected } if field == "ignore.patterns" => {
            let field = "ignore".to_owned();
            let count = given.strip_suffix(" globs").and_then(|count| count.parse().ok());
            let given = match count.map(|count: usize| count.saturating_sub(asked)) {
                Some(more) if more > 0 => format!("{asked} globs beside {more} of its own"),
                _ => given,
            };
            ListError::InvalidArgument { field, given, expected }
        }
        other => other,
    }
}

/// A directory and a name in it.
pub(crate) fn joined(dir: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = dir.to_vec();
    if !dir.is_empty() && dir.last() != Some(&b'/') {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}
