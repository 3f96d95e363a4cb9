//! The walk itself.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::ops::ControlFlow;

use trilist_core::{
    Cancel, EntryRef, Event, Events, FaultCode, FaultRef, Identity, Kind, ListError, Metadata,
    OmissionRef, Query, Reason, RelPath, RelPathBuf, Seen, Skip,
};
use trilist_ignore::{Globs, IgnoreStack, Layer, LayerSwitches, Verdict};
use trilist_root::{Dir, FileId, OpenDirError, ResolveError, Root, Scratch, errno_name};

use crate::frame::{self, Frame};
use crate::names::{Found, Keep, Key, Names, Role};
use crate::rules::{self, OwnedRule, Place, RuleFault, Wanted};

/// Names of version control's own state: shown or counted, never entered, unless the listing
/// starts there.
pub const PROTECTED: [&[u8]; 1] = [b".git"];

/// At most so many descriptors of directories are held; those of ancestors are given back and
/// opened again when the walk returns to them.
const MAX_HELD: usize = 64;
/// Links in a row that a walk follows.
const MAX_LINKS: u32 = 5;
/// Entries between two looks at the cancellation.
const CHECK_EVERY: u64 = 4096;
/// Bounded reads keep at least so many keys: below that a second read would cost more than it
/// saves.
const MIN_KEPT: usize = 512;
/// How many directories beyond a bounded read are remembered for [`Events::not_reached`].
const BEYOND: usize = 64;

/// Which product the walk serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Directories are rows, and protected ones too (mode `fs`).
    Rows,
    /// Directories show only where they are not entered; protected ones are counted (mode
    /// `files`).
    Leaves,
}

/// A walk under way.
pub struct Walk<'a> {
    root: &'a Root,
    query: &'a Query,
    cancel: &'a Cancel,
    style: Style,
    stack: IgnoreStack,
    frames: Vec<Frame>,
    /// The listed directory and what is below it, relative to the root.
    path: Vec<u8>,
    /// Length of `path` up to the listed directory, `/` included.
    base: usize,
    current: Current,
    rule: OwnedRule,
    metadata: Metadata,
    queue: VecDeque<OwnedFault>,
    /// Directories entered, when links are followed.
    visited: HashSet<FileId>,
    /// True while the way to the place to resume after is entered: what there is to say of its
    /// ignore files was said by the pages before.
    resuming: bool,
    /// Whether a directory from the root to the listed one holds `.git`.
    in_repository: bool,
    /// A followed listing is replayed up to here instead of being resumed.
    replay_to: Option<Vec<u8>>,
    scratch: Scratch,
    seen: Seen,
    ended: Option<ListError>,
}

/// What [`Events::event`] shows; the path is in the walk's buffer.
#[derive(Debug, Clone)]
enum Current {
    None,
    Entry { kind: Kind, skipped: Option<Skip> },
    Omitted { kind: Kind, reason: Reason, ruled: bool },
    Fault(OwnedFault),
}

#[derive(Debug, Clone)]
struct OwnedFault {
    /// Relative to the listed directory.
    path: Vec<u8>,
    code: FaultCode,
    gap: bool,
    message: String,
}

/// What the rules say of one entry.
enum Decision {
    Show,
    Omit(Reason, bool),
    Cut(Skip),
}

impl<'a> Walk<'a> {
    /// Starts a walk of `query.base` beneath `root`.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be opened or read, or a glob of the request is no glob.
    pub fn open(
        root: &'a Root,
        query: &'a Query,
        style: Style,
        cancel: &'a Cancel,
    ) -> Result<Self, ListError> {
        cancel.check()?;
        let mut walk = Walk::prepare(root, query, style, cancel)?;
        let digest = walk.enter_parents()?;
        walk.enter_base(digest)?;
        walk.tell_of_repository_above();
        walk.go_to_start()?;
        walk.resuming = false;
        Ok(walk)
    }

    fn prepare(
        root: &'a Root,
        query: &'a Query,
        style: Style,
        cancel: &'a Cancel,
    ) -> Result<Self, ListError> {
        let ignore = &query.ignore;
        let globs = |field: &str, texts: &[String]| {
            Globs::new(texts).map_err(|error| ListError::invalid(field, error, "give another glob"))
        };
        let switches = LayerSwitches {
            builtin: ignore.builtin,
            git: ignore.git,
            dot_ignore: ignore.dot_ignore,
        };
        let exclude = globs("ignore.patterns", &ignore.patterns)?;
        let keep = globs("ignore.keep", &ignore.keep)?;
        let mut stack = IgnoreStack::new(switches, exclude, keep, query.base.as_bytes());
        if ignore.git {
            stack.assume_repository(root.inside_repository());
        }
        let mut path = query.base.as_bytes().to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        Ok(Walk {
            root,
            query,
            cancel,
            style,
            stack,
            frames: Vec::new(),
            base: path.len(),
            path,
            current: Current::None,
            rule: OwnedRule::default(),
            metadata: Metadata::default(),
            queue: VecDeque::new(),
            visited: HashSet::new(),
            resuming: query.after.is_some(),
            in_repository: false,
            replay_to: None,
            scratch: Scratch::default(),
            seen: Seen::default(),
            ended: None,
        })
    }

    /// Puts the rules of the directories from the root down to the listed one's parent in force.
    fn enter_parents(&mut self) -> Result<u128, ListError> {
        let mut digest = 0u128;
        let base = self.query.base.as_path();
        if base.is_empty() || !(self.query.ignore.git || self.query.ignore.dot_ignore) {
            return Ok(digest);
        }
        let mut path = RelPathBuf::default();
        for part in base.components() {
            self.cancel.check()?;
            // A parent that cannot be opened for reading still lets the listed directory be
            // opened; its rules then stay out of force, which the walk says.
            match self.root.open_dir(path.as_path()) {
                Ok(dir) => {
                    let found = found_in(&dir);
                    digest = digest.wrapping_mul(3).wrapping_add(self.enter_rules(
                        &dir,
                        path.as_path(),
                        found,
                    ));
                }
                Err(error) => {
                    self.stack.enter(path.as_bytes(), false, &[]);
                    let message = format!("{}, so its rules are not in force", error);
                    self.tell_rule_faults(vec![RuleFault {
                        path: path.as_bytes().to_vec(),
                        code: FaultCode::IgnoreUnreadable,
                        message,
                    }]);
                }
            }
            path.push(RelPath::assume(part));
        }
        Ok(digest)
    }

    fn enter_base(&mut self, digest: u128) -> Result<(), ListError> {
        let base = self.query.base.as_path();
        let dir = self.root.open_dir(base).map_err(|error| base_error(base, &error))?;
        let id = dir.id().map_err(|error| io_error(base, "look at", &error))?;
        if self.query.follow_symlinks {
            self.visited.insert(id);
        }
        let above = Identity::from_bytes(digest.to_le_bytes());
        let start = self.after_below(b"");
        let frame = self.read(dir, id, above, 0, &start)?;
        self.frames.push(frame);
        Ok(())
    }

    /// Git's rules in force are those from the root down; the reply says when there are more.
    fn tell_of_repository_above(&mut self) {
        if self.resuming || !self.query.ignore.git || self.in_repository {
            return;
        }
        if self.root.inside_repository() {
            let message =
                "the repository's top lies above the root; its rules there are not in force";
            let (path, code) = (Vec::new(), FaultCode::IgnoreBeyondRoot);
            self.queue.push_back(OwnedFault {
                path,
                code,
                gap: false,
                message: message.to_owned(),
            });
        }
    }

    /// Goes down to the directory in which the listing resumes.
    fn go_to_start(&mut self) -> Result<(), ListError> {
        let Some(after) = &self.query.after else { return Ok(()) };
        if self.query.follow_symlinks {
            // Which directories were entered before decides which links are entered now.
            self.replay_to = Some(after.as_bytes().to_vec());
            return Ok(());
        }
        for part in after.as_path().parent().components() {
            let prefix = self.top().prefix;
            self.path.truncate(prefix);
            self.path.extend_from_slice(part);
            if !self.descend(Kind::Dir, true)? {
                break;
            }
        }
        Ok(())
    }

    /// The bound above which keys of the directory `below` (relative to the listed one, with
    /// its `/`) are kept when the listing resumes. It is the next component of the path to
    /// resume after, with `/` where more follows: that directory is entered by itself.
    fn after_below(&self, below: &[u8]) -> Vec<u8> {
        let Some(after) = &self.query.after else { return Vec::new() };
        if self.query.follow_symlinks {
            return Vec::new();
        }
        let Some(rest) = after.as_bytes().strip_prefix(below) else { return Vec::new() };
        match memchr::memchr(b'/', rest) {
            Some(slash) => rest[..=slash].to_vec(),
            None => rest.to_vec(),
        }
    }

    /// Reads a directory and puts its rules in force. `self.path` names it, without `/`, unless
    /// it is the listed one.
    fn read(
        &mut self,
        dir: Dir,
        id: FileId,
        above: Identity,
        depth: u32,
        start: &[u8],
    ) -> Result<Frame, ListError> {
        let most =
            self.query.want.map(|want| want.saturating_add(1).saturating_mul(2).max(MIN_KEPT));
        let beyond = if depth == 0 { BEYOND } else { 0 };
        let links = self.query.follow_symlinks;
        let keep = Keep { above: start, most, links, beyond };
        let (names, error) = self.read_names(&dir, &keep)?;
        let root_path = self.path.strip_suffix(b"/").unwrap_or(&self.path).to_vec();
        let name =
            if depth == 0 { root_path.as_slice() } else { RelPath::assume(&root_path).name() };
        if let Some(error) = error {
            self.fault_at(&root_path, dir_code(&error), true, errno_name(&error));
        }
        let rules = self.enter_rules(&dir, RelPath::assume(&root_path), names.found);
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

    /// Reads names. When the file system fails midway, what it gave is kept and the error comes
    /// with it.
    fn read_names(
        &mut self,
        dir: &Dir,
        keep: &Keep<'_>,
    ) -> Result<(Names, Option<io::Error>), ListError> {
        self.cancel.check()?;
        self.seen.directories += 1;
        let mut names = Names::default();
        let mut stop = None;
        let (cancel, cap, seen) = (self.cancel, self.query.scan_cap, &mut self.seen);
        let read = dir.entries(&mut self.scratch, &mut |entry| {
            seen.entries += 1;
            names.add(entry.name, entry.kind, keep);
            stop = bound_hit(seen.entries, cap, cancel);
            Ok(if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        match stop {
            Some(error) => Err(error),
            None => {
                names.finish(keep);
                Ok((names, read.err()))
            }
        }
    }

    fn enter_rules(&mut self, dir: &Dir, path: RelPath<'_>, found: Found) -> u128 {
        let wanted =
            Wanted { git: self.query.ignore.git, dot_ignore: self.query.ignore.dot_ignore };
        let mut faults = Vec::new();
        let place = Place { root: self.root, dir, path, found };
        let digest = rules::enter(&mut self.stack, wanted, &place, &mut faults);
        self.tell_rule_faults(faults);
        digest
    }

    /// Faults of ignore files are told where their directory is entered, so that they stand in
    /// order. Files above the listed directory are told as its own.
    fn tell_rule_faults(&mut self, faults: Vec<RuleFault>) {
        if self.resuming {
            return;
        }
        for fault in faults {
            let base = &self.path[..self.base];
            let (path, message) = match fault.path.strip_prefix(base) {
                Some(below) => (below.to_vec(), fault.message),
                None => {
                    let above = trilist_core::quote::shown(&fault.path);
                    (Vec::new(), format!("{above}: {}", fault.message))
                }
            };
            self.queue.push_back(OwnedFault { path, code: fault.code, gap: false, message });
        }
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("the listed directory stays until the end")
    }

    /// One step: an event, or only a change of position.
    fn step(&mut self) -> Result<Step, ListError> {
        if let Some(fault) = self.queue.pop_front() {
            self.current = Current::Fault(fault);
            return Ok(Step::Event);
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(Step::End) };
        let Some(key) = frame.names.take() else {
            if !self.read_on()? {
                self.leave();
            }
            return Ok(Step::Moved);
        };
        let prefix = frame.prefix;
        self.path.truncate(prefix);
        let name = frame.names.name(key);
        self.path.extend_from_slice(name);
        match key.role {
            Role::Row => Ok(self.show(key)),
            Role::Descend => {
                self.descend(key.kind, false)?;
                Ok(Step::Moved)
            }
        }
    }

    /// Reads the rest of a directory of which only the smallest names were kept.
    fn read_on(&mut self) -> Result<bool, ListError> {
        let frame = self.top();
        let Some(above) = frame.names.goes_on_above() else { return Ok(false) };
        let most = frame.most.map(|most| most.saturating_mul(4));
        let at = self.frames.len() - 1;
        let beyond = if at == 0 { BEYOND } else { 0 };
        let keep = Keep { above: &above, most, links: self.query.follow_symlinks, beyond };
        let Some(dir) = self.take_dir(at)? else { return Ok(false) };
        let names = self.read_names(&dir, &keep);
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

    fn leave(&mut self) {
        self.frames.pop();
        self.stack.leave();
    }

    /// Shows the entry that `self.path` names, or counts it.
    fn show(&mut self, key: Key) -> Step {
        self.current = match self.decide(key.kind) {
            Decision::Omit(reason, ruled) => Current::Omitted { kind: key.kind, reason, ruled },
            Decision::Cut(skip) => Current::Entry { kind: key.kind, skipped: Some(skip) },
            Decision::Show => {
                let skipped = self.skip_of(key.kind);
                if key.kind == Kind::Dir && self.style == Style::Leaves && skipped.is_none() {
                    return Step::Moved;
                }
                Current::Entry { kind: key.kind, skipped }
            }
        };
        if let Current::Entry { kind, .. } = self.current {
            self.read_metadata(kind);
        }
        Step::Event
    }

    /// What the rules say of the entry at `self.path`.
    fn decide(&mut self, kind: Kind) -> Decision {
        let name = &self.path[self.top().prefix..];
        if PROTECTED.contains(&name) {
            return match (self.style, kind) {
                (Style::Leaves, _) => Decision::Omit(Reason::Protected, false),
                (Style::Rows, Kind::Dir) => Decision::Cut(Skip::Protected),
                (Style::Rows, _) => Decision::Show,
            };
        }
        if !self.query.include_hidden && name.first() == Some(&b'.') {
            return Decision::Omit(Reason::Hidden, false);
        }
        let excluded = self.frames.last().and_then(|frame| frame.excluded.as_ref());
        match self.stack.verdict(&self.path, kind == Kind::Dir) {
            Verdict::Kept(_) if excluded.is_none() => Decision::Show,
            Verdict::Kept(rule) if rule.layer == Layer::Request => Decision::Show,
            Verdict::Ignored(rule) if rule.layer == Layer::Builtin && excluded.is_none() => {
                if self.keeps_below() { Decision::Show } else { Decision::Cut(Skip::Builtin) }
            }
            Verdict::Ignored(rule) => {
                self.rule.set(&rule);
                Decision::Omit(Reason::Ignored, true)
            }
            Verdict::Kept(_) | Verdict::Undecided => match excluded {
                None => Decision::Show,
                Some(rule) => {
                    self.rule.clone_from(rule);
                    Decision::Omit(Reason::Ignored, true)
                }
            },
        }
    }

    /// Whether something below the directory at `self.path` may be kept by the request.
    fn keeps_below(&self) -> bool {
        !self.query.ignore.keep.is_empty() && self.stack.may_keep_below(&self.path)
    }

    /// Why the directory or link at `self.path` will not be entered, as far as can be said
    /// before.
    fn skip_of(&mut self, kind: Kind) -> Option<Skip> {
        let depth = self.top().depth + 1;
        if kind == Kind::Dir {
            if self.is_mount() {
                return Some(Skip::Mount);
            }
            if depth >= self.query.depth {
                return Some(Skip::Depth);
            }
        }
        if self.query.follow_symlinks && self.is_visited(kind) {
            return Some(Skip::Loop);
        }
        None
    }

    fn is_mount(&mut self) -> bool {
        if !self.query.same_filesystem {
            return false;
        }
        let at = self.frames.len() - 1;
        let device = self.frames[at].id.device;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let Ok(Some(dir)) = self.dir(at) else { return false };
        dir.device_of(&name).is_ok_and(|other| other != device)
    }

    fn is_visited(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Dir => {
                let at = self.frames.len() - 1;
                let name = self.path[self.frames[at].prefix..].to_vec();
                let Ok(Some(dir)) = self.dir(at) else { return false };
                dir.open_dir(&name)
                    .and_then(|dir| dir.id())
                    .is_ok_and(|id| self.visited.contains(&id))
            }
            Kind::Symlink => {
                let Ok(resolved) = self.root.resolve(&self.path) else { return false };
                let id = resolved.dir.id();
                self.top().links >= MAX_LINKS || id.is_ok_and(|id| self.visited.contains(&id))
            }
            _ => false,
        }
    }

    fn read_metadata(&mut self, kind: Kind) {
        if !self.query.metadata {
            return;
        }
        let at = self.frames.len() - 1;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let read = match self.dir(at) {
            Ok(Some(dir)) => dir.metadata(&name, kind),
            Ok(None) => Err(io::Error::from(io::ErrorKind::NotFound)),
            Err(_) => return,
        };
        match read {
            Ok(metadata) => self.metadata = metadata,
            Err(error) => {
                self.metadata = Metadata::default();
                self.fault_here(FaultCode::MetadataUnreadable, false, errno_name(&error));
            }
        }
    }

    /// Enters the directory or followed link at `self.path`, if the rules let it be entered.
    /// Says whether it did.
    fn descend(&mut self, kind: Kind, resuming: bool) -> Result<bool, ListError> {
        let depth = self.top().depth + 1;
        let excluded = match self.decide(kind) {
            Decision::Show if depth >= trilist_core::MAX_DEPTH => {
                let message = format!("deeper than {} levels", trilist_core::MAX_DEPTH);
                self.fault_here(FaultCode::DepthCapped, true, message);
                return Ok(false);
            }
            _ if depth >= self.query.depth => return Ok(false),
            Decision::Show => self.frames.last().and_then(|frame| frame.excluded.clone()),
            Decision::Omit(Reason::Ignored, _) if self.keeps_below() => Some(self.rule.clone()),
            _ => return Ok(false),
        };
        let excluded = excluded.or_else(|| self.builtin_rule(kind));
        if kind == Kind::Dir && self.is_mount() {
            self.fault_here(
                FaultCode::MountSkipped,
                false,
                "a mount point was not entered".to_owned(),
            );
            return Ok(false);
        }
        let Some((dir, id, links)) = self.open_child(kind, resuming)? else { return Ok(false) };
        if !self.may_enter(&dir, id)? {
            return Ok(false);
        }
        let above = self.top().identity;
        let below = [&self.path[self.base..], b"/"].concat();
        let start = if resuming { self.after_below(&below) } else { Vec::new() };
        let frame = self.read(dir, id, above, depth, &start)?;
        self.frames.push(Frame { links, excluded, ..frame });
        self.park();
        Ok(true)
    }

    /// A builtin directory that is entered for what the request keeps hides everything else.
    fn builtin_rule(&self, kind: Kind) -> Option<OwnedRule> {
        if self.query.ignore.keep.is_empty() {
            return None;
        }
        match self.stack.verdict(&self.path, kind == Kind::Dir) {
            Verdict::Ignored(rule) if rule.layer == Layer::Builtin => Some(OwnedRule::of(&rule)),
            _ => None,
        }
    }

    /// Opens the child at `self.path`, or tells why not.
    fn open_child(
        &mut self,
        kind: Kind,
        resuming: bool,
    ) -> Result<Option<(Dir, FileId, u32)>, ListError> {
        let links = self.top().links;
        if kind == Kind::Symlink {
            return Ok(self.open_link(links + 1));
        }
        match self.try_open().and_then(|dir| Ok((dir.id()?, dir))) {
            Ok((id, dir)) => Ok(Some((dir, id, links))),
            // Between two pages a directory may go without being missed.
            Err(error) if resuming && error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                self.fault_here(dir_code(&error), true, errno_name(&error));
                Ok(None)
            }
        }
    }

    /// Opens by name beneath the parent's descriptor; without descriptors left, first gives
    /// back those of all ancestors.
    fn try_open(&mut self) -> io::Result<Dir> {
        let at = self.frames.len() - 1;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let Some(dir) = self.dir(at)? else {
            return Err(io::Error::from_raw_os_error(ESTALE));
        };
        match dir.open_dir(&name) {
            Err(error) if is_exhausted(&error) => {
                self.frames[..at].iter_mut().for_each(|frame| frame.dir = None);
                match self.dir(at)? {
                    Some(dir) => dir.open_dir(&name),
                    None => Err(error),
                }
            }
            other => other,
        }
    }

    fn open_link(&mut self, links: u32) -> Option<(Dir, FileId, u32)> {
        match self.root.resolve(&self.path) {
            Ok(_) if links > MAX_LINKS => {
                let message = format!("it is more than {MAX_LINKS} links deep");
                self.fault_here(FaultCode::LinkUnresolved, false, message);
                None
            }
            Ok(resolved) => {
                let id = resolved.dir.id().ok()?;
                Some((resolved.dir, id, links))
            }
            Err(ResolveError::OutsideRoot) => {
                self.fault_here(
                    FaultCode::LinkUnresolved,
                    false,
                    "it leads outside the root".to_owned(),
                );
                None
            }
            Err(_) => None,
        }
    }

    fn may_enter(&mut self, dir: &Dir, id: FileId) -> Result<bool, ListError> {
        if self.query.follow_symlinks && !self.visited.insert(id) {
            let message = "this directory was entered already".to_owned();
            self.fault_here(FaultCode::LinkLoop, false, message);
            return Ok(false);
        }
        let crossed = id.device != self.top().id.device;
        if crossed && dir.is_pseudo().unwrap_or(false) {
            let message = "a pseudo file system was not entered".to_owned();
            self.fault_here(FaultCode::PseudoFsSkipped, false, message);
            return Ok(false);
        }
        Ok(true)
    }

    /// Gives back the descriptor of the ancestor that fell out of the held ones.
    fn park(&mut self) {
        if let Some(at) = self.frames.len().checked_sub(MAX_HELD + 1) {
            self.frames[at].dir = None;
        }
    }

    /// The descriptor of a frame, opened again if it was given back. `None`, with a fault, when
    /// another directory stands there now.
    fn dir(&mut self, at: usize) -> io::Result<Option<&Dir>> {
        if self.frames[at].dir.is_none() {
            let end = self.frames[at].prefix;
            let path = self.path[..end].strip_suffix(b"/").unwrap_or(&self.path[..end]);
            let opened = if self.query.follow_symlinks {
                self.root.resolve(path).map(|resolved| resolved.dir).ok()
            } else {
                self.root.open_dir(RelPath::assume(path)).ok()
            };
            let id = self.frames[at].id;
            self.frames[at].dir = opened.filter(|dir| dir.id().is_ok_and(|now| now == id));
        }
        Ok(self.frames[at].dir.as_ref())
    }

    fn take_dir(&mut self, at: usize) -> Result<Option<Dir>, ListError> {
        if !matches!(self.dir(at), Ok(Some(_))) {
            let message = "another directory stands there now".to_owned();
            self.fault_with_frame(at, FaultCode::DirReplaced, message);
            return Ok(None);
        }
        Ok(self.frames[at].dir.take())
    }

    /// Queues a fault with the entry at `self.path`.
    fn fault_here(&mut self, code: FaultCode, gap: bool, message: String) {
        let path = self.path[self.base..].to_vec();
        self.queue.push_back(OwnedFault { path, code, gap, message });
    }

    /// Queues a fault that hides entries of a directory which the walk is in.
    fn fault_with_frame(&mut self, at: usize, code: FaultCode, message: String) {
        let path = self.path[..self.frames[at].prefix].to_vec();
        let path = path.strip_suffix(b"/").unwrap_or(&path);
        self.fault_at(path, code, true, message);
    }

    /// Queues a fault with a path relative to the root.
    fn fault_at(&mut self, path: &[u8], code: FaultCode, gap: bool, message: String) {
        let path = path.get(self.base..).unwrap_or_default().to_vec();
        self.queue.push_back(OwnedFault { path, code, gap, message });
    }

    fn relative(&self) -> RelPath<'_> {
        RelPath::assume(&self.path[self.base..])
    }

    /// Whether the current event lies before the place that a replayed listing resumes at.
    fn is_replayed(&mut self) -> bool {
        let Some(to) = &self.replay_to else { return false };
        let (path, behind) = match &self.current {
            Current::Fault(fault) => {
                (fault.path.as_slice(), [fault.path.as_slice(), b"/"].concat() > *to)
            }
            _ => (&self.path[self.base..], false),
        };
        if path > to.as_slice() || behind {
            self.replay_to = None;
            return false;
        }
        true
    }
}

impl Events for Walk<'_> {
    fn advance(&mut self) -> Result<bool, ListError> {
        if let Some(error) = &self.ended {
            return Err(error.clone());
        }
        loop {
            match self.step() {
                Ok(Step::Event) if self.is_replayed() => {}
                Ok(Step::Event) => return Ok(true),
                Ok(Step::Moved) => {}
                Ok(Step::End) => return Ok(false),
                Err(error) => {
                    self.ended = Some(error.clone());
                    return Err(error);
                }
            }
        }
    }

    fn event(&self) -> Event<'_> {
        match &self.current {
            Current::Entry { kind, skipped } => Event::Entry(EntryRef {
                path: self.relative(),
                kind: *kind,
                skipped: *skipped,
                metadata: self.query.metadata.then_some(&self.metadata),
                vcs: None,
            }),
            Current::Omitted { kind, reason, ruled } => Event::Omitted(OmissionRef {
                path: self.relative(),
                kind: *kind,
                reason: *reason,
                rule: ruled.then(|| self.rule.as_ref()),
            }),
            Current::Fault(fault) => Event::Fault(FaultRef {
                path: RelPath::assume(&fault.path),
                code: fault.code,
                gap: fault.gap,
                message: &fault.message,
            }),
            Current::None => unreachable!("`event` is called only after `advance` returned true"),
        }
    }

    fn seen(&self) -> Seen {
        let identity = self.frames.last().map_or(Identity::default(), |frame| frame.identity);
        Seen { identity, ..self.seen }
    }

    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        while self.frames.len() > 1 {
            self.leave();
        }
        let Some(frame) = self.frames.first() else { return Ok(Vec::new()) };
        let names: Vec<Vec<u8>> =
            frame.names.dirs_above(after.as_bytes()).map(<[u8]>::to_vec).collect();
        let mut dirs = Vec::new();
        for name in names {
            self.path.truncate(self.base);
            self.path.extend_from_slice(&name);
            if dirs.len() < most && !matches!(self.decide(Kind::Dir), Decision::Omit(..)) {
                dirs.extend(RelPathBuf::new(name));
            }
        }
        Ok(dirs)
    }
}

enum Step {
    Event,
    Moved,
    End,
}

fn bound_hit(entries: u64, cap: Option<u64>, cancel: &Cancel) -> Option<ListError> {
    if let Some(cap) = cap
        && entries > cap
    {
        return Some(ListError::ScanCap { cap });
    }
    if entries.is_multiple_of(CHECK_EVERY) { cancel.check().err() } else { None }
}

/// Which ignore files a directory above the listed one holds, without reading all its names.
fn found_in(dir: &Dir) -> Found {
    let kind = |name: &[u8]| dir.kind_of(name).ok().flatten();
    Found {
        git: kind(b".git"),
        gitignore: kind(b".gitignore").is_some(),
        dot_ignore: kind(b".ignore").is_some(),
        rgignore: kind(b".rgignore").is_some(),
    }
}

const EMFILE: i32 = 24;
const ENFILE: i32 = 23;
const ENOTDIR: i32 = 20;
const ELOOP: i32 = 40;
const ESTALE: i32 = 116;

fn is_exhausted(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(EMFILE | ENFILE))
}

fn dir_code(error: &io::Error) -> FaultCode {
    match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::NotFound, _) => FaultCode::DirVanished,
        (io::ErrorKind::PermissionDenied, _) => FaultCode::PermissionDenied,
        (_, Some(ENOTDIR | ELOOP | ESTALE)) => FaultCode::DirReplaced,
        (_, Some(EMFILE | ENFILE)) => FaultCode::FdExhausted,
        _ => FaultCode::IoError,
    }
}

fn io_error(path: RelPath<'_>, what: &str, error: &io::Error) -> ListError {
    let shown = if path.is_empty() { ".".to_owned() } else { path.to_string() };
    match error.kind() {
        io::ErrorKind::PermissionDenied => ListError::PermissionDenied { asked: shown },
        _ => ListError::Io { what: format!("cannot {what} `{shown}`"), error: errno_name(error) },
    }
}

/// The listed directory was resolved before, so it has changed since.
fn base_error(path: RelPath<'_>, error: &OpenDirError) -> ListError {
    let asked = if path.is_empty() { ".".to_owned() } else { path.to_string() };
    match error {
        OpenDirError::PermissionDenied { .. } => ListError::PermissionDenied { asked },
        OpenDirError::Io { error, .. } => io_error(path, "open", error),
        OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. } => ListError::Io {
            what: format!("cannot open `{asked}`"),
            error: "it changed while it was looked up".to_owned(),
        },
    }
}
