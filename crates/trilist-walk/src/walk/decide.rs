//! What the rules and the query say of one entry.

use std::io;

use trilist_core::{FaultCode, Kind, ListError, Metadata, Reason, RelPath, Skip};
use trilist_ignore::{Layer, Verdict};
use trilist_root::{Dir, errno_name};

use super::kept::Kept;
use super::{Current, MAX_LINKS, Step, Style, Walk};
use crate::names::Key;

/// What the rules say of one entry.
pub(super) enum Decision {
    Show,
    /// Left out; `true` with [`Walk::rule`](super::Walk).
    Omit(Reason, bool),
    /// Shown with the rule that ignores it, and not entered.
    Mark,
    Cut(Skip),
}

impl Walk<'_> {
    /// Shows the entry that `self.path` names, or counts it.
    ///
    /// # Errors
    ///
    /// When a bound is reached in looking ahead.
    pub(super) fn show(&mut self, key: Key) -> Result<Step, ListError> {
        let mut decision = self.decide(key.kind);
        // Of a directory that is left out a part may be shown; then it is the way there.
        if self.is_left_out(&decision, key.kind) && self.kept_below()? == Kept::Something {
            decision = Decision::Show;
        }
        self.current = match decision {
            Decision::Omit(reason, ruled) => Current::Omitted { kind: key.kind, reason, ruled },
            Decision::Cut(skip) => {
                Current::Entry { kind: key.kind, skipped: Some(skip), marked: false }
            }
            Decision::Mark => Current::Entry { kind: key.kind, skipped: None, marked: true },
            Decision::Show => {
                let skipped = self.skip_of(key.kind)?;
                if key.kind == Kind::Dir && self.style == Style::Leaves && skipped.is_none() {
                    return Ok(Step::Moved);
                }
                Current::Entry { kind: key.kind, skipped, marked: false }
            }
        };
        if let Current::Entry { kind, .. } = self.current {
            self.read_metadata(kind);
        }
        Ok(Step::Event)
    }

    /// Whether rules leave out a directory that the request may keep something of.
    fn is_left_out(&self, decision: &Decision, kind: Kind) -> bool {
        let by_rules = matches!(decision, Decision::Omit(Reason::Ignored | Reason::Builtin, _));
        by_rules && kind == Kind::Dir && self.keeps_below()
    }

    /// What the rules say of the entry at `self.path`.
    pub(super) fn decide(&mut self, kind: Kind) -> Decision {
        let name = &self.path[self.top().prefix..];
        let closed = &self.query.closed;
        let may_be_entered =
            kind == Kind::Dir || (kind == Kind::Symlink && self.query.follow_symlinks);
        let excluded = self.frames.last().and_then(|frame| frame.excluded.as_ref());
        if closed.protects(name) {
            return match self.style {
                _ if excluded.is_some() => Decision::Omit(Reason::Protected, false),
                Style::Leaves => Decision::Omit(Reason::Protected, false),
                Style::Rows if may_be_entered => Decision::Cut(Skip::Protected),
                Style::Rows => Decision::Show,
            };
        }
        if may_be_entered && closed.denies(RelPath::assume(&self.path)) {
            return match excluded {
                Some(_) => Decision::Omit(Reason::Protected, false),
                None => Decision::Cut(Skip::Protected),
            };
        }
        if !self.query.include_hidden && name.first() == Some(&b'.') {
            return Decision::Omit(Reason::Hidden, false);
        }
        match self.stack.verdict(&self.path, kind == Kind::Dir) {
            Verdict::Kept(_) if excluded.is_none() => Decision::Show,
            Verdict::Kept(rule) if rule.layer == Layer::Request => Decision::Show,
            Verdict::Ignored(rule) if rule.layer == Layer::Builtin && excluded.is_none() => {
                Decision::Cut(Skip::Builtin)
            }
            Verdict::Ignored(rule) => {
                self.rule.set(&rule);
                // What lies below a marked directory is told by its mark.
                let marks = self.query.ignore.mark && excluded.is_none();
                if marks { Decision::Mark } else { Decision::Omit(Reason::Ignored, true) }
            }
            Verdict::Kept(_) | Verdict::Undecided => match excluded {
                None => Decision::Show,
                Some(rule) => {
                    self.rule.clone_from(rule);
                    Decision::Omit(rule.reason(), true)
                }
            },
        }
    }

    /// Whether something below the directory at `self.path` may be kept by the request.
    pub(super) fn keeps_below(&self) -> bool {
        !self.query.ignore.keep.is_empty() && self.stack.may_keep_below(&self.path)
    }

    /// Why the directory or link at `self.path` will not be entered, as far as can be said
    /// before.
    ///
    /// # Errors
    ///
    /// When a bound is reached in looking ahead.
    pub(super) fn skip_of(&mut self, kind: Kind) -> Result<Option<Skip>, ListError> {
        let depth = self.top().depth + 1;
        if kind == Kind::Dir {
            if self.is_mount() {
                return Ok(Some(Skip::Mount));
            }
            if depth >= self.query.depth {
                return Ok(Some(Skip::Depth));
            }
        }
        if !self.query.follow_symlinks {
            return Ok(None);
        }
        match kind {
            Kind::Dir if self.top().links > 0 => Ok(self.is_visited().then_some(Skip::Loop)),
            Kind::Symlink => self.skip_of_link(),
            _ => Ok(None),
        }
    }

    pub(super) fn is_mount(&mut self) -> bool {
        if !self.query.same_filesystem {
            return false;
        }
        let at = self.frames.len() - 1;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let Ok(Some(dir)) = self.dir(at) else { return false };
        dir.is_mount_point(&name).unwrap_or(false)
    }

    fn is_visited(&mut self) -> bool {
        let at = self.frames.len() - 1;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let Ok(Some(dir)) = self.dir(at) else { return false };
        let id = dir.open_dir(&name).and_then(|dir| dir.id());
        id.is_ok_and(|id| self.visited.contains(&id))
    }

    fn skip_of_link(&mut self) -> Result<Option<Skip>, ListError> {
        let Ok(resolved) = self.root.resolve(&self.path) else { return Ok(None) };
        let target = resolved.path.as_path();
        if self.is_closed(target) {
            return Ok(Some(Skip::Protected));
        }
        let is_loop = self.top().links >= MAX_LINKS
            || resolved.dir.id().is_ok_and(|id| self.visited.contains(&id))
            || self.is_entered_itself(target)?;
        Ok(is_loop.then_some(Skip::Loop))
    }

    /// Whether a place, relative to the root, is closed: denied, or in protected state that the
    /// listing does not start in.
    pub(super) fn is_closed(&self, path: RelPath<'_>) -> bool {
        let below = path.below(self.query.base.as_path()).unwrap_or(path);
        let closed = &self.query.closed;
        below.components().any(|part| closed.protects(part)) || closed.denies(path)
    }

    pub(super) fn read_metadata(&mut self, kind: Kind) {
        if !self.query.metadata {
            return;
        }
        let at = self.frames.len() - 1;
        let name = self.path[self.frames[at].prefix..].to_vec();
        let identify = self.query.identify;
        let read = match self.dir(at) {
            Ok(Some(dir)) => facts(dir, &name, kind, identify),
            Ok(None) => Err(io::Error::from(io::ErrorKind::NotFound)),
            Err(error) => Err(error),
        };
        match read {
            Ok(metadata) => self.metadata = metadata,
            Err(error) => {
                self.metadata = Metadata::default();
                self.fault_here(FaultCode::MetadataUnreadable, false, errno_name(&error));
            }
        }
    }
}

fn facts(dir: &Dir, name: &[u8], kind: Kind, identify: bool) -> io::Result<Metadata> {
    let metadata = dir.metadata(name, kind)?;
    // Of something else by now nothing is told.
    let is_it = identify && metadata != Metadata::default();
    Ok(Metadata { id: if is_it { dir.node_id(name) } else { None }, ..metadata })
}
