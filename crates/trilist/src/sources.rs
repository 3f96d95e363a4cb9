//! Choosing the source of a mode.

use std::sync::Arc;

use trilist_core::{ListError, ListSource, Mode, RelPathBuf};
use trilist_files::FilesSource;
use trilist_fs::FsSource;

use crate::roots::Place;

/// A source at a place, with what only it can say about the listing as a whole.
pub(crate) struct Opened {
    pub(crate) source: Box<dyn ListSource>,
    /// The repository's top, relative to the root; the root itself in other modes.
    pub(crate) top: RelPathBuf,
    notice: Option<String>,
}

impl Opened {
    fn on_disk(source: Box<dyn ListSource>) -> Self {
        Opened { source, top: RelPathBuf::default(), notice: None }
    }

    pub(crate) fn notices(&self) -> impl Iterator<Item = String> {
        self.notice.clone().into_iter()
    }
}

/// What a lister remembers between calls.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    #[cfg(feature = "vcs")]
    vcs: Arc<trilist_vcs::Memory>,
}

pub(crate) fn open(mode: Mode, place: &Place, memory: &Memory) -> Result<Opened, ListError> {
    match mode {
        Mode::Fs => Ok(Opened::on_disk(Box::new(FsSource::new(Arc::clone(&place.root))))),
        Mode::Files => Ok(Opened::on_disk(Box::new(FilesSource::new(Arc::clone(&place.root))))),
        Mode::Vcs => vcs(place, memory),
    }
}

#[cfg(feature = "vcs")]
fn vcs(place: &Place, memory: &Memory) -> Result<Opened, ListError> {
    let source = open_vcs(place, memory)?;
    let top = source.top().to_buf();
    let notice = source.notice();
    Ok(Opened { source: Box::new(source), top, notice })
}

#[cfg(feature = "vcs")]
fn open_vcs(place: &Place, memory: &Memory) -> Result<trilist_vcs::VcsSource, ListError> {
    let others: Vec<_> = place.others.iter().map(AsRef::as_ref).collect();
    let (root, base) = (Arc::clone(&place.root), place.path.as_path());
    trilist_vcs::VcsSource::open_among(root, &others, base, &memory.vcs)
}

#[cfg(not(feature = "vcs"))]
fn vcs(_: &Place, _: &Memory) -> Result<Opened, ListError> {
    Err(ListError::invalid("mode", "`vcs`", "this build has only the modes `fs` and `files`"))
}

/// Whether version control knows something at or below a place that is absent on disk.
///
/// # Errors
///
/// As opening the source.
#[cfg(feature = "vcs")]
pub(crate) fn tracks(place: &Place, memory: &Memory) -> Result<bool, ListError> {
    open_vcs(place, memory)?.tracks_below(place.path.as_path())
}

/// Whether version control knows something at or below a place that is absent on disk.
///
/// # Errors
///
/// None in a build without mode `vcs`.
#[cfg(not(feature = "vcs"))]
pub(crate) fn tracks(_: &Place, _: &Memory) -> Result<bool, ListError> {
    Ok(false)
}
