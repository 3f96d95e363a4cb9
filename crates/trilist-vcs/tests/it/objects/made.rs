//! Packs made by hand, which git would not make.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use miniz_oxide::deflate::compress_to_vec_zlib;
use trilist_core::{Cancel, FaultCode};
use trilist_tests::{TreeBuilder, git, require};

use super::{commit_to, head_names, list, list_with, loose_path, open, text, unhex, whole};
use crate::support::{Told, faults, git_with_input, names};

/// A pack and its index of version 2, with whatever ids are wanted.
#[derive(Default)]
pub(crate) struct MadePack {
    bytes: Vec<u8>,
    entries: Vec<(Vec<u8>, usize)>,
}

pub(crate) const COMMIT: u8 = 1;
pub(crate) const TREE: u8 = 2;
pub(crate) const OFFSET_DELTA: u8 = 6;
pub(crate) const ID_DELTA: u8 = 7;

impl MadePack {
    pub(crate) fn new() -> Self {
        MadePack { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), entries: Vec::new() }
    }

    /// Adds an object; `base` is what stands between its head and its packed bytes.
    pub(crate) fn add(&mut self, id: &[u8], kind: u8, base: &[u8], contents: &[u8]) -> usize {
        self.add_packed(id, kind, base, contents.len(), &compress_to_vec_zlib(contents, 1))
    }

    /// The same with a size and packed bytes that need not belong together.
    pub(crate) fn add_packed(
        &mut self,
        id: &[u8],
        kind: u8,
        base: &[u8],
        size: usize,
        packed: &[u8],
    ) -> usize {
        let offset = self.bytes.len();
        self.entries.push((id.to_vec(), offset));
        let mut first = kind << 4 | (size & 0xf) as u8;
        let mut rest = size >> 4;
        while rest > 0 {
            self.bytes.push(first | 0x80);
            first = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(first);
        self.bytes.extend_from_slice(base);
        self.bytes.extend_from_slice(packed);
        offset
    }

    /// Where the next object will begin.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of the pack and of its index.
    pub(crate) fn finish(&self) -> (Vec<u8>, Vec<u8>) {
        let mut pack = self.bytes.clone();
        let count = u32::try_from(self.entries.len()).expect("few");
        pack[8..12].copy_from_slice(&count.to_be_bytes());
        pack.extend([9; 20]);
        let mut entries = self.entries.clone();
        entries.sort();
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255 {
            let upto = entries.iter().filter(|(id, _)| id[0] <= first).count();
            index.extend(u32::try_from(upto).expect("few").to_be_bytes());
        }
        entries.iter().for_each(|(id, _)| index.extend_from_slice(id));
        index.extend(vec![0; entries.len() * 4]);
        for (_, offset) in &entries {
            index.extend(u32::try_from(*offset).expect("small").to_be_bytes());
        }
        index.extend([9; 20]);
        index.extend([0; 20]);
        (pack, index)
    }

    fn write(&self, dir: &Path) {
        let (pack, index) = self.finish();
        let place = dir.join(".git/objects/pack");
        fs::create_dir_all(&place).expect("made");
        fs::write(place.join("pack-made.pack"), pack).expect("written");
        fs::write(place.join("pack-made.idx"), index).expect("written");
    }
}

/// The distance of an object from its base as the format writes it.
pub(crate) fn distance(mut back: usize) -> Vec<u8> {
    let mut bytes = vec![(back & 0x7f) as u8];
    while back > 0x7f {
        back = (back >> 7) - 1;
        bytes.insert(0, (back & 0x7f) as u8 | 0x80);
    }
    bytes
}

/// A size in groups of seven bits.
pub(crate) fn size(mut size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while size > 0x7f {
        bytes.push((size & 0x7f) as u8 | 0x80);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes
}

/// A delta that copies its whole base of less than 64 KiB.
fn copy_all(len: usize) -> Vec<u8> {
    let copy = [0xb0, (len & 0xff) as u8, (len >> 8) as u8];
    [size(len), size(len), copy.to_vec()].concat()
}

/// Lists a repository whose HEAD names a tree of this id, which the pack holds.
fn list_made(pack: &MadePack, tree: &[u8]) -> Vec<Told> {
    let repository = TreeBuilder::new().repo().build();
    let dir = repository.path();
    pack.write(dir);
    let digits: String = tree.iter().map(|byte| format!("{byte:02x}")).collect();
    commit_to(dir, &digits);
    let start = Instant::now();
    let told = list(&open(dir).expect("it opens")).expect("it is listed");
    assert!(start.elapsed() < Duration::from_secs(5));
    told
}

fn assert_gap(told: &[Told], why: &str) {
    assert_eq!(faults(told), [(FaultCode::VcsObjectInvalid, true)]);
    let [Told::Fault(.., message)] = told else { panic!("{told:?}") };
    assert!(message.ends_with(why), "{message}");
}

/// A tree with one name, and the id that `git hash-object` gives it.
fn one_name() -> (Vec<u8>, Vec<u8>) {
    let tree = [&b"100644 name\0"[..], &[7; 20]].concat();
    let id = unhex("7228b91c3e834a0c2fdd22d570aea98d63327233");
    (tree, id)
}

#[test]
fn deltas_that_lead_in_a_circle() {
    if !require("git") {
        return;
    }
    let (one, other) = ([1; 20], [2; 20]);
    let mut pack = MadePack::new();
    pack.add(&one, ID_DELTA, &other, &copy_all(9));
    pack.add(&other, ID_DELTA, &one, &copy_all(9));
    assert_gap(&list_made(&pack, &one), "too many deltas follow each other");
    let mut pack = MadePack::new();
    pack.add(&one, ID_DELTA, &one, &copy_all(9));
    assert_gap(&list_made(&pack, &one), "too many deltas follow each other");
    let mut pack = MadePack::new();
    pack.add(&one, OFFSET_DELTA, &distance(0), &copy_all(9));
    assert_gap(&list_made(&pack, &one), "its head in its pack is damaged");
    let mut pack = MadePack::new();
    pack.add(&one, OFFSET_DELTA, &distance(100), &copy_all(9));
    assert_gap(&list_made(&pack, &one), "its head in its pack is damaged");
    let mut pack = MadePack::new();
    pack.add(&one, ID_DELTA, &other, &copy_all(9));
    assert_gap(&list_made(&pack, &one), "a delta's base is not in its pack");
}

/// Git makes no chain of more than 4,095 deltas.
#[test]
fn the_longest_chain() {
    if !require("git") {
        return;
    }
    let (tree, id) = one_name();
    for (deltas, is_read) in [(4095_usize, true), (4096, false)] {
        let mut pack = MadePack::new();
        let mut last = pack.add(&[0; 20], TREE, b"", &tree);
        for at in 1..=deltas {
            let mut name = [0; 20];
            name[..8].copy_from_slice(&(at as u64).to_be_bytes());
            let name = if at == deltas { id.as_slice() } else { &name };
            let back = distance(pack.len() - last);
            last = pack.add(name, OFFSET_DELTA, &back, &copy_all(tree.len()));
        }
        let told = list_made(&pack, &id);
        match is_read {
            true => assert_eq!((names(&told), told.len()), (vec!["name".to_owned()], 1)),
            false => assert_gap(&told, "too many deltas follow each other"),
        }
    }
}

#[test]
fn objects_in_packs_that_are_not_what_they_say() {
    if !require("git") {
        return;
    }
    let (tree, id) = one_name();
    let packed = compress_to_vec_zlib(&tree, 6);
    let mut wrong_sum = packed.clone();
    *wrong_sum.last_mut().expect("not empty") ^= 1;
    let short = &packed[..packed.len() - 1];
    for (kind, base, size, packed, why) in [
        (TREE, &b""[..], tree.len() + 1, packed.as_slice(), "another size than it says"),
        (TREE, b"", tree.len() - 1, &packed, "another size than it says"),
        (TREE, b"", 0, &packed, "another size than it says"),
        (TREE, b"", (64 << 20) + 1, &packed, "it is larger than 67108864 bytes"),
        (TREE, b"", usize::MAX >> 1, &packed, "it is larger than 67108864 bytes"),
        (TREE, b"", tree.len(), &wrong_sum, "its checksum is wrong"),
        (TREE, b"", tree.len(), short, "its packed bytes end early"),
        (TREE, b"", tree.len(), b"garbage", "it cannot be unpacked"),
        (COMMIT, b"", tree.len(), &packed, "it is a commit, not a tree"),
        (3, b"", tree.len(), &packed, "it is a blob, not a tree"),
        (4, b"", tree.len(), &packed, "it is a tag, not a tree"),
        (0, b"", tree.len(), &packed, "its head in its pack is damaged"),
        (5, b"", tree.len(), &packed, "its head in its pack is damaged"),
        (ID_DELTA, b"", 3, b"", "its head in its pack is damaged"),
    ] {
        let mut pack = MadePack::new();
        pack.add_packed(&id, kind, base, size, packed);
        assert_gap(&list_made(&pack, &id), why);
    }
    let mut pack = MadePack::new();
    pack.add(&[3; 20], TREE, b"", &tree);
    assert_gap(&list_made(&pack, &[3; 20]), "its contents do not have its hash");
}

/// Of four hundred trees each is made from the one before; the way there is walked only once.
#[test]
fn chains_are_not_walked_again_and_again() {
    if !require("git") || reads().is_none() {
        return;
    }
    const TREES: usize = 400;
    let repository = TreeBuilder::new().repo().file("blob", "x").build();
    let dir = repository.path();
    let blob = text(git(dir, &["hash-object", "-w", "blob"]));
    let line = |name: usize| format!("100644 blob {}\tname-{name:03}\n", blob.trim());
    let batch: Vec<_> = (1..=TREES).map(|names| (0..names).map(line).collect()).collect();
    let batch: &[String] = &batch;
    let ids = git_with_input(dir, &["mktree", "--batch"], batch.join("\n").as_bytes());
    let ids: Vec<_> = ids.lines().collect();
    // In the listing's order the chain is gone through to and fro.
    let top = (0..TREES).map(|at| format!("040000 tree {}\tdir-{at:03}\n", ids[at * 171 % TREES]));
    let top = git_with_input(dir, &["mktree"], top.collect::<String>().as_bytes());
    commit_to(dir, &top);
    let right = head_names(dir);
    assert_eq!(right.len(), TREES * (TREES + 1) / 2);

    let entry =
        |name: usize| [format!("100644 name-{name:03}\0").as_bytes(), &unhex(&blob)].concat();
    let len = entry(0).len();
    let mut pack = MadePack::new();
    let mut last = pack.add(&unhex(ids[0]), TREE, b"", &entry(0));
    for (at, id) in ids.iter().enumerate().skip(1) {
        let mut delta = copy_all(at * len);
        delta.splice(size(at * len).len()..2 * size(at * len).len(), size((at + 1) * len));
        delta.extend([&[len as u8], entry(at).as_slice()].concat());
        let back = distance(pack.len() - last);
        last = pack.add(&unhex(id), OFFSET_DELTA, &back, &delta);
    }
    pack.write(dir);
    ids.iter().for_each(|id| fs::remove_file(loose_path(dir, id)).expect("removed"));

    let source = open(dir).expect("it opens");
    for most in [
        // One for an entry, one or two for its place, and a few for the rest.
        TREES as u64 * 3 + 30,
        // Everything is still there.
        TREES as u64 * 2 + 30,
    ] {
        let before = reads().expect("read before");
        assert_eq!(whole(&source), right);
        let count = reads().expect("read before") - before;
        assert!(count < most, "{count}, not {most}");
    }
}

/// How often this thread has called the system to read; `None` where nobody counts.
fn reads() -> Option<u64> {
    let told = fs::read_to_string("/proc/thread-self/io").ok()?;
    told.lines().find_map(|line| line.strip_prefix("syscr: "))?.parse().ok()
}

/// A short pack that makes 64 MiB from 64 MiB four thousand times over ends at its deadline.
#[test]
fn a_bomb_of_deltas_ends_at_the_deadline() {
    if !require("git") {
        return;
    }
    let mut pack = MadePack::new();
    let len = 64 << 20;
    let mut last = pack.add(&[0; 20], TREE, b"", &vec![0; len]);
    // Four copies of 16 MiB but one byte, and the four bytes that are left.
    let copies = [[0xf0, 0xff, 0xff, 0xff]; 4].concat();
    let delta = [size(len), size(len), copies, b"\x90\x04".to_vec()].concat();
    for at in 1..=4000_u64 {
        let mut name = [1; 20];
        name[..8].copy_from_slice(&at.to_be_bytes());
        let back = distance(pack.len() - last);
        last = pack.add(&name, OFFSET_DELTA, &back, &delta);
    }
    let repository = TreeBuilder::new().repo().build();
    let dir = repository.path();
    pack.write(dir);
    let mut top = [1; 20];
    top[..8].copy_from_slice(&4000_u64.to_be_bytes());
    commit_to(dir, &top.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let source = open(dir).expect("it opens");
    let start = Instant::now();
    let result = list_with(&source, &Cancel::new().with_deadline(Duration::from_millis(300)));
    assert_eq!(result.expect_err("it takes minutes").code(), "timeout");
    assert!(start.elapsed() < Duration::from_secs(5));
}
