//! On random trees and repositories, an explanation says what the whole listing says.

use std::collections::{BTreeMap, BTreeSet};

use trilist::{
    Cancel, Entry, Explanation, IgnorePolicy, Kind, ListRequest, Lister, MAX_EXPLAINED, Mode, Page,
    PathArg, Reason, Show, Standing, quote,
};
use trilist_tests::oracle::{find_paths, git_ls_files, git_ls_tree};

use crate::forest::plant;
use crate::harness::{ask, assert_clean, lister, page, pages_by_cursor, whole};
use crate::props::{RICH, for_forests, requests};
use crate::tracked::{TRACKED, repository};

/// The answers of one mode for many paths, in their order.
pub(super) fn explain(
    lister: &Lister,
    request: &ListRequest,
    paths: &[Vec<u8>],
) -> Vec<Explanation> {
    let args: Vec<PathArg> = paths.iter().map(|path| PathArg::from(path.clone())).collect();
    let answers = args
        .chunks(MAX_EXPLAINED)
        .flat_map(|args| lister.explain(request, &[request.mode], args, &Cancel::new()).unwrap());
    answers.collect()
}

fn standing<'e>(request: &ListRequest, explained: &'e Explanation) -> &'e Standing {
    explained.modes.of(request.mode).unwrap()
}

/// Explanations of these paths, relative to the listed directory, agree with the whole listing.
/// `above` is that directory with a slash, relative to the root.
pub(crate) fn check(
    lister: &Lister,
    request: &ListRequest,
    above: &[u8],
    disk: &BTreeSet<Vec<u8>>,
) {
    let all = whole(lister, request);
    let listed: BTreeSet<&[u8]> = all.entries.iter().map(Entry::bytes).collect();
    let mut paths: BTreeSet<Vec<u8>> = disk.clone();
    for path in disk.iter().map(Vec::as_slice).chain(listed.iter().copied()) {
        paths.extend([path.to_vec(), [path, b"-none"].concat(), [path, b"/none"].concat()]);
    }
    let paths: Vec<Vec<u8>> = paths.into_iter().collect();
    let spelled: Vec<_> = paths.iter().map(|path| spelled(above, path)).collect();
    let answers = explain(lister, request, &spelled);
    let mut own = BTreeMap::<&str, u64>::new();
    for (path, answer) in paths.iter().zip(&answers) {
        let standing = standing(request, answer);
        let context = format!("{} in {request:?}: {standing:?}", path.escape_ascii());
        assert_eq!(standing.listed, Some(is_listed(request.mode, &listed, path)), "{context}");
        assert_eq!(answer.path, quote::shown(path), "{context}");
        assert_eq!(standing.reason.is_none(), standing.listed == Some(true), "{context}");
        assert_clean(&standing.message);
        if let (Some(reason), None) = (standing.reason, &standing.at) {
            *own.entry(reason.name()).or_default() += 1;
        }
    }
    check_examples(request, &all, &paths, &answers);
    // Paths through followed links are on no disk.
    if !request.follow_symlinks {
        for reason in Reason::COUNTED {
            let counted = all.omitted.iter().find(|one| one.reason == reason);
            let counted = counted.map_or(0, |one| one.count);
            let told = own.get(reason.name()).copied().unwrap_or(0);
            assert_eq!(told, counted, "{} in {request:?}", reason.name());
        }
    }
    check_cursors(lister, request, &all, &paths, &answers);
}

/// A path as an argument, as listings show it.
fn spelled(above: &[u8], path: &[u8]) -> Vec<u8> {
    quote::shown(&[above, path].concat()).as_bytes().to_vec()
}

fn is_listed(mode: Mode, listed: &BTreeSet<&[u8]>, path: &[u8]) -> bool {
    let below = [path, b"/"].concat();
    let has_below = || {
        let behind = listed.range(below.as_slice()..).next();
        mode != Mode::Fs && behind.is_some_and(|next| next.starts_with(&below))
    };
    listed.contains(path) || has_below()
}

/// What the listing names as left out has that reason, and that rule if it is the only one.
fn check_examples(request: &ListRequest, all: &Page, paths: &[Vec<u8>], answers: &[Explanation]) {
    for omission in &all.omitted {
        for example in &omission.examples {
            let shown = example.strip_suffix('/').unwrap_or(example);
            let bytes = quote::unquoted(shown.as_bytes()).unwrap_or_else(|| shown.into());
            let Ok(at) = paths.binary_search(&bytes) else {
                assert!(request.follow_symlinks, "{example} is on no disk");
                continue;
            };
            let standing = standing(request, &answers[at]);
            let context = format!("{example} in {request:?}: {standing:?}");
            assert_eq!(
                (standing.reason, &standing.at),
                (Some(omission.reason), &None),
                "{context}"
            );
            if let [rule] = &omission.rules[..] {
                let told = standing.rule.as_ref().expect("it has a rule");
                let right = (&rule.source, rule.line, &rule.pattern);
                assert_eq!((&told.source, told.line, &told.pattern), right, "{context}");
            }
        }
    }
}

/// The page of a cursor starts with the path, or below it, and goes on as the listing does.
fn check_cursors(
    lister: &Lister,
    request: &ListRequest,
    all: &Page,
    paths: &[Vec<u8>],
    answers: &[Explanation],
) {
    let entries: Vec<&[u8]> = all.entries.iter().map(Entry::bytes).collect();
    for (number, (path, answer)) in paths.iter().zip(answers).enumerate() {
        let standing = standing(request, answer);
        assert_eq!(standing.cursor.is_some(), standing.listed == Some(true));
        let Some(cursor) = standing.cursor.clone().filter(|_| number % 3 == 0) else { continue };
        let below = [path.as_slice(), b"/"].concat();
        let is_it = |entry: &&[u8]| *entry == path || entry.starts_with(&below);
        let from = entries.iter().position(is_it).expect("it is listed");
        let start = ListRequest { limit: Some(2), cursor: Some(cursor), ..request.clone() };
        let first = page(lister, &start);
        let got: Vec<&[u8]> = first.entries.iter().map(Entry::bytes).collect();
        assert_eq!(got, entries[from..entries.len().min(from + 2)], "{request:?}");
        assert!(!first.drifted && !first.complete && first.total.is_none());
        assert_eq!(first.next_offset, None);
        if number % 9 == 0 {
            let rest = pages_by_cursor(lister, &start);
            let rest: Vec<&[u8]> =
                rest.iter().flat_map(|page| page.entries.iter().map(Entry::bytes)).collect();
            assert_eq!(rest, entries[from..]);
        }
    }
}

#[test]
fn explanations_agree_with_listings_on_disk() {
    for_forests(16, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        let disk = find_paths(tree.path()).into_iter().map(|(path, _)| path).collect();
        for request in requests() {
            check(&lister, &request, b"", &disk);
        }
        for request in further() {
            check(&lister, &request, b"", &disk);
        }
    });
}

#[test]
fn explanations_agree_with_listings_of_directories() {
    for_forests(12, RICH, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        let dirs = ["a", "A", "a/a", "a-b"].into_iter().filter(|dir| {
            let place = tree.join(dir);
            place.is_dir() && !place.is_symlink()
        });
        for dir in dirs {
            let disk = find_paths(&tree.join(dir)).into_iter().map(|(path, _)| path).collect();
            for request in requests().into_iter().chain(further()) {
                let request = ListRequest { path: dir.into(), ..request };
                check(&lister, &request, format!("{dir}/").as_bytes(), &disk);
            }
        }
    });
}

/// Requests with marks, with patterns to leave out and with layers switched off.
fn further() -> Vec<ListRequest> {
    let mut all = Vec::new();
    for mode in [Mode::Fs, Mode::Files] {
        let layers =
            IgnorePolicy { git: Some(true), dot_ignore: Some(true), ..IgnorePolicy::default() };
        let marked = IgnorePolicy { show: Some(Show::Mark), ..layers.clone() };
        let shallow = ListRequest { depth: Some(1), ..ask(mode, ".") };
        let out = IgnorePolicy {
            patterns: vec!["a*".to_owned(), "/A".to_owned()],
            keep: vec!["a/**/a0".to_owned()],
            ..layers
        };
        all.push(ListRequest { ignore: marked, depth: Some(5), ..ask(mode, ".") });
        let kept = |keep: &str| IgnorePolicy {
            keep: vec![keep.to_owned()],
            ..IgnorePolicy { builtin: Some(true), ..out.clone() }
        };
        for depth in [2, 5] {
            for keep in ["a0", "a/a-b", "**/A/*"] {
                all.push(ListRequest { ignore: kept(keep), depth: Some(depth), ..ask(mode, ".") });
            }
        }
        all.push(ListRequest { ignore: out, depth: Some(5), ..ask(mode, ".") });
        all.push(ListRequest { ignore: IgnorePolicy::none(), ..shallow.clone() });
        let kinds = Some(vec![Kind::File, Kind::Symlink]);
        all.push(ListRequest { kinds, pattern: vec!["a*".to_owned()], ..shallow });
    }
    all
}

#[test]
fn explanations_agree_with_listings_of_repositories() {
    for_forests(14, TRACKED, |forest| {
        let tree = repository(forest);
        std::fs::write(tree.join(".aiderignore"), "a0\nzz/\n!a/a0\n*.b\n").unwrap();
        let lister = lister(tree.path());
        let mut paths: BTreeSet<Vec<u8>> = git_ls_files(tree.path()).into_iter().collect();
        paths.extend(git_ls_tree(tree.path()));
        paths.extend(paths.clone().iter().flat_map(|path| dirs(path)));
        for request in versioned() {
            check(&lister, &request, b"", &paths);
        }
        let request = ListRequest { path: "a".into(), ..ask(Mode::Vcs, "a") };
        if lister.list(&request, &Cancel::new()).is_ok() {
            let below = paths.iter().filter_map(|path| path.strip_prefix(b"a/"));
            let below = below.map(<[u8]>::to_vec).collect();
            check(&lister, &request, b"a/", &below);
            let request = ListRequest { subtree: false, ..request };
            check(&lister, &request, b"", &paths);
        }
    });
}

/// The directories on the way to a path.
fn dirs(path: &[u8]) -> Vec<Vec<u8>> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.map(|(at, _)| path[..at].to_vec()).collect()
}

fn versioned() -> Vec<ListRequest> {
    let plain = ask(Mode::Vcs, ".");
    let ignoring = |ignore| ListRequest { ignore, ..plain.clone() };
    let aider =
        IgnorePolicy { aiderignore: vec![".aiderignore".to_owned()], ..IgnorePolicy::default() };
    let out = IgnorePolicy {
        patterns: vec!["a*".to_owned()],
        keep: vec!["a/a0".to_owned()],
        ..IgnorePolicy::default()
    };
    let hidden = Some(false);
    vec![
        plain.clone(),
        ListRequest { depth: Some(1), ..plain.clone() },
        ListRequest { depth: Some(2), include_hidden: hidden, ..plain.clone() },
        ListRequest { pattern: vec!["a*".to_owned()], ..plain.clone() },
        ListRequest { kinds: Some(vec![Kind::Symlink]), ..plain.clone() },
        ignoring(aider),
        ignoring(out),
    ]
}
