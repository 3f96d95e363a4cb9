//! Indexes: whole, damaged, and no indexes at all.

mod make;
mod write;

use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

pub use make::{Files, Row};
use trilist_core::Kind;
use trilist_vcs::index::{
    CachedTree, Extensions, Flags, IndexError, IndexReader, Link, NodeId, Step,
};

use crate::choices::Choices;
pub(crate) use write::{sum, variable_int};

/// Reads an index that was made of the bytes and mostly damaged, or the bytes themselves.
///
/// Whatever it is, names come in order, each once, none with an empty, `.`, `..` or `.git`
/// component, and no more than there is room for; starting again gives the same; passing names
/// gives the rest of the same; little more than the file's size is read for each of these. An index
/// that is not damaged is told exactly as it was made. Running through it gives the same as
/// stepping.
///
/// # Panics
///
/// When one of these does not hold.
pub fn index(data: &[u8]) {
    let mut choices = Choices::new(data);
    if choices.below(4) == 3 {
        let hash_len = choices.pick(&[20, 32]);
        return check(&Files { own: choices.rest().to_vec(), shared: None, hash_len }, None);
    }
    let (mut files, rows) = make::make(&mut choices);
    let is_damaged = damage(&mut files, &mut choices);
    check(&files, (!is_damaged).then_some(&rows));
}

/// An index that git would read too, and what it holds.
pub fn made_index(data: &[u8]) -> (Files, Vec<Row>) {
    make::make(&mut Choices::new(data))
}

/// What the reader tells of an index, up to the first fault. `None` if it gives up before the first
/// entry.
pub fn read_index(files: &Files) -> Option<Vec<Row>> {
    let read = Cell::new(0);
    open(files, &read).map(|mut reader| walk(&mut reader, None).rows)
}

/// An index that may be damaged, with or without another checksum than its own.
pub(crate) fn damaged(choices: &mut Choices<'_>) -> Files {
    let (mut files, _) = make::make(choices);
    let is_damaged = damage(&mut files, choices);
    if is_damaged && choices.one_in(2) && files.own.len() > files.hash_len {
        files.own.truncate(files.own.len() - files.hash_len);
        write::seal(&mut files.own, files.hash_len);
    }
    files
}

fn damage(files: &mut Files, choices: &mut Choices<'_>) -> bool {
    let mut is_damaged = choices.damage(&mut files.own);
    if let Some(shared) = &mut files.shared {
        is_damaged |= choices.damage(shared);
    }
    is_damaged
}

/// Bytes that count how many of them are read.
struct Counted<'a> {
    bytes: Cursor<&'a [u8]>,
    read: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.read.set(self.read.get() + read as u64);
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

type Reader<'a> = IndexReader<Counted<'a>>;

/// One way through an index.
#[derive(Debug, PartialEq, Eq)]
struct Pass {
    rows: Vec<Row>,
    dropped: usize,
    /// What ended it, if that was not its end; else what checking the end gave.
    fault: Option<String>,
}

fn check(files: &Files, right: Option<&Vec<Row>>) {
    let read = Cell::new(0);
    let Some(mut reader) = open(files, &read) else {
        assert_eq!(right, None, "it is right and was not opened");
        return check_cached(files, &read);
    };
    let first = walk(&mut reader, None);
    check_rows(files, &first.rows);
    if let Some(right) = right {
        assert_eq!((&first.rows, first.dropped, &first.fault), (right, 0, &None));
    }
    check_restarts(files, &first, reader, &read);
    check_running(files, &first, &read);
    if first.dropped == 0 {
        check_passing(files, &first, &read);
    }
    check_cached(files, &read);
    let size = files.own.len() + files.shared.as_ref().map_or(0, Vec::len);
    let most = 100 * size as u64 + (4 << 20);
    assert!(read.get() <= most, "{} bytes were read of {size}", read.get());
}

/// Opens as a listing does: the chain of extensions first, then the entries.
fn open<'a>(files: &'a Files, read: &'a Cell<u64>) -> Option<Reader<'a>> {
    let Files { own, shared, hash_len } = files;
    let bytes = own.len() as u64;
    let mut walked = IndexReader::new(counted(own, read), bytes, *hash_len).ok()?;
    while walked.step().ok()? != Step::End {}
    let chain = walked.extensions().ok()?;
    let link = Link::of(&chain, &mut counted(own, read), *hash_len).ok()?;
    match (link, shared) {
        (None, _) => IndexReader::new(counted(own, read), bytes, *hash_len).ok(),
        (Some(link), Some(shared)) => {
            let twice = [counted(own, read), counted(own, read)];
            let other = (counted(shared, read), shared.len() as u64);
            IndexReader::split(twice, bytes, other, link, *hash_len).ok()
        }
        (Some(_), None) => None,
    }
}

fn counted<'a>(bytes: &'a [u8], read: &'a Cell<u64>) -> Counted<'a> {
    Counted { bytes: Cursor::new(bytes), read }
}

/// Goes on to the end, past `target` if there is one.
fn walk(reader: &mut Reader<'_>, target: Option<&[u8]>) -> Pass {
    let mut pass = Pass { rows: Vec::new(), dropped: 0, fault: None };
    let mut step = match target {
        Some(target) => past(reader, target),
        None => reader.step(),
    };
    loop {
        match step {
            Ok(Step::Entry) => pass.rows.push(row(reader)),
            Ok(Step::Stage | Step::Passed) => {}
            Ok(Step::Dropped(_)) => {
                let _ = reader.dropped();
                pass.dropped += 1;
            }
            Ok(Step::End) => break,
            Err(error) => {
                pass.fault = Some(error.to_string());
                return pass;
            }
        }
        step = reader.step();
    }
    assert!(matches!(reader.step(), Ok(Step::End)), "the end stays the end");
    pass.fault = reader.finish(None).err().map(|error| error.to_string());
    pass
}

fn past(reader: &mut Reader<'_>, target: &[u8]) -> Result<Step, IndexError> {
    loop {
        if let Some(step) = reader.step_past(target, 3)? {
            return Ok(step);
        }
    }
}

fn row(reader: &Reader<'_>) -> Row {
    let kind = reader.kind();
    let id = if kind == Kind::Dir { reader.id()[0] } else { 0 };
    Row { id, ..row_of(reader.path(), kind, reader.flags()) }
}

fn row_of(path: &[u8], kind: Kind, flags: Flags) -> Row {
    let Flags { executable, skip_worktree, conflicted } = flags;
    Row { path: path.to_vec(), kind, executable, skip_worktree, conflicted, id: 0 }
}

/// Running, a few at a time, gives what stepping gives.
fn check_running(files: &Files, first: &Pass, read: &Cell<u64>) {
    let mut reader = open(files, read).expect("it was opened before");
    let mut pass = Pass { rows: Vec::new(), dropped: 0, fault: None };
    loop {
        let (before, stop) = (pass.rows.len(), pass.rows.len() % 5 == 4);
        let flow = reader.run(3, &mut |path, kind, flags| {
            pass.rows.push(row_of(path, kind, flags));
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(flow.is_continue() || stop);
        if let Some(last) = pass.rows[before..].last() {
            assert_eq!(*last, row(&reader), "the last one given is current");
        }
        match reader.step() {
            Ok(Step::Entry) => pass.rows.push(row(&reader)),
            Ok(Step::Stage | Step::Passed) => {}
            Ok(Step::Dropped(_)) => pass.dropped += 1,
            Ok(Step::End) => break,
            Err(error) => {
                pass.fault = Some(error.to_string());
                return assert_eq!(*first, pass);
            }
        }
    }
    pass.fault = reader.finish(None).err().map(|error| error.to_string());
    assert_eq!(*first, pass);
}

fn check_rows(files: &Files, rows: &[Row]) {
    assert!(rows.windows(2).all(|two| two[0].path < two[1].path), "{rows:?}");
    let room = files.own.len() + files.shared.as_ref().map_or(0, Vec::len);
    assert!(rows.len() <= room / (42 + files.hash_len), "{rows:?}");
    for row in rows {
        let path = row.path.strip_suffix(b"/").filter(|_| row.kind == Kind::Dir);
        check_path(path.unwrap_or(&row.path));
    }
}

/// What no listing may ever show.
pub(crate) fn check_path(path: &[u8]) {
    for part in path.split(|byte| *byte == b'/') {
        let is_odd = matches!(part, b"" | b"." | b"..") || part.eq_ignore_ascii_case(b".git");
        assert!(!is_odd && !part.contains(&0), "{}", path.escape_ascii());
    }
}

/// What no name in a reply may be: like [`check_path`], but for `.git` itself, which mode `fs` shows.
pub(crate) fn check_shown(path: &[u8]) {
    for part in path.split(|byte| *byte == b'/') {
        assert!(!matches!(part, b"" | b"." | b".."), "{}", path.escape_ascii());
    }
}

/// From the end, from the middle, and after reading out of turn.
fn check_restarts<'a>(files: &'a Files, first: &Pass, reader: Reader<'a>, read: &'a Cell<u64>) {
    let mut again = reader.restarted().expect("it was opened before");
    assert_eq!(*first, walk(&mut again, None));
    let mut again = open(files, read).expect("it was opened before");
    for _ in 0..first.rows.len() / 2 {
        let _ = again.step();
    }
    let mut again = again.restarted().expect("it was opened before");
    let tree = again.take_cached_tree().expect("memory can be read");
    let top = again.take_cached_top().expect("memory can be read");
    if let Some(tree) = &tree {
        assert_eq!(top.as_deref(), tree.valid(tree.root()).map(|(id, _)| id));
    }
    assert!(!matches!(again.step(), Ok(Step::Entry)), "it was read out of turn");
    let mut again = again.restarted().expect("it was opened before");
    assert_eq!(*first, walk(&mut again, None));
    if first.fault.is_none() {
        // The chain that was found from behind is the one behind the entries.
        let found = again.finish(tree.as_ref());
        assert!(found.is_ok() || tree.is_some());
    }
}

/// Passing gives what stepping gives, but for what was passed.
fn check_passing(files: &Files, first: &Pass, read: &Cell<u64>) {
    let count = first.rows.len();
    let some = first.rows.iter().step_by(count / 6 + 1).map(|row| row.path.clone());
    let mut targets: Vec<Vec<u8>> = some.collect();
    let longer: Vec<_> = targets.iter().map(|path| [path, &b"/"[..]].concat()).collect();
    let shorter: Vec<_> = targets.iter().map(|path| path[..path.len() / 2].to_vec()).collect();
    targets.extend(longer.into_iter().chain(shorter));
    targets.push(b"\xff\xff".to_vec());
    let mut reader = open(files, read).expect("it was opened before");
    for target in &targets {
        let rest = walk(&mut reader, Some(target));
        let is_right = |row: &&Row| {
            row.path >= *target || (row.kind == Kind::Dir && target.starts_with(&row.path))
        };
        let right: Vec<_> = first.rows.iter().filter(is_right).collect();
        assert_eq!(rest.rows.iter().collect::<Vec<_>>(), right, "{}", target.escape_ascii());
        assert_eq!((rest.dropped, &rest.fault), (0, &first.fault), "{}", target.escape_ascii());
        reader = reader.restarted().expect("it was opened before");
    }
}

/// What is found from behind: never a fault, and the directories can be walked.
fn check_cached(files: &Files, read: &Cell<u64>) {
    for bytes in [Some(&files.own), files.shared.as_ref()].into_iter().flatten() {
        let size = bytes.len() as u64;
        let mut input = counted(bytes, read);
        let chain = Extensions::locate(&mut input, size, files.hash_len);
        if let Some(chain) = chain.expect("memory can be read") {
            let _ = chain.check();
            let _ = Link::of(&chain, &mut input, files.hash_len);
        }
        let tree = CachedTree::load(&mut input, size, files.hash_len);
        if let Some(tree) = tree.expect("memory can be read") {
            check_tree(&tree, bytes.len());
        }
    }
}

fn check_tree(tree: &CachedTree, size: usize) {
    let mut todo: Vec<NodeId> = vec![tree.root()];
    let mut seen = 0;
    while let Some(node) = todo.pop() {
        seen += 1;
        assert!(seen <= size, "more directories than bytes");
        let children = tree.sorted_children(node);
        assert_eq!(children.len(), tree.children(node).count());
        for child in children.iter().take(64) {
            let found = tree.descend(node, tree.name(*child)).expect("it is there");
            assert_eq!(tree.name(found), tree.name(*child));
        }
        todo.extend(children);
    }
}
