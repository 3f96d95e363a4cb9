//! Where a comparison is: the directories above its current path, and what each mode said of them.

use trilist_core::{Event, Kind, Mode, Reason, RelPath, RuleDialect, RuleRef, Skip, VcsInfo};

use super::disk::Disk;
use super::reply::{ByMode, Cell, Folded};

/// What a mode's stream has at one path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Here<R> {
    #[default]
    Nothing,
    Entry {
        kind: Kind,
        skipped: Option<Skip>,
        vcs: Option<VcsInfo>,
        rule: Option<R>,
    },
    Omitted {
        kind: Kind,
        reason: Reason,
        rule: Option<R>,
    },
}

/// A rule that outlives the event that named it.
#[derive(Debug, Clone)]
pub(super) struct OwnedRule {
    source: Vec<u8>,
    line: u32,
    pattern: Vec<u8>,
    dialect: RuleDialect,
}

impl OwnedRule {
    fn of(rule: RuleRef<'_>) -> Self {
        let RuleRef { source, line, pattern, dialect } = rule;
        OwnedRule { source: source.to_vec(), line, pattern: pattern.to_vec(), dialect }
    }

    fn as_ref(&self) -> RuleRef<'_> {
        let OwnedRule { source, line, pattern, dialect } = self;
        RuleRef { source, line: *line, pattern, dialect: *dialect }
    }
}

impl<'a> Here<RuleRef<'a>> {
    #[inline]
    pub(super) fn of(event: Event<'a>) -> Self {
        match event {
            Event::Entry(entry) => Here::Entry {
                kind: entry.kind,
                skipped: entry.skipped,
                vcs: entry.vcs,
                rule: entry.ignored_by,
            },
            Event::Omitted(omission) => {
                Here::Omitted { kind: omission.kind, reason: omission.reason, rule: omission.rule }
            }
            Event::Fault(_) => Here::Nothing,
        }
    }

    fn owned(&self) -> Here<OwnedRule> {
        match *self {
            Here::Nothing => Here::Nothing,
            Here::Entry { kind, skipped, vcs, rule } => {
                Here::Entry { kind, skipped, vcs, rule: rule.map(OwnedRule::of) }
            }
            Here::Omitted { kind, reason, rule } => {
                Here::Omitted { kind, reason, rule: rule.map(OwnedRule::of) }
            }
        }
    }
}

impl Here<OwnedRule> {
    fn borrowed(&self) -> Here<RuleRef<'_>> {
        match self {
            Here::Nothing => Here::Nothing,
            Here::Entry { kind, skipped, vcs, rule } => Here::Entry {
                kind: *kind,
                skipped: *skipped,
                vcs: *vcs,
                rule: rule.as_ref().map(OwnedRule::as_ref),
            },
            Here::Omitted { kind, reason, rule } => Here::Omitted {
                kind: *kind,
                reason: *reason,
                rule: rule.as_ref().map(OwnedRule::as_ref),
            },
        }
    }
}

impl<R> Here<R> {
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Here::Nothing => None,
            Here::Entry { kind, .. } | Here::Omitted { kind, .. } => Some(*kind),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Here::Nothing)
    }
}

/// Whether something may lie below what has this kind.
pub(super) fn holds_more(kind: Kind) -> bool {
    matches!(kind, Kind::Dir | Kind::Submodule)
}

/// A directory on the way, or one whose contents have not come yet.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// How many bytes of the current path are its path.
    len: usize,
    /// Whether the current path lies below it. If not, a name such as `a-b` has come between the
    /// directory `a` and its contents.
    is_open: bool,
    here: ByMode<Here<OwnedRule>>,
    /// Why a mode's listing cannot tell what it holds.
    gap: ByMode<Option<Reason>>,
    /// Whether a mode leaves out something below it.
    omits_below: ByMode<bool>,
    /// No directory on disk, but a leaf of this kind that was told: what is below its name only
    /// version control has.
    leaf: Option<Kind>,
    /// Whether a mode lists something below it.
    lists_below: bool,
    folded: Option<Folded>,
    /// Whether it was told as a row before what is below it.
    is_told: bool,
}

/// The way to the current path.
///
/// Every directory on it, and every one that waits, is a prefix of the current path: so all that is
/// held of their names is their lengths.
#[derive(Debug, Default)]
pub(super) struct Place<'d> {
    path: Vec<u8>,
    frames: Vec<Frame>,
    /// The compared directory itself.
    top: Frame,
    /// What tells of a path below a directory that the listings do not enter whether it is there.
    disk: Option<Disk<'d>>,
}

/// A directory that the comparison has left behind.
pub(super) struct Passed {
    frame: Frame,
}

impl Passed {
    /// Whether it is a row now: nothing below it was, or it stands for what is below it.
    pub(super) fn is_row(&self) -> bool {
        let frame = &self.frame;
        frame.folded.is_some() || !(frame.lists_below || frame.is_told || frame.leaf.is_some())
    }

    /// Whether a mode lists it or something below it, when it is no row now.
    pub(super) fn lists(&self) -> bool {
        self.frame.lists_below || self.frame.is_told
    }

    pub(super) fn folded(&self) -> Option<Folded> {
        self.frame.folded
    }

    /// Which modes leave out it or something below it.
    pub(super) fn omits(&self) -> ByMode<bool> {
        self.frame.omits()
    }

    /// What the modes say of the directory itself.
    pub(super) fn cells<'c>(
        &'c self,
        place: &'c Place<'_>,
        asked: &ByMode<bool>,
    ) -> ByMode<Option<Cell<'c>>> {
        self.frame.cells(place, asked)
    }

    pub(super) fn path<'p>(&self, place: &'p Place<'_>) -> &'p [u8] {
        &place.path[..self.frame.len]
    }
}

impl<'d> Place<'d> {
    pub(super) fn new(disk: Option<Disk<'d>>) -> Self {
        Place { disk, ..Place::default() }
    }

    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// Takes away the innermost directory that does not lie on the way to `next`, if there is one:
    /// all at the end.
    pub(super) fn pass(&mut self, next: Option<&[u8]>) -> Option<Passed> {
        let frame = self.frames.last()?;
        let stays = next.is_some_and(|next| {
            let same = next.get(..frame.len).is_some_and(|start| *start == self.path[..frame.len]);
            same && next.get(frame.len).is_none_or(|byte| *byte <= b'/')
        });
        if stays { None } else { self.frames.pop().map(|frame| Passed { frame }) }
    }

    /// A passed directory is told: what it knows of its contents is now known of its parent's.
    pub(super) fn note(&mut self, lists: bool) {
        self.parent().lists_below |= lists;
    }

    /// Modes leave out the current path, or something below the directory just passed.
    pub(super) fn omits(&mut self, modes: &ByMode<bool>) {
        let parent = self.parent();
        parent.omits_below = ByMode::of(|mode| *parent.omits_below.mode(mode) | *modes.mode(mode));
    }

    /// The innermost open directory.
    fn parent(&mut self) -> &mut Frame {
        let parent = self.frames.iter_mut().rev().find(|frame| frame.is_open);
        parent.unwrap_or(&mut self.top)
    }

    /// Goes on to a path all of whose leavings were passed.
    pub(super) fn go(&mut self, path: &[u8]) {
        self.path.clear();
        self.path.extend_from_slice(path);
    }

    /// Opens the next directory on the way to the current path, and says how long its path is.
    #[inline]
    pub(super) fn open_next(&mut self) -> Option<usize> {
        let open = self.frames.iter().rev().find(|frame| frame.is_open);
        let from = open.map_or(0, |frame| frame.len + 1);
        let len = from + memchr::memchr(b'/', self.path.get(from..)?)?;
        match self.frames.last_mut() {
            Some(frame) if frame.len == len => frame.is_open = true,
            _ => self.frames.push(Frame { len, is_open: true, ..Frame::default() }),
        }
        Some(len)
    }

    /// The current path is a directory; its contents are still to come, if there are any.
    pub(super) fn wait(&mut self, here: &ByMode<Here<RuleRef<'_>>>) {
        let frame = Frame { len: self.path.len(), here: here.map(Here::owned), ..Frame::default() };
        self.frames.push(frame);
    }

    /// The current path was told as a leaf. What an index has below its name comes later.
    pub(super) fn remember(&mut self, leaf: Kind, here: &ByMode<Here<RuleRef<'_>>>) {
        let (len, here) = (self.path.len(), here.map(Here::owned));
        self.frames.push(Frame { len, here, leaf: Some(leaf), ..Frame::default() });
    }

    /// A mode cannot tell what the directory at the current path holds.
    pub(super) fn cannot_tell(&mut self, mode: Mode, reason: Reason) {
        let len = self.path.len();
        let frame = match self.frames.last_mut() {
            _ if len == 0 => &mut self.top,
            Some(frame) if frame.len == len => frame,
            _ => {
                self.frames.push(Frame { len, ..Frame::default() });
                self.frames.last_mut().unwrap_or(&mut self.top)
            }
        };
        *frame.gap.mode_mut(mode) = Some(reason);
    }

    /// What the modes say of the innermost directory, just opened, if one of them lists it as a
    /// submodule: that is a row beside those of what is below it.
    pub(super) fn submodule(&self, asked: &ByMode<bool>) -> Option<ByMode<Option<Cell<'_>>>> {
        let frame = self.frames.last().filter(|frame| frame.is_submodule())?;
        let mut cells = frame.cells(self, asked);
        // It is not empty, but no directory is a row of this mode.
        if let Some(Cell::Absent { reason: reason @ Reason::Empty, .. }) = &mut cells.files {
            *reason = Reason::Kind;
        }
        Some(cells)
    }

    /// Whether the innermost directory, just opened, was told as something else.
    pub(super) fn is_leaf(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.leaf.is_some())
    }

    /// Whether the innermost directory, just opened, is not on disk, as far as the listings tell.
    pub(super) fn is_gone(&self) -> bool {
        let is_unseen = |frame: &Frame| frame.here.fs.is_nothing() && frame.here.files.is_nothing();
        self.frames.last().is_some_and(is_unseen) && self.cut(Mode::Fs).is_none()
    }

    /// The innermost directory was told.
    pub(super) fn told(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.is_told = true;
        }
    }

    /// The innermost directory, just opened, stands for everything below it.
    pub(super) fn fold(&mut self, folded: Folded) {
        if let Some(frame) = self.frames.last_mut() {
            self.path.truncate(frame.len);
            self.path.push(b'/');
            frame.folded = Some(folded);
        }
    }

    /// Why a mode lists nothing below the innermost open directory that it would list elsewhere.
    pub(super) fn cut(&self, mode: Mode) -> Option<Cut<'_>> {
        let open = self.frames.iter().rev().filter(|frame| frame.is_open);
        open.chain([&self.top]).find_map(|frame| {
            let (reason, rule) = frame.cut(mode)?;
            Some((reason, rule, RelPath::assume(&self.path[..frame.len])))
        })
    }

    /// What each mode says of a path whose directories are open; nothing of those that could not be
    /// asked.
    pub(super) fn cells<'c>(
        &'c self,
        here: &ByMode<Here<RuleRef<'c>>>,
        asked: &ByMode<bool>,
    ) -> ByMode<Option<Cell<'c>>> {
        ByMode::of(|mode| asked.mode(mode).then(|| self.cell(here, mode)))
    }

    fn cell<'c>(&'c self, here: &ByMode<Here<RuleRef<'c>>>, mode: Mode) -> Cell<'c> {
        match *here.mode(mode) {
            Here::Entry { kind, skipped, vcs, rule } => Cell::Listed { kind, skipped, vcs, rule },
            Here::Omitted { reason, rule, .. } => Cell::Absent { reason, rule, below: None },
            Here::Nothing => {
                let cut = self.cut(mode);
                let (reason, rule, below) = match mode {
                    Mode::Vcs => self.unknown_to_vcs(here, cut),
                    Mode::Fs | Mode::Files => self.unseen(here, mode, cut),
                };
                Cell::Absent { reason, rule, below }
            }
        }
    }

    /// Why version control has no event at the current path.
    fn unknown_to_vcs<'c>(
        &'c self,
        here: &ByMode<Here<RuleRef<'c>>>,
        cut: Option<Cut<'c>>,
    ) -> Why<'c> {
        let is_git = || self.path.split(|byte| *byte == b'/').any(|name| name == b".git");
        match cut {
            Some((Reason::Unreadable, rule, below)) => (Reason::Unreadable, rule, Some(below)),
            _ if is_protected(here) || is_git() => (Reason::Protected, None, None),
            Some((reason, rule, below)) => (reason, rule, Some(below)),
            None => (Reason::Untracked, None, None),
        }
    }

    /// Why a mode on disk has no event at the current path. That nothing is there comes first.
    fn unseen<'c>(
        &'c self,
        here: &ByMode<Here<RuleRef<'c>>>,
        mode: Mode,
        cut: Option<Cut<'c>>,
    ) -> Why<'c> {
        match cut {
            _ if !self.is_on_disk(here) => (Reason::Absent, None, None),
            Some((reason, rule, below)) => (reason, rule, Some(below)),
            None if mode == Mode::Files && here.fs.kind() == Some(Kind::Dir) => {
                (Reason::Empty, None, None)
            }
            None => (Reason::Absent, None, None),
        }
    }

    /// Whether something is at the current path, or a link is on the way to it. The disk is asked
    /// only where the listings do not go.
    fn is_on_disk(&self, here: &ByMode<Here<RuleRef<'_>>>) -> bool {
        if !(here.fs.is_nothing() && here.files.is_nothing()) {
            return true;
        }
        match (self.cut(Mode::Fs), &self.disk) {
            (None, _) => false,
            (Some((Reason::Link, ..)), _) | (_, None) => true,
            (Some(_), Some(disk)) => disk.has(&self.path),
        }
    }
}

/// Whether the modes on disk say that it is closed.
fn is_protected(here: &ByMode<Here<RuleRef<'_>>>) -> bool {
    matches!(
        (&here.fs, &here.files),
        (Here::Entry { skipped: Some(Skip::Protected), .. }, _)
            | (_, Here::Omitted { reason: Reason::Protected, .. })
    )
}

/// Why a mode lists nothing below a directory, the rule, and that directory.
type Cut<'c> = (Reason, Option<RuleRef<'c>>, RelPath<'c>);
/// The same of a path, with the directory above it that the reason holds for.
type Why<'c> = (Reason, Option<RuleRef<'c>>, Option<RelPath<'c>>);

impl Frame {
    /// Whether a mode lists it as a submodule.
    fn is_submodule(&self) -> bool {
        let is_one =
            |here: &Here<OwnedRule>| matches!(here, Here::Entry { kind: Kind::Submodule, .. });
        self.here.iter().any(|(_, here)| is_one(here))
    }

    fn cells<'c>(&'c self, place: &'c Place<'_>, asked: &ByMode<bool>) -> ByMode<Option<Cell<'c>>> {
        let mut cells = place.cells(&self.here.map(Here::borrowed), asked);
        for mode in Mode::ALL {
            let Some(Cell::Absent { reason, rule: None, below: None }) = cells.mode_mut(mode)
            else {
                continue;
            };
            match *self.gap.mode(mode) {
                // Nothing can be said of what a mode draws from what is below.
                Some(gap) => *reason = gap,
                None if *self.omits_below.mode(mode) && *reason == Reason::Untracked => {
                    *reason = Reason::Empty;
                }
                None => {}
            }
        }
        cells
    }

    /// What it and its contents say of the directory above.
    fn omits(&self) -> ByMode<bool> {
        ByMode::of(|mode| {
            let is_omitted = matches!(self.here.mode(mode), Here::Omitted { .. });
            is_omitted || *self.omits_below.mode(mode)
        })
    }

    /// Why a mode that does not list what is below the directory does not.
    fn cut(&self, mode: Mode) -> Option<(Reason, Option<RuleRef<'_>>)> {
        if let Some(gap) = *self.gap.mode(mode) {
            return Some((gap, None));
        }
        let link = || {
            (self.leaf == Some(Kind::Symlink) && mode != Mode::Vcs).then_some((Reason::Link, None))
        };
        match self.here.mode(mode) {
            Here::Nothing => None,
            // These hide a directory's own row and not what is below it.
            Here::Omitted { reason: Reason::Pattern | Reason::Kind, .. } => link(),
            Here::Omitted { reason, rule, .. } => {
                Some((*reason, rule.as_ref().map(OwnedRule::as_ref)))
            }
            Here::Entry { skipped: Some(skip), .. } => Some(((*skip).into(), None)),
            Here::Entry { rule: Some(rule), .. } => Some((Reason::Ignored, Some(rule.as_ref()))),
            Here::Entry { kind: Kind::Submodule, .. } => Some((Reason::Submodule, None)),
            Here::Entry { .. } => link(),
        }
    }
}
