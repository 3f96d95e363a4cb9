//! The roots of a lister, and finding a requested path in them.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bstr::ByteSlice;
use trilist_core::{Kind, ListError, RelPath, RelPathBuf, quote};
use trilist_root::{Dir, FileId, OpenDirError, ResolveError, Root, Scratch, errno_name};

use crate::gate::Gate;

/// The longest path argument in bytes.
const MAX_PATH_BYTES: usize = 4096;
/// How many names are compared with one that was not found.
const MAX_COMPARED: usize = 100_000;
/// How many names that look alike are told.
const MOST_ALIKE: usize = 3;

/// A root as configured; it is opened when it is there, and anew when another directory stands in
/// its place. Where it leads is settled by the first opening.
pub(crate) struct Slot {
    path: PathBuf,
    held: Mutex<Option<Held>>,
}

/// An opened root. As long as it is open, no other directory gets its identity.
#[derive(Clone)]
struct Held {
    root: Arc<Root>,
    id: FileId,
}

/// Why a root is not available.
pub(crate) enum Away {
    /// No directory is there, or it cannot be opened.
    Gone(io::Error),
    /// A link has come into its path, or one was pointed elsewhere: whoever may write there must
    /// not choose what the host's root is. Where it leads is not told.
    Elsewhere,
}

/// A requested directory.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) root: Arc<Root>,
    pub(crate) path: RelPathBuf,
    /// The other roots that are there: a repository may have its parts in several.
    pub(crate) others: Vec<Arc<Root>>,
    /// Whether the root is none of the lister's, but was approved for the call.
    pub(crate) is_outside: bool,
}

impl Place {
    /// The absolute path.
    pub(crate) fn whole(&self) -> Vec<u8> {
        whole(self.root.path(), self.path.as_bytes())
    }
}

impl Slot {
    pub(crate) fn new(path: PathBuf) -> Self {
        Slot { path, held: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The root as it was opened last, whether or not it is still there; tried again at each call
    /// while it was never opened.
    pub(crate) fn open(&self) -> io::Result<Arc<Root>> {
        let held = self.lock().clone();
        held.map_or_else(|| self.first(), |held| Ok(held.root))
    }

    /// The root that the path names now: looked at once, and opened if it is another directory,
    /// which has to stand at the canonical path that the first one had.
    pub(crate) fn current(&self) -> Result<Arc<Root>, Away> {
        let held = self.lock().clone();
        match held {
            Some(held) => self.again(&held),
            None => self.open().map_err(Away::Gone),
        }
    }

    /// The held root, or the one that came into its place.
    fn again(&self, held: &Held) -> Result<Arc<Root>, Away> {
        // What the path names and what is opened come from two calls: who exchanges directories in
        // between has them looked at again.
        const TRIES: u32 = 4;
        for _ in 0..TRIES {
            let named = Root::id_at(&self.path).map_err(Away::Gone)?;
            if named == held.id {
                return Ok(Arc::clone(&held.root));
            }
            if let Some(root) = opened_again(&held.root)?
                && root.id().map_err(Away::Gone)? == named
            {
                return Ok(self.hold(root, named));
            }
        }
        Err(Away::Elsewhere)
    }

    /// Opens the root for the first time, wherever its path leads.
    fn first(&self) -> io::Result<Arc<Root>> {
        // Not under the lock: a file system that does not answer keeps this call alone waiting.
        let root = Arc::new(Root::open(&self.path)?);
        let id = root.id()?;
        // Another call may have been faster; where its root is, is where the root is.
        Ok(Arc::clone(&self.lock().get_or_insert(Held { root, id }).root))
    }

    fn hold(&self, root: Root, id: FileId) -> Arc<Root> {
        let mut held = self.lock();
        match &*held {
            Some(other) if other.id == id => Arc::clone(&other.root),
            _ => Arc::clone(&held.insert(Held { root: Arc::new(root), id }).root),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Held>> {
        // Whoever panicked has left a whole root, or none.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unavailable(&self, away: &Away) -> ListError {
        let path = shown(self.path.as_os_str().as_bytes());
        let what = format!("the root `{path}` is not available");
        let error = match away {
            Away::Gone(error) => errno_name(error),
            Away::Elsewhere => "its path leads elsewhere now".to_owned(),
        };
        ListError::Io { what, error }
    }
}

/// The directory at a root's canonical path, if no link is in the way.
fn opened_again(root: &Root) -> Result<Option<Root>, Away> {
    match root.open_again() {
        Ok(root) => Ok(Some(root)),
        Err(
            OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { kind: Kind::Symlink, .. },
        ) => Ok(None),
        Err(error) => Err(Away::Gone(error.into())),
    }
}

/// Finds the directory that `asked` means, tried as it is, then unquoted, if the host lets it be
/// listed.
pub(crate) fn locate(slots: &[Slot], gate: &Gate, asked: &[u8]) -> Result<Place, ListError> {
    check(asked)?;
    // A list of paths shows a directory as `"…"/`.
    let quoted = asked.trim_end_with(|c| c == '/');
    match (locate_literally(slots, gate, asked), quote::unquoted(quoted)) {
        // The spelling with quotes can be too long for a name where the name itself is not.
        (Err(error @ (ListError::NotFound { .. } | ListError::Io { .. })), Some(unquoted)) => {
            locate_literally(slots, gate, &unquoted).map_err(|second| match second {
                ListError::NotFound { .. } => error,
                second => second,
            })
        }
        (found, _) => found,
    }
}

/// Refuses what is no path argument.
pub(crate) fn check(asked: &[u8]) -> Result<(), ListError> {
    if asked.len() > MAX_PATH_BYTES {
        let expected = format!("a path has at most {MAX_PATH_BYTES} bytes");
        return Err(ListError::invalid("path", format!("{} bytes long", asked.len()), expected));
    }
    if memchr::memchr(0, asked).is_some() {
        return Err(ListError::invalid("path", "text with a NUL byte", "a path cannot hold one"));
    }
    Ok(())
}

fn locate_literally(slots: &[Slot], gate: &Gate, asked: &[u8]) -> Result<Place, ListError> {
    let (root, relative) = root_of(slots, asked)?;
    locate_in(slots, gate, root, relative, asked)
}

/// Finds a directory below a root.
pub(crate) fn locate_in(
    slots: &[Slot],
    gate: &Gate,
    root: Arc<Root>,
    relative: &[u8],
    asked: &[u8],
) -> Result<Place, ListError> {
    if let Ok(spelled) = without_dots(asked, relative) {
        gate.admit_spelled(&root, spelled.as_path(), asked)?;
    }
    let path = match root.resolve(relative) {
        Ok(resolved) => resolved.path,
        Err(error) => {
            gate.admit_error(&root, &error, asked)?;
            return Err(resolve_error(&root, asked, error));
        }
    };
    let place = Place { others: others(slots, &root), root, path, is_outside: false };
    gate.admit(&place, asked)?;
    Ok(place)
}

/// The path as a place of mode `vcs` whose directory need not exist: `.` and `..` taken out,
/// links not looked at. Whether it may be listed is not asked.
pub(crate) fn locate_absent(slots: &[Slot], asked: &[u8]) -> Result<Place, ListError> {
    let (root, relative) = root_of(slots, asked)?;
    let path = without_dots(asked, relative)?;
    Ok(Place { others: others(slots, &root), root, path, is_outside: false })
}

/// The same for a path that may lead out of its root by `..` and back in, or from one root into
/// another: names alone tell where.
pub(crate) fn locate_named(slots: &[Slot], asked: &[u8]) -> Result<Place, ListError> {
    match (locate_absent(slots, asked), by_names(slots, asked)) {
        (Err(error @ ListError::OutsideRoot { .. }), Some(clean)) => {
            locate_absent(slots, &clean).map_err(|_| error)
        }
        (found, _) => found,
    }
}

/// A path below a root with `.` and `..` taken out by their names.
fn without_dots(asked: &[u8], relative: &[u8]) -> Result<RelPathBuf, ListError> {
    let mut path = RelPathBuf::default();
    for part in relative.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if path.pop() => {}
            b".." => return Err(ListError::OutsideRoot { asked: argument(asked) }),
            part => {
                let part = RelPathBuf::new(part).map_err(|error| {
                    ListError::invalid("path", argument(asked), error.to_string())
                })?;
                path.push(part.as_path());
            }
        }
    }
    Ok(path)
}

/// The absolute path that is asked for, without `.` and `..`, if that lies outside every root by its
/// names. Nothing is looked up.
pub(crate) fn outside(slots: &[Slot], asked: &[u8]) -> Option<Vec<u8>> {
    let unquoted = quote::unquoted(asked.trim_end_with(|c| c == '/'));
    let clean = by_names(slots, unquoted.as_deref().unwrap_or(asked))?;
    let mut roots = slots.iter().filter_map(|slot| slot.open().ok());
    roots.all(|root| root.relative(&clean).is_none()).then_some(clean)
}

/// A path as an absolute one, `.` and `..` taken out by their names. Nothing is looked up.
pub(crate) fn by_names(slots: &[Slot], asked: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    if asked.first() != Some(&b'/') {
        whole.extend_from_slice(slots.first()?.open().ok()?.path());
        whole.push(b'/');
    }
    whole.extend_from_slice(asked);
    let mut names: Vec<&[u8]> = Vec::new();
    for name in whole.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    Some([b"/", names.join(&b'/').as_slice()].concat())
}

fn others(slots: &[Slot], root: &Arc<Root>) -> Vec<Arc<Root>> {
    let is_it = |slot: &&Slot| slot.open().is_ok_and(|other| Arc::ptr_eq(&other, root));
    slots.iter().filter(|slot| !is_it(slot)).filter_map(|slot| slot.current().ok()).collect()
}

/// The innermost root that holds an absolute path, or the first one for a relative path, as it is
/// now.
///
/// # Errors
///
/// [`ListError::OutsideRoot`]; [`ListError::Io`] when that root is not there now.
pub(crate) fn root_of<'p>(
    slots: &[Slot],
    asked: &'p [u8],
) -> Result<(Arc<Root>, &'p [u8]), ListError> {
    let outside = || ListError::OutsideRoot { asked: argument(asked) };
    if asked.first() != Some(&b'/') {
        let first = slots.first().ok_or_else(outside)?;
        let root = first.current().map_err(|away| first.unavailable(&away))?;
        let relative = back_in(root.path(), asked);
        return Ok((root, relative));
    }
    let mut best: Option<(&Slot, &[u8])> = None;
    for slot in slots {
        let Ok(root) = slot.open() else {
            let configured = slot.path.as_os_str().as_bytes();
            if asked == configured {
                let gone = Away::Gone(io::ErrorKind::NotFound.into());
                return Err(slot.unavailable(&gone));
            }
            continue;
        };
        if let Some(relative) = root.relative(asked)
            && best.as_ref().is_none_or(|(_, shortest)| relative.len() < shortest.len())
        {
            best = Some((slot, relative));
        }
    }
    let (slot, relative) = best.ok_or_else(outside)?;
    let root = slot.current().map_err(|away| slot.unavailable(&away))?;
    let relative = back_in(root.path(), relative);
    Ok((root, relative))
}

/// The path without a way out of the root that leads straight back in, as `../repo/src` in a
/// root `/srv/repo` does. The root's own path holds no link, so names tell where such a way leads
/// and nothing outside is looked at.
fn back_in<'p>(root: &[u8], relative: &'p [u8]) -> &'p [u8] {
    let mut rest = relative;
    let mut ups = 0;
    loop {
        match next_part(rest) {
            (b"" | b".", Some(below)) => rest = below,
            (b"..", Some(below)) => (rest, ups) = (below, ups + 1),
            _ => break,
        }
    }
    if ups == 0 {
        return relative;
    }
    let mut names: Vec<&[u8]> = root.rsplit(|byte| *byte == b'/').take(ups).collect();
    while let Some(name) = names.pop() {
        match next_part(rest) {
            (part, below) if part == name && !name.is_empty() => rest = below.unwrap_or_default(),
            _ => return relative,
        }
    }
    back_in(root, rest)
}

/// The first part of a path, and what follows its slash.
fn next_part(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(b'/', path) {
        Some(slash) => (&path[..slash], Some(&path[slash + 1..])),
        None => (path, None),
    }
}

pub(crate) fn resolve_error(root: &Root, asked: &[u8], error: ResolveError) -> ListError {
    let text = argument(asked);
    match error {
        ResolveError::OutsideRoot => ListError::OutsideRoot { asked: text },
        ResolveError::NotFound { existing, missing } => {
            let dir = root.open_dir(existing.as_path());
            let alike = dir.map(|dir| similar(&dir, &missing)).unwrap_or_default();
            let caveat = alike.caveat().map(|caveat| format!("{caveat}."));
            ListError::NotFound {
                asked: text,
                within: absolute(root, &existing),
                similar: alike.names,
                hint: spelling_hint(asked).or(caveat),
            }
        }
        ResolveError::NotDirectory { path, kind } => {
            // In `src/main.rs/x` it is `src/main.rs` that is the file.
            let trimmed = asked.trim_end_with(|c| c == '/');
            let is_last = RelPath::assume(path.as_bytes()).name() == last_part(trimmed);
            let asked = if is_last { text } else { absolute(root, &path) };
            let mut parent = path;
            parent.pop();
            let kind = if kind == Kind::Other { "pipe, socket or device" } else { kind.name() };
            ListError::NotDirectory { asked, kind, parent: absolute(root, &parent) }
        }
        ResolveError::PermissionDenied { .. } => ListError::PermissionDenied { asked: text },
        ResolveError::Io { error, .. } => {
            ListError::Io { what: format!("cannot open `{text}`"), error: errno_name(&error) }
        }
        ResolveError::Nul | ResolveError::TooLong => {
            ListError::invalid("path", text, error.to_string())
        }
    }
}

fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// The absolute path of a place, as replies show it.
pub(crate) fn absolute(root: &Root, path: &RelPathBuf) -> String {
    shown(&whole(root.path(), path.as_bytes()))
}

/// A path below a root as an absolute one.
pub(crate) fn whole(root: &[u8], path: &[u8]) -> Vec<u8> {
    let mut bytes = root.to_vec();
    if !path.is_empty() {
        if bytes.last() != Some(&b'/') {
            bytes.push(b'/');
        }
        bytes.extend_from_slice(path);
    }
    bytes
}

pub(crate) fn shown(bytes: &[u8]) -> String {
    quote::shown(bytes).into_owned()
}

/// A path that was asked for, as messages repeat it.
pub(crate) fn argument(asked: &[u8]) -> String {
    quote::argument(asked).into_owned()
}

/// What a path that does not exist was probably meant to be.
fn spelling_hint(asked: &[u8]) -> Option<String> {
    if asked.first() == Some(&b'~') {
        return Some("`~` is taken as a name here; give the whole path.".to_owned());
    }
    if memchr::memchr(b'\\', asked).is_some() {
        return Some("A backslash is part of a name here; separate folders with `/`.".to_owned());
    }
    if memchr::memmem::find(asked, b"%2").is_some() {
        return Some("The path is taken as it is; `%` escapes are not decoded.".to_owned());
    }
    None
}

/// Names that look like one that was not found.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    /// At most three, the nearest first.
    pub(crate) names: Vec<String>,
    /// Whether the directory has more names than were compared.
    is_cut: bool,
}

impl Alike {
    /// What is to be said where nothing was found, though there may be something.
    pub(crate) fn caveat(&self) -> Option<String> {
        let text = "only the first 100,000 names of the directory were compared with it, and one \
                    that looks alike may be among the others";
        (self.is_cut && self.names.is_empty()).then(|| text.to_owned())
    }
}

/// The names in `dir` that look most like `missing`, of the first [`MAX_COMPARED`].
pub(crate) fn similar(dir: &Dir, missing: &[u8]) -> Alike {
    let folded = shown(missing).to_lowercase();
    let mut near = BTreeSet::new();
    let (mut compared, mut is_cut) = (0, false);
    // An error only means fewer suggestions.
    let _ = dir.entries(&mut Scratch::default(), &mut |entry| {
        is_cut = compared == MAX_COMPARED;
        if is_cut {
            return Ok(ControlFlow::Break(()));
        }
        compared += 1;
        let name = shown(entry.name);
        if let Some(distance) = distance(&name, &folded) {
            near.insert((distance, name));
            if near.len() > MOST_ALIKE {
                near.pop_last();
            }
        }
        Ok(ControlFlow::Continue(()))
    });
    Alike { names: near.into_iter().map(|(_, name)| name).collect(), is_cut }
}

/// How far a name is from a wanted one, when it is near enough to be meant: a third of the
/// letters may differ, or one name starts with the other.
pub(crate) fn distance(name: &str, folded: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let (own, wanted) = (name.chars().count(), folded.chars().count());
    let letters = own.max(wanted);
    if letters > 200 {
        return None;
    }
    let most = letters.div_ceil(3);
    let prefix = folded.len() >= 2 && (name.starts_with(folded) || folded.starts_with(&name));
    // As many letters as one name has more are edits in any case.
    if !prefix && own.abs_diff(wanted) > most {
        return None;
    }
    let edits = strsim::damerau_levenshtein(&name, folded);
    (edits <= most || prefix).then_some(edits)
}
