//! A tree's names in path order, read only as far as they are wanted.

use std::cmp::Ordering;
use std::sync::Arc;

use memchr::memchr;
use trilist_core::{Bound, Cancel, FaultCode, Kind, ListError};

use crate::fault::Faults;
use crate::index::{CachedTree, NameFault, NodeId, check_component};
use crate::objects::{ObjectError, Objects};

/// Walks a tree object depth first.
///
/// Git sorts a tree as if the names of directories ended in a slash, so walking depth first
/// gives byte order of whole paths. A directory is not read until [`HeadStream::enter`].
pub(crate) struct HeadStream {
    objects: Objects,
    cached: Option<Arc<CachedTree>>,
    frames: Vec<Frame>,
    /// The current item's path; that of a directory ends in a slash, the top's is empty.
    path: Vec<u8>,
    item: HeadItem,
    tree: Tree,
    counts: Counts,
    held_bytes: usize,
}

/// What a [`HeadStream`] has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadItem {
    /// The end.
    End,
    /// A file, link or submodule.
    Leaf(Kind),
    /// A directory that may be entered or stepped over.
    Tree,
    /// A directory whose contents are those of the index: this many entries, if known.
    Same(Option<u32>),
}

/// A part of the repository: a directory, or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region<'a> {
    /// Without a slash at the end; empty for all.
    pub(crate) dir: &'a [u8],
}

/// Where the current tree item is found.
#[derive(Debug, Clone, Copy, Default)]
struct Tree {
    id: [u8; 32],
    node: Option<NodeId>,
}

/// What was read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) trees: u64,
    pub(crate) names: u64,
}

/// An open directory.
struct Frame {
    data: Arc<Vec<u8>>,
    at: usize,
    /// How many bytes of the path are this directory's.
    prefix: usize,
    /// The last good name's place, and whether it is a directory's.
    last: (usize, usize, bool),
    /// Whether that is executable.
    executable: bool,
    /// The directories of the index here, by name.
    children: Vec<NodeId>,
}

const DEEPEST: usize = trilist_core::MAX_DEPTH as usize;
/// The most bytes of trees that are held at a time.
const HELD_BYTES: usize = 80 << 20;

impl HeadStream {
    /// Starts at the tree `id`. Only what lies in `region` is given. The second result tells
    /// what stands at the region's own path if that is not a directory.
    ///
    /// # Errors
    ///
    /// As [`HeadStream::enter`].
    pub(crate) fn open(
        objects: Objects,
        id: &[u8],
        cached: Option<Arc<CachedTree>>,
        region: Region<'_>,
        cancel: &Cancel,
        faults: &mut Faults,
    ) -> Result<(Self, Option<Kind>), ListError> {
        let mut stream = HeadStream {
            objects,
            frames: Vec::new(),
            path: Vec::new(),
            item: HeadItem::End,
            tree: Tree::default(),
            counts: Counts::default(),
            held_bytes: 0,
            cached,
        };
        let root = stream.cached.as_ref().map(|cached| cached.root());
        stream.set_tree(id, root);
        let leaf = stream.descend(region, cancel, faults)?;
        Ok((stream, leaf))
    }

    /// Starts at a tree that stands at `prefix`, which ends in a slash.
    pub(crate) fn at(objects: Objects, id: &[u8], prefix: &[u8]) -> Self {
        let mut stream = HeadStream {
            objects,
            frames: Vec::new(),
            path: prefix.to_vec(),
            item: HeadItem::End,
            tree: Tree::default(),
            counts: Counts::default(),
            held_bytes: 0,
            cached: None,
        };
        stream.set_tree(id, None);
        stream
    }

    /// The current item.
    pub(crate) fn item(&self) -> HeadItem {
        self.item
    }

    /// Whether the current item is a file that is to be executable.
    pub(crate) fn is_executable(&self) -> bool {
        self.item == HeadItem::Leaf(Kind::File)
            && self.frames.last().is_some_and(|frame| frame.executable)
    }

    /// The current item's path.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Forgets that the current directory equals the index.
    pub(crate) fn distrust(&mut self) {
        self.cached = None;
        self.frames.iter_mut().for_each(|frame| frame.children.clear());
        if matches!(self.item, HeadItem::Same(_)) {
            self.item = HeadItem::Tree;
        }
    }

    /// Goes into the current directory, to its first name.
    ///
    /// # Errors
    ///
    /// When the caller has cancelled; a directory that cannot be read is a fault.
    pub(crate) fn enter(&mut self, cancel: &Cancel, faults: &mut Faults) -> Result<(), ListError> {
        debug_assert_eq!(self.item, HeadItem::Tree);
        cancel.check()?;
        if let Err(unread) = self.push(cancel) {
            let (code, message) = unread.fault()?;
            let dir = self.path.strip_suffix(b"/").unwrap_or(&self.path);
            faults.push(dir, code, message);
        }
        self.step(faults);
        Ok(())
    }

    fn push(&mut self, cancel: &Cancel) -> Result<(), Unread> {
        if self.frames.len() == DEEPEST {
            let message = format!("deeper than {DEEPEST} levels");
            return Err(Unread::Fault(FaultCode::DepthCapped, message));
        }
        let id = self.tree.id;
        self.counts.trees += 1;
        let data = self.objects.tree(&id[..self.objects.hash_len()], cancel);
        let data = data.map_err(|fault| match fault.error {
            ObjectError::Stopped(error) => Unread::Stopped(error),
            _ => Unread::Fault(FaultCode::VcsObjectInvalid, fault.to_string()),
        })?;
        if self.held_bytes + data.len() > HELD_BYTES {
            let message = "its trees are too large together".to_owned();
            return Err(Unread::Fault(FaultCode::VcsObjectInvalid, message));
        }
        self.held_bytes += data.len();
        let children = match (&self.cached, self.tree.node) {
            (Some(cached), Some(node)) => cached.sorted_children(node),
            _ => Vec::new(),
        };
        self.frames.push(Frame {
            data,
            at: 0,
            prefix: self.path.len(),
            last: (0, 0, false),
            executable: false,
            children,
        });
        Ok(())
    }

    /// Goes on to the next item that is not below the current one.
    pub(crate) fn step(&mut self, faults: &mut Faults) {
        self.item = HeadItem::End;
        while let Some(frame) = self.frames.last_mut() {
            self.path.truncate(frame.prefix);
            match frame.next(self.objects.hash_len()) {
                Next::End => {
                    self.held_bytes -= frame.data.len();
                    self.frames.pop();
                }
                Next::Damaged => {
                    frame.at = frame.data.len();
                    let dir = self.path.strip_suffix(b"/").unwrap_or(&self.path);
                    faults.push(dir, FaultCode::VcsObjectInvalid, "its tree object is damaged");
                }
                Next::Dropped(fault, name) => {
                    self.counts.names += 1;
                    let dir = self.path.strip_suffix(b"/").unwrap_or(&self.path);
                    faults.push_name(dir, &frame.data[name], "HEAD", fault.reason());
                }
                Next::Name(entry) => {
                    self.counts.names += 1;
                    self.path.extend_from_slice(&frame.data[entry.start..entry.end]);
                    self.found(entry);
                    return;
                }
            }
        }
    }

    fn found(&mut self, entry: Entry) {
        if let Some(kind) = entry.leaf {
            self.item = HeadItem::Leaf(kind);
            return;
        }
        let frame = self.frames.last().expect("the entry came from this frame");
        let node = self.cached.as_ref().and_then(|cached| {
            let name = &frame.data[entry.start..entry.end];
            let at = frame.children.binary_search_by_key(&name, |child| cached.name(*child));
            at.ok().map(|at| frame.children[at])
        });
        let mut id = [0; 32];
        let hash_len = self.objects.hash_len();
        id[..hash_len].copy_from_slice(&frame.data[entry.end + 1..][..hash_len]);
        self.path.push(b'/');
        self.set_tree(&id[..hash_len], node);
    }

    fn set_tree(&mut self, id: &[u8], node: Option<NodeId>) {
        self.tree.id[..id.len()].copy_from_slice(id);
        self.tree.node = node;
        let known = self.cached.as_ref().zip(node);
        self.item = match known.and_then(|(cached, node)| cached.valid(node)) {
            Some((same, entries)) if same == id => HeadItem::Same(Some(entries)),
            _ => HeadItem::Tree,
        };
    }

    /// Goes down to the region's directory, reading the trees on the way.
    fn descend(
        &mut self,
        region: Region<'_>,
        cancel: &Cancel,
        faults: &mut Faults,
    ) -> Result<Option<Kind>, ListError> {
        let mut rest = region.dir;
        while !rest.is_empty() {
            if let HeadItem::Same(_) = self.item {
                // The index knows what lies there.
                self.path = [region.dir, b"/"].concat();
                self.item = HeadItem::Same(None);
                return Ok(None);
            }
            let (name, below) = rest.split_at(memchr(b'/', rest).unwrap_or(rest.len()));
            rest = below.strip_prefix(b"/").unwrap_or(below);
            if let Err(unread) = self.push(cancel) {
                let (code, message) = unread.fault()?;
                faults.push(b"", code, message);
                self.item = HeadItem::End;
                return Ok(None);
            }
            let leaf = self.find_dir(name);
            if self.item == HeadItem::End {
                return Ok(leaf.filter(|_| rest.is_empty()));
            }
        }
        Ok(None)
    }

    /// Goes on to the directory `name` in the open one, and leaves that; without one, to the
    /// end. Tells what else is called so.
    fn find_dir(&mut self, name: &[u8]) -> Option<Kind> {
        let mut leaf = None;
        // What stands beside the way is not this listing's concern.
        let mut beside = Faults::default();
        loop {
            self.step(&mut beside);
            match self.item {
                HeadItem::End => break,
                HeadItem::Leaf(kind) if self.name() == name => leaf = Some(kind),
                HeadItem::Tree | HeadItem::Same(_) if self.name() == name => break,
                _ => {}
            }
        }
        self.held_bytes = 0;
        self.frames.clear();
        leaf
    }

    /// The current item's own name.
    fn name(&self) -> &[u8] {
        let path = self.path.strip_suffix(b"/").unwrap_or(&self.path);
        &path[memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1)..]
    }

    /// Passes everything before `after`, and that name itself unless it is wanted too.
    ///
    /// # Errors
    ///
    /// As [`HeadStream::enter`].
    pub(crate) fn skip_to(
        &mut self,
        after: &[u8],
        bound: Bound,
        cancel: &Cancel,
        faults: &mut Faults,
    ) -> Result<(), ListError> {
        loop {
            match self.item {
                HeadItem::Leaf(_) if self.path.as_slice() < after => self.step(faults),
                HeadItem::Leaf(_) if self.path == after && bound == Bound::After => {
                    self.step(faults);
                }
                HeadItem::Tree if after.starts_with(&self.path) && self.path != after => {
                    self.enter(cancel, faults)?;
                }
                HeadItem::Tree | HeadItem::Same(_)
                    if self.path.as_slice() <= after && !after.starts_with(&self.path) =>
                {
                    self.step(faults);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Passes everything below a directory, whose path ends in a slash.
    pub(crate) fn skip_below(&mut self, dir: &[u8], faults: &mut Faults) {
        while self.item != HeadItem::End && self.path.starts_with(dir) {
            self.step(faults);
        }
    }
}

/// Why a directory was not read.
enum Unread {
    Stopped(ListError),
    Fault(FaultCode, String),
}

impl Unread {
    fn fault(self) -> Result<(FaultCode, String), ListError> {
        match self {
            Unread::Stopped(error) => Err(error),
            Unread::Fault(code, message) => Ok((code, message)),
        }
    }
}

enum Next {
    Name(Entry),
    Dropped(NameFault, std::ops::Range<usize>),
    Damaged,
    End,
}

struct Entry {
    start: usize,
    end: usize,
    /// `None` for a directory.
    leaf: Option<Kind>,
}

impl Frame {
    fn next(&mut self, hash_len: usize) -> Next {
        if self.at == self.data.len() {
            return Next::End;
        }
        let Some((mode, start, end, has_slash)) = self.parse(hash_len) else {
            return Next::Damaged;
        };
        self.at = end + 1 + hash_len;
        let name = &self.data[start..end];
        let leaf = match mode & 0o170_000 {
            0o040_000 => None,
            0o100_000 => Some(Kind::File),
            0o120_000 => Some(Kind::Symlink),
            0o160_000 => Some(Kind::Submodule),
            _ => return Next::Dropped(NameFault::Mode, start..end),
        };
        if has_slash {
            return Next::Dropped(NameFault::Byte, start..end);
        }
        if let Err(fault) = self.check(name, leaf.is_none()) {
            return Next::Dropped(fault, start..end);
        }
        self.last = (start, end, leaf.is_none());
        self.executable = mode & 0o100 != 0;
        Next::Name(Entry { start, end, leaf })
    }

    /// The next entry's mode, where its name begins and ends, and whether that holds a slash.
    #[inline]
    fn parse(&self, hash_len: usize) -> Option<(u32, usize, usize, bool)> {
        let rest = &self.data[self.at..];
        let mut mode = 0;
        let mut space = 0;
        // Names are short: a plain loop beats a search that has to be set up.
        for byte in rest.iter().take(8) {
            match byte {
                b'0'..=b'7' => mode = mode * 8 + u32::from(byte - b'0'),
                b' ' => break,
                _ => return None,
            }
            space += 1;
        }
        if rest.get(space) != Some(&b' ') {
            return None;
        }
        let start = self.at + space + 1;
        let mut has_slash = false;
        let is_end = |byte: &u8| {
            has_slash |= *byte == b'/';
            *byte == 0
        };
        let end = start + self.data[start..].iter().position(is_end)?;
        (end + 1 + hash_len <= self.data.len()).then_some((mode, start, end, has_slash))
    }

    fn check(&self, name: &[u8], is_tree: bool) -> Result<(), NameFault> {
        check_component(name)?;
        let (start, end, last_is_tree) = self.last;
        if start == end {
            return Ok(());
        }
        match in_tree(&self.data[start..end], last_is_tree, name, is_tree) {
            Ordering::Less => Ok(()),
            Ordering::Equal => Err(NameFault::Twice),
            Ordering::Greater => Err(NameFault::Order),
        }
    }
}

/// The order of a tree's entries: as if the names of directories ended in a slash.
#[inline]
fn in_tree(left: &[u8], left_is_tree: bool, right: &[u8], right_is_tree: bool) -> Ordering {
    let len = left.len().min(right.len());
    let slash = |is_tree: bool| is_tree.then_some(b'/');
    let next = |name: &[u8], is_tree| name.get(len).copied().or(slash(is_tree));
    // Names hold no slash, so nothing behind these bytes can decide.
    left[..len]
        .cmp(&right[..len])
        .then_with(|| next(left, left_is_tree).cmp(&next(right, right_is_tree)))
}
