//! The files of a chat session, from the command line and from a file.

#![expect(
    clippy::disallowed_methods,
    reason = "a name is looked at where the person who typed it stands"
)]

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use trilist::{ChatFiles, ListError, PathArg, quote, read_session};

use crate::args::ChatArgs;
use crate::environment::working_directory;

/// The files that the arguments name, if they name any. Paths are relative to the working
/// directory, those in a session's file as well.
///
/// # Errors
///
/// When the session's file cannot be used, or the working directory cannot be told.
pub(crate) fn files(args: &ChatArgs) -> Result<Option<ChatFiles>, ListError> {
    let ChatArgs { chat, read_only, session } = args;
    if chat.is_empty() && read_only.is_empty() && session.is_none() {
        return Ok(None);
    }
    let named = |names: &[OsString]| -> Vec<PathArg> {
        names.iter().map(|name| PathArg::from(name.as_bytes().to_vec())).collect()
    };
    let mut files = session.as_deref().map(read_session).transpose()?.unwrap_or_default();
    files.in_chat.extend(named(chat));
    files.read_only.extend(named(read_only));
    let cwd = working_directory().map_err(|error| ListError::Io {
        what: "cannot tell the working directory".to_owned(),
        error: error.to_string(),
    })?;
    for name in files.in_chat.iter_mut().chain(&mut files.read_only) {
        *name = absolute(&cwd, name);
    }
    Ok(Some(files))
}

/// A quoted spelling stays one.
fn absolute(cwd: &Path, name: &PathArg) -> PathArg {
    let (bytes, quoted) = match quote::unquoted(name.as_bytes()) {
        // A file whose own name has quotes comes first.
        Some(unquoted) if !cwd.join(OsStr::from_bytes(name.as_bytes())).exists() => {
            (unquoted, true)
        }
        _ => (name.as_bytes().to_vec(), false),
    };
    if bytes.first() == Some(&b'/') || bytes.is_empty() {
        return if quoted { PathArg::from(bytes) } else { name.clone() };
    }
    PathArg::from(cwd.join(OsStr::from_bytes(&bytes)).into_os_string().as_bytes().to_vec())
}
