//! Listings that are taken once and kept: pages from them, and what has changed since.

use std::sync::Arc;

use trilist_core::cursor::Cursor;
use trilist_core::pager::{Budget, PageBody, Resumed};
use trilist_core::since::{Changes, Difference};
use trilist_core::snapshot::{HeldPaging, Snapshot, Taken, Taker, Taking};
use trilist_core::{
    Cancel, Digest, Entry, Events, Identity, ListError, ListRequest, Page, PathArg, TruncatedBy,
};

use crate::approval::Asking;
use crate::chat::Session;
use crate::earlier::Earlier;
use crate::fit::fitting;
use crate::host::HostSide;
use crate::lister::{Job, Lister, NOT_REACHED};
use crate::pins::Pinned;
use crate::plan::{Extent, Plan};
use crate::reply::{self, Subject};
use crate::roots::Place;
use crate::sources::Opened;
use crate::{render, resume};

/// What a listing is compared with.
struct Base<'a> {
    id: String,
    snapshot: &'a Snapshot,
    state: Option<Identity>,
}

impl Lister {
    /// The page of a request that pins, reads from a pinned listing, or compares with one; `None`
    /// for every other request.
    ///
    /// # Errors
    ///
    /// As [`Lister::list`].
    pub(crate) fn held(
        &self,
        request: &ListRequest,
        host: &HostSide,
        cancel: &Cancel,
        asking: &Asking<'_>,
    ) -> Result<Option<Page>, ListError> {
        let cursor = request.cursor.as_deref().map(Cursor::decode).transpose()?;
        let continued = cursor.as_ref().map(|cursor| &cursor.request);
        let since = request.since.as_ref().or(continued.and_then(|first| first.since.as_ref()));
        let since = since.cloned();
        if let (Some(_), Some(since)) = (&request.snapshot, &request.since) {
            let expected = "the contents of a kept listing do not change; give one of `snapshot` \
                            and `since`";
            return Err(ListError::invalid("since", since, expected));
        }
        if request.snapshot.is_some() || continued.is_some_and(|first| first.pin) {
            return self.page_of_pinned(request, cursor.as_ref(), host, asking).map(Some);
        }
        if let Some(earlier) = &host.earlier {
            return self.since_reply((request, cursor), earlier, host, cancel, asking).map(Some);
        }
        if let Some(since) = since {
            return self.since_pinned((request, cursor), &since, host, cancel, asking).map(Some);
        }
        match (request.pin, &cursor) {
            (false, _) => Ok(None),
            (true, None) => self.pin(request, host, cancel, asking),
            (true, Some(_)) => {
                let expected = "a listing is pinned from its beginning, without a cursor";
                Err(ListError::invalid("pin", "true", expected))
            }
        }
    }

    /// Takes the listing and keeps it. None when it is too large: then it is listed as without
    /// `pin`.
    fn pin(
        &self,
        request: &ListRequest,
        host: &HostSide,
        cancel: &Cancel,
        asking: &Asking<'_>,
    ) -> Result<Option<Page>, ListError> {
        let job = self.job(request, Extent::Held, asking)?;
        let cancel = job.cancel(cancel);
        let opened = self.source(&job)?;
        let mut events = job.events(&opened, &cancel)?;
        let taken = Snapshot::take(&mut events, job.taking(self))?;
        drop(events);
        let snapshot = match taken {
            Taken::Whole(snapshot) => *snapshot,
            Taken::Stopped(TruncatedBy::Deadline) => return Err(ListError::Timeout),
            Taken::TooLarge | Taken::Stopped(_) => return Ok(None),
        };
        let pinned = self.keep(&job, &opened, snapshot);
        let chat = self.session(host, &job, &opened, &cancel)?;
        page_of(&pinned, &job.request, &job.plan, None, chat.as_ref()).map(Some)
    }

    fn keep(&self, job: &Job, opened: &Opened, snapshot: Snapshot) -> Arc<Pinned> {
        let mut request = resume::fixed_part(&job.request, &job.place);
        (request.pin, request.since) = (true, None);
        let id = Digest::new()
            .add(b"pinned")
            .add(job.place.root.path())
            .add(&serde_json::to_vec(&request).unwrap_or_default())
            .add(&[u8::from(snapshot.has_metadata())])
            .add(&snapshot.digest().to_bytes())
            .identity();
        let pinned = Arc::new(Pinned {
            id,
            request,
            place: job.place.clone(),
            top: opened.top.clone(),
            depth: job.plan.query.depth,
            state: snapshot.whole().map(|whole| job.state(whole)),
            snapshot,
            notices: opened.notices().chain(job.notices.iter().cloned()).collect(),
        });
        self.pins().keep(Arc::clone(&pinned), self.policy());
        pinned
    }

    /// A page of a listing that was pinned before.
    fn page_of_pinned(
        &self,
        request: &ListRequest,
        cursor: Option<&Cursor>,
        host: &HostSide,
        asking: &Asking<'_>,
    ) -> Result<Page, ListError> {
        let by_cursor =
            cursor.filter(|cursor| cursor.request.pin).and_then(|cursor| cursor.identity);
        let by_name = match &request.snapshot {
            Some(name) => Some(snapshot_id("snapshot", name)?),
            None => None,
        };
        if cursor.is_some() && by_name.is_some() && by_name != by_cursor {
            let reason = "`snapshot` names another listing than it continues".to_owned();
            return Err(ListError::InvalidCursor { reason });
        }
        let id = by_name.or(by_cursor).unwrap_or_default();
        let pinned = self.pinned(id)?;
        let merged = resume::merge(request, &pinned.request, self.policy())
            .map_err(|field| disagrees("snapshot", &field))?;
        let place = &pinned.place;
        if place.is_outside {
            // It was read with the host's approval, which holds for good or for that call alone.
            self.locate(&ListRequest { path: place.whole().into(), ..merged.clone() }, asking)?;
        }
        if !self.is_at(request, &merged, place, asking)? {
            return Err(disagrees("snapshot", "path"));
        }
        self.approve(&merged, place, asking)?;
        let plan = crate::plan::plan(&merged, None, Extent::Held, &self.policy().clone().into())?;
        let top = if merged.subtree { &place.path } else { &pinned.top };
        let chat = self.found(host, place.root.path(), top)?;
        page_of(&pinned, &merged, &plan, cursor, chat.as_ref())
    }

    fn pinned(&self, id: Identity) -> Result<Arc<Pinned>, ListError> {
        self.pins().find(id).ok_or_else(|| ListError::SnapshotExpired { id: id.hex() })
    }

    /// What has changed since a pinned listing.
    fn since_pinned(
        &self,
        (request, cursor): (&ListRequest, Option<Cursor>),
        since: &str,
        host: &HostSide,
        cancel: &Cancel,
        asking: &Asking<'_>,
    ) -> Result<Page, ListError> {
        let pinned = self.pinned(snapshot_id("since", since)?)?;
        let id = pinned.id.hex();
        let whole = ListRequest { pin: false, since: Some(id.clone()), ..pinned.request.clone() };
        let place = pinned.place.whole().into();
        let job = self.again(request, whole, place, cursor, asking)?;
        let base = Base { id, snapshot: &pinned.snapshot, state: pinned.state };
        self.changed_since(job, &base, host, cancel)
    }

    /// What has changed since an earlier reply.
    fn since_reply(
        &self,
        (request, cursor): (&ListRequest, Option<Cursor>),
        earlier: &Earlier,
        host: &HostSide,
        cancel: &Cancel,
        asking: &Asking<'_>,
    ) -> Result<Page, ListError> {
        let whole = ListRequest { since: Some(earlier.id.clone()), ..earlier.request.clone() };
        let job = self.again(request, whole, request.path.clone(), cursor, asking)?;
        let base = Base { id: earlier.id.clone(), snapshot: &earlier.snapshot, state: None };
        let page = self.changed_since(job, &base, host, cancel)?;
        if (page.root.as_str(), page.path.as_str()) != earlier.place() {
            let (root, path) = earlier.place();
            let given = format!("a reply about `{path}` in {root}");
            let expected = format!("this one is about `{}` in {}", page.path, page.root);
            return Err(ListError::invalid("since", given, expected));
        }
        Ok(page)
    }

    /// The listing that is made again, to be compared, at `place` or where the cursor was.
    fn again(
        &self,
        request: &ListRequest,
        whole: ListRequest,
        place: PathArg,
        cursor: Option<Cursor>,
        asking: &Asking<'_>,
    ) -> Result<Job, ListError> {
        let (merged, place) = match &cursor {
            Some(cursor) if cursor.request.since != whole.since => {
                let reason = "it continues a comparison with another listing".to_owned();
                return Err(ListError::InvalidCursor { reason });
            }
            Some(cursor) => self.continued(request, cursor, asking)?,
            None => {
                let merged = resume::merge(request, &whole, self.policy())
                    .map_err(|field| disagrees("since", &field))?;
                let whole = ListRequest { path: place, ..merged.clone() };
                let located = self.locate(&whole, asking)?;
                if !self.is_at(request, &merged, &located, asking)? {
                    return Err(disagrees("since", "path"));
                }
                (merged, located)
            }
        };
        let request = ListRequest { pin: request.pin, ..merged };
        self.job_at(request, place, cursor, Extent::Held, asking)
    }

    /// Whether the path of a request, if it has one, means a place.
    fn is_at(
        &self,
        request: &ListRequest,
        merged: &ListRequest,
        place: &Place,
        asking: &Asking<'_>,
    ) -> Result<bool, ListError> {
        if request.path == PathArg::default() {
            return Ok(true);
        }
        let asked = ListRequest { path: request.path.clone(), ..merged.clone() };
        Ok(self.locate(&asked, asking)?.whole() == place.whole())
    }

    fn changed_since(
        &self,
        mut job: Job,
        base: &Base<'_>,
        host: &HostSide,
        cancel: &Cancel,
    ) -> Result<Page, ListError> {
        job.plan.query.metadata |= base.snapshot.has_metadata();
        let job = &job;
        let cancel = job.cancel(cancel);
        let opened = self.source(job)?;
        let mut events = job.events(&opened, &cancel)?;
        let is_same = events.identity_is_whole()
            && base.state.is_some_and(|state| state == job.state(events.seen().identity));
        let mut kept = None;
        let difference = if is_same {
            if job.request.pin {
                kept = snapshot_id("since", &base.id).ok();
            }
            Difference::unchanged(events.seen())
        } else if job.request.pin {
            let mut taker = Taker::watching(&mut events, job.taking(self));
            let difference =
                Difference::of(base.snapshot, &mut taker, self.policy().max_snapshot_bytes)?;
            if let Taken::Whole(snapshot) = taker.finish()? {
                kept = Some(self.keep(job, &opened, *snapshot).id);
            }
            difference
        } else {
            Difference::of(base.snapshot, &mut events, self.policy().max_snapshot_bytes)?
        };
        drop(events);
        let changes = difference.changes(&base.id, base.snapshot);
        let chat = self.session(host, job, &opened, &cancel)?;
        let subject = Subject { chat: chat.as_ref(), ..job.subject(&opened.top) };
        fitting(&job.request, job.plan.max_bytes, &mut |bytes| {
            let body = difference_page(job, &difference, bytes)?;
            let mut page = reply::page(&subject, body, 0);
            changed(&mut page, changes.clone());
            page.notices.extend(opened.notices().chain(job.notices.iter().cloned()));
            if let Some(id) = kept {
                (page.snapshot_id, page.pinned) = (id.hex(), true);
            } else if job.request.pin {
                page.notices.push(NOT_PINNED.to_owned());
            }
            Ok(page)
        })
    }
}

/// Said where `pin` was asked for and cannot be had.
pub(crate) const NOT_PINNED: &str = "not pinned: the listing is larger than what the host keeps";

fn difference_page(
    job: &Job,
    difference: &Difference,
    bytes: Option<usize>,
) -> Result<PageBody, ListError> {
    let mut cost = |entry: &Entry| render::cost(entry);
    let paging = HeldPaging {
        before: job.plan.skip,
        limit: job.plan.limit,
        budget: bytes.map(|bytes| Budget { bytes, cost: &mut cost }),
        not_reached: 0,
        metadata: job.request.metadata,
    };
    let resumed = job.cursor.as_ref().map(|cursor| {
        let resumed = Resumed { ordinal: cursor.ordinal, identity: cursor.identity };
        (resumed, &cursor.after)
    });
    difference.page(paging, resumed)
}

/// Adds the changes to a page, which is complete only if they are.
fn changed(page: &mut Page, changes: Changes) {
    if let Some(chat) = &mut page.chat {
        // Only changes are listed.
        chat.repo.count = None;
    }
    page.complete &= changes.unknown == 0 && changes.from.is_none() && changes.through.is_none();
    page.changes = Some(changes);
}

/// A page of a pinned listing; behind a cursor, or the entries that the request passes over.
fn page_of(
    pinned: &Pinned,
    request: &ListRequest,
    plan: &Plan,
    cursor: Option<&Cursor>,
    chat: Option<&Session>,
) -> Result<Page, ListError> {
    if request.metadata && !pinned.snapshot.has_metadata() {
        let expected = "the listing was pinned without it; pin it again with `metadata`";
        return Err(ListError::invalid("metadata", "true", expected));
    }
    let before = match cursor {
        None => plan.skip,
        Some(cursor) => {
            let place = pinned.snapshot.place_of(cursor.after.as_path());
            let reason = || "its path is not in the listing that it continues".to_owned();
            place.ok_or_else(|| ListError::InvalidCursor { reason: reason() })? + 1
        }
    };
    let subject = Subject {
        request,
        place: &pinned.place,
        top: &pinned.top,
        depth: pinned.depth,
        after: cursor.map(|cursor| cursor.after.clone()),
        chat,
    };
    fitting(request, plan.max_bytes, &mut |bytes| {
        let mut cost = |entry: &Entry| render::cost(entry);
        let mut body = pinned.snapshot.page(HeldPaging {
            before,
            limit: plan.limit,
            budget: bytes.map(|bytes| Budget { bytes, cost: &mut cost }),
            not_reached: NOT_REACHED,
            metadata: request.metadata,
        })?;
        if let Some((_, identity)) = &mut body.next {
            *identity = pinned.id;
        }
        let mut page = reply::page(&subject, body, 0);
        page.notices.extend_from_slice(&pinned.notices);
        (page.snapshot_id, page.pinned) = (pinned.id.hex(), true);
        Ok(page)
    })
}

/// An id as replies give it.
fn snapshot_id(field: &str, text: &str) -> Result<Identity, ListError> {
    let expected = "give the `snapshot_id` of a pinned listing, 32 hexadecimal digits";
    Identity::from_hex(text).ok_or_else(|| ListError::invalid(field, format!("`{text}`"), expected))
}

fn disagrees(with: &str, field: &str) -> ListError {
    let expected = format!("leave it out, or give what the listing has that `{with}` names");
    ListError::invalid(field, "another value", expected)
}

impl Job {
    fn taking(&self, lister: &Lister) -> Taking {
        Taking {
            order: self.plan.order,
            most_bytes: lister.policy().max_snapshot_bytes,
            metadata: self.request.metadata,
        }
    }

    /// What tells that a listing is unchanged: what was read for it, and what was asked of it.
    fn state(&self, whole: Identity) -> Identity {
        let asked =
            format!("{:?} {:?} {:?}", self.plan.query, self.plan.kinds, self.request.pattern);
        Digest::new().add(&whole.to_bytes()).add(asked.as_bytes()).identity()
    }
}
