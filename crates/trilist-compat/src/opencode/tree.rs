//! The tree that is drawn from file names.

use crate::order::utf16;
use crate::{Options, text};

/// A directory of the drawing.
#[derive(Default)]
struct Dir {
    dirs: Vec<(String, Dir)>,
    files: Vec<String>,
}

/// The files as the program reads them out of ripgrep's lines; the same file is one name, unless
/// `strict` keeps what a line break makes of it.
pub(super) fn names(files: &[Vec<u8>], options: Options) -> Vec<String> {
    let decoded = files.iter().map(|file| text::lossy(file).into_owned());
    if options.strict {
        let lines = decoded.flat_map(|file| {
            let lines: Vec<String> = file.split('\n').map(text::without_return).collect();
            lines
        });
        return lines.filter(|line| !line.is_empty()).collect();
    }
    // A carriage return at the end would be lost with the line's own.
    let breaks = |name: &str| name.contains('\n') || name.ends_with('\r');
    decoded.map(|file| text::path_on_one_line(&file, breaks)).collect()
}

/// Directories before files at each level, two spaces a level.
pub(super) fn drawn(names: &[String]) -> String {
    let mut top = Dir::default();
    for name in names {
        top.add(name);
    }
    let mut out = String::new();
    top.draw(1, &mut out);
    out
}

impl Dir {
    fn add(&mut self, path: &str) {
        let mut dir = self;
        let mut rest = path;
        while let Some((name, below)) = rest.split_once('/') {
            let at = dir.dirs.iter().rposition(|(known, _)| known == name);
            let at = at.unwrap_or_else(|| {
                dir.dirs.push((name.to_owned(), Dir::default()));
                dir.dirs.len() - 1
            });
            dir = &mut dir.dirs[at].1;
            rest = below;
        }
        dir.files.push(rest.to_owned());
    }

    fn draw(mut self, depth: usize, out: &mut String) {
        self.dirs.sort_by(|(a, _), (b, _)| utf16(a, b));
        self.files.sort_by(|a, b| utf16(a, b));
        let indent = "  ".repeat(depth);
        for (name, dir) in self.dirs {
            out.push_str(&format!("{indent}{name}/\n"));
            dir.draw(depth + 1, out);
        }
        for name in self.files {
            out.push_str(&format!("{indent}{name}\n"));
        }
    }
}
