//! The two hash functions that name objects.

use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::{ObjectError, ObjectKind};

/// Which hash function a repository names its objects by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hash {
    /// SHA-1, git's default.
    Sha1,
    /// SHA-256.
    Sha256,
}

impl Hash {
    /// The number of bytes of an id.
    pub fn len_in_bytes(self) -> usize {
        match self {
            Hash::Sha1 => 20,
            Hash::Sha256 => 32,
        }
    }

    /// The id of a tree without names, which git knows without having it.
    pub(super) fn empty_tree(self) -> &'static [u8] {
        match self {
            Hash::Sha1 => {
                b"\x4b\x82\x5d\xc6\x42\xcb\x6e\xb9\xa0\x60\xe5\x4b\xf8\xd6\x92\x88\xfb\xee\x49\x04"
            }
            Hash::Sha256 => {
                b"\x6e\xf1\x9b\x41\x22\x5c\x53\x69\xf1\xc1\x04\xd4\x5d\x8d\x85\xef\
                  \xa9\xb0\x57\xb5\x3b\x14\xb4\xb9\xb9\x39\xdd\x74\xde\xcc\x53\x21"
            }
        }
    }

    /// The function whose ids have this many bytes.
    pub(crate) fn of_len(hash_len: usize) -> Self {
        match hash_len {
            32 => Hash::Sha256,
            _ => Hash::Sha1,
        }
    }

    /// Whether these bytes, one part after the other, have the hash `sum`.
    ///
    /// Collisions that somebody has computed are not looked for as git does: whoever can write
    /// one into a repository can as well write any other tree.
    pub(crate) fn names(self, parts: &[&[u8]], sum: &[u8]) -> bool {
        match self {
            Hash::Sha1 => digest::<Sha1>(parts).as_slice() == sum,
            Hash::Sha256 => digest::<Sha256>(parts).as_slice() == sum,
        }
    }

    /// Checks that `id` is that of an object of this kind and contents.
    pub(super) fn check_object(
        self,
        kind: ObjectKind,
        contents: &[u8],
        id: &[u8],
    ) -> Result<(), ObjectError> {
        let header = format!("{} {}\0", kind.name(), contents.len());
        match self.names(&[header.as_bytes(), contents], id) {
            true => Ok(()),
            false => Err(ObjectError::Damaged("its contents do not have its hash")),
        }
    }
}

fn digest<D: Digest>(parts: &[&[u8]]) -> sha2::digest::Output<D> {
    let mut hasher = D::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::Hash;
    use crate::objects::ObjectKind;

    #[test]
    fn the_empty_tree_has_its_name() {
        for hash in [Hash::Sha1, Hash::Sha256] {
            assert_eq!(hash.empty_tree().len(), hash.len_in_bytes());
            let right = hash.check_object(ObjectKind::Tree, b"", hash.empty_tree());
            assert!(right.is_ok(), "{hash:?}");
        }
    }
}
