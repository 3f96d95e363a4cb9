//! Entering directories.

use std::io;
use std::ops::ControlFlow;

use trilist_core::{
    Cancel, FaultCode, Identity, Kind, ListError, MAX_DEPTH, Reason, RelPath, Skip,
};
use trilist_ignore::{Layer, Verdict};
use trilist_root::{Dir, FileId, OpenDirError, ResolveError, errno_name};

use super::decide::Decision;
use super::fault::{ELOOP, ESTALE, dir_code, is_exhausted, is_gone};
use super::kept::Kept;
use super::{BEYOND, CHECK_EVERY, MAX_HELD, MAX_LINKS, MIN_KEPT, Start, Walk, probe};
use crate::frame::{self, Frame};
use crate::names::{Found, Keep, Names};
use crate::rules::{self, OwnedRule, Place};

/// A directory that is entered next.
pub(super) struct Opened {
    dir: Dir,
    id: Option<FileId>,
    /// Links followed on the way to it.
    links: u32,
    /// What leaves it out, if it is entered only for what the request keeps.
    excluded: Option<OwnedRule>,
}

impl Walk<'_> {
    /// Reads a directory and puts its rules in force. `self.path` names it, without `/`, unless
    /// it is the listed one.
    pub(super) fn read(
        &mut self,
        dir: Dir,
        id: Option<FileId>,
        above: Identity,
        depth: u32,
        start: &Start,
    ) -> Result<Frame, ListError> {
        let most =
            self.query.want.map(|want| want.saturating_add(1).saturating_mul(2).max(MIN_KEPT));
        let beyond = if depth == 0 { BEYOND } else { 0 };
        let links = self.query.follow_symlinks;
        self.cancel.asks_for(self.path.get(self.base..).unwrap_or_default());
        let root_path = self.path.strip_suffix(b"/").unwrap_or(&self.path).to_vec();
        let only = self.next_on_way(&root_path);
        let flat = self.is_last(depth);
        let keep =
            Keep { above: &start.above, bound: start.bound, only, most, links, flat, beyond };
        let (names, error) = self.names_of(&dir, &keep)?;
        let name =
            if depth == 0 { root_path.as_slice() } else { RelPath::assume(&root_path).name() };
        if let Some(error) = error {
            self.fault_at(&root_path, dir_code(&error), true, errno_name(&error));
        }
        let rules = self.enter_rules(&dir, RelPath::assume(&root_path), names.found);
        self.cancel.has_answer();
        if depth > 0 {
            self.path.push(b'/');
        }
        Ok(Frame {
            identity: frame::identity(above, name, &names, rules),
            dir: Some(dir),
            id,
            names,
            prefix: self.path.len(),
            depth,
            links: 0,
            most,
            excluded: None,
        })
    }

    /// Whether nothing is entered in a directory at this depth, because no level below it is asked
    /// for. Below the last level that there can be, each directory is told instead.
    pub(super) fn is_last(&self, depth: u32) -> bool {
        self.query.depth < MAX_DEPTH && depth + 1 >= self.query.depth
    }

    /// The names to go through: those that are read, or the one on the way to a probe.
    fn names_of(
        &mut self,
        dir: &Dir,
        keep: &Keep<'_>,
    ) -> Result<(Names, Option<io::Error>), ListError> {
        let known = keep.only.and_then(|only| probe::look_up(dir, only, keep));
        let Some(names) = known else { return self.read_names(dir, keep) };
        self.cancel.check()?;
        self.seen.directories += 1;
        Ok((names, None))
    }

    /// Reads names. When the file system fails midway, what it gave is kept and the error comes
    /// with it.
    pub(super) fn read_names(
        &mut self,
        dir: &Dir,
        keep: &Keep<'_>,
    ) -> Result<(Names, Option<io::Error>), ListError> {
        self.cancel.check()?;
        self.seen.directories += 1;
        let mut names = self.spare.pop().unwrap_or_default();
        let mut stop = None;
        let (cancel, cap, seen) = (self.cancel, self.query.scan_cap, &mut self.seen);
        let read = dir.entries(&mut self.scratch, &mut |entry| {
            seen.entries += 1;
            names.add(entry.name, entry.kind, keep);
            let bound = match names.overflowed {
                true => Some(ListError::ScanCap { cap: seen.entries }),
                false => bound_hit(seen.entries, cap, cancel),
            };
            let Some(bound) = bound else { return Ok(ControlFlow::Continue(())) };
            stop = Some(bound);
            Ok(ControlFlow::Break(()))
        });
        match stop {
            Some(error) => Err(error),
            None => {
                names.finish(keep);
                Ok((names, read.err()))
            }
        }
    }

    pub(super) fn enter_rules(&mut self, dir: &Dir, path: RelPath<'_>, found: Found) -> u128 {
        let wanted = &self.query.ignore;
        if path.as_bytes().len() < self.base.max(1) {
            self.in_repository |= found.is_repository();
        }
        let place = Place { root: self.root, dir, path, found };
        let mut files = rules::read(wanted, &place);
        if files.is_exhausted() {
            self.give_back(self.frames.len());
            files = rules::read(wanted, &place);
        }
        let (digest, faults) = rules::enter(&mut self.stack, &place, files);
        self.tell_rule_faults(faults);
        digest
    }

    /// Reads the rest of a directory of which only the smallest names were kept.
    pub(super) fn read_on(&mut self) -> Result<bool, ListError> {
        let frame = self.top();
        let Some(above) = frame.names.goes_on_above() else { return Ok(false) };
        // Each time the whole directory is read again, so a page that takes little of it, as one of a
        // rare pattern, must not come back often.
        let most = frame.most.map(|most| most.saturating_mul(16));
        let at = self.frames.len() - 1;
        let beyond = if at == 0 { BEYOND } else { 0 };
        let links = self.query.follow_symlinks;
        let flat = self.is_last(frame.depth);
        let keep = Keep { above: &above, most, links, flat, beyond, ..Keep::default() };
        let Some(dir) = self.take_dir(at)? else { return Ok(false) };
        let end = self.frames[at].prefix.max(self.base + 1) - 1;
        self.cancel.asks_for(self.path.get(self.base..end).unwrap_or_default());
        let names = self.read_names(&dir, &keep);
        self.cancel.has_answer();
        let frame = &mut self.frames[at];
        frame.dir = Some(dir);
        let (names, error) = names?;
        frame.names = names;
        frame.most = most;
        if let Some(error) = error {
            self.fault_with_frame(at, dir_code(&error), errno_name(&error));
        }
        Ok(true)
    }

    /// Enters the directory or followed link at `self.path`, if the rules let it be entered.
    /// Says whether it did.
    pub(super) fn descend(&mut self, kind: Kind, resuming: bool) -> Result<bool, ListError> {
        let Some(opened) = self.open_to_descend(kind, resuming)? else { return Ok(false) };
        let Opened { dir, id, links, excluded } = opened;
        let Frame { depth, identity: above, .. } = *self.top();
        let start = match resuming {
            true => self.after_below(&[&self.path[self.base..], b"/"].concat()),
            false => Start::default(),
        };
        let frame = self.read(dir, id, above, depth + 1, &start)?;
        self.frames.push(Frame { links, excluded, ..frame });
        self.park();
        Ok(true)
    }

    /// Opens the directory or followed link at `self.path`, if the rules let it be entered.
    pub(super) fn open_to_descend(
        &mut self,
        kind: Kind,
        resuming: bool,
    ) -> Result<Option<Opened>, ListError> {
        let depth = self.top().depth + 1;
        let excluded = match self.decide(kind) {
            Decision::Show if depth >= MAX_DEPTH => {
                let message = format!("deeper than {} levels", MAX_DEPTH);
                self.fault_here(FaultCode::DepthCapped, true, message);
                return Ok(None);
            }
            _ if depth >= self.query.depth => return Ok(None),
            Decision::Show => self.frames.last().and_then(|frame| frame.excluded.clone()),
            Decision::Omit(Reason::Ignored | Reason::Builtin, _) | Decision::Mark
                if self.kept_below()? != Kept::Nothing =>
            {
                Some(self.rule.clone())
            }
            // It has its row, and is entered only for what the request keeps.
            Decision::Cut(Skip::Builtin) if self.kept_below()? != Kept::Nothing => None,
            _ => return Ok(None),
        };
        let excluded = excluded.or_else(|| self.builtin_rule(kind));
        if kind == Kind::Dir && self.is_mount() {
            self.fault_here(
                FaultCode::MountSkipped,
                false,
                "a mount point was not entered".to_owned(),
            );
            return Ok(None);
        }
        self.cancel.asks_for(&self.path[self.base..]);
        let opened = self.open_child(kind, resuming)?;
        let entered = opened.filter(|(dir, id, links)| self.may_enter(dir, *id, *links));
        if entered.is_none() {
            self.cancel.has_answer();
        }
        Ok(entered.map(|(dir, id, links)| Opened { dir, id, links, excluded }))
    }

    /// A builtin directory that is entered for what the request keeps hides everything else.
    pub(super) fn builtin_rule(&self, kind: Kind) -> Option<OwnedRule> {
        if self.query.ignore.keep.is_empty() {
            return None;
        }
        match self.stack.verdict(&self.path, kind == Kind::Dir) {
            Verdict::Ignored(rule) if rule.layer == Layer::Builtin => Some(OwnedRule::of(&rule)),
            _ => None,
        }
    }

    /// Opens the child at `self.path`, or tells why not. Of one on the same mount it is not asked
    /// which directory it is, unless each is remembered.
    fn open_child(
        &mut self,
        kind: Kind,
        resuming: bool,
    ) -> Result<Option<(Dir, Option<FileId>, u32)>, ListError> {
        let links = self.top().links;
        if kind == Kind::Symlink {
            return self.open_link(links + 1);
        }
        match self.try_open() {
            Ok((dir, id)) => Ok(Some((dir, id, links))),
            // Between two pages a directory may go, or something else may stand in its place: then
            // nothing below it is missing.
            Err(error) if resuming && is_gone(&error) => Ok(None),
            Err(error) => {
                self.fault_here(dir_code(&error), true, errno_name(&error));
                Ok(None)
            }
        }
    }

    /// Opens by name beneath the parent's descriptor; without descriptors left, first gives
    /// back those of all ancestors.
    fn try_open(&mut self) -> io::Result<(Dir, Option<FileId>)> {
        let at = self.frames.len() - 1;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let is_told = self.query.follow_symlinks;
        let Some(dir) = self.dir(at)? else {
            return Err(io::Error::from_raw_os_error(ESTALE));
        };
        match open(dir, &name, is_told) {
            Err(error) if is_exhausted(&error) => {
                self.give_back(at);
                match self.dir(at)? {
                    Some(dir) => open(dir, &name, is_told),
                    None => Err(error),
                }
            }
            other => other,
        }
    }

    fn open_link(&mut self, links: u32) -> Result<Option<(Dir, Option<FileId>, u32)>, ListError> {
        let resolved = match self.root.resolve(&self.path) {
            Ok(resolved) => resolved,
            Err(error) => {
                self.tell_of_link(&error);
                return Ok(None);
            }
        };
        let target = resolved.path.as_path();
        // Its row says so.
        if self.is_closed(target) {
            return Ok(None);
        }
        if links > MAX_LINKS {
            let message = format!("it is more than {MAX_LINKS} links deep");
            self.fault_here(FaultCode::LinkUnresolved, false, message);
            return Ok(None);
        }
        let Ok(id) = resolved.dir.id() else { return Ok(None) };
        if self.query.same_filesystem && self.is_elsewhere(id) {
            let message = "it leads to another file system".to_owned();
            self.fault_here(FaultCode::MountSkipped, false, message);
            return Ok(None);
        }
        if !self.visited.contains(&id) && self.is_entered_itself(target)? {
            let message = "this directory is listed where it lies".to_owned();
            self.fault_here(FaultCode::LinkLoop, false, message);
            return Ok(None);
        }
        Ok(Some((resolved.dir, Some(id), links)))
    }

    /// Tells why a link leads to no directory, unless it leads to a file.
    fn tell_of_link(&mut self, error: &ResolveError) {
        let (code, gap, message) = match error {
            ResolveError::NotDirectory { .. } => return,
            ResolveError::OutsideRoot => {
                (FaultCode::LinkUnresolved, false, "it leads outside the root".to_owned())
            }
            ResolveError::PermissionDenied { .. } => {
                let message = "it leads where nothing may be read".to_owned();
                (FaultCode::PermissionDenied, true, message)
            }
            ResolveError::Io { error, .. } if error.raw_os_error() != Some(ELOOP) => {
                (dir_code(error), true, errno_name(error))
            }
            ResolveError::Io { .. } => {
                (FaultCode::LinkUnresolved, false, "it leads in a circle".to_owned())
            }
            _ => (FaultCode::LinkUnresolved, false, "it leads nowhere".to_owned()),
        };
        self.fault_here(code, gap, message);
    }

    /// Whether the directory lies on another device than the one that holds it.
    fn is_elsewhere(&mut self, id: FileId) -> bool {
        let top = self.frames.last_mut().and_then(Frame::id);
        top.is_none_or(|top| top.device != id.device)
    }

    fn may_enter(&mut self, dir: &Dir, id: Option<FileId>, links: u32) -> bool {
        // Nobody had to ask: it lies on the same mount.
        let Some(id) = id else { return true };
        let is_new = !self.query.follow_symlinks || self.visited.insert(id);
        // Without a link on the way there is no circle, and what is there is listed there.
        if links > 0 && !is_new {
            let message = "this directory was entered already".to_owned();
            self.fault_here(FaultCode::LinkLoop, false, message);
            return false;
        }
        if self.is_elsewhere(id) && dir.is_pseudo().unwrap_or(false) {
            let message = "a pseudo file system was not entered".to_owned();
            self.fault_here(FaultCode::PseudoFsSkipped, false, message);
            return false;
        }
        true
    }

    /// Gives back the descriptor of the ancestor that fell out of the held ones.
    pub(super) fn park(&mut self) {
        if let Some(at) = self.frames.len().checked_sub(MAX_HELD + 1) {
            self.frames[at].park();
        }
    }

    /// Gives back the descriptors of the topmost frames; they are opened again when needed.
    fn give_back(&mut self, frames: usize) {
        self.frames[..frames].iter_mut().for_each(Frame::park);
    }

    /// The descriptor of a frame, opened again if it was given back. `None` when another directory
    /// stands there now; an error when there are no descriptors left.
    pub(super) fn dir(&mut self, at: usize) -> io::Result<Option<&Dir>> {
        if self.frames[at].dir.is_none() {
            let opened = match self.reopen(at) {
                Err(error) if is_exhausted(&error) => {
                    self.give_back(self.frames.len());
                    self.reopen(at)
                }
                other => other,
            };
            let id = self.frames[at].id;
            self.frames[at].dir = match opened {
                Err(error) if is_exhausted(&error) => return Err(error),
                opened => opened.ok().filter(|dir| dir.id().is_ok_and(|now| Some(now) == id)),
            };
        }
        Ok(self.frames[at].dir.as_ref())
    }

    fn reopen(&self, at: usize) -> io::Result<Dir> {
        let end = self.frames[at].prefix;
        let path = self.path[..end].strip_suffix(b"/").unwrap_or(&self.path[..end]);
        if self.query.follow_symlinks {
            let resolved = self.root.resolve(path);
            return resolved.map(|resolved| resolved.dir).map_err(|error| match error {
                ResolveError::Io { error, .. } => error,
                _ => io::Error::from_raw_os_error(ESTALE),
            });
        }
        self.root.open_dir(RelPath::assume(path)).map_err(|error| match error {
            OpenDirError::Io { error, .. } => error,
            _ => io::Error::from_raw_os_error(ESTALE),
        })
    }

    pub(super) fn take_dir(&mut self, at: usize) -> Result<Option<Dir>, ListError> {
        let (code, message) = match self.dir(at) {
            Ok(Some(_)) => return Ok(self.frames[at].dir.take()),
            Ok(None) => (FaultCode::DirReplaced, "another directory stands there now".to_owned()),
            Err(error) => (dir_code(&error), errno_name(&error)),
        };
        self.fault_with_frame(at, code, message);
        Ok(None)
    }
}

pub(super) fn bound_hit(entries: u64, cap: Option<u64>, cancel: &Cancel) -> Option<ListError> {
    if let Some(cap) = cap
        && entries > cap
    {
        return Some(ListError::ScanCap { cap });
    }
    if entries.is_multiple_of(CHECK_EVERY) { cancel.check().err() } else { None }
}

/// Opens the directory `name`; with its identity if that `is_told`, or if it may lie on another
/// mount.
fn open(dir: &Dir, name: &[u8], is_told: bool) -> io::Result<(Dir, Option<FileId>)> {
    if !is_told && let Some(opened) = dir.open_dir_on_mount(name)? {
        return Ok((opened, None));
    }
    let opened = dir.open_dir(name)?;
    let id = opened.id()?;
    Ok((opened, Some(id)))
}
