//! Generated trees: a directory for each case, with rule sets in it and names near its rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use trilist_tests::Tree;
use trilist_tests::as_path;
use trilist_tests::rules::{Rng, path};

/// What cases hold.
pub(crate) struct Soil {
    /// The ignore files of a case's top, each with how often it is there: once in so many.
    pub(crate) files: &'static [(&'static str, usize)],
    /// Whether every case is a repository of its own.
    pub(crate) repositories: bool,
    /// Makes a line.
    pub(crate) pattern: fn(&mut Rng) -> String,
    /// Whether lines and names may hold bytes that are no text.
    pub(crate) bytes: bool,
}

/// Plants so many cases in a tree: `d0000`, `d0001`, …
pub(crate) fn plant(tree: &Tree, soil: &Soil, cases: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for case in 0..cases {
        let top = tree.join(format!("d{case:04}"));
        fs::create_dir(&top).unwrap();
        if soil.repositories {
            fs::create_dir_all(top.join(".git/info")).unwrap();
        }
        let patterns = fill(&mut rng, soil, &top);
        names(&mut rng, soil, &top, &patterns);
        // A second set further down, in a directory that some pattern may name.
        let below = fs::read_dir(&top).unwrap().map(|entry| entry.unwrap().path());
        let dirs: BTreeSet<_> =
            below.filter(|path| path.is_dir() && !path.ends_with(".git")).collect();
        if let Some(dir) = dirs.first().filter(|_| rng.one_in(2)) {
            if soil.repositories && rng.one_in(4) {
                fs::create_dir_all(dir.join(".git/info")).unwrap();
            }
            let patterns = fill(&mut rng, soil, dir);
            names(&mut rng, soil, dir, &patterns);
        }
    }
}

/// Writes ignore files into a directory, at least one; gives their patterns.
fn fill(rng: &mut Rng, soil: &Soil, dir: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let chosen: Vec<_> = soil.files.iter().filter(|(_, often)| rng.one_in(*often)).collect();
    let chosen = if chosen.is_empty() { vec![&soil.files[0]] } else { chosen };
    for (name, _) in chosen {
        let path = dir.join(name);
        if !path.parent().unwrap().is_dir() {
            continue;
        }
        let patterns: Vec<String> = (0..1 + rng.below(6)).map(|_| (soil.pattern)(rng)).collect();
        fs::write(path, content(rng, soil, &patterns)).unwrap();
        all.extend(patterns);
    }
    all
}

/// Lines with the ends and the marks that editors leave.
fn content(rng: &mut Rng, soil: &Soil, patterns: &[String]) -> Vec<u8> {
    let mut text = Vec::new();
    if rng.one_in(12) {
        text.extend_from_slice(b"\xef\xbb\xbf");
    }
    for pattern in patterns {
        text.extend(raw(rng, soil, pattern));
        text.extend_from_slice(if rng.one_in(8) { b"\r\n" } else { b"\n" });
    }
    if rng.one_in(3) {
        text.pop();
        // A carriage return without a line feed is one of the shapes that differ.
        if !soil.bytes && text.ends_with(b"\r") {
            text.pop();
        }
    }
    text
}

/// Makes files and directories at paths near the patterns. A path that another one stands in the
/// way of is not made.
fn names(rng: &mut Rng, soil: &Soil, dir: &Path, patterns: &[String]) {
    for _ in 0..12 {
        let near = path(rng, patterns);
        let at = dir.join(as_path(&raw(rng, soil, &near)));
        if rng.one_in(4) {
            let _ = fs::create_dir_all(&at);
        } else if at.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok())
            && !at.exists()
        {
            let _ = fs::write(&at, "");
        }
    }
}

/// Now and then a byte that is no text.
fn raw(rng: &mut Rng, soil: &Soil, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    if soil.bytes
        && rng.one_in(10)
        && let Some(byte) = bytes.iter_mut().find(|byte| **byte == b'b')
    {
        *byte = rng.pick(&[0xff, 0x80, 0xc3]);
    }
    bytes
}
