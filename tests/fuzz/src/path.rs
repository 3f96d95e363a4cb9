//! The path argument.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use trilist::{Cancel, ListRequest, Lister, Mode, PathArg, Policy, quote};
use trilist_core::ListError;
use trilist_root::{Beneath, Root};

use crate::choices::Choices;
use crate::place::{self, Place};

/// What is opened once for a thread.
pub(crate) struct Fixed {
    pub(crate) place: Place,
    pub(crate) lister: Lister,
    roots: [Root; 2],
}

thread_local! {
    static FIXED: Fixed = Fixed::new();
}

impl Fixed {
    fn new() -> Fixed {
        let place = Place::new();
        let lister = Lister::open(&[&place.inside], Policy::default()).expect("it is there");
        let open = |beneath| Root::open_with(&place.inside, beneath).expect("it is there");
        let roots = [open(Beneath::Kernel), open(Beneath::Stepwise)];
        Fixed { place, lister, roots }
    }
}

pub(crate) fn with_fixed(run: impl FnOnce(&Fixed)) {
    FIXED.with(run);
}

/// Lists a path of a small fixed tree with links to everywhere. What is resolved is what the
/// system's own resolution gives, lies inside, and is the same in both ways of opening; no reply
/// and no refusal tells anything from outside.
///
/// # Panics
///
/// When one of these does not hold.
pub fn path(data: &[u8]) {
    with_fixed(|fixed| {
        if fixed.place.is_known_to(data) {
            return;
        }
        let mut choices = Choices::new(data);
        let mode = choices.pick(&[Mode::Fs, Mode::Files, Mode::Vcs]);
        let asked = match choices.below(4) {
            3 => choices.rest().to_vec(),
            2 => quote::shown(&place::path(&mut choices, &fixed.place)).as_bytes().to_vec(),
            _ => place::path(&mut choices, &fixed.place),
        };
        check_resolved(fixed, &asked);
        check_listed(fixed, mode, asked);
    });
}

fn check_resolved(fixed: &Fixed, asked: &[u8]) {
    let [kernel, stepwise] = fixed.roots.each_ref().map(|root| {
        let found = root.resolve(asked).map(|found| found.path);
        found.map_err(|error| format!("{error:?}"))
    });
    assert_eq!(kernel, stepwise, "{}", asked.escape_ascii());
    let (Ok(found), inside) = (kernel, &fixed.place.inside) else { return };
    // A leading slash is no escape but a spelling of the root's own paths.
    let relative: &[u8] = asked.strip_prefix(b"/").map_or(asked, |_| found.as_bytes());
    let right = canonical(inside, relative);
    let found = inside.join(OsStr::from_bytes(found.as_bytes()));
    assert_eq!(right.as_deref(), Some(lean(&found)), "{}", asked.escape_ascii());
    assert!(found.starts_with(inside));
}

/// Without the slash that joining the empty path leaves.
fn lean(path: &Path) -> &Path {
    Path::new(path.as_os_str().to_str().map_or("", |text| text.trim_end_matches('/')))
}

fn canonical(base: &Path, path: &[u8]) -> Option<PathBuf> {
    fs::canonicalize(base.join(OsStr::from_bytes(path))).ok()
}

fn check_listed(fixed: &Fixed, mode: Mode, asked: Vec<u8>) {
    let Fixed { place, lister, .. } = fixed;
    let cancel = Cancel::new().with_deadline(Duration::from_secs(5));
    match lister.list(&ListRequest::new(mode, PathArg::from(asked.clone())), &cancel) {
        Ok(page) => {
            // In mode `vcs` there may be nothing on disk.
            assert!(mode == Mode::Vcs || is_right(&place.inside, &asked, &page.path), "{page:?}");
            assert_eq!(page.root, place.inside.to_str().expect("a plain path"));
            for entry in &page.entries {
                place.assert_tells_nothing(&entry.path);
            }
            place.assert_tells_nothing(&trilist::render::json(&page));
        }
        Err(error) => check_error(place, &error),
    }
}

/// Whether the page's path is where the system's resolution leads from what was asked, taken
/// literally or as a quoted spelling.
fn is_right(inside: &Path, asked: &[u8], told: &str) -> bool {
    let told = quote::unquoted(told.as_bytes()).unwrap_or_else(|| told.as_bytes().to_vec());
    let right = canonical(inside, &told).filter(|right| right.starts_with(inside));
    let asked = [Some(asked.to_vec()), quote::unquoted(asked)];
    right.is_some() && asked.iter().flatten().any(|path| canonical(inside, path) == right)
}

/// An error has a known code, one visible line, and no word from outside.
pub(crate) fn check_error(place: &Place, error: &ListError) {
    let text = error.to_string();
    crate::quote::assert_visible(&text);
    place.assert_tells_nothing(&text);
    assert!(!matches!(error.code(), "timeout" | "busy" | "cancelled"), "{text}");
}
