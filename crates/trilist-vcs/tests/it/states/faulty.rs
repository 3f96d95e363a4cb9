//! Repositories that are listed with a gap, or not at all.

use std::fs;
use std::path::Path;

use trilist_core::{FaultCode, Query, VcsState};
use trilist_tests::{TreeBuilder, git, require};

use super::{Place, committed};
use crate::support::{Told, below, blob, faults, index_info, list, names, query};

/// A state in which something is missing.
pub(super) struct Gap {
    pub(super) name: &'static str,
    which: &'static str,
    make: fn() -> Place,
    pub(super) code: FaultCode,
    /// What the one warning says; a name that differs from run to run is `…`.
    pub(super) message: &'static str,
}

/// A state in which nothing is listed.
pub(super) struct Refusal {
    pub(super) name: &'static str,
    make: fn() -> Place,
    /// `code: message`, as it is printed.
    pub(super) said: &'static str,
}

fn gap(name: &'static str, which: &'static str, message: &'static str, make: fn() -> Place) -> Gap {
    Gap { name, which, make, code: FaultCode::VcsIndexInvalid, message }
}

fn refusal(name: &'static str, said: &'static str, make: fn() -> Place) -> Refusal {
    Refusal { name, make, said }
}

/// Writes over the index of a repository with a commit.
fn with_index(bytes: &[u8]) -> Place {
    Place::made(&committed().file(".git/index", bytes))
}

fn split() -> TreeBuilder {
    let tree = committed().git(&["config", "splitIndex.maxPercentChange", "100"]);
    tree.git(&["update-index", "--split-index"]).file("e", "1").files(["n"]).git(&["add", "-A"])
}

/// Does something to the shared file of a split index.
fn with_shared(change: impl Fn(&Path)) -> Place {
    let place = Place::made(&split());
    let dir = fs::read_dir(place.tree.path().join(".git")).expect("there");
    for file in dir.flatten() {
        if file.file_name().as_encoded_bytes().starts_with(b"sharedindex.") {
            change(&file.path());
        }
    }
    place
}

/// Writes over bytes of the extension of a split index, counted from the base's name.
fn with_link(at: usize, bytes: &[u8]) -> Place {
    let place = Place::made(&split());
    let path = place.tree.path().join(".git/index");
    let mut index = fs::read(&path).expect("read");
    let link = index.windows(4).rposition(|four| four == b"link").expect("a split index") + 8;
    index[link + at..][..bytes.len()].copy_from_slice(bytes);
    let end = index.len() - 20;
    index[end..].fill(0);
    fs::write(&path, index).expect("written");
    place
}

pub(super) fn gaps() -> Vec<Gap> {
    const SHARED: &str = "shared index missing or damaged";
    vec![
        gap("empty index", "", "it ends after 0 bytes, in the middle of the header", || {
            with_index(b"")
        }),
        gap("damaged index", "no index", "it does not begin like an index", || {
            with_index(b"garbage, and more of it, but no index at all")
        }),
        gap("damaged index", "version", "its version is 5, known are 2, 3 and 4", || {
            with_index(&[&b"DIRC\0\0\0\x05\0\0\0\0"[..], &[0; 20]].concat())
        }),
        gap("damaged index", "count", "it claims 4294967295 entries in 32 bytes", || {
            with_index(&[&b"DIRC\0\0\0\x02\xff\xff\xff\xff"[..], &[0; 20]].concat())
        }),
        gap("damaged index", "checksum", "its checksum is wrong", || {
            let place = Place::made(&committed());
            let path = place.tree.path().join(".git/index");
            let mut bytes = fs::read(&path).expect("read");
            bytes[40] ^= 1;
            fs::write(&path, bytes).expect("written");
            place
        }),
        gap("damaged index", "a name, version 4", "entry 1 is damaged: its name's length", || {
            let place = Place::made(&committed().git(&["update-index", "--index-version", "4"]));
            let path = place.tree.path().join(".git/index");
            let mut bytes = fs::read(&path).expect("read");
            // The length in the first entry's flags; without a checksum nothing else tells.
            bytes[12 + 61] ^= 3;
            let end = bytes.len() - 20;
            bytes[end..].fill(0);
            fs::write(&path, bytes).expect("written");
            place
        }),
        gap(SHARED, "gone", "its shared index `…`: there is no such file", || {
            with_shared(|path| fs::remove_file(path).expect("removed"))
        }),
        gap(
            SHARED,
            "another file",
            "its shared index `…`: it does not end in the checksum that is its name",
            || {
                with_shared(|path| {
                    let index = path.with_file_name("index");
                    fs::copy(index, path).expect("copied");
                })
            },
        ),
        gap(SHARED, "damaged", "its shared index `…`: its checksum is wrong", || {
            with_shared(|path| {
                let mut bytes = fs::read(path).expect("read");
                bytes[40] ^= 1;
                fs::write(path, bytes).expect("written");
            })
        }),
        gap(
            SHARED,
            "a directory",
            "its shared index `…`: it is a directory, not a regular file",
            || {
                with_shared(|path| {
                    fs::remove_file(path).expect("removed");
                    fs::create_dir(path).expect("made");
                })
            },
        ),
        gap(
            SHARED,
            "bitmaps",
            "its extension `link` is damaged: its bitmaps",
            // The number of words of the first bitmap.
            || with_link(20 + 4, &[0xff]),
        ),
        gap(
            SHARED,
            "positions",
            "its extension `link` is damaged: it names entries that the shared index does not have",
            // The first bitmap begins with a run of zeros, which are none now.
            || with_link(20 + 8 + 7, &[0xff]),
        ),
        gap(
            SHARED,
            "no name",
            "its extension `link` is damaged: it changes a shared index that it does not name",
            // As git writes it with `index.skipHash`, and then lists no name either.
            || with_link(0, &[0; 20]),
        ),
    ]
}

/// Writes over the packed references of a repository that has no loose ones.
fn with_packed_refs(change: impl Fn(&str) -> String) -> Place {
    let place = Place::made(&committed().git(&["pack-refs", "--all", "--prune"]));
    let path = place.tree.path().join(".git/packed-refs");
    let text = fs::read_to_string(&path).expect("written by git");
    fs::write(&path, change(&text)).expect("written");
    place
}

pub(super) fn refusals() -> Vec<Refusal> {
    vec![
        refusal("no repository", "not_a_repository: `…` is not in a git repository", || {
            Place::made(&TreeBuilder::new().files(["a"]))
        }),
        refusal(
            "bare repository in the listed directory, not named",
            "not_a_repository: `…` is not in a git repository",
            || {
                Place::made(&TreeBuilder::new().dir("d").git(&["init", "-q", "--bare", "d/x.git"]))
                    .at("", "d")
            },
        ),
        refusal(
            "the repository's top lies above the root",
            "vcs_refused: the repository is refused: its top lies above the root",
            || Place::made(&committed()).at("a", ""),
        ),
        refusal(
            "reftable",
            "vcs_refused: the repository is refused: `extensions.refstorage = reftable` is not read yet",
            || {
                let tree = TreeBuilder::new().git(&["init", "-q", "--ref-format=reftable"]);
                Place::made(&tree.files(["a"]).commit("i"))
            },
        ),
        refusal(
            "packed references that end within a line",
            "vcs_invalid: the repository cannot be read: `packed-refs` is damaged: line 2 does not end",
            || with_packed_refs(|text| text.trim_end().to_owned()),
        ),
        refusal(
            "packed references with a line that is none",
            "vcs_invalid: the repository cannot be read: `packed-refs` is damaged: line 1 is no reference",
            || {
                with_packed_refs(|text| {
                    let (_, refs) = text.split_once('\n').expect("a header");
                    format!("junk\n{refs}")
                })
            },
        ),
        refusal(
            "an unknown extension of the repository",
            "vcs_refused: the repository is refused: the extension `unheardof` is not known here",
            || {
                let tree = committed().git(&["config", "core.repositoryformatversion", "1"]);
                Place::made(&tree.git(&["config", "extensions.unheardOf", "1"]))
            },
        ),
        refusal(
            "an unknown version of the repository",
            "vcs_refused: the repository is refused: its format has version 2; known are 0 and 1",
            || Place::made(&committed().git(&["config", "core.repositoryformatversion", "2"])),
        ),
        refusal(
            "an unknown extension of the index that must be understood",
            "vcs_refused: the repository is refused: its index has the extension `newx`, which is not known",
            || {
                let place = Place::made(&committed());
                let path = place.tree.path().join(".git/index");
                let mut bytes = fs::read(&path).expect("read");
                bytes.truncate(bytes.len() - 20);
                bytes.extend(b"newx\0\0\0\x01!");
                bytes.extend([0; 20]);
                fs::write(&path, bytes).expect("written");
                place
            },
        ),
        refusal(
            "git directory outside the root that does not point back",
            "vcs_refused: the repository is refused: `.git` leads outside the root to a place that does not point back",
            || {
                let tree = TreeBuilder::new().files(["w/a"]);
                let tree = tree.git_in("w", &["init", "-q", "--separate-git-dir", "../g"]);
                Place::made(&tree).at("w", "")
            },
        ),
        refusal(
            "`.git` is a link that leads outside the root",
            "vcs_refused: the repository is refused: `.git` is a link that leads outside the root",
            || Place::made(&committed().dir("w").symlink("w/.git", "../.git")).at("w", ""),
        ),
        refusal(
            "`commondir` outside the root that does not point back",
            "vcs_refused: the repository is refused: `commondir` leads outside the root to a place that does not point back",
            || {
                let tree = committed().git(&["init", "-q", "w"]);
                Place::made(&tree.file("w/.git/commondir", "../../.git\n")).at("w", "")
            },
        ),
        refusal(
            "`core.worktree` names another work tree",
            "vcs_refused: the repository is refused: `core.worktree` names another work tree",
            || Place::made(&committed().git(&["config", "core.worktree", "../f"])),
        ),
        refusal(
            "objects borrowed from a store outside the root",
            "vcs_refused: the repository is refused: `objects/info/alternates` leads outside the root",
            || {
                let tree = TreeBuilder::new().files(["a/x"]).git_in("a", &["init", "-q"]);
                let tree =
                    tree.git_in("a", &["add", "-A"]).git_in("a", &["commit", "-q", "-m", "i"]);
                Place::made(&tree.git(&["clone", "-q", "--shared", "a", "b"])).at("b", "")
            },
        ),
        refusal(
            "a link among git's files",
            "vcs_refused: the repository is refused: `HEAD` in the git directory is a link",
            || Place::made(&committed().rename(".git/HEAD", ".git/H").symlink(".git/HEAD", "H")),
        ),
        refusal(
            "a strange file among git's",
            "vcs_invalid: the repository cannot be read: `index` is not a regular file",
            || Place::made(&committed().remove(".git/index").fifo(".git/index")),
        ),
        refusal(
            "HEAD is neither a commit nor a reference",
            "vcs_invalid: the repository cannot be read: `HEAD` holds neither a commit's id nor a reference",
            || Place::made(&committed().file(".git/HEAD", "nonsense\n")),
        ),
        refusal(
            "HEAD leads out of the references",
            "vcs_invalid: the repository cannot be read: `HEAD` leads to a reference whose name is not allowed",
            || Place::made(&committed().file(".git/HEAD", "ref: ../../x\n")),
        ),
        refusal(
            "references in a loop",
            "vcs_invalid: the repository cannot be read: `HEAD` leads through more than 5 symbolic references",
            || {
                let tree = committed().file(".git/HEAD", "ref: refs/heads/loop\n");
                Place::made(&tree.file(".git/refs/heads/loop", "ref: refs/heads/loop\n"))
            },
        ),
    ]
}

/// What stands for a name that differs from run to run.
fn without_names(message: &str) -> String {
    let shared =
        |word: &str| word.starts_with("sharedindex.") || word.starts_with('/') || word == "d";
    let words = message.split('`').enumerate();
    let words = words.map(|(at, word)| if at % 2 == 1 && shared(word) { "…" } else { word });
    words.collect::<Vec<_>>().join("`")
}

#[test]
fn without_an_index_that_can_be_read_heads_files_are_listed_and_one_gap_told() {
    if !require("git") {
        return;
    }
    for Gap { name, which, make, code, message } in gaps() {
        let context = format!("{name} {which}");
        let place = make();
        let told = list(place.tree.path(), &query()).expect(&context);
        let in_head = git(place.tree.path(), &["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
        let in_head: Vec<_> =
            in_head.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
        let entries = told.iter().filter(|told| matches!(told, Told::Entry(..)));
        assert_eq!(entries.map(Told::path).collect::<Vec<_>>(), in_head, "{context}");
        assert_eq!(faults(&told), [(code, true)], "{context}");
        for told in &told {
            match told {
                Told::Fault(.., said) => assert_eq!(without_names(said), message, "{context}"),
                // Nothing is known to be deleted.
                Told::Entry(.., Some(info)) => {
                    assert_eq!(
                        (info.head, info.index, info.state),
                        (true, false, VcsState::Tracked)
                    );
                }
                other => panic!("{context}: {other:?}"),
            }
        }
    }
}

#[test]
fn t50_t51_t55_what_is_refused_says_why() {
    if !require("git") {
        return;
    }
    for Refusal { name, make, said } in refusals() {
        let place = make();
        let root = place.tree.path().join(place.root);
        match list(&root, &below(place.top)) {
            Ok(told) => panic!("{name}: {told:?}"),
            Err(error) => {
                let found = without_names(&format!("{}: {error}", error.code()));
                assert_eq!(found, said, "{name}");
                let outside = place.tree.outside().to_str().expect("a plain name");
                let root = root.to_str().expect("a plain name").trim_end_matches('/');
                let names_root = error.to_string().replace(root, "");
                assert!(!names_root.contains(outside), "{name}: {error}");
            }
        }
    }
}

#[test]
fn a_missing_tree_is_a_gap_and_the_index_still_counts() {
    if !require("git") {
        return;
    }
    let place = Place::made(&committed());
    let dir = place.tree.path();
    let id = git(dir, &["rev-parse", "HEAD:a"]);
    let id = String::from_utf8(id).expect("hexadecimal");
    let (first, rest) = id.trim().split_at(2);
    fs::remove_file(dir.join(".git/objects").join(first).join(rest)).expect("removed");
    let blob = blob(dir);
    for lines in [String::new(), format!("100644 {blob}\ta/new\n")] {
        index_info(dir, &lines);
        let all = list(dir, &query()).expect("listed");
        let named = git(dir, &["ls-files", "-z"]);
        let named: Vec<_> =
            named.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
        let entries = all.iter().filter(|told| matches!(told, Told::Entry(..)));
        assert_eq!(entries.map(Told::path).collect::<Vec<_>>(), named);
        assert_eq!(faults(&all), [(FaultCode::VcsObjectInvalid, true)]);
    }
}

#[test]
fn a_partial_clone_without_trees_lists_what_is_staged_and_a_gap() {
    if !require("git") {
        return;
    }
    let tree = committed().git(&["config", "uploadpack.allowFilter", "true"]).build();
    let url = format!("file://{}", tree.path().to_str().expect("a plain name"));
    tree.git(&["clone", "-q", "--no-checkout", "--filter=tree:0", &url, "copy"]);
    let dir = tree.path().join("copy");
    let blob = blob(&dir);
    index_info(&dir, &format!("100644 {blob}\ta/staged\n"));
    for want in [None, Some(5)] {
        let told = list(&dir, &Query { want, ..query() }).expect("listed");
        assert_eq!(names(&told), ["a/staged"]);
        assert_eq!(faults(&told), [(FaultCode::VcsObjectInvalid, true)]);
    }
}
