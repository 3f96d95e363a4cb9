//! Listing, and what git says of the same repository.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use trilist_core::{
    Cancel, Event, Events, FaultCode, Kind, ListError, ListSource, Query, Reason, RelPath,
    RelPathBuf, Seen, Skip, VcsInfo, VcsState,
};
use trilist_root::Root;
use trilist_tests::git;
use trilist_vcs::VcsSource;

/// An event with its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    Entry(Vec<u8>, Kind, Option<Skip>, Option<VcsInfo>),
    /// With the rule: its file, line and pattern.
    Omitted(Vec<u8>, Kind, Reason, Option<(Vec<u8>, u32, Vec<u8>)>),
    Fault(Vec<u8>, FaultCode, bool, String),
}

impl Told {
    pub(crate) fn path(&self) -> &[u8] {
        match self {
            Told::Entry(path, ..) | Told::Omitted(path, ..) | Told::Fault(path, ..) => path,
        }
    }

    pub(crate) fn of(event: Event<'_>) -> Told {
        let path = event.path().as_bytes().to_vec();
        match event {
            Event::Entry(entry) => Told::Entry(path, entry.kind, entry.skipped, entry.vcs),
            Event::Omitted(omission) => {
                let rule = omission
                    .rule
                    .map(|rule| (rule.source.to_vec(), rule.line, rule.pattern.to_vec()));
                Told::Omitted(path, omission.kind, omission.reason, rule)
            }
            Event::Fault(fault) => {
                Told::Fault(path, fault.code, fault.gap, fault.message.to_owned())
            }
        }
    }
}

pub(crate) fn query() -> Query {
    Query::new(RelPathBuf::default())
}

pub(crate) fn below(base: &str) -> Query {
    Query::new(RelPathBuf::new(base).expect("a relative path"))
}

pub(crate) fn source(root: &Path, query: &Query) -> Result<VcsSource, ListError> {
    let root = Arc::new(Root::open(root).expect("the root exists"));
    VcsSource::open(root, query.base.as_path())
}

/// Lists to the end.
pub(crate) fn list(root: &Path, query: &Query) -> Result<Vec<Told>, ListError> {
    list_seen(root, query).map(|(told, _)| told)
}

pub(crate) fn list_seen(root: &Path, query: &Query) -> Result<(Vec<Told>, Seen), ListError> {
    let source = source(root, query)?;
    let cancel = Cancel::new();
    let mut events = source.open(query, &cancel)?;
    let mut told = Vec::new();
    while events.advance()? {
        told.push(Told::of(events.event()));
    }
    assert!(!events.advance()?, "the end stays the end");
    Ok((told, events.seen()))
}

/// The first `most` events, and what lies beyond them.
pub(crate) fn page(root: &Path, query: &Query, most: usize) -> (Vec<Told>, Vec<Vec<u8>>, Seen) {
    let source = source(root, query).expect("a repository");
    let cancel = Cancel::new();
    let mut events = source.open(query, &cancel).expect("it can be listed");
    let mut told = Vec::new();
    while told.len() < most && events.advance().expect("no bound is reached") {
        told.push(Told::of(events.event()));
    }
    let seen = events.seen();
    let last = told.last().map_or(Vec::new(), |told: &Told| told.path().to_vec());
    let after = RelPath::new(&last).expect("an event's path");
    let beyond = events.not_reached(after, 50).expect("no bound is reached");
    let beyond = beyond.iter().map(|path| path.as_bytes().to_vec()).collect();
    (told, beyond, seen)
}

pub(crate) fn names(told: &[Told]) -> Vec<String> {
    let entries = told.iter().filter(|told| matches!(told, Told::Entry(..)));
    entries.map(|told| String::from_utf8_lossy(told.path()).into_owned()).collect()
}

pub(crate) fn faults(told: &[Told]) -> Vec<(FaultCode, bool)> {
    let fault = |told: &Told| match told {
        Told::Fault(_, code, gap, _) => Some((*code, *gap)),
        _ => None,
    };
    told.iter().filter_map(fault).collect()
}

/// A repository's union as git itself tells the two sides.
pub(crate) type Union = BTreeMap<Vec<u8>, (Kind, VcsInfo)>;

pub(crate) fn git_union(dir: &Path, has_head: bool) -> Union {
    let mut union = Union::new();
    if has_head {
        for line in lines(&git(dir, &["ls-tree", "-r", "-z", "HEAD"])) {
            let (fields, path) = split_tab(line);
            let info = VcsInfo {
                head: true,
                index: false,
                state: VcsState::Deleted,
                skip_worktree: false,
                executable: fields.starts_with(b"100755"),
                on_disk: None,
            };
            union.insert(path.to_vec(), (kind(fields), info));
        }
    }
    let skipped: Vec<_> = git(dir, &["ls-files", "-v", "-z"])
        .split(|byte| *byte == 0)
        .filter_map(|line| line.strip_prefix(b"S ").map(<[u8]>::to_vec))
        .collect();
    for line in lines(&git(dir, &["ls-files", "-s", "-z"])) {
        let (fields, path) = split_tab(line);
        let head = union.get(path).is_some_and(|(_, info)| info.head);
        let conflicted = !fields.ends_with(b" 0");
        let state = match (conflicted, head) {
            (true, _) => VcsState::Conflicted,
            (false, true) => VcsState::Tracked,
            (false, false) => VcsState::Added,
        };
        let skip_worktree = skipped.iter().any(|skipped| skipped == path);
        let executable = fields.starts_with(b"100755");
        let info = VcsInfo { head, index: true, state, skip_worktree, executable, on_disk: None };
        let seen = union.get(path).is_some_and(|(_, info)| info.index);
        if !seen {
            union.insert(path.to_vec(), (kind(fields), info));
        }
    }
    union
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split(|byte| *byte == 0).filter(|line| !line.is_empty()).collect()
}

fn split_tab(line: &[u8]) -> (&[u8], &[u8]) {
    let at = line.iter().position(|byte| *byte == b'\t').expect("a tab");
    (&line[..at], &line[at + 1..])
}

fn kind(fields: &[u8]) -> Kind {
    match &fields[..6] {
        b"120000" => Kind::Symlink,
        b"160000" => Kind::Submodule,
        _ => Kind::File,
    }
}

/// What a listing of this union must say.
pub(crate) fn expected(union: &Union, query: &Query) -> Vec<Told> {
    let mut rows: BTreeMap<Vec<u8>, Told> = BTreeMap::new();
    let mut by_index: Vec<_> = union.iter().collect();
    // What the index says of a name holds, so it comes last.
    by_index.sort_by_key(|(_, (_, info))| info.index);
    for (path, (kind, info)) in by_index {
        let base = query.base.as_path();
        let path = RelPath::new(path).expect("git's path");
        let Some(below) = path.below(base) else { continue };
        let told = row(below, *kind, *info, query);
        let leaf_of_head = matches!(&told, Told::Entry(_, _, None, Some(info)) if !info.index);
        match rows.get(told.path()) {
            Some(Told::Entry(_, Kind::Dir, ..)) if leaf_of_head => {}
            _ => {
                rows.insert(told.path().to_vec(), told);
            }
        }
    }
    rows.into_values().collect()
}

fn row(path: RelPath<'_>, kind: Kind, info: VcsInfo, query: &Query) -> Told {
    let mut at = Vec::new();
    let depth = path.depth();
    for (level, name) in (1..).zip(path.components()) {
        if level > 1 {
            at.push(b'/');
        }
        at.extend_from_slice(name);
        let kind = if level == depth { kind } else { Kind::Dir };
        if !query.include_hidden && name.starts_with(b".") {
            return Told::Omitted(at, kind, Reason::Hidden, None);
        }
        if level == query.depth && level < depth {
            return Told::Entry(at, Kind::Dir, Some(Skip::Depth), None);
        }
    }
    Told::Entry(at, kind, None, Some(info))
}

/// Puts lines of `git update-index --index-info` into the index.
pub(crate) fn index_info(dir: &Path, lines: &str) {
    git_with_input(dir, &["update-index", "--index-info"], lines.as_bytes());
}

/// Whether the index has the extension of a split one.
pub(crate) fn is_split(dir: &Path) -> bool {
    has_extension(dir, b"link")
}

/// Whether the index has an extension of this name.
pub(crate) fn has_extension(dir: &Path, name: &[u8; 4]) -> bool {
    let index = std::fs::read(dir.join(".git/index")).expect("there is an index");
    index.windows(4).any(|four| four == name)
}

/// The id of a blob that is made for it.
pub(crate) fn blob(dir: &Path) -> String {
    git_with_input(dir, &["hash-object", "-w", "--stdin"], b"x\n")
}

/// Runs git with something on its standard input; what it prints, trimmed.
pub(crate) fn git_with_input(dir: &Path, args: &[&str], input: &[u8]) -> String {
    use std::io::Write;
    use std::process::Stdio;

    let mut child = trilist_tests::git_command(dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git runs");
    child.stdin.take().expect("piped").write_all(input).expect("git reads");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}
