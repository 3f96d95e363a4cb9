//! Digests that tell whether what was read is still the same.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_seed};

/// The identity of the way to a position in a listing.
///
/// For walks it covers each directory from the listed one to the position's parent: its path,
/// the names and kinds in it in any order, and the ignore files in force. For `vcs` it covers
/// HEAD's commit, the index and the ignore file. Two readings with equal identity saw the same.
/// It is a checksum against accidents, no signature.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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

// Any odd constant: it keeps these sums apart from other uses of the same hash.
const SEED: u64 = 0x7472_696c_6973_7431;
