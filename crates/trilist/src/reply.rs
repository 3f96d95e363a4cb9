//! From a page's body to the reply.

use trilist_core::cursor::Cursor;
use trilist_core::pager::PageBody;
use trilist_core::stream::Streamed;
use trilist_core::tally::Tally;
use trilist_core::{
    Bound, Digest, Entry, ListRequest, MAX_DEPTH, Page, RelPathBuf, Seen, Summary, VcsInfo,
};

use crate::chat::Session;
use crate::resume;
use crate::roots::{Place, shown};

/// What a reply is about.
pub(crate) struct Subject<'a> {
    pub(crate) request: &'a ListRequest,
    /// The listed directory.
    pub(crate) place: &'a Place,
    /// The directory that paths of entries are relative to, relative to the root.
    pub(crate) top: &'a RelPathBuf,
    pub(crate) depth: u32,
    pub(crate) after: Option<RelPathBuf>,
    pub(crate) chat: Option<&'a Session>,
}

/// Names, cursors and digests around a page's body.
pub(crate) fn page(subject: &Subject<'_>, body: PageBody, rank: i128) -> Page {
    let returned = body.entries.len() as u64;
    told(subject, body, rank, returned)
}

/// The reply to a body after which so many entries are counted as returned.
fn told(subject: &Subject<'_>, body: PageBody, rank: i128, returned: u64) -> Page {
    let next_cursor = next_cursor(subject, &body, rank);
    // Without an entry, the same offset would meet the same bound again.
    let moves = body.next.is_some() && returned > 0;
    let next_offset = listed(&body).filter(|_| moves).map(|listed| listed + 1);
    let mut page = Page {
        root: root_text(subject),
        path: path_text(subject),
        mode: subject.request.mode,
        returned,
        total: body.total,
        at_least: body.at_least,
        complete: body.complete,
        truncated: body.truncated_by.is_some(),
        truncated_by: body.truncated_by,
        notices: notices(subject, &body, &next_cursor, next_offset),
        next_cursor,
        next_offset,
        not_reached: body.not_reached.iter().map(|dir| shown(dir.as_bytes())).collect(),
        omitted: body.tally.omitted(),
        warnings: body.tally.warnings().to_vec(),
        warnings_total: body.tally.warnings_total(),
        gaps: body.tally.gaps(),
        snapshot_id: String::new(),
        drifted: body.drifted,
        pinned: false,
        changes: None,
        chat: None,
        request: fixing(subject),
        summary: Summary::of(&body.entries),
        entries: body.entries,
        seen: body.seen,
        after: subject.after.clone(),
        uncounted: body.before.is_none(),
        depth: (subject.depth < MAX_DEPTH).then_some(subject.depth),
    };
    if let Some(chat) = subject.chat {
        chat.mark(&mut page);
    }
    page.snapshot_id = snapshot_id(subject, &mut page, b"");
    page
}

/// The reply of a stream whose entries have gone by.
pub(crate) fn streamed(subject: &Subject<'_>, streamed: Streamed) -> Page {
    let mut page = told(subject, streamed.body, 0, streamed.returned);
    page.summary = streamed.summary;
    page.snapshot_id = snapshot_id(subject, &mut page, &streamed.digest.to_bytes());
    page
}

/// The reply before anything was listed.
pub(crate) fn head(subject: &Subject<'_>) -> Page {
    let body = PageBody {
        entries: Vec::new(),
        before: Some(0),
        tally: Tally::default(),
        truncated_by: None,
        total: None,
        at_least: 0,
        complete: false,
        drifted: false,
        not_reached: Vec::new(),
        next: None,
        seen: Seen::default(),
    };
    page(subject, body, 0)
}

/// What fixes the listing, unless mode and path do.
fn fixing(subject: &Subject<'_>) -> Option<Box<ListRequest>> {
    let mut request = resume::fixed_part(subject.request, subject.place);
    (request.pin, request.since) = (false, None);
    let plain = ListRequest::new(request.mode, request.path.clone());
    (request != plain).then(|| Box::new(request))
}

/// Entries up to the page's end, if those before it were counted.
fn listed(body: &PageBody) -> Option<u64> {
    Some(body.before? + body.entries.len() as u64)
}

fn next_cursor(subject: &Subject<'_>, body: &PageBody, rank: i128) -> Option<String> {
    let (after, identity) = body.next.clone()?;
    let cursor = Cursor {
        request: resume::fixed_part(subject.request, subject.place),
        root: resume::place_digest(subject.place),
        ordinal: listed(body),
        after,
        bound: Bound::After,
        identity: Some(identity),
        rank,
    };
    cursor.encode()
}

fn notices(
    subject: &Subject<'_>,
    body: &PageBody,
    cursor: &Option<String>,
    offset: Option<u64>,
) -> Vec<String> {
    let mut notices = Vec::new();
    if let (None, Some(offset)) = (cursor, offset) {
        notices.push(format!("the last path is too long for a cursor; go on with offset {offset}"));
    }
    if body.before.is_none() {
        notices.push(
            "entries before this page were not counted, since its cursor came from explain"
                .to_owned(),
        );
    } else if subject.request.count && body.total.is_none() && !body.drifted {
        notices.push("the count was ended by the deadline or the scan cap".to_owned());
    }
    notices
}

/// The root, or for a whole repository its top.
pub(crate) fn root_text(subject: &Subject<'_>) -> String {
    let whole = RelPathBuf::default();
    crate::roots::absolute(
        &subject.place.root,
        if subject.request.subtree { &whole } else { subject.top },
    )
}

fn path_text(subject: &Subject<'_>) -> String {
    let path = if subject.request.subtree { &subject.place.path } else { &RelPathBuf::default() };
    if path.as_bytes().is_empty() { ".".to_owned() } else { shown(path.as_bytes()) }
}

/// Equal ids mean equal pages: it covers the request and the whole reply, and the entries that
/// went by before it in a stream.
fn snapshot_id(subject: &Subject<'_>, page: &mut Page, streamed: &[u8]) -> String {
    let mut digest = Digest::new();
    digest.add(&serde_json::to_vec(subject.request).unwrap_or_default());
    let entries = std::mem::take(&mut page.entries);
    digest.add(&serde_json::to_vec(page).unwrap_or_default());
    for entry in &entries {
        add_entry(entry, &mut digest);
    }
    page.entries = entries;
    digest.add(streamed).hex()
}

/// Everything that the reply tells of an entry.
fn add_entry(entry: &Entry, digest: &mut Digest) {
    if entry.is_bare_but_vcs() {
        let known = entry.vcs.map_or(0, |vcs| 1 << 63 | word(vcs));
        let told = u128::from(entry.depth) << 8 | entry.kind as u128;
        digest.add_u128(u128::from(known) << 64 | told).add(entry.path.as_bytes());
    } else {
        digest.add_u128(u128::MAX).add(&serde_json::to_vec(entry).unwrap_or_default());
    }
}

/// Everything that version control knows, in the lower half of a word.
fn word(vcs: VcsInfo) -> u64 {
    let VcsInfo { head, index, state, skip_worktree, executable, on_disk } = vcs;
    let flags = [head, index, skip_worktree, executable];
    let flags = flags.into_iter().fold(0, |word, flag| word << 1 | u64::from(flag));
    let on_disk = on_disk.map_or(0, |on_disk| 1 + on_disk as u64);
    flags << 16 | (state as u64) << 8 | on_disk
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use trilist_core::{Digest, Entry, EntryRef, Kind, OnDisk, RelPath, VcsInfo, VcsState};

    use super::add_entry;

    #[test]
    fn entries_that_differ_in_anything_have_other_ids() {
        let mut ids = HashSet::new();
        let mut tell = |kind, vcs| {
            let path = RelPath::assume(b"d/f");
            let entry = Entry { vcs, ..Entry::of(&EntryRef::new(path, kind)) };
            let mut digest = Digest::new();
            add_entry(&entry, &mut digest);
            assert!(ids.insert(digest.hex()), "{entry:?}");
        };
        let states = [VcsState::Tracked, VcsState::Added, VcsState::Deleted, VcsState::Conflicted];
        let on_disk = [OnDisk::Present, OnDisk::Absent, OnDisk::OtherKind, OnDisk::Unknown];
        let places: Vec<_> = on_disk.map(Some).into_iter().chain([None]).collect();
        for kind in Kind::ALL {
            tell(kind, None);
            for flags in 0..16 {
                let [head, index, skip_worktree, executable] =
                    [1, 2, 4, 8].map(|bit| flags & bit > 0);
                for state in states {
                    for on_disk in places.iter().copied() {
                        let vcs =
                            VcsInfo { head, index, state, skip_worktree, executable, on_disk };
                        tell(kind, Some(vcs));
                    }
                }
            }
        }
    }
}
