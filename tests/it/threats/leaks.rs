//! What a refusal says: nothing of what lies outside, of other roots, or of a file's content.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use trilist::{Cancel, ErrorReply, ListRequest, Lister, Mode, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{MODES, ask, policy};

/// Words that stand outside the root, in another root, or in files alone.
const SECRETS: [&str; 4] = ["OUTSIDE", "OTHERROOT", "CONTENT", "BEYOND"];

/// A root with ways out of every kind, beside what must not be told.
fn tree() -> (Tree, PathBuf) {
    let tree = TreeBuilder::new()
        .repo()
        .files(["a/x", "plain"])
        .file("file", "CONTENT of a file\n")
        .file(".gitignore", "*.CONTENT\n")
        .commit("one")
        .symlink("loop", "loop")
        .build();
    let outside = tree.outside().to_path_buf();
    std::fs::create_dir_all(outside.join("OUTSIDE/BEYOND")).unwrap();
    std::fs::write(outside.join("OUTSIDE/file"), "CONTENT").unwrap();
    std::fs::create_dir_all(outside.join("OTHERROOT/in")).unwrap();
    for (name, target) in [
        ("out", "../OUTSIDE"),
        ("file-out", "../OUTSIDE/file"),
        ("dangling-out", "../OUTSIDE/absent"),
        ("root-out", "../OTHERROOT"),
        ("deep-out", "a/../../OUTSIDE/BEYOND"),
    ] {
        symlink(target, tree.join(name)).unwrap();
    }
    symlink(outside.join("OUTSIDE"), tree.join("abs-out")).unwrap();
    let other = outside.join("OTHERROOT");
    (tree, other)
}

/// Paths that are refused or not found, in every way that there is.
const ASKED: &[&str] = &[
    "..",
    "../",
    "a/../..",
    "out",
    "out/",
    "out/file",
    "out/x/y",
    "file-out",
    "file-out/x",
    "dangling-out",
    "dangling-out/x",
    "root-out",
    "root-out/in",
    "deep-out",
    "abs-out/z",
    "loop",
    "file",
    "file/x",
    "plain/x",
    "absent",
    "a/absent",
    "fil",
    "~",
    "a\\x",
    "%2e%2e",
    ".git/config/x",
    ".git/absent",
    "\"out\"",
    "/",
    "/etc",
    "/nonexistent",
];

/// Everything that a reply shows.
fn shown(lister: &Lister, request: &ListRequest) -> Result<String, ErrorReply> {
    match lister.list(request, &Cancel::new()) {
        Ok(page) => Ok(render::json(&page) + &render::text(&page, View::Tree)),
        Err(error) => Err(error.reply()),
    }
}

#[track_caller]
fn tells_nothing(text: &str, asked: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{asked}: {secret} in {text}");
    }
}

#[test]
fn t11_no_refusal_tells_what_lies_outside_or_in_a_file() {
    let (tree, other) = tree();
    let root = tree.path().to_path_buf();
    for roots in [vec![root.clone()], vec![root.clone(), other]] {
        let lister = Lister::open(&roots, policy()).unwrap();
        for mode in MODES {
            for follow_symlinks in [false, true] {
                let follow_symlinks = follow_symlinks && *mode != Mode::Vcs;
                for asked in ASKED {
                    let request = ListRequest { follow_symlinks, ..ask(*mode, asked) };
                    // A link is told by what it is, and its target only where that was asked for.
                    let told = match shown(&lister, &request) {
                        Ok(text) => text,
                        Err(error) => serde_json::to_string(&error).unwrap(),
                    };
                    tells_nothing(&told, asked);
                }
                let whole = ListRequest { follow_symlinks, ..ask(*mode, ".") };
                tells_nothing(&shown(&lister, &whole).unwrap(), ".");
            }
        }
    }
}

#[test]
fn t11_asking_outside_repeats_what_was_asked_and_no_more() {
    let (tree, _) = tree();
    let lister = Lister::open(&[tree.path()], policy()).unwrap();
    let outside = tree.outside().join("OUTSIDE");
    for (there, absent) in [
        (outside.clone(), outside.join("absent")),
        (outside.join("file"), outside.join("fil")),
        (PathBuf::from("/etc/passwd"), PathBuf::from("/etc/passw")),
    ] {
        for mode in MODES {
            let reply = |path: &Path| {
                let path = path.to_str().unwrap();
                let error = shown(&lister, &ask(*mode, path)).unwrap_err();
                assert_eq!(error.code, "outside_root");
                let text = serde_json::to_string(&error).unwrap();
                assert!(text.contains(path));
                text.replace(path, "PATH")
            };
            assert_eq!(reply(&there), reply(&absent), "both read alike");
        }
    }
}

#[test]
fn t11_a_repository_that_is_refused_names_no_place_outside() {
    let tree = TreeBuilder::new()
        .file("a/.git", "gitdir: ../../OUTSIDE/BEYOND\n")
        .file("b/.git/HEAD", "CONTENT, no reference\n")
        .file("b/.git/config", "[core]\n\tworktree = ../../OUTSIDE\n")
        .dir("b/.git/objects")
        .dir("b/.git/refs")
        .file("c/.git", "CONTENT of a secret file\n")
        .file("d/.git/HEAD", "ref: refs/heads/main\n")
        .file("d/.git/commondir", "../../OUTSIDE/BEYOND\n")
        .build();
    std::fs::create_dir_all(tree.outside().join("OUTSIDE/BEYOND")).unwrap();
    let lister = Lister::open(&[tree.path()], policy()).unwrap();
    for path in ["a", "b", "c", "d"] {
        let error = shown(&lister, &ask(Mode::Vcs, path)).unwrap_err();
        assert!(error.code.starts_with("vcs_") || error.code == "not_a_repository", "{error:?}");
        tells_nothing(&serde_json::to_string(&error).unwrap(), path);
        // What is on disk is listed all the same.
        tells_nothing(&shown(&lister, &ask(Mode::Files, path)).unwrap(), path);
    }
}
