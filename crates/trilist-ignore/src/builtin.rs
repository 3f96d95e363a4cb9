//! The builtin list: directories of dependencies and caches, by name.

use std::sync::LazyLock;

/// One name of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinEntry<'a> {
    /// The directory's exact name.
    pub name: &'a str,
    /// The line of the list it stands in, counted from 1.
    pub line: u32,
}

/// A list of directory names: the builtin one, or what stands in its place. Only directories are
/// meant: a file of the same name is not builtin.
#[derive(Clone, Debug, Default)]
pub struct BuiltinNames {
    /// Sorted by name.
    names: Vec<(Box<str>, u32)>,
}

static STANDARD: LazyLock<BuiltinNames> =
    LazyLock::new(|| BuiltinNames::read(include_str!("../data/builtin.txt").lines()));

impl BuiltinNames {
    /// The list that trilist comes with.
    pub fn standard() -> &'static BuiltinNames {
        &STANDARD
    }

    /// A list of exactly these names; a name's line is its place. Empty names count for nothing.
    pub fn of<S: AsRef<str>>(names: &[S]) -> Self {
        let lines = (1..).zip(names).map(|(line, name)| (line, name.as_ref()));
        Self::sorted(lines.filter(|(_, name)| !name.is_empty()))
    }

    fn read<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let lines = (1..).zip(lines);
        Self::sorted(lines.filter(|(_, name)| !name.is_empty() && !name.starts_with('#')))
    }

    fn sorted<'a>(lines: impl Iterator<Item = (u32, &'a str)>) -> Self {
        let mut names: Vec<(Box<str>, u32)> =
            lines.map(|(line, name)| (name.into(), line)).collect();
        names.sort();
        // Of a name that stands there twice the first line counts.
        names.dedup_by(|later, first| later.0 == first.0);
        Self { names }
    }

    /// Finds a directory's base name.
    pub fn find(&self, name: &[u8]) -> Option<BuiltinEntry<'_>> {
        let found = self.names.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
        let (name, line) = &self.names[found];
        Some(BuiltinEntry { name, line: *line })
    }

    /// The names in the order of the list.
    pub fn entries(&self) -> Vec<BuiltinEntry<'_>> {
        let mut entries: Vec<BuiltinEntry<'_>> =
            self.names.iter().map(|(name, line)| BuiltinEntry { name, line: *line }).collect();
        entries.sort_by_key(|entry| entry.line);
        entries
    }
}
