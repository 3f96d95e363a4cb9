//! Which repository formats are read.

use trilist_core::{ListError, quote};
use trilist_root::gitdir::GitConfig;

use crate::objects::Hash;

/// What a repository's configuration says of its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Format {
    pub(crate) hash: Hash,
    /// Whether objects may be absent on purpose.
    pub(crate) partial: bool,
}

/// Extensions that change nothing for reading HEAD and the index.
const HARMLESS: [&[u8]; 5] =
    [b"noop", b"noop-v1", b"preciousobjects", b"worktreeconfig", b"relativeworktrees"];

/// Checks the format.
///
/// # Errors
///
/// [`ListError::VcsRefused`] names what is not read.
pub(crate) fn check(config: &GitConfig) -> Result<Format, ListError> {
    let version = match config.value("core", None, "repositoryformatversion") {
        None | Some(b"0") => 0,
        Some(b"1") => 1,
        Some(other) => {
            let other = quote::shown(other);
            return Err(refused(format!("its format has version {other}; known are 0 and 1")));
        }
    };
    // A clone says it of the remote; the extension is how it was said before.
    let partial = config.any_flag("remote", "promisor");
    let mut format = Format { hash: Hash::Sha1, partial };
    for (key, value) in config.section("extensions") {
        match (key, value) {
            (b"objectformat", b"sha1") | (b"refstorage", b"files") => {}
            (b"objectformat", b"sha256") => format.hash = Hash::Sha256,
            (b"objectformat" | b"refstorage", value) => {
                let key = quote::shown(key);
                let value = quote::shown(value);
                return Err(refused(format!("`extensions.{key} = {value}` is not read yet")));
            }
            (b"partialclone", _) => format.partial = true,
            (key, _) if HARMLESS.contains(&key) || version == 0 => {}
            (key, _) => {
                let key = quote::shown(key);
                return Err(refused(format!("the extension `{key}` is not known here")));
            }
        }
    }
    Ok(format)
}

fn refused(reason: String) -> ListError {
    ListError::VcsRefused { reason }
}
