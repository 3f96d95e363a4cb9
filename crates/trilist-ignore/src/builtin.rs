//! The builtin list: directories that hold what nobody wrote.
//!
//! The names are data in `data/builtin.txt`, one a line.

use std::sync::LazyLock;

/// One name of the builtin list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltinEntry {
    /// The directory's exact name.
    pub name: &'static str,
    /// The line of the list it stands in, counted from 1.
    pub line: u32,
}

static ENTRIES: LazyLock<Vec<BuiltinEntry>> = LazyLock::new(|| {
    (1..)
        .zip(include_str!("../data/builtin.txt").lines())
        .filter(|(_, name)| !name.is_empty() && !name.starts_with('#'))
        .map(|(line, name)| BuiltinEntry { name, line })
        .collect()
});

/// The list, in the order of the file.
pub fn entries() -> &'static [BuiltinEntry] {
    &ENTRIES
}

/// Finds a directory's base name in the list. Only directories are meant: a file
/// of the same name is not builtin.
pub fn find(name: &[u8]) -> Option<BuiltinEntry> {
    ENTRIES.iter().find(|entry| entry.name.as_bytes() == name).copied()
}
