//! The walk itself.

mod decide;
mod enter;
pub(crate) mod fault;
mod kept;
mod probe;
mod real_way;

use std::collections::{HashMap, HashSet, VecDeque};

use trilist_core::{
    Bound, Cancel, EntryRef, Event, Events, FaultCode, FaultRef, Identity, IgnoreQuery, Kind,
    ListError, Metadata, OmissionRef, Query, Reason, RelPath, RelPathBuf, Seen, Skip,
};
use trilist_ignore::{BuiltinNames, GlobOrigin, Globs, IgnoreStack, LayerSwitches};
use trilist_root::{Dir, FileId, Root, Scratch};

use crate::frame::Frame;
use crate::names::{Found, Names, Role};
use crate::rules::{OwnedRule, RuleFault};
use decide::Decision;
use fault::{OwnedFault, base_error, io_error};
use kept::Kept;

/// At most so many descriptors of directories are held; those of ancestors are given back and
/// opened again when the walk returns to them.
const MAX_HELD: usize = 64;
/// Links in a row that a walk follows.
const MAX_LINKS: u32 = 5;
/// Room for the names of so many directories is kept.
const MAX_SPARE: usize = 4;
/// Entries between two looks at the cancellation.
const CHECK_EVERY: u64 = 4096;
/// Entries that rules are asked about between two looks: a hostile rule set takes milliseconds for
/// each.
const CHECK_ASKED: u32 = 16;
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
    /// Whether targets of links, relative to the listed directory, are entered by their real way.
    real_ways: HashMap<Vec<u8>, bool>,
    /// True while the way to the place to resume after is entered: what there is to say of its
    /// ignore files was said by the pages before.
    resuming: bool,
    /// Whether a directory from the root to the listed one holds `.git`.
    in_repository: bool,
    /// The identity of the way to the place that a replayed listing resumes after, until the
    /// first event.
    replayed: Option<Identity>,
    scratch: Scratch,
    /// Room for names, of directories that were left: siblings are about as large.
    spare: Vec<Names>,
    seen: Seen,
    /// What was found ahead in directories that are not entered yet.
    kept: HashMap<Vec<u8>, Kept>,
    /// Entries that rules were asked about.
    asked: u32,
    ended: Option<ListError>,
}

/// Which keys of a directory are kept when a listing resumes in it: those above this one.
#[derive(Debug, Default)]
struct Start {
    above: Vec<u8>,
    bound: Bound,
}

/// What [`Events::event`] shows; the path is in the walk's buffer.
#[derive(Debug, Clone)]
enum Current {
    None,
    /// `marked` when the walk's rule would leave it out.
    Entry {
        kind: Kind,
        skipped: Option<Skip>,
        marked: bool,
    },
    Omitted {
        kind: Kind,
        reason: Reason,
        ruled: bool,
    },
    Fault(OwnedFault),
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
        walk.tell_of_rules_above();
        walk.go_to_start()?;
        walk.resuming = false;
        Ok(walk)
    }

    pub(crate) fn prepare(
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
        if let Some(names) = &ignore.builtin_names {
            stack.set_builtin(BuiltinNames::of(names));
        }
        let origins = ignore.origins.iter().map(|origin| GlobOrigin {
            first: origin.first,
            source: origin.source.clone(),
            lines: origin.lines.clone(),
        });
        stack.set_origins(origins.collect());
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
            real_ways: HashMap::new(),
            resuming: query.after.is_some(),
            in_repository: false,
            replayed: None,
            scratch: Scratch::default(),
            spare: vec![Names::with_room()],
            seen: Seen::default(),
            kept: HashMap::new(),
            asked: 0,
            ended: None,
        })
    }

    /// Puts the rules of the directories from the root down to the listed one's parent in force.
    fn enter_parents(&mut self) -> Result<u128, ListError> {
        let mut digest = 0u128;
        let base = self.query.base.as_path();
        let IgnoreQuery { git, dot_ignore, tool_files, .. } = &self.query.ignore;
        if base.is_empty() || !(*git || *dot_ignore || !tool_files.is_empty()) {
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
                    self.stack.enter(path.as_bytes(), None, &[]);
                    let message = format!("{}, so its rules are not in force", error);
                    self.tell_rule_faults(vec![RuleFault {
                        path: path.as_bytes().to_vec(),
                        code: FaultCode::IgnoreUnreadable,
                        message,
                        more: 0,
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
        let frame = self.read(dir, Some(id), above, 0, &start)?;
        self.frames.push(frame);
        Ok(())
    }

    /// Goes down to the directory in which the listing resumes.
    fn go_to_start(&mut self) -> Result<(), ListError> {
        let Some(after) = &self.query.after else { return Ok(()) };
        if self.query.follow_symlinks {
            return self.replay(after.as_bytes());
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

    /// Passes over everything up to `to`: when links are followed, which directories were entered
    /// before decides which are entered now. What there is to say was said by the pages before.
    fn replay(&mut self, to: &[u8]) -> Result<(), ListError> {
        self.replayed = Some(Identity::default());
        while let Some(frame) = self.frames.last() {
            if let Some(key) = frame.names.peek() {
                let path = [&self.path[self.base..frame.prefix], key].concat();
                if path.as_slice() > to {
                    break;
                }
                if path == to {
                    self.replayed = Some(frame.identity);
                    if self.query.bound == Bound::At {
                        break;
                    }
                }
            }
            self.step()?;
            self.queue.clear();
        }
        Ok(())
    }

    /// The bound above which keys of the directory `below` (relative to the listed one, with
    /// its `/`) are kept when the listing resumes. It is the next component of the path to
    /// resume after, with `/` where more follows: that directory is entered by itself.
    fn after_below(&self, below: &[u8]) -> Start {
        let Some(after) = &self.query.after else { return Start::default() };
        if self.query.follow_symlinks {
            return Start::default();
        }
        let Some(rest) = after.as_bytes().strip_prefix(below) else { return Start::default() };
        match memchr::memchr(b'/', rest) {
            Some(slash) => Start { above: rest[..=slash].to_vec(), bound: Bound::After },
            None => Start { above: rest.to_vec(), bound: self.query.bound },
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
        if self.is_behind_probe(key.role) {
            self.frames.clear();
            return Ok(Step::End);
        }
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(CHECK_ASKED) && !self.stack.is_plain() {
            self.cancel.check()?;
        }
        match key.role {
            Role::Row => self.show(key),
            Role::Descend => {
                self.descend(key.kind, false)?;
                if !self.kept.is_empty() {
                    self.kept.remove(&self.path);
                }
                Ok(Step::Moved)
            }
        }
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop()
            && self.spare.len() < MAX_SPARE
        {
            self.spare.push(frame.names.emptied());
        }
        self.stack.leave();
    }

    fn relative(&self) -> RelPath<'_> {
        RelPath::assume(&self.path[self.base..])
    }
}

impl Events for Walk<'_> {
    fn advance(&mut self) -> Result<bool, ListError> {
        if let Some(error) = &self.ended {
            return Err(error.clone());
        }
        self.replayed = None;
        loop {
            match self.step() {
                Ok(Step::Event) if self.is_beside_probe() => {}
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
            Current::Entry { kind, skipped, marked } => Event::Entry(EntryRef {
                path: self.relative(),
                kind: *kind,
                skipped: *skipped,
                metadata: self.query.metadata.then_some(&self.metadata),
                vcs: None,
                ignored_by: marked.then(|| self.rule.as_ref()),
                object: None,
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
                more: fault.more,
            }),
            Current::None => unreachable!("`event` is called only after `advance` returned true"),
        }
    }

    fn seen(&self) -> Seen {
        let here = || self.frames.last().map_or(Identity::default(), |frame| frame.identity);
        Seen { identity: self.replayed.unwrap_or_else(here), ..self.seen }
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
        // Without a row a directory is not reached until its contents are.
        let role = match self.style {
            Style::Rows => Role::Row,
            Style::Leaves => Role::Descend,
        };
        let mut dirs = Vec::new();
        for name in frame.names.dirs_above(after.as_bytes(), role) {
            self.path.truncate(self.base);
            self.path.extend_from_slice(&name);
            let has_row = match self.decide(Kind::Dir) {
                Decision::Omit(..) => continue,
                Decision::Cut(_) | Decision::Mark => true,
                Decision::Show => self.query.depth == 1,
            };
            let is_shown = has_row && name.as_slice() <= after.as_bytes();
            if dirs.len() < most && !is_shown {
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

/// Which ignore files a directory above the listed one holds, without reading all its names.
fn found_in(dir: &Dir) -> Found {
    // What cannot be looked at is taken for there: reading it then tells what is wrong.
    let kind = |name: &[u8], likely| dir.kind_of(name).unwrap_or(Some(likely));
    Found {
        git: kind(b".git", Kind::Dir),
        gitignore: kind(b".gitignore", Kind::File),
        dot_ignore: kind(b".ignore", Kind::File),
        rgignore: kind(b".rgignore", Kind::File),
    }
}
