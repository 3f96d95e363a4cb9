//! From what the listing and the disk say to an answer.

use trilist_core::cursor::Cursor;
use trilist_core::{
    Bound, Cancel, ExplainedRule, Kind, LinkOnWay, ListError, Mode, Reason, RelPath, RelPathBuf,
    Standing,
};

use super::ground::{Ground, Leads};
use super::way::{End, Found, Way};
use super::{Of, Telling, words};
use crate::resume;
use crate::roots::{self, Alike, Place, shown};
use crate::sources::{self, Memory, Tracked};

/// The answer for a path below the listed directory.
///
/// # Errors
///
/// When the repository cannot be read, or the caller has cancelled.
pub(super) fn of(case: &Case<'_>, cancel: &Cancel) -> Result<Standing, ListError> {
    let mut standing = verdict(case)?;
    cancel.check().or_else(|error| match error {
        ListError::Cancelled => Err(error),
        _ => Ok(()),
    })?;
    if matches!(standing.reason, Some(Reason::Ignored | Reason::Builtin)) {
        standing.overruled = case.overruled(cancel)?;
    }
    standing.notes.extend_from_slice(&case.way.notes);
    standing.notes.extend(words::without_effect(&standing));
    standing.message = words::message(&standing, &case.subject());
    Ok(standing)
}

/// Whether the path is listed, and the reason if not, without words.
///
/// # Errors
///
/// When the repository cannot be read.
pub(super) fn verdict(case: &Case<'_>) -> Result<Standing, ListError> {
    Ok(match &case.way.end {
        End::Listed(found) => case.listed(found),
        End::Omitted { reason, kind, rule } => {
            Standing { kind: Some(*kind), rule: rule.clone(), ..left_out(*reason) }
        }
        End::Bound(error) => Standing {
            reason: Some(Reason::Unknown),
            error: Some(error.reply()),
            ..Standing::default()
        },
        End::Nothing => case.nothing()?,
    })
}

/// Everything that is known of one path in one mode.
pub(super) struct Case<'a> {
    pub(super) memory: &'a Memory,
    pub(super) of: Of<'a>,
    pub(super) telling: Telling,
    /// The place that is asked about.
    pub(super) place: &'a Place,
    pub(super) ground: &'a Ground,
    pub(super) way: Way,
}

fn left_out(reason: Reason) -> Standing {
    Standing { listed: Some(false), reason: Some(reason), ..Standing::default() }
}

impl Case<'_> {
    fn subject(&self) -> words::Subject<'_> {
        let is_below = matches!(&self.way.end, End::Listed(found) if found.path != self.way.path);
        words::Subject {
            mode: self.of.mode(),
            depth: self.of.job.plan.query.depth,
            is_dir: is_below || matches!(self.ground, Ground::Here(Kind::Dir)),
            ground: self.ground,
            is_git: self.way.path.as_path().components().any(|name| name == b".git"),
            why: self.why(),
        }
    }

    /// What the system says of what cannot be read.
    fn why(&self) -> Option<&str> {
        match (&self.way.gap, self.ground) {
            (Some(gap), _) => Some(&gap.message),
            (None, Ground::Unreadable { why, .. }) => Some(why),
            _ => None,
        }
    }

    fn listed(&self, found: &Found) -> Standing {
        let whole = found.path == self.way.path;
        let own = Some(found).filter(|_| whole);
        Standing {
            listed: Some(true),
            kind: Some(own.map_or(Kind::Dir, |found| found.kind)),
            skipped: own.and_then(|found| found.skipped),
            vcs: own.and_then(|found| found.vcs),
            rule: own.and_then(|found| found.rule.clone()),
            cursor: self.cursor(found),
            ..Standing::default()
        }
    }

    /// A cursor whose page starts with the entry. In other orders than that of paths its place
    /// depends on the whole listing.
    fn cursor(&self, found: &Found) -> Option<String> {
        let job = self.of.job;
        if job.request.is_sorted() || self.telling == Telling::Reason {
            return None;
        }
        let cursor = Cursor {
            request: resume::fixed_part(&job.request, &job.place),
            root: resume::place_digest(&job.place),
            ordinal: None,
            after: found.path.clone(),
            bound: Bound::At,
            identity: self.way.identity,
            rank: 0,
        };
        cursor.encode()
    }

    /// Nothing was said of the path itself.
    fn nothing(&self) -> Result<Standing, ListError> {
        if self.of.mode() == Mode::Vcs { self.untracked() } else { Ok(self.not_on_disk()) }
    }

    fn not_on_disk(&self) -> Standing {
        match self.ground {
            Ground::Closed { at } => self.closed(at),
            Ground::Absent { .. } | Ground::NoDirectory { .. } => self.absent(),
            _ if self.way.stop.is_some() => self.stopped(),
            _ if self.way.gap.is_some() => self.unreadable(),
            Ground::Link { at, .. } => self.behind_link(at),
            Ground::Here(Kind::Dir) => self.empty(),
            Ground::Unreadable { at, .. } => {
                Standing { at: Some(self.relative(at)), ..left_out(Reason::Unreadable) }
            }
            // It came while it was looked for.
            Ground::Here(_) => Standing { reason: Some(Reason::Unknown), ..Standing::default() },
        }
    }

    fn untracked(&self) -> Result<Standing, ListError> {
        if let Ground::Closed { at } = self.ground {
            return Ok(self.closed(at));
        }
        if self.way.stop.is_some() && self.is_tracked()? {
            return Ok(self.stopped());
        }
        if self.way.gap.is_some() {
            return Ok(self.unreadable());
        }
        // What has come in the place of a directory on disk is not that directory.
        let is_replaced = matches!(self.ground, Ground::Here(kind) if *kind != Kind::Dir);
        if !is_replaced && !self.way.below.omitted().is_empty() {
            return Ok(self.empty());
        }
        if self.is_protected() {
            return Ok(left_out(Reason::Protected));
        }
        let leaf = self.way.leaf.as_ref().filter(|(_, kind)| *kind == Kind::Submodule);
        Ok(match (self.ground, leaf) {
            (_, Some((at, kind))) => {
                let at = Some(shown(at.as_bytes()));
                Standing { at, kind: Some(*kind), ..left_out(Reason::Submodule) }
            }
            (Ground::Absent { .. } | Ground::NoDirectory { .. }, None) => self.absent(),
            (Ground::Link { at, .. }, None) => self.behind_link(at),
            _ => left_out(Reason::Untracked),
        })
    }

    /// Whether it is version control's own state, or closed itself.
    fn is_protected(&self) -> bool {
        let (path, closed) = (self.place.path.as_path(), &self.of.job.plan.query.closed);
        let is_dir = matches!(self.ground, Ground::Here(Kind::Dir));
        let is_git = self.way.path.as_path().components().any(|name| name == b".git");
        is_git || (is_dir && (closed.protects(path.name()) || closed.denies(path)))
    }

    /// Whether HEAD or the index has the path, or something below it, whatever is left out.
    fn is_tracked(&self) -> Result<bool, ListError> {
        let (place, top) = (&self.of.job.place, self.of.top());
        let path = top.join(self.way.path.as_path());
        let tracked = sources::tracked(&Place { path, ..place.clone() }, self.memory)?;
        Ok(!matches!(tracked, Tracked::Nothing))
    }

    /// The rules that would bring the path back.
    fn overruled(&self, cancel: &Cancel) -> Result<Vec<ExplainedRule>, ListError> {
        let (source, query) = (&self.of.opened.source, &self.of.job.plan.query);
        let kind = self.ground.kind().unwrap_or(Kind::File);
        match source.overruled(query, self.way.path.as_path(), kind, cancel) {
            // Only the naming of them is missing then.
            Err(ListError::Timeout) => Ok(Vec::new()),
            other => other,
        }
    }

    fn stopped(&self) -> Standing {
        let Some(stop) = &self.way.stop else { return left_out(Reason::Unknown) };
        let at = Some(shown(stop.at.as_bytes()));
        Standing { at, rule: stop.rule.clone(), ..left_out(stop.reason) }
    }

    /// Whatever is there, nothing may be told of it.
    fn closed(&self, at: &RelPathBuf) -> Standing {
        if self.way.stop.is_some() {
            return self.stopped();
        }
        Standing { at: Some(self.relative(at)), ..left_out(Reason::Protected) }
    }

    fn unreadable(&self) -> Standing {
        let Some(gap) = &self.way.gap else { return left_out(Reason::Unreadable) };
        let is_itself = gap.at == self.way.path;
        Standing {
            at: (!is_itself).then(|| listed(gap.at.as_path())),
            fault: Some(gap.code),
            ..left_out(Reason::Unreadable)
        }
    }

    fn empty(&self) -> Standing {
        Standing {
            kind: Some(Kind::Dir),
            omitted: self.way.below.omitted(),
            ..left_out(Reason::Empty)
        }
    }

    fn absent(&self) -> Standing {
        let (at, alike) = match self.ground {
            Ground::Absent { missing } => {
                let mut existing = missing.clone();
                existing.pop();
                (Some(existing), self.alike(missing.as_path()))
            }
            Ground::NoDirectory { at, .. } => (Some(at.clone()), Alike::default()),
            _ => (None, Alike::default()),
        };
        let at = at.map(|at| self.relative(&at));
        let notes = alike.caveat().into_iter().collect();
        Standing { at, similar: alike.names, notes, ..left_out(Reason::Absent) }
    }

    /// Names beside one that does not exist which look like it.
    fn alike(&self, missing: RelPath<'_>) -> Alike {
        if self.telling == Telling::Reason {
            return Alike::default();
        }
        let dir = self.place.root.open_dir(missing.parent());
        dir.map(|dir| roots::similar(&dir, missing.name())).unwrap_or_default()
    }

    fn behind_link(&self, at: &RelPathBuf) -> Standing {
        let link = link(self.ground, |at| self.relative(at));
        Standing { at: Some(self.relative(at)), link, ..left_out(Reason::Link) }
    }

    /// A place of the root as the listing spells it.
    fn relative(&self, at: &RelPathBuf) -> String {
        let place = self.place;
        let above = place.path.as_path().depth() - self.way.path.as_path().depth();
        if at.as_path().depth() < above {
            return roots::absolute(&place.root, at);
        }
        let names: Vec<&[u8]> = at.as_path().components().skip(above as usize).collect();
        let bytes = names.join(&b'/');
        if bytes.is_empty() { ".".to_owned() } else { shown(&bytes) }
    }
}

/// The link on the way, if there is one.
pub(super) fn link(ground: &Ground, spell: impl Fn(&RelPathBuf) -> String) -> Option<LinkOnWay> {
    let Ground::Link { at, target, leads } = ground else { return None };
    let leads_to = match leads {
        Leads::To(place) => Some(listed(place.as_path())),
        Leads::Outside | Leads::Nowhere(_) => None,
    };
    Some(LinkOnWay { path: spell(at), target: shown(target), leads_to })
}

fn listed(path: RelPath<'_>) -> String {
    if path.is_empty() { ".".to_owned() } else { shown(path.as_bytes()) }
}
