//! The extension `TREE`: which directories of the index equal which tree object.

use std::io::{self, Read, Seek};

use memchr::memchr;

use super::Extensions;

/// The cached trees of an index.
///
/// A directory whose node has an id holds exactly what that tree object holds, so no object
/// needs to be read to compare it.
#[derive(Debug)]
pub struct CachedTree {
    bytes: Vec<u8>,
    nodes: Vec<Node>,
    hash_len: usize,
    offset: u64,
}

/// One directory of a [`CachedTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

#[derive(Debug)]
struct Node {
    name: (u32, u32),
    /// How many index entries lie below; negative when the directory has changed.
    entries: i32,
    id: u32,
    /// The node behind everything below this one.
    next: u32,
}

/// Ten times the size that it has for a million files.
const MOST_BYTES: u32 = 32 << 20;
/// The first node has no name, two numbers and an id.
const MOST_TOP_BYTES: u32 = 64;
/// Directories deeper than this are not worth a shortcut.
const DEEPEST: usize = 4096;

impl CachedTree {
    /// Parses the extension's contents, which stand at `offset`; `None` if they are damaged.
    pub fn parse(bytes: Vec<u8>, hash_len: usize, offset: u64) -> Option<Self> {
        let mut tree = CachedTree { bytes, nodes: Vec::new(), hash_len, offset };
        // For each open node: its place, and how many children are still to come.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut at = 0;
        loop {
            let (node, children, behind) = tree.node(at)?;
            if open.is_empty() != (node.name.1 == 0) || open.len() > DEEPEST {
                return None;
            }
            at = behind;
            open.push((u32::try_from(tree.nodes.len()).ok()?, children));
            tree.nodes.push(node);
            while let Some((done, 0)) = open.last().copied() {
                open.pop();
                tree.nodes[done as usize].next = u32::try_from(tree.nodes.len()).ok()?;
            }
            match open.last_mut() {
                Some((_, children)) => *children -= 1,
                None => {
                    tree.nodes.shrink_to_fit();
                    return (at == tree.bytes.len()).then_some(tree);
                }
            }
        }
    }

    /// Finds and reads the extension without reading the entries; `None` if there is none or
    /// it is damaged.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn load<R: Read + Seek>(
        input: &mut R,
        bytes: u64,
        hash_len: usize,
    ) -> io::Result<Option<Self>> {
        match Extensions::locate(input, bytes, hash_len)? {
            Some(chain) => Self::of(&chain, input, hash_len),
            None => Ok(None),
        }
    }

    /// Reads the extension of a chain; `None` if it has none or that is damaged.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn of<R: Read + Seek>(
        chain: &Extensions,
        input: &mut R,
        hash_len: usize,
    ) -> io::Result<Option<Self>> {
        let Some(found) = chain.find(b"TREE").filter(|found| found.size <= MOST_BYTES) else {
            return Ok(None);
        };
        Ok(Self::parse(found.read(input)?, hash_len, found.offset))
    }

    /// The id of the tree object that the whole index equals, without reading what lies below;
    /// `None` if it equals none, or that is not known.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn top<R: Read + Seek>(
        chain: &Extensions,
        input: &mut R,
        hash_len: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        let whole = Self::whole(chain, input, hash_len)?;
        Ok(whole.and_then(|whole| whole.valid(whole.root()).map(|(id, _)| id.to_vec())))
    }

    /// The extension's first node, for the whole index, without the directories in it; `None` if
    /// there is none or it is damaged.
    ///
    /// # Errors
    ///
    /// What reading the file gave.
    pub fn whole<R: Read + Seek>(
        chain: &Extensions,
        input: &mut R,
        hash_len: usize,
    ) -> io::Result<Option<Self>> {
        let Some(found) = chain.find(b"TREE") else { return Ok(None) };
        let bytes = found.read_start(input, MOST_TOP_BYTES)?;
        let mut tree = CachedTree { bytes, nodes: Vec::new(), hash_len, offset: found.offset };
        let Some((node, ..)) = tree.node(0).filter(|(node, ..)| node.name.1 == 0) else {
            return Ok(None);
        };
        tree.nodes.push(Node { next: 1, ..node });
        Ok(Some(tree))
    }

    /// Whether the whole index equals this tree object.
    pub fn is_all_of(&self, tree: Option<&[u8]>) -> bool {
        tree.is_some() && self.valid(self.root()).map(|(id, _)| id) == tree
    }

    fn node(&self, start: usize) -> Option<(Node, u32, usize)> {
        let bytes = self.bytes.as_slice();
        let name = memchr(0, bytes.get(start..)?)?;
        let (entries, children) = number(bytes, start + name + 1, b' ')?;
        let (children, id) = number(bytes, children, b'\n')?;
        let behind = if entries >= 0 { id + self.hash_len } else { id };
        if behind > bytes.len() {
            return None;
        }
        let place = |at: usize| u32::try_from(at).ok();
        let node = Node { name: (place(start)?, place(name)?), entries, id: place(id)?, next: 0 };
        Some((node, u32::try_from(children).ok()?, behind))
    }

    /// Where the extension's header stands in the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes of memory that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.bytes.capacity() + self.nodes.capacity() * size_of::<Node>()
    }

    /// The top directory.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The directory's name.
    pub fn name(&self, node: NodeId) -> &[u8] {
        let (start, len) = self.nodes[node.0 as usize].name;
        &self.bytes[start as usize..][..len as usize]
    }

    /// The tree object that the directory equals and its number of index entries; `None` when
    /// it has changed since that was known.
    pub fn valid(&self, node: NodeId) -> Option<(&[u8], u32)> {
        let node = &self.nodes[node.0 as usize];
        let entries = u32::try_from(node.entries).ok()?;
        Some((&self.bytes[node.id as usize..][..self.hash_len], entries))
    }

    /// The directories in it, in the order of the file.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.nodes[node.0 as usize].next;
        let mut at = node.0 + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then_some(NodeId(at))?;
            at = self.nodes[at as usize].next;
            Some(child)
        })
    }

    /// The directories in it, by name.
    pub fn sorted_children(&self, node: NodeId) -> Vec<NodeId> {
        let mut children: Vec<_> = self.children(node).collect();
        children.sort_by_key(|child| self.name(*child));
        children
    }

    /// The directory at `path` below `node`.
    pub fn descend(&self, node: NodeId, name: &[u8]) -> Option<NodeId> {
        self.children(node).find(|child| self.name(*child) == name)
    }
}

/// The decimal number at `start`, and where what follows its end begins.
fn number(bytes: &[u8], start: usize, end: u8) -> Option<(i32, usize)> {
    let digits = bytes.get(start..)?;
    let (negative, digits) = match digits {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut value: i32 = 0;
    for (at, byte) in digits.iter().enumerate().take(11) {
        match byte {
            b'0'..=b'9' => value = value.checked_mul(10)?.checked_add(i32::from(byte - b'0'))?,
            byte if *byte == end && at > 0 => {
                let behind = start + usize::from(negative) + at + 1;
                return Some((if negative { -value } else { value }, behind));
            }
            _ => return None,
        }
    }
    None
}
