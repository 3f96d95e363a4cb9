//! The root itself, and canonical paths below it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use trilist_core::{Kind, RelPath};
use trilist_root::{OpenDirError, Root};

use crate::support::{Tree, WAYS, names, open, rel};

#[test]
fn is_shared_and_sent() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Root>();
    sent::<trilist_root::Dir>();
}

#[test]
fn t12_both_spellings_work() {
    let tree = Tree::new();
    tree.dirs(&["a"]);
    let spelled = tree.outside.join("alias");
    symlink("root", &spelled).expect("it is new");
    for way in WAYS {
        let root = open(&spelled, way);
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
        assert_eq!(root.path(), bytes(&tree.inside));
        assert_eq!(root.spelled(), bytes(&spelled));
        for start in [&tree.inside, &spelled] {
            assert_eq!(root.relative(&bytes(start)), Some(&b""[..]));
            assert_eq!(root.relative(&bytes(&start.join("a"))), Some(&b"a"[..]));
        }
        assert_eq!(names(&root.dir().expect("it is readable")), ["a"]);
    }
}

#[test]
fn missing_roots_and_files_are_errors() {
    let tree = Tree::new();
    tree.file("f", "");
    assert!(Root::open(&tree.inside.join("nothing")).is_err());
    assert!(Root::open(&tree.inside.join("f")).is_err());
}

#[test]
fn relative_compares_components() {
    let tree = Tree::new();
    let root = tree.root(WAYS[0]);
    let of = |suffix: &str| {
        let mut path = tree.inside.as_os_str().as_encoded_bytes().to_vec();
        path.extend_from_slice(suffix.as_bytes());
        root.relative(&path).map(|rest| String::from_utf8_lossy(rest).into_owned())
    };
    assert_eq!(of(""), Some(String::new()));
    assert_eq!(of("/"), Some(String::new()));
    assert_eq!(of("/a/b"), Some("a/b".to_owned()));
    assert_eq!(of("//a/"), Some("a/".to_owned()));
    assert_eq!(of("/./a"), Some("a".to_owned()));
    assert_eq!(of("/../x"), Some("../x".to_owned()));
    assert_eq!(of("/.hidden"), Some(".hidden".to_owned()));
    assert_eq!(of("b"), None);
    assert_eq!(root.relative(b"a"), None);
    assert_eq!(root.relative(b"/"), None);
    let top = open(Path::new("/"), WAYS[0]);
    assert_eq!(top.relative(b"/a"), Some(&b"a"[..]));
    assert_eq!(top.relative(b"/"), Some(&b""[..]));
}

#[test]
fn open_dir_follows_no_link() {
    let tree = Tree::new();
    tree.dirs(&["a/b"]).link("a/l", "b").link("m", "a").file("a/f", "");
    for way in WAYS {
        let root = tree.root(way);
        assert_eq!(names(&root.open_dir(rel("a")).expect("it is there")), ["b", "f", "l"]);
        assert_eq!(names(&root.open_dir(RelPath::EMPTY).expect("the root")), ["a", "m"]);
        for (path, failed, kind) in [
            ("a/l", "a/l", Kind::Symlink),
            ("m/b", "m", Kind::Symlink),
            ("a/f", "a/f", Kind::File),
            ("a/f/x", "a/f", Kind::File),
        ] {
            let error = root.open_dir(rel(path)).expect_err("it is no directory");
            let OpenDirError::NotDirectory { path, kind: got } = error else {
                panic!("{error}");
            };
            assert_eq!((path.as_path(), got), (rel(failed), kind));
        }
        let error = root.open_dir(rel("a/x/y")).expect_err("it is missing");
        let OpenDirError::NotFound { path } = error else {
            panic!("{error}");
        };
        assert_eq!(path.as_path(), rel("a/x"));
    }
}

#[test]
fn kind_at_follows_no_link() {
    let tree = Tree::new();
    tree.dirs(&["a"]).link("l", "a").file("a/f", "").fifo("p");
    for way in WAYS {
        let root = tree.root(way);
        let kind = |path| root.kind_at(rel(path)).expect("it can be told");
        assert_eq!(kind("a"), Some(Kind::Dir));
        assert_eq!(kind("a/f"), Some(Kind::File));
        assert_eq!(kind("l"), Some(Kind::Symlink));
        assert_eq!(kind("p"), Some(Kind::Other));
        assert_eq!(kind("a/x"), None);
        assert_eq!(kind("l/f"), None);
        assert_eq!(kind("a/f/x"), None);
        assert_eq!(root.kind_at(RelPath::EMPTY).expect("it is open"), Some(Kind::Dir));
    }
}

#[test]
fn t33_paths_beyond_path_max() {
    let tree = Tree::new();
    let name = "0123456789abcdef";
    let levels = 600;
    let root = tree.root(WAYS[0]);
    // Made step by step, as no path of that length can be given to the system.
    let mut made =
        rustix::fs::open(&tree.inside, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty())
            .expect("it exists");
    for _ in 0..levels {
        rustix::fs::mkdirat(&made, name, 0o755.into()).expect("it is new");
        let flags = rustix::fs::OFlags::DIRECTORY;
        made = rustix::fs::openat(&made, name, flags, rustix::fs::Mode::empty()).expect("made");
    }
    rustix::fs::mkdirat(&made, "deepest", 0o755.into()).expect("it is new");
    let path = vec![name; levels].join("/");
    assert!(path.len() > 10_000);
    for way in WAYS {
        let root_here = tree.root(way);
        let dir = root_here.open_dir(rel(&path)).expect("length does not matter");
        assert_eq!(names(&dir), ["deepest"]);
        let deepest = format!("{path}/deepest");
        let kind = root_here.kind_at(rel(&deepest)).expect("length does not matter");
        assert_eq!(kind, Some(Kind::Dir));
    }
    drop(root);
    remove_deep(&tree.inside, name);
}

/// The standard library removes by descriptor too, but recursively; this needs no stack.
fn remove_deep(inside: &Path, name: &str) {
    let spare = inside.join("spare");
    loop {
        let below = inside.join(name).join(name);
        if fs::rename(&below, &spare).is_err() {
            break;
        }
        fs::remove_dir_all(inside.join(name)).expect("it is nearly empty");
        fs::rename(&spare, inside.join(name)).expect("it is free");
    }
}

#[test]
fn inside_repository_looks_only_above() {
    let tree = Tree::new();
    tree.dirs(&["sub/.git", "sub/deep"]);
    let above = |path: &str| open(&tree.inside.join(path), WAYS[0]).inside_repository();
    assert!(above("sub/deep"));
    let own = open(&tree.inside.join("sub"), WAYS[0]);
    let elsewhere = tree.outside.ancestors().any(|dir| dir.join(".git").exists());
    assert_eq!(own.inside_repository(), elsewhere);
}
