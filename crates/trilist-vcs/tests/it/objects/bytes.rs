//! The parts of the reader on bytes that nobody has checked.

use miniz_oxide::deflate::compress_to_vec_zlib;
use trilist_core::{Cancel, ListError};
use trilist_vcs::objects::{
    Base, Hash, OBJECT_BYTES, ObjectError, ObjectKind, Pack, PackIndex, apply_delta, decode_loose,
    read_packed,
};

use super::made::{ID_DELTA, MadePack, OFFSET_DELTA, TREE, distance, size};
use super::unhex;

fn loose(bytes: &[u8]) -> Result<Vec<u8>, ObjectError> {
    let file = compress_to_vec_zlib(bytes, 6);
    decode_loose(&file, ObjectKind::Tree, &Cancel::new())
}

#[test]
fn loose_objects_of_many_sizes() {
    for len in (0..40).chain(1000..1050).chain([4096, 65_536, 1 << 20]) {
        let contents: Vec<u8> = (0..len).map(|at: u32| (at * 7 % 251) as u8).collect();
        let bytes = [format!("tree {len}\0").as_bytes(), &contents].concat();
        assert_eq!(loose(&bytes).expect("it is right"), contents);
        let more = [format!("tree {}\0", len + 1).as_bytes(), &contents].concat();
        assert!(matches!(loose(&more), Err(ObjectError::Damaged(_))), "{len}");
        if len > 0 {
            let less = [format!("tree {}\0", len - 1).as_bytes(), &contents].concat();
            assert!(matches!(loose(&less), Err(ObjectError::Damaged(_))), "{len}");
        }
    }
}

#[test]
fn heads_of_loose_objects() {
    for head in [
        &b""[..],
        b"\0",
        b"tree",
        b"tree\0",
        b"tree \0",
        b"tree 05\0hello",
        b"tree +5\0hello",
        b"tree -5\0hello",
        b"tree 5 \0hello",
        b" 5\0hello",
        b"trees 5\0hello",
        b"Tree 5\0hello",
        b"tree  5\0hello",
        b"tree 00000000000000000000000005\0hello",
    ] {
        let result = loose(head);
        assert!(matches!(result, Err(ObjectError::Damaged(_))), "{}", head.escape_ascii());
    }
    for large in ["67108865", "18446744073709551616", "99999999999999999999999"] {
        let result = loose(format!("tree {large}\0hello").as_bytes());
        assert!(matches!(result, Err(ObjectError::TooLarge)), "{large}");
    }
    let result = loose(b"blob 5\0hello");
    let (actual, wanted) = (ObjectKind::Blob, ObjectKind::Tree);
    assert!(
        matches!(result, Err(ObjectError::WrongKind { actual: a, wanted: w }) if a == actual && w == wanted)
    );
}

/// A deadline that has passed ends the reading of what takes more than a chunk.
#[test]
fn reading_stops_when_the_caller_says_so() {
    let mut random = 1_u64;
    let mut noise = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 56) as u8
    };
    let contents: Vec<u8> = (0..1 << 20).map(|_| noise()).collect();
    let bytes = [format!("tree {}\0", contents.len()).as_bytes(), &contents].concat();
    let file = compress_to_vec_zlib(&bytes, 1);
    let cancel = Cancel::new();
    cancel.cancel();
    let result = decode_loose(&file, ObjectKind::Tree, &cancel);
    assert!(matches!(result, Err(ObjectError::Stopped(ListError::Cancelled))));
}

#[test]
fn deltas() {
    let base: Vec<u8> = (0..200_000_u32).map(|at| (at * 31 % 253) as u8).collect();
    let delta =
        |len: usize, orders: &[&[u8]]| [size(base.len()), size(len), orders.concat()].concat();
    for (orders, right) in [
        (vec![&b"\x03abc"[..]], b"abc".to_vec()),
        (vec![&b"\x91\x05\x03"[..]], base[5..8].to_vec()),
        // Without a size it is 64 KiB; without an offset it is the start.
        (vec![&b"\x80"[..]], base[..0x1_0000].to_vec()),
        (vec![&b"\x84\x01"[..]], base[0x1_0000..0x2_0000].to_vec()),
        (vec![&b"\xe0\x01\x02"[..]], base[..0x2_0100].to_vec()),
        (
            vec![&b"\xb3\x02\x01\x03\x01"[..], b"\x01z", b"\x90\x01"],
            [&base[0x102..0x102 + 0x103], b"z", &base[..1]].concat(),
        ),
        (vec![], Vec::new()),
    ] {
        let whole = delta(right.len(), &orders);
        assert_eq!(apply_delta(&base, &whole).expect("it is right"), right, "{orders:?}");
        for len in 0..whole.len() {
            assert!(apply_delta(&base, &whole[..len]).is_err(), "{orders:?}, cut to {len}");
        }
        assert!(apply_delta(&base, &delta(right.len() + 1, &orders)).is_err());
        assert!(apply_delta(&base[1..], &whole).is_err());
        let more = [&whole[..], b"\x01x"].concat();
        assert!(apply_delta(&base, &more).is_err());
    }
    // An order that the format keeps for later, and copies from behind the base.
    for orders in [&b"\x00"[..], b"\x98\xff\x01", b"\x9f\xff\xff\xff\xff\x01", b"\xf0\xff\xff\xff"]
    {
        assert!(apply_delta(&base, &delta(1, &[orders])).is_err(), "{orders:?}");
    }
    let large = delta(OBJECT_BYTES + 1, &[]);
    assert!(matches!(apply_delta(&base, &large), Err(ObjectError::TooLarge)));
    // A size that does not end, or does not fit into 64 bits.
    assert!(apply_delta(&base, &[0x80; 30]).is_err());
    assert!(apply_delta(&base, &[&[0xff; 9][..], b"\x7f"].concat()).is_err());
}

/// Ten thousand ids, some of them alike but for their end: each is found, and none beside them.
#[test]
fn every_id_of_an_index_is_found() {
    let mut pack = MadePack::new();
    let mut ids: Vec<[u8; 20]> = Vec::new();
    for at in 0..10_000_u32 {
        let mut id = [0; 20];
        match at % 5 {
            // Spread evenly, in one heap, and with few distances in between.
            0..3 => id[..4].copy_from_slice(&at.wrapping_mul(2_654_435_761).to_be_bytes()),
            3 => id[..3].copy_from_slice(&[5, 5, 5]),
            _ => id[..2].copy_from_slice(&[200, (at % 7) as u8]),
        }
        id[16..].copy_from_slice(&(at * 2).to_be_bytes());
        pack.add_packed(&id, TREE, b"", 0, b"");
        ids.push(id);
    }
    let (_, bytes) = pack.finish();
    let index = PackIndex::read(&bytes, Hash::Sha1).expect("it is right");
    assert_eq!(index.count(), 10_000);
    for (at, mut id) in ids.into_iter().enumerate() {
        // Each takes one byte of the pack, behind a head of twelve.
        assert_eq!(index.find(&bytes, &id).expect("it is read"), Some(12 + at as u64), "{id:?}");
        id[19] |= 1;
        assert_eq!(index.find(&bytes, &id).expect("it is read"), None, "{id:?}");
    }
    assert_eq!(index.find(&bytes, &[]).expect("it is read"), None);
    assert_eq!(index.find(&bytes, &[0; 32]).expect("it is read"), None);
}

/// The search ends whatever order the ids are in.
#[test]
fn ids_out_of_order_end_the_search() {
    let mut pack = MadePack::new();
    for at in 0..5000_u32 {
        let id = [&[7][..], &at.wrapping_mul(2_654_435_761).to_be_bytes(), &[0; 15]].concat();
        pack.add_packed(&id, TREE, b"", 0, b"");
    }
    let (_, mut bytes) = pack.finish();
    let ids = &mut bytes[8 + 1024..8 + 1024 + 5000 * 20];
    ids.reverse();
    let index = PackIndex::read(&bytes, Hash::Sha1).expect("the counts are right");
    for at in 0..=255 {
        let found = index.find(&bytes, &[[7, at].as_slice(), &[0; 18]].concat());
        assert!(found.is_ok());
    }
}

#[test]
fn heads_of_packs_and_indexes() {
    let mut made = MadePack::new();
    let whole = made.add(&[1; 20], TREE, b"", b"hello");
    made.add(&[2; 20], OFFSET_DELTA, &distance(8), b"x");
    let (pack, index) = made.finish();
    let read = |pack: &Vec<u8>, index: &Vec<u8>| {
        let read = Pack::read(pack, Hash::Sha1)?;
        read.check_index(pack, &PackIndex::read(index, Hash::Sha1)?, index)?;
        Ok::<_, ObjectError>(read)
    };
    let right = read(&pack, &index).expect("it is right");
    let cancel = Cancel::new();
    let entry = right.entry(&pack, whole as u64, ObjectKind::Tree, &cancel);
    let (entry, contents) = entry.expect("it is read");
    assert_eq!((entry.base, entry.size), (Base::Whole(ObjectKind::Tree), 5));
    assert_eq!(contents, b"hello");
    for offset in [0, 11, pack.len() as u64 - 20, u64::MAX] {
        assert!(right.entry(&pack, offset, ObjectKind::Tree, &cancel).is_err(), "{offset}");
    }
    let changed = |bytes: &[u8], at: usize, byte: u8| {
        let mut changed = bytes.to_vec();
        changed[at] = byte;
        changed
    };
    // Its mark, its version, its count, its checksum.
    for (at, byte) in [(0, b'p'), (7, 4), (11, 3), (pack.len() - 1, 0)] {
        assert!(read(&changed(&pack, at, byte), &index).is_err(), "{at}");
    }
    // Its version, counts that fall, counts for a larger file, the pack's checksum.
    for (at, byte) in [(7, 3), (20, 9), (8 + 1023, 3), (index.len() - 21, 0)] {
        assert!(read(&pack, &changed(&index, at, byte)).is_err(), "{at}");
    }
    // Room for one large offset beside two objects, for two, and for half of one.
    for (more, is_right) in [(8, true), (16, false), (4, false)] {
        let larger = [&index[..index.len() - 40], &vec![0; more], &index[index.len() - 40..]];
        assert_eq!(PackIndex::read(&larger.concat(), Hash::Sha1).is_ok(), is_right, "{more}");
    }
    for len in 0..index.len() {
        assert!(PackIndex::read(&index[..len].to_vec(), Hash::Sha1).is_err(), "{len}");
    }
    assert!(PackIndex::read(&index, Hash::Sha256).is_err());
}

/// Three trees in a row of deltas, by offset and by id, and what damage makes of them.
#[test]
fn a_damaged_pack_gives_the_right_object_or_none() {
    let entry = |name: &str| [format!("100644 {name}\0").as_bytes(), &[7; 20]].concat();
    let trees = [entry("a"), [entry("a"), entry("b")].concat(), entry("b")];
    // As `git hash-object -t tree` names them.
    let ids = [
        unhex("469e96097ac7effba77e80e9a99bcb871b4d6933"),
        unhex("8226e6d904160abc734425c5aad459f6adcbde7c"),
        unhex("bc5c10bcd5b62df0139284fbd5bc1fc0df001748"),
    ];
    let mut made = MadePack::new();
    let first = made.add(&ids[0], TREE, b"", &trees[0]);
    let len = trees[0].len();
    // All of the base and one name more; then the second half of that.
    let more = [size(len), size(2 * len), vec![0x90, len as u8, len as u8], entry("b")].concat();
    let half = [size(2 * len), size(len), vec![0x91, len as u8, len as u8]].concat();
    let back = distance(made.len() - first);
    made.add(&ids[1], OFFSET_DELTA, &back, &more);
    made.add(&ids[2], ID_DELTA, &ids[1], &half);
    let (pack, index) = made.finish();

    let cancel = Cancel::new();
    let read = |pack: &Vec<u8>, index: &Vec<u8>, at: usize| {
        read_packed(index, pack, Hash::Sha1, &ids[at], ObjectKind::Tree, &cancel)
    };
    let mut missed = 0;
    let mut check = |pack: &Vec<u8>, index: &Vec<u8>| {
        for (at, tree) in trees.iter().enumerate() {
            match read(pack, index, at) {
                Ok(Some(found)) => assert_eq!(*found, *tree),
                Ok(None) | Err(_) => missed += 1,
            }
        }
    };
    for (at, tree) in trees.iter().enumerate() {
        assert_eq!(*read(&pack, &index, at).expect("it is right").expect("there"), *tree);
    }
    for bit in 0..pack.len() * 8 {
        let mut bytes = pack.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        check(&bytes, &index);
    }
    for bit in 0..index.len() * 8 {
        let mut bytes = index.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        check(&pack, &bytes);
    }
    assert!(missed > pack.len() * 8, "{missed}");
}
