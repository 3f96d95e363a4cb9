//! `trilist explain`: words, JSON, statuses, and what it opens.

use std::process::Command;

use trilist_tests::{Tree, TreeBuilder, require};

use crate::support::trilist;

fn project() -> Tree {
    TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\nbuild/\n!build/keep.txt\n")
        .files(["src/main.rs", "src/debug.log", "build/keep.txt", "node_modules/p/i.js"])
        .symlink("link", "src")
        .git(&["add", ".gitignore", "src/main.rs"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

#[test]
fn each_mode_says_why() {
    let tree = project();
    let paths =
        ["src/debug.log", "build/keep.txt", "src/mian.rs", "link/main.rs", "node_modules/p"];
    let answer = trilist(&tree).arg("explain").args(paths).ok();
    for right in [
        "  fs     listed.\n",
        "  files  not listed (ignored): ignored by .gitignore:1 `*.log` (git).\n",
        "  vcs    not listed (untracked): untracked: neither HEAD nor the index has it.\n",
        "which is ignored by .gitignore:2 `build/` (git).\n",
        "         Note: .gitignore:3 `!build/keep.txt` does not bring it back: ",
        "the nearest directory that does is `src`, which has `main.rs`.\n",
        "the link `link` -> `src`, which is not entered; the path leads to `src/main.rs`.\n",
        "(builtin): it lies below `node_modules`, which the builtin list names",
    ] {
        assert!(answer.stdout.contains(right), "{right:?} in {answer}");
    }
    // A path at the margin, what is said of it indented.
    let at_margin: Vec<&str> =
        answer.lines().into_iter().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(at_margin, paths);
}

#[test]
fn json_is_one_object_or_a_list() {
    let tree = project();
    let one = trilist(&tree).args(["explain", "--json", "src/debug.log"]).ok().json();
    assert_eq!(one["path"], "src/debug.log");
    let files = &one["modes"]["files"];
    assert_eq!((&files["listed"], &files["reason"]), (&false.into(), &"ignored".into()));
    let rule = serde_json::json!({
        "source": ".gitignore", "line": 1, "pattern": "*.log", "dialect": "git"
    });
    assert_eq!(files["rule"], rule);
    let two = trilist(&tree).args(["explain", "--json", "-m", "fs", "src", "none"]).ok().json();
    let modes = |one: &serde_json::Value| one["modes"].as_object().unwrap().len();
    assert_eq!(two.as_array().unwrap().iter().map(modes).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(two[1]["modes"]["fs"]["reason"], "absent");
}

#[test]
fn the_cursor_starts_a_page_with_the_path() {
    let tree = project();
    let one = trilist(&tree).args(["explain", "--json", "src/main.rs"]).ok().json();
    for mode in ["fs", "files", "vcs"] {
        let cursor = one["modes"][mode]["cursor"].as_str().unwrap();
        let page = trilist(&tree).args(["--json", "-n", "1", "--cursor", cursor]).ok().json();
        assert_eq!(page["entries"][0]["path"], "src/main.rs", "{mode}");
        assert_eq!((&page["mode"], &page["complete"]), (&mode.into(), &false.into()));
        let text = trilist(&tree).args(["--cursor", cursor]).ok();
        assert!(text.stdout.contains("the last page"), "{text}");
    }
}

#[test]
fn another_directory_and_paths_spelled_elsewhere() {
    let tree = project();
    let said = |dir: &str, args: &[&str]| {
        let answer = trilist(&tree).in_dir(dir).args(["explain", "-m", "fs", "--json"]).args(args);
        let fs = answer.ok().json()["modes"]["fs"].clone();
        (fs["listed"] == true, fs["reason"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(said("src", &["main.rs"]), (true, String::new()));
    assert_eq!(said("src", &["../build"]), (false, "subtree".to_owned()));
    assert_eq!(said("src", &["--in", "..", "../build"]), (true, String::new()));
    assert_eq!(said("", &["/etc/passwd"]), (false, "outside_root".to_owned()));
    assert_eq!(said("", &["src/main.rs", "-d", "1"]), (false, "depth".to_owned()));
    assert_eq!(
        said("", &["src/main.rs", "--root", ".", "-g", "*.c"]),
        (false, "pattern".to_owned())
    );
}

#[test]
fn a_name_is_taken_back_as_it_is_shown() {
    let tree = TreeBuilder::new()
        .repo()
        .file(b"nl\nx", "")
        .file(b"d\tir/in\nner", "")
        .file(br#""a\tb""#, "")
        .git(&["add", "-A"])
        .build();
    let page = trilist(&tree).args(["-m", "files", "--json"]).ok().json();
    let shown = |one: &serde_json::Value| one["path"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = page["entries"].as_array().unwrap().iter().map(shown).collect();
    assert!(names.contains(&r#""nl\nx""#.to_owned()), "{names:?}");
    names.extend([r#""d\tir"/"#.to_owned(), r#""a\tb""#.to_owned()]);
    for name in &names {
        let one = trilist(&tree).args(["explain", "--json", name]).ok().json();
        for mode in ["fs", "files", "vcs"] {
            assert_eq!(one["modes"][mode]["listed"], true, "{name} {mode}");
        }
    }
    // What is there under the quotes themselves comes first.
    let literal = trilist(&tree).args(["explain", "--json", r#""a\tb""#]).ok().json();
    assert_eq!(literal["path"], r#""\"a\\tb\"""#);
    let absent = trilist(&tree).arg(r#""no\nne""#).exits(4).stderr;
    assert!(absent.contains(r#"`"no\nne"`"#), "{absent}");
}

#[test]
fn what_is_not_listed_is_an_answer_and_no_listing_is_none() {
    let tree = project();
    trilist(&tree).args(["explain", "no/such/thing"]).exits(0);
    assert!(trilist(&tree).arg("explain").exits(2).stderr.starts_with("invalid_argument: "));
    // As a listing of that directory fails.
    for (dir, status) in [("gone", 4), ("src/main.rs", 4), ("..", 3)] {
        let (root, listed) = (["--root", "."], trilist(&tree).args(["--root", ".", dir]));
        let listed = listed.exits(status);
        let told = trilist(&tree).args(["explain", "--in", dir, "x"]).args(root).exits(status);
        assert_eq!((told.stdout.as_str(), &told.stderr), ("", &listed.stderr));
    }
    let outside = Tree::empty();
    let refused = trilist(&outside).args(["explain", "-m", "vcs", "x", "--json"]).exits(8);
    assert_eq!(refused.json()["error"]["code"], "not_a_repository");
    trilist(&outside).args(["explain", "x"]).exits(0);
    let many = vec!["x"; 65];
    trilist(&outside).arg("explain").args(many).exits(2);
}

#[test]
fn only_directories_on_the_way_are_opened() {
    if !require("strace") {
        return;
    }
    let tree = TreeBuilder::new()
        .repo()
        .files(["a/b/c/f", "a/beside/x", "beside/y", "a/b/z/w"])
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "one"])
        .build();
    for mode in ["fs", "files", "vcs"] {
        let trace = tree.outside().join("trace");
        let program = trilist(&tree).command().get_program().to_owned();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", "signal=none", "-e", "trace=openat,openat2,getdents64"]);
        strace.arg("-o").arg(&trace).arg(program).args(["explain", "-m", mode, "-d", "9"]);
        let output = strace
            .args(["--no-config", "a/b/c/f"])
            .current_dir(tree.path())
            .env("HOME", "/nonexistent")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(trace).unwrap();
        for beside in ["\"beside\"", "\"z\"", "a/beside", "b/z"] {
            assert!(!text.contains(beside), "{mode}: {beside} in {text}");
        }
        // Names are looked up, so no directory of the tree is read; git's own may be.
        let readings = text.lines().filter(|line| line.contains("getdents64(")).count();
        assert!(mode == "vcs" || (readings == 0 && text.contains("\"c\"")), "{mode}: {text}");
    }
}

#[test]
fn help_tells_that_all_modes_are_the_default() {
    let help = trilist(&Tree::empty()).args(["explain", "--help"]).ok().stdout;
    assert!(help.contains("[default: all three]"), "{help}");
    assert!(!help.contains("[default: fs]"), "{help}");
    assert!(trilist(&Tree::empty()).arg("--help").ok().stdout.contains("[default: fs]"));
}
