//! Trees deeper than paths can be, and too few descriptors for them.

use std::fs;

use rustix::fs::{CWD, Mode as Bits, OFlags, mkdirat, openat};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use trilist::{ListRequest, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::again::alone;
use crate::harness::{ask, everything, lister, page, rows, streamed, warned, whole};

/// A chain of directories; it takes itself apart, since a recursion would be too deep.
struct Chain {
    tree: Tree,
    name: String,
}

impl Chain {
    /// So many levels called `name`, with a directory `e/in` in every `every`th.
    fn new(levels: usize, name: &str, every: usize) -> Chain {
        let tree = Tree::empty();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let mut dir = openat(CWD, tree.path(), flags, Bits::empty()).unwrap();
        for level in 1..=levels {
            mkdirat(&dir, name, Bits::RWXU).unwrap();
            if level % every == 0 {
                mkdirat(&dir, "e", Bits::RWXU).unwrap();
                mkdirat(&dir, "e/in", Bits::RWXU).unwrap();
            }
            dir = openat(&dir, name, flags, Bits::empty()).unwrap();
        }
        Chain { tree, name: name.to_owned() }
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        let top = self.tree.join(&self.name);
        let next = self.tree.join("next");
        while fs::rename(top.join(&self.name), &next).is_ok() {
            let _ = fs::remove_dir_all(top.join("e"));
            let _ = fs::remove_dir(&top);
            let _ = fs::rename(&next, &top);
        }
    }
}

#[test]
fn t32_nesting_beyond_the_cap_is_told() {
    let chain = Chain::new(5_000, "d", 700);
    let (entries, end) = streamed(&lister(chain.tree.path()), &everything("."));
    let levels = entries.iter().filter(|entry| entry.path.ends_with('d')).count();
    assert_eq!(levels, 4_096);
    // Beside the way down lie directories whose parents have to be opened again.
    assert_eq!(entries.len() - levels, 2 * (4_096 / 700));
    assert!(!end.complete);
    let codes: Vec<_> =
        end.warnings.iter().map(|warning| (warning.code.name(), warning.gap)).collect();
    assert_eq!(codes, [("depth_capped", true)]);
}

#[test]
fn t32_paths_too_long_for_a_cursor_go_on_by_offset() {
    let chain = Chain::new(120, &"long-name-".repeat(10), 1_000);
    let lister = lister(chain.tree.path());
    let request = ListRequest { limit: Some(100), ..everything(".") };
    let first = page(&lister, &request);
    assert!(first.truncated && first.next_cursor.is_none());
    assert_eq!(first.next_offset, Some(101));
    assert!(first.notices[0].contains("too long for a cursor"), "{:?}", first.notices);
    let rest = page(&lister, &ListRequest { offset: first.next_offset, ..request.clone() });
    assert_eq!((rest.returned, rest.truncated), (20, false));
    // A shorter one resumes at its place, beyond what one system call can name.
    let cut = page(&lister, &ListRequest { limit: Some(55), ..request.clone() });
    let next = page(&lister, &ListRequest { cursor: cut.next_cursor, ..request });
    assert_eq!(next.entries[0].depth, 56);
    assert!(!next.drifted);
}

#[test]
fn t33_paths_beyond_the_systems_longest_are_listed() {
    let chain = Chain::new(500, "ten-bytes-", 100);
    for mode in [Mode::Fs, Mode::Files] {
        let page = whole(&lister(chain.tree.path()), &ListRequest { mode, ..everything(".") });
        assert!(page.complete, "{:?}", page.warnings);
        // Mode `files` has nothing to draw a directory from.
        assert_eq!(page.returned, if mode == Mode::Fs { 510 } else { 0 });
    }
}

#[test]
fn t22_few_descriptors_change_nothing_or_are_told() {
    if !alone(module_path!(), "t22_few_descriptors_change_nothing_or_are_told", "") {
        return;
    }
    let mut tree = TreeBuilder::new().repo();
    let mut dir = String::new();
    for level in 0..60 {
        dir.push_str("d/");
        let names = ["a/x.log", "a/x.txt", "z/y.log", "z/y.txt"];
        tree = tree.files(names.map(|name| format!("{dir}{name}")));
        if level % 3 == 0 {
            tree = tree
                .file(format!("{dir}.gitignore"), "*.log\n")
                .file(format!("{dir}z/.ignore"), "no\n");
        }
    }
    let tree = tree.build();
    let lister = lister(tree.path());
    let requests = [everything("."), ask(Mode::Files, ".")];
    let before = requests.each_ref().map(|request| whole(&lister, request));
    let open = fs::read_dir("/proc/self/fd").unwrap().count() as u64;
    for spare in [1, 2, 3, 4, 6, 12] {
        let limit = Rlimit { current: Some(open + spare), ..getrlimit(Resource::Nofile) };
        setrlimit(Resource::Nofile, limit).unwrap();
        for (request, right) in requests.iter().zip(&before) {
            // With nothing to open the listed directory with, the listing fails; never a wrong one.
            let Ok(page) = lister.list(
                &ListRequest { limit: Some(9_999), ..request.clone() },
                &trilist::Cancel::new(),
            ) else {
                assert!(spare < 4, "{spare} spare descriptors");
                continue;
            };
            let exhausted = page
                .warnings
                .iter()
                .any(|warning| warning.code.name() == "fd_exhausted" && warning.gap);
            if exhausted {
                assert!(!page.complete && spare < 6, "{spare} spare descriptors");
                continue;
            }
            assert_eq!(rows(&page), rows(right), "{spare} spare descriptors");
            assert_eq!(warned(&page), warned(right), "{spare} spare descriptors");
        }
    }
}
