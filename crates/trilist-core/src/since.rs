//! What has changed since an earlier listing.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::ChainDigest;
use crate::pager::{self, PageBody, Resumed, Step};
use crate::rows::Held;
use crate::snapshot::{Gaps, HeldPaging, Snapshot, fill};
use crate::tally::Tally;
use crate::{
    Entry, EntryRef, Event, Events, Identity, Kind, ListError, NodeId, RawName, RelPathBuf, Seen,
    TruncatedBy, VcsInfo, quote,
};

/// What has become of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// In one word.
    pub what: What,
    /// What differs, of a changed or renamed entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// Of a renamed entry: its path in the earlier listing, as [`Entry::path`] has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The exact bytes of `from` in base64, when it is quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_raw: Option<RawName>,
}

/// What has become of an entry, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It is listed and was not.
    Added,
    /// It was listed and is not; the entry is as it was.
    Removed,
    /// It differs in what `fields` names; the entry is as it is now.
    Changed,
    /// It is the very thing that was at `from`, where nothing of it is left. Told where device,
    /// inode and time of birth are equal, or in mode `vcs` the object in the index, and no other
    /// entry could be meant.
    Renamed,
}

/// What of an entry can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// What it is.
    Kind,
    /// The size; not of directories.
    Size,
    /// When the contents last changed; not of directories.
    Modified,
    /// The permission bits.
    Permissions,
    /// What a link holds.
    Target,
    /// The object in the index (mode `vcs`).
    Object,
    /// What version control knows of it.
    Vcs,
}

impl Field {
    /// The name in replies.
    pub fn name(self) -> &'static str {
        match self {
            Field::Kind => "kind",
            Field::Size => "size",
            Field::Modified => "modified",
            Field::Permissions => "permissions",
            Field::Target => "target",
            Field::Object => "object",
            Field::Vcs => "vcs",
        }
    }
}

/// What a reply tells changes since, and how many there are in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// The `snapshot_id` of the earlier listing.
    pub since: String,
    /// Entries that are listed and were not.
    pub added: u64,
    /// Entries that were listed and are not.
    pub removed: u64,
    /// Entries that differ.
    pub changed: u64,
    /// Entries that are elsewhere.
    pub renamed: u64,
    /// Entries of one listing in places of which the other one does not know everything. They are
    /// neither told nor counted as added or removed.
    pub unknown: u64,
    /// The earlier reply began here: nothing before this path is compared. Absent for the
    /// beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The earlier reply was cut here: nothing behind this path is compared. Absent for the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// Whether edits of contents can show: with metadata; in a pinned listing of mode `vcs` without
    /// it, those that are staged.
    pub sees_edits: bool,
    /// Whether renames can show: in a pinned listing with metadata, or of mode `vcs`. Else they are
    /// a removal and an addition.
    pub sees_renames: bool,
}

/// All differences of a listing from an earlier one.
#[derive(Debug, Default)]
pub struct Difference {
    changes: Vec<Entry>,
    counts: [u64; 4],
    unknown: u64,
    tally: Tally,
    stopped: Option<TruncatedBy>,
    seen: Seen,
}

impl Difference {
    /// Compares a listing with an earlier one of the same request. It reads the listing as far as
    /// the earlier one goes; at most about `most_bytes` of changes are held.
    ///
    /// # Errors
    ///
    /// [`ListError::Cancelled`]; a bound that ended the comparison is told by its pages.
    pub fn of(
        earlier: &Snapshot,
        events: &mut dyn Events,
        most_bytes: usize,
    ) -> Result<Difference, ListError> {
        let mut merge = Merge::new(earlier);
        let stopped = loop {
            match pager::advance(events)? {
                Step::Event => {}
                Step::Stopped(by) => break Some(by),
                Step::End => break None,
            }
            let event = events.event();
            if earlier.covers().is_before(event.path()) {
                break None;
            }
            merge.event(&event);
            if merge.held > most_bytes {
                break Some(TruncatedBy::ScanCap);
            }
        };
        Ok(merge.finish(stopped, events.seen()))
    }

    /// No difference from a listing that is known to be the same; `seen` is what that took.
    pub fn unchanged(seen: Seen) -> Difference {
        Difference { seen, ..Difference::default() }
    }

    /// How it stands to the earlier listing of this id.
    pub fn changes(&self, since: &str, earlier: &Snapshot) -> Changes {
        let [added, removed, changed, renamed] = self.counts;
        let shown = |path: &RelPathBuf| quote::shown(path.as_bytes()).into_owned();
        Changes {
            since: since.to_owned(),
            added,
            removed,
            changed,
            renamed,
            unknown: self.unknown,
            from: earlier.covers().from.as_ref().map(shown),
            through: earlier.covers().through.as_ref().map(shown),
            sees_edits: earlier.sees_edits(),
            sees_renames: earlier.sees_renames(),
        }
    }

    /// One page of the changes, in path order; behind `after`, if the page continues another.
    ///
    /// # Errors
    ///
    /// [`ListError::OffsetOutOfRange`] when there are changes to pass over and none behind them;
    /// [`ListError::Timeout`] when the deadline came before any change was found.
    pub fn page(
        &self,
        paging: HeldPaging<'_>,
        resumed: Option<(Resumed, &RelPathBuf)>,
    ) -> Result<PageBody, ListError> {
        let total = self.changes.len() as u64;
        if self.stopped == Some(TruncatedBy::Deadline) && total == 0 {
            return Err(ListError::Timeout);
        }
        let HeldPaging { before: skip, limit, budget, metadata, .. } = paging;
        if skip > 0 && skip >= total {
            return Err(ListError::OffsetOutOfRange { offset: skip + 1, entries: total });
        }
        let start = match &resumed {
            None => skip,
            Some((_, after)) => {
                let passed = |entry: &Entry| entry.bytes() <= after.as_bytes();
                self.changes.partition_point(passed) as u64
            }
        };
        let is_first = start == 0 && resumed.is_none();
        let tally = if is_first { self.tally.clone() } else { Tally::default() };
        let change = |at: u64| self.changes.get(usize::try_from(start + at).ok()?);
        let mut entries = Vec::new();
        let cut = fill(&mut entries, limit.min(total - start), budget, &tally, &mut |at| {
            let mut entry = change(at)?.clone();
            if !metadata {
                entry.strip_metadata();
            }
            Some(entry)
        });
        let taken = entries.len() as u64;
        let identity = self.identity();
        let follows = start + taken < total;
        let was = resumed.and_then(|(resumed, _)| resumed.identity);
        let drifted = was.is_some_and(|was| was != identity);
        let last = taken.checked_sub(1).and_then(change).map(Entry::bytes);
        let by_page = follows.then_some(if cut { TruncatedBy::Budget } else { TruncatedBy::Limit });
        let before = resumed.and_then(|(resumed, _)| resumed.ordinal).unwrap_or(start);
        Ok(PageBody {
            complete: is_first && !follows && self.stopped.is_none() && !tally.has_gaps(),
            before: Some(before),
            truncated_by: by_page.or(self.stopped),
            total: (self.stopped.is_none() && !drifted).then_some(total),
            at_least: (before + taken).max(total),
            drifted,
            not_reached: Vec::new(),
            next: last
                .filter(|_| follows)
                .and_then(|path| RelPathBuf::new(path).ok())
                .map(|path| (path, identity)),
            seen: self.seen,
            tally,
            entries,
        })
    }

    /// Equal for equal changes.
    fn identity(&self) -> Identity {
        let mut chain = ChainDigest::default();
        for entry in &self.changes {
            let what = entry.change.as_ref().map_or(0, |change| change.what as u64);
            chain.add(entry.bytes(), what);
        }
        chain.identity()
    }
}

struct Merge<'s> {
    earlier: &'s Snapshot,
    /// The next row of the earlier listing.
    at: usize,
    added: Vec<Added>,
    /// Rows of the earlier listing that are not listed any more.
    gone: Vec<usize>,
    /// Rows that are listed, and that the index has lost.
    unstaged: Vec<usize>,
    changed: Vec<Entry>,
    unknown: u64,
    gaps: Gaps,
    tally: Tally,
    /// About the bytes of what is held.
    held: usize,
}

struct Added {
    entry: Entry,
    thing: Option<Thing>,
}

/// What an entry is, whatever its path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Thing {
    Node(NodeId, Kind),
    Object(Box<[u8]>, Kind),
}

impl<'s> Merge<'s> {
    fn new(earlier: &'s Snapshot) -> Self {
        Merge {
            earlier,
            at: 0,
            added: Vec::new(),
            gone: Vec::new(),
            unstaged: Vec::new(),
            changed: Vec::new(),
            unknown: 0,
            gaps: Gaps::default(),
            tally: Tally::default(),
            held: 0,
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        if self.earlier.covers().is_behind(event.path()) {
            return;
        }
        match event {
            Event::Omitted(omission) => self.tally.omit(omission),
            Event::Fault(fault) => {
                self.tally.fault(fault);
                self.gaps.fault(fault);
            }
            Event::Entry(entry) => self.entry(entry),
        }
    }

    fn entry(&mut self, entry: &EntryRef<'_>) {
        let (rows, path) = (&self.earlier.rows, entry.path.as_bytes());
        while self.at < rows.len() && rows.path(self.at) < path {
            self.gone.push(self.at);
            self.at += 1;
        }
        if self.at < rows.len() && rows.path(self.at) == path {
            self.compare(self.at, entry);
            self.at += 1;
        } else if self.earlier.gaps.may_hide(entry.path) {
            self.unknown += 1;
        } else {
            let entry_now = Entry::of(entry);
            self.held += size_of::<Added>() + 2 * path.len();
            let thing = thing(entry.metadata.and_then(|meta| meta.id), entry.object, entry.kind);
            self.added.push(Added { entry: entry_now, thing });
        }
    }

    fn compare(&mut self, at: usize, now: &EntryRef<'_>) {
        let then = self.earlier.rows.at(at);
        if in_index(then.vcs) && now.vcs.is_some_and(|vcs| !vcs.index) {
            self.unstaged.push(at);
        }
        let fields = fields(&then, now);
        if !fields.is_empty() {
            self.held += size_of::<Entry>() + 2 * now.path.as_bytes().len();
            self.changed.push(with_change(Entry::of(now), What::Changed, fields));
        }
    }

    fn finish(mut self, stopped: Option<TruncatedBy>, seen: Seen) -> Difference {
        if stopped.is_none() {
            self.gone.extend(self.at..self.earlier.rows.len());
            self.match_renames();
        }
        let mut difference = Difference { stopped, seen, ..Difference::default() };
        let rows = &self.earlier.rows;
        for at in self.gone {
            let held = rows.at(at);
            if self.gaps.may_hide(held.path) {
                self.unknown += 1;
            } else {
                self.changed.push(with_change(held.entry(), What::Removed, Vec::new()));
            }
        }
        for Added { mut entry, .. } in self.added {
            if entry.change.is_none() {
                entry = with_change(entry, What::Added, Vec::new());
            }
            self.changed.push(entry);
        }
        self.changed.sort_by(|a, b| a.bytes().cmp(b.bytes()));
        for change in self.changed.iter().filter_map(|entry| entry.change.as_ref()) {
            difference.counts[change.what as usize] += 1;
        }
        difference.changes = self.changed;
        difference.unknown = self.unknown;
        difference.tally = self.tally;
        difference
    }

    /// Makes a rename of what has gone and what has come, where both are the same thing and
    /// nothing else is.
    fn match_renames(&mut self) {
        let rows = &self.earlier.rows;
        let mut came: HashMap<Thing, Option<usize>> = HashMap::new();
        for (place, added) in self.added.iter().enumerate() {
            note(&mut came, added.thing.clone(), place);
        }
        let mut left: HashMap<Thing, Option<usize>> = HashMap::new();
        for at in self.gone.iter().chain(&self.unstaged) {
            let held = rows.at(*at);
            let id = held.metadata.and_then(|meta| meta.id);
            note(&mut left, thing(id, held.object, held.kind), *at);
        }
        let mut moved = Vec::new();
        for (thing, from) in left {
            if let (Some(from), Some(Some(to))) = (from, came.get(&thing)) {
                moved.push(from);
                let added = &mut self.added[*to].entry;
                *added = renamed(added.clone(), &rows.at(from));
            }
        }
        moved.sort_unstable();
        self.gone.retain(|at| moved.binary_search(at).is_err());
    }
}

/// Notes where a thing is; `None` when it is in several places.
fn note(places: &mut HashMap<Thing, Option<usize>>, thing: Option<Thing>, at: usize) {
    if let Some(thing) = thing {
        places.entry(thing).and_modify(|place| *place = None).or_insert(Some(at));
    }
}

/// The objects of files without contents: being equal to one of these says nothing.
const EMPTY: [&[u8]; 2] = [
    b"\xe6\x9d\xe2\x9b\xb2\xd1\xd6\x43\x4b\x8b\x29\xae\x77\x5a\xd8\xc2\xe4\x8c\x53\x91",
    b"\x47\x3a\x0f\x4c\x3b\xe8\xa9\x36\x81\xa2\x67\xe3\xb1\xe9\xa7\xdc\
      \xda\x11\x85\x43\x6f\xe1\x41\xf7\x74\x91\x20\xa3\x03\x72\x18\x13",
];

fn thing(id: Option<NodeId>, object: Option<&[u8]>, kind: Kind) -> Option<Thing> {
    match (id, object) {
        (_, Some(object)) if EMPTY.contains(&object) => None,
        (_, Some(object)) => Some(Thing::Object(object.into(), kind)),
        // An inode is used again as soon as it is free; that it was born at the same moment tells
        // that it is the same.
        (Some(id), None) if id.born.is_some() => Some(Thing::Node(id, kind)),
        _ => None,
    }
}

fn in_index(vcs: Option<VcsInfo>) -> bool {
    vcs.is_some_and(|vcs| vcs.index)
}

fn with_change(mut entry: Entry, what: What, fields: Vec<Field>) -> Entry {
    entry.change = Some(Box::new(Change { what, fields, from: None, from_raw: None }));
    entry
}

fn renamed(now: Entry, then: &Held<'_>) -> Entry {
    let from = then.entry();
    let fields = fields_of(&from, &now);
    let mut entry = with_change(now, What::Renamed, fields);
    if let Some(change) = &mut entry.change {
        (change.from, change.from_raw) = (Some(from.path), from.raw);
    }
    entry
}

/// What of a renamed entry differs, as replies show it.
fn fields_of(then: &Entry, now: &Entry) -> Vec<Field> {
    let differs = [
        (Field::Size, then.kind != Kind::Dir && then.size != now.size),
        (Field::Modified, then.kind != Kind::Dir && then.modified != now.modified),
        (Field::Permissions, then.permissions != now.permissions),
        (Field::Target, then.target != now.target),
    ];
    differs.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect()
}

fn fields(then: &Held<'_>, now: &EntryRef<'_>) -> Vec<Field> {
    let is_dir = then.kind == Kind::Dir || now.kind == Kind::Dir;
    let mut differs = vec![(Field::Kind, then.kind != now.kind)];
    if let (Some(then), Some(now)) = (then.metadata, now.metadata) {
        differs.extend([
            (Field::Size, !is_dir && then.size_bytes != now.size_bytes),
            (Field::Modified, !is_dir && then.modified != now.modified),
            (Field::Permissions, then.permissions != now.permissions),
            (Field::Target, then.target != now.target),
        ]);
    }
    let objects = then.object.zip(now.object);
    differs.push((Field::Object, objects.is_some_and(|(then, now)| then != now)));
    differs.push((Field::Vcs, differs_in_vcs(then.vcs, now.vcs)));
    differs.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect()
}

/// What is on disk counts only where both have looked.
fn differs_in_vcs(then: Option<VcsInfo>, now: Option<VcsInfo>) -> bool {
    let (Some(mut then), Some(mut now)) = (then, now) else { return false };
    if then.on_disk.is_none() || now.on_disk.is_none() {
        (then.on_disk, now.on_disk) = (None, None);
    }
    then != now
}
