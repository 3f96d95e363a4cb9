//! The names of one directory, in walk order.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use trilist_core::{Bound, Kind, SetDigest};

/// The most bytes of names, and of keys, whose room is used again.
const MAX_ROOM: usize = 64 * 1024;

/// What the walk does when it comes to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Show the entry. Its key is the name.
    Row,
    /// Enter the directory. Its key is the name plus `/`, which is what puts `a-b` between a
    /// directory `a` and its contents.
    Descend,
}

/// One thing to do, with its place in the order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    /// The first eight bytes, big-endian: most comparisons end here. Padding with zero is
    /// exact because names hold no NUL.
    head: u64,
    start: u32,
    len: u16,
    /// The entry's kind.
    pub(crate) kind: Kind,
    /// What to do.
    pub(crate) role: Role,
}

/// The kinds of names that rules hang on, where a directory holds them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Found {
    pub(crate) git: Option<Kind>,
    pub(crate) gitignore: Option<Kind>,
    pub(crate) dot_ignore: Option<Kind>,
    pub(crate) rgignore: Option<Kind>,
}

/// Which names to keep while a directory is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keep<'a> {
    /// Only keys greater than this.
    pub(crate) above: &'a [u8],
    /// Whether that key itself is kept too.
    pub(crate) bound: Bound,
    /// Only this name, where others do not matter.
    pub(crate) only: Option<&'a [u8]>,
    /// At most about so many keys, the smallest; all when absent.
    pub(crate) most: Option<usize>,
    /// Whether links are entered too.
    pub(crate) links: bool,
    /// Whether nothing is entered, so that a directory needs no second key.
    pub(crate) flat: bool,
    /// How many directories to remember among those that did not fit.
    pub(crate) beyond: usize,
}

/// The kept keys of a directory, sorted, over one arena of bytes.
///
/// When only the smallest names are kept, a read drops the rest every time twice the bound has
/// piled up, so memory stays within a few bounds whatever the directory's size, and each name
/// costs amortised constant time.
#[derive(Debug, Default)]
pub(crate) struct Names {
    arena: Vec<u8>,
    keys: Vec<Key>,
    next: usize,
    /// Every kept key is below this one, because larger ones were dropped.
    ceiling: Option<Vec<u8>>,
    beyond: BTreeSet<Vec<u8>>,
    /// Set when a name did not fit: then the read must not pass for a whole one.
    pub(crate) overflowed: bool,
    /// The order-free digest of all names and kinds, kept or not.
    pub(crate) digest: SetDigest,
    pub(crate) found: Found,
}

impl Names {
    /// No names yet, but these files of rules.
    pub(crate) fn with(found: Found) -> Self {
        Names { found, ..Names::default() }
    }

    /// No names yet, with room for those of most directories.
    pub(crate) fn with_room() -> Self {
        Names { arena: Vec::with_capacity(2048), keys: Vec::with_capacity(128), ..Names::default() }
    }

    /// No names, in the room of those that there were; in none, where they were many.
    pub(crate) fn emptied(mut self) -> Self {
        if self.arena.capacity() > MAX_ROOM || self.keys.capacity() > MAX_ROOM / size_of::<Key>() {
            return Names::default();
        }
        self.arena.clear();
        self.keys.clear();
        Names { arena: self.arena, keys: self.keys, ..Names::default() }
    }

    /// Takes a name that the directory holds.
    pub(crate) fn add(&mut self, name: &[u8], kind: Kind, keep: &Keep<'_>) {
        self.digest.add(name, kind as u64);
        if name.first() == Some(&b'.') {
            self.found.note(name, kind);
        }
        if keep.only.is_some_and(|only| only != name) {
            return;
        }
        let enters = !keep.flat && (kind == Kind::Dir || (keep.links && kind == Kind::Symlink));
        if keep.above.is_empty() && self.ceiling.is_none() {
            self.push(name, kind, enters, true);
        } else {
            self.push_bounded(name, kind, enters, keep);
        }
        if let Some(most) = keep.most
            && self.keys.len() > most.saturating_mul(4)
        {
            self.drop_largest(most.saturating_mul(2), keep);
        }
    }

    /// Puts the keys in order; to be called once after the last name.
    pub(crate) fn finish(&mut self, keep: &Keep<'_>) {
        if let Some(most) = keep.most
            && self.ceiling.is_some()
            && self.keys.len() > most
        {
            self.drop_largest(most, keep);
        }
        let arena = &self.arena;
        self.keys.sort_unstable_by(|a, b| compare(arena, a, b));
        // A file system may report a name twice while it changes; one entry is shown.
        self.keys.dedup_by(|a, b| compare(arena, a, b) == Ordering::Equal);
    }

    /// The next key, which is then passed.
    pub(crate) fn take(&mut self) -> Option<Key> {
        let key = self.keys.get(self.next).copied()?;
        self.next += 1;
        Some(key)
    }

    /// The bytes of the next key, which stays the next.
    pub(crate) fn peek(&self) -> Option<&[u8]> {
        self.keys.get(self.next).map(|key| self.bytes(*key))
    }

    /// The key's name, without the `/` of a descent.
    pub(crate) fn name(&self, key: Key) -> &[u8] {
        let bytes = self.bytes(key);
        match key.role {
            Role::Row => bytes,
            Role::Descend => &bytes[..bytes.len() - 1],
        }
    }

    /// The key's bytes as they sort.
    pub(crate) fn bytes(&self, key: Key) -> &[u8] {
        bytes_of(&self.arena, &key)
    }

    /// The last key passed, when larger ones than all kept were dropped: reading the directory
    /// again above it goes on.
    pub(crate) fn goes_on_above(&self) -> Option<Vec<u8>> {
        self.ceiling.as_ref()?;
        self.keys.last().map(|last| self.bytes(*last).to_vec())
    }

    /// Directories whose key lies above `after`, in order, kept or remembered: the row's key, or
    /// that of the contents.
    pub(crate) fn dirs_above(&self, after: &[u8], role: Role) -> BTreeSet<Vec<u8>> {
        let kept = self.keys.iter().filter(|key| key.kind == Kind::Dir).map(|key| self.name(*key));
        let all = kept.chain(self.beyond.iter().map(Vec::as_slice));
        let behind = all.filter(|dir| match role {
            Role::Row => *dir > after,
            Role::Descend => Joined(dir).is_above(after) && !Joined(dir).starts(after),
        });
        behind.map(<[u8]>::to_vec).collect()
    }

    fn push_bounded(&mut self, name: &[u8], kind: Kind, enters: bool, keep: &Keep<'_>) {
        // `name/` can lie above a bound that `name` does not pass.
        let row = name > keep.above || (keep.bound == Bound::At && name == keep.above);
        let descend = enters && Joined(name).is_above(keep.above);
        let Some(ceiling) = &self.ceiling else {
            self.push(name, kind, descend, row);
            return;
        };
        // Its row may be passed or kept while its contents are not.
        let is_last_key = if keep.flat { row } else { descend };
        if is_last_key && kind == Kind::Dir && Joined(name).is_at_least(ceiling) {
            self.beyond.insert(name.to_vec());
            trim(&mut self.beyond, keep.beyond);
        }
        let row = row && name < ceiling.as_slice();
        let descend = descend && !Joined(name).is_at_least(ceiling);
        self.push(name, kind, descend, row);
    }

    fn push(&mut self, name: &[u8], kind: Kind, descend: bool, row: bool) {
        if !(row || descend) {
            return;
        }
        // 4 GiB of names in one directory, or a name of 64 KiB: no known system has either.
        let (start, len) = (u32::try_from(self.arena.len()), u16::try_from(name.len() + 1));
        let (Ok(start), Ok(longer)) = (start, len) else {
            self.overflowed = true;
            return;
        };
        let len = longer - 1;
        self.arena.extend_from_slice(name);
        if row {
            self.keys.push(Key { head: head(name, None), start, len, kind, role: Role::Row });
        }
        if descend {
            self.arena.push(b'/');
            let head = head(name, Some(b'/'));
            self.keys.push(Key { head, start, len: longer, kind, role: Role::Descend });
        }
    }

    /// Keeps the `most` smallest keys and gives their arena back.
    fn drop_largest(&mut self, most: usize, keep: &Keep<'_>) {
        if self.keys.len() <= most {
            return;
        }
        let arena = &self.arena;
        self.keys.select_nth_unstable_by(most, |a, b| compare(arena, a, b));
        self.ceiling = Some(bytes_of(arena, &self.keys[most]).to_vec());
        let last_key = if keep.flat { Role::Row } else { Role::Descend };
        let dirs = self.keys[most..].iter().filter(|key| key.kind == Kind::Dir);
        for key in dirs.filter(|key| key.role == last_key && keep.beyond > 0) {
            let bytes = bytes_of(arena, key);
            self.beyond.insert(bytes.strip_suffix(b"/").unwrap_or(bytes).to_vec());
            trim(&mut self.beyond, keep.beyond);
        }
        self.keys.truncate(most);
        self.compact();
    }

    fn compact(&mut self) {
        let old = std::mem::take(&mut self.arena);
        for key in &mut self.keys {
            let bytes = bytes_of(&old, key);
            // Row and descent of one name no longer share bytes: at most twice the size.
            let start = self.arena.len();
            self.arena.extend_from_slice(bytes);
            key.start = u32::try_from(start).unwrap_or(u32::MAX);
        }
    }
}

fn trim(set: &mut BTreeSet<Vec<u8>>, most: usize) {
    while set.len() > most {
        set.pop_last();
    }
}

/// A name with the `/` of a descent, compared without being built.
struct Joined<'a>(&'a [u8]);

impl Joined<'_> {
    fn is_above(&self, bound: &[u8]) -> bool {
        self.compare(bound) == Ordering::Greater
    }

    fn is_at_least(&self, bound: &[u8]) -> bool {
        self.compare(bound) != Ordering::Less
    }

    /// Whether `path` lies below it.
    fn starts(&self, path: &[u8]) -> bool {
        path.strip_prefix(self.0).is_some_and(|rest| rest.first() == Some(&b'/'))
    }

    fn compare(&self, bound: &[u8]) -> Ordering {
        match bound.strip_prefix(self.0) {
            None => self.0.cmp(bound),
            Some([]) => Ordering::Greater,
            Some([first, rest @ ..]) => {
                b'/'.cmp(first).then(if rest.is_empty() { Ordering::Equal } else { Ordering::Less })
            }
        }
    }
}

impl Found {
    /// Whether this is the top of a work tree; a linked one and a submodule hold a file.
    pub(crate) fn is_repository(&self) -> bool {
        matches!(self.git, Some(Kind::Dir | Kind::File))
    }

    fn note(&mut self, name: &[u8], kind: Kind) {
        match name {
            b".git" => self.git = Some(kind),
            b".gitignore" => self.gitignore = Some(kind),
            b".ignore" => self.dot_ignore = Some(kind),
            b".rgignore" => self.rgignore = Some(kind),
            _ => {}
        }
    }
}

fn bytes_of<'a>(arena: &'a [u8], key: &Key) -> &'a [u8] {
    let start = key.start as usize;
    &arena[start..start + usize::from(key.len)]
}

fn head(name: &[u8], last: Option<u8>) -> u64 {
    if let Some(first) = name.first_chunk::<8>() {
        return u64::from_be_bytes(*first);
    }
    let mut bytes = [0; 8];
    bytes[..name.len()].copy_from_slice(name);
    if let Some(last) = last {
        bytes[name.len()] = last;
    }
    u64::from_be_bytes(bytes)
}

fn compare(arena: &[u8], a: &Key, b: &Key) -> Ordering {
    a.head.cmp(&b.head).then_with(|| {
        let rest = |key: &Key| {
            let bytes = bytes_of(arena, key);
            &bytes[bytes.len().min(8)..]
        };
        // Equal heads with short names mean equal names up to there.
        rest(a).cmp(rest(b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(names: &[(&str, Kind)], keep: Keep<'_>) -> (Vec<String>, Names) {
        let mut all = Names::default();
        for (name, kind) in names {
            all.add(name.as_bytes(), *kind, &keep);
        }
        all.finish(&keep);
        let mut out = Vec::new();
        while let Some(key) = all.take() {
            out.push(String::from_utf8_lossy(all.bytes(key)).into_owned());
        }
        (out, all)
    }

    #[test]
    fn a_directory_has_two_places() {
        let names =
            [("a", Kind::Dir), ("a-b", Kind::File), ("a.txt", Kind::File), ("a0", Kind::File)];
        let (order, _) = collect(&names, Keep::default());
        assert_eq!(order, ["a", "a-b", "a.txt", "a/", "a0"]);
    }

    #[test]
    fn reading_above_a_bound_splits_between_row_and_descent() {
        let names = [("a", Kind::Dir), ("a-b", Kind::File), ("b", Kind::Dir)];
        let (order, _) = collect(&names, Keep { above: b"a-b", ..Keep::default() });
        assert_eq!(order, ["a/", "b", "b/"]);
        let (order, _) = collect(&names, Keep { above: b"a/", ..Keep::default() });
        assert_eq!(order, ["b", "b/"]);
        let at = Keep { bound: Bound::At, ..Keep::default() };
        let (order, _) = collect(&names, Keep { above: b"a", ..at });
        assert_eq!(order, ["a", "a-b", "a/", "b", "b/"]);
        let (order, _) = collect(&names, Keep { above: b"a-b", ..at });
        assert_eq!(order, ["a-b", "a/", "b", "b/"]);
    }

    #[test]
    fn the_smallest_are_kept_and_the_rest_is_found_again() {
        let names: Vec<String> = (0..500).map(|n| format!("n{:03}", n * 7 % 500)).collect();
        let pairs: Vec<_> = names.iter().map(|name| (name.as_str(), Kind::Dir)).collect();
        let (all, _) = collect(&pairs, Keep::default());
        let mut joined = Vec::new();
        let mut above = Vec::new();
        loop {
            let keep = Keep { above: &above, most: Some(10), beyond: 3, ..Keep::default() };
            let (part, read) = collect(&pairs, keep);
            joined.extend(part);
            match read.goes_on_above() {
                Some(last) => above = last,
                None => break,
            }
            let beyond: Vec<_> = read.dirs_above(&above, Role::Row).into_iter().collect();
            let rest =
                all.iter().filter(|key| !key.ends_with('/')).map(|key| key.as_bytes().to_vec());
            let expected: Vec<_> =
                rest.filter(|key| key.as_slice() > above.as_slice()).take(beyond.len()).collect();
            assert_eq!(beyond, expected);
        }
        assert_eq!(joined, all);
    }

    #[test]
    fn what_is_not_entered_has_one_place() {
        let names: Vec<String> = (0..500).map(|n| format!("n{:03}", n * 7 % 500)).collect();
        let pairs: Vec<_> = names.iter().map(|name| (name.as_str(), Kind::Dir)).collect();
        let mut sorted = names.clone();
        sorted.sort();
        let (all, _) = collect(&pairs, Keep { flat: true, ..Keep::default() });
        assert_eq!(all, sorted);
        let keep = Keep { most: Some(10), beyond: 500, flat: true, ..Keep::default() };
        let (some, read) = collect(&pairs, keep);
        assert_eq!(some, sorted[..some.len()]);
        let above: Vec<_> = read.dirs_above(b"n004", Role::Row).into_iter().collect();
        assert_eq!(above, sorted[5..].iter().map(|name| name.as_bytes()).collect::<Vec<_>>());
    }

    #[test]
    fn contents_lie_behind_where_rows_do_not() {
        let names = [("a", Kind::Dir), ("a-b", Kind::File), ("a-c", Kind::Dir), ("b", Kind::Dir)];
        for most in [None, Some(1)] {
            let (_, read) = collect(&names, Keep { most, beyond: 9, ..Keep::default() });
            let above = |role| read.dirs_above(b"a-b", role).into_iter().collect::<Vec<_>>();
            assert_eq!(above(Role::Row), [b"a-c".to_vec(), b"b".to_vec()]);
            assert_eq!(above(Role::Descend), [b"a".to_vec(), b"a-c".to_vec(), b"b".to_vec()]);
            assert_eq!(read.dirs_above(b"a/x", Role::Descend).len(), 1);
        }
    }
}
