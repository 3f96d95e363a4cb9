//! Reading the ignore files of a directory.

use trilist_core::{Digest, FaultCode, Kind, Reason, RelPath, RuleRef};
use trilist_ignore::{IgnoreFile, IgnoreStack, Layer};
use trilist_root::{Dir, ReadError, Root, errno_name, gitdir};

use crate::names::Found;
use crate::walk::fault::is_exhausted;

/// The largest ignore file that is read, in bytes.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// A rule that outlives the files it came from.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnedRule {
    source: Vec<u8>,
    line: u32,
    pattern: Vec<u8>,
}

impl OwnedRule {
    /// Takes over a rule, reusing the buffers of the one before.
    pub(crate) fn set(&mut self, rule: &trilist_ignore::RuleRef<'_>) {
        self.source.clear();
        self.source.extend_from_slice(rule.source);
        self.line = rule.line;
        self.pattern.clear();
        self.pattern.extend_from_slice(rule.pattern);
    }

    pub(crate) fn of(rule: &trilist_ignore::RuleRef<'_>) -> Self {
        let mut owned = OwnedRule::default();
        owned.set(rule);
        owned
    }

    /// The reason to give for what it leaves out.
    pub(crate) fn reason(&self) -> Reason {
        if self.source == b"builtin" { Reason::Builtin } else { Reason::Ignored }
    }

    pub(crate) fn as_ref(&self) -> RuleRef<'_> {
        RuleRef { source: &self.source, line: self.line, pattern: &self.pattern }
    }
}

/// Which files the query reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) git: bool,
    pub(crate) dot_ignore: bool,
}

/// Where the directory is that is entered.
pub(crate) struct Place<'a> {
    pub(crate) root: &'a Root,
    pub(crate) dir: &'a Dir,
    /// Relative to the root.
    pub(crate) path: RelPath<'a>,
    pub(crate) found: Found,
}

/// A fault with an ignore file: never a gap, since nothing is missing through it.
pub(crate) struct RuleFault {
    /// Relative to the root.
    pub(crate) path: Vec<u8>,
    pub(crate) code: FaultCode,
    pub(crate) message: String,
}

/// The ignore files of one directory, and what went wrong with them.
#[derive(Default)]
pub(crate) struct Files {
    read: Vec<(Layer, &'static [u8], Vec<u8>)>,
    faults: Vec<RuleFault>,
}

impl Files {
    /// Whether there were not enough descriptors to read all of them.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.faults.iter().any(|fault| fault.code == FaultCode::FdExhausted)
    }
}

/// Reads the ignore files that a directory was seen to hold.
pub(crate) fn read(wanted: Wanted, place: &Place<'_>) -> Files {
    let found = place.found;
    let mut files = Files::default();
    if wanted.git && found.gitignore {
        read_one(place, Layer::GitIgnore, b".gitignore", &mut files);
    }
    if wanted.dot_ignore && found.dot_ignore {
        read_one(place, Layer::DotIgnore, b".ignore", &mut files);
    }
    if wanted.dot_ignore && found.rgignore {
        read_one(place, Layer::RgIgnore, b".rgignore", &mut files);
    }
    if wanted.git && found.is_repository() {
        read_exclude(place, &mut files);
    }
    files
}

/// Enters a directory: puts its rules in force. Returns a digest of the files' bytes, and all
/// faults.
pub(crate) fn enter(
    stack: &mut IgnoreStack,
    place: &Place<'_>,
    files: Files,
) -> (u128, Vec<RuleFault>) {
    let Files { read, mut faults } = files;
    let digest = digest(&read);
    let files: Vec<IgnoreFile<'_>> =
        read.iter().map(|(layer, name, bytes)| IgnoreFile { layer: *layer, name, bytes }).collect();
    stack.enter(place.path.as_bytes(), place.found.is_repository(), &files);
    faults.extend(stack.take_bad_lines().into_iter().map(|bad| RuleFault {
        message: format!("line {}: {}", bad.line, bad.reason),
        path: bad.source,
        code: FaultCode::IgnorePatternInvalid,
    }));
    (digest, faults)
}

fn read_one(place: &Place<'_>, layer: Layer, name: &'static [u8], files: &mut Files) {
    match place.dir.read_file(name, MAX_IGNORE_BYTES) {
        Ok(bytes) => files.read.push((layer, name, bytes)),
        // Removed since the directory was read: then it is not in force.
        Err(ReadError::NotFound) => {}
        Err(error) => files.faults.push(fault(place.path, name, &error)),
    }
}

/// `info/exclude` lies in the repository's common directory, which a linked work tree and a
/// submodule only point to.
fn read_exclude(place: &Place<'_>, files: &mut Files) {
    const NAME: &[u8] = b".git/info/exclude";
    let info = match place.found.git {
        Some(Kind::Dir) => place.dir.open_dir(b".git").and_then(|git| git.open_dir(b"info")),
        _ => match gitdir::at(place.root, place.path) {
            Ok(Some(repository)) => {
                repository.common_dir.dir().and_then(|common| common.open_dir(b"info"))
            }
            Ok(None) => return,
            Err(error) => {
                let message = format!("info/exclude is not in force: {error}");
                files.faults.push(RuleFault {
                    path: place.path.to_buf().join(RelPath::assume(b".git")).as_bytes().to_vec(),
                    code: FaultCode::IgnoreUnreadable,
                    message,
                });
                return;
            }
        },
    };
    let read = match info {
        Ok(info) => info.read_file(b"exclude", MAX_IGNORE_BYTES),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => Err(ReadError::Io(error)),
    };
    match read {
        Ok(bytes) => files.read.push((Layer::InfoExclude, NAME, bytes)),
        Err(ReadError::NotFound) => {}
        Err(error) => files.faults.push(fault(place.path, NAME, &error)),
    }
}

fn fault(dir: RelPath<'_>, name: &[u8], error: &ReadError) -> RuleFault {
    let path = dir.to_buf().join(RelPath::assume(name)).as_bytes().to_vec();
    let (code, message) = match error {
        ReadError::NotRegular(kind) => {
            (FaultCode::IgnoreNotRegular, format!("it is a {kind}, so its rules are not in force"))
        }
        ReadError::TooLarge { cap } => (
            FaultCode::IgnoreTooLarge,
            format!("it is larger than {cap} bytes, so its rules are not in force"),
        ),
        ReadError::Io(error) if is_exhausted(error) => (
            FaultCode::FdExhausted,
            format!("{}, so its rules are not in force", errno_name(error)),
        ),
        ReadError::Io(error) => (
            FaultCode::IgnoreUnreadable,
            format!("{}, so its rules are not in force", errno_name(error)),
        ),
        ReadError::NotFound => (FaultCode::IgnoreUnreadable, "it vanished".to_owned()),
    };
    RuleFault { path, code, message }
}

fn digest(files: &[(Layer, &[u8], Vec<u8>)]) -> u128 {
    if files.is_empty() {
        return 0;
    }
    let mut digest = Digest::new();
    for (_, name, bytes) in files {
        digest.add(name).add(bytes);
    }
    u128::from_le_bytes(digest.identity().to_bytes())
}
