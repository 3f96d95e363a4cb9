//! Where a request is to be answered, and whether the host lets it be.

use std::path::Path;

use trilist_core::cursor::Cursor;
use trilist_core::{Kind, ListError, ListRequest, Mode, PathArg, RelPath, RelPathBuf, quote};
use trilist_root::gitdir;
use trilist_root::{OpenDirError, Root, errno_name};

use crate::approval::{Asking, Permission, QuestionKind, below};
use crate::lister::Lister;
use crate::resume;
use crate::roots::{self, Place, argument, shown, whole};
use crate::sources::{self, Tracked};

impl Lister {
    /// The place that a request means: below a root, or outside the roots where the host approves.
    ///
    /// # Errors
    ///
    /// As [`Lister::list`].
    pub(crate) fn locate(
        &self,
        request: &ListRequest,
        asking: &Asking<'_>,
    ) -> Result<Place, ListError> {
        let asked = match request.path.as_bytes() {
            b"" => b".",
            asked => asked,
        };
        match self.locate_inside(request.mode, asked) {
            Err(error @ ListError::OutsideRoot { .. }) => {
                match roots::outside(self.slots(), asked) {
                    Some(path) if self.policy().external_directory != Permission::Deny => {
                        self.locate_outside(&path, asked, asking)
                    }
                    _ => Err(error),
                }
            }
            found => found,
        }
    }

    fn locate_inside(&self, mode: Mode, asked: &[u8]) -> Result<Place, ListError> {
        let found = roots::locate(self.slots(), self.gate(), asked);
        if mode != Mode::Vcs {
            return found;
        }
        // A tracked name may be gone from disk, or have become a link there.
        let Ok(named) = roots::locate_absent(self.slots(), asked) else { return found };
        let same = found.as_ref().is_ok_and(|found| found.path == named.path);
        if same || matches!(found, Err(ListError::DeniedByPolicy { .. })) {
            return found;
        }
        match (sources::tracked(&named, self.memory()), &found) {
            // That it is no directory is the source's to say.
            (Ok(Tracked::Below), _) | (Ok(Tracked::Itself), Err(ListError::NotFound { .. })) => {
                self.gate().admit(&named, asked).map(|()| named)
            }
            (Err(error), Err(ListError::NotFound { .. } | ListError::NotDirectory { .. })) => {
                Err(error)
            }
            _ => found,
        }
    }

    /// The place of an absolute path outside every root. Before the host has approved of it nothing
    /// there is looked at, so that no answer tells what exists.
    fn locate_outside(
        &self,
        path: &[u8],
        asked: &[u8],
        asking: &Asking<'_>,
    ) -> Result<Place, ListError> {
        self.gate().admit_outside(path, asked)?;
        let approved = match self.policy().external_directory {
            Permission::Ask => {
                self.approvals().approved(QuestionKind::ExternalDirectory, path, asked, asking)?
            }
            _ => path.to_vec(),
        };
        let root = asking.root(&approved, || open_outside(&approved, asked))?;
        let relative = below(&approved, path).unwrap_or_default();
        let place = roots::locate_in(self.slots(), self.gate(), root, relative, asked)?;
        Ok(Place { is_outside: true, ..place })
    }

    /// Asks the host whether a directory may be listed, where the policy wants that.
    ///
    /// # Errors
    ///
    /// [`ListError::ApprovalRequired`], [`ListError::DeniedByPolicy`], [`ListError::Cancelled`].
    pub(crate) fn approve(
        &self,
        request: &ListRequest,
        place: &Place,
        asking: &Asking<'_>,
    ) -> Result<(), ListError> {
        let asked = request.path.as_bytes();
        match self.policy().list {
            Permission::Allow => return Ok(()),
            Permission::Ask => {}
            Permission::Deny => {
                let instead = "The host lets nothing be listed.".to_owned();
                return Err(ListError::DeniedByPolicy { asked: argument(asked), instead });
            }
        }
        let path = match request.subtree {
            true => place.whole(),
            false => whole(place.root.path(), top_of(place).as_bytes()),
        };
        self.approvals().approved(QuestionKind::List, &path, asked, asking).map(|_| ())
    }

    /// Asks what a listing will ask, so that the time of the answers does not count as its own. What
    /// goes wrong does so again in the listing.
    pub(crate) fn ask_ahead(&self, request: &ListRequest, asking: &Asking<'_>) {
        // Which directory a pinned listing is of only the listing tells.
        if self.approvals().is_none() || request.snapshot.is_some() || request.since.is_some() {
            return;
        }
        let cursor = request.cursor.as_deref().map(Cursor::decode).transpose();
        let placed = cursor.and_then(|cursor| self.placed(request, cursor.as_ref(), asking));
        let _ = placed.and_then(|(request, place)| self.approve(&request, &place, asking));
    }

    /// The request that a cursor continues, at its place.
    pub(crate) fn continued(
        &self,
        request: &ListRequest,
        cursor: &Cursor,
        asking: &Asking<'_>,
    ) -> Result<(ListRequest, Place), ListError> {
        let merged = resume::merge(request, &cursor.request, self.policy()).map_err(|field| {
            let reason = format!("`{field}` differs from the request that it continues");
            ListError::InvalidCursor { reason }
        })?;
        let other = |reason: &str| ListError::InvalidCursor { reason: reason.to_owned() };
        let base = canonical(&cursor.request);
        let mut roots = self.slots().iter().filter_map(|slot| slot.open().ok());
        let root = roots.find(|root| resume::root_digest(root) == cursor.root);
        let path = match &root {
            Some(root) => resume::absolute(root, &base),
            // Outside the roots it is the path itself, of which the host is asked again.
            None if base.starts_with(b"/") => base.into(),
            None => return Err(other("it was made for another root")),
        };
        let place = self.locate(&ListRequest { path, ..merged.clone() }, asking)?;
        if root.is_none() && resume::place_digest(&place) != cursor.root {
            return Err(other("it was made for another root"));
        }
        if request.path != PathArg::default() {
            let asked = self.locate(request, asking)?;
            if asked.whole() != place.whole() {
                return Err(other("`path` differs from the request that it continues"));
            }
        }
        Ok((merged, place))
    }
}

/// The path in a cursor's request: canonical, relative to its root, possibly quoted.
fn canonical(request: &ListRequest) -> Vec<u8> {
    match request.path.as_bytes() {
        b"." => Vec::new(),
        path => quote::unquoted(path).unwrap_or_else(|| path.to_vec()),
    }
}

/// The top of the repository around a place; the place itself without one.
fn top_of(place: &Place) -> RelPathBuf {
    let others: Vec<&Root> = place.others.iter().map(AsRef::as_ref).collect();
    match gitdir::discover_among(&place.root, &others, place.path.as_path()) {
        Ok(Some(repository)) => repository.top,
        _ => place.path.clone(),
    }
}

/// Opens a directory that the host has approved of, by that very path.
fn open_outside(path: &[u8], asked: &[u8]) -> Result<Root, ListError> {
    let relative = path.strip_prefix(b"/").unwrap_or(path);
    let relative = RelPath::new(relative)
        .map_err(|error| ListError::invalid("path", argument(asked), error.to_string()))?;
    let absolute = |path: RelPath<'_>| shown(&whole(b"/", path.as_bytes()));
    Root::open_unlinked(relative).map_err(|error| match error {
        OpenDirError::NotFound { path } => ListError::NotFound {
            asked: argument(asked),
            within: absolute(path.as_path().parent()),
            // An approval of one directory is none to name what is beside it.
            similar: Vec::new(),
            hint: None,
        },
        OpenDirError::NotDirectory { path, kind: Kind::Symlink } => {
            ListError::DeniedByPolicy { asked: argument(asked), instead: behind(path.as_path()) }
        }
        OpenDirError::NotDirectory { path, kind } => ListError::NotDirectory {
            asked: absolute(path.as_path()),
            kind: if kind == Kind::Other { "pipe, socket or device" } else { kind.name() },
            parent: absolute(path.as_path().parent()),
        },
        OpenDirError::PermissionDenied { .. } => {
            ListError::PermissionDenied { asked: argument(asked) }
        }
        OpenDirError::Io { error, .. } => ListError::Io {
            what: format!("cannot open `{}`", argument(asked)),
            error: errno_name(&error),
        },
    })
}

/// What to ask for instead of a path through a link.
fn behind(link: RelPath<'_>) -> String {
    let at = shown(&whole(b"/", link.as_bytes()));
    let target = Root::open(Path::new("/")).ok().and_then(|top| top.link_at(link).ok());
    let target = target.map(|target| format!(" to `{}`", shown(&target))).unwrap_or_default();
    format!(
        "`{at}` is a link{target}, and approved is only what a path names: ask for the directory itself."
    )
}
