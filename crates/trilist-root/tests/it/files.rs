//! Reading files.

use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::time::Instant;

use trilist_core::Kind;
use trilist_root::ReadError;

use crate::support::{Tree, WAYS};

/// The outcome in one line; proves that nothing waited.
fn read(tree: &Tree, name: &str, cap: u64) -> String {
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let started = Instant::now();
    let outcome = match dir.read_file(name.as_bytes(), cap) {
        Ok(bytes) => format!("{} bytes", bytes.len()),
        Err(ReadError::NotFound) => "absent".to_owned(),
        Err(ReadError::NotRegular(kind)) => kind.name().to_owned(),
        Err(ReadError::TooLarge { cap }) => format!("over {cap}"),
        Err(ReadError::Io(error)) => trilist_root::errno_name(&error),
    };
    assert!(started.elapsed().as_secs() < 1);
    outcome
}

#[test]
fn reads_up_to_the_cap() {
    let tree = Tree::new();
    tree.file("f", "12345").file("empty", "");
    assert_eq!(read(&tree, "f", 5), "5 bytes");
    assert_eq!(read(&tree, "f", 4), "over 4");
    assert_eq!(read(&tree, "f", u64::MAX), "5 bytes");
    assert_eq!(read(&tree, "empty", 0), "0 bytes");
    assert_eq!(read(&tree, "nothing", 5), "absent");
    assert_eq!(read(&tree, "a/b", 5), "EINVAL");
}

#[test]
fn t40_a_pipe_is_not_opened() {
    let tree = Tree::new();
    tree.fifo(".gitignore");
    assert_eq!(read(&tree, ".gitignore", 100), "other");
}

#[test]
fn t41_links_devices_and_directories_are_not_read() {
    let tree = Tree::new();
    tree.dirs(&["d"]).file("f", "").link("inside", "f").link("out", "/etc/passwd");
    tree.link("zero", "/dev/zero");
    for link in ["inside", "out", "zero"] {
        assert_eq!(read(&tree, link, 100), "symlink");
    }
    assert_eq!(read(&tree, "d", 100), "dir");
    let _socket = std::os::unix::net::UnixListener::bind(tree.inside.join("s"));
    assert_eq!(read(&tree, "s", 100), "other");
    if tree.device("device") {
        assert_eq!(read(&tree, "device", 100), "other");
    }
}

#[test]
fn t42_a_sparse_file_is_not_read() {
    let tree = Tree::new();
    tree.sparse(".gitignore", 1 << 30);
    assert_eq!(read(&tree, ".gitignore", 1 << 20), "over 1048576");
}

#[test]
fn a_regular_file_seeks_and_knows_its_state() {
    let tree = Tree::new();
    tree.file("f", "0123456789");
    let dir = tree.root(WAYS[0]).dir().expect("it is readable");
    let mut file = dir.open_file(b"f").expect("it is there");
    assert_eq!(file.len(), 10);
    file.seek(SeekFrom::End(-3)).expect("it is regular");
    let mut end = String::new();
    file.read_to_string(&mut end).expect("it is readable");
    assert_eq!(end, "789");
    let mut middle = [0; 4];
    file.read_exact_at(&mut middle, 5).expect("it is long enough");
    assert_eq!(&middle, b"5678");
    let short = file.read_exact_at(&mut middle, 7).expect_err("three bytes are left");
    assert_eq!(short.kind(), std::io::ErrorKind::UnexpectedEof);
    assert_eq!(file.stream_position().expect("it is regular"), 10, "the place has not moved");
    assert_eq!(Some(file.stamp()), dir.stamp(b"f").expect("it can be told"));
    let more = fs::File::options().append(true).open(tree.inside.join("f"));
    more.expect("it is ours").write_all(b"more").expect("there is room");
    assert_ne!(file.stamp(), file.stamp_now().expect("it is open"));
    assert_eq!(file.stamp().id(), file.stamp_now().expect("it is open").id());
    assert_eq!(dir.stamp(b"nothing").expect("it can be told"), None);
    assert!(matches!(dir.open_file(b"g"), Err(ReadError::NotFound)));
    tree.link("l", "f");
    assert!(matches!(dir.open_file(b"l"), Err(ReadError::NotRegular(Kind::Symlink))));
}
