//! The object store, with git as the judge.

mod borrowed;
mod bytes;
mod damage;
mod formats;
mod made;
mod moving;
mod places;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trilist_core::{Cancel, ListError, ListSource, RelPath};
use trilist_root::{Root, gitdir};
use trilist_tests::{Tree, TreeBuilder, git};
use trilist_vcs::VcsSource;
use trilist_vcs::objects::{Hash, Objects};

use crate::support::{Told, faults, git_with_input, names, query};

/// A repository with so many commits and without an index. Each changes a few names
/// among many, so that trees become deltas of each other.
fn history(init: &[&str], unpack_limit: &str, commits: usize) -> Tree {
    let tree = TreeBuilder::new().git(&[&["init", "-q"], init].concat()).build();
    add_commits(tree.path(), unpack_limit, 0..commits);
    tree
}

/// Adds commits through `fast-import`, which leaves loose objects behind if there are fewer than
/// the limit, else one pack.
fn add_commits(dir: &Path, unpack_limit: &str, range: std::ops::Range<usize>) {
    let mut stream = String::new();
    for at in range {
        let from = if at == 0 { "" } else { "from refs/heads/main^0\n" };
        // Within one run each commit follows the last one by itself.
        let from = if stream.is_empty() { from } else { "" };
        write!(stream, "commit refs/heads/main\ncommitter f <f@x> {at} +0000\ndata 1\nc\n{from}")
            .expect("a string grows");
        let mut file = |path: String| {
            write!(stream, "M 100644 inline {path}\ndata 2\n{}\n\n", at % 10).expect("it grows");
        };
        if at == 0 {
            (0..200).for_each(|at| file(format!("wide/name-{at:03}")));
            (0..3).for_each(|dir| (0..20).for_each(|at| file(format!("d{dir}/a/b/{at}"))));
            file("d0-a".to_owned());
            file("top".to_owned());
        }
        file(format!("wide/name-{:03}", at * 37 % 200));
        file(format!("wide/new-{at:03}"));
        file(format!("d{}/a/b/{at}", at % 3));
    }
    stream.push_str("done\n");
    let limit = format!("fastimport.unpackLimit={unpack_limit}");
    git_with_input(dir, &["-c", &limit, "fast-import", "--quiet", "--done"], stream.as_bytes());
}

/// Adds forty directories whose trees are not much smaller when packed.
fn add_commit_of_odd_names(dir: &Path) {
    let mut stream =
        "commit refs/heads/main\ncommitter f <f@x> 9 +0000\ndata 1\nc\nfrom refs/heads/main^0\n"
            .to_owned();
    let mut odd = 0x2545_f491_4f6c_dd1d_u64;
    for at in 0..8000 {
        // Marsaglia's xorshift: no two alike, and nothing to pack.
        odd ^= odd << 13;
        odd ^= odd >> 7;
        odd ^= odd << 17;
        write!(stream, "M 100644 inline odd/{}/{odd:016x}{odd:o}\ndata 1\nx\n", at / 200)
            .expect("a string grows");
    }
    stream.push_str("done\n");
    git_with_input(dir, &["fast-import", "--quiet", "--done"], stream.as_bytes());
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

fn lines(dir: &Path, args: &[&str]) -> Vec<String> {
    text(git(dir, args)).lines().map(str::to_owned).collect()
}

/// What git says HEAD names.
fn head_names(dir: &Path) -> Vec<String> {
    let listed = text(git(dir, &["ls-tree", "-r", "-z", "--name-only", "HEAD"]));
    listed.split_terminator('\0').map(str::to_owned).collect()
}

fn open(dir: &Path) -> Result<VcsSource, ListError> {
    VcsSource::open(Arc::new(Root::open(dir).expect("it exists")), RelPath::EMPTY)
}

fn list_with(source: &VcsSource, cancel: &Cancel) -> Result<Vec<Told>, ListError> {
    let query = query();
    let mut events = source.open(&query, cancel)?;
    let mut told = Vec::new();
    while events.advance()? {
        told.push(Told::of(events.event()));
    }
    Ok(told)
}

fn list(source: &VcsSource) -> Result<Vec<Told>, ListError> {
    list_with(source, &Cancel::new())
}

/// A listing that must have no gap.
fn whole(source: &VcsSource) -> Vec<String> {
    let told = list(source).expect("it is listed");
    assert_eq!(faults(&told), []);
    names(&told)
}

/// The repository's objects, as a source reads them.
fn objects(dir: &Path, hash: Hash) -> Objects {
    let root = Root::open(dir).expect("it exists");
    let found = gitdir::discover(&root, RelPath::EMPTY).expect("it is read");
    Objects::new(found.expect("a repository").objects, hash, false)
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits.trim().as_bytes().chunks(2);
    let pair = |pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16);
    pairs.map(|two| pair(two).expect("hexadecimal")).collect()
}

/// The id of what a revision names.
fn id(dir: &Path, revision: &str) -> String {
    text(git(dir, &["rev-parse", revision])).trim().to_owned()
}

/// Where a loose object is.
fn loose_path(dir: &Path, id: &str) -> PathBuf {
    let (first, rest) = id.split_at(2);
    dir.join(".git/objects").join(first).join(rest)
}

/// The files of the `pack` directory with this ending.
fn packs(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir.join(".git/objects/pack")).expect("it is read");
    let paths = entries.map(|entry| entry.expect("it is read").path());
    let mut found: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    found.sort();
    found
}

fn overwrite(path: &Path, bytes: impl AsRef<[u8]>) {
    // Git's object files are read-only, and may be linked to from elsewhere.
    let _ = fs::remove_file(path);
    fs::write(path, bytes).expect("it is written");
}

/// Makes HEAD a commit that names a tree which need not exist.
fn commit_to(dir: &Path, tree: &str) {
    let who = "f <f@x> 0 +0000";
    let commit = format!("tree {tree}\nauthor {who}\ncommitter {who}\n\nc\n");
    let args = ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"];
    let id = git_with_input(dir, &args, commit.as_bytes());
    fs::write(dir.join(".git/HEAD"), format!("{id}\n")).expect("it is written");
}
