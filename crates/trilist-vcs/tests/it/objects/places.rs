//! Strange things where the store's files should be, put there after it was opened.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use trilist_core::{Cancel, FaultCode};
use trilist_tests::require;
use trilist_vcs::VcsSource;

use super::{head_names, history, id, list, list_with, loose_path, open, packs, whole};
use crate::support::{Told, faults, names};

/// What is put in the place of a file or directory.
#[derive(Debug, Clone, Copy)]
enum Trap {
    Pipe,
    Directory,
    Link,
    LinkToDevice,
    Hole,
}

const TRAPS: [Trap; 5] = [Trap::Pipe, Trap::Directory, Trap::Link, Trap::LinkToDevice, Trap::Hole];

impl Trap {
    fn spring(self, path: &Path) {
        let aside = path.with_extension("aside");
        fs::rename(path, &aside).expect("it moves");
        match self {
            Trap::Pipe => {
                assert!(Command::new("mkfifo").arg(path).status().expect("it runs").success());
            }
            Trap::Directory => fs::create_dir(path).expect("made"),
            // The very thing, but behind a link: nothing is followed.
            Trap::Link => symlink(&aside, path).expect("made"),
            Trap::LinkToDevice => symlink("/dev/zero", path).expect("made"),
            Trap::Hole => File::create(path).expect("made").set_len(1 << 40).expect("a hole"),
        }
    }
}

/// With a trap in each place, listing ends at once, with a gap or an error that says `why`.
fn check(is_loose: bool, place: impl Fn(&Path) -> PathBuf, why: [&str; 5]) {
    if !require("git") {
        return;
    }
    for (trap, why) in TRAPS.into_iter().zip(why) {
        let tree = history(&[], if is_loose { "1000000" } else { "1" }, 2);
        let dir = tree.path();
        let right = head_names(dir);
        let (fresh, used) = (open(dir).expect("it opens"), open(dir).expect("it opens"));
        assert_eq!(whole(&used), right);
        trap.spring(&place(dir));
        let said = end(&fresh, &right, trap).expect("nothing was read before");
        assert!(said.contains(why), "{trap:?}: {said}");
        // What was open or unpacked before may be read on.
        end(&used, &right, trap);
    }
}

/// What a listing says of its gap or error, if it has one.
fn end(source: &VcsSource, right: &[String], trap: Trap) -> Option<String> {
    let start = Instant::now();
    let result = list_with(source, &Cancel::new().with_deadline(Duration::from_secs(5)));
    assert!(start.elapsed() < Duration::from_secs(2), "{trap:?}");
    let told = match result {
        Ok(told) => told,
        Err(error) => {
            assert_eq!(error.code(), "vcs_invalid", "{trap:?} {error}");
            return Some(error.to_string());
        }
    };
    assert!(names(&told).iter().all(|name| right.contains(name)), "{trap:?}");
    assert!(faults(&told).iter().all(|gap| *gap == (FaultCode::VcsObjectInvalid, true)));
    assert_eq!(names(&told).len() < right.len(), !faults(&told).is_empty(), "{trap:?}");
    told.into_iter().find_map(|told| match told {
        Told::Fault(.., message) => Some(message),
        _ => None,
    })
}

const NOT_REGULAR: &str = "not a regular file";
const MISSING: &str = "it is missing";

#[test]
fn in_the_place_of_a_loose_object() {
    let place = |dir: &Path| loose_path(dir, &id(dir, "HEAD:wide"));
    let regular = NOT_REGULAR;
    check(true, place, [regular, regular, regular, regular, "it is larger than 67108864 bytes"]);
}

#[test]
fn in_the_place_of_a_loose_objects_directory() {
    let place = |dir: &Path| {
        loose_path(dir, &id(dir, "HEAD:wide")).parent().expect("it has one").to_path_buf()
    };
    let unread = "its directory is none";
    check(true, place, [unread, MISSING, unread, unread, unread]);
}

#[test]
fn in_the_place_of_a_packs_index() {
    let place = |dir: &Path| packs(dir, "idx").remove(0);
    let regular = NOT_REGULAR;
    check(false, place, [regular, regular, regular, regular, "its size is wrong"]);
}

#[test]
fn in_the_place_of_a_pack() {
    let place = |dir: &Path| packs(dir, "pack").remove(0);
    let regular = NOT_REGULAR;
    check(false, place, [regular, regular, regular, regular, "no pack of a known version"]);
}

#[test]
fn in_the_place_of_the_packs_directory() {
    let place = |dir: &Path| dir.join(".git/objects/pack");
    let unread = "`objects/pack` cannot be read";
    check(false, place, [unread, MISSING, unread, unread, unread]);
}

/// Five thousand indexes: the first are looked at, and that there are more is said.
#[test]
fn too_many_packs() {
    if !require("git") {
        return;
    }
    let tree = history(&[], "1000000", 2);
    let dir = tree.path();
    let right = head_names(dir);
    // Of a pack without objects: its counts are all zero.
    let pack = dir.join(".git/objects/pack");
    fs::create_dir_all(&pack).expect("made");
    let index = pack.join("pack-0.idx");
    let bytes = [&b"\xfftOc\0\0\0\x02"[..], &[0; 1024 + 40]].concat();
    fs::write(&index, bytes).expect("written");
    (1..5000).for_each(|at| {
        fs::hard_link(&index, pack.join(format!("pack-{at}.idx"))).expect("linked");
    });
    assert_eq!(whole(&open(dir).expect("it opens")), right);
    fs::remove_file(loose_path(dir, &id(dir, "HEAD:wide"))).expect("removed");
    let source = open(dir).expect("it opens");
    let told = list(&source).expect("it is listed");
    assert_eq!(faults(&told), [(FaultCode::VcsObjectInvalid, true)]);
    let said = format!("{told:?}");
    assert!(said.contains("`objects/pack` cannot be read: it has more than 4096 packs"), "{said}");
}
