//! Indexes that are right, and what they hold.

use std::collections::{BTreeMap, BTreeSet};

use trilist_core::Kind;

use super::write::{self, Entry, Extension, Format};
use crate::choices::Choices;

/// The bytes of an index, and of the file that it shares if it is split.
#[derive(Debug, Clone)]
pub struct Files {
    /// The index itself.
    pub own: Vec<u8>,
    /// The shared one.
    pub shared: Option<Vec<u8>>,
    /// 20 for SHA-1, 32 for SHA-256.
    pub hash_len: usize,
}

/// A name of an index, and what is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The path; a directory's ends in a slash.
    pub path: Vec<u8>,
    /// What it is; a directory in a sparse index alone.
    pub kind: Kind,
    /// Whether it is an executable file.
    pub executable: bool,
    /// Whether it need not be on disk.
    pub skip_worktree: bool,
    /// Whether it is in an unfinished merge.
    pub conflicted: bool,
    /// The first byte of a directory's id, else 0.
    pub id: u8,
}

/// The entries by name and stage, which is their order.
type Entries = BTreeMap<(Vec<u8>, u8), Entry>;

pub(crate) const TREE: u32 = 0o040_000;

/// Makes an index that git would read, and what it holds.
pub(crate) fn make(choices: &mut Choices<'_>) -> (Files, Vec<Row>) {
    let format = format(choices);
    let mut entries = Entries::new();
    for _ in 0..choices.below(24) {
        add(&mut entries, format, choices);
    }
    if choices.one_in(3) {
        return split(format, entries, choices);
    }
    let extensions = extensions(&entries, format, choices);
    let written: Vec<Entry> = entries.values().cloned().collect();
    let own = write::index(format, &written, &extensions, choices);
    (Files { own, shared: None, hash_len: format.hash_len }, rows(&entries))
}

fn format(choices: &mut Choices<'_>) -> Format {
    Format {
        version: choices.pick(&[2, 3, 4]),
        hash_len: choices.pick(&[20, 32]),
        marked: choices.one_in(2),
    }
}

/// What a reader has to tell of these.
fn rows(entries: &Entries) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for entry in entries.values() {
        if rows.last().is_some_and(|row| row.path == entry.path) {
            continue;
        }
        let kind = match entry.mode & 0o170_000 {
            0o120_000 => Kind::Symlink,
            0o160_000 => Kind::Submodule,
            TREE => Kind::Dir,
            _ => Kind::File,
        };
        rows.push(Row {
            path: entry.path.clone(),
            kind,
            executable: entry.mode == 0o100_755,
            skip_worktree: entry.skip_worktree,
            conflicted: entry.stage > 0,
            id: if kind == Kind::Dir { entry.id } else { 0 },
        });
    }
    rows
}

/// Adds a path with one entry, or with some of an unfinished merge.
fn add(entries: &mut Entries, format: Format, choices: &mut Choices<'_>) {
    let mut path = path(choices);
    if is_in_the_way(entries, &path) {
        return;
    }
    if format.version > 2 && choices.one_in(8) {
        path.push(b'/');
        let mut entry = entry(path, 0, format, choices);
        (entry.mode, entry.skip_worktree, entry.intent_to_add) = (TREE, true, false);
        entries.insert((entry.path.clone(), 0), entry);
        return;
    }
    let stages: &[u8] = match choices.one_in(8) {
        false => &[0],
        true => choices.pick(&[&[1, 2, 3][..], &[2, 3], &[1, 3], &[1, 2], &[2]]),
    };
    for stage in stages {
        let entry = entry(path.clone(), *stage, format, choices);
        entries.insert((path.clone(), *stage), entry);
    }
}

fn entry(path: Vec<u8>, stage: u8, format: Format, choices: &mut Choices<'_>) -> Entry {
    let mode = choices.pick(&[0o100_644, 0o100_755, 0o120_000, 0o160_000]);
    let id = 1 + choices.below(255) as u8;
    let mut flag = || format.version > 2 && stage == 0 && choices.one_in(8);
    let (skip_worktree, intent_to_add) = (flag(), flag());
    Entry { path, stage, mode, id, skip_worktree, intent_to_add }
}

/// Whether a name would be there twice, or be file and directory at once.
fn is_in_the_way(entries: &Entries, path: &[u8]) -> bool {
    let below = [path, b"/"].concat();
    let is_dir = entries
        .range((below.clone(), 0)..)
        .next()
        .is_some_and(|((other, _), _)| other.starts_with(&below));
    let mut ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    let has = |name: &[u8]| entries.range((name.to_vec(), 0)..=(name.to_vec(), 3)).next().is_some();
    is_dir || has(path) || ends.any(|at| has(&path[..at]) || has(&path[..=at]))
}

fn path(choices: &mut Choices<'_>) -> Vec<u8> {
    let depth = 1 + choices.below(4);
    let parts: Vec<_> = (0..depth).map(|_| component(choices)).collect();
    parts.join(&b'/')
}

fn component(choices: &mut Choices<'_>) -> Vec<u8> {
    const NAMES: &[&[u8]] = &[
        b"a",
        b"b",
        b"a-b",
        b"a.b",
        b"ab",
        b"a b",
        b".x",
        b".gitx",
        b"git",
        b"z",
        b"...",
        b".. ",
        b"\xff",
        b"\xc3\xa4",
        b"a\nb",
        b"\"",
        b"\\",
        b"TREE",
        b"aaaaaaaa",
        b"aaaaaaaaaaaaaaab",
    ];
    match choices.below(32) {
        31 => {
            let most = choices.pick(&[40, 40, 40, 5000]);
            vec![choices.pick(b"lm\x80"); 1 + choices.below(most)]
        }
        24..31 => {
            let mut name = choices.bytes(20);
            name.retain(|byte| !matches!(byte, 0 | b'/'));
            let is_odd =
                matches!(name.as_slice(), b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git");
            if is_odd { b"c".to_vec() } else { name }
        }
        _ => choices.pick(NAMES).to_vec(),
    }
}

fn extensions(entries: &Entries, format: Format, choices: &mut Choices<'_>) -> Vec<Extension> {
    let mut extensions: Vec<Extension> = Vec::new();
    let has_dir = entries.values().any(|entry| entry.mode == TREE);
    if choices.one_in(2) {
        let paths: Vec<&[u8]> = entries.keys().map(|(path, _)| path.as_slice()).collect();
        extensions.push((b"TREE", write::cached_tree(&paths, format.hash_len, choices)));
    }
    for name in [b"REUC", b"UNTR", b"FSMN", b"IEOT", b"XYZW"] {
        if choices.one_in(6) {
            extensions.push((name, choices.bytes(40)));
        }
    }
    if has_dir {
        extensions.push((b"sdir", Vec::new()));
    }
    extensions
}

/// Writes the entries as a shared index, and a second one with what has changed since.
fn split(format: Format, mut entries: Entries, choices: &mut Choices<'_>) -> (Files, Vec<Row>) {
    entries.retain(|_, entry| entry.mode != TREE);
    let base: Vec<Entry> = entries.values().cloned().collect();
    let base_format = Format { version: choices.pick(&[3, 4]), marked: false, ..format };
    let shared = write::index(base_format, &base, &[], choices);
    let (mut deleted, mut replaced) = (vec![false; base.len()], vec![false; base.len()]);
    let mut own = Vec::new();
    for (at, old) in base.iter().enumerate() {
        let key = (old.path.clone(), old.stage);
        match choices.below(6) {
            4 => {
                deleted[at] = true;
                entries.remove(&key);
            }
            5 => {
                replaced[at] = true;
                let new = entry(old.path.clone(), old.stage, format, choices);
                own.push(Entry { path: Vec::new(), ..new.clone() });
                entries.insert(key, new);
            }
            _ => {}
        }
    }
    let taken: BTreeSet<usize> =
        (0..base.len()).filter(|at| deleted[*at] || replaced[*at]).collect();
    own.extend(added(format, &base, &taken, &mut entries, choices));
    let bits = [write::bitmap(&deleted), write::bitmap(&replaced)].concat();
    let link = [&shared[shared.len() - format.hash_len..], &bits].concat();
    let mut all: Vec<Extension> = vec![(b"link", link)];
    all.extend(extensions(&entries, format, choices));
    let own = write::index(format, &own, &all, choices);
    let files = Files { own, shared: Some(shared), hash_len: format.hash_len };
    (files, rows(&entries))
}

/// What a split index adds: new paths, and paths of the shared index whose every stage it replaces.
fn added(
    format: Format,
    base: &[Entry],
    taken: &BTreeSet<usize>,
    entries: &mut Entries,
    choices: &mut Choices<'_>,
) -> Vec<Entry> {
    let live: BTreeSet<_> = entries.keys().cloned().collect();
    for _ in 0..choices.below(6) {
        add(entries, Format { version: 2, ..format }, choices);
    }
    // A deleted name that comes back is left out: its other stages might still be there.
    let comes_back = |path: &[u8]| base.iter().any(|old| old.path == path);
    entries.retain(|key, _| live.contains(key) || !comes_back(&key.0));
    let new = entries.iter().filter(|(key, _)| !live.contains(*key));
    let mut own: Entries = new.map(|(key, entry)| (key.clone(), entry.clone())).collect();
    if choices.one_in(4) && !base.is_empty() {
        let at = choices.below(base.len());
        let path = &base[at].path;
        let is_free = (0..base.len()).all(|at| base[at].path != *path || !taken.contains(&at));
        if is_free {
            let new = entry(path.clone(), 0, Format { version: 2, ..format }, choices);
            entries.retain(|(old, _), _| old != path);
            entries.insert((path.clone(), 0), new.clone());
            own.insert((path.clone(), 0), new);
        }
    }
    own.into_values().collect()
}
