//! Digests that tell whether what was read is still the same.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed, xxh3_128_with_seed};

use crate::{EntryRef, Modified};

/// The identity of the way to a position in a listing.
///
/// For walks it covers each directory from the listed one to the position's parent: its path,
/// the names and kinds in it in any order, and the ignore files in force. For `vcs` it covers
/// HEAD's commit, the index and the ignore file. Two readings with equal identity saw the same.
/// It is a checksum against accidents, no signature.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity(u128);

impl Identity {
    /// The identity as bytes, for a cursor.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The identity from bytes of a cursor.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Identity(u128::from_le_bytes(bytes))
    }

    /// The identity as 32 hexadecimal digits.
    pub fn hex(self) -> String {
        format!("{:032x}", self.0)
    }

    /// The identity from what [`Identity::hex`] gives, and from nothing else.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_whole = text.len() == 32 && digits;
        u128::from_str_radix(text, 16).ok().filter(|_| is_whole).map(Identity)
    }
}

/// Builds a digest from parts; each part is kept apart from the next.
#[derive(Clone, Default)]
pub struct Digest(Xxh3);

impl Digest {
    /// An empty digest.
    pub fn new() -> Self {
        Digest::default()
    }

    /// Adds bytes, with their length.
    pub fn add(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a number.
    pub fn add_u128(&mut self, number: u128) -> &mut Self {
        self.0.update(&number.to_le_bytes());
        self
    }

    /// The digest of everything added.
    pub fn identity(&self) -> Identity {
        Identity(self.0.digest128())
    }

    /// Sixty-four bits of it, for checksums.
    pub fn short(&self) -> u64 {
        self.0.digest()
    }

    /// The digest as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}

/// A digest of a set: the order in which its members come does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SetDigest(u128);

impl SetDigest {
    /// Adds one member; `tag` tells apart members of equal bytes, such as kinds of one name.
    pub fn add(&mut self, bytes: &[u8], tag: u64) {
        self.0 = self.0.wrapping_add(xxh3_128_with_seed(bytes, tag.wrapping_add(SEED)));
    }

    /// The sum so far.
    pub fn value(self) -> u128 {
        self.0
    }
}

/// A digest of entries one after another, cheap enough for a million of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChainDigest(u64);

impl ChainDigest {
    /// Adds an entry: everything that a reply would show of it.
    pub(crate) fn add_entry(&mut self, entry: &EntryRef<'_>) {
        let skipped = entry.skipped.map_or(0, |skip| skip as u64 + 1);
        let vcs = entry.vcs.map_or(0, |vcs| {
            let flags = [vcs.head, vcs.index, vcs.skip_worktree, vcs.executable];
            let flags = flags.iter().fold(1, |bits, flag| bits << 1 | u64::from(*flag));
            let on_disk = vcs.on_disk.map_or(0, |on_disk| on_disk as u64 + 1);
            flags | (vcs.state as u64) << 5 | on_disk << 7
        });
        self.add(entry.path.as_bytes(), entry.kind as u64 | skipped << 8 | vcs << 16);
        if let Some(metadata) = entry.metadata {
            let time = metadata.modified.unwrap_or(Modified { seconds: i64::MIN, nanoseconds: 0 });
            self.add(&metadata.size_bytes.unwrap_or(u64::MAX).to_le_bytes(), 0);
            self.add(&time.seconds.to_le_bytes(), u64::from(time.nanoseconds));
            let target = metadata.target.as_deref().unwrap_or_default();
            self.add(target, u64::from(metadata.permissions.unwrap_or(u32::MAX)));
        }
    }

    /// The digest of everything added.
    pub(crate) fn identity(self) -> Identity {
        Digest::new().add(&self.0.to_le_bytes()).identity()
    }

    /// Adds bytes; `tag` tells apart what is equal otherwise.
    #[inline]
    pub(crate) fn add(&mut self, bytes: &[u8], tag: u64) {
        // Multiplying spreads the tag over the seed; the chain makes the order count.
        let seed = self.0.rotate_left(23) ^ tag.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = xxh3_64_with_seed(bytes, seed);
    }
}

// Any odd constant: it keeps these sums apart from other uses of the same hash.
const SEED: u64 = 0x7472_696c_6973_7431;
