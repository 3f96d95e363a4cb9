//! Tests that need a process of their own: another user, limits, a tracer.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use trilist_root::Beneath;

use crate::support::{Tree, WAYS, open, outcome, rel, skip};

/// The tree that a child process works on.
const CHILD: &str = "TRILIST_ROOT_TEST_TREE";

/// The tree, when this process is the child.
fn child() -> Option<String> {
    std::env::var(CHILD).ok()
}

/// The command that runs one test of this program in a child.
fn again(program: Option<&str>, arguments: &[&str], test: &str, tree: &Path) -> Command {
    let this = std::env::current_exe().expect("the test runs");
    let mut command = match program {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(arguments).arg(this);
            command
        }
        None => Command::new(this),
    };
    command.args(["--exact", "--nocapture", "--test-threads=1", test]);
    command.env(CHILD, tree);
    command
}

fn assert_passed(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    let ran = text.contains("1 passed") || text.contains("passed; 0 failed");
    assert!(output.status.success() && ran, "{text}{}", String::from_utf8_lossy(&output.stderr));
}

fn has(program: &str) -> bool {
    Command::new(program).arg("-V").output().is_ok()
}

#[test]
fn t10_outside_targets_are_never_looked_at() {
    if let Some(tree) = child() {
        for way in WAYS {
            let root = open(Path::new(&tree), way);
            for asked in ["p", "n", "p/x", "ap", "an", "../traced-present", "d/../../traced-x"] {
                assert_eq!(outcome(&root, asked.as_bytes()), "outside");
            }
        }
        return;
    }
    if !has("strace") {
        return skip("there is no strace");
    }
    let tree = Tree::new();
    fs::create_dir(tree.outside.join("traced-present")).expect("it is new");
    tree.dirs(&["d"]).link("p", "../traced-present").link("n", "../traced-absent");
    tree.link("ap", tree.outside.join("traced-present"));
    tree.link("an", tree.outside.join("traced-absent"));
    let log = tree.outside.join("log");
    let log_name = log.to_str().expect("it is UTF-8");
    let arguments = ["-f", "-e", "trace=%file,%desc", "-o", log_name];
    let test = "process::t10_outside_targets_are_never_looked_at";
    assert_passed(
        &again(Some("strace"), &arguments, test, &tree.inside).output().expect("it runs"),
    );
    let log = fs::read_to_string(log).expect("strace wrote it");
    assert!(log.contains("readlinkat("), "the links were read");
    for line in log.lines().filter(|line| line.contains("traced-")) {
        // A link is read, and the kernel refuses a path that goes up before it looks.
        let read = line.contains("readlinkat(");
        let beneath = line.contains("openat2(") && line.contains("RESOLVE_BENEATH");
        assert!(read || (beneath && line.contains("= -1")), "{line}");
    }
}

#[test]
fn t20_permissions() {
    if let Some(tree) = child() {
        for way in WAYS {
            let root = open(Path::new(&tree), way);
            assert_eq!(outcome(&root, b"closed"), "denied closed");
            assert_eq!(outcome(&root, b"closed/x"), "denied closed");
            assert_eq!(outcome(&root, b"listed/x"), "denied listed");
            // May be passed through, not read.
            assert_eq!(outcome(&root, b"passed"), "denied passed");
            assert_eq!(outcome(&root, b"passed/x"), "dir passed/x");
            let listed = root.resolve(b"listed").expect("it may be read");
            assert_eq!(crate::support::names(&listed.dir), ["x"]);
            let error = listed.dir.metadata(b"x", trilist_core::Kind::Dir);
            assert!(error.is_err(), "a stat needs permission to search");
            assert!(root.kind_at(rel("closed/x")).is_err());
            for (name, readable) in [("listed", true), ("passed", false)] {
                let own = Path::new(&tree).join(name);
                let opened = trilist_root::Root::open_with(&own, way);
                let own = opened.expect("a root is opened for searching");
                assert_eq!(own.dir().is_ok(), readable, "{name}");
            }
        }
        return;
    }
    let tree = Tree::new();
    tree.dirs(&["closed/x", "listed/x", "passed/x"]);
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    for (name, mode) in [("closed", 0o000), ("listed", 0o444), ("passed", 0o111)] {
        set(&tree.inside.join(name), mode);
    }
    set(&tree.outside, 0o755);
    let mut command = again(None, &[], "process::t20_permissions", &tree.inside);
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    let output = command.current_dir("/").output();
    for name in ["closed", "listed", "passed"] {
        set(&tree.inside.join(name), 0o755);
    }
    match output {
        Ok(output) => assert_passed(&output),
        Err(_) => skip("another user cannot run this program"),
    }
}

#[test]
fn t22_few_descriptors() {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let path = vec!["d"; 1500].join("/");
    if let Some(tree) = child() {
        let few = Rlimit { current: Some(16), maximum: Some(16) };
        setrlimit(Resource::Nofile, few).expect("a limit may be lowered");
        for way in WAYS {
            let root = open(Path::new(&tree), way);
            assert_eq!(outcome(&root, path.as_bytes()), format!("dir {path}"));
            let held: Vec<_> = std::iter::from_fn(|| root.dir().ok()).collect();
            assert_eq!(outcome(&root, path.as_bytes()), "EMFILE");
            drop(held);
        }
        return;
    }
    let tree = Tree::new();
    tree.dirs(&[&path]);
    let output = again(None, &[], "process::t22_few_descriptors", &tree.inside).output();
    assert_passed(&output.expect("this program runs"));
}

#[test]
fn t23_without_openat2() {
    if child().is_some() {
        return;
    }
    if !has("strace") {
        return skip("there is no strace");
    }
    let tree = Tree::new();
    let log = tree.outside.join("log");
    let this = std::env::current_exe().expect("the test runs");
    for errno in ["ENOSYS", "EPERM", "EAGAIN"] {
        let inject = format!("inject=openat2:error={errno}");
        let output = Command::new("strace")
            .args(["-f", "-e", "trace=openat2", "-e", &inject, "-o"])
            .args([&log, &this])
            .args(["--test-threads=1", "resolve::t0", "root::"])
            // Thousands of calls, each of which stops for the tracer.
            .args(["--skip", "multiplies", "--skip", "path_max"])
            .output()
            .expect("strace runs");
        assert_passed(&output);
        let log = fs::read_to_string(&log).expect("strace wrote it");
        assert!(log.contains("(INJECTED)"), "nothing was injected");
    }
}

#[test]
fn t23_the_fallback_is_the_other_way() {
    assert_eq!(Beneath::default(), Beneath::Kernel);
    assert_eq!(WAYS.map(|way| Tree::new().root(way).beneath()), WAYS);
}
