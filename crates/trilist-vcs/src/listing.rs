//! The events of one listing.

use std::ops::ControlFlow;
use std::sync::Arc;

use trilist_core::{
    Bound, Cancel, Each, EntryRef, Event, Events, FaultCode, FaultRef, Identity, Kind, ListError,
    Metadata, OmissionRef, OnDisk, Query, RelPath, RelPathBuf, Seen, VcsInfo,
};

use crate::beyond::Beyond;
use crate::filter::{Collapse, Filter, Verdict};
use crate::held::{Held, Told};
use crate::memory::KnownIndex;
use crate::parts::{HeadRoot, Parts};
use crate::probe::Probe;
use crate::union::{Item, Union};
use crate::work_tree::WorkTree;

/// A listing under way.
pub(crate) struct Listing<'a> {
    union: Union<'a>,
    filter: Arc<Filter>,
    work_tree: Option<WorkTree<'a>>,
    identity: Identity,
    head: Option<HeadRoot>,
    known: KnownIndex,
    cancel: &'a Cancel,
    /// Whether entries tell their objects.
    identify: bool,
    /// How many bytes of paths are the listed directory's.
    base: usize,
    after: &'a [u8],
    bound: Bound,
    probe: Option<Probe>,
    current: Current,
    held: Held,
    /// The last row's path, where rows of directories can come.
    last: Vec<u8>,
    /// Whether what waits is to be given before anything else.
    draining: bool,
    /// Whether the union's item is still to be told.
    again: bool,
    /// Whether it was told that the item's facts could not be had.
    warned: bool,
    failed: Option<ListError>,
}

enum Current {
    /// What the union's item stands for, at its path.
    Here(Told),
    /// Something that has waited.
    Held(Vec<u8>, Told),
    End,
}

impl<'a> Listing<'a> {
    pub(crate) fn new(
        union: Union<'a>,
        filter: Arc<Filter>,
        parts: Parts<'a>,
        query: &'a Query,
    ) -> Self {
        Listing {
            union,
            filter,
            work_tree: parts.work_tree,
            identity: parts.identity,
            head: parts.head,
            known: parts.known,
            cancel: parts.cancel,
            identify: query.identify,
            base: parts.base,
            after: query.after.as_ref().map_or(b"", |after| after.as_bytes()),
            bound: query.bound,
            probe: query.probe.as_ref().map(|probe| Probe::new(probe.as_path())),
            again: parts.begun,
            current: Current::End,
            held: Held::default(),
            last: Vec::new(),
            draining: false,
            warned: false,
            failed: None,
        }
    }

    fn step(&mut self) -> Result<bool, ListError> {
        loop {
            if self.draining {
                if let Some((path, told)) = self.held.pop() {
                    self.last.clone_from(&path);
                    self.current = Current::Held(path, told);
                    return Ok(true);
                }
                self.draining = false;
            }
            if !std::mem::take(&mut self.again) {
                self.union.advance()?;
            }
            if let Some(probe) = &self.probe
                && !probe.goes_on(&mut self.union)?
            {
                continue;
            }
            if matches!(self.union.item(), Item::End) && self.held.is_empty() {
                self.current = Current::End;
                return Ok(false);
            }
            if self.place() {
                return Ok(true);
            }
        }
    }

    /// Tells the names that come from the index alone, up to one that needs more thought.
    fn follow_index(&mut self, each: &mut Each<'_>) -> ControlFlow<()> {
        let alone = matches!(self.current, Current::Here(_)) && self.held.is_empty();
        let follows = self.work_tree.is_none() && !self.identify && self.probe.is_none();
        if !alone || self.draining || !follows {
            return ControlFlow::Continue(());
        }
        let (filter, identity, base) = (&self.filter, &self.identity, self.base);
        let mut told = ControlFlow::Continue(());
        let followed = self.union.follow_index(&mut |path, kind, info| {
            let below = below(path, base);
            if filter.verdict(below, path) != Verdict::Shown {
                return ControlFlow::Break(());
            }
            let path = RelPath::assume(below);
            let entry = EntryRef { vcs: Some(info), ..EntryRef::new(path, kind) };
            told = each(&Event::Entry(entry), identity);
            told
        });
        if told.is_break() {
            self.current = self.tell().map_or(Current::End, Current::Here);
        } else if followed.is_break() {
            self.again = true;
        }
        told
    }

    /// Tells the union's item, lets it wait, or drops it. Says whether it is the current event.
    #[inline]
    fn place(&mut self) -> bool {
        if !self.held.is_empty() {
            self.place_among_held();
            return false;
        }
        let Some(told) = self.tell() else { return false };
        if let Some(fault) = self.facts_fault() {
            let path = below(self.union.path(), self.base).to_vec();
            self.current = Current::Held(path, fault);
            return true;
        }
        let path = below(self.union.path(), self.base);
        if self.filter.collapses() && !told.is_fault() {
            if let Some(dir) = waits_for(&self.filter, path, self.union.item()) {
                self.held.start(dir, path, told);
                return false;
            }
            if self.last == path {
                return false;
            }
            self.last.clear();
            self.last.extend_from_slice(path);
        }
        self.current = Current::Here(told);
        true
    }

    /// The warning, once an item and before it, that its facts could not be had.
    fn facts_fault(&mut self) -> Option<Told> {
        let error = self.work_tree.as_mut()?.take_error()?;
        self.warned = !self.warned;
        self.again = self.warned;
        let (code, message) = (FaultCode::MetadataUnreadable, error.into());
        self.warned.then_some(Told::Fault { code, gap: false, message, more: 0 })
    }

    fn place_among_held(&mut self) {
        let path = below(self.union.path(), self.base).to_vec();
        let mut key = path.clone();
        if matches!(self.union.item(), Item::Collapsed(_)) {
            key.push(b'/');
        }
        let is_fault = matches!(self.union.item(), Item::Fault(_));
        let passed = matches!(self.union.item(), Item::End) || self.held.is_passed_by(&key);
        if passed && !is_fault && !self.held.is_before_last(&path) {
            (self.draining, self.again) = (true, true);
            return;
        }
        self.draining = passed && !is_fault;
        let Some(told) = self.tell() else { return };
        if let Some(fault) = self.facts_fault() {
            self.held.insert(&path, fault);
            (self.again, self.warned) = (false, false);
        }
        if told.is_fault() || path != self.last {
            self.held.insert(&path, told);
        }
    }

    /// What the item says; nothing for a row before `after`.
    #[inline]
    fn tell(&mut self) -> Option<Told> {
        let path = self.union.path();
        let below = below(path, self.base);
        match self.union.item() {
            Item::Leaf(kind, info) => {
                let (kind, info) = (*kind, *info);
                match self.filter.verdict(below, path) {
                    Verdict::Omitted(reason, rule) => {
                        Some(Told::Omitted { kind, reason, rule, in_index: info.index })
                    }
                    Verdict::Shown => {
                        let (on_disk, metadata) = look(&mut self.work_tree, path, kind);
                        let (skipped, vcs) = (None, Some(VcsInfo { on_disk, ..info }));
                        let noted = if self.identify { self.union.object() } else { None };
                        let object = noted.map(Box::from);
                        Some(Told::Entry { kind, skipped, vcs, metadata, object })
                    }
                }
            }
            Item::Collapsed(_) if self.is_before_start(below) => None,
            Item::Collapsed(Collapse::Omitted(reason, rule)) => Some(Told::Omitted {
                kind: Kind::Dir,
                reason: *reason,
                rule: *rule,
                in_index: false,
            }),
            Item::Collapsed(Collapse::Row(skip)) => Some(Told::Entry {
                kind: Kind::Dir,
                skipped: Some(*skip),
                vcs: None,
                metadata: look(&mut self.work_tree, path, Kind::Dir).1,
                object: None,
            }),
            Item::Fault(fault) => {
                let message = fault.message.as_str().into();
                Some(Told::Fault { code: fault.code, gap: fault.gap, message, more: fault.more })
            }
            Item::End => None,
        }
    }
}

impl Listing<'_> {
    /// Whether a row comes before the place where the listing resumes.
    fn is_before_start(&self, below: &[u8]) -> bool {
        below < self.after
            || (below == self.after && self.bound == Bound::After && !below.is_empty())
    }
}

/// What is on disk at a path, where there is a disk and that was asked for.
#[inline]
fn look(
    work_tree: &mut Option<WorkTree<'_>>,
    path: &[u8],
    kind: Kind,
) -> (Option<OnDisk>, Option<Box<Metadata>>) {
    let Some(tree) = work_tree else { return (None, None) };
    let (on_disk, metadata) = tree.look(RelPath::assume(path), kind);
    (Some(on_disk), metadata.map(Box::new))
}

/// A path relative to the listed directory; that itself for what lies above it.
fn below(path: &[u8], base: usize) -> &[u8] {
    path.get(base..).unwrap_or_default()
}

/// The directory for which a name has to wait: the shortest `a` for an `a-b` that would be told
/// as one if it were there. A file that only HEAD has waits for the directory of its name.
fn waits_for<'p>(filter: &Filter, path: &'p [u8], item: &Item) -> Option<&'p [u8]> {
    let mut start = 0;
    for (at, byte) in path.iter().enumerate() {
        if *byte == b'/' {
            start = at + 1;
        } else if *byte < b'/' && at > start {
            let is_name = !matches!(&path[start..at], b"." | b"..");
            if is_name && filter.collapse(&path[..at]).is_some() {
                return Some(&path[..at]);
            }
        }
    }
    let replaced = matches!(item, Item::Leaf(_, info) if !info.index);
    Some(path).filter(|path| replaced && filter.collapse(path).is_some())
}

impl Events for Listing<'_> {
    fn advance(&mut self) -> Result<bool, ListError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let result = self.step();
        if let Err(error) = &result {
            self.failed = Some(error.clone());
        }
        result
    }

    fn run(&mut self, each: &mut Each<'_>) -> Result<ControlFlow<()>, ListError> {
        while self.advance()? {
            if each(&self.event(), &self.identity).is_break() || self.follow_index(each).is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn event(&self) -> Event<'_> {
        let (path, told) = match &self.current {
            Current::Here(told) => (below(self.union.path(), self.base), told),
            Current::Held(path, told) => (path.as_slice(), told),
            Current::End => panic!("`event` is called only after `advance` has returned true"),
        };
        let path = RelPath::assume(path);
        match told {
            Told::Entry { kind, skipped, vcs, metadata, object } => Event::Entry(EntryRef {
                path,
                kind: *kind,
                skipped: *skipped,
                metadata: metadata.as_deref(),
                vcs: *vcs,
                ignored_by: None,
                object: object.as_deref(),
            }),
            Told::Omitted { kind, reason, rule, .. } => Event::Omitted(OmissionRef {
                path,
                kind: *kind,
                reason: *reason,
                rule: rule.map(|rule| self.filter.rule(rule)),
            }),
            Told::Fault { code, gap, message, more } => {
                Event::Fault(FaultRef { path, code: *code, gap: *gap, message, more: *more })
            }
        }
    }

    fn seen(&self) -> Seen {
        let (entries, directories, _) = self.union.counts();
        Seen { directories, entries, identity: self.identity }
    }

    /// What is on disk is not part of it.
    fn identity_is_whole(&self) -> bool {
        self.work_tree.is_none()
    }

    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        let region = self.union.region().to_vec();
        let mut dirs = Beyond::new(&self.filter, &region, after, most);
        dirs.add_index(self.union.index(), self.head.as_ref(), &self.known, self.cancel)?;
        dirs.add_head(self.head.as_ref(), self.cancel)?;
        Ok(dirs.finish())
    }
}
