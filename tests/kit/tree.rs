//! A tree on disk that goes away with its value.

use std::fs;
use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::fixture::{fixtures, read};
use crate::manifest::{Manifest, as_path};
use crate::materialise::materialise;
use crate::user::{NOBODY, is_root};

/// Names whose presence above a tree would change what git or ripgrep sees in it.
const INTRUDERS: &[&str] = &[".git", ".gitignore", ".ignore", ".rgignore", ".aiderignore"];

/// A tree built in a temporary folder of its own, removed when this value is dropped.
///
/// The folder has nothing above it that a listing could pick up: no repository, no ignore file.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    dir: TempDir,
}

impl Tree {
    /// Builds `fixtures/trees/NAME.json`.
    ///
    /// # Panics
    ///
    /// Panics when there is no such tree or it cannot be built here.
    pub fn build(name: &str) -> Tree {
        let path = fixtures().join("trees").join(format!("{name}.json"));
        let manifest: Manifest = serde_json::from_slice(&read(&path))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(manifest.name, name, "a tree is called like its file");
        Tree::from_manifest(&manifest)
    }

    /// Builds a tree from a manifest.
    ///
    /// A tree that requires `unprivileged` is handed over (see [`Tree::hand_over`]).
    ///
    /// # Panics
    ///
    /// Panics when a step fails.
    pub fn from_manifest(manifest: &Manifest) -> Tree {
        let tree = Tree::empty();
        tree.fill(manifest);
        tree
    }

    fn fill(&self, manifest: &Manifest) {
        materialise(manifest, &self.root);
        if manifest.requires.iter().any(|word| word == "unprivileged") {
            self.hand_over();
        }
    }

    /// Builds a tree where no part of its path means anything to a program that was recorded: no
    /// hidden name, and none that such a program leaves out.
    ///
    /// # Panics
    ///
    /// Panics when a step fails, or there is no such place.
    pub fn neutral(manifest: &Manifest) -> Tree {
        let tree = Tree::empty_in(&place(is_neutral));
        tree.fill(manifest);
        tree
    }

    /// An empty folder.
    ///
    /// # Panics
    ///
    /// Panics when there is no place for one.
    pub fn empty() -> Tree {
        Tree::empty_in(&place(is_clean))
    }

    /// An empty folder in memory, for trees that are large, where there is a place for one.
    ///
    /// # Panics
    ///
    /// Panics when there is no place at all.
    pub fn on_tmpfs() -> Tree {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() && is_clean(memory) { Tree::empty_in(memory) } else { Tree::empty() }
    }

    fn empty_in(place: &Path) -> Tree {
        let dir = tempfile::Builder::new()
            // A name that starts with a dot, as is the default, would make every path hidden.
            .prefix("trilist-")
            .permissions(fs::Permissions::from_mode(0o755))
            .tempdir_in(place)
            .expect("a folder can be made in the place chosen for it");
        // The tree is one level down, so that a test can put something beside it.
        let root = dir.path().join("root");
        fs::create_dir(&root).expect("the folder above is new and ours");
        // Umask may have narrowed both; another user has to get through.
        for path in [dir.path(), root.as_path()] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        Tree { root: root.canonicalize().expect("it was just made"), dir }
    }

    /// The absolute, canonical path of the root.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The folder above the root: what lies there is outside the tree, but goes away with it.
    pub fn outside(&self) -> &Path {
        self.root.parent().expect("the root was made one level down")
    }

    /// The absolute path of something in the tree; its name may be any bytes.
    pub fn join(&self, rel: impl AsRef<[u8]>) -> PathBuf {
        self.root.join(as_path(rel.as_ref()))
    }

    /// Runs git in the root and returns what it printed.
    ///
    /// # Panics
    ///
    /// Panics when git fails.
    pub fn git(&self, args: &[&str]) -> Vec<u8> {
        crate::git(&self.root, args)
    }

    /// Gives the whole tree to the user of [`as_unprivileged`](crate::as_unprivileged), if this
    /// process is root's; otherwise it is that user's already.
    ///
    /// # Panics
    ///
    /// Panics when the owner of an entry cannot be changed.
    pub fn hand_over(&self) {
        if is_root() {
            give(&self.root);
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // A directory without permissions cannot be emptied by an ordinary user.
        open_up(self.dir.path());
    }
}

fn give(path: &Path) {
    lchown(path, Some(NOBODY), Some(NOBODY)).expect("root may change any owner");
    for child in children(path) {
        give(&child);
    }
}

fn open_up(path: &Path) {
    if path.symlink_metadata().is_ok_and(|found| found.is_dir() && found.mode_lacks(0o700)) {
        // A failure here shows as a folder that stays behind; the test's own result matters more.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o755));
    }
    for child in children(path) {
        open_up(&child);
    }
}

trait Lacks {
    fn mode_lacks(&self, bits: u32) -> bool;
}

impl Lacks for fs::Metadata {
    fn mode_lacks(&self, bits: u32) -> bool {
        self.permissions().mode() & bits != bits
    }
}

/// The directories and files directly below `path`; none if it is not a directory itself.
fn children(path: &Path) -> Vec<PathBuf> {
    if !path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Vec::new();
    }
    fs::read_dir(path).map_or(Vec::new(), |dir| dir.flatten().map(|entry| entry.path()).collect())
}

/// The first temporary folder that will do.
///
/// `TRILIST_TEST_DIR` comes first, for the rare case that must lie at a particular place.
fn place(will_do: fn(&Path) -> bool) -> PathBuf {
    let chosen = std::env::var_os("TRILIST_TEST_DIR").map(PathBuf::from);
    let usual = [std::env::temp_dir(), "/var/tmp".into(), "/dev/shm".into()];
    let mut places = chosen.into_iter().chain(usual).filter(|place| place.is_dir());
    places
        .find(|place| will_do(place))
        .expect("a temporary folder that no repository, ignore file or telling name lies above")
}

/// Nothing above it that a listing could pick up.
fn is_clean(place: &Path) -> bool {
    let Ok(place) = place.canonicalize() else {
        return false;
    };
    place
        .ancestors()
        .all(|above| INTRUDERS.iter().all(|name| above.join(name).symlink_metadata().is_err()))
}

/// Clean, and without a part that a recorded program leaves out by its name.
fn is_neutral(place: &Path) -> bool {
    const TELLING: &[&str] =
        &["tmp", "temp", "env", "venv", "vendor", "pkg", "out", "dist", "deps"];
    let telling = |part: &str| part.starts_with('.') || TELLING.contains(&part);
    let parts = place.canonicalize().unwrap_or_default();
    is_clean(place) && !parts.iter().any(|part| part.to_str().is_none_or(telling))
}
