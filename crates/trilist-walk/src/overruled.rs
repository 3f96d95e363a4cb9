//! Rules that re-include a path which is left out all the same.

use trilist_core::{Cancel, ExplainedRule, Kind, ListError, Query, RelPath};
use trilist_root::Root;

use crate::walk::{Style, Walk};

/// The most rules that are named.
const MOST: usize = 3;

/// The rules that re-include `path`, which is relative to the listed directory and is left out:
/// so they have no effect. Either a stronger rule leaves it out, or it lies below a directory that
/// is left out, where nothing is looked at. At most 3, the strongest file's first; the ignore
/// files on the way are read, also in directories that the listing does not enter.
///
/// # Errors
///
/// When the caller has cancelled, or a glob of the request is no glob.
pub fn overruled(
    root: &Root,
    query: &Query,
    path: RelPath<'_>,
    kind: Kind,
    cancel: &Cancel,
) -> Result<Vec<ExplainedRule>, ListError> {
    let mut walk = Walk::prepare(root, query, Style::Rows, cancel)?;
    walk.enter_on_the_way(path.parent())?;
    let whole = query.base.join(path);
    let rules = walk.stack().reinclusions(whole.as_bytes(), kind == Kind::Dir);
    Ok(rules.iter().take(MOST).map(crate::rules::explained).collect())
}
