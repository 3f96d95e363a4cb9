//! Why a path is in the listing of a mode, or is not.
//!
//! Nothing here decides: the listing itself runs on a probe, a query that goes only to the path
//! ([`trilist_core::Query::probe`]), and what it says of the path and of the way to it is put into
//! words. What is on disk is looked up besides, to tell what does not exist from what is left out.

mod asked;
mod ground;
mod standing;
mod suited;
mod way;
mod words;

use trilist_core::{
    Cancel, Explanation, ListError, ListRequest, Mode, PathArg, RelPathBuf, Standing,
};

use crate::approval::Asking;
use crate::lister::{Job, Lister};
use crate::plan::Extent;
use crate::roots::{self, Place};
use crate::sources::Opened;
use asked::Asked;
use ground::Ground;
use standing::Case;

/// The most paths of one call of [`Lister::explain`].
pub const MAX_EXPLAINED: usize = 64;

/// A listing of which a path is asked.
#[derive(Clone, Copy)]
struct Of<'a> {
    job: &'a Job,
    opened: &'a Opened,
}

impl Of<'_> {
    fn mode(&self) -> Mode {
        self.job.request.mode
    }

    /// The listed directory, below the root.
    fn top(&self) -> &RelPathBuf {
        if self.job.request.subtree { &self.job.place.path } else { &self.opened.top }
    }
}

/// How much is to be told of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// Whether it is listed, and the reason if not.
    Reason,
    /// Also what helps to understand that, and to go on from it.
    All,
}

/// The listing of one mode, of which paths are asked.
struct Listing {
    job: Job,
    opened: Opened,
    /// The listed directory as it was asked for, where a link makes that another path.
    spelled: Option<RelPathBuf>,
    notes: Vec<String>,
}

/// What each asked mode has.
type Listings = Vec<(Mode, Result<Listing, ListError>)>;

impl Lister {
    /// Says of each path whether it is in the listing that the request describes, in each of the
    /// modes, and exactly why not. The answers come in the order of the paths.
    ///
    /// The request's own `mode` does not matter; a mode takes its own defaults, and options that
    /// have no meaning in it are left out there, which a note says. A mode that cannot be had, as
    /// `vcs` without a repository, says so and leaves the others alone; a request that none of the
    /// asked modes can have is an error. Limits, offsets and views do not matter either.
    ///
    /// A path is absolute inside a root or relative to the first one, may be quoted as trilist
    /// shows odd names, and need not exist. Links on the way to it are not followed. Of the tree
    /// only the directories on the way are opened (and what is below the path, up to the first
    /// entry, for a directory in `files` and `vcs`); with `follow_symlinks` also what the listing
    /// enters before, because that decides which links it enters.
    ///
    /// # Errors
    ///
    /// [`ListError::InvalidArgument`] for no path or more than [`MAX_EXPLAINED`], for a cursor,
    /// and for what is no path; [`ListError::Cancelled`]; and that of the first mode, as
    /// [`Lister::list`] gives it, when no mode has a listing.
    pub fn explain(
        &self,
        request: &ListRequest,
        modes: &[Mode],
        paths: &[PathArg],
        cancel: &Cancel,
    ) -> Result<Vec<Explanation>, ListError> {
        check(request, paths)?;
        let asked: Vec<Asked> =
            paths.iter().map(|path| Asked::of(self, path)).collect::<Result<_, _>>()?;
        let listings = self.listings(request, modes, cancel)?;
        let jobs = listings.iter().filter_map(|(_, listing)| listing.as_ref().ok());
        let cancel =
            jobs.map(|listing| listing.job.cancel(cancel)).next().unwrap_or(cancel.clone());
        let mut refusals = Refusals::default();
        let explained: Result<_, _> = asked
            .iter()
            .map(|asked| self.explain_one(asked, &listings, &mut refusals, &cancel))
            .collect();
        refusals.check().and(explained)
    }

    /// The listings of the modes.
    ///
    /// # Errors
    ///
    /// The first mode's, when none has a listing.
    fn listings(
        &self,
        request: &ListRequest,
        modes: &[Mode],
        cancel: &Cancel,
    ) -> Result<Listings, ListError> {
        let asking = Asking::new(cancel);
        let listings: Listings =
            modes.iter().map(|mode| (*mode, self.listing(request, *mode, &asking))).collect();
        match listings.iter().find_map(|(_, listing)| listing.as_ref().err()) {
            Some(error) if listings.iter().all(|(_, listing)| listing.is_err()) => {
                Err(error.clone())
            }
            _ => Ok(listings),
        }
    }

    fn listing(
        &self,
        request: &ListRequest,
        mode: Mode,
        asking: &Asking<'_>,
    ) -> Result<Listing, ListError> {
        let (request, notes) = suited::suited(request, mode);
        let job = self.job(&request, Extent::Page, asking)?;
        let opened = self.source(&job)?;
        let spelled = roots::locate_named(self.slots(), request.path.as_bytes()).ok();
        let same_root = spelled.filter(|place| place.root.path() == job.place.root.path());
        let spelled = same_root.map(|place| place.path).filter(|path| *path != job.place.path);
        Ok(Listing { job, opened, spelled, notes })
    }

    fn explain_one(
        &self,
        asked: &Asked,
        listings: &Listings,
        refusals: &mut Refusals,
        cancel: &Cancel,
    ) -> Result<Explanation, ListError> {
        let ground = asked.place();
        let ground = ground.map(|place| Ground::of(&place.root, self.gate(), place.path.as_path()));
        let mut explanation = asked.explanation(listings, ground.as_ref());
        for (mode, listing) in listings {
            let standing = match (listing, &ground) {
                (_, None) => words::outside_root(asked),
                (Err(error), _) => words::unavailable(*mode, error),
                (Ok(listing), Some(ground)) => {
                    let standing = self.standing(asked, listing, ground, cancel);
                    refusals.note(&standing);
                    match standing {
                        Err(ListError::Cancelled) => return Err(ListError::Cancelled),
                        Err(error) => words::unavailable(*mode, &error),
                        Ok(standing) => standing,
                    }
                }
            };
            explanation.modes.set(*mode, standing);
        }
        Ok(explanation)
    }

    /// # Errors
    ///
    /// When the mode has no listing after all, or the caller has cancelled.
    fn standing(
        &self,
        asked: &Asked,
        listing: &Listing,
        ground: &Ground,
        cancel: &Cancel,
    ) -> Result<Standing, ListError> {
        let probed = match (asked.below(listing), asked.place()) {
            (Some(path), Some(place)) => {
                let of = Of { job: &listing.job, opened: &listing.opened };
                let (memory, telling) = (self.memory(), Telling::All);
                let way = way::go(of, telling, path, cancel)?;
                standing::of(&Case { memory, of, telling, place, ground, way }, cancel)?
            }
            _ => words::beside(asked, listing, ground),
        };
        Ok(words::with_notes(probed, &listing.notes))
    }
}

/// How one path stands in a listing, as [`Lister::explain`] says it, without words.
pub(crate) struct Verdict {
    pub(crate) standing: Standing,
    /// Whether it is an entry itself, and not only the start of the paths of some.
    pub(crate) is_entry: bool,
}

impl Lister {
    /// How the file at `path`, relative to the listed directory, stands.
    ///
    /// # Errors
    ///
    /// As [`Lister::list`]; a bound that comes first is a reason.
    pub(crate) fn verdict(
        &self,
        job: &Job,
        opened: &Opened,
        path: &RelPathBuf,
        cancel: &Cancel,
    ) -> Result<Verdict, ListError> {
        let (of, telling) = (Of { job, opened }, Telling::Reason);
        let place = &Place { path: of.top().join(path.as_path()), ..job.place.clone() };
        let ground = &Ground::of(&place.root, self.gate(), place.path.as_path());
        let way = way::go(of, telling, path.clone(), cancel)?;
        let is_entry = matches!(&way.end, way::End::Listed(found) if found.path == *path);
        let case = Case { memory: self.memory(), of, telling, place, ground, way };
        Ok(Verdict { standing: standing::verdict(&case)?, is_entry })
    }
}

/// Whether the listings that were asked for could be opened: whether a directory can be read shows
/// only there.
#[derive(Default)]
struct Refusals {
    first: Option<ListError>,
    has_answer: bool,
}

impl Refusals {
    fn note(&mut self, standing: &Result<Standing, ListError>) {
        match standing {
            Ok(_) => self.has_answer = true,
            Err(error) => drop(self.first.get_or_insert_with(|| error.clone())),
        }
    }

    /// # Errors
    ///
    /// The first refusal, when nothing else came.
    fn check(self) -> Result<(), ListError> {
        match self.first {
            Some(error) if !self.has_answer => Err(error),
            _ => Ok(()),
        }
    }
}

fn check(request: &ListRequest, paths: &[PathArg]) -> Result<(), ListError> {
    if paths.is_empty() || paths.len() > MAX_EXPLAINED {
        let given = format!("{} paths", paths.len());
        let expected = format!("one to {MAX_EXPLAINED} paths are explained in one call");
        return Err(ListError::invalid("paths", given, expected));
    }
    if request.cursor.is_some() {
        let expected = "a whole listing is explained; leave the cursor out";
        return Err(ListError::invalid("cursor", "set", expected));
    }
    Ok(())
}
