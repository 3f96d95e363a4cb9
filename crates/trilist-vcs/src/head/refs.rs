//! From HEAD to a commit.
//!
//! A reader of our own: these files are anybody's, so they are read through the root, must be
//! regular and small, and a chain of symbolic references ends after a few steps.

use trilist_core::RelPath;
use trilist_root::{OpenDirError, ReadError, Root};

use super::packed;

/// Why HEAD cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HeadFault(pub(crate) String);

/// The most bytes of HEAD and of a reference.
const REF_BYTES: u64 = 4096;
/// The most symbolic references in a row, as in git.
const MOST_STEPS: usize = 5;

/// The commit that HEAD names, as bytes of its id; `None` before the first commit.
///
/// # Errors
///
/// When HEAD or a reference that it leads to is damaged.
pub(crate) fn resolve(
    git_dir: &Root,
    common_dir: &Root,
    hash_len: usize,
) -> Result<Option<Vec<u8>>, HeadFault> {
    let mut name = b"HEAD".to_vec();
    for _ in 0..=MOST_STEPS {
        let Some(text) = read_ref(git_dir, common_dir, &name, hash_len)? else {
            return if name == b"HEAD" {
                Err(HeadFault("`HEAD` is missing".to_owned()))
            } else {
                Ok(None)
            };
        };
        match text.strip_prefix(b"ref:") {
            Some(target) => name = checked(target.trim_ascii())?.to_vec(),
            None => return commit(&name, &text, hash_len).map(Some),
        }
    }
    let most = MOST_STEPS;
    Err(HeadFault(format!("`HEAD` leads through more than {most} symbolic references")))
}

fn commit(name: &[u8], text: &[u8], hash_len: usize) -> Result<Vec<u8>, HeadFault> {
    from_hex(text, hash_len).ok_or_else(|| {
        let name = shown(name);
        HeadFault(format!("`{name}` holds neither a commit's id nor a reference"))
    })
}

/// The bytes of an id that stands at the beginning of a line.
pub(crate) fn from_hex(text: &[u8], hash_len: usize) -> Option<Vec<u8>> {
    let digits = text.get(..hash_len * 2)?;
    if !text[hash_len * 2..].first().is_none_or(u8::is_ascii_whitespace) {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16);
    let pair = |two: &[u8]| u8::try_from(value(two[0])? * 16 + value(two[1])?).ok();
    digits.chunks_exact(2).map(pair).collect()
}

/// A name that stays where references are.
fn checked(name: &[u8]) -> Result<&[u8], HeadFault> {
    let below = RelPath::new(name).is_ok_and(|path| path.components().next() == Some(b"refs"));
    // A component that starts with a dot is never a reference's; reftable's stand-in is one.
    let odd = name.split(|byte| *byte == b'/').any(|part| part.starts_with(b"."));
    if below && !odd {
        return Ok(name);
    }
    Err(HeadFault("`HEAD` leads to a reference whose name is not allowed".to_owned()))
}

/// The text of a reference, loose first, then packed.
fn read_ref(
    git_dir: &Root,
    common_dir: &Root,
    name: &[u8],
    hash_len: usize,
) -> Result<Option<Vec<u8>>, HeadFault> {
    let own = [&b"refs/bisect/"[..], b"refs/worktree/", b"refs/rewritten/"];
    let is_own = name == b"HEAD" || own.iter().any(|prefix| name.starts_with(prefix));
    let root = if is_own { git_dir } else { common_dir };
    if let Some(text) = read_loose(root, RelPath::assume(name))? {
        return Ok(Some(text));
    }
    if name == b"HEAD" {
        return Ok(None);
    }
    packed::find(common_dir, name, hash_len)
}

fn read_loose(root: &Root, path: RelPath<'_>) -> Result<Option<Vec<u8>>, HeadFault> {
    let name = shown(path.as_bytes());
    let dir = match root.open_dir(path.parent()) {
        Ok(dir) => dir,
        Err(OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. }) => return Ok(None),
        Err(error) => return Err(HeadFault(format!("`{name}` cannot be read: {error}"))),
    };
    match dir.read_file(path.name(), REF_BYTES) {
        Ok(text) => Ok(Some(text)),
        // Git leaves empty directories behind where branches with slashes were.
        Err(ReadError::NotFound | ReadError::NotRegular(trilist_core::Kind::Dir)) => Ok(None),
        Err(ReadError::Io(error)) => {
            let error = trilist_root::errno_name(&error);
            Err(HeadFault(format!("`{name}` cannot be read: {error}")))
        }
        Err(error) => Err(HeadFault(format!("`{name}`: {error}"))),
    }
}

fn shown(name: &[u8]) -> std::borrow::Cow<'_, str> {
    trilist_core::quote::shown(name)
}
