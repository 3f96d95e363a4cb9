//! What a repository adds to the rules of its top: its own excludes, and whether case counts.

use std::io;

use trilist_core::{FaultCode, Kind, RelPath};
use trilist_ignore::{Case, Layer};
use trilist_root::{Dir, ReadError, gitdir};

use crate::rules::{Files, MAX_IGNORE_BYTES, Place, RuleFault};

const EXCLUDE: &[u8] = b".git/info/exclude";
const CONFIG: &[u8] = b".git/config";
const WORKTREE_CONFIG: &[u8] = b".git/config.worktree";

/// Reads both. They lie in the repository's common directory, which a linked work tree and a
/// submodule only point to.
pub(crate) fn read(place: &Place<'_>, files: &mut Files<'_>) {
    match place.found.git {
        Some(Kind::Dir) => match place.dir.open_dir(b".git") {
            Ok(git) => {
                settings(place, &git, files);
                exclude(place, &git, files);
            }
            Err(error) => files.take(Layer::InfoExclude, place, EXCLUDE, Err(read_error(error))),
        },
        _ => linked(place, files),
    }
}

fn linked(place: &Place<'_>, files: &mut Files<'_>) {
    match gitdir::at(place.root, place.path) {
        Ok(Some(repository)) => {
            files.set_case(case(&repository.config));
            match repository.common_dir.dir() {
                Ok(common) => exclude(place, &common, files),
                Err(error) => {
                    files.take(Layer::InfoExclude, place, EXCLUDE, Err(read_error(error)));
                }
            }
        }
        Ok(None) => {}
        Err(error) => files.tell(RuleFault {
            path: place.path.to_buf().join(RelPath::assume(b".git")).as_bytes().to_vec(),
            code: FaultCode::IgnoreUnreadable,
            message: format!("info/exclude is not in force: {error}"),
            more: 0,
        }),
    }
}

fn exclude(place: &Place<'_>, common: &Dir, files: &mut Files<'_>) {
    let read = match common.open_dir(b"info") {
        Ok(info) => info.read_file(b"exclude", MAX_IGNORE_BYTES),
        Err(error) => Err(read_error(error)),
    };
    files.take(Layer::InfoExclude, place, EXCLUDE, read);
}

/// A directory that is not there holds no file.
fn read_error(error: io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound => ReadError::NotFound,
        _ => ReadError::Io(error),
    }
}

/// Whether case counts; where that cannot be told, it does.
fn settings(place: &Place<'_>, git: &Dir, files: &mut Files<'_>) {
    let mut config = gitdir::GitConfig::default();
    let mut read = append(&mut config, git, CONFIG);
    if config.worktree_config() {
        read = read.and_then(|()| append(&mut config, git, WORKTREE_CONFIG));
    }
    match read {
        Ok(()) => files.set_case(case(&config)),
        Err((name, why)) => files.tell(RuleFault {
            path: place.path.to_buf().join(RelPath::assume(name)).as_bytes().to_vec(),
            code: FaultCode::IgnoreUnreadable,
            message: format!("{why}, so case counts in the rules of git's files"),
            more: 0,
        }),
    }
}

/// Adds what a file says, named as seen from the repository's top; one that is not there says
/// nothing.
fn append(
    config: &mut gitdir::GitConfig,
    git: &Dir,
    name: &'static [u8],
) -> Result<(), (&'static [u8], String)> {
    let base = &name[b".git/".len()..];
    match git.read_file(base, MAX_IGNORE_BYTES) {
        Ok(bytes) => match gitdir::GitConfig::parse(&bytes) {
            Ok(later) => {
                config.append(later);
                Ok(())
            }
            Err(error) => Err((name, error.to_string())),
        },
        Err(ReadError::NotFound) => Ok(()),
        Err(error) => Err((name, error.to_string())),
    }
}

fn case(config: &gitdir::GitConfig) -> Case {
    match config.flag("core", None, "ignorecase") {
        Some(true) => Case::Insensitive,
        _ => Case::Sensitive,
    }
}
