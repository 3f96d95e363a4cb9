//! The tool's order, read lazily.
//!
//! It is the byte order of whole paths, but for names with a backslash, which counts as a slash,
//! names that are not UTF-8, and paths that are cut. So it is not the engine's order, and one
//! directory after another is read: always the one whose entries come next. A page costs what the
//! page costs, and no more keys are held than entries are still wanted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use trilist::Kind;

use super::{MOST_BYTES, shown};

/// Where something stands in the order: the name compared, then the exact bytes.
type Key = (String, Vec<u8>, Step);

/// An entry comes before the contents of its directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// The entry itself.
    Entry,
    /// What lies in the directory.
    Contents,
}

/// What comes next.
pub(super) struct Next {
    pub(super) path: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) step: Step,
}

/// What was seen and not yet given.
#[derive(Default)]
pub(super) struct Pending {
    keys: BTreeMap<Key, Kind>,
    entries: usize,
    /// Entries that are still wanted; what stands behind so many others is not kept.
    wanted: usize,
    /// The path of the entry that is looked at. Of a wide directory few entries are kept, so it
    /// is put together in one place.
    path: Vec<u8>,
}

impl Pending {
    pub(super) fn new(wanted: usize) -> Pending {
        Pending { wanted, ..Pending::default() }
    }

    /// Adds an entry of a directory, and its contents if it is to be entered.
    pub(super) fn add(&mut self, dir: &[u8], name: &[u8], kind: Kind, enter: bool) {
        self.path.clear();
        self.path.extend_from_slice(dir);
        if !dir.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
        let name = compared(&self.path);
        if self.entries >= self.wanted
            && self.keys.last_key_value().is_some_and(|(last, _)| *last.0 < *name)
        {
            return;
        }
        let (name, path) = (name.into_owned(), self.path.clone());
        if enter {
            let mut below = path.clone();
            below.push(b'/');
            self.keys.insert((compared(&below).into_owned(), path.clone(), Step::Contents), kind);
        }
        self.keys.insert((name, path, Step::Entry), kind);
        self.entries += 1;
        while self.entries > self.wanted {
            match self.keys.pop_last() {
                Some(((_, _, Step::Entry), _)) => self.entries -= 1,
                Some(_) => {}
                None => break,
            }
        }
    }

    pub(super) fn next(&mut self) -> Option<Next> {
        let ((_, path, step), kind) = self.keys.pop_first()?;
        if step == Step::Entry {
            self.entries -= 1;
            self.wanted = self.wanted.saturating_sub(1);
        }
        Some(Next { path, kind, step })
    }
}

/// What the tool compares: the path relative to the listed directory. Nearly always that is the
/// path itself.
fn compared(path: &[u8]) -> Cow<'_, str> {
    if let Ok(path) = std::str::from_utf8(path)
        && path.len() <= MOST_BYTES
        && !path.contains('\\')
    {
        return Cow::Borrowed(path);
    }
    let slashes: Vec<u8> =
        path.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
    Cow::Owned(shown(&slashes))
}
