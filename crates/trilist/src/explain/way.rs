//! Going to a path with the listing's own events.

use trilist_core::tally::Tally;
use trilist_core::{
    Cancel, EntryRef, Event, Events as _, ExplainedRule, FaultCode, FaultRef, Identity, Kind,
    ListError, Mode, OmissionRef, Query, Reason, RelPath, RelPathBuf, Skip, VcsInfo,
};

use super::{Of, Telling};

/// What the listing says of a path and of the way to it.
pub(super) struct Way {
    /// The path, relative to the listed directory.
    pub(super) path: RelPathBuf,
    pub(super) end: End,
    /// Where the way ends, if that is before the path: the deepest directory that is left out or
    /// not entered.
    pub(super) stop: Option<Stop>,
    /// The deepest entry on the way that is no directory.
    pub(super) leaf: Option<(RelPathBuf, Kind)>,
    /// What is left out below the path.
    pub(super) below: Tally,
    /// What hides entries on the way.
    pub(super) gap: Option<Gap>,
    pub(super) notes: Vec<String>,
    /// That of the whole listing; only mode `vcs` knows it here.
    pub(super) identity: Option<Identity>,
}

/// What came of it.
pub(super) enum End {
    /// The path, or something below it, is an entry.
    Listed(Found),
    /// The path itself is left out.
    Omitted { reason: Reason, kind: Kind, rule: Option<ExplainedRule> },
    /// Neither was seen.
    Nothing,
    /// A bound came first.
    Bound(ListError),
}

/// An entry at the path or below it.
pub(super) struct Found {
    pub(super) path: RelPathBuf,
    pub(super) kind: Kind,
    pub(super) skipped: Option<Skip>,
    pub(super) vcs: Option<VcsInfo>,
    pub(super) rule: Option<ExplainedRule>,
}

/// Where a way ends.
pub(super) struct Stop {
    pub(super) at: RelPathBuf,
    pub(super) reason: Reason,
    pub(super) rule: Option<ExplainedRule>,
}

/// A fault that hides entries.
pub(super) struct Gap {
    pub(super) at: RelPathBuf,
    pub(super) code: FaultCode,
    pub(super) message: String,
}

/// The most notes that are kept.
const MAX_NOTES: usize = 5;

/// Goes to the path, which is relative to the listed directory.
///
/// # Errors
///
/// When there is no listing, or the caller has cancelled.
pub(super) fn go(
    of: Of<'_>,
    telling: Telling,
    path: RelPathBuf,
    cancel: &Cancel,
) -> Result<Way, ListError> {
    let query = Query {
        probe: Some(path.clone()),
        want: Some(1),
        after: None,
        identify: of.job.plan.query.identify && telling == Telling::All,
        ..of.job.plan.query.clone()
    };
    let mut way = Way::new(path);
    let mut events = of.job.events_of(of.opened, &query, cancel)?;
    loop {
        match events.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error @ (ListError::Timeout | ListError::ScanCap { .. })) => {
                way.end = End::Bound(error);
                break;
            }
            Err(error) => return Err(error),
        }
        let (selected, plain) = (events.event(), events.unselected());
        if way.takes(of.mode(), &selected, &plain) {
            break;
        }
    }
    way.identity = events.identity_is_whole().then(|| events.seen().identity);
    Ok(way)
}

impl Way {
    fn new(path: RelPathBuf) -> Self {
        Way {
            path,
            end: End::Nothing,
            stop: None,
            leaf: None,
            below: Tally::default(),
            gap: None,
            notes: Vec::new(),
            identity: None,
        }
    }

    /// Takes an event, as it is selected and as it is without; says whether it settles the matter.
    fn takes(&mut self, mode: Mode, selected: &Event<'_>, plain: &Event<'_>) -> bool {
        let path = selected.path();
        if let Event::Fault(fault) = selected {
            self.fault(fault);
            return false;
        }
        let probe = self.path.as_path();
        if path == probe {
            return self.at_path(mode, selected);
        }
        match selected {
            _ if probe.below(path).is_some() => self.on_the_way(plain),
            Event::Entry(entry) => {
                self.end = End::Listed(Found::of(entry));
                return true;
            }
            Event::Omitted(omission) => self.below.omit(omission),
            Event::Fault(_) => {}
        }
        false
    }

    /// In mode `fs` the path's own row decides; in the others, what is below may be listed though
    /// the path itself is left out.
    fn at_path(&mut self, mode: Mode, event: &Event<'_>) -> bool {
        match event {
            Event::Entry(entry) => {
                self.end = End::Listed(Found::of(entry));
                true
            }
            Event::Omitted(OmissionRef { reason, kind, rule, .. }) => {
                let rule = rule.map(ExplainedRule::of);
                self.end = End::Omitted { reason: *reason, kind: *kind, rule };
                mode == Mode::Fs
            }
            Event::Fault(_) => false,
        }
    }

    fn on_the_way(&mut self, event: &Event<'_>) {
        let at = event.path().to_buf();
        match event {
            Event::Entry(entry) => {
                let rule = entry.ignored_by.map(ExplainedRule::of);
                if let Some(reason) = stops(entry) {
                    self.stop = Some(Stop { at, reason, rule });
                } else if entry.kind != Kind::Dir {
                    self.leaf = Some((at, entry.kind));
                }
            }
            Event::Omitted(omission) => {
                let rule = omission.rule.map(ExplainedRule::of);
                self.stop = Some(Stop { at, reason: omission.reason, rule });
            }
            Event::Fault(_) => {}
        }
    }

    fn fault(&mut self, fault: &FaultRef<'_>) {
        let at = fault.path.to_buf();
        let on_the_way = is_at_or_above(fault.path, self.path.as_path());
        if !on_the_way {
            self.below.fault(fault);
            return;
        }
        let reason = match fault.code {
            FaultCode::MountSkipped | FaultCode::PseudoFsSkipped => Some(Reason::Mount),
            FaultCode::LinkLoop => Some(Reason::Loop),
            FaultCode::DepthCapped => Some(Reason::Depth),
            _ => None,
        };
        if let Some(reason) = reason {
            self.stop = Some(Stop { at, reason, rule: None });
        } else if fault.gap && !is_note(fault.code) {
            let (code, message) = (fault.code, fault.message.to_owned());
            self.gap = Some(Gap { at, code, message });
        } else if self.notes.len() < MAX_NOTES {
            self.notes.push(format!("{}: {}", fault.code.name(), fault.message));
        }
    }
}

impl Found {
    fn of(entry: &EntryRef<'_>) -> Self {
        Found {
            path: entry.path.to_buf(),
            kind: entry.kind,
            skipped: entry.skipped,
            vcs: entry.vcs,
            rule: entry.ignored_by.map(ExplainedRule::of),
        }
    }
}

/// Why nothing below an entry is listed.
fn stops(entry: &EntryRef<'_>) -> Option<Reason> {
    let ignored = || entry.ignored_by.map(|_| Reason::Ignored);
    entry.skipped.map(Reason::from).or_else(ignored)
}

/// Damage of a repository's parts leaves the others: it does not end the way.
fn is_note(code: FaultCode) -> bool {
    matches!(code, FaultCode::VcsIndexInvalid | FaultCode::VcsEntryInvalid)
}

fn is_at_or_above(dir: RelPath<'_>, path: RelPath<'_>) -> bool {
    dir == path || path.below(dir).is_some()
}
