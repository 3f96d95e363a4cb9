//! Whether one file is in a listing, and why not: asked of the listing itself, by a probe that goes
//! only to the file.

use trilist_core::{
    Cancel, Event, Events, IgnoredBy, Kind, ListError, Mode, Query, Reason, RelPathBuf,
};

use crate::lister::Job;
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

impl Standing {
    fn because(reason: Reason) -> Standing {
        Standing { kind: None, reason: Some(reason), rule: None }
    }
}

/// How the file at `path`, relative to the listed directory, stands.
///
/// # Errors
///
/// [`ListError::Cancelled`].
pub(super) fn standing(
    job: &Job,
    opened: &Opened,
    path: &[u8],
    on_disk: Option<Kind>,
    cancel: &Cancel,
) -> Result<Standing, ListError> {
    let said = cancel.check().and_then(|()| on_the_way(job, opened, path, cancel));
    Ok(match said {
        Ok(Some(standing)) => standing,
        Ok(None) => Standing::because(match (on_disk, job.request.mode) {
            (None, _) => Reason::Absent,
            (Some(Kind::Dir), Mode::Files | Mode::Vcs) => Reason::Kind,
            (Some(_), Mode::Vcs) => Reason::Untracked,
            (Some(_), _) => Reason::Unknown,
        }),
        Err(ListError::Cancelled) => return Err(ListError::Cancelled),
        Err(_) => Standing::because(Reason::Unknown),
    })
}

/// What the listing says of the file, or else of the deepest directory above it of which it says
/// something.
fn on_the_way(
    job: &Job,
    opened: &Opened,
    path: &[u8],
    cancel: &Cancel,
) -> Result<Option<Standing>, ListError> {
    let Ok(probe) = RelPathBuf::new(path) else { return Ok(None) };
    let query = Query {
        after: None,
        probe: Some(probe.clone()),
        want: Some(1),
        metadata: false,
        identify: false,
        ..job.plan.query.clone()
    };
    let mut events = job.events_of(opened, &query, cancel)?;
    let mut above = None;
    while events.advance()? {
        // Which directories are shown does not decide what is below them.
        let (selected, plain) = (events.event(), events.unselected());
        let at = selected.path();
        if at == probe.as_path() {
            if let Some(standing) = said(&selected, true) {
                return Ok(Some(standing));
            }
        } else if at.is_empty() || probe.as_path().below(at).is_some() {
            above = said(&plain, false).or(above);
        } else if matches!(selected, Event::Entry(_)) {
            // It is a directory with something in it.
            break;
        }
    }
    Ok(above)
}

fn said(event: &Event<'_>, is_file: bool) -> Option<Standing> {
    match event {
        Event::Entry(entry) if is_file => {
            Some(Standing { kind: Some(entry.kind), reason: None, rule: None })
        }
        Event::Entry(entry) => {
            let reason = match (entry.skipped, entry.kind) {
                (Some(skip), _) => Reason::from(skip),
                (None, _) if entry.ignored_by.is_some() => Reason::Ignored,
                (None, Kind::Dir) => return None,
                (None, Kind::Submodule) => Reason::Submodule,
                (None, Kind::Symlink) => Reason::Link,
                (None, Kind::File | Kind::Other) => Reason::Absent,
            };
            Some(Standing {
                rule: entry.ignored_by.map(IgnoredBy::of),
                ..Standing::because(reason)
            })
        }
        Event::Omitted(omission) => {
            // A directory that is not shown itself is entered all the same.
            if !is_file && matches!(omission.reason, Reason::Kind | Reason::Pattern) {
                return None;
            }
            let reason = omission.reason;
            let rule = omission.rule.map(IgnoredBy::of);
            let kind = is_file.then_some(omission.kind);
            Some(Standing { kind, reason: Some(reason), rule })
        }
        Event::Fault(fault) => fault.gap.then(|| Standing::because(Reason::Unknown)),
    }
}
