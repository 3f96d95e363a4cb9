//! A folder with a root, and what lies outside it and must never be told.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec_zlib;
use tempfile::TempDir;

use crate::choices::Choices;
use crate::index::made_index;

/// Made once for a thread; it is gone when the thread ends.
pub(crate) struct Place {
    /// Holds the rest.
    pub(crate) base: PathBuf,
    /// The root that is opened.
    pub(crate) inside: PathBuf,
    /// In every name and file outside.
    pub(crate) token: String,
    _dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let dir = dir.expect("a temporary folder can be made");
        let base = fs::canonicalize(dir.path()).expect("it was made");
        let inside = base.join("inside");
        let token = format!("token-{:016x}", RandomState::new().hash_one(1));
        let place = Place { base, inside, token, _dir: dir };
        place.fill();
        place
    }

    fn fill(&self) {
        for folder in ["sub/dir", "odd\nname", "\u{202e}rtl", "repo/src"] {
            fs::create_dir_all(self.inside.join(folder)).expect("made");
        }
        for file in ["sub/file", "sub/dir/.hidden", "odd\nname/x", "\"quoted\"", "repo/src/main"] {
            fs::write(self.inside.join(file), "x").expect("written");
        }
        fs::write(self.inside.join("sub/.gitignore"), "*.log\n").expect("written");
        // A neighbour whose name begins as the root's does.
        for folder in ["outside", "inside-too", "listed"] {
            fs::create_dir_all(self.base.join(folder)).expect("made");
            let secret = self.base.join(folder).join(&self.token);
            fs::write(secret, &self.token).expect("written");
        }
        for (link, target) in [
            ("link-in", "sub"),
            ("link-file", "sub/file"),
            ("link-out", "../outside"),
            ("link-up", ".."),
            ("loop", "loop"),
            ("sub/link-top", ".."),
        ] {
            symlink(target, self.inside.join(link)).expect("linked");
        }
        symlink(self.inside.join("sub"), self.inside.join("link-abs-in")).expect("linked");
        symlink(self.base.join("outside"), self.inside.join("link-abs-out")).expect("linked");
        git_dir(&self.inside.join("store"), "stored");
        git_dir(&self.inside.join("repo/.git"), "tracked");
        git_dir(&self.base.join("outside/secret"), &self.token);
        git_dir(&self.base.join("listed/git"), "listed");
        // The only place outside that names a work tree inside as its own.
        let back = self.base.join("outside/back");
        git_dir(&back, "back");
        let work_tree = self.inside.join("repo/.git");
        fs::write(back.join("gitdir"), work_tree.as_os_str().as_encoded_bytes()).expect("written");
    }

    /// Whether an input holds the token all the same: a fuzzer sees what is compared with what.
    pub(crate) fn is_known_to(&self, input: &[u8]) -> bool {
        memchr::memmem::find(input, self.token.as_bytes()).is_some()
    }

    /// Fails if a text tells something from outside.
    pub(crate) fn assert_tells_nothing(&self, text: &str) {
        assert!(!text.contains(&self.token), "{text}");
    }
}

/// Writes a git directory whose only commit has one file, and whose index is empty.
pub(crate) fn git_dir(dir: &Path, name: &str) {
    fs::create_dir_all(dir.join("refs/heads")).expect("made");
    fs::create_dir_all(dir.join("objects/info")).expect("made");
    let blob = object(dir, "blob", b"x");
    let tree = [format!("100644 {name}\0").as_bytes(), &blob].concat();
    let tree = hex(&object(dir, "tree", &tree));
    let who = "a <a@example.org> 1 +0000";
    let commit = format!("tree {tree}\nauthor {who}\ncommitter {who}\n\n{name}\n");
    let commit = hex(&object(dir, "commit", commit.as_bytes()));
    for (file, text) in [
        ("HEAD", "ref: refs/heads/main\n".to_owned()),
        ("refs/heads/main", format!("{commit}\n")),
        ("packed-refs", format!("# pack-refs with: peeled\n{commit} refs/heads/{name}\n")),
        ("config", format!("[core]\n\trepositoryformatversion = 0\n[x \"{name}\"]\n\ty = z\n")),
    ] {
        fs::write(dir.join(file), text).expect("written");
    }
    fs::write(dir.join("index"), made_index(b"").0.own).expect("written");
}

fn object(dir: &Path, kind: &str, contents: &[u8]) -> Vec<u8> {
    let bytes = [format!("{kind} {}\0", contents.len()).as_bytes(), contents].concat();
    let id = crate::index::sum(&bytes, 20);
    let digits = hex(&id);
    let folder = dir.join("objects").join(&digits[..2]);
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join(&digits[2..]), compress_to_vec_zlib(&bytes, 1)).expect("written");
    id
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A path that leads somewhere in the folder, or nowhere.
pub(crate) fn path(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    const WORDS: &[&[u8]] = &[
        b"sub",
        b"/",
        b"..",
        b".",
        b"dir",
        b"file",
        b"link-in",
        b"link-out",
        b"link-up",
        b"loop",
        b"link-abs-in",
        b"link-abs-out",
        b"link-top",
        b"link-file",
        b"outside",
        b"inside",
        b"repo",
        b".git",
        b"store",
        b"../",
        b"/..",
        b"./",
        b"//",
        b"odd\nname",
        b"\"quoted\"",
        "\u{202e}rtl".as_bytes(),
        b"inside-too",
        b"~",
        b"\\",
        b"\0",
        b"src",
        b"missing",
    ];
    let mut path = match choices.below(4) {
        2 => place.inside.as_os_str().as_encoded_bytes().to_vec(),
        3 => place.base.as_os_str().as_encoded_bytes().to_vec(),
        _ => Vec::new(),
    };
    for _ in 0..choices.below(6) {
        if choices.below(3) > 0 && !path.is_empty() {
            path.push(b'/');
        }
        path.extend(choices.words(WORDS, 2));
    }
    path
}
