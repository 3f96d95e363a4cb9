//! The ignore files of tools.

use std::sync::Arc;
use std::time::{Duration, Instant};

use trilist_core::{FaultCode, ListError, RelPath, RelPathBuf, quote};
use trilist_ignore::{BadLine, Case, Dialect, RuleSet};
use trilist_root::{Dir, FileId, FileStamp, OpenDirError, ReadError, RegularFile, Root};

use crate::fault::Faults;
use crate::memory::Memory;

/// The most bytes of an ignore file.
const BYTES: u64 = 1 << 20;
/// A file can be written twice within one tick of its file system's clock, which is two seconds
/// at the worst. Bytes that were read this long after its state was first seen are its last.
const SETTLED: Duration = Duration::from_secs(2);

/// An ignore file's rules.
#[derive(Debug)]
pub(crate) struct IgnoreFile {
    /// Its path in the root.
    pub(crate) source: Vec<u8>,
    pub(crate) rules: RuleSet,
    /// Its contents, which belong to a listing's identity.
    pub(crate) bytes: Vec<u8>,
    /// What is wrong with single lines.
    notes: Vec<(String, u64)>,
}

/// How a file is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// As a file that is there, in pathspec's dialect: that it is not is a note.
    Named,
    /// As one that a tool would read if it were there, in the dialect of its name.
    Tool,
}

impl Wanted {
    fn dialect(self, name: &[u8]) -> Dialect {
        match self {
            Wanted::Named => Dialect::Pathspec,
            Wanted::Tool => Dialect::of_tool(name),
        }
    }
}

/// Which ignore file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    dir: FileId,
    path: RelPathBuf,
    dialect: Dialect,
}

/// An ignore file as it was read.
#[derive(Debug, Clone)]
pub(crate) struct Remembered {
    stamp: FileStamp,
    /// When this state was first seen.
    seen: Instant,
    /// Whether nothing can have been written since without another state.
    settled: bool,
    file: Arc<IgnoreFile>,
}

/// Reads the file `name` of the work tree at `top`, unless it is remembered as it is. One that
/// does not exist has no rules; what is wrong with it is a note, and its other lines hold.
///
/// # Errors
///
/// When the name is no path of the repository.
pub(crate) fn read(
    root: &Root,
    top: RelPath<'_>,
    name: &str,
    wanted: Wanted,
    memory: &Memory,
    faults: &mut Faults,
) -> Result<Option<Arc<IgnoreFile>>, ListError> {
    let path = RelPath::new(name.as_bytes()).ok().filter(|path| !path.is_empty());
    let Some(path) = path else {
        let expected = "a path relative to the repository's top is right";
        return Err(ListError::invalid("ignore.aiderignore", name, expected));
    };
    let shown = quote::shown(path.as_bytes());
    let mut note =
        |code, what: &str, more| faults.push_note(code, format!("`{shown}`: {what}"), more);
    match find(root, top, path, wanted.dialect(name.as_bytes()), memory) {
        Ok(file) => {
            let bad = FaultCode::IgnorePatternInvalid;
            file.notes.iter().for_each(|(what, more)| note(bad, what, *more));
            Ok(Some(file))
        }
        Err(ReadError::NotFound) if wanted == Wanted::Tool => Ok(None),
        Err(ReadError::NotFound) => {
            note(FaultCode::IgnoreUnreadable, "there is no such file", 0);
            Ok(None)
        }
        Err(error) => {
            let code = match error {
                ReadError::NotRegular(_) => FaultCode::IgnoreNotRegular,
                ReadError::TooLarge { .. } => FaultCode::IgnoreTooLarge,
                _ => FaultCode::IgnoreUnreadable,
            };
            note(code, &error.to_string(), 0);
            Ok(None)
        }
    }
}

fn find(
    root: &Root,
    top: RelPath<'_>,
    path: RelPath<'_>,
    dialect: Dialect,
    memory: &Memory,
) -> Result<Arc<IgnoreFile>, ReadError> {
    let dir = directory(root, &top.to_buf().join(path.parent()))?;
    let source = top.to_buf().join(path);
    let place = Place { dir: dir.id().map_err(ReadError::Io)?, path: source.clone(), dialect };
    let known = memory.ignore_file(&place);
    if let Some(known) = known.as_ref().filter(|known| known.settled)
        && dir.stamp(path.name()).map_err(ReadError::Io)? == Some(known.stamp)
    {
        return Ok(Arc::clone(&known.file));
    }
    let opened = dir.open_file(path.name())?;
    let remembered = remember(opened, known, source, dialect)?;
    let file = Arc::clone(&remembered.file);
    memory.keep_ignore_file(place, remembered);
    Ok(file)
}

/// Reads a file, and compiles its rules unless they are what is known already.
fn remember(
    opened: RegularFile,
    known: Option<Remembered>,
    source: RelPathBuf,
    dialect: Dialect,
) -> Result<Remembered, ReadError> {
    let stamp = opened.stamp();
    let now = Instant::now();
    let bytes = opened.read_whole(BYTES)?;
    let known = known.filter(|known| known.file.bytes == bytes);
    let seen = known.as_ref().filter(|known| known.stamp == stamp).map_or(now, |known| known.seen);
    let file = known.map_or_else(|| Arc::new(compile(source, dialect, bytes)), |known| known.file);
    Ok(Remembered { stamp, seen, settled: now.duration_since(seen) > SETTLED, file })
}

fn compile(source: RelPathBuf, dialect: Dialect, bytes: Vec<u8>) -> IgnoreFile {
    let (rules, bad) = RuleSet::parse(dialect, &bytes, Case::Sensitive);
    let note = |BadLine { line, text, reason, more, .. }: BadLine| {
        (format!("line {line}, `{}`: {reason}", quote::shown(&text)), more)
    };
    let notes = bad.into_iter().map(note).collect();
    IgnoreFile { source: source.as_bytes().to_vec(), rules, bytes, notes }
}

fn directory(root: &Root, path: &RelPathBuf) -> Result<Dir, ReadError> {
    root.open_dir(path.as_path()).map_err(|error| match error {
        OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. } => ReadError::NotFound,
        OpenDirError::Io { error, .. } => ReadError::Io(error),
        OpenDirError::PermissionDenied { .. } => {
            ReadError::Io(std::io::ErrorKind::PermissionDenied.into())
        }
    })
}
