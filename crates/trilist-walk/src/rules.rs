//! Reading the ignore files of a directory.

use std::borrow::Cow;

use trilist_core::{
    Digest, ExplainedRule, FaultCode, IgnoreQuery, Kind, Reason, RelPath, RuleDialect, RuleRef,
};
use trilist_ignore::{BadLine, Case, IgnoreFile, IgnoreStack, Layer};
use trilist_root::{Dir, OpenDirError, ReadError, Root, errno_name};

use crate::repository;

use crate::names::Found;
use crate::walk::fault::is_exhausted;

/// The largest ignore file that is read, in bytes.
pub(crate) const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// What rules of git's global excludes name as their file.
const GLOBAL: &[u8] = b"global";

/// A rule that outlives the files it came from.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnedRule {
    source: Vec<u8>,
    line: u32,
    pattern: Vec<u8>,
    /// Absent before there is a rule.
    dialect: Option<RuleDialect>,
}

impl OwnedRule {
    /// Takes over a rule, reusing the buffers of the one before.
    pub(crate) fn set(&mut self, rule: &trilist_ignore::RuleRef<'_>) {
        self.source.clear();
        self.source.extend_from_slice(rule.source);
        self.line = rule.line;
        self.pattern.clear();
        self.pattern.extend_from_slice(rule.pattern);
        self.dialect = Some(rule.dialect());
    }

    pub(crate) fn of(rule: &trilist_ignore::RuleRef<'_>) -> Self {
        let mut owned = OwnedRule::default();
        owned.set(rule);
        owned
    }

    /// The reason to give for what it leaves out.
    pub(crate) fn reason(&self) -> Reason {
        match self.dialect {
            Some(RuleDialect::Name) => Reason::Builtin,
            _ => Reason::Ignored,
        }
    }

    pub(crate) fn as_ref(&self) -> RuleRef<'_> {
        let OwnedRule { source, line, pattern, .. } = self;
        let dialect = self.dialect.unwrap_or(RuleDialect::Git);
        RuleRef { source, line: *line, pattern, dialect }
    }
}

/// A rule as explain names it.
pub(crate) fn explained(rule: &trilist_ignore::RuleRef<'_>) -> ExplainedRule {
    ExplainedRule::of(OwnedRule::of(rule).as_ref())
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
    /// Relative to the root; empty for what lies elsewhere.
    pub(crate) path: Vec<u8>,
    pub(crate) code: FaultCode,
    pub(crate) message: String,
    /// How many further ones are counted here only.
    pub(crate) more: u64,
}

/// One ignore file.
struct Content<'q> {
    layer: Layer,
    name: &'q [u8],
    bytes: Cow<'q, [u8]>,
}

/// The ignore files of one directory, and what went wrong with them.
#[derive(Default)]
pub(crate) struct Files<'q> {
    read: Vec<Content<'q>>,
    /// Set at the top of a repository: whether case counts in git's files.
    case: Option<Case>,
    faults: Vec<RuleFault>,
}

impl<'q> Files<'q> {
    /// Whether there were not enough descriptors to read all of them.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.faults.iter().any(|fault| fault.code == FaultCode::FdExhausted)
    }

    /// Takes over what was read, or tells why it could not be.
    pub(crate) fn take(
        &mut self,
        layer: Layer,
        place: &Place<'_>,
        name: &'q [u8],
        read: Result<Vec<u8>, ReadError>,
    ) {
        match read {
            Ok(bytes) => self.read.push(Content { layer, name, bytes: bytes.into() }),
            // Removed since the directory was read: then it is not in force.
            Err(ReadError::NotFound) => {}
            Err(error) => self.faults.push(fault(place.path, name, &error)),
        }
    }

    pub(crate) fn tell(&mut self, fault: RuleFault) {
        self.faults.push(fault);
    }

    /// Says whether case counts in git's files from here on.
    pub(crate) fn set_case(&mut self, case: Case) {
        self.case = Some(case);
    }
}

/// Reads the ignore files that a directory was seen to hold. The files of tools, which lie only
/// at the tops of roots and repositories, are looked up by name.
pub(crate) fn read<'q>(wanted: &'q IgnoreQuery, place: &Place<'_>) -> Files<'q> {
    let found = place.found;
    let mut files = Files::default();
    if wanted.git {
        read_seen(place, Layer::GitIgnore, b".gitignore", found.gitignore, &mut files);
    }
    if wanted.dot_ignore {
        read_seen(place, Layer::DotIgnore, b".ignore", found.dot_ignore, &mut files);
        read_seen(place, Layer::RgIgnore, b".rgignore", found.rgignore, &mut files);
    }
    if found.is_repository() {
        files.case = Some(Case::Sensitive);
        if wanted.git {
            repository::read(place, &mut files);
        }
    }
    if place.path.is_empty() || found.is_repository() {
        for name in &wanted.tool_files {
            files.take(Layer::Tool, place, name.as_bytes(), read_tool(place, name));
        }
    }
    if place.path.is_empty()
        && let Some(bytes) = wanted.global_excludes.as_deref().filter(|_| wanted.git)
    {
        files.read.push(Content { layer: Layer::Global, name: GLOBAL, bytes: bytes.into() });
    }
    files
}

/// Enters a directory: puts its rules in force. Returns a digest of the files' bytes, and all
/// faults.
pub(crate) fn enter(
    stack: &mut IgnoreStack,
    place: &Place<'_>,
    files: Files<'_>,
) -> (u128, Vec<RuleFault>) {
    let digest = digest(&files);
    let Files { read, case, mut faults } = files;
    let files: Vec<IgnoreFile<'_>> = read
        .iter()
        .map(|read| IgnoreFile { layer: read.layer, name: read.name, bytes: &read.bytes })
        .collect();
    stack.enter(place.path.as_bytes(), case, &files);
    let is_global =
        |source: &[u8]| source == GLOBAL && read.iter().any(|read| read.layer == Layer::Global);
    faults.extend(stack.take_bad_lines().into_iter().map(|bad| {
        let BadLine { source: path, line, reason, more, .. } = bad;
        let code = FaultCode::IgnorePatternInvalid;
        if is_global(&path) {
            let message = format!("global excludes, line {line}: {reason}");
            return RuleFault { path: Vec::new(), code, message, more };
        }
        RuleFault { path, code, message: format!("line {line}: {reason}"), more }
    }));
    (digest, faults)
}

fn read_seen<'q>(
    place: &Place<'_>,
    layer: Layer,
    name: &'q [u8],
    seen: Option<Kind>,
    files: &mut Files<'q>,
) {
    let Some(kind) = seen else { return };
    match place.dir.read_file_seen_as(name, kind, MAX_IGNORE_BYTES) {
        // It was seen, so a listing with its rules would have been another one.
        Err(ReadError::NotFound) => files.tell(fault(place.path, name, &ReadError::NotFound)),
        read => files.take(layer, place, name, read),
    }
}

fn read_tool(place: &Place<'_>, name: &str) -> Result<Vec<u8>, ReadError> {
    let path = RelPath::new(name.as_bytes()).map_err(|_| ReadError::NotFound)?;
    if path.parent().is_empty() {
        return place.dir.read_file(path.name(), MAX_IGNORE_BYTES);
    }
    match place.root.open_dir(place.path.to_buf().join(path.parent()).as_path()) {
        Ok(dir) => dir.read_file(path.name(), MAX_IGNORE_BYTES),
        Err(OpenDirError::NotFound { .. } | OpenDirError::NotDirectory { .. }) => {
            Err(ReadError::NotFound)
        }
        Err(OpenDirError::Io { error, .. }) => Err(ReadError::Io(error)),
        Err(OpenDirError::PermissionDenied { .. }) => {
            Err(ReadError::Io(std::io::ErrorKind::PermissionDenied.into()))
        }
    }
}

fn fault(dir: RelPath<'_>, name: &[u8], error: &ReadError) -> RuleFault {
    let path = dir.to_buf().join(RelPath::assume(name)).as_bytes().to_vec();
    let (code, message) = match error {
        ReadError::NotRegular(_) => {
            (FaultCode::IgnoreNotRegular, format!("{error}, so its rules are not in force"))
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
        ReadError::NotFound => {
            (FaultCode::IgnoreUnreadable, "it vanished, so its rules are not in force".to_owned())
        }
    };
    RuleFault { path, code, message, more: 0 }
}

fn digest(files: &Files<'_>) -> u128 {
    let folds = files.case == Some(Case::Insensitive);
    if files.read.is_empty() && !folds {
        return 0;
    }
    let mut digest = Digest::new();
    for read in &files.read {
        digest.add(read.name).add(&read.bytes);
    }
    if folds {
        digest.add(b"core.ignorecase");
    }
    u128::from_le_bytes(digest.identity().to_bytes())
}
