//! Random trees with random faults, against what other programs say of the whole tree: what is
//! listed and what is told to be missing cover the truth, nothing beyond it is listed, and a listing
//! calls itself complete only when it is the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;
use trilist_tests::oracle::{FoundKind, find_paths, git_ls_files, git_ls_tree};
use trilist_tests::rules::{Rng, fuzz_seed};
use trilist_tests::{Tree, TreeBuilder, figure, git, is_full, require};

use super::inject::{ERRNOS, Outcome, Traced, entries, lying_error, warnings};
use crate::support::PROGRAM;

/// How many trees, each listed in every way.
fn trees() -> usize {
    if is_full() { 400 } else { 8 }
}

/// Names that sort around `/`, hide, and look like a rule.
const NAMES: &[&str] = &["a", "a-b", "a.b", "a0", "A", ".h", "..x", "b", "c", "[d]", "x y", "z"];

/// Each way of listing, and whether git's rules are in force in it.
const LISTINGS: [(&[&str], Way); 4] = [
    (&["-m", "fs", "-d", "20", "--hidden"], Way::Disk),
    (&["-m", "fs", "-d", "20", "--hidden", "--metadata"], Way::Disk),
    (&["-m", "files"], Way::Shown),
    (&["-m", "vcs"], Way::Tracked),
];

/// Which truth holds for a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// What `find` finds.
    Disk,
    /// What git would track: `git ls-files -co --exclude-standard`.
    Shown,
    /// What git tracks, or did in its last commit.
    Tracked,
}

/// What goes wrong during a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Directories that an ordinary user may not read, or not enter.
    Permissions,
    /// One system call fails.
    Call,
    /// One system call fails, and so do all after it.
    Calls,
    /// Directories come, go and move.
    Race,
}

/// A tree as it was made, with the truth of each way.
struct Ground {
    tree: Tree,
    dirs: Vec<String>,
    /// What is there, by path, for each way.
    truth: BTreeMap<Way, Rows>,
}

/// Path and kind; of what is tracked only the path.
type Rows = BTreeSet<(String, String)>;

fn plant(rng: &mut Rng) -> Ground {
    let mut builder = TreeBuilder::new().repo();
    let (mut dirs, mut made) = (vec![String::new()], BTreeSet::new());
    for _ in 0..8 + rng.below(30) {
        let above = &dirs[rng.below(dirs.len())];
        let path = format!("{above}{}", rng.pick(NAMES));
        if path.matches('/').count() > 6 || !made.insert(path.clone()) {
            continue;
        }
        match rng.below(9) {
            0..4 => builder = builder.file(&path, "x"),
            4 => builder = builder.symlink(&path, rng.pick(&["a", "..", "nowhere", "../../etc"])),
            5 => builder = builder.fifo(&path),
            _ => {
                builder = builder.dir(&path);
                dirs.push(path + "/");
            }
        }
    }
    let dirs: Vec<String> =
        dirs.iter().skip(1).map(|dir| dir.trim_end_matches('/').into()).collect();
    let tree = builder.file(".gitignore", "*.b\n/a0\n!a/a.b\n").build();
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["commit", "-q", "--allow-empty", "-m", "one"]);
    change(&tree, rng);
    let truth = truth(&tree);
    Ground { tree, dirs, truth }
}

/// What stands in the index and not in the last commit, the other way round, and in neither.
fn change(tree: &Tree, rng: &mut Rng) {
    let tracked = git_ls_files(tree.path());
    for path in tracked.iter().filter(|path| !path.ends_with(b"ignore")) {
        let path = String::from_utf8(path.clone()).unwrap();
        if rng.one_in(6) {
            git(tree.path(), &["rm", "-q", "--cached", "--", &format!(":(literal){path}")]);
        }
    }
    fs::write(tree.join("staged"), "x").unwrap();
    git(tree.path(), &["add", "staged"]);
    fs::write(tree.join("untracked"), "x").unwrap();
}

fn truth(tree: &Tree) -> BTreeMap<Way, Rows> {
    let text = |path: Vec<u8>| String::from_utf8(path).unwrap();
    let is_ours = |path: &str| path != ".git" && !path.starts_with(".git/");
    let disk = find_paths(tree.path()).into_iter().map(|(path, kind)| (text(path), word(kind)));
    let disk: Rows =
        disk.filter(|(path, _)| is_ours(path)).map(|(path, kind)| (path, kind.into())).collect();
    let shown = git(tree.path(), &["ls-files", "-co", "--exclude-standard", "-z"]);
    let shown: BTreeSet<String> =
        shown.split(|byte| *byte == 0).map(|path| text(path.to_vec())).collect();
    let shown = disk.iter().filter(|(path, _)| shown.contains(path)).cloned().collect();
    let tracked = git_ls_files(tree.path()).into_iter().chain(git_ls_tree(tree.path()));
    let tracked = tracked.map(|path| (text(path), String::new())).collect();
    BTreeMap::from([(Way::Disk, disk), (Way::Shown, shown), (Way::Tracked, tracked)])
}

fn word(kind: FoundKind) -> &'static str {
    match kind {
        FoundKind::File => "file",
        FoundKind::Dir => "dir",
        FoundKind::Symlink => "symlink",
        FoundKind::Other => "other",
    }
}

/// The rows of a reply, as the truth has them.
fn listed(reply: &Value, way: Way) -> Rows {
    let rows = entries(reply).into_iter();
    match way {
        Way::Disk => rows.filter(|(path, _)| path != ".git").collect(),
        // Git does not tell of pipes.
        Way::Shown => rows.filter(|(_, kind)| kind != "other").collect(),
        Way::Tracked => rows.map(|(path, _)| (path, String::new())).collect(),
    }
}

/// What may be listed, and what has to be listed or told to be missing.
struct Bounds {
    most: Rows,
    least: Rows,
}

/// What makes the outcome a lie; nothing when it is honest.
fn lie(outcome: &Outcome, way: Way, bounds: &Bounds, errno: &str) -> Option<String> {
    let code = match (outcome.status.code(), outcome.status.signal()) {
        (Some(code @ 0..=8), _) => code,
        other => return Some(format!("ended by {other:?}: {}", outcome.told)),
    };
    let Some(reply) = &outcome.reply else {
        return Some(format!("no JSON, status {code}: {}", outcome.told));
    };
    if let Some(error) = reply.get("error") {
        return lying_error(error, code, errno);
    }
    let (listed, told) = (listed(reply, way), warnings(reply));
    let complete = reply["complete"].as_bool().unwrap();
    let gaps = told.iter().any(|(_, _, gap)| *gap);
    if complete == gaps || (code == 0) != complete {
        return Some(format!("complete: {complete}, status {code}, told {told:?}"));
    }
    // Without its rules a listing shows more, and says that the rules could not be read.
    let unruled = way == Way::Shown && told.iter().any(|(_, code, _)| code.starts_with("ignore_"));
    let made_up: Vec<_> = listed.difference(&bounds.most).collect();
    if !made_up.is_empty() && !unruled {
        return Some(format!("listed, and not there: {made_up:?}, told {told:?}"));
    }
    let is_told = |path: &str| {
        told.iter().any(|(at, _, gap)| {
            *gap && (at == "." || path == at || path.starts_with(&format!("{at}/")))
        })
    };
    let lost: Vec<_> =
        bounds.least.difference(&listed).filter(|(path, _)| !is_told(path)).collect();
    (!lost.is_empty()).then(|| format!("neither listed nor told: {lost:?}, told {told:?}"))
}

/// A listing of the ground with one fault; what was wrong with the answer.
fn check(ground: &Ground, rng: &mut Rng, program: &Path, at: (usize, Fault)) -> Option<String> {
    let (tag, fault) = at;
    let (words, way) = rng.pick(&LISTINGS);
    let mut traced = Traced::new(&ground.tree, "", words);
    let truth = ground.truth[&way].clone();
    let bounds = Bounds { most: truth.clone(), least: truth };
    let (outcome, bounds, errno) = match fault {
        Fault::Permissions => {
            let locked = lock(ground, rng);
            traced.ordinary = true;
            traced.program = program.to_owned();
            let outcome = traced.plain();
            unlock(&locked);
            (outcome, bounds, "EACCES")
        }
        Fault::Call | Fault::Calls => {
            let sites = traced.sites();
            let site = &sites[rng.below(sites.len())];
            // Who is interrupted for ever may try for ever.
            let lasting = ERRNOS.map(|errno| if errno == "EINTR" { "EIO" } else { errno });
            let errno = rng.pick(if fault == Fault::Call { &ERRNOS } else { &lasting });
            let outcome = match fault {
                Fault::Call => traced.failing(site, errno, tag),
                _ => traced.failing_from(site, errno, tag),
            };
            assert!(outcome.injected, "{words:?} {site:?} {errno}: nothing was injected");
            (outcome, bounds, errno)
        }
        Fault::Race => {
            let moved = ground.dirs.get(rng.below(ground.dirs.len().max(1))).cloned();
            let outcome = racing(ground, moved.as_deref(), || traced.plain());
            let bounds = loosened(bounds, way, (moved.as_deref(), &ground.truth[&Way::Disk]));
            (outcome, bounds, "ESTALE")
        }
    };
    lie(&outcome, way, &bounds, errno).map(|lie| format!("{words:?} {fault:?} {errno}: {lie}"))
}

/// Takes permissions from some directories; gives what they were.
fn lock(ground: &Ground, rng: &mut Rng) -> Vec<PathBuf> {
    let chosen: Vec<PathBuf> =
        ground.dirs.iter().filter(|_| rng.one_in(3)).map(|dir| ground.tree.join(dir)).collect();
    for dir in &chosen {
        // Nothing, only its names, or only what is in it by name.
        let mode = rng.pick(&[0o000, 0o444, 0o111]);
        fs::set_permissions(dir, fs::Permissions::from_mode(mode)).unwrap();
    }
    chosen
}

fn unlock(locked: &[PathBuf]) {
    for dir in locked {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Does some work while a directory moves to and fro and other names come and go.
fn racing<T>(ground: &Ground, moved: Option<&str>, work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    let join = |path: &str| ground.tree.join(path);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let new = join(COMES);
                fs::create_dir(&new).unwrap();
                fs::write(new.join("in"), "").unwrap();
                if let Some(dir) = moved {
                    fs::rename(join(dir), join(MOVED)).unwrap();
                    thread::yield_now();
                    fs::rename(join(MOVED), join(dir)).unwrap();
                }
                fs::remove_dir_all(new).unwrap();
            }
        });
        let done = work();
        stop.store(true, Ordering::Relaxed);
        done
    })
}

/// Comes and goes, with a file in it.
const COMES: &str = "comes";
/// Where the moving directory is meanwhile.
const MOVED: &str = "moved";

/// What moves may be listed or not, at either place; at the other one no rule may leave it out.
fn loosened(bounds: Bounds, way: Way, (moved, disk): (Option<&str>, &Rows)) -> Bounds {
    let Bounds { mut most, mut least } = bounds;
    if way == Way::Tracked {
        return Bounds { most, least };
    }
    let row = |path: &str, kind: &str| (path.to_owned(), kind.to_owned());
    most.extend([row(COMES, "dir"), row(&format!("{COMES}/in"), "file")]);
    let Some(dir) = moved else { return Bounds { most, least } };
    let below = |path: &str| path == dir || path.starts_with(&format!("{dir}/"));
    let there = disk.iter().filter(|(path, _)| below(path));
    most.extend(there.map(|(path, kind)| row(&format!("{MOVED}{}", &path[dir.len()..]), kind)));
    least.retain(|(path, _)| !below(path));
    Bounds { most, least }
}

#[test]
fn t21_random_trees_with_random_faults_are_covered_by_what_is_listed_and_told() {
    if !require("strace") {
        return;
    }
    let mut rng = Rng::new(fuzz_seed(80));
    let stage = Tree::empty();
    let program = stage.join("trilist");
    fs::copy(PROGRAM, &program).unwrap();
    let (mut lies, mut runs) = (Vec::new(), 0);
    for number in 0..trees() {
        let ground = plant(&mut rng);
        unfaulted(&ground);
        for fault in [Fault::Permissions, Fault::Call, Fault::Call, Fault::Calls, Fault::Race] {
            let lie = check(&ground, &mut rng, &program, (runs, fault));
            lies.extend(lie.map(|lie| format!("tree {number}: {lie}")));
            runs += 1;
        }
    }
    assert!(lies.is_empty(), "{} of {runs} runs lie:\n{}", lies.len(), lies.join("\n"));
    let what = "random trees with random faults against find and git";
    figure("T-21", what, &format!("{} trees, {runs} runs, none lies", trees()));
}

/// Without a fault each way lists the truth, and says that it is complete.
fn unfaulted(ground: &Ground) {
    for (words, way) in LISTINGS {
        let reply = Traced::new(&ground.tree, "", words).plain().reply.unwrap();
        assert_eq!(listed(&reply, way), ground.truth[&way], "{words:?}");
        assert_eq!(reply["complete"], true, "{words:?}");
    }
}
