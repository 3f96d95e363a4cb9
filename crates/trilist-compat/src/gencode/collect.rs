//! Reading the entries and bringing them into order.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use trilist::{Cancel, Kind, ListError, ListRequest, Lister, Metadata};

use super::{Args, Entry, Reply, Sort, Summary};
use crate::faults::Faults;
use crate::iso::iso;
use crate::order::Locale;
use crate::read::{self, Detail};
use crate::text;

/// An entry before it is told.
struct Found {
    path: String,
    kind: Kind,
    metadata: Metadata,
}

fn request(args: &Args, dir: &str) -> ListRequest {
    let by_facts = matches!(args.sort, Sort::Size | Sort::Modified);
    let detail = if args.long || by_facts { Detail::Metadata } else { Detail::Names };
    let kinds = match (args.directories_only, args.files_only) {
        (true, _) => Some(vec![Kind::Dir]),
        (_, true) => Some(vec![Kind::File]),
        _ => None,
    };
    ListRequest {
        depth: Some(if args.recursive { args.depth + 1 } else { 1 }),
        include_hidden: Some(args.all),
        kinds,
        pattern: args.pattern.iter().cloned().collect(),
        ..read::tree(dir.as_bytes(), detail)
    }
}

pub(super) fn collect(
    args: &Args,
    dir: &str,
    lister: &Lister,
    cancel: &Cancel,
) -> Result<Reply, ListError> {
    let mut found = Vec::new();
    let cancel = cancel.with_deadline(read::LONGEST);
    let page = read::each(lister, &request(args, dir), &cancel, &mut |entry| {
        found.push(Found {
            path: text::lossy(entry.path.as_bytes()).into_owned(),
            kind: entry.kind,
            metadata: entry.metadata.cloned().unwrap_or_default(),
        });
        let full = found.len() >= read::MOST_ENTRIES;
        if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    sort(args, &mut found);
    let total = found.len();
    let entries: Vec<Entry> =
        found.iter().take(args.limit).map(|found| entry(args, found)).collect();
    let mut notice = args.lowered.clone();
    let mut faults = Faults::default();
    faults.page(&page);
    notice.extend(faults.told());
    Ok(Reply {
        success: true,
        path: dir.to_owned(),
        truncated: Some(total > args.limit || page.truncated),
        summary: args.long.then(|| summary(&found[..entries.len()])),
        entries,
        error: None,
        total,
        notice,
    })
}

fn sort(args: &Args, found: &mut [Found]) {
    let locale = Locale::plain();
    let by_name = |a: &Found, b: &Found| by_parts(&a.path, &b.path, &locale, args.reverse);
    found.sort_by(|a, b| {
        let decided = match args.sort {
            Sort::Name => Ordering::Equal,
            Sort::Size => b.metadata.size_bytes.cmp(&a.metadata.size_bytes),
            Sort::Modified => b.metadata.modified.cmp(&a.metadata.modified),
            Sort::Type => rank(a.kind).cmp(&rank(b.kind)),
        };
        let decided = if args.reverse { decided.reverse() } else { decided };
        decided.then_with(|| by_name(a, b))
    });
}

/// Names part by part, so that a directory's contents come right behind it.
fn by_parts(a: &str, b: &str, locale: &Locale, reverse: bool) -> Ordering {
    let (mut a, mut b) = (a.split('/'), b.split('/'));
    loop {
        match (a.next(), b.next()) {
            (Some(a), Some(b)) => {
                let order = locale.compare(a, b).then_with(|| a.cmp(b));
                if order.is_ne() {
                    return if reverse { order.reverse() } else { order };
                }
            }
            (a, b) => return a.is_some().cmp(&b.is_some()),
        }
    }
}

fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Dir => 0,
        Kind::File => 1,
        Kind::Symlink => 2,
        Kind::Submodule | Kind::Other => 3,
    }
}

fn entry(args: &Args, found: &Found) -> Entry {
    let facts = args.long.then_some(&found.metadata);
    let name = found.path.rsplit('/').next().unwrap_or(&found.path);
    Entry {
        name: name.to_owned(),
        path: found.path.clone(),
        r#type: match found.kind {
            Kind::File => "file",
            Kind::Dir => "directory",
            Kind::Symlink => "symlink",
            Kind::Submodule | Kind::Other => "other",
        },
        size: facts.and_then(|facts| facts.size_bytes),
        modified: facts.and_then(|facts| facts.modified).map(iso),
        permissions: facts.and_then(|facts| facts.permissions).map(permissions),
        target: facts
            .and_then(|facts| facts.target.as_deref())
            .map(|target| text::lossy(target).into_owned()),
    }
}

/// The nine letters of `ls`. Set-uid, set-gid and sticky stand in the place of an `x`, small where
/// that is set as well.
fn permissions(mode: u32) -> String {
    let is_set = |at: u32| mode & (1 << at) != 0;
    let letter = |at: u32| match (at % 3, is_set(at)) {
        (0, may_execute) if is_set(9 + at / 3) => match (at, may_execute) {
            (0, true) => 't',
            (0, false) => 'T',
            (_, true) => 's',
            (_, false) => 'S',
        },
        (_, false) => '-',
        (0, true) => 'x',
        (1, true) => 'w',
        (_, true) => 'r',
    };
    (0..9).rev().map(letter).collect()
}

fn summary(found: &[Found]) -> Summary {
    let mut summary = Summary::default();
    for entry in found {
        match entry.kind {
            Kind::File => {
                summary.total_files += 1;
                let size = entry.metadata.size_bytes.unwrap_or(0);
                summary.total_size = summary.total_size.saturating_add(size);
            }
            Kind::Dir => summary.total_directories += 1,
            _ => {}
        }
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::permissions;

    /// The right column is what `ls -l` of GNU coreutils 9.1 prints.
    #[test]
    fn permissions_are_those_of_ls() {
        for (mode, right) in [
            (0o7777, "rwsrwsrwt"),
            (0o4644, "rwSr--r--"),
            (0o1776, "rwxrwxrwT"),
            (0o2750, "rwxr-s---"),
            (0o2640, "rw-r-S---"),
            (0o0755, "rwxr-xr-x"),
            (0o0000, "---------"),
        ] {
            assert_eq!(permissions(mode), right, "{mode:o}");
        }
    }
}
