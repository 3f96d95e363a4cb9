//! A page of a tree, made as the tools that trilist stands in for make it: read everything, sort
//! it, take a slice. `collect DIR DEPTH LIMIT` is the rival of Codex's page.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a rival reads directories in the plain way"
)]

use std::collections::VecDeque;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// An entry as the rival keeps it.
struct Entry {
    compared: String,
    name: String,
    depth: usize,
    kind: FileType,
}

fn collect(top: &Path, depth: usize) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut queue = VecDeque::from([(top.to_path_buf(), PathBuf::new(), depth)]);
    while let Some((dir, prefix, left)) = queue.pop_front() {
        for found in fs::read_dir(&dir)? {
            let found = found?;
            let path = prefix.join(found.file_name());
            let kind = found.file_type()?;
            if kind.is_dir() && left > 1 {
                queue.push_back((found.path(), path.clone(), left - 1));
            }
            entries.push(Entry {
                compared: path.to_string_lossy().replace('\\', "/"),
                name: found.file_name().to_string_lossy().into_owned(),
                depth: path.components().count() - 1,
                kind,
            });
        }
    }
    Ok(entries)
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [dir, depth, limit] = words.as_slice() else {
        return Err(io::Error::other("usage: collect DIR DEPTH LIMIT"));
    };
    let number = |word: &String| word.parse::<usize>().map_err(io::Error::other);
    let mut entries = collect(Path::new(dir), number(depth)?)?;
    entries.sort_unstable_by(|a, b| a.compared.cmp(&b.compared));
    for entry in entries.iter().take(number(limit)?) {
        let mark = if entry.kind.is_dir() { "/" } else { "" };
        println!("{}{}{mark}", "  ".repeat(entry.depth), entry.name);
    }
    Ok(())
}
