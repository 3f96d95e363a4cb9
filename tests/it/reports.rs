//! The trees that follow reports of users: what git, ripgrep and mode `files` make of them. Hidden names are
//! included, `.git` is not.

use trilist::{Kind, Mode};
use trilist_tests::oracle::rg_files;
use trilist_tests::{Tree, require};

use crate::harness::{ask, lister, whole};

/// A tree, the directory that is listed, and what is right.
type Case = (&'static str, &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "ign01-anchored-nested",
        "",
        &[".gitignore", "foo/message", "foo/sub/.gitignore", "foo/sub/b"],
    ),
    ("ign01-anchored-nested", "foo", &["message", "sub/.gitignore", "sub/b"]),
    ("ign02-dir-excluded", "", &[".gitignore"]),
    ("ign02-contents-excluded", "", &[".gitignore", "build/keep.log"]),
    ("ign03-allow-list-by-suffix", "", &["README.md", "docs/a.md"]),
    ("ign03-allow-list-by-dir", "", &["tools/sub/h.js"]),
    ("ign04-metadata", "", &[".gitignore", "a.txt"]),
    ("ign05-bom-crlf", "", &[".aiderignore", ".gitignore", "keep.txt"]),
    ("ign06-malformed-line", "", &[".gitignore", "y.txt"]),
    ("ign07-tracked-ignored", "", &[".gitignore", "s.txt"]),
    ("ign08-scope", "up/proj", &[".gitignore", ".ignore", "a.txt", "data/x"]),
    ("ign08-scope", "plain", &[".gitignore", ".ignore", "sub/a.log", "sub/b.txt"]),
    ("ign08-scope", "out", &["in/z"]),
    (
        "ignore-layers",
        "",
        &[
            ".gitignore",
            ".ignore",
            ".rgignore",
            "dot-back-by-rg.txt",
            "git-back-by-ignore.txt",
            "git-back-by-rg.txt",
            "info-back-by-git.txt",
            "plain.txt",
        ],
    ),
    (
        "ignore-nested-parents",
        "one/two",
        &[
            ".gitignore",
            "back.gen",
            "keep.tmp",
            "three/.gitignore",
            "three/last.txt",
            "three/z/x/y",
        ],
    ),
];

#[test]
fn ripgrep_reads_them_as_reported() {
    if !require("rg") {
        return;
    }
    for (name, dir, right) in CASES {
        let tree = Tree::build(name);
        let listed = rg_files(&tree.join(dir), &["--hidden", "--glob", "!.git"]);
        let listed: Vec<_> = listed.iter().map(|path| String::from_utf8_lossy(path)).collect();
        assert_eq!(listed, *right, "{name} {dir}");
    }
}

#[test]
fn files_reads_them_as_reported() {
    for (name, dir, right) in CASES {
        let tree = Tree::build(name);
        let path = if dir.is_empty() { "." } else { dir };
        let page = whole(&lister(tree.path()), &ask(Mode::Files, path));
        let files = page.entries.iter().filter(|entry| entry.kind == Kind::File);
        let files: Vec<_> = files.map(|entry| entry.path.as_str()).collect();
        assert_eq!(files, *right, "{name} {dir}");
    }
}
