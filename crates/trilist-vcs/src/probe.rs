//! Going only to one path and what is below it.
//!
//! The names on the way come before the path in the order of both sides, and what is below it
//! behind it, maybe far: `a-b` lies between `a` and `a/x`. So each of these places is gone to in
//! turn, and what lies in between is passed over.

use trilist_core::{ListError, RelPath, RelPathBuf};

use crate::union::{Item, Union};

/// The places to go to.
pub(crate) struct Probe {
    path: RelPathBuf,
}

/// The first place: a path of the repository. `region` is the listed directory with a slash.
pub(crate) fn first(region: &[u8], path: RelPath<'_>) -> Vec<u8> {
    [region, path.components().next().unwrap_or_default()].concat()
}

impl Probe {
    /// Of a path relative to the listed directory.
    pub(crate) fn new(path: RelPath<'_>) -> Self {
        Probe { path: path.to_buf() }
    }

    /// Whether the union has come to something that is on the way or below. If not, it is sent on
    /// to the next place, or to its end.
    ///
    /// # Errors
    ///
    /// As [`Union::start`].
    pub(crate) fn goes_on(&self, union: &mut Union<'_>) -> Result<bool, ListError> {
        if matches!(union.item(), Item::End | Item::Fault(_)) {
            return Ok(true);
        }
        let region = union.region().len();
        let mut passed = union.path().get(region..).unwrap_or_default().to_vec();
        let (path, probe) = (RelPath::assume(&passed), self.path.as_path());
        if path == probe || probe.below(path).is_some() || path.below(probe).is_some() {
            return Ok(true);
        }
        if matches!(union.item(), Item::Collapsed(_)) {
            passed.push(b'/');
        }
        match self.place_behind(&passed) {
            Some(place) => {
                let place = [union.region(), &place].concat();
                union.pass_to(place)?;
                Ok(false)
            }
            None => {
                union.stop();
                Ok(true)
            }
        }
    }

    /// The first place behind what was passed, relative to the listed directory.
    fn place_behind(&self, passed: &[u8]) -> Option<Vec<u8>> {
        let contents = [self.path.as_bytes(), b"/"].concat();
        // Each name, and where its contents begin: at every directory it is asked whether it is
        // entered.
        let slashes = memchr::memchr_iter(b'/', &contents);
        let mut places = slashes.flat_map(|slash| [&contents[..slash], &contents[..=slash]]);
        places.find(|place| *place > passed).map(<[u8]>::to_vec)
    }
}
