//! What a repository adds to the rules of its top: its own excludes, and whether case counts.

use std::io;

use trilist_core::{FaultCode, Kind, RelPath};
use trilist_ignore::{Case, Layer};
use trilist_root::{Dir, ReadError, gitdir};

use crate::rules::{Files, MAX_IGNORE_BYTES, Place, RuleFault};

const EXCLUDE: &[u8] = b".git/info/exclude";
const CONFIG: &[u8] = b".git/config";

/// Reads both. They lie in the repository's common directory, which a linked work tree and a
/// submodule only point to.
pub(crate) fn read(place: &Place<'_>, files: &mut Files<'_>) {
    match place.found.git {
        Some(Kind::Dir) => match place.dir.open_dir(b".git") {
            Ok(git) => {
                let config = git.read_file(b"config", MAX_IGNORE_BYTES);
                settings(place, config, files);
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
fn settings(place: &Place<'_>, config: Result<Vec<u8>, ReadError>, files: &mut Files<'_>) {
    let why = match config {
        Ok(bytes) => match gitdir::GitConfig::parse(&bytes) {
            Ok(config) => return files.set_case(case(&config)),
            Err(error) => error.to_string(),
        },
        Err(ReadError::NotFound) => return,
        Err(error) => error.to_string(),
    };
    files.tell(RuleFault {
        path: place.path.to_buf().join(RelPath::assume(CONFIG)).as_bytes().to_vec(),
        code: FaultCode::IgnoreUnreadable,
        message: format!("{why}, so case counts in the rules of git's files"),
        more: 0,
    });
}

fn case(config: &gitdir::GitConfig) -> Case {
    match config.flag("core", None, "ignorecase") {
        Some(true) => Case::Insensitive,
        _ => Case::Sensitive,
    }
}
