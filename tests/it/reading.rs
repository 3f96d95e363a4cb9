//! Reads rendered pages back and compares them with the page.

use std::collections::BTreeMap;

use trilist::{Page, View, quote, render};

/// Asserts that every view holds every entry exactly once, under its own parent.
#[track_caller]
pub(crate) fn check(page: &Page) {
    let context = || format!("{:?}\n{}", page.after, render::text(page, View::Tree));
    let mut right: Vec<Vec<u8>> = page.entries.iter().map(|entry| entry.bytes().to_vec()).collect();
    let listed = render::rows(page, View::Paths);
    let listed: Vec<Vec<u8>> = listed.lines().map(path_of_line).collect();
    assert_eq!(listed, right, "paths of {}", context());
    let objects = render::rows(page, View::Entries);
    let objects: Vec<trilist::Entry> =
        objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects, page.entries);
    let reply: Page = serde_json::from_str(&render::json(page)).unwrap();
    assert_eq!(reply.entries, page.entries);

    let drawn = read_tree(&render::rows(page, View::Tree));
    right.sort();
    for path in &right {
        assert_eq!(drawn.get(path), Some(&1), "{:?} in {}", quote::shown(path), context());
    }
    // What is drawn besides are the directories above the rows.
    for path in drawn.keys().filter(|path| right.binary_search(path).is_err()) {
        let below = [path.as_slice(), b"/"].concat();
        assert!(
            right.iter().any(|row| row.starts_with(&below)),
            "{:?} in {}",
            quote::shown(path),
            context()
        );
    }
    frame(page, &render::text(page, View::Tree), &context());
    frame(page, &render::text(page, View::Paths), &context());
}

/// The first and the last line say whether the page is cut.
#[track_caller]
fn frame(page: &Page, text: &str, context: &str) {
    let cuts = text.lines().filter(|line| line.starts_with("CUT ")).count();
    assert_eq!(cuts, if page.truncated { 2 } else { 0 }, "{context}");
    assert_eq!(text.starts_with("CUT "), page.truncated);
    let ends = text.lines().filter(|line| line.contains("entries, ") || line.contains("entry, "));
    let ends = ends.filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
    assert_eq!(ends, usize::from(!page.truncated), "{context}");
}

fn path_of_line(line: &str) -> Vec<u8> {
    let bare = line.strip_suffix('/').unwrap_or(line);
    quote::unquoted(bare.as_bytes()).unwrap_or_else(|| bare.as_bytes().to_vec())
}

/// How often each path is drawn.
fn read_tree(text: &str) -> BTreeMap<Vec<u8>, u32> {
    let mut drawn = BTreeMap::new();
    let mut above: Vec<Vec<u8>> = Vec::new();
    for line in text.lines() {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        assert!(spaces % 2 == 0 && spaces / 2 <= above.len(), "{line:?} stands in the air");
        above.truncate(spaces / 2);
        let (name, _) = name_of(&line[spaces..]);
        above.push(name);
        *drawn.entry(above.join(&b'/')).or_default() += 1;
    }
    drawn
}

/// A name in front of a line, and the marks behind it.
fn name_of(line: &str) -> (Vec<u8>, &str) {
    if line.starts_with('"') {
        let end = closing_quote(line);
        return (quote::unquoted(&line.as_bytes()[..=end]).unwrap(), &line[end + 1..]);
    }
    let end = [" [", " (", " -> ", "  "].iter().filter_map(|mark| line.find(mark)).min();
    let (name, rest) = line.split_at(end.unwrap_or(line.len()));
    let bare = name.strip_suffix(['/', '@', '?']).unwrap_or(name);
    (bare.as_bytes().to_vec(), if rest.is_empty() { &line[bare.len()..] } else { rest })
}

fn closing_quote(line: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at,
            _ => {}
        }
    }
    panic!("no closing quote in {line:?}")
}
