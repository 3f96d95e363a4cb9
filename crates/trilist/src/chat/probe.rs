//! Whether one file is in a listing, and why not: asked of the listing itself, started right before
//! the file, or right before a directory on the way to it.

use trilist_core::chat::ChatReason;
use trilist_core::{
    Cancel, Event, Events, IgnoredBy, Kind, ListError, Mode, Query, Reason, RelPathBuf, Skip,
};

use crate::lister::Job;
use crate::sources::Opened;

/// How a file stands in a listing.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// What the listing says that it is.
    pub(super) kind: Option<Kind>,
    /// Why it is not listed; `None` when it is.
    pub(super) reason: Option<ChatReason>,
    pub(super) rule: Option<IgnoredBy>,
}

impl Standing {
    fn because(reason: ChatReason) -> Standing {
        Standing { kind: None, reason: Some(reason), rule: None }
    }
}

/// Events that may come before the one that is looked for: faults on the way, mostly.
const MOST_EVENTS: usize = 64;

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
    if let Some(standing) = at(job, opened, path, true, cancel)? {
        return Ok(standing);
    }
    for slash in memchr::memchr_iter(b'/', path) {
        if let Some(standing) = at(job, opened, &path[..slash], false, cancel)? {
            return Ok(standing);
        }
    }
    Ok(Standing::because(match (on_disk, job.request.mode) {
        (None, _) => ChatReason::Absent,
        (Some(Kind::Dir), Mode::Files | Mode::Vcs) => ChatReason::Kind,
        (Some(_), Mode::Vcs) => ChatReason::Untracked,
        (Some(_), _) => ChatReason::Unknown,
    }))
}

/// What the listing says at `path`: of the file itself, or of a directory above it.
fn at(
    job: &Job,
    opened: &Opened,
    path: &[u8],
    is_file: bool,
    cancel: &Cancel,
) -> Result<Option<Standing>, ListError> {
    let query = Query {
        after: just_before(path),
        want: Some(MOST_EVENTS),
        metadata: false,
        identify: false,
        ..job.plan.query.clone()
    };
    let unknown = |error| match error {
        ListError::Cancelled => Err(ListError::Cancelled),
        _ => Ok(Some(Standing::because(ChatReason::Unknown))),
    };
    let mut events = match job.events_of(opened, &query, cancel) {
        Ok(events) => events,
        Err(error) => return unknown(error),
    };
    for _ in 0..MOST_EVENTS {
        match events.advance() {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return unknown(error),
        }
        let event = events.event();
        match event.path().as_bytes().cmp(path) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Greater => return Ok(None),
            std::cmp::Ordering::Equal => {
                if let Some(standing) = said(&event, is_file) {
                    return Ok(Some(standing));
                }
            }
        }
    }
    Ok(None)
}

fn said(event: &Event<'_>, is_file: bool) -> Option<Standing> {
    match event {
        Event::Entry(entry) if is_file => {
            Some(Standing { kind: Some(entry.kind), reason: None, rule: None })
        }
        Event::Entry(entry) => {
            let reason = match entry.skipped {
                Some(Skip::Builtin) => ChatReason::Builtin,
                Some(Skip::Protected) => ChatReason::Protected,
                Some(Skip::Depth) => ChatReason::Depth,
                Some(Skip::Mount | Skip::Loop) => ChatReason::NotEntered,
                None if entry.ignored_by.is_some() => ChatReason::Ignored,
                None if entry.kind != Kind::Dir => ChatReason::NotEntered,
                None => return None,
            };
            Some(Standing {
                rule: entry.ignored_by.map(IgnoredBy::of),
                ..Standing::because(reason)
            })
        }
        Event::Omitted(omission) => {
            let reason = match omission.reason {
                Reason::OutsideRoot => ChatReason::OutsideRoot,
                Reason::Protected => ChatReason::Protected,
                Reason::Hidden => ChatReason::Hidden,
                Reason::Ignored => ChatReason::Ignored,
                Reason::Builtin => ChatReason::Builtin,
                Reason::Subtree => ChatReason::OutsideListing,
                // A directory that is not shown itself is entered all the same.
                Reason::Kind | Reason::Pattern if !is_file => return None,
                Reason::Kind => ChatReason::Kind,
                Reason::Pattern => ChatReason::Pattern,
                Reason::Depth => ChatReason::Depth,
                Reason::Mount | Reason::Loop | Reason::Link => ChatReason::NotEntered,
                Reason::Untracked => ChatReason::Untracked,
                Reason::Absent => ChatReason::Absent,
                Reason::Empty | Reason::Unreadable | Reason::Unavailable | Reason::Unknown => {
                    ChatReason::Unknown
                }
            };
            let rule = omission.rule.map(IgnoredBy::of);
            let kind = is_file.then_some(omission.kind);
            Some(Standing { kind, reason: Some(reason), rule })
        }
        Event::Fault(fault) => fault.gap.then(|| Standing::because(ChatReason::Unknown)),
    }
}

/// A path that nothing on disk can stand behind and before `path`: it ends in a name that is longer
/// than any. `None` when there is none.
fn just_before(path: &[u8]) -> Option<RelPathBuf> {
    const LONGER_THAN_ANY: usize = 256;
    let (last, front) = path.split_last()?;
    let mut before = front.to_vec();
    match last - 1 {
        0 => {}
        b'/' if front.is_empty() || front.ends_with(b"/") => before.push(b'.'),
        less => before.push(less),
    }
    if before.len() == path.len() {
        before.extend(std::iter::repeat_n(0xff, LONGER_THAN_ANY));
    }
    RelPathBuf::new(before).ok()
}

#[cfg(test)]
mod tests {
    use super::just_before;

    #[test]
    fn nothing_that_can_be_on_disk_lies_between() {
        let names: [&[u8]; 12] = [
            b"a", b"0", b"/0", b"a0", b"a/0", b"a/b", b"a.", b"\x01", b"a\x01", b"a-b", b"a/\xff",
            b"b/..x",
        ];
        for path in names.iter().filter(|path| !path.starts_with(b"/")) {
            let Some(before) = just_before(path) else { continue };
            assert!(before.as_bytes() < *path, "{path:?}");
            let (last, front) = path.split_last().expect("no name is empty");
            // What is just smaller with usual names comes before it.
            let near = [front, &[last - 1], &[0xff; 255][..]].concat();
            if trilist_core::RelPath::new(&near).is_ok() {
                assert!(near.as_slice() < before.as_bytes(), "{path:?}");
            }
        }
    }
}
