//! Where a comparison is: the directories above its current path, and what each mode said of them.

use trilist_core::{Event, Kind, Mode, Reason, RelPath, RuleDialect, RuleRef, Skip, VcsInfo};

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

    fn is_listed(&self) -> bool {
        matches!(self, Here::Entry { .. })
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
    unreadable: ByMode<bool>,
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
pub(super) struct Place {
    path: Vec<u8>,
    frames: Vec<Frame>,
    /// The compared directory itself.
    top: Frame,
}

/// A directory that the comparison has left behind.
pub(super) struct Passed {
    frame: Frame,
}

impl Passed {
    /// Whether it is a row now: nothing below it was, or it stands for what is below it.
    pub(super) fn is_row(&self) -> bool {
        let frame = &self.frame;
        frame.folded.is_some() || !(frame.lists_below || frame.is_told)
    }

    pub(super) fn folded(&self) -> Option<Folded> {
        self.frame.folded
    }

    /// What the modes say of the directory itself.
    pub(super) fn cells<'c>(
        &'c self,
        place: &'c Place,
        asked: &ByMode<bool>,
    ) -> ByMode<Option<Cell<'c>>> {
        self.frame.cells(place, asked)
    }

    pub(super) fn path<'p>(&self, place: &'p Place) -> &'p [u8] {
        &place.path[..self.frame.len]
    }
}

impl Place {
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
        let parent = self.frames.iter_mut().rev().find(|frame| frame.is_open);
        parent.unwrap_or(&mut self.top).lists_below |= lists;
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

    /// A mode could not read the directory at the current path.
    pub(super) fn cannot_read(&mut self, mode: Mode) {
        let len = self.path.len();
        let frame = match self.frames.last_mut() {
            _ if len == 0 => &mut self.top,
            Some(frame) if frame.len == len => frame,
            _ => {
                self.frames.push(Frame { len, ..Frame::default() });
                self.frames.last_mut().unwrap_or(&mut self.top)
            }
        };
        *frame.unreadable.mode_mut(mode) = true;
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
    pub(super) fn cut(&self, mode: Mode) -> Option<(Reason, Option<RuleRef<'_>>, RelPath<'_>)> {
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
            Here::Nothing => match self.cut(mode) {
                Some((reason, rule, below)) => Cell::Absent { reason, rule, below: Some(below) },
                None => Cell::Absent { reason: plain_reason(here, mode), rule: None, below: None },
            },
        }
    }
}

impl Frame {
    /// Whether a mode lists it as a submodule.
    fn is_submodule(&self) -> bool {
        let is_one =
            |here: &Here<OwnedRule>| matches!(here, Here::Entry { kind: Kind::Submodule, .. });
        self.here.iter().any(|(_, here)| is_one(here))
    }

    fn cells<'c>(&'c self, place: &'c Place, asked: &ByMode<bool>) -> ByMode<Option<Cell<'c>>> {
        let mut cells = place.cells(&self.here.map(Here::borrowed), asked);
        for (mode, unreadable) in self.unreadable.iter() {
            // Nothing can be said of what a mode draws from what is below.
            if let Some(Cell::Absent { reason, below: None, .. }) = cells.mode_mut(mode)
                && *unreadable
            {
                *reason = Reason::Unreadable;
            }
        }
        cells
    }

    /// Why a mode that does not list what is below the directory does not.
    fn cut(&self, mode: Mode) -> Option<(Reason, Option<RuleRef<'_>>)> {
        if *self.unreadable.mode(mode) {
            return Some((Reason::Unreadable, None));
        }
        match self.here.mode(mode) {
            // These hide a directory's own row and not what is below it.
            Here::Omitted { reason: Reason::Pattern | Reason::Kind, .. } | Here::Nothing => None,
            Here::Omitted { reason, rule, .. } => {
                Some((*reason, rule.as_ref().map(OwnedRule::as_ref)))
            }
            Here::Entry { skipped: Some(skip), .. } => Some(((*skip).into(), None)),
            Here::Entry { rule: Some(rule), .. } => Some((Reason::Ignored, Some(rule.as_ref()))),
            Here::Entry { kind: Kind::Submodule, .. } => Some((Reason::Submodule, None)),
            Here::Entry { .. } => None,
        }
    }
}

/// Why a mode lacks a path of which no event tells.
fn plain_reason(here: &ByMode<Here<RuleRef<'_>>>, mode: Mode) -> Reason {
    let is_protected = matches!(
        (&here.fs, &here.files),
        (Here::Entry { skipped: Some(Skip::Protected), .. }, _)
            | (_, Here::Omitted { reason: Reason::Protected, .. })
    );
    match mode {
        Mode::Vcs if is_protected => Reason::Protected,
        Mode::Vcs => Reason::Untracked,
        Mode::Files if here.fs.is_listed() && here.fs.kind() == Some(Kind::Dir) => Reason::Empty,
        Mode::Fs | Mode::Files => Reason::Absent,
    }
}
