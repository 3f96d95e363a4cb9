//! Opening the index of a repository.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::sync::Arc;

use trilist_core::{Digest, Identity, ListError, RelPath};
use trilist_root::{Dir, ReadError, RegularFile, Root, Scratch};

use crate::fault::Faults;
use crate::index::{CachedTree, Extensions, IndexError, IndexReader, Link, Step};
use crate::index_side::IndexSide;
use crate::memory::{IndexFacts, Memory};
use crate::objects::{Hash, Objects};

/// Up to this size the whole index is looked at before the first name: that costs less than
/// opening the repository did.
const LOOKED_THROUGH: u64 = 128 * 1024;
/// Cached trees that take more are not remembered.
const KEPT_BYTES: usize = 8 << 20;
/// The most bytes of an index, as in [`trilist_root::gitdir`].
const MOST_BYTES: u64 = 2 << 30;

/// How much of a listing is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Few names: the cached trees cost more to find than the objects that they spare.
    Page,
    /// Many.
    Whole,
}

/// How an index is opened.
pub(crate) struct How<'a> {
    pub(crate) hash_len: usize,
    pub(crate) extent: Extent,
    /// The id of HEAD's tree.
    pub(crate) head: Option<&'a [u8]>,
    pub(crate) memory: &'a Memory,
}

/// The index, opened and placed before its first name.
pub(crate) struct IndexFile {
    pub(crate) side: IndexSide,
    pub(crate) cached: Option<Arc<CachedTree>>,
    /// Tells it from other states of it.
    pub(crate) identity: Option<Identity>,
}

impl IndexFile {
    fn without_trees(side: IndexSide) -> Self {
        IndexFile { side, cached: None, identity: None }
    }
}

/// Opens the index of a git directory.
///
/// An index with an unknown extension that must be understood is refused. The extensions stand
/// behind the entries, so for a page of a large index only the cheap signs are looked at: the
/// base file of a split index beside it, the mark of the entries' end. What they do not show is
/// found behind the last entry and is a gap then.
///
/// # Errors
///
/// When the index must not be read; one that is damaged is a fault instead.
pub(crate) fn open(
    git_dir: &Root,
    how: How<'_>,
    objects: Option<Objects>,
    digest: &mut Digest,
    faults: &mut Faults,
) -> Result<IndexFile, ListError> {
    let dir = git_dir.dir().map_err(|error| unreadable(&error))?;
    let mut file = match dir.open_file(b"index") {
        Ok(file) => file,
        Err(ReadError::NotFound) => {
            return Ok(IndexFile::without_trees(IndexSide::new(None, objects)));
        }
        Err(ReadError::Io(error)) => {
            return Ok(IndexFile::without_trees(IndexSide::broken(&error.into(), faults)));
        }
        Err(error) => return Err(invalid(&error.to_string())),
    };
    let bytes = file.len();
    if bytes > MOST_BYTES {
        return Err(invalid(&format!("it is larger than {MOST_BYTES} bytes")));
    }
    let opened = identity(&mut file, how.hash_len).map_err(IndexError::Io).and_then(|identity| {
        digest.add(&identity.to_bytes());
        let (facts, cached) = known_facts(&dir, &mut file, &how, identity)?;
        let link = facts.vetted.flatten();
        let reader = read(&dir, file, link, how.hash_len, digest)?;
        Ok((reader, cached, identity))
    });
    match opened {
        Ok((reader, cached, identity)) => {
            let side = IndexSide::new(Some(reader), objects);
            Ok(IndexFile { side, cached, identity: Some(identity) })
        }
        Err(IndexError::Required(name)) => Err(required(name)),
        Err(error) => Ok(IndexFile::without_trees(IndexSide::broken(&error, faults))),
    }
}

/// What has to be known of an index before its entries, found out now or before, and the cached
/// trees if they are wanted.
fn known_facts(
    dir: &Dir,
    file: &mut RegularFile,
    how: &How<'_>,
    identity: Identity,
) -> Result<(IndexFacts, Option<Arc<CachedTree>>), IndexError> {
    let known = how.memory.index(identity);
    let mut facts = known.clone();
    if facts.vetted.is_none() {
        facts.vetted = vet(dir, file, how.hash_len)?;
    }
    let cached = match how.extent {
        Extent::Page => facts.cached.clone().flatten(),
        Extent::Whole => cached_trees(file, how, &mut facts)?,
    };
    how.memory.keep_index(identity, worth_keeping(&facts, known, file.len()));
    Ok((facts, cached))
}

/// What is remembered of an index of so many bytes: what was known before, and what was found out
/// now if it is not too large. What a split index says of the other file can be as large as itself.
fn worth_keeping(found: &IndexFacts, known: IndexFacts, bytes: u64) -> IndexFacts {
    let mut kept = known;
    let is_split = matches!(found.vetted, Some(Some(_)));
    if !is_split || bytes <= KEPT_BYTES as u64 {
        kept.vetted.clone_from(&found.vetted);
    }
    let trees = found.cached.iter().flatten().map(|cached| cached.held_bytes()).max();
    if trees.is_none_or(|bytes| bytes <= KEPT_BYTES) {
        kept.cached.clone_from(&found.cached);
    }
    kept
}

/// What tells this index from another state of it. The checksum alone may be zero.
fn identity(file: &mut RegularFile, hash_len: usize) -> io::Result<Identity> {
    let mut digest = Digest::new();
    let stamp = file.stamp();
    let time = |(seconds, nanoseconds): (i64, u32)| format!("{seconds}.{nanoseconds}");
    for number in [stamp.device, stamp.inode, stamp.size_bytes] {
        digest.add_u128(number.into());
    }
    digest.add(time(stamp.mtime).as_bytes()).add(time(stamp.ctime).as_bytes());
    digest.add(&trailer(file, hash_len)?).add_u128(hash_len as u128);
    Ok(digest.identity())
}

/// The last bytes, where the checksum stands.
fn trailer(file: &mut RegularFile, hash_len: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(file.len().saturating_sub(hash_len as u64)))?;
    let mut trailer = Vec::new();
    file.by_ref().take(hash_len as u64).read_to_end(&mut trailer)?;
    Ok(trailer)
}

/// Starts to read an index, and the file that it shares if it is split.
fn read(
    dir: &Dir,
    file: RegularFile,
    link: Option<Link>,
    hash_len: usize,
    digest: &mut Digest,
) -> Result<IndexReader<RegularFile>, IndexError> {
    let bytes = file.len();
    let Some(link) = link else {
        return IndexReader::new(file, bytes, hash_len);
    };
    let named = |what: String| IndexError::Shared { name: link.file_name(), what };
    let shared = shared_index(dir, &link, hash_len).map_err(named)?;
    // Git sets the shared file's time whenever it reads it, so that tells nothing.
    let stamp = shared.stamp();
    digest.add(link.base()).add_u128(stamp.device.into()).add_u128(stamp.inode.into());
    let again = file.another()?;
    let shared_bytes = shared.len();
    IndexReader::split([file, again], bytes, (shared, shared_bytes), link, hash_len)
}

/// Opens the file that a split index names. Its name repeats the checksum at its end.
fn shared_index(dir: &Dir, link: &Link, hash_len: usize) -> Result<RegularFile, String> {
    let mut file = dir.open_file(link.file_name().as_bytes()).map_err(|error| match error {
        ReadError::Io(error) => trilist_root::errno_name(&error),
        other => other.to_string(),
    })?;
    if file.len() > MOST_BYTES {
        return Err(format!("it is larger than {MOST_BYTES} bytes"));
    }
    let trailer = trailer(&mut file, hash_len).map_err(|error| trilist_root::errno_name(&error))?;
    if trailer != link.base() {
        return Err("it does not end in the checksum that is its name".to_owned());
    }
    if file.len() <= LOOKED_THROUGH {
        walk(&mut file, hash_len)
            .and_then(|_| check_sum(&mut file, hash_len))
            .map_err(|error| error.to_string())?;
    }
    Ok(file)
}

/// Looks an index through that is small, or may be split, and tells what it shares; `None` when
/// neither is known to be needed.
fn vet(
    dir: &Dir,
    file: &mut RegularFile,
    hash_len: usize,
) -> Result<Option<Option<Link>>, IndexError> {
    let bytes = file.len();
    let is_small = bytes <= LOOKED_THROUGH;
    let mut chain = Extensions::marked(file, bytes, hash_len)?;
    if is_small || (chain.is_none() && has_shared_index(dir)?) {
        chain = Some(walk(file, hash_len)?);
    }
    if let Some(chain) = &chain {
        chain.check()?;
    }
    if is_small {
        check_sum(file, hash_len)?;
    }
    let Some(chain) = chain else { return Ok(None) };
    Link::of(&chain, file, hash_len).map(Some)
}

/// Reads every entry, and what stands behind the last one.
fn walk(file: &mut RegularFile, hash_len: usize) -> Result<Extensions, IndexError> {
    let bytes = file.len();
    let mut reader = IndexReader::new(file, bytes, hash_len)?;
    while reader.step()? != Step::End {}
    reader.extensions()
}

/// The cached trees of an index that is too large to do without: they are the index's own word
/// for what HEAD's trees hold, and of a small one those are read as quickly. When nothing is
/// staged, the word for the whole is all that is needed, and the rest, megabytes of a large
/// repository, is not read.
fn cached_trees(
    file: &mut RegularFile,
    how: &How<'_>,
    facts: &mut IndexFacts,
) -> Result<Option<Arc<CachedTree>>, IndexError> {
    if let Some(known) = &facts.cached {
        return Ok(known.clone());
    }
    let chain = match file.len() <= LOOKED_THROUGH {
        true => None,
        false => Extensions::locate(file, file.len(), how.hash_len)?,
    };
    let Some(chain) = chain else {
        facts.cached = Some(None);
        return Ok(None);
    };
    chain.check()?;
    let whole = CachedTree::whole(&chain, file, how.hash_len).map_err(IndexError::Io)?;
    if let Some(whole) = whole.filter(|whole| whole.is_all_of(how.head)) {
        return Ok(Some(Arc::new(whole)));
    }
    let cached = CachedTree::of(&chain, file, how.hash_len).map_err(IndexError::Io)?.map(Arc::new);
    facts.cached = Some(cached.clone());
    Ok(cached)
}

/// Compares the checksum of a small index; for a large one that would take longer than listing
/// it. Git leaves it zero where `index.skipHash` says so.
fn check_sum(file: &mut RegularFile, hash_len: usize) -> Result<(), IndexError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.by_ref().take(LOOKED_THROUGH).read_to_end(&mut bytes)?;
    let (contents, sum) = bytes.split_at(bytes.len().saturating_sub(hash_len));
    let right = Hash::of_len(hash_len).names(&[contents], sum);
    if right || sum.iter().all(|byte| *byte == 0) {
        return Ok(());
    }
    Err(IndexError::Checksum)
}

/// Whether a file is there that only a split index needs.
fn has_shared_index(dir: &Dir) -> io::Result<bool> {
    let mut found = false;
    dir.entries(&mut Scratch::default(), &mut |entry| {
        found |= entry.name.starts_with(b"sharedindex.");
        Ok(if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found)
}

fn required(name: [u8; 4]) -> ListError {
    let name = name.escape_ascii();
    ListError::VcsRefused {
        reason: format!("its index has the extension `{name}`, which is not known"),
    }
}

fn invalid(what: &str) -> ListError {
    ListError::VcsInvalid { reason: format!("`index`: {what}") }
}

fn unreadable(error: &io::Error) -> ListError {
    ListError::Io {
        what: "the git directory cannot be read".to_owned(),
        error: trilist_root::errno_name(error),
    }
}

/// The path of a directory of the repository with a slash, empty for its top.
pub(crate) fn region(dir: RelPath<'_>) -> Vec<u8> {
    let mut region = dir.as_bytes().to_vec();
    if !region.is_empty() {
        region.push(b'/');
    }
    region
}
