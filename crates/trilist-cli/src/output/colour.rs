//! Names coloured by kind, in text for terminals.
//!
//! The tree is coloured from its own lines: trees quote every name that could be mistaken for
//! something else, so a line says where its name ends and what it is.

use trilist::Kind;

const RESET: &str = "\x1b[0m";

/// Adds the line of a path and its end.
pub(super) fn path(line: &str, kind: Kind, out: &mut String) {
    paint(line, style(kind), out);
    out.push('\n');
}

/// Adds the lines of a tree.
pub(super) fn tree(lines: &str, out: &mut String) {
    for line in lines.lines() {
        let name = line.trim_start_matches(' ');
        out.push_str(&line[..line.len() - name.len()]);
        let (name, marks) = name.split_at(name_end(name));
        paint(name, style(kind_of(name, marks)), out);
        out.push_str(marks);
        out.push('\n');
    }
}

fn style(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "",
        Kind::Dir => "\x1b[1;34m",
        Kind::Symlink => "\x1b[36m",
        Kind::Submodule => "\x1b[1;35m",
        Kind::Other => "\x1b[33m",
    }
}

fn paint(name: &str, style: &str, out: &mut String) {
    out.push_str(style);
    out.push_str(name);
    out.push_str(if style.is_empty() { "" } else { RESET });
}

/// Where a name, with the sign of its kind, ends in what follows the indentation.
fn name_end(line: &str) -> usize {
    let quoted = quoted_end(line);
    let marks = [" [", " -> ", "  ", " ("].iter().filter_map(|mark| line[quoted..].find(mark));
    quoted + marks.min().unwrap_or(line.len() - quoted)
}

/// Where the closing quote of a quoted name is behind; 0 for other names.
fn quoted_end(line: &str) -> usize {
    let Some(inner) = line.strip_prefix('"') else { return 0 };
    let mut is_escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'"' if !is_escaped => return at + 2,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    line.len()
}

fn kind_of(name: &str, marks: &str) -> Kind {
    match name.as_bytes().last() {
        Some(b'/') if marks.starts_with(" [submodule]") => Kind::Submodule,
        Some(b'/') => Kind::Dir,
        Some(b'@') => Kind::Symlink,
        Some(b'?') => Kind::Other,
        _ => Kind::File,
    }
}

#[cfg(test)]
mod tests {
    fn tree(lines: &str) -> String {
        let mut out = String::new();
        super::tree(lines, &mut out);
        out.replace('\x1b', "^")
    }

    #[test]
    fn only_names_are_coloured() {
        let lines = "src/ (continued)\n  main.rs  12 B\n  link@ -> main.rs\n  sub/ [submodule]\n";
        let painted = "^[1;34msrc/^[0m (continued)\n  main.rs  12 B\n  \
                       ^[36mlink@^[0m -> main.rs\n  ^[1;35msub/^[0m [submodule]\n";
        assert_eq!(tree(lines), painted);
    }

    #[test]
    fn a_quoted_name_ends_at_its_quote() {
        let lines = "\"a [x] \\\"b\"/ [empty]\n\"pipe\\\\\"?\n";
        let painted = "^[1;34m\"a [x] \\\"b\"/^[0m [empty]\n^[33m\"pipe\\\\\"?^[0m\n";
        assert_eq!(tree(lines), painted);
    }
}
