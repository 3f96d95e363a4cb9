//! Digests keep their parts apart, and sets forget their order.

use proptest::prelude::*;
use trilist_core::{Digest, Identity, SetDigest};

fn set(members: &[(Vec<u8>, u64)]) -> u128 {
    let mut set = SetDigest::default();
    members.iter().for_each(|(bytes, tag)| set.add(bytes, *tag));
    set.value()
}

#[test]
fn parts_are_kept_apart() {
    let digest = |parts: &[&[u8]]| {
        let mut digest = Digest::new();
        parts.iter().for_each(|part| {
            digest.add(part);
        });
        (digest.identity(), digest.short(), digest.hex())
    };
    let all = [digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]), digest(&[b"abc"]), digest(&[])];
    for (n, one) in all.iter().enumerate() {
        for other in &all[n + 1..] {
            assert!(one.0 != other.0 && one.1 != other.1 && one.2 != other.2);
        }
        assert_eq!(one.2.len(), 32);
    }
    assert_eq!(digest(&[b"ab", b"c"]), all[0]);
}

#[test]
fn identities_keep_their_values_between_versions() {
    // Cursors of an older build are still read; their drift must not be a matter of the build.
    let digest = Digest::new().add(b"src").add_u128(7).hex();
    insta::assert_snapshot!(digest, @"c73f4afe14c8509661ca982f1f886bfe");
}

#[test]
fn a_set_tells_apart_members_and_their_tags() {
    let one = |bytes: &[u8], tag| set(&[(bytes.to_vec(), tag)]);
    assert_ne!(one(b"a", 0), one(b"a", 1), "a file that became a directory");
    assert_ne!(one(b"a", 0), one(b"b", 0));
    assert_ne!(one(b"", 0), set(&[]));
    assert_ne!(one(b"a", 0), set(&[(b"a".to_vec(), 0), (b"a".to_vec(), 0)]));
    // Swapping tags is a change, though names and tags are the same.
    let swapped = |x, y| set(&[(b"a".to_vec(), x), (b"b".to_vec(), y)]);
    assert_ne!(swapped(0, 1), swapped(1, 0));
}

proptest! {
    #[test]
    fn a_set_forgets_the_order(
        members in prop::collection::vec((any::<Vec<u8>>(), any::<u64>()), 0..9),
        turn in any::<prop::sample::Index>(),
    ) {
        let mut turned = members.clone();
        let at = turn.index(members.len() + 1);
        turned.rotate_left(at.min(members.len()));
        prop_assert_eq!(set(&members), set(&turned));
    }

    #[test]
    fn identities_come_back_from_their_bytes(bytes: [u8; 16]) {
        prop_assert_eq!(Identity::from_bytes(bytes).to_bytes(), bytes);
    }
}
