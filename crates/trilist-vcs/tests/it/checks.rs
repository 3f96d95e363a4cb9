//! What must hold of every listing whose right answer is known.

use std::collections::BTreeSet;
use std::path::Path;

use trilist_core::{Bound, Query, RelPathBuf};

use crate::support::{Told, Union, expected, list, page, query};

/// Where a repository lies.
pub(crate) struct At<'a> {
    pub(crate) root: &'a Path,
    /// The repository's top below the root.
    pub(crate) top: &'a str,
}

impl<'a> At<'a> {
    /// A repository whose top is the root.
    pub(crate) fn top(root: &'a Path) -> Self {
        At { root, top: "" }
    }

    /// The query for a directory of the repository, from the root.
    fn place(&self, query: &Query) -> Query {
        let top = RelPathBuf::new(self.top).expect("a relative path");
        Query { base: top.join(query.base.as_path()), ..query.clone() }
    }
}

/// Every depth, with and without hidden names, from every place, whole and in pieces.
pub(crate) fn check_all(at: &At<'_>, union: &Union, context: &str) {
    for depth in [1, 2, 4096] {
        for include_hidden in [true, false] {
            let asked = Query { depth, include_hidden, ..query() };
            let context = format!("{context}, depth {depth}, hidden {include_hidden}");
            check(at, union, &asked, &context);
        }
    }
    let dirs: BTreeSet<_> = union
        .keys()
        .filter_map(|path| path.iter().rposition(|byte| *byte == b'/').map(|at| &path[..at]))
        .collect();
    for base in dirs {
        for want in [None, Some(3)] {
            let base = RelPathBuf::new(base).expect("git's path");
            let asked = Query { want, ..Query::new(base) };
            let told = list(at.root, &at.place(&asked)).expect(context);
            assert_eq!(told, expected(union, &asked), "{context}, below {:?}", asked.base);
        }
    }
}

fn check(at: &At<'_>, union: &Union, asked: &Query, context: &str) {
    let right = expected(union, asked);
    assert_eq!(list(at.root, &at.place(asked)).expect(context), right, "{context}");
    check_probes(at, union, asked, &right, context);
    // Of a long listing not every place is tried.
    for (number, last) in right.iter().enumerate().step_by(1 + right.len() / 60) {
        let after = RelPathBuf::new(last.path()).ok();
        let want = [None, Some(1), Some(4)][number % 3];
        let resumed = Query { after, want, ..asked.clone() };
        let told = list(at.root, &at.place(&resumed)).expect(context);
        assert_eq!(told, right[number + 1..], "{context}, after {:?}", resumed.after);
        if number % 3 == 0 {
            let with_it = Query { bound: Bound::At, ..resumed.clone() };
            let told = list(at.root, &at.place(&with_it)).expect(context);
            assert_eq!(told, right[number..], "{context}, at {:?}", resumed.after);
        }
        if number % 4 == 0 {
            let few = Query { want: Some(number + 1), ..asked.clone() };
            let (told, beyond, _) = page(at.root, &at.place(&few), number + 1);
            assert_eq!(told, right[..=number], "{context}");
            assert_eq!(beyond, dirs_beyond(union, asked, last.path()), "{context}");
        }
    }
}

/// What a listing says of one path and the way to it, for each path that there is or that may be
/// taken for one.
fn check_probes(at: &At<'_>, union: &Union, asked: &Query, right: &[Told], context: &str) {
    let named = |path: &[u8]| {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let dirs = slashes.map(|(end, _)| path[..end].to_vec());
        dirs.chain([path.to_vec(), [path, b"-"].concat(), [path, b"/x"].concat()])
            .collect::<Vec<_>>()
    };
    let all: BTreeSet<_> = union.keys().flat_map(|path| named(path)).collect();
    for path in all.iter().step_by(1 + all.len() / 12) {
        let probe = RelPathBuf::new(path.clone()).expect("git's path");
        let query = Query { probe: Some(probe), want: Some(1), ..asked.clone() };
        let told = list(at.root, &at.place(&query)).expect(context);
        let is_below = |long: &[u8], short: &[u8]| {
            long.strip_prefix(short).is_some_and(|rest| rest.first() == Some(&b'/'))
        };
        let concerns = |told: &&Told| {
            told.path() == path || is_below(path, told.path()) || is_below(told.path(), path)
        };
        let right: Vec<_> = right.iter().filter(concerns).cloned().collect();
        assert_eq!(told, right, "{context}, probe {:?}", query.probe);
    }
}

/// The directories directly below the listed one of which nothing comes up to `after`: at the
/// depth limit that is their row, else what is below them. No more than 50 are told.
fn dirs_beyond(union: &Union, asked: &Query, after: &[u8]) -> Vec<Vec<u8>> {
    let all = Query { depth: 1, ..asked.clone() };
    // A name that is a file in the index and a directory in HEAD counts as well.
    let only_dirs: Union = union
        .iter()
        .filter(|(path, _)| path.contains(&b'/'))
        .map(|(path, row)| (path.clone(), *row))
        .collect();
    let rows = expected(&only_dirs, &all);
    let dirs = rows.iter().filter(|told| matches!(told, Told::Entry(..)));
    let is_beyond = |dir: &Vec<u8>| {
        let contents = [dir.as_slice(), b"/"].concat();
        let first = if asked.depth == 1 { dir } else { &contents };
        first.as_slice() > after && !after.starts_with(&contents)
    };
    dirs.map(|told| told.path().to_vec()).filter(is_beyond).take(50).collect()
}
