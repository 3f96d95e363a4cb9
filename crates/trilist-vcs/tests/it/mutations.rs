//! The reader of the index on hundreds of thousands of damaged ones, in memory.

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use memchr::memmem;
use trilist_core::{Query, VcsInfo};
use trilist_tests::{Tree, TreeBuilder, figure, git_command, is_full, require};
use trilist_vcs::index::{CachedTree, Extensions, IndexReader, Link, Step};

use crate::random::Random;
use crate::support::{Told, faults, list, query};

const HASH: usize = 20;

/// The bytes of an index, and of the file that it shares if it is split.
#[derive(Clone)]
struct Files {
    own: Vec<u8>,
    shared: Option<Vec<u8>>,
}

fn files(tree: &Tree) -> Files {
    let dir = tree.path().join(".git");
    let own = fs::read(dir.join("index")).expect("written by git");
    let shared = fs::read_dir(dir).expect("there").flatten().find_map(|file| {
        let is_shared = file.file_name().as_encoded_bytes().starts_with(b"sharedindex.");
        is_shared.then(|| fs::read(file.path()).expect("read"))
    });
    Files { own, shared }
}

fn plain() -> TreeBuilder {
    let files = [".x", "a-b", "a/b/c", "a/d", "e", "f/g"];
    TreeBuilder::new().repo().files(files).commit("i").file("new", "n").git(&["add", "new"])
}

/// One of each format.
fn formats() -> Vec<(&'static str, TreeBuilder)> {
    let version = |number| plain().git(&["update-index", "--index-version", number]);
    let split = |tree: TreeBuilder| {
        tree.git(&["config", "splitIndex.maxPercentChange", "100"])
            .git(&["update-index", "--split-index"])
            .file("e", "changed")
            .files(["f/h"])
            .git(&["add", "e", "f/h"])
            .git(&["rm", "-q", "--cached", "a/d", "f/g"])
    };
    vec![
        ("version 2", version("2")),
        ("version 3", plain().git(&["update-index", "--skip-worktree", "a/d"])),
        ("version 4", version("4")),
        ("sparse", plain().git(&["sparse-checkout", "set", "--cone", "--sparse-index", "f"])),
        (
            "marked",
            version("2")
                .git(&["config", "index.recordEndOfIndexEntries", "true"])
                .files(["o"])
                .git(&["add", "o"]),
        ),
        ("split", split(version("2"))),
        ("split, version 4", split(version("4"))),
    ]
}

/// Reads as a listing does: the extensions first if the entries are whole, then every entry, and
/// the end. Gives the names, and whether all of it was right.
fn read(files: &Files, target: &[u8]) -> (Vec<Vec<u8>>, bool) {
    let Some(mut reader) = open(files) else { return (Vec::new(), false) };
    let (mut names, mut right) = (Vec::new(), true);
    let mut step = if target.is_empty() { reader.step() } else { past(&mut reader, target) };
    loop {
        match step {
            Ok(Step::Entry) => names.push(reader.path().to_vec()),
            Ok(Step::Stage | Step::Passed) => {}
            Ok(Step::Dropped(_)) => right = false,
            Ok(Step::End) => break,
            Err(_) => return (names, false),
        }
        step = reader.step();
    }
    right &= reader.finish(None).is_ok();
    (names, right)
}

type Reader = IndexReader<Cursor<Vec<u8>>>;

fn past(reader: &mut Reader, target: &[u8]) -> Result<Step, trilist_vcs::index::IndexError> {
    loop {
        if let Some(step) = reader.step_past(target, 3)? {
            return Ok(step);
        }
    }
}

fn open(files: &Files) -> Option<Reader> {
    let own = || Cursor::new(files.own.clone());
    let bytes = files.own.len() as u64;
    let mut walked = IndexReader::new(own(), bytes, HASH).ok()?;
    while walked.step().ok()? != Step::End {}
    let chain = walked.extensions().ok()?;
    // What finds them from behind must not fail on anything either.
    let _ = Extensions::locate(&mut own(), bytes, HASH).expect("memory can be read");
    let _ = CachedTree::load(&mut own(), bytes, HASH).expect("memory can be read");
    let link = Link::of(&chain, &mut own(), HASH).ok()?;
    match (link, &files.shared) {
        (None, _) => IndexReader::new(own(), bytes, HASH).ok(),
        (Some(link), Some(shared)) => {
            let other = (Cursor::new(shared.clone()), shared.len() as u64);
            IndexReader::split([own(), own()], bytes, other, link, HASH).ok()
        }
        (Some(_), None) => None,
    }
}

/// Whatever was read: in order, each once, no more than there is room for, and not made up.
fn check(files: &Files, names: &[Vec<u8>], context: &str) {
    assert!(names.windows(2).all(|two| two[0] < two[1]), "{context}: {names:?}");
    let room = files.own.len() + files.shared.as_ref().map_or(0, Vec::len);
    assert!(names.len() <= room / 62, "{context}");
    for name in names {
        let parts: Vec<_> = name.strip_suffix(b"/").unwrap_or(name).split(|b| *b == b'/').collect();
        let is_odd = |part: &&[u8]| {
            part.is_empty()
                || [&b"."[..], b".."].contains(part)
                || part.eq_ignore_ascii_case(b".git")
        };
        assert!(!parts.iter().any(is_odd), "{context}: {name:?}");
        let compressed = |bytes: &[u8]| bytes.get(7) == Some(&4);
        let all = [Some(&files.own), files.shared.as_ref()];
        let all: Vec<_> = all.into_iter().flatten().collect();
        if !all.iter().any(|bytes| compressed(bytes)) {
            let written = [name.as_slice(), b"\0"].concat();
            let found = all.iter().any(|bytes| memmem::find(bytes, &written).is_some());
            assert!(found, "{context}: {name:?} stands in no file");
        }
    }
}

/// Some damage to one of the files.
fn damage(files: &mut Files, random: &mut Random) {
    let bytes = match &mut files.shared {
        Some(shared) if random.below(3) == 0 => shared,
        _ => &mut files.own,
    };
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len().max(1));
        let Some(byte) = bytes.get_mut(at) else { return };
        match random.below(8) {
            0 => bytes.truncate(at),
            1 => *byte = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            2 => *byte = b"/.\0Aaz"[random.below(6)],
            3 => bytes.insert(at, [0, b'a', 0xff][random.below(3)]),
            4 => drop(bytes.remove(at)),
            5 => {
                // A stretch from elsewhere, as of another entry.
                let from = random.below(bytes.len());
                let len = random.below(64).min(bytes.len() - from.max(at));
                bytes.copy_within(from..from + len, at);
            }
            _ => *byte ^= 1 << random.below(8),
        }
    }
}

#[test]
fn t53_random_damage_is_survived() {
    if !require("git") {
        return;
    }
    // Ten million in all, or what every run can afford.
    let times: u64 = if is_full() { 1_500_000 } else { 20_000 };
    for (format, tree) in formats() {
        let whole = files(&tree.build());
        assert_eq!(whole.shared.is_some(), format.starts_with("split"));
        let (all, right) = read(&whole, b"");
        assert!(right && all.len() >= 4, "{format}: {all:?}");
        let mut damaged = 0;
        for seed in 1..=times {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut files = whole.clone();
            damage(&mut files, &mut random);
            let context = format!("{format}, seed {seed}");
            let (names, right) = read(&files, b"");
            check(&files, &names, &context);
            damaged += u64::from(!right);
            if right {
                // Seeking skips what it passes, and only that.
                let target: &[u8] = [&b"a/d"[..], b"b", b"f/"][random.below(3)];
                let (rest, _) = read(&files, target);
                let later = names.iter().filter(|name| {
                    name.as_slice() >= target || (name.ends_with(b"/") && target.starts_with(name))
                });
                assert_eq!(rest, later.cloned().collect::<Vec<_>>(), "{context}");
            }
        }
        assert!(damaged > times / 4, "{format}: only {damaged} were found out");
        let told = format!("{times} of them, {damaged} told, no panic, nothing made up");
        figure("T-53", &format!("random damage to an index, {format}"), &told);
    }
}

#[test]
fn t53_every_truncation_and_bit_flip_of_every_format_is_survived() {
    if !require("git") {
        return;
    }
    for (format, tree) in formats() {
        let whole = files(&tree.build());
        let (all, _) = read(&whole, b"");
        for is_own in [true, false] {
            let Some(bytes) = (if is_own { Some(&whole.own) } else { whole.shared.as_ref() })
            else {
                continue;
            };
            let with = |bytes: Vec<u8>| match is_own {
                true => Files { own: bytes, ..whole.clone() },
                false => Files { shared: Some(bytes), ..whole.clone() },
            };
            for len in 0..bytes.len() {
                let files = with(bytes[..len].to_vec());
                let (names, right) = read(&files, b"");
                check(&files, &names, &format!("{format}, {len} bytes"));
                // Only extensions can be cut off without a trace; the checksum tells that.
                assert!(!right || names == all, "{format}, {len} bytes");
            }
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let files = with(bytes);
                let (names, _) = read(&files, b"");
                check(&files, &names, &format!("{format}, bit {bit}"));
            }
        }
    }
}

/// A file that has a size when it is opened and is cut short while it is read.
#[test]
fn t53_an_index_that_shrinks_is_read_up_to_its_new_end() {
    if !require("git") {
        return;
    }
    for (format, tree) in formats() {
        let Files { own, shared } = files(&tree.build());
        let bytes = shared.unwrap_or(own);
        let all = names_before(&bytes, bytes.len(), format);
        assert!(all.len() >= 4, "{format}: {all:?}");
        for len in 0..bytes.len() {
            let names = names_before(&bytes, len, format);
            assert!(all.starts_with(&names), "{format}, {len} bytes: {names:?}");
            // What is not there is not made up: each entry takes 62 bytes at least.
            assert!(names.len() <= len / 62, "{format}, {len} bytes: {names:?}");
        }
        assert_eq!(names_before(&bytes, bytes.len() - HASH, format), all, "{format}");
    }
}

/// The names that are read when the file ends there, although it was longer.
fn names_before(bytes: &[u8], end: usize, format: &str) -> Vec<Vec<u8>> {
    let left = Cursor::new(bytes[..end].to_vec());
    let Ok(mut reader) = IndexReader::new(left, bytes.len() as u64, HASH) else {
        assert!(end < 12, "{format}, {end} bytes");
        return Vec::new();
    };
    let mut names = Vec::new();
    loop {
        match reader.step() {
            Ok(Step::Entry) => names.push(reader.path().to_vec()),
            Ok(Step::Stage) => {}
            Ok(Step::End) | Err(_) => return names,
            Ok(other) => panic!("{format}, {end} bytes: {other:?}"),
        }
    }
}

/// Where git still lists a damaged index we list the same names, or fewer and a gap.
#[test]
fn t53_damage_is_read_as_git_reads_it_or_told() {
    if !require("git") {
        return;
    }
    let (mut read, mut equal) = (0, 0);
    for (format, tree) in formats() {
        let tree = tree.build();
        let whole = files(&tree);
        for seed in 1..=60 {
            let mut random = Random(seed * 0x1234_5679 + 1);
            let mut files = whole.clone();
            files.shared = None;
            damage(&mut files, &mut random);
            // Without a checksum, so that what is damaged is looked at.
            let end = files.own.len().saturating_sub(HASH);
            files.own[end..].fill(0);
            fs::write(tree.join(".git/index"), &files.own).expect("written");
            let Some(gits) = names_of_git(tree.path()) else { continue };
            read += 1;
            for want in [None, Some(9)] {
                let Ok(told) = list(tree.path(), &Query { want, ..query() }) else { continue };
                let in_index = |told: &Told| match told {
                    Told::Entry(path, .., Some(VcsInfo { index: true, .. })) => Some(path.clone()),
                    _ => None,
                };
                let ours: BTreeSet<_> = told.iter().filter_map(in_index).collect();
                let has_gap = faults(&told).iter().any(|(_, gap)| *gap);
                assert!(ours.is_subset(&gits), "{format}, seed {seed}: {ours:?}, git {gits:?}");
                assert!(has_gap || ours == gits, "{format}, seed {seed}: {ours:?}, git {gits:?}");
                equal += u32::from(ours == gits);
            }
        }
    }
    assert!(read > 50 && equal > 50, "git read {read}, equal were {equal}");
}

/// What git makes of the index, if it does not give up.
fn names_of_git(dir: &Path) -> Option<BTreeSet<Vec<u8>>> {
    let output = git_command(dir).args(["ls-files", "-z"]).output().expect("git runs");
    let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    output.status.success().then(|| names.map(<[u8]>::to_vec).collect())
}
