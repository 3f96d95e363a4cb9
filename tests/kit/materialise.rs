//! Makes a tree out of its manifest.
//!
//! The result must not depend on the machine: permissions are set one by one, because the umask
//! belongs to the whole process and tests share one.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, Timespec, Timestamps, mknodat, utimensat};

use crate::git::git_step;
use crate::manifest::{Entry, Kind, Manifest, Step, as_path};

/// 2024-01-01T00:00:00Z, the time of every file that has none of its own.
const EPOCH_UNIX_S: i64 = 1_704_067_200;

pub(crate) fn materialise(manifest: &Manifest, root: &Path) {
    assert_eq!(manifest.format, 1, "format of tree {}", manifest.name);
    set_mode(root, 0o755);
    make_all(root, &manifest.entries);
    for step in &manifest.steps {
        run(root, step);
    }
}

fn run(root: &Path, step: &Step) {
    match step {
        Step::Entries(entries) => make_all(root, entries),
        Step::Git { args, dir, status } => git_step(&root.join(dir), args, *status),
        Step::Remove(path) => done(remove(&inside(root, path)), "remove", path),
        Step::Rename(old, new) => {
            let new = inside(root, new);
            make_parents(root, &new);
            done(fs::rename(inside(root, old), new), "rename", old);
        }
        Step::Chmod(path, mode) => set_mode(&inside(root, path), *mode),
    }
}

fn make_all(root: &Path, entries: &[Entry]) {
    for entry in entries {
        for rel in entry.paths() {
            make(root, entry, &rel);
        }
    }
}

fn make(root: &Path, entry: &Entry, rel: &[u8]) {
    let path = inside(root, rel);
    make_parents(root, &path);
    match entry.kind {
        Kind::Dir => make_dir(&path),
        Kind::Symlink => return done(symlink(as_path(&entry.target), &path), "link", rel),
        Kind::Fifo => done(make_fifo(&path), "make pipe", rel),
        Kind::File => {
            done(fs::write(&path, entry.content.bytes()), "write", rel);
            set_mode(&path, 0o644);
        }
    }
    if let Some(mode) = entry.mode {
        set_mode(&path, mode);
    }
    if entry.kind != Kind::Dir || entry.mtime_unix_s.is_some() {
        let when = entry.mtime_unix_s.unwrap_or(EPOCH_UNIX_S);
        done(set_times(&path, when), "set the time of", rel);
    }
}

/// The place of `rel` in the tree; refuses one that could lie elsewhere.
fn inside(root: &Path, rel: &[u8]) -> PathBuf {
    let rel = as_path(rel);
    let plain = rel.components().all(|part| matches!(part, Component::Normal(_)));
    assert!(plain && rel.components().next().is_some(), "not a path inside the tree: {rel:?}");
    // Collected from the components, the path loses a slash at its end, on which some calls stumble.
    root.join(rel.components().collect::<PathBuf>())
}

fn make_parents(root: &Path, path: &Path) {
    let parent = path.parent().expect("a path inside the tree has a parent");
    if parent.is_dir() {
        return;
    }
    if parent != root {
        make_parents(root, parent);
    }
    make_dir(parent);
}

fn make_dir(path: &Path) {
    if path.is_dir() {
        return;
    }
    fs::create_dir(path).unwrap_or_else(|error| panic!("make directory {path:?}: {error}"));
    set_mode(path, 0o755);
}

fn make_fifo(path: &Path) -> io::Result<()> {
    Ok(mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o644), 0)?)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .unwrap_or_else(|error| panic!("set mode {mode:o} of {path:?}: {error}"));
}

fn set_times(path: &Path, unix_s: i64) -> io::Result<()> {
    let when = Timespec { tv_sec: unix_s, tv_nsec: 0 };
    let times = Timestamps { last_access: when, last_modification: when };
    Ok(utimensat(CWD, path, &times, AtFlags::empty())?)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

fn done(result: io::Result<()>, what: &str, path: &[u8]) {
    if let Err(error) = result {
        panic!("{what} {:?}: {error}", String::from_utf8_lossy(path));
    }
}
