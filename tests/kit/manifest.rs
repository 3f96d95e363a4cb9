//! The manifest of a tree, as types. The format is described in `fixtures/README.md`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use serde::Deserialize;

/// A tree as data: what is made first, and what happens to it then.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the format, always 1.
    pub format: u32,
    /// The tree's name.
    pub name: String,
    /// What the tree is for.
    #[serde(default)]
    pub about: String,
    /// What the machine must offer, in the words of `fixtures/README.md`.
    #[serde(default)]
    pub requires: Vec<String>,
    /// What is made first, in order.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// What is done after that, in order.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// One file, directory, link or pipe of a tree, or a numbered row of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawEntry")]
pub struct Entry {
    /// Where it is, relative to the tree's root.
    pub path: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// What a file holds.
    pub content: Content,
    /// What a symlink holds.
    pub target: Vec<u8>,
    /// The permission bits, if they are not the usual ones.
    pub mode: Option<u32>,
    /// Seconds since 1970, if it is not the usual moment.
    pub mtime_unix_s: Option<i64>,
    /// The first number and the count, for a path with a `%d` in it.
    pub repeat: Option<(u64, u64)>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A regular file.
    #[default]
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// So many bytes of the letter x.
    Filler(usize),
}

impl Content {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Content::Bytes(bytes) => bytes.clone(),
            Content::Filler(size_bytes) => vec![b'x'; *size_bytes],
        }
    }
}

/// One thing done to a tree after its entries were made.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawStep")]
pub enum Step {
    /// Makes entries, over what is there.
    Entries(Vec<Entry>),
    /// Runs git with these words in a directory of the tree, and expects this exit status.
    Git {
        /// The words after `git`.
        args: Vec<String>,
        /// The directory, relative to the root; `.` for the root itself.
        dir: PathBuf,
        /// The exit status that is expected.
        status: i32,
    },
    /// Removes a path and all below it.
    Remove(Vec<u8>),
    /// Renames the first path to the second.
    Rename(Vec<u8>, Vec<u8>),
    /// Sets the permission bits of a path.
    Chmod(Vec<u8>, u32),
}

impl Entry {
    /// An entry of this kind without content, at this path.
    pub fn new(kind: Kind, path: impl AsRef<[u8]>) -> Entry {
        Entry {
            path: path.as_ref().to_vec(),
            kind,
            content: Content::Bytes(Vec::new()),
            target: Vec::new(),
            mode: None,
            mtime_unix_s: None,
            repeat: None,
        }
    }

    /// The paths that this entry stands for: one, or as many as it is repeated.
    pub(crate) fn paths(&self) -> Vec<Vec<u8>> {
        match self.repeat {
            None => vec![self.path.clone()],
            Some((from, count)) => (from..from + count).map(|n| self.numbered(n)).collect(),
        }
    }

    fn numbered(&self, number: u64) -> Vec<u8> {
        let template = String::from_utf8_lossy(&self.path);
        let (head, rest) = template.split_once('%').expect("a repeated path holds one %d");
        let (width, tail) = rest.split_once('d').expect("a repeated path holds one %d");
        let width: usize = if width.is_empty() { 0 } else { width.parse().expect("%0Nd") };
        format!("{head}{number:0width$}{tail}").into_bytes()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    path: Option<String>,
    path_hex: Option<String>,
    r#type: Option<Kind>,
    text: Option<String>,
    hex: Option<String>,
    size: Option<usize>,
    target: Option<String>,
    target_hex: Option<String>,
    mode: Option<String>,
    mtime: Option<i64>,
    repeat: Option<u64>,
    from: Option<u64>,
}

impl TryFrom<RawEntry> for Entry {
    type Error = String;

    fn try_from(raw: RawEntry) -> Result<Entry, String> {
        let path = text_or_hex(raw.path, raw.path_hex)?.ok_or("an entry needs a path")?;
        let kind = raw.r#type.unwrap_or(match path.ends_with(b"/") {
            true => Kind::Dir,
            false => Kind::File,
        });
        Ok(Entry {
            kind,
            content: match (raw.hex, raw.size) {
                (Some(hex), _) => Content::Bytes(unhex(&hex)?),
                (None, Some(size_bytes)) => Content::Filler(size_bytes),
                (None, None) => Content::Bytes(raw.text.unwrap_or_default().into_bytes()),
            },
            target: text_or_hex(raw.target, raw.target_hex)?.unwrap_or_default(),
            mode: raw.mode.as_deref().map(octal).transpose()?,
            mtime_unix_s: raw.mtime,
            repeat: raw.repeat.map(|count| (raw.from.unwrap_or(0), count)),
            path,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    entries: Option<Vec<Entry>>,
    git: Option<Vec<String>>,
    r#in: Option<String>,
    status: Option<i32>,
    remove: Option<String>,
    remove_hex: Option<String>,
    rename: Option<(String, String)>,
    chmod: Option<String>,
    mode: Option<String>,
}

impl TryFrom<RawStep> for Step {
    type Error = String;

    fn try_from(raw: RawStep) -> Result<Step, String> {
        if let Some(entries) = raw.entries {
            Ok(Step::Entries(entries))
        } else if let Some(args) = raw.git {
            let dir = PathBuf::from(raw.r#in.unwrap_or_else(|| ".".into()));
            Ok(Step::Git { args, dir, status: raw.status.unwrap_or(0) })
        } else if let Some(path) = text_or_hex(raw.remove, raw.remove_hex)? {
            Ok(Step::Remove(path))
        } else if let Some((old, new)) = raw.rename {
            Ok(Step::Rename(old.into_bytes(), new.into_bytes()))
        } else if let Some(path) = raw.chmod {
            Ok(Step::Chmod(path.into_bytes(), octal(raw.mode.as_deref().unwrap_or(""))?))
        } else {
            Err("a step does one of entries, git, remove, rename, chmod".into())
        }
    }
}

fn text_or_hex(text: Option<String>, hex: Option<String>) -> Result<Option<Vec<u8>>, String> {
    match hex {
        Some(hex) => unhex(&hex).map(Some),
        None => Ok(text.map(String::into_bytes)),
    }
}

fn octal(mode: &str) -> Result<u32, String> {
    u32::from_str_radix(mode, 8).map_err(|error| format!("mode {mode:?}: {error}"))
}

fn unhex(hex: &str) -> Result<Vec<u8>, String> {
    let digits = hex.as_bytes();
    if !digits.len().is_multiple_of(2) || !hex.is_ascii() {
        return Err(format!("not hex: {hex:?}"));
    }
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).map_err(|_| format!("not hex: {hex:?}")))
        .collect()
}

/// The bytes as a path of this system.
pub fn as_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}
