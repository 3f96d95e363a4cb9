//! Whether one file is in a listing, and why not: what an explanation of its path says.

use trilist_core::{Cancel, IgnoredBy, Kind, ListError, Mode, Reason, RelPathBuf};

use crate::explain::Verdict;
use crate::lister::{Job, Lister};
use crate::sources::Opened;

/// How a file stands in a listing.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// What the listing says that it is.
    pub(super) kind: Option<Kind>,
    /// Why it is not listed; `None` when it is.
    pub(super) reason: Option<Reason>,
    pub(super) rule: Option<IgnoredBy>,
}

/// How the file at `path`, relative to the listed directory, stands.
///
/// # Errors
///
/// [`ListError::Cancelled`].
pub(super) fn standing(
    lister: &Lister,
    (job, opened): (&Job, &Opened),
    path: &[u8],
    on_disk: Option<Kind>,
    cancel: &Cancel,
) -> Result<Standing, ListError> {
    let because = |reason| Standing { kind: None, reason: Some(reason), rule: None };
    let Ok(path) = RelPathBuf::new(path) else { return Ok(because(Reason::Absent)) };
    match cancel.check().and_then(|()| lister.verdict(job, opened, &path, cancel)) {
        Ok(verdict) => Ok(told(verdict, job.request.mode, on_disk)),
        Err(ListError::Cancelled) => Err(ListError::Cancelled),
        Err(_) => Ok(because(Reason::Unknown)),
    }
}

fn told(verdict: Verdict, mode: Mode, on_disk: Option<Kind>) -> Standing {
    let Verdict { standing, is_entry } = verdict;
    // A directory with entries below it is none itself in these modes. What has come in its place
    // on disk is unknown to version control.
    let is_start = standing.listed == Some(true) && !is_entry && mode != Mode::Fs;
    let is_replaced = on_disk.is_some_and(|kind| kind != Kind::Dir);
    let of_start = if is_replaced { Reason::Untracked } else { Reason::Kind };
    let rule = standing.rule.filter(|_| standing.reason.is_some());
    Standing {
        kind: standing.kind.filter(|_| !(is_start && is_replaced)),
        reason: standing.reason.or(is_start.then_some(of_start)),
        rule: rule.map(|rule| IgnoredBy {
            source: rule.source,
            line: rule.line,
            pattern: rule.pattern,
        }),
    }
}
