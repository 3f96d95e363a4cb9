//! The path that is asked about, and where it lies in a listing.

use trilist_core::{
    ByMode, Explanation, ListError, Mode, PathArg, RawName, RelPath, RelPathBuf, quote,
};

use super::Listing;
use super::ground::Ground;
use crate::lister::Lister;
use crate::roots::{self, Place};

/// A path as it was asked, and the place that it names: `.` and `..` taken out, no link followed.
pub(super) struct Asked {
    /// As it was spelled, unquoted; never empty.
    bytes: Vec<u8>,
    /// `None` outside every root.
    place: Option<Place>,
}

impl Asked {
    /// Takes the path literally, and where that does not exist, unquoted.
    ///
    /// # Errors
    ///
    /// When it is no path, or its root is not available.
    pub(super) fn of(lister: &Lister, path: &PathArg) -> Result<Asked, ListError> {
        let bytes = path.as_bytes();
        roots::check(bytes)?;
        let literal = Asked::at(lister, bytes)?;
        let trimmed = bytes.strip_suffix(b"/").unwrap_or(bytes);
        match quote::unquoted(trimmed) {
            Some(unquoted) if !literal.exists() => {
                roots::check(&unquoted)?;
                Asked::at(lister, &unquoted)
            }
            _ => Ok(literal),
        }
    }

    fn at(lister: &Lister, bytes: &[u8]) -> Result<Asked, ListError> {
        // An empty path is the directory where paths start, as in a listing.
        let bytes = if bytes.is_empty() { b"." } else { bytes };
        let place = match roots::locate_named(lister.slots(), bytes) {
            Ok(place) => Some(place),
            Err(ListError::OutsideRoot { .. }) => None,
            Err(error) => return Err(error),
        };
        Ok(Asked { bytes: bytes.to_vec(), place })
    }

    fn exists(&self) -> bool {
        let kind = |place: &Place| place.root.kind_at(place.path.as_path());
        self.place.as_ref().is_some_and(|place| matches!(kind(place), Ok(Some(_))))
    }

    /// The place, unless that is outside every root.
    pub(super) fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// The path as it was asked, to be shown.
    pub(super) fn shown(&self) -> String {
        quote::shown(&self.bytes).into_owned()
    }

    /// The answer before any mode has said something.
    pub(super) fn explanation(
        &self,
        listings: &[(Mode, Result<Listing, ListError>)],
        ground: Option<&Ground>,
    ) -> Explanation {
        let listings = listings.iter().filter_map(|(_, listing)| listing.as_ref().ok());
        let below = listings.filter_map(|listing| self.below(listing)).next();
        let path = below.as_ref().map_or(self.bytes.as_slice(), RelPathBuf::as_bytes);
        Explanation {
            path: quote::shown(path).into_owned(),
            raw: RawName::of(path),
            on_disk: ground.and_then(Ground::kind),
            modes: ByMode::default(),
        }
    }

    /// The path relative to the listed directory, if it lies below it: by its canonical spelling,
    /// or by the one in which it was asked for.
    pub(super) fn below(&self, listing: &Listing) -> Option<RelPathBuf> {
        let path = self.in_root(listing)?;
        let below = |dir: RelPath<'_>| Some(path.as_path().below(dir)?.to_buf());
        let (top, base) = (listing.opened.top.as_path(), listing.job.place.path.as_path());
        if !listing.job.request.subtree {
            return below(top);
        }
        below(base).or_else(|| {
            let spelled = listing.spelled.as_ref()?;
            below(spelled.as_path())
        })
    }

    /// Whether it is the listed directory itself.
    pub(super) fn is_listed_directory(&self, listing: &Listing) -> bool {
        let Some(path) = self.in_root(listing) else { return false };
        let dir = match listing.job.request.subtree {
            true => &listing.job.place.path,
            false => &listing.opened.top,
        };
        path == *dir || listing.spelled.as_ref() == Some(&path)
    }

    /// The path relative to the root of a listing: with nested roots that may be another one than
    /// the path's own.
    fn in_root(&self, listing: &Listing) -> Option<RelPathBuf> {
        let place = self.place.as_ref()?;
        let (own, root) = (&place.root, &listing.job.place.root);
        if own.path() == root.path() {
            return Some(place.path.clone());
        }
        let whole = [own.path(), b"/", place.path.as_bytes()].concat();
        let relative = root.relative(&whole)?;
        RelPathBuf::new(relative.strip_suffix(b"/").unwrap_or(relative)).ok()
    }
}
