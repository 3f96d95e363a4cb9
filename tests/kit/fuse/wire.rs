//! The messages of the kernel's protocol (`include/uapi/linux/fuse.h`), as bytes.

pub(super) const LOOKUP: u32 = 1;
pub(super) const FORGET: u32 = 2;
pub(super) const GETATTR: u32 = 3;
pub(super) const OPEN: u32 = 14;
pub(super) const STATFS: u32 = 17;
pub(super) const RELEASE: u32 = 18;
pub(super) const INIT: u32 = 26;
pub(super) const OPENDIR: u32 = 27;
pub(super) const READDIR: u32 = 28;
pub(super) const RELEASEDIR: u32 = 29;
pub(super) const ACCESS: u32 = 34;
pub(super) const INTERRUPT: u32 = 36;
pub(super) const DESTROY: u32 = 38;
pub(super) const BATCH_FORGET: u32 = 42;

pub(super) const TYPE_UNKNOWN: u32 = 0;
pub(super) const TYPE_DIR: u32 = 4;
pub(super) const TYPE_FILE: u32 = 8;

const HEAD_BYTES: usize = 40;
const MODE_DIR: u32 = 0o040_755;
const MODE_FILE: u32 = 0o100_644;

/// What the kernel asks.
pub(super) struct Request<'a> {
    pub(super) opcode: u32,
    pub(super) unique: u64,
    pub(super) node: u64,
    body: &'a [u8],
}

impl<'a> Request<'a> {
    /// Nothing if the bytes are too few.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Request<'a>> {
        let body = bytes.get(HEAD_BYTES..)?;
        let (opcode, unique, node) = (u32_at(bytes, 4), u64_at(bytes, 8), u64_at(bytes, 16));
        Some(Request { opcode, unique, node, body })
    }

    /// The name that is looked up.
    pub(super) fn name(&self) -> &str {
        let end = self.body.iter().position(|byte| *byte == 0).unwrap_or(self.body.len());
        std::str::from_utf8(&self.body[..end]).unwrap_or_default()
    }

    /// Where the reading of a directory goes on: entries given so far.
    pub(super) fn offset(&self) -> u64 {
        u64_at(self.body, 8)
    }

    /// How many bytes of names may be given.
    pub(super) fn size(&self) -> usize {
        u32_at(self.body, 16) as usize
    }
}

/// What is known of a node.
pub(super) struct Attributes {
    pub(super) number: u64,
    pub(super) is_dir: bool,
}

impl Attributes {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Number, size, blocks, and three times.
        [self.number, 0, 0, 0, 0, 0].iter().for_each(|number| push64(&mut out, *number));
        let mode = if self.is_dir { MODE_DIR } else { MODE_FILE };
        // Parts of the three times, mode, links, owner, group, device, block size, flags.
        [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0].iter().for_each(|number| push32(&mut out, *number));
        out
    }

    /// The answer to a look at it; nothing is kept by the kernel.
    pub(super) fn got(&self) -> Vec<u8> {
        let mut out = vec![0; 16];
        out.extend(self.bytes());
        out
    }

    /// The answer to a name that was looked up; nothing is kept by the kernel.
    pub(super) fn looked_up(&self) -> Vec<u8> {
        let mut out = Vec::new();
        push64(&mut out, self.number);
        out.extend([0; 32]);
        out.extend(self.bytes());
        out
    }
}

/// The answer to the first message: version 7.31, no feature.
pub(super) fn init() -> Vec<u8> {
    let mut out = Vec::new();
    // Version, read-ahead, flags, background requests, largest write, granularity of times.
    [7, 31, 65_536, 0, 0, 65_536, 1].iter().for_each(|number| push32(&mut out, *number));
    out.resize(64, 0);
    out
}

/// The answer to an open: no handle is needed.
pub(super) fn opened() -> Vec<u8> {
    vec![0; 16]
}

/// The answer to a question about the file system: names have at most 255 bytes.
pub(super) fn statfs() -> Vec<u8> {
    let mut out = vec![0; 40];
    [4096, 255, 4096].iter().for_each(|number| push32(&mut out, *number));
    out.resize(80, 0);
    out
}

/// Names from an offset on, as many as there is room for.
pub(super) fn names<'n>(
    rows: impl Iterator<Item = (&'n str, u64, u32)>,
    offset: u64,
    size: usize,
) -> Vec<u8> {
    let mut out = Vec::new();
    let rows = rows.enumerate().skip(offset as usize);
    for (at, (name, number, kind)) in rows {
        if !push_name(&mut out, at as u64 + 1, (name, number, kind), size) {
            break;
        }
    }
    out
}

/// Names of files from an offset on without an end.
pub(super) fn endless(offset: u64, size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = offset + 1;
    while push_name(&mut out, at, (&format!("n{at:012}"), u64::MAX - at, TYPE_FILE), size) {
        at += 1;
    }
    out
}

/// Adds one name, if there is room for it.
fn push_name(out: &mut Vec<u8>, next: u64, row: (&str, u64, u32), size: usize) -> bool {
    let (name, number, kind) = row;
    let mut bytes = Vec::new();
    push64(&mut bytes, number);
    push64(&mut bytes, next);
    push32(&mut bytes, name.len() as u32);
    push32(&mut bytes, kind);
    bytes.extend(name.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let fits = out.len() + bytes.len() <= size;
    if fits {
        out.extend(bytes);
    }
    fits
}

/// A whole answer: an error number or a body.
pub(super) fn reply(unique: u64, reply: Result<Vec<u8>, i32>) -> Vec<u8> {
    let (error, body) = match reply {
        Ok(body) => (0, body),
        Err(number) => (-number, Vec::new()),
    };
    let mut out = Vec::new();
    push32(&mut out, (16 + body.len()) as u32);
    out.extend(error.to_ne_bytes());
    push64(&mut out, unique);
    out.extend(body);
    out
}

fn push32(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_ne_bytes());
}

fn push64(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_ne_bytes());
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
