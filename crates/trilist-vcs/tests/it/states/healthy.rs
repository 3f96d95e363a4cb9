//! One repository, its top the root.

use std::fs;

use trilist_tests::{TreeBuilder, git};

use super::{FILES, Place, State, committed, state};
use crate::support::{blob, has_extension, index_info};

pub(super) fn states() -> Vec<State> {
    let mut states = heads();
    states.extend(formats());
    states.extend(conflicts());
    states.extend(changes());
    states.extend(names());
    states
}

fn heads() -> Vec<State> {
    vec![
        state("no commit yet, nothing staged", || Place {
            has_head: false,
            ..Place::made(&TreeBuilder::new().repo().files(["u"]))
        }),
        state("no commit yet, files staged", || {
            let tree = TreeBuilder::new().repo().files(["s/a", "u"]).git(&["add", "s"]);
            Place { has_head: false, ..Place::made(&tree) }
        }),
        state("clean", || Place::made(&committed())),
        state("an empty commit", || Place::made(&TreeBuilder::new().repo().commit("i"))),
        state("orphan branch", || {
            let tree = committed().git(&["checkout", "-q", "--orphan", "new"]);
            Place { has_head: false, ..Place::made(&tree) }
        }),
        state("detached HEAD", || {
            Place::made(&committed().file("n", "").git(&["checkout", "-q", "--detach"]))
        }),
        state("HEAD on an annotated tag", || {
            let tree = committed().git(&["tag", "-a", "-m", "t", "one"]);
            let tree = tree.git(&["tag", "-a", "-m", "t", "two", "one"]).file("n", "");
            Place::made(&tree.git(&["symbolic-ref", "HEAD", "refs/tags/two"]))
        }),
        state("packed references and objects", || {
            let tree = committed().git(&["checkout", "-q", "-b", "a/b/c"]);
            Place::made(&tree.git(&["pack-refs", "--all", "--prune"]).git(&["gc", "-q"]))
        }),
        state("a symbolic reference to a symbolic reference", || {
            let tree = committed().git(&["branch", "other"]);
            let tree = tree.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/other"]);
            Place::made(&tree.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]))
        }),
    ]
}

fn version(number: &'static str) -> TreeBuilder {
    committed().files(["n"]).git(&["add", "n"]).git(&["update-index", "--index-version", number])
}

fn formats() -> Vec<State> {
    vec![
        State { name: "index version 2", which: "", make: || Place::made(&version("2")) },
        State {
            name: "index version 3: intent to add, skip-worktree",
            which: "",
            make: || {
                let tree = committed().files(["n"]).git(&["add", "-N", "n"]);
                let place = Place::made(&tree.git(&["update-index", "--skip-worktree", "a/d"]));
                let index = fs::read(place.tree.path().join(".git/index")).expect("read");
                assert_eq!(index[7], 3);
                place
            },
        },
        State { name: "index version 4", which: "", make: || Place::made(&version("4")) },
        State {
            name: "index version 4",
            which: "with flags of version 3",
            make: || {
                let tree = version("4").files(["m"]).git(&["add", "-N", "m"]);
                Place::made(&tree.git(&["update-index", "--skip-worktree", "a/b/c"]))
            },
        },
        state("entries assumed unchanged", || {
            Place::made(&committed().git(&["update-index", "--assume-unchanged", "e"]))
        }),
        State { name: "sparse index", which: "", make: || sparse(&FILES) },
        State {
            name: "sparse index",
            which: "directories whose names begin alike",
            // A directory's entry comes right behind one whose name goes on with a lesser byte.
            make: || {
                sparse(&["a-b/c", "a.b/c/d", "a/e", "a/f/g", "f/a b/c", "f/a/b", "z-/z", "z/z"])
            },
        },
        state("extension of the untracked cache", || {
            let place = Place::made(&committed().git(&["update-index", "--force-untracked-cache"]));
            git(place.tree.path(), &["status"]);
            assert!(has_extension(place.tree.path(), b"UNTR"));
            place
        }),
        state("extension of the file system monitor", || {
            let place = Place::made(&committed().git(&["update-index", "--fsmonitor"]));
            assert!(has_extension(place.tree.path(), b"FSMN"));
            place
        }),
        state("end-of-entries mark and offset table", || {
            let tree = committed()
                .git(&["config", "index.threads", "2"])
                .git(&["config", "index.recordEndOfIndexEntries", "true"])
                .git(&["config", "index.recordOffsetTable", "true"]);
            let place = Place::made(&tree.files(["n"]).git(&["add", "n"]));
            assert!(has_extension(place.tree.path(), b"EOIE"));
            place
        }),
        state("index without a checksum", || {
            let tree = committed().git(&["config", "index.skipHash", "true"]).files(["n"]);
            Place::made(&tree.git(&["add", "n"]))
        }),
        state("no index", || Place::made(&committed().remove(".git/index"))),
        state("SHA-256", || {
            let tree = TreeBuilder::new().git(&["init", "-q", "--object-format=sha256"]);
            Place::made(&tree.files(FILES).commit("i").git(&["rm", "-q", "--cached", "e"]))
        }),
        state("core.ignorecase, core.precomposeunicode", || {
            let tree = committed().git(&["config", "core.ignorecase", "true"]).git(&[
                "config",
                "core.precomposeunicode",
                "true",
            ]);
            let place = Place::made(&tree);
            let dir = place.tree.path();
            let blob = blob(dir);
            let lines = ["A/B", "a/B", "Z", "\u{e9}", "e\u{301}"];
            let lines = lines.map(|name| format!("100644 {blob}\t{name}\n"));
            index_info(dir, &lines.concat());
            place
        }),
    ]
}

/// One path for each set of stages that a conflict can have; half of them are in HEAD too.
fn conflicts() -> Vec<State> {
    vec![
        State {
            name: "unfinished merge",
            which: "of two branches",
            make: || {
                let tree = committed()
                    .git(&["checkout", "-q", "-b", "other"])
                    .file("e", "other\n")
                    .remove("z")
                    .file("f/new", "other\n")
                    .commit("other")
                    .git(&["checkout", "-q", "-"])
                    .file("e", "mine\n")
                    .file("z", "mine\n")
                    .file("f/new", "mine\n")
                    .commit("mine")
                    .build();
                let mut merge = trilist_tests::git_command(tree.path());
                let output = merge.args(["merge", "other"]).output().expect("git runs");
                assert!(!output.status.success(), "there is a conflict");
                Place::of(tree)
            },
        },
        State { name: "unfinished merge", which: "every set of stages", make: every_stage_set },
    ]
}

pub(super) const STAGE_SETS: [&str; 7] = ["1", "2", "3", "12", "13", "23", "123"];

pub(super) fn conflict_lines(blob: &str) -> String {
    let mut lines = String::new();
    for stages in STAGE_SETS {
        for (prefix, _) in [("a/d", true), ("new", false)] {
            // The name that HEAD has goes out of the index first.
            for stage in stages.chars() {
                lines.push_str(&format!("100644 {blob} {stage}\t{prefix}-{stages}\n"));
            }
        }
    }
    lines
}

fn every_stage_set() -> Place {
    let in_head = STAGE_SETS.map(|stages| format!("a/d-{stages}"));
    let tree = committed().files(&in_head).commit("ii").build();
    let dir = tree.path();
    for name in &in_head {
        git(dir, &["rm", "-q", "--cached", name]);
    }
    let blob = blob(dir);
    index_info(dir, &conflict_lines(&blob));
    Place::of(tree)
}

fn changes() -> Vec<State> {
    vec![
        state("staged addition", || {
            Place::made(&committed().files(["f/new", "a/new/n", "aa"]).git(&["add", "."]))
        }),
        state("staged deletion", || Place::made(&committed().git(&["rm", "-q", "-r", "a/d", "f"]))),
        state("removed from the index only", || {
            Place::made(&committed().git(&["rm", "-q", "--cached", "a/b/c", "e"]))
        }),
        state("staged rename", || {
            Place::made(&committed().git(&["mv", "a/d", "moved"]).git(&["mv", "f", "g"]))
        }),
        state("staged change of contents", || {
            Place::made(&committed().file("a/d", "changed").git(&["add", "a/d"]))
        }),
        State {
            name: "staged change of type",
            which: "",
            make: || {
                let tree = committed().remove("e").symlink("e", "z").remove("z");
                let tree = tree.symlink("z", "nowhere").git(&["add", "-A"]).commit("links");
                // And one of each back.
                Place::made(&tree.remove("e").files(["e"]).git(&["add", "e"]))
            },
        },
        State {
            name: "staged change of mode",
            which: "",
            make: || {
                let tree = committed().git(&["update-index", "--chmod=+x", "a/d", "e", "z"]);
                let tree = tree.git(&["commit", "-q", "-m", "x"]);
                let tree = tree.git(&["update-index", "--chmod=-x", "e"]);
                let tree = tree.git(&["update-index", "--chmod=+x", "f/g"]);
                Place::made(&tree.git(&["rm", "-q", "--cached", "z"]))
            },
        },
        State {
            name: "file replaced by a directory, or the reverse",
            which: "file to directory",
            make: || {
                let tree = committed().git(&["rm", "-q", "--cached", "a-b", "e"]).remove("e");
                Place::made(&tree.remove("a-b").files(["e/x", "e/y/z", "a-b/c"]).git(&["add", "."]))
            },
        },
        State {
            name: "file replaced by a directory, or the reverse",
            which: "directory to file",
            make: || {
                let tree = committed().remove("a").remove("f").files(["a", "f"]);
                Place::made(&tree.git(&["add", "-A"]))
            },
        },
        State {
            name: "deleted from disk",
            which: "",
            make: || Place::made(&committed().remove("a").remove("e")),
        },
    ]
}

/// With the directories but `f` as single entries of the index.
fn sparse(files: &[&str]) -> Place {
    let tree = TreeBuilder::new().repo().files(files).commit("i");
    let place =
        Place::made(&tree.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "f"]));
    assert!(has_extension(place.tree.path(), b"sdir"));
    place
}

fn names() -> Vec<State> {
    vec![
        state("every byte that a name can have", || {
            let bytes = (1..=255_u8).filter(|byte| *byte != b'/');
            let names = bytes.map(|byte| [b"d", &[byte][..], b"/", &[byte], b"x"].concat());
            let all: Vec<u8> = (1..=255_u8).filter(|byte| *byte != b'/').collect();
            Place::made(&TreeBuilder::new().repo().files(names).file(&all[..200], "").commit("i"))
        }),
        state("names of 4,095 bytes and more", || {
            let place = Place::made(&committed());
            let dir = place.tree.path();
            let blob = blob(dir);
            let part = "n".repeat(99) + "/";
            let long = |len: usize| part.repeat(len / 100) + &"x".repeat(len % 100);
            let lens = [4094, 4095, 4096, 9050];
            let lines = lens.map(|len| format!("100644 {blob}\t{}\n", long(len)));
            index_info(dir, &lines.concat());
            place
        }),
    ]
}
