//! Trees to open roots on.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use trilist_core::RelPath;
use trilist_root::{Beneath, Dir, ResolveError, Root, Scratch};

/// Both ways; every case runs in each.
pub(crate) const WAYS: [Beneath; 2] = [Beneath::Kernel, Beneath::Stepwise];

/// A folder with `root` in it and room outside.
pub(crate) struct Tree {
    _folder: TempDir,
    /// The folder's canonical path.
    pub(crate) outside: PathBuf,
    /// `root` in it.
    pub(crate) inside: PathBuf,
}

impl Tree {
    pub(crate) fn new() -> Tree {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let outside = folder.path().canonicalize().expect("it exists");
        let inside = outside.join("root");
        fs::create_dir(&inside).expect("it is new");
        Tree { _folder: folder, outside, inside }
    }

    /// Makes directories below the root.
    pub(crate) fn dirs(&self, paths: &[&str]) -> &Tree {
        for path in paths {
            fs::create_dir_all(self.inside.join(path)).expect("a directory can be made");
        }
        self
    }

    /// Writes a file below the root, or outside with `../`, and the directories above it.
    pub(crate) fn file(&self, path: &str, contents: impl AsRef<[u8]>) -> &Tree {
        let path = self.inside.join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a directory can be made");
        fs::write(path, contents).expect("a file can be written");
        self
    }

    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) -> &Tree {
        symlink(target, self.inside.join(path)).expect("a link can be made");
        self
    }

    pub(crate) fn fifo(&self, path: &str) -> &Tree {
        let path = self.inside.join(path);
        mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o644), 0)
            .expect("a pipe can be made");
        self
    }

    /// A character device like `/dev/zero`; false without the right to make one.
    pub(crate) fn device(&self, path: &str) -> bool {
        let (path, zero) = (self.inside.join(path), rustix::fs::makedev(1, 5));
        let mode = Mode::from_raw_mode(0o644);
        let made = mknodat(CWD, path, FileType::CharacterDevice, mode, zero).is_ok();
        if !made {
            skip("devices cannot be made here");
        }
        made
    }

    /// A file of `bytes` bytes that takes no room.
    pub(crate) fn sparse(&self, path: &str, bytes: u64) -> &Tree {
        self.file(path, b"");
        let file = fs::File::options().write(true).open(self.inside.join(path));
        let file = file.expect("it was just made");
        file.set_len(bytes).expect("a hole takes no room");
        self
    }

    pub(crate) fn root(&self, way: Beneath) -> Root {
        open(&self.inside, way)
    }
}

pub(crate) fn open(path: &Path, way: Beneath) -> Root {
    Root::open_with(path, way).expect("the root exists")
}

pub(crate) fn rel(path: &str) -> RelPath<'_> {
    RelPath::new(path.as_bytes()).expect("the test's path is one")
}

/// The names of a directory, sorted.
pub(crate) fn names(dir: &Dir) -> Vec<String> {
    let mut names = Vec::new();
    dir.entries(&mut Scratch::default(), &mut |entry| {
        names.push(String::from_utf8_lossy(entry.name).into_owned());
        Ok(ControlFlow::Continue(()))
    })
    .expect("the directory can be read");
    names.sort();
    names
}

/// An outcome of `resolve` in one line, to compare.
pub(crate) fn outcome(root: &Root, asked: &[u8]) -> String {
    match root.resolve(asked) {
        Ok(found) => {
            let direct = root.open_dir(found.path.as_path());
            let direct = direct.expect("a canonical path opens without links");
            let same = direct.id().expect("it is open") == found.dir.id().expect("it is open");
            assert!(same, "`{}` is another directory", found.path);
            format!("dir {}", found.path)
        }
        Err(ResolveError::OutsideRoot) => "outside".to_owned(),
        Err(ResolveError::NotFound { existing, missing }) => {
            format!("missing {} in {existing}", String::from_utf8_lossy(&missing))
        }
        Err(ResolveError::NotDirectory { path, kind }) => {
            format!("{kind} {path}", kind = kind.name())
        }
        Err(ResolveError::PermissionDenied { path }) => format!("denied {path}"),
        Err(ResolveError::Io { error, .. }) => trilist_root::errno_name(&error),
        Err(ResolveError::Nul) => "nul".to_owned(),
        Err(ResolveError::TooLong) => "too long".to_owned(),
    }
}

/// Asserts outcomes in both ways.
pub(crate) fn check(tree: &Tree, cases: &[(&str, &str)]) {
    for way in WAYS {
        let root = tree.root(way);
        for (asked, expected) in cases {
            let got = outcome(&root, asked.as_bytes());
            assert_eq!(got, *expected, "{asked:?}, {way:?}");
        }
    }
}

/// Says that a test could not run; a failure where every test has to.
#[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
pub(crate) fn skip(reason: &str) {
    eprintln!("SKIP({reason})");
    let required = std::env::var("TRILIST_REQUIRE_ALL").is_ok_and(|value| value == "1");
    assert!(!required, "SKIP({reason})");
}
