//! From files and directories to the text.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::judge::Mark;
use super::{Args, Found};
use crate::order::{Locale, stable_sort};
use crate::{Options, node_path, text};

/// The files as the program reads them out of ripgrep's lines; the same file is one entry, unless
/// `strict` keeps what a line break makes of it.
pub(super) fn lines(files: &[Vec<u8>], options: Options, limit: usize) -> Vec<String> {
    let decoded = files.iter().map(|file| text::lossy(file).into_owned());
    if !options.strict {
        return decoded.collect();
    }
    let lines = decoded.flat_map(|file| {
        let lines: Vec<String> = file.split('\n').map(str::to_owned).collect();
        lines
    });
    let lines = lines.filter(|line| !line.trim().is_empty());
    // Each line is taken for a path from the listed directory.
    let paths = lines.map(|line| node_path::relative("/", &node_path::resolve("/", &line)));
    paths.take(limit).collect()
}

/// Directories first, then files, each in the locale's order; and whether the cap is reached.
pub(super) fn combined(files: Vec<String>, dirs: Vec<String>, limit: usize) -> (Vec<String>, bool) {
    let mut known = BTreeSet::new();
    let all = dirs.into_iter().chain(files);
    let mut entries: Vec<String> = all.filter(|entry| known.insert(entry.clone())).collect();
    let locale = Locale::plain();
    entries
        .sort_by(|a, b| b.ends_with('/').cmp(&a.ends_with('/')).then_with(|| locale.compare(a, b)));
    entries.truncate(limit);
    let hit_limit = entries.len() >= limit;
    (entries, hit_limit)
}

/// Makes room at the end for those of the listed directory's own directories that are missing.
pub(super) fn with_first_level(
    mut entries: Vec<String>,
    first: Vec<String>,
    limit: usize,
) -> Vec<String> {
    let known: BTreeSet<&String> = entries.iter().collect();
    let missing: Vec<String> = first.into_iter().filter(|dir| !known.contains(dir)).collect();
    if missing.is_empty() {
        return entries;
    }
    entries.truncate(entries.len().saturating_sub(missing.len()));
    let is_first = |entry: &String| !entry.trim_end_matches('/').contains('/');
    let (first, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_first);
    let all = first.into_iter().chain(missing).chain(others);
    all.take(limit).collect()
}

/// The entries in the order of the text, with slashes alone between names.
pub(super) fn ordered(found: &Found) -> Vec<String> {
    let mut entries: Vec<String> =
        found.entries.iter().map(|entry| entry.replace('\\', "/")).collect();
    let locale = Locale::numeric_base();
    stable_sort(&mut entries, &mut |a, b| by_parts(a, b, &locale));
    entries
}

/// The text of ordered entries with their marks.
pub(super) fn text(
    args: &Args,
    options: Options,
    entries: &[(String, Mark)],
    hit_limit: bool,
) -> String {
    let lines: Vec<String> =
        entries.iter().filter_map(|(entry, mark)| line(args, options, entry, *mark)).collect();
    if hit_limit {
        return format!(
            "{}\n\n(File list truncated. Use list_files on specific subdirectories if you need to \
             explore further.)",
            lines.join("\n")
        );
    }
    if lines.is_empty() || lines == [""] { "No files found.".to_owned() } else { lines.join("\n") }
}

fn line(args: &Args, options: Options, entry: &str, mark: Mark) -> Option<String> {
    let shown = match options.strict {
        true => entry.to_owned(),
        false => text::path_on_one_line(entry, |name| name.contains('\n')),
    };
    match mark {
        Mark::Plain => Some(shown),
        Mark::Protected => Some(format!("🛡️ {shown}")),
        Mark::Ignored if args.show_ignored => Some(format!("🔒 {shown}")),
        Mark::Ignored => None,
    }
}

/// Part by part: what ends comes before what goes on, else numbers by value and letters of either
/// case alike. No order for every three names, which is why it needs a sort that bears that.
fn by_parts(a: &str, b: &str, locale: &Locale) -> Ordering {
    let (mut a, mut b) = (a.split('/').peekable(), b.split('/').peekable());
    loop {
        match (a.next(), b.next()) {
            (Some(part_a), Some(part_b)) if part_a == part_b => {}
            (Some(part_a), Some(part_b)) => {
                return match (a.peek().is_none(), b.peek().is_none()) {
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                    _ => locale.compare(part_a, part_b),
                };
            }
            (a, b) => return a.is_some().cmp(&b.is_some()),
        }
    }
}
