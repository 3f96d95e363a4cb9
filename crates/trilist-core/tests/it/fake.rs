//! A source that says what a script tells it, and a check of what every source promises.

use std::collections::{BTreeMap, BTreeSet};

use trilist_core::{
    Cancel, Digest, EntryRef, Event, Events, FaultCode, FaultRef, Identity, Kind, ListError,
    ListSource, Metadata, Mode, OmissionRef, Query, Reason, RelPath, RelPathBuf, RuleRef, Seen,
    Skip,
};

/// One event, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) path: RelPathBuf,
    pub(crate) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Entry { kind: Kind, skipped: Option<Skip>, metadata: Option<Metadata> },
    Omitted { kind: Kind, reason: Reason, rule: Option<Rule> },
    Fault { code: FaultCode, gap: bool, message: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) source: Vec<u8>,
    pub(crate) line: u32,
    pub(crate) pattern: Vec<u8>,
}

impl Said {
    fn new(path: impl AsRef<[u8]>, what: What) -> Said {
        Said { path: RelPathBuf::new(path.as_ref()).unwrap(), what }
    }

    pub(crate) fn is_entry(&self) -> bool {
        matches!(self.what, What::Entry { .. })
    }

    /// Where the event stands in the order: a fault where its directory's contents begin.
    pub(crate) fn position(&self) -> Vec<u8> {
        let mut key = self.path.as_bytes().to_vec();
        if matches!(self.what, What::Fault { .. }) && !key.is_empty() {
            key.push(b'/');
        }
        key
    }

    fn of(event: &Event<'_>) -> Said {
        let what = match event {
            Event::Entry(entry) => What::Entry {
                kind: entry.kind,
                skipped: entry.skipped,
                metadata: entry.metadata.cloned(),
            },
            Event::Omitted(omission) => What::Omitted {
                kind: omission.kind,
                reason: omission.reason,
                rule: omission.rule.map(|rule| Rule {
                    source: rule.source.to_vec(),
                    line: rule.line,
                    pattern: rule.pattern.to_vec(),
                }),
            },
            Event::Fault(fault) => {
                What::Fault { code: fault.code, gap: fault.gap, message: fault.message.to_owned() }
            }
        };
        Said { path: event.path().to_buf(), what }
    }

    pub(crate) fn event(&self) -> Event<'_> {
        let path = self.path.as_path();
        match &self.what {
            What::Entry { kind, skipped, metadata } => Event::Entry(EntryRef {
                path,
                kind: *kind,
                skipped: *skipped,
                metadata: metadata.as_ref(),
                vcs: None,
                ignored_by: None,
                object: None,
            }),
            What::Omitted { kind, reason, rule } => Event::Omitted(OmissionRef {
                path,
                kind: *kind,
                reason: *reason,
                rule: rule.as_ref().map(|rule| RuleRef {
                    dialect: trilist_core::RuleDialect::Git,
                    source: &rule.source,
                    line: rule.line,
                    pattern: &rule.pattern,
                }),
            }),
            What::Fault { code, gap, message } => {
                Event::Fault(FaultRef { path, code: *code, gap: *gap, message, more: 0 })
            }
        }
    }
}

pub(crate) fn entry(path: impl AsRef<[u8]>, kind: Kind) -> Said {
    Said::new(path, What::Entry { kind, skipped: None, metadata: None })
}

pub(crate) fn file(path: impl AsRef<[u8]>) -> Said {
    entry(path, Kind::File)
}

pub(crate) fn dir(path: impl AsRef<[u8]>) -> Said {
    entry(path, Kind::Dir)
}

pub(crate) fn skipped(path: &str, why: Skip) -> Said {
    Said::new(path, What::Entry { kind: Kind::Dir, skipped: Some(why), metadata: None })
}

pub(crate) fn with_metadata(path: impl AsRef<[u8]>, kind: Kind, metadata: Metadata) -> Said {
    Said::new(path, What::Entry { kind, skipped: None, metadata: Some(metadata) })
}

pub(crate) fn omitted(path: impl AsRef<[u8]>, kind: Kind, reason: Reason) -> Said {
    Said::new(path, What::Omitted { kind, reason, rule: None })
}

pub(crate) fn hidden(path: &str) -> Said {
    omitted(path, Kind::File, Reason::Hidden)
}

pub(crate) fn ignored(path: impl AsRef<[u8]>, source: &str, line: u32, pattern: &str) -> Said {
    let rule = Rule { source: source.into(), line, pattern: pattern.into() };
    let what = What::Omitted { kind: Kind::File, reason: Reason::Ignored, rule: Some(rule) };
    Said::new(path, what)
}

/// A fault through which entries may be missing.
pub(crate) fn gap(path: impl AsRef<[u8]>) -> Said {
    fault(path, FaultCode::PermissionDenied, true)
}

/// A fault that costs no entry.
pub(crate) fn note(path: impl AsRef<[u8]>) -> Said {
    fault(path, FaultCode::IgnorePatternInvalid, false)
}

pub(crate) fn fault(path: impl AsRef<[u8]>, code: FaultCode, gap: bool) -> Said {
    Said::new(path, What::Fault { code, gap, message: "as scripted".to_owned() })
}

/// A source that follows a script.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fake {
    events: Vec<Said>,
    stop: Option<(usize, ListError)>,
    look_ahead: Option<ListError>,
    changes: BTreeMap<Vec<u8>, u64>,
}

impl Fake {
    /// The events are brought into order; a path given twice for the same thing is an error of
    /// the script.
    pub(crate) fn new(mut events: Vec<Said>) -> Fake {
        events.sort_by_key(Said::position);
        Fake { events, ..Fake::default() }
    }

    /// Files `f0000`, `f0001`, and so on.
    pub(crate) fn files(count: usize) -> Fake {
        Fake::new((0..count).map(|n| file(format!("f{n:04}"))).collect())
    }

    /// Every listing stops with `error` instead of its next event once `events` came.
    pub(crate) fn stop(mut self, events: usize, error: ListError) -> Fake {
        self.stop = Some((events, error));
        self
    }

    /// What [`Events::not_reached`] fails with.
    pub(crate) fn blind(mut self, error: ListError) -> Fake {
        self.look_ahead = Some(error);
        self
    }

    /// The directory looks different from now on, `""` being the listed one.
    pub(crate) fn touch(&mut self, dir: &str) {
        *self.changes.entry(dir.as_bytes().to_vec()).or_default() += 1;
    }

    pub(crate) fn events(&self) -> &[Said] {
        &self.events
    }

    pub(crate) fn entries(&self) -> Vec<String> {
        let entries = self.events.iter().filter(|said| said.is_entry());
        entries.map(|said| said.path.to_string()).collect()
    }

    /// Opens the listing after `after` with nothing else asked.
    pub(crate) fn with_open<T>(
        &self,
        after: Option<&RelPathBuf>,
        job: impl FnOnce(&mut (dyn Events + Send)) -> T,
    ) -> T {
        let mut query = Query::new(RelPathBuf::default());
        query.after = after.cloned();
        let cancel = Cancel::new();
        let mut events = self.open(&query, &cancel).unwrap();
        job(&mut *events)
    }

    /// The digest of the directories from the listed one to the parent of `path`.
    fn identity(&self, path: RelPath<'_>) -> Identity {
        let mut digest = Digest::new();
        let mut dir = path;
        while !dir.is_empty() {
            dir = dir.parent();
            let changes = self.changes.get(dir.as_bytes()).copied().unwrap_or(0);
            digest.add(dir.as_bytes()).add_u128(u128::from(changes));
        }
        digest.identity()
    }
}

impl ListSource for Fake {
    fn mode(&self) -> Mode {
        Mode::Fs
    }

    fn open<'a>(
        &'a self,
        query: &'a Query,
        cancel: &'a Cancel,
    ) -> Result<Box<dyn Events + Send + 'a>, ListError> {
        let after = query.after.as_ref();
        let behind =
            |said: &Said| after.is_none_or(|after| said.position().as_slice() > after.as_bytes());
        // A fault with a directory stands at `name/`, so it may lie behind `after` when the
        // directory's own row does not.
        let first = self.events.iter().position(behind).unwrap_or(self.events.len());
        let identity = after.map_or(Identity::default(), |path| self.identity(path.as_path()));
        Ok(Box::new(Run {
            fake: self,
            cancel,
            first,
            given: 0,
            ended: false,
            entered: BTreeSet::new(),
            identity,
        }))
    }
}

struct Run<'a> {
    fake: &'a Fake,
    cancel: &'a Cancel,
    first: usize,
    given: usize,
    ended: bool,
    entered: BTreeSet<&'a [u8]>,
    identity: Identity,
}

impl<'a> Run<'a> {
    fn current(&self) -> &'a Said {
        &self.fake.events[self.first + self.given - 1]
    }
}

impl Events for Run<'_> {
    fn advance(&mut self) -> Result<bool, ListError> {
        self.cancel.check()?;
        match &self.fake.stop {
            Some((after, error)) if self.given == *after => return Err(error.clone()),
            _ => {}
        }
        if self.ended || self.first + self.given == self.fake.events.len() {
            self.ended = true;
            return Ok(false);
        }
        self.given += 1;
        let path = self.current().path.as_path();
        self.entered.insert(path.parent().as_bytes());
        self.identity = self.fake.identity(path);
        Ok(true)
    }

    fn event(&self) -> Event<'_> {
        self.current().event()
    }

    fn seen(&self) -> Seen {
        let (directories, entries) = (self.entered.len() as u64, self.given as u64);
        Seen { directories, entries, identity: self.identity }
    }

    fn not_reached(
        &mut self,
        after: RelPath<'_>,
        most: usize,
    ) -> Result<Vec<RelPathBuf>, ListError> {
        if let Some(error) = &self.fake.look_ahead {
            return Err(error.clone());
        }
        let dirs = self.fake.events.iter().filter(|said| {
            matches!(said.what, What::Entry { kind: Kind::Dir, .. })
                && said.path.as_path().depth() == 1
                && said.path.as_bytes() > after.as_bytes()
        });
        Ok(dirs.map(|said| said.path.clone()).take(most).collect())
    }
}

/// Drains `events` and checks what [`ListSource`] promises of any of them: the order, and that
/// nothing comes after the end. Gives what was said, and the error that ended it.
pub(crate) fn check_events(
    events: &mut dyn Events,
    after: Option<&RelPathBuf>,
) -> (Vec<Said>, Option<ListError>) {
    let mut said: Vec<Said> = Vec::new();
    let end = loop {
        match events.advance() {
            Ok(true) => {}
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
        let event = Said::of(&events.event());
        if let Some(after) = after {
            assert!(event.position() > after.as_bytes().to_vec(), "{event:?} is not after {after}");
        }
        if let Some(last) = said.last() {
            let strictly = !last.is_fault() || !event.is_fault();
            let (last, next) = (last.position(), event.position());
            let in_order = if strictly { last < next } else { last <= next };
            assert!(in_order, "{event:?} does not follow {:?}", said.last());
        }
        said.push(event);
    };
    for _ in 0..2 {
        match (&end, events.advance()) {
            (_, Ok(false)) => {}
            (Some(error), Err(again)) if *error == again => {}
            (end, again) => panic!("after the end ({end:?}) came {again:?}"),
        }
    }
    (said, end)
}

impl Said {
    fn is_fault(&self) -> bool {
        matches!(self.what, What::Fault { .. })
    }
}
