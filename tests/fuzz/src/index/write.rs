//! Indexes as git's documentation describes their bytes.

use sha1::Digest as _;

use crate::choices::Choices;

/// An entry that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    pub(crate) stage: u8,
    pub(crate) mode: u32,
    /// Every byte of its id.
    pub(crate) id: u8,
    pub(crate) skip_worktree: bool,
    pub(crate) intent_to_add: bool,
}

/// How an index is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    pub(crate) version: u32,
    pub(crate) hash_len: usize,
    /// With the mark of the entries' end.
    pub(crate) marked: bool,
}

pub(crate) type Extension = (&'static [u8; 4], Vec<u8>);

/// The whole file, with its checksum. What is free in the format is chosen.
pub(crate) fn index(
    format: Format,
    entries: &[Entry],
    extensions: &[Extension],
    choices: &mut Choices<'_>,
) -> Vec<u8> {
    let mut bytes = b"DIRC".to_vec();
    bytes.extend(format.version.to_be_bytes());
    bytes.extend((entries.len() as u32).to_be_bytes());
    let mut last: &[u8] = b"";
    for entry in entries {
        push_entry(&mut bytes, format, entry, last, choices);
        last = &entry.path;
    }
    let end = bytes.len() as u32;
    let mut headers = Vec::new();
    for (name, contents) in extensions {
        let header = [&name[..], &(contents.len() as u32).to_be_bytes()].concat();
        headers.extend_from_slice(&header);
        bytes.extend(header);
        bytes.extend_from_slice(contents);
    }
    if format.marked {
        bytes.extend(b"EOIE");
        bytes.extend((4 + format.hash_len as u32).to_be_bytes());
        bytes.extend(end.to_be_bytes());
        bytes.extend(sum(&headers, format.hash_len));
    }
    seal(&mut bytes, format.hash_len);
    bytes
}

/// Puts the checksum behind everything.
pub(crate) fn seal(bytes: &mut Vec<u8>, hash_len: usize) {
    bytes.extend(sum(bytes, hash_len));
}

pub(crate) fn sum(bytes: &[u8], hash_len: usize) -> Vec<u8> {
    match hash_len {
        20 => sha1::Sha1::digest(bytes).to_vec(),
        _ => sha2::Sha256::digest(bytes).to_vec(),
    }
}

fn push_entry(
    bytes: &mut Vec<u8>,
    format: Format,
    entry: &Entry,
    last: &[u8],
    choices: &mut Choices<'_>,
) {
    let start = bytes.len();
    let mut stat = choices.bytes(24);
    stat.resize(36, 0);
    bytes.extend_from_slice(&stat[..24]);
    bytes.extend(entry.mode.to_be_bytes());
    bytes.extend_from_slice(&stat[24..]);
    bytes.extend(vec![entry.id; format.hash_len]);
    let is_extended = entry.skip_worktree || entry.intent_to_add;
    let assume_valid = choices.one_in(16);
    let flags = u16::from(assume_valid) << 15
        | u16::from(is_extended) << 14
        | u16::from(entry.stage) << 12
        | entry.path.len().min(0xfff) as u16;
    bytes.extend(flags.to_be_bytes());
    if is_extended {
        let more = u16::from(entry.skip_worktree) << 14 | u16::from(entry.intent_to_add) << 13;
        bytes.extend(more.to_be_bytes());
    }
    if format.version == 4 {
        // Less may be shared than could be.
        let shared = last.iter().zip(&entry.path).take_while(|(l, r)| l == r).count();
        let shared = shared - choices.below(2).min(shared);
        bytes.extend(variable_int(last.len() - shared));
        bytes.extend_from_slice(&entry.path[shared..]);
        bytes.push(0);
    } else {
        bytes.extend_from_slice(&entry.path);
        let size = bytes.len() - start;
        bytes.resize(start + ((size + 8) & !7), 0);
    }
}

/// Seven bits a byte, the most significant first, each byte but the last counting one more.
pub(crate) fn variable_int(mut value: usize) -> Vec<u8> {
    let mut bytes = vec![(value & 0x7f) as u8];
    while value > 0x7f {
        value = (value >> 7) - 1;
        bytes.insert(0, (value & 0x7f) as u8 | 0x80);
    }
    bytes
}

/// The contents of the extension `TREE`, in which some directories have changed. A directory above
/// one that has changed has changed itself.
pub(crate) fn cached_tree(paths: &[&[u8]], hash_len: usize, choices: &mut Choices<'_>) -> Vec<u8> {
    node(b"", paths, hash_len, choices).0
}

fn node(
    name: &[u8],
    paths: &[&[u8]],
    hash_len: usize,
    choices: &mut Choices<'_>,
) -> (Vec<u8>, bool) {
    let mut dirs: Vec<&[u8]> = paths.iter().filter_map(|path| first_dir(path)).collect();
    dirs.dedup();
    // Git's own order of these.
    dirs.sort_by_key(|dir| (dir.len(), *dir));
    let (mut below, mut is_valid) = (Vec::new(), !choices.one_in(4));
    for dir in &dirs {
        let inner = paths.iter().filter(|path| first_dir(path) == Some(dir));
        let inner: Vec<&[u8]> = inner.map(|path| &path[dir.len() + 1..]).collect();
        let (bytes, child_is_valid) = node(dir, &inner, hash_len, choices);
        below.extend(bytes);
        is_valid &= child_is_valid;
    }
    let entries = if is_valid { paths.len() as i64 } else { -1 };
    let mut bytes = [name, format!("\0{entries} {}\n", dirs.len()).as_bytes()].concat();
    if is_valid {
        bytes.extend(vec![7; hash_len]);
    }
    bytes.extend(below);
    (bytes, is_valid)
}

fn first_dir(path: &[u8]) -> Option<&[u8]> {
    let slash = path.iter().position(|byte| *byte == b'/')?;
    Some(&path[..slash])
}

/// Which of some entries are meant, compressed as git does.
pub(crate) fn bitmap(bits: &[bool]) -> Vec<u8> {
    let words: Vec<u64> = bits
        .chunks(64)
        .map(|chunk| chunk.iter().enumerate().map(|(at, bit)| u64::from(*bit) << at).sum())
        .collect();
    let (mut out, mut last_marker, mut at) = (Vec::new(), 0, 0);
    while at < words.len() || out.is_empty() {
        let same = words.get(at).copied().filter(|word| [0, u64::MAX].contains(word));
        let run = words[at..].iter().take_while(|word| same == Some(**word)).count();
        let rest = &words[at + run..];
        let literals = rest.iter().take_while(|word| ![0, u64::MAX].contains(*word)).count();
        last_marker = out.len();
        let ones = u64::from(same == Some(u64::MAX));
        out.push(ones | (run as u64) << 1 | (literals as u64) << 33);
        out.extend_from_slice(&rest[..literals]);
        at += run + literals;
    }
    let mut bytes = (bits.len() as u32).to_be_bytes().to_vec();
    bytes.extend((out.len() as u32).to_be_bytes());
    out.iter().for_each(|word| bytes.extend(word.to_be_bytes()));
    bytes.extend((last_marker as u32).to_be_bytes());
    bytes
}
