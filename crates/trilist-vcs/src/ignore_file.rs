//! The ignore file of a tool, in pathspec's rules.

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
    notes: Vec<String>,
}

/// Which ignore file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    dir: FileId,
    path: RelPathBuf,
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
    memory: &Memory,
    faults: &mut Faults,
) -> Result<Option<Arc<IgnoreFile>>, ListError> {
    let path = RelPath::new(name.as_bytes()).ok().filter(|path| !path.is_empty());
    let Some(path) = path else {
        let expected = "a path relative to the repository's top is";
        return Err(ListError::invalid("ignore.aiderignore", name, expected));
    };
    let shown = quote::shown(path.as_bytes());
    let mut note = |code, what: &str| faults.push_note(code, format!("`{shown}`: {what}"));
    match find(root, top, path, memory) {
        Ok(file) => {
            let bad = FaultCode::IgnorePatternInvalid;
            file.notes.iter().for_each(|what| note(bad, what));
            Ok(Some(file))
        }
        Err(ReadError::NotFound) => {
            note(FaultCode::IgnoreUnreadable, "there is no such file");
            Ok(None)
        }
        Err(error) => {
            let code = match error {
                ReadError::NotRegular(_) => FaultCode::IgnoreNotRegular,
                ReadError::TooLarge { .. } => FaultCode::IgnoreTooLarge,
                _ => FaultCode::IgnoreUnreadable,
            };
            note(code, &error.to_string());
            Ok(None)
        }
    }
}

fn find(
    root: &Root,
    top: RelPath<'_>,
    path: RelPath<'_>,
    memory: &Memory,
) -> Result<Arc<IgnoreFile>, ReadError> {
    let dir = directory(root, &top.to_buf().join(path.parent()))?;
    let source = top.to_buf().join(path);
    let place = Place { dir: dir.id().map_err(ReadError::Io)?, path: source.clone() };
    let known = memory.ignore_file(&place);
    if let Some(known) = known.as_ref().filter(|known| known.settled)
        && dir.stamp(path.name()).map_err(ReadError::Io)? == Some(known.stamp)
    {
        return Ok(Arc::clone(&known.file));
    }
    let opened = dir.open_file(path.name())?;
    let remembered = remember(opened, known, source)?;
    let file = Arc::clone(&remembered.file);
    memory.keep_ignore_file(place, remembered);
    Ok(file)
}

/// Reads a file, and compiles its rules unless they are what is known already.
fn remember(
    opened: RegularFile,
    known: Option<Remembered>,
    source: RelPathBuf,
) -> Result<Remembered, ReadError> {
    let stamp = opened.stamp();
    let now = Instant::now();
    let bytes = opened.read_whole(BYTES)?;
    let known = known.filter(|known| known.file.bytes == bytes);
    let seen = known.as_ref().filter(|known| known.stamp == stamp).map_or(now, |known| known.seen);
    let file = known.map_or_else(|| Arc::new(compile(source, bytes)), |known| known.file);
    Ok(Remembered { stamp, seen, settled: now.duration_since(seen) > SETTLED, file })
}

fn compile(source: RelPathBuf, bytes: Vec<u8>) -> IgnoreFile {
    let (rules, bad) = RuleSet::parse(Dialect::Pathspec, &bytes, Case::Sensitive);
    let note = |BadLine { line, text, reason, .. }: BadLine| {
        format!("line {line}, `{}`: {reason}", quote::shown(&text))
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
