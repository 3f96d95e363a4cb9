//! The ignore files of tools.

use trilist_core::{FaultCode, ListError, RelPath, quote};
use trilist_ignore::{BadLine, Case, Dialect, RuleSet};
use trilist_root::{OpenDirError, ReadError, Root};

use crate::fault::Faults;
use crate::filter::ToolRules;

/// The most bytes of an ignore file.
const BYTES: u64 = 1 << 20;

/// An ignore file's rules, and its bytes for the listing's identity.
pub(crate) struct IgnoreFile {
    pub(crate) rules: ToolRules,
    pub(crate) bytes: Vec<u8>,
}

/// How a file is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// As a file that is there, in pathspec's dialect: that it is not is a note.
    Named,
    /// As one that a tool would read if it were there, in the dialect of its name.
    Tool,
}

/// Reads the file `name` of the work tree at `top`. One that does not exist has no rules; what
/// is wrong with it is a note, and its other lines hold.
///
/// # Errors
///
/// When the name is no path of the repository.
pub(crate) fn read(
    root: &Root,
    top: RelPath<'_>,
    name: &str,
    wanted: Wanted,
    faults: &mut Faults,
) -> Result<Option<IgnoreFile>, ListError> {
    let path = RelPath::new(name.as_bytes()).ok().filter(|path| !path.is_empty());
    let Some(path) = path else {
        let expected = "a path relative to the repository's top is";
        return Err(ListError::invalid("ignore.aiderignore", name, expected));
    };
    let shown = quote::shown(path.as_bytes());
    let mut note = |code, what: String| faults.push_note(code, format!("`{shown}`: {what}"));
    let bytes = match read_bytes(root, top, path) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) if wanted == Wanted::Tool => return Ok(None),
        Err(ReadError::NotFound) => {
            note(FaultCode::IgnoreUnreadable, "there is no such file".to_owned());
            return Ok(None);
        }
        Err(error) => {
            let code = match error {
                ReadError::NotRegular(_) => FaultCode::IgnoreNotRegular,
                ReadError::TooLarge { .. } => FaultCode::IgnoreTooLarge,
                _ => FaultCode::IgnoreUnreadable,
            };
            note(code, error.to_string());
            return Ok(None);
        }
    };
    let dialect = match wanted {
        Wanted::Named => Dialect::Pathspec,
        Wanted::Tool => Dialect::of_tool(name.as_bytes()),
    };
    let (rules, bad) = RuleSet::parse(dialect, &bytes, Case::Sensitive);
    for BadLine { line, text, reason, .. } in bad {
        let text = quote::shown(&text);
        note(FaultCode::IgnorePatternInvalid, format!("line {line}, `{text}`: {reason}"));
    }
    let source = top.to_buf().join(path).as_bytes().to_vec();
    Ok(Some(IgnoreFile { rules: ToolRules { source, rules }, bytes }))
}

fn read_bytes(root: &Root, top: RelPath<'_>, path: RelPath<'_>) -> Result<Vec<u8>, ReadError> {
    let dir = top.to_buf().join(path.parent());
    match root.open_dir(dir.as_path()) {
        Ok(dir) => dir.read_file(path.name(), BYTES),
        Err(OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. }) => {
            Err(ReadError::NotFound)
        }
        Err(OpenDirError::Io { error, .. }) => Err(ReadError::Io(error)),
        Err(OpenDirError::PermissionDenied { .. }) => {
            Err(ReadError::Io(std::io::ErrorKind::PermissionDenied.into()))
        }
    }
}
