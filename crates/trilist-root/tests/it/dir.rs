//! Reading directories.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use trilist_core::{Kind, Metadata, Modified};
use trilist_root::Scratch;

use crate::support::{Tree, WAYS, names, rel};

#[test]
fn entries_come_once_and_again() {
    let tree = Tree::new();
    for n in 0..3000 {
        tree.file(&format!("d/a-file-with-a-name-of-some-length-{n:05}"), "");
    }
    let dir = tree.root(WAYS[0]).open_dir(rel("d")).expect("it is there");
    let first = names(&dir);
    assert_eq!(first.len(), 3000);
    assert_eq!(first[0], "a-file-with-a-name-of-some-length-00000");
    assert_eq!(names(&dir), first);
    let mut seen = 0;
    let mut stop = |_: trilist_root::RawEntry<'_>| {
        seen += 1;
        Ok(if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    dir.entries(&mut Scratch::default(), &mut stop).expect("it stops");
    assert_eq!(seen, 10);
    assert_eq!(names(&dir), first);
}

#[test]
fn an_error_of_the_caller_comes_back() {
    let tree = Tree::new();
    tree.file("f", "");
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let fail: &mut dyn FnMut(trilist_root::RawEntry<'_>) -> std::io::Result<ControlFlow<()>> =
        &mut |_| Err(std::io::Error::other("enough"));
    let error = dir.entries(&mut Scratch::default(), fail).expect_err("it failed");
    assert_eq!(error.to_string(), "enough");
}

#[test]
fn t29_special_nodes_have_their_kind() {
    let tree = Tree::new();
    tree.dirs(&["dir"]).file("file", "").link("link", "nothing").fifo("pipe");
    let socket = std::os::unix::net::UnixListener::bind(tree.inside.join("socket"));
    let _socket = socket.expect("a socket can be made");
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let mut kinds = Vec::new();
    dir.entries(&mut Scratch::default(), &mut |entry| {
        kinds.push((String::from_utf8_lossy(entry.name).into_owned(), entry.kind));
        Ok(ControlFlow::Continue(()))
    })
    .expect("it is readable");
    kinds.sort();
    let expected = [
        ("dir", Kind::Dir),
        ("file", Kind::File),
        ("link", Kind::Symlink),
        ("pipe", Kind::Other),
        ("socket", Kind::Other),
    ];
    assert_eq!(kinds, expected.map(|(name, kind)| (name.to_owned(), kind)));
    for (name, kind) in expected {
        assert_eq!(dir.kind_of(name.as_bytes()).expect("it is there"), Some(kind));
    }
    assert_eq!(dir.kind_of(b"nothing").expect("it can be told"), None);
}

#[test]
fn t15_t16_an_open_directory_stays_itself() {
    let tree = Tree::new();
    tree.dirs(&["d/inner", "e"]).file("../outside-name", "");
    let root = tree.root(WAYS[0]);
    let dir = root.open_dir(rel("d")).expect("it is there");
    fs::rename(tree.inside.join("d"), tree.outside.join("moved")).expect("it can be moved");
    assert_eq!(names(&dir), ["inner"]);
    for name in [&b".."[..], b".", b"", b"inner/..", b"a\0b"] {
        assert!(dir.open_dir(name).is_err());
        assert!(dir.kind_of(name).is_err());
        assert!(dir.read_file(name, 10).is_err());
    }
    let gone = root.open_dir(rel("e")).expect("it is there");
    fs::remove_dir(tree.inside.join("e")).expect("it is empty");
    let read = gone.entries(&mut Scratch::default(), &mut |_| Ok(ControlFlow::Continue(())));
    assert_eq!(read.expect_err("it is gone").kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn open_dir_of_a_link_fails() {
    let tree = Tree::new();
    tree.dirs(&["d"]).link("l", "d");
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    assert!(dir.open_dir(b"d").is_ok());
    assert!(dir.open_dir(b"l").is_err());
}

#[test]
fn metadata_is_of_the_entry_itself() {
    let tree = Tree::new();
    tree.file("f", "12345").dirs(&["d"]).link("l", "where/ever");
    let mode = fs::Permissions::from_mode(0o640);
    fs::set_permissions(tree.inside.join("f"), mode).expect("it is ours");
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let of = |name: &str, kind| dir.metadata(name.as_bytes(), kind).expect("it is there");
    let file = of("f", Kind::File);
    assert_eq!((file.size_bytes, file.permissions), (Some(5), Some(0o640)));
    assert!(file.modified.is_some() && file.target.is_none());
    let link = of("l", Kind::Symlink);
    assert_eq!(link.target.as_deref(), Some(&b"where/ever"[..]));
    assert_eq!(link.size_bytes, Some(10));
    assert_eq!(of("d", Kind::Dir).size_bytes, None);
    assert!(of("d", Kind::Submodule).modified.is_some());
    // Seen as a file, a directory by now.
    assert_eq!(of("d", Kind::File), Metadata::default());
    assert!(dir.metadata(b"nothing", Kind::File).is_err());
}

#[test]
fn t62_metadata_extremes() {
    use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};

    let tree = Tree::new();
    tree.file("f", "").sparse("huge", 1 << 43);
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let huge = dir.metadata(b"huge", Kind::File).expect("it is there");
    assert_eq!(huge.size_bytes, Some(1 << 43));
    for seconds in [0, -1, 1 << 60, -(1 << 60), i64::MAX, i64::MIN] {
        let time = Timespec { tv_sec: seconds, tv_nsec: 999_999_999 };
        let times = Timestamps { last_access: time, last_modification: time };
        let set = utimensat(CWD, tree.inside.join("f"), &times, AtFlags::empty());
        let metadata = dir.metadata(b"f", Kind::File).expect("it is there");
        // File systems clamp what they cannot hold.
        let Modified { nanoseconds, .. } = metadata.modified.expect("it has one");
        assert!(set.is_err() || nanoseconds < 1_000_000_000);
        assert!(dir.stamp(b"f").expect("it can be told").is_some());
    }
}

#[test]
fn identity_and_mounts() {
    let tree = Tree::new();
    tree.dirs(&["a", "b"]);
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let id = |name: &[u8]| dir.open_dir(name).expect("it is there").id().expect("it is open");
    assert_eq!(id(b"a"), id(b"a"));
    assert_ne!(id(b"a"), id(b"b"));
    assert!(!dir.is_mount_point(b"a").expect("it is there"));
    assert!(!dir.is_pseudo().expect("it can be told"));
}

#[test]
fn names_keep_their_bytes() {
    let tree = Tree::new();
    let name = b"caf\xe9\n";
    let path = tree.inside.join(std::ffi::OsStr::from_bytes(name));
    fs::create_dir(path).expect("any bytes are a name");
    for way in WAYS {
        let found = tree.root(way).resolve(name).expect("it is there");
        assert_eq!(found.path.as_bytes(), name);
    }
}
