//! Objects, loose and in packs.

use miniz_oxide::deflate::compress_to_vec_zlib;
use trilist_core::Cancel;
use trilist_vcs::objects::{
    Hash, OBJECT_BYTES, ObjectKind, Pack, PackIndex, apply_delta, decode_loose, read_packed,
};

use crate::choices::Choices;
use crate::index::{sum, variable_int};

/// Decodes a pack that was made of the bytes and mostly damaged, or one part of the format alone.
///
/// Undamaged, each object is read as it was made; damaged, as it was made or not at all. No object
/// is longer than [`OBJECT_BYTES`] or than it says.
///
/// # Panics
///
/// When one of these does not hold.
pub fn objects(data: &[u8]) {
    let mut choices = Choices::new(data);
    match choices.below(8) {
        0..4 => packed(&mut choices),
        4 => loose(&mut choices),
        5 => delta(&mut choices),
        6 => raw_pack(&mut choices),
        _ => raw_index(&mut choices),
    }
}

/// An object that was put into a pack.
struct Made {
    id: Vec<u8>,
    kind: ObjectKind,
    contents: Vec<u8>,
    offset: usize,
}

const KINDS: &[(u8, ObjectKind)] =
    &[(2, ObjectKind::Tree), (1, ObjectKind::Commit), (3, ObjectKind::Blob), (4, ObjectKind::Tag)];

fn packed(choices: &mut Choices<'_>) {
    let hash = choices.pick(&[Hash::Sha1, Hash::Sha256]);
    let mut pack = b"PACK\0\0\0\x02\0\0\0\0".to_vec();
    let mut made: Vec<Made> = Vec::new();
    for _ in 0..1 + choices.below(6) {
        add(&mut pack, &mut made, hash, choices);
    }
    pack[8..12].copy_from_slice(&(made.len() as u32).to_be_bytes());
    let checksum = sum(&pack, hash.len_in_bytes());
    pack.extend_from_slice(&checksum);
    let mut index = index(&made, hash, &checksum, choices);
    let is_damaged = choices.damage(&mut pack) | choices.damage(&mut index);
    for one in &made {
        for (_, wanted) in KINDS {
            let found = read_packed(&index, &pack, hash, &one.id, *wanted, &Cancel::new());
            match found {
                Ok(Some(found)) => {
                    assert_eq!((one.kind, one.contents.as_slice()), (*wanted, &found[..]));
                }
                Ok(None) | Err(_) => assert!(is_damaged || one.kind != *wanted, "{found:?}"),
            }
        }
    }
}

/// Adds an object, whole or as a delta of one before it.
fn add(pack: &mut Vec<u8>, made: &mut Vec<Made>, hash: Hash, choices: &mut Choices<'_>) {
    let offset = pack.len();
    let base = choices.below(made.len() + 1).checked_sub(1).map(|at| &made[at]);
    let (head, packed, kind, contents) = match base {
        None => {
            let (number, kind) = choices.pick(KINDS);
            let contents = choices.bytes(60).repeat(1 + choices.below(90));
            (head(number, contents.len()), contents.clone(), kind, contents)
        }
        Some(base) => {
            let (delta, contents) = made_delta(&base.contents, choices);
            let by_id = choices.one_in(2);
            let mut head = head(if by_id { 7 } else { 6 }, delta.len());
            match by_id {
                true => head.extend_from_slice(&base.id),
                false => head.extend(variable_int(offset - base.offset)),
            }
            (head, delta, base.kind, contents)
        }
    };
    let name = format!("{} {}\0", kind.name(), contents.len());
    let id = sum(&[name.as_bytes(), &contents].concat(), hash.len_in_bytes());
    if made.iter().any(|other| other.id == id) {
        return;
    }
    pack.extend(head);
    pack.extend(compress_to_vec_zlib(&packed, 1));
    made.push(Made { id, kind, contents, offset });
}

/// Orders that copy from a base and put new bytes in between, and what they make.
fn made_delta(base: &[u8], choices: &mut Choices<'_>) -> (Vec<u8>, Vec<u8>) {
    let (mut orders, mut made) = (Vec::new(), Vec::new());
    for _ in 0..choices.below(6) {
        if choices.one_in(2) && !base.is_empty() {
            let start = choices.below(base.len());
            let len = 1 + choices.below(base.len() - start);
            made.extend_from_slice(&base[start..start + len]);
            let [s0, s1, ..] = (start as u32).to_le_bytes();
            let [l0, l1, ..] = (len as u32).to_le_bytes();
            orders.extend([0xb3, s0, s1, l0, l1]);
        } else {
            let new = choices.bytes(30);
            if !new.is_empty() {
                orders.push(new.len() as u8);
                orders.extend_from_slice(&new);
                made.extend(new);
            }
        }
    }
    ([size(base.len()), size(made.len()), orders].concat(), made)
}

fn head(kind: u8, len: usize) -> Vec<u8> {
    let first = kind << 4 | (len & 0xf) as u8;
    match len >> 4 {
        0 => vec![first],
        rest => [vec![first | 0x80], size(rest)].concat(),
    }
}

/// Groups of seven bits, the lowest first.
fn size(mut size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while size > 0x7f {
        bytes.push((size & 0x7f) as u8 | 0x80);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes
}

/// The index of a pack, of either version; some offsets in the table of large ones.
fn index(made: &[Made], hash: Hash, checksum: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut sorted: Vec<&Made> = made.iter().collect();
    sorted.sort_by_key(|one| &one.id);
    let is_second = !choices.one_in(3);
    let mut index = if is_second { b"\xfftOc\0\0\0\x02".to_vec() } else { Vec::new() };
    for first in 0..=255 {
        let upto = sorted.iter().filter(|one| one.id[0] <= first).count() as u32;
        index.extend(upto.to_be_bytes());
    }
    let mut large = Vec::new();
    if is_second {
        sorted.iter().for_each(|one| index.extend_from_slice(&one.id));
        index.extend(vec![0; 4 * sorted.len()]);
    }
    for one in &sorted {
        // The first object of a pack never has a large offset.
        if is_second && one.offset > 12 && choices.one_in(4) {
            index.extend(((1 << 31) | (large.len() as u32 / 8)).to_be_bytes());
            large.extend((one.offset as u64).to_be_bytes());
        } else {
            index.extend((one.offset as u32).to_be_bytes());
        }
        if !is_second {
            index.extend_from_slice(&one.id);
        }
    }
    index.extend(large);
    index.extend_from_slice(checksum);
    index.extend(sum(&index, hash.len_in_bytes()));
    index
}

/// The text before it is packed is damaged, so that unpacking succeeds; then the packed bytes.
fn loose(choices: &mut Choices<'_>) {
    let (_, kind) = choices.pick(KINDS);
    let contents = choices.bytes(60).repeat(1 + choices.below(40));
    let mut text = [format!("{} {}\0", kind.name(), contents.len()).as_bytes(), &contents].concat();
    let is_damaged = choices.damage(&mut text);
    let mut file = compress_to_vec_zlib(&text, 1);
    let is_damaged = is_damaged | (choices.one_in(2) && choices.damage(&mut file));
    if choices.one_in(8) {
        file = choices.bytes(2000);
        let _ = decode_loose(&file, kind, &Cancel::new()).map(|found| check_size(&found));
        return;
    }
    for (_, wanted) in KINDS {
        match decode_loose(&file, *wanted, &Cancel::new()) {
            Ok(found) if is_damaged => check_size(&found),
            Ok(found) => assert_eq!((found, *wanted), (contents.clone(), kind)),
            Err(error) => assert!(is_damaged || *wanted != kind, "{error}"),
        }
    }
}

fn delta(choices: &mut Choices<'_>) {
    let base = choices.bytes(300);
    let (mut delta, made) = made_delta(&base, choices);
    let is_damaged = choices.damage(&mut delta);
    match apply_delta(&base, &delta) {
        Ok(found) if is_damaged => check_size(&found),
        Ok(found) => assert_eq!(found, made),
        Err(error) => assert!(is_damaged, "{error}"),
    }
    if let Ok(found) = apply_delta(&base, &choices.bytes(300)) {
        check_size(&found);
    }
}

fn raw_pack(choices: &mut Choices<'_>) {
    let hash = choices.pick(&[Hash::Sha1, Hash::Sha256]);
    let (_, wanted) = choices.pick(KINDS);
    let offset = 12 + choices.below(40) as u64;
    let pack = [b"PACK\0\0\0\x02\0\0\0\x01", choices.bytes(2000).as_slice(), &[0; 32]].concat();
    let Ok(read) = Pack::read(&pack, hash) else { return };
    if let Ok((entry, contents)) = read.entry(&pack, offset, wanted, &Cancel::new()) {
        assert_eq!(entry.size, contents.len());
        check_size(&contents);
    }
}

/// With counts that rise and tables that fit, and ids and offsets of any bytes.
fn raw_index(choices: &mut Choices<'_>) {
    let hash = choices.pick(&[Hash::Sha1, Hash::Sha256]);
    let (len, count) = (hash.len_in_bytes(), choices.below(40));
    let id = vec![choices.below(256) as u8; len];
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    let mut upto = 0;
    for at in 0..256 {
        upto = if at == 255 { count } else { (upto + choices.below(3)).min(count) };
        index.extend((upto as u32).to_be_bytes());
    }
    let mut tables = choices.bytes(4000);
    tables.resize(count * (len + 8) + 2 * len, 0);
    index.extend(tables);
    let Ok(read) = PackIndex::read(&index, hash) else { panic!("its size is right") };
    assert_eq!(read.count() as usize, count);
    let _ = read.find(&index, &id);
    choices.damage(&mut index);
    if let Ok(read) = PackIndex::read(&index, hash) {
        let _ = read.find(&index, &id);
    }
}

fn check_size(found: &[u8]) {
    assert!(found.len() <= OBJECT_BYTES);
}
