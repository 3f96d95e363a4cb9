//! The one entry point of a host.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trilist_core::cursor::Cursor;
use trilist_core::pager::{self, Budget, PageBody, Paging, Resumed, SoFar};
use trilist_core::sorted::{self, SortedPaging, SortedResume};
use trilist_core::{
    Bound, Cancel, Entry, EntryRef, Events, ListError, ListRequest, Matches, Page, Query, RelPath,
    RelPathBuf, Selected, stream,
};

use crate::Policy;
use crate::approval::{Approvals, Approver, Asking};
use crate::chat::Session;
use crate::config::{self, Terms};
use crate::fit::fitting;
use crate::gate::Gate;
use crate::host::HostSide;
use crate::ignoring::read_excludes;
use crate::in_time::Turns;
use crate::pinned::NOT_PINNED;
use crate::pins::Pins;
use crate::plan::{Extent, Plan, plan};
use crate::render;
use crate::reply::{self, Subject};
use crate::roots::{Place, Slot};
use crate::sources::{self, Opened};

/// How many directories a cut first page names as not reached.
pub(crate) const NOT_REACHED: usize = 50;

/// Lists directories beneath the roots that a host has named.
///
/// Between calls it holds its opened roots and, for mode `vcs`, what cannot have changed: objects,
/// and what was found in an index or an ignore file that is still the same (see
/// `trilist_vcs::Memory` for the bounds). It may be shared by threads.
///
/// ```
/// use trilist::{Cancel, Lister, ListRequest, Mode, Policy};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("trilist-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(folder.join("src"))?;
/// # std::fs::write(folder.join("src/main.rs"), "")?;
/// let lister = Lister::open(&[&folder], Policy::default())?;
/// let page = lister.list(&ListRequest::new(Mode::Fs, "."), &Cancel::new())?;
/// let paths: Vec<&str> = page.entries.iter().map(|entry| entry.path.as_str()).collect();
/// assert_eq!(paths, ["src", "src/main.rs"]);
/// assert!(page.complete);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
pub struct Lister {
    roots: Vec<Slot>,
    policy: Policy,
    gate: Gate,
    memory: sources::Memory,
    pins: Pins,
    turns: Turns,
    approvals: Approvals,
}

/// What [`Lister::stream`] gives, one after another.
pub enum StreamItem<'a> {
    /// The reply before its entries: root, path, mode and depth are there, counts are not yet.
    Head(&'a Page),
    /// The next entry.
    Entry(&'a EntryRef<'a>),
}

/// Why a lister could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No root was given.
    #[error("no root was given")]
    NoRoot,
    /// None of the roots can be opened; the first one's reason.
    #[error("no root can be opened: `{}`", .path.display())]
    NoneUsable {
        /// The first root.
        path: PathBuf,
        /// What the system says of it.
        #[source]
        error: std::io::Error,
    },
    /// A pattern or name of the policy cannot be used.
    #[error("the policy's `{field}` cannot be used: {reason}")]
    Policy {
        /// The field of [`Policy`].
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A root is not an absolute path.
    #[error("the root `{}` is not an absolute path", .path.display())]
    Relative {
        /// The root.
        path: PathBuf,
    },
}

/// A root as configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootInfo {
    /// The path as configured.
    pub path: PathBuf,
    /// Whether it can be listed now: a directory is there, and its path leads where it led first.
    pub available: bool,
}

impl Lister {
    /// Opens the roots. A root that is missing, now or later, is tried again at each call.
    ///
    /// Where a root leads is settled when it is first opened: links in its path are followed then,
    /// and the canonical path is kept. A directory that comes into its place later is served if it
    /// stands at that canonical path, with no link on the way. When the root's path leads anywhere
    /// else (a link has come into it, or one was pointed elsewhere), the root is unavailable until
    /// it leads back: whoever may write beside a root cannot choose what is listed.
    ///
    /// # Errors
    ///
    /// When a root is not absolute, none can be opened, or the policy has a pattern that is none.
    pub fn open<P: AsRef<Path>>(roots: &[P], policy: Policy) -> Result<Lister, OpenError> {
        let paths = roots.iter().map(|path| path.as_ref().to_path_buf());
        let roots: Vec<Slot> = paths.map(Slot::new).collect();
        if let Some(relative) = roots.iter().find(|slot| slot.path().is_relative()) {
            return Err(OpenError::Relative { path: relative.path().to_path_buf() });
        }
        let first = roots.first().ok_or(OpenError::NoRoot)?;
        let errors: Vec<_> = roots.iter().filter_map(|slot| slot.open().err()).collect();
        if errors.len() == roots.len() {
            let path = first.path().to_path_buf();
            let error = errors.into_iter().next().ok_or(OpenError::NoRoot)?;
            return Err(OpenError::NoneUsable { path, error });
        }
        let gate = Gate::new(&policy)?;
        let (memory, pins) = (sources::Memory::default(), Pins::default());
        let approvals = Approvals::default();
        Ok(Lister { roots, policy, gate, memory, pins, turns: Turns::default(), approvals })
    }

    /// The same, with a host to ask where the policy says [`crate::Permission::Ask`]. Answers that
    /// were given for good are forgotten.
    #[must_use]
    pub fn with_approver(self, approver: Arc<dyn Approver>) -> Lister {
        Lister { approvals: Approvals::of(approver), ..self }
    }

    /// The roots, in the order in which they were given.
    pub fn roots(&self) -> Vec<RootInfo> {
        let info = |slot: &Slot| RootInfo {
            path: slot.path().to_path_buf(),
            available: slot.current().is_ok(),
        };
        self.roots.iter().map(info).collect()
    }

    /// One page.
    ///
    /// The deadline is looked at between two reads, so a file system that does not answer keeps
    /// this call, and its thread, waiting. A host that must not wait calls [`Lister::list_in_time`].
    ///
    /// # Errors
    ///
    /// See [`ListError`]; what goes wrong with single entries is in the page's warnings.
    pub fn list(&self, request: &ListRequest, cancel: &Cancel) -> Result<Page, ListError> {
        self.list_for(request, &HostSide::default(), cancel)
    }

    /// One page, with what only a host gives.
    ///
    /// # Errors
    ///
    /// As [`Lister::list`].
    pub fn list_for(
        &self,
        request: &ListRequest,
        host: &HostSide,
        cancel: &Cancel,
    ) -> Result<Page, ListError> {
        self.list_asking(request, host, cancel, &Asking::new(cancel))
    }

    /// One page, with what was asked for it already.
    pub(crate) fn list_asking(
        &self,
        request: &ListRequest,
        host: &HostSide,
        cancel: &Cancel,
        asking: &Asking<'_>,
    ) -> Result<Page, ListError> {
        if let Some(page) = self.held(request, host, cancel, asking)? {
            return Ok(page);
        }
        // What could not be pinned goes on as any listing does.
        let unpinned = ListRequest { pin: false, ..request.clone() };
        let job = Arc::new(self.job(&unpinned, Extent::Page, asking)?);
        let cancel = job.cancel(cancel);
        let opened = self.source(&job)?;
        let chat = self.session(host, &job, &opened, &cancel)?.map(Arc::new);
        fitting(&job.request, job.plan.max_bytes, &mut |bytes| {
            let mut page = job.page(&opened, chat.as_ref(), bytes, &cancel)?;
            if request.pin {
                page.notices.push(NOT_PINNED.to_owned());
            }
            Ok(page)
        })
    }

    /// Everything, entry by entry in path order, without holding it: no limit and no cap, and
    /// no deadline unless the request names one. First comes the reply's head; the reply that
    /// is returned has no entries and tells what was left out, what went wrong and what ended
    /// the stream.
    ///
    /// # Errors
    ///
    /// As [`Lister::list`]; [`ListError::InvalidArgument`] also for another order than `path`,
    /// which would have to hold everything, and for `limit`, `offset` and `max_bytes`, which
    /// belong to pages.
    pub fn stream(
        &self,
        request: &ListRequest,
        cancel: &Cancel,
        each: &mut dyn FnMut(StreamItem<'_>) -> ControlFlow<()>,
    ) -> Result<Page, ListError> {
        let job = self.job(request, Extent::All, &Asking::new(cancel))?;
        let cancel = job.cancel(cancel);
        let opened = self.source(&job)?;
        let mut events = job.events(&opened, &cancel)?;
        let subject = job.subject(&opened.top);
        if each(StreamItem::Head(&reply::head(&subject))).is_break() {
            return Err(ListError::Cancelled);
        }
        let mut pass = |entry: &EntryRef<'_>| each(StreamItem::Entry(entry));
        let streamed = stream::stream(&mut events, job.resumed(), &mut pass)?;
        drop(events);
        let mut page = reply::streamed(&subject, streamed);
        page.notices.extend(opened.notices());
        page.notices.extend(job.notices);
        Ok(page)
    }

    /// How long a call may take: what the request or the policy says.
    pub fn time_for(&self, request: &ListRequest) -> std::time::Duration {
        let asked = request.deadline_ms.unwrap_or(self.policy.default_deadline_ms);
        std::time::Duration::from_millis(asked.min(self.policy.max_deadline_ms).into())
    }

    /// The files of the host's session, if it gives one.
    pub(crate) fn session(
        &self,
        host: &HostSide,
        job: &Job,
        opened: &Opened,
        cancel: &Cancel,
    ) -> Result<Option<Session>, ListError> {
        let top = if job.request.subtree { &job.place.path } else { &opened.top };
        let session = self.found(host, job.place.root.path(), top)?;
        session.map(|session| session.standing(self, (job, opened), cancel)).transpose()
    }

    /// The files of the host's session, without how they stand in the listing.
    pub(crate) fn found(
        &self,
        host: &HostSide,
        root: &[u8],
        top: &RelPathBuf,
    ) -> Result<Option<Session>, ListError> {
        let files = host.chat.as_ref();
        files.map(|files| Session::find(files, self, root, top.as_bytes())).transpose()
    }

    pub(crate) fn turns(&self) -> &Turns {
        &self.turns
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.roots
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    pub(crate) fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    pub(crate) fn memory(&self) -> &sources::Memory {
        &self.memory
    }

    pub(crate) fn pins(&self) -> &Pins {
        &self.pins
    }

    pub(crate) fn job(
        &self,
        request: &ListRequest,
        extent: Extent,
        asking: &Asking<'_>,
    ) -> Result<Job, ListError> {
        let cursor = request.cursor.as_deref().map(Cursor::decode).transpose()?;
        let (request, place) = self.placed(request, cursor.as_ref(), asking)?;
        self.job_at(request, place, cursor, extent, asking)
    }

    /// A call at a place that is found already.
    pub(crate) fn job_at(
        &self,
        request: ListRequest,
        place: Place,
        cursor: Option<Cursor>,
        extent: Extent,
        asking: &Asking<'_>,
    ) -> Result<Job, ListError> {
        let mut terms = self.terms(&place);
        let mut plan = plan(&request, cursor.as_ref(), extent, &terms)?;
        self.approve(&request, &place, asking)?;
        plan.query.base = place.path.clone();
        plan.query.closed = self.gate.closed(&place.root);
        if let Some(path) = self.policy.global_excludes.as_ref().filter(|_| plan.query.ignore.git) {
            plan.query.ignore.global_excludes = read_excludes(path, &mut terms.notices);
        }
        Ok(Job { request, place, plan, cursor, notices: terms.notices })
    }

    /// The source of a call.
    ///
    /// # Errors
    ///
    /// As opening it; also when a whole repository is asked for, whose top may not be listed.
    pub(crate) fn source(&self, job: &Job) -> Result<Opened, ListError> {
        let opened = sources::open(job.request.mode, &job.place, &self.memory)?;
        if !job.request.subtree {
            let top = Place { path: opened.top.clone(), ..job.place.clone() };
            self.gate.admit(&top, job.request.path.as_bytes())?;
        }
        Ok(opened)
    }

    /// The request as it is to be answered, and where.
    pub(crate) fn placed(
        &self,
        request: &ListRequest,
        cursor: Option<&Cursor>,
        asking: &Asking<'_>,
    ) -> Result<(ListRequest, Place), ListError> {
        match cursor {
            Some(cursor) => self.continued(request, cursor, asking),
            None => Ok((request.clone(), self.locate(request, asking)?)),
        }
    }

    /// What holds for a listing in a place: the policy, and what the tree's own configuration
    /// narrows.
    fn terms(&self, place: &Place) -> Terms {
        let policy = self.policy.clone();
        if policy.tree_config { config::narrowed(policy, &place.root) } else { policy.into() }
    }
}

/// What a request selects of a source's events.
pub(crate) type Listed<'a> = Selected<'a, Box<dyn Events + Send + 'a>>;

/// One call.
pub(crate) struct Job {
    pub(crate) request: ListRequest,
    pub(crate) place: Place,
    pub(crate) plan: Plan,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) notices: Vec<String>,
}

impl Job {
    pub(crate) fn cancel(&self, cancel: &Cancel) -> Cancel {
        match self.plan.deadline {
            Some(deadline) => cancel.with_deadline(deadline),
            None => cancel.clone(),
        }
    }

    pub(crate) fn events<'a>(
        &'a self,
        opened: &'a Opened,
        cancel: &'a Cancel,
    ) -> Result<Listed<'a>, ListError> {
        self.events_of(opened, &self.plan.query, cancel)
    }

    /// The events of another query on the same terms.
    pub(crate) fn events_of<'a>(
        &'a self,
        opened: &'a Opened,
        query: &'a Query,
        cancel: &'a Cancel,
    ) -> Result<Listed<'a>, ListError> {
        let events = opened.source.open(query, cancel)?;
        let pattern = &self.plan.pattern;
        let matches = (!pattern.is_empty()).then(|| -> Matches<'a> {
            Box::new(|path: RelPath<'_>, is_dir| pattern.matched(path.as_bytes(), is_dir).is_some())
        });
        Ok(Selected::new(events, self.plan.kinds, matches))
    }

    fn page(
        self: &Arc<Self>,
        opened: &Opened,
        chat: Option<&Arc<Session>>,
        bytes: Option<usize>,
        cancel: &Cancel,
    ) -> Result<Page, ListError> {
        let so_far = self.offer(opened, chat, cancel);
        let mut events = self.events(opened, cancel)?;
        let (body, rank) = self.body(&mut events, bytes, &so_far)?;
        drop(events);
        Ok(self.reply(&opened.top, chat.map(AsRef::as_ref), opened.notices(), (body, rank)))
    }

    /// Lets whoever gives the call up have the page so far. Other orders than the streaming one
    /// have none: a better entry may be anywhere in what was not read.
    fn offer(
        self: &Arc<Self>,
        opened: &Opened,
        chat: Option<&Arc<Session>>,
        cancel: &Cancel,
    ) -> SoFar {
        let so_far = SoFar::default();
        let (job, taken, top) = (Arc::clone(self), so_far.clone(), opened.top.clone());
        let (notices, chat) = (opened.notices().collect::<Vec<_>>(), chat.cloned());
        cancel.offer(move |fault| {
            let body = taken.take(fault)?;
            Some(job.reply(&top, chat.as_deref(), notices, (body, 0)))
        });
        so_far
    }

    fn reply(
        &self,
        top: &RelPathBuf,
        chat: Option<&Session>,
        notices: impl IntoIterator<Item = String>,
        (mut body, rank): (PageBody, i128),
    ) -> Page {
        if self.plan.hide_metadata {
            body.entries.iter_mut().for_each(Entry::strip_metadata);
        }
        let subject = Subject { chat, ..self.subject(top) };
        let mut page = reply::page(&subject, body, rank);
        page.notices.extend(notices);
        page.notices.extend_from_slice(&self.notices);
        page
    }

    fn resumed(&self) -> Option<Resumed> {
        let cursor = self.cursor.as_ref()?;
        Some(Resumed { ordinal: cursor.ordinal, identity: cursor.identity })
    }

    pub(crate) fn subject<'a>(&'a self, top: &'a RelPathBuf) -> Subject<'a> {
        Subject {
            request: &self.request,
            place: &self.place,
            top,
            depth: self.plan.query.depth,
            after: self.cursor.as_ref().map(|cursor| cursor.after.clone()),
            chat: None,
        }
    }

    fn body(
        &self,
        events: &mut dyn Events,
        bytes: Option<usize>,
        so_far: &SoFar,
    ) -> Result<(PageBody, i128), ListError> {
        let mut cost = |entry: &Entry| render::cost(entry);
        let budget = bytes.map(|bytes| Budget { bytes, cost: &mut cost });
        match self.plan.order {
            None => {
                let paging = Paging {
                    limit: self.plan.limit,
                    skip: self.plan.skip,
                    resumed: self.resumed(),
                    count: self.request.count,
                    budget,
                    not_reached: NOT_REACHED,
                };
                Ok((pager::page_so_far(events, paging, so_far)?, 0))
            }
            Some(order) => {
                let resumed = self.cursor.as_ref().map(sorted_resume).transpose()?;
                let (limit, skip) = (self.plan.limit, self.plan.skip);
                let paging = SortedPaging { order, limit, skip, resumed, budget };
                let sorted = sorted::sorted_page(events, paging)?;
                Ok((sorted.body, sorted.last_rank))
            }
        }
    }
}

/// Where another order than that of paths goes on.
fn sorted_resume(cursor: &Cursor) -> Result<SortedResume, ListError> {
    let Cursor { ordinal: Some(ordinal), identity: Some(identity), bound: Bound::After, .. } =
        cursor
    else {
        let reason = "it is not one that a listing in this order has made".to_owned();
        return Err(ListError::InvalidCursor { reason });
    };
    let (ordinal, identity) = (*ordinal, *identity);
    Ok(SortedResume { ordinal, rank: cursor.rank, path: cursor.after.clone(), identity })
}
