//! The modes side by side for one directory.
//!
//! The three streams are merged as they come: each is one event ahead of the comparison, and what
//! is held beside them is the way to the current path. What a mode lacks is explained by what its
//! own stream says: of the path itself, or of the directory above it that the mode has cut.

mod disk;
mod fit;
mod merge;
mod owned;
mod place;
mod reply;
mod request;
mod stream;
mod tell;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use trilist_core::tally::Tally;
use trilist_core::{Cancel, ListError, ListRequest, Mode, PathArg, RelPathBuf, Seen, TruncatedBy};

pub use reply::{
    AbsenceCount, ByMode, Cell, Column, ComparedPath, ComparedRef, Comparison, Folded, InChat,
    Presence,
};
pub use request::{CompareRequest, Compared, Fold};

use crate::approval::Asking;
use crate::lister::{Job, Lister};
use crate::plan::{self, Extent};
use crate::sources::Opened;
use crate::{resume, roots};
use disk::Disk;
use merge::Merge;
use place::Place;
use stream::Stream;
use tell::Teller;

/// What [`Lister::compare_stream`] gives, one after another.
pub enum CompareItem<'a> {
    /// The reply before its rows: which modes could be asked is there, counts are not yet.
    Head(&'a Comparison),
    /// The next row.
    Row(&'a ComparedRef<'a>),
}

impl Lister {
    /// The modes side by side, with the reason of each absence: at most `limit` rows, as many as
    /// the policy's [`crate::Policy::default_max_bytes`] has room for, and the counts of all.
    ///
    /// ```
    /// use trilist::{Cancel, CompareRequest, Lister, Policy, render};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("trilist-cmp-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # std::fs::write(folder.join(".ignore"), "*.log\n")?;
    /// # std::fs::write(folder.join("a.log"), "")?;
    /// let lister = Lister::open(&[&folder], Policy::default())?;
    /// let reply = lister.compare(&CompareRequest::new("."), &Cancel::new())?;
    /// let row = &reply.rows[0];
    /// assert_eq!(row.path, "a.log");
    /// assert!(row.modes.fs.as_ref().is_some_and(|fs| fs.listed));
    /// assert!(row.modes.files.as_ref().is_some_and(|files| !files.listed));
    /// print!("{}", render::comparison(&reply));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Lister::list`], when no mode can be asked; and
    /// [`ListError::OffsetOutOfRange`]. A mode that alone cannot be asked says so in the reply.
    pub fn compare(
        &self,
        request: &CompareRequest,
        cancel: &Cancel,
    ) -> Result<Comparison, ListError> {
        let skip = plan::first(request.offset)? - 1;
        let limit = u64::from(plan::limit(request.limit, self.policy())?);
        let deadline = request.deadline_ms.unwrap_or(self.policy().default_deadline_ms);
        let bounded = CompareRequest { deadline_ms: Some(deadline), ..request.clone() };
        let (mut rows, mut seen) = (Vec::new(), 0);
        let mut keep = |item: CompareItem<'_>| {
            if let CompareItem::Row(row) = item {
                seen += 1;
                if seen > skip && seen - skip <= limit {
                    rows.push(ComparedPath::of(row));
                }
            }
            ControlFlow::Continue(())
        };
        let cap = Some(self.policy().scan_cap);
        let mut reply = self.compared(&bounded, cap, cancel, &mut keep)?;
        if skip > 0 && skip >= seen && !reply.truncated {
            return Err(ListError::OffsetOutOfRange { offset: skip + 1, entries: seen });
        }
        let end = skip.saturating_add(rows.len() as u64);
        if end < seen {
            reply.truncated_by.get_or_insert(TruncatedBy::Limit);
            reply.next_offset = Some(end + 1);
        }
        reply.truncated = reply.truncated_by.is_some();
        reply.complete &= skip == 0 && !reply.truncated;
        reply.returned = rows.len() as u64;
        if let Some(in_chat) = &mut reply.in_chat {
            in_chat.returned = rows.iter().filter(|row| row.in_chat).count() as u64;
        }
        reply.rows = rows;
        if let Some(max_bytes) = self.policy().default_max_bytes {
            fit::fit(&mut reply, skip, max_bytes as usize);
        }
        Ok(reply)
    }

    /// Every row, one after another, without holding them: no limit and no cap, and no deadline
    /// unless the request names one. The reply that is returned has no rows.
    ///
    /// # Errors
    ///
    /// As [`Lister::compare`]; [`ListError::InvalidArgument`] also for `limit` and `offset`.
    pub fn compare_stream(
        &self,
        request: &CompareRequest,
        cancel: &Cancel,
        each: &mut dyn FnMut(CompareItem<'_>) -> ControlFlow<()>,
    ) -> Result<Comparison, ListError> {
        let paged = [("limit", request.limit.is_some()), ("offset", request.offset.is_some())];
        if let Some((field, _)) = paged.iter().find(|(_, is_set)| *is_set) {
            let expected = "a stream gives every row; leave it out";
            return Err(ListError::invalid(field, "set", expected));
        }
        self.compared(request, None, cancel, each)
    }

    fn compared(
        &self,
        request: &CompareRequest,
        scan_cap: Option<u64>,
        cancel: &Cancel,
        each: &mut dyn FnMut(CompareItem<'_>) -> ControlFlow<()>,
    ) -> Result<Comparison, ListError> {
        let asked = ByMode::of(|mode| request.asked_of(mode));
        let asking = Asking::new(cancel);
        let parts = asked.map(|asked| self.part(asked, scan_cap, &asking));
        let first = parts.iter().find_map(|(_, part)| part.as_ref().ok());
        let Some(part) = first else { return Err(first_error(parts)) };
        let cancel = part.job.cancel(cancel);
        let chat = chat(&request.in_chat, &part.job);
        let (streams, errors) = started(&parts, &cancel)?;
        let mut reply = self.head(&asked, &parts, &streams, errors);
        if each(CompareItem::Head(&reply)).is_break() {
            return Err(ListError::Cancelled);
        }
        let mut show = |row: &ComparedRef<'_>| each(CompareItem::Row(row));
        let mut merge = Merge {
            asked: reply.modes.map(|column| column.available),
            streams,
            show: request.show,
            fold: request.fold,
            place: Place::new(parts.fs.as_ref().ok().map(|part| Disk::of(&part.job))),
            teller: Teller::new(chat, &mut show),
            next: Vec::new(),
        };
        let ended = merge.run()?;
        finish(&mut reply, merge, ended);
        Ok(reply)
    }
}

/// One mode, ready to be asked.
struct Part {
    job: Job,
    opened: Opened,
}

type Parts = ByMode<Result<Part, ListError>>;
type Streams<'a> = ByMode<Option<Stream<'a>>>;
type Errors = ByMode<Option<ListError>>;

impl Lister {
    fn part(
        &self,
        asked: &ListRequest,
        scan_cap: Option<u64>,
        asking: &Asking<'_>,
    ) -> Result<Part, ListError> {
        let mut job = self.job(asked, Extent::All, asking)?;
        job.plan.query.scan_cap = scan_cap;
        let opened = self.source(&job)?;
        Ok(Part { job, opened })
    }

    /// The reply before anything was compared.
    fn head(
        &self,
        asked: &ByMode<ListRequest>,
        parts: &Parts,
        streams: &Streams<'_>,
        errors: Errors,
    ) -> Comparison {
        let is_known = streams.vcs.is_some();
        let modes = ByMode::of(|mode| {
            let error = errors.mode(mode).as_ref();
            let path = parts.mode(mode).as_ref().ok().map(|part| path_of(&part.job));
            let asked = resume::spelled_out(asked.mode(mode), self.policy());
            Column {
                // What only version control knows is not on disk: that can be said.
                available: error.is_none_or(|error| is_known && says_absent(mode, error)),
                error: error.map(ListError::reply),
                asked: ListRequest { path: path.unwrap_or(asked.path.clone()), ..asked },
                listed: 0,
                absent: Vec::new(),
                omitted: Vec::new(),
                warnings: Vec::new(),
                warnings_total: 0,
                gaps: 0,
                seen: Seen::default(),
            }
        });
        let part = parts.iter().find(|(mode, _)| streams.mode(*mode).is_some());
        let part = part.and_then(|(_, part)| part.as_ref().ok());
        let place = part.map(|part| &part.job.place);
        let top = RelPathBuf::default();
        Comparison {
            root: place.map(|place| roots::absolute(&place.root, &top)).unwrap_or_default(),
            path: part.map_or(".".to_owned(), |part| shown_path(&part.job)),
            rows: Vec::new(),
            returned: 0,
            total: None,
            compared: 0,
            differing: 0,
            at_least: false,
            in_chat: None,
            complete: false,
            truncated: false,
            truncated_by: None,
            next_offset: None,
            modes,
            notices: notices(parts),
        }
    }
}

/// Starts what can be started.
///
/// # Errors
///
/// When nothing can, or the request is at fault, whatever the mode.
fn started<'a>(parts: &'a Parts, cancel: &'a Cancel) -> Result<(Streams<'a>, Errors), ListError> {
    let mut streams = Streams::default();
    let mut errors = Errors::default();
    for (mode, part) in parts.iter() {
        let start = |part: &'a Part| Stream::start(part.job.events(&part.opened, cancel)?);
        match part.as_ref().map_err(Clone::clone).and_then(start) {
            Ok(stream) => *streams.mode_mut(mode) = Some(stream),
            Err(error) if ends_all(&error) => return Err(error),
            Err(error) => *errors.mode_mut(mode) = Some(error),
        }
    }
    let first = errors.iter().find_map(|(_, error)| error.clone());
    match first {
        Some(error) if streams.iter().all(|(_, stream)| stream.is_none()) => Err(error),
        _ => Ok((streams, errors)),
    }
}

/// Whether an error of one mode is that of the whole comparison.
fn ends_all(error: &ListError) -> bool {
    match error {
        ListError::Cancelled | ListError::Timeout => true,
        // Of a build without it, mode `vcs` says that it is not there.
        ListError::InvalidArgument { field, .. } => field != "mode",
        _ => false,
    }
}

fn says_absent(mode: Mode, error: &ListError) -> bool {
    let is_absent = matches!(error, ListError::NotFound { .. } | ListError::NotDirectory { .. });
    mode != Mode::Vcs && is_absent
}

fn first_error(parts: Parts) -> ListError {
    let ByMode { fs, files, vcs } = parts;
    let errors = [fs, files, vcs].into_iter().filter_map(Result::err);
    errors.into_iter().next().unwrap_or(ListError::Cancelled)
}

fn shown_path(job: &Job) -> String {
    match job.place.path.as_bytes() {
        b"" => ".".to_owned(),
        path => roots::shown(path),
    }
}

fn path_of(job: &Job) -> PathArg {
    PathArg::from(shown_path(job).as_str())
}

fn notices(parts: &Parts) -> Vec<String> {
    let parts: Vec<&Part> = parts.iter().filter_map(|(_, part)| part.as_ref().ok()).collect();
    let told = parts.iter().flat_map(|part| {
        part.opened.notices().chain(part.job.notices.iter().cloned()).collect::<Vec<_>>()
    });
    let mut notices: Vec<String> = Vec::new();
    for notice in told {
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
    let mut places: Vec<String> = parts.iter().map(|part| shown_path(&part.job)).collect();
    places.dedup();
    if let [on_disk, .., tracked] = &places[..] {
        notices.push(format!(
            "`vcs` lists the tracked names below `{tracked}`, which is a link to `{on_disk}` on disk"
        ));
    }
    notices
}

/// The files of the chat that lie in the compared directory, relative to it.
fn chat(paths: &[PathArg], job: &Job) -> BTreeSet<Vec<u8>> {
    let base = job.place.path.as_path();
    let relative = |arg: &PathArg| {
        let bytes = trilist_core::quote::unquoted(arg.as_bytes());
        let bytes = bytes.unwrap_or_else(|| arg.as_bytes().to_vec());
        let bytes = bytes.strip_prefix(b"./").unwrap_or(&bytes);
        if bytes.first() != Some(&b'/') {
            return RelPathBuf::new(bytes).ok().map(|path| path.as_bytes().to_vec());
        }
        let below = bytes.strip_prefix(job.place.root.path())?.strip_prefix(b"/")?;
        let below = RelPathBuf::new(below).ok()?;
        below.as_path().below(base).map(|path| path.as_bytes().to_vec())
    };
    paths.iter().filter_map(relative).collect()
}

/// What is known when the streams have ended.
fn finish(reply: &mut Comparison, merge: Merge<'_, '_>, ended: Option<TruncatedBy>) {
    let Merge { teller, streams, .. } = merge;
    (reply.compared, reply.differing) = (teller.compared, teller.differing);
    reply.at_least = ended.is_some();
    reply.in_chat = teller.in_chat();
    reply.total = ended.is_none().then_some(teller.rows);
    reply.returned = teller.rows;
    reply.truncated_by = ended;
    reply.truncated = ended.is_some();
    let ByMode { fs, files, vcs } = streams;
    for (mode, stream) in Mode::ALL.into_iter().zip([fs, files, vcs]) {
        let column = reply.modes.mode_mut(mode);
        let counts = teller.counts();
        (column.listed, column.absent) = counts.mode(mode).clone();
        let (tally, seen) = stream.map_or((Tally::default(), Seen::default()), Stream::into_told);
        column.omitted = tally.omitted();
        column.warnings = tally.warnings().to_vec();
        column.warnings_total = tally.warnings_total();
        column.gaps = tally.gaps();
        column.seen = seen;
    }
    reply.complete = ended.is_none() && reply.modes.iter().all(|(_, column)| !column.has_gap());
}

impl Column {
    /// Whether the mode may lack something that it would list. That there is no repository, or
    /// nothing on disk, is no gap.
    pub fn has_gap(&self) -> bool {
        let is_refused = |error: &trilist_core::ErrorReply| error.code != "not_a_repository";
        self.gaps > 0 || (!self.available && self.error.as_ref().is_some_and(is_refused))
    }
}
