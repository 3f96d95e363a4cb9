//! Git as the judge of indexes that are right.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use trilist_core::{Cancel, Event, Events, Kind, ListSource, Query, RelPathBuf, VcsState};
use trilist_fuzz::{Files, Row, made_index, read_index};
use trilist_root::Root;
use trilist_tests::{TreeBuilder, git, git_command, require};
use trilist_vcs::VcsSource;

use crate::random::Random;

const TIMES: u64 = 400;

/// What is compared: kind, whether executable, whether conflicted.
type Told = BTreeMap<Vec<u8>, (Kind, bool, bool)>;

#[test]
fn right_indexes_are_listed_as_git_lists_them() {
    if !require("git") {
        return;
    }
    let sha1 = TreeBuilder::new().repo().build();
    let sha256 = TreeBuilder::new().build();
    git(sha256.path(), &["init", "-q", "--object-format=sha256"]);
    for tree in [&sha1, &sha256] {
        fs::create_dir_all(tree.join(".git/info")).expect("made");
        fs::write(tree.join(".git/info/sparse-checkout"), "/*\n!/*/\n").expect("written");
    }
    let (mut names, mut splits, mut sparse, mut conflicts) = (0, 0, 0, 0);
    for seed in 0..TIMES {
        let (files, rows) = made_index(&Random::new(seed).bytes(4000));
        let dir = if files.hash_len == 20 { sha1.path() } else { sha256.path() };
        put(dir, &files);
        let is_sparse = rows.iter().any(|row| row.kind == Kind::Dir);
        let gits = told_by_git(dir, is_sparse);
        let read = read_index(&files).expect("it is right");
        assert_eq!(told(&read), gits, "seed {seed}");
        if !is_sparse {
            // A sparse index needs trees, which these do not have.
            assert_eq!(listed(dir), gits, "seed {seed}");
        }
        names += gits.len();
        splits += u32::from(files.shared.is_some());
        sparse += u32::from(is_sparse);
        conflicts += u32::from(rows.iter().any(|row| row.conflicted));
    }
    let counts = (names > 1000, splits > 20, sparse > 20, conflicts > 20);
    assert_eq!(counts, (true, true, true, true), "{names}, {splits}, {sparse}, {conflicts}");
}

fn put(dir: &Path, files: &Files) {
    let git_dir = dir.join(".git");
    fs::write(git_dir.join("index"), &files.own).expect("written");
    if let Some(shared) = &files.shared {
        let sum = &shared[shared.len() - files.hash_len..];
        let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(git_dir.join(format!("sharedindex.{digits}")), shared).expect("written");
    }
}

fn told_by_git(dir: &Path, is_sparse: bool) -> Told {
    let mut command = git_command(dir);
    if is_sparse {
        // Without these git reads the trees.
        for setting in ["core.sparseCheckout", "core.sparseCheckoutCone", "index.sparse"] {
            command.args(["-c", &format!("{setting}=true")]);
        }
    }
    let output = command.args(["ls-files", "-s", "-z", "--sparse"]).output().expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut told = Told::new();
    for line in output.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let tab = line.iter().position(|byte| *byte == b'\t').expect("a tab");
        let (fields, path) = (&line[..tab], &line[tab + 1..]);
        let kind = match &fields[..6] {
            b"120000" => Kind::Symlink,
            b"160000" => Kind::Submodule,
            b"040000" => Kind::Dir,
            _ => Kind::File,
        };
        let one = (kind, fields.starts_with(b"100755"), !fields.ends_with(b" 0"));
        told.entry(path.to_vec()).or_insert(one);
    }
    told
}

fn told(rows: &[Row]) -> Told {
    let one = |row: &Row| (row.path.clone(), (row.kind, row.executable, row.conflicted));
    rows.iter().map(one).collect()
}

fn listed(dir: &Path) -> Told {
    let root = Arc::new(Root::open(dir).expect("it is there"));
    let query = Query::new(RelPathBuf::default());
    let source = VcsSource::open(root, query.base.as_path()).expect("a repository");
    let cancel = Cancel::new();
    let mut events = source.open(&query, &cancel).expect("it can be listed");
    let mut told = Told::new();
    while events.advance().expect("no bound is reached") {
        match events.event() {
            Event::Entry(entry) => {
                let info = entry.vcs.expect("it is version control's");
                let conflicted = info.state == VcsState::Conflicted;
                let one = (entry.kind, info.executable, conflicted);
                told.insert(entry.path.as_bytes().to_vec(), one);
            }
            other => panic!("{other:?}"),
        }
    }
    told
}
