//! One run of the binary under strace, in which one system call fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use trilist_tests::Tree;

use crate::support::PROGRAM;

/// The system calls that look at the file system, and that a listing makes.
const FILE_CALLS: &str = "open,openat,openat2,getdents64,newfstatat,fstat,statx,lstat,stat,\
    readlink,readlinkat,lseek,read,pread64,fstatfs,fcntl,access,faccessat2";

/// What only `.git/info/exclude` leaves out: no directory shows that file before it is looked up.
pub(super) const EXCLUDED: &str = ".tmp";

/// What is made to fail.
pub(super) const ERRNOS: [&str; 12] = [
    "EPERM",
    "ENOENT",
    "EINTR",
    "EIO",
    "EAGAIN",
    "ENOMEM",
    "EACCES",
    "ENOTDIR",
    "EMFILE",
    "ELOOP",
    "ENAMETOOLONG",
    "ESTALE",
];

/// A run still going after so long hangs.
const OUTER_KILL: Duration = Duration::from_secs(120);

/// One system call of a run: the how manyth call of its name, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) call: String,
    pub(super) ordinal: u32,
}

/// How a run ended.
pub(super) struct Outcome {
    pub(super) status: ExitStatus,
    /// What it answered, if that is JSON.
    pub(super) reply: Option<Value>,
    pub(super) told: String,
    pub(super) injected: bool,
}

/// A run of the binary over a tree, always the same.
pub(super) struct Traced<'t> {
    pub(super) tree: &'t Tree,
    pub(super) words: Vec<&'static str>,
    /// What is listed, relative to the tree.
    pub(super) path: &'static str,
    /// Whether it runs as an ordinary user, for whom `program` is where that user may reach it.
    pub(super) ordinary: bool,
    pub(super) program: PathBuf,
}

impl<'t> Traced<'t> {
    /// Lists `path` with these words.
    pub(super) fn new(tree: &'t Tree, path: &'static str, words: &[&'static str]) -> Traced<'t> {
        let common = ["--json", "--no-config", "-n", "1000"];
        let words = words.iter().copied().chain(common).collect();
        Traced { tree, words, path, ordinary: false, program: PROGRAM.into() }
    }

    /// The calls that the run makes from the first one that names the tree.
    pub(super) fn sites(&self) -> Vec<Site> {
        let log = self.log("sites");
        let trace = format!("trace={FILE_CALLS}");
        let outcome = self.run(&log, &["-e", &trace]);
        assert!(outcome.status.code().is_some_and(|code| code < 100), "{}", outcome.told);
        let text = fs::read_to_string(&log).unwrap();
        sites_in(&text, self.tree.path().to_str().unwrap())
    }

    /// The run with one call failing.
    pub(super) fn failing(&self, site: &Site, errno: &str, tag: usize) -> Outcome {
        self.injecting(site, errno, tag, "")
    }

    /// The run with one call failing, and all of its name that come later.
    pub(super) fn failing_from(&self, site: &Site, errno: &str, tag: usize) -> Outcome {
        self.injecting(site, errno, tag, "+")
    }

    fn injecting(&self, site: &Site, errno: &str, tag: usize, and: &str) -> Outcome {
        let log = self.log(&format!("log-{tag}"));
        let trace = format!("trace={}", site.call);
        let inject = format!("inject={}:error={errno}:when={}{and}", site.call, site.ordinal);
        let mut outcome = self.run(&log, &["-e", &trace, "-e", &inject]);
        outcome.injected = fs::read_to_string(&log).unwrap().contains("(INJECTED)");
        outcome
    }

    /// The run as it is.
    pub(super) fn plain(&self) -> Outcome {
        self.run(&self.log("plain"), &["-e", "trace=none"])
    }

    fn log(&self, name: &str) -> PathBuf {
        self.tree.outside().join(name)
    }

    fn run(&self, log: &Path, more: &[&str]) -> Outcome {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-s", "4096", "-e", "signal=none", "-o"]).arg(log).args(more);
        if self.ordinary {
            command.args(["-u", "nobody"]);
        }
        command.arg(&self.program).args(&self.words).arg("--root").arg(self.tree.path());
        command.arg(self.tree.join(self.path)).env_clear().env("HOME", "/nonexistent");
        command.env("PATH", std::env::var_os("PATH").unwrap()).current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut told = child.stderr.take().unwrap();
        let told = thread::spawn(move || {
            let mut text = String::new();
            told.read_to_string(&mut text).unwrap();
            text
        });
        let mut answer = child.stdout.take().unwrap();
        let answer = thread::spawn(move || {
            let mut text = String::new();
            answer.read_to_string(&mut text).unwrap();
            text
        });
        let status = wait(&mut child);
        let (told, answer) = (told.join().unwrap(), answer.join().unwrap());
        Outcome { status, reply: serde_json::from_str(&answer).ok(), told, injected: false }
    }
}

/// Waits, and not for ever.
fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    while start.elapsed() < OUTER_KILL {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    // A run that hangs ends by a signal, which no honest run does.
    child.kill().unwrap();
    child.wait().unwrap()
}

/// The calls from the first one that names the tree, each with its place among those of its name
/// and thread: what a log of strace holds.
fn sites_in(log: &str, tree: &str) -> Vec<Site> {
    let mut counts = BTreeMap::new();
    let (mut sites, mut begun) = (Vec::new(), false);
    let main = log.lines().next().and_then(|line| line.split_whitespace().next()).unwrap();
    for line in log.lines() {
        let Some((thread, call)) = line.split_once(' ') else { continue };
        let call = call.trim_start();
        let Some((name, _)) = call.split_once('(').filter(|_| thread == main) else { continue };
        let ordinal = counts.entry(name.to_owned()).or_insert(0);
        *ordinal += 1;
        begun |= call.contains(tree);
        if begun {
            sites.push(Site { call: name.to_owned(), ordinal: *ordinal });
        }
    }
    sites
}

/// Path and kind of each entry of a reply.
pub(super) fn entries(reply: &Value) -> BTreeSet<(String, String)> {
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let entries = reply["entries"].as_array().unwrap();
    entries.iter().map(|entry| (text(entry, "path"), text(entry, "kind"))).collect()
}

/// Path and code of each warning of a reply.
pub(super) fn warnings(reply: &Value) -> Vec<(String, String, bool)> {
    let warnings = reply["warnings"].as_array().unwrap();
    let text = |warning: &Value, field: &str| warning[field].as_str().unwrap().to_owned();
    let all = warnings.iter().map(|warning| {
        (text(warning, "path"), text(warning, "code"), warning["gap"].as_bool().unwrap())
    });
    all.collect()
}

/// What makes an outcome a lie, against the right reply; nothing when it is honest.
pub(super) fn lie(
    traced: &Traced<'_>,
    outcome: &Outcome,
    right: &Value,
    errno: &str,
) -> Option<String> {
    if let Some(signal) = outcome.status.signal() {
        return Some(format!("ended by signal {signal}: {}", outcome.told));
    }
    let code = outcome.status.code().unwrap();
    if code > 8 {
        return Some(format!("ended with {code}: {}", outcome.told));
    }
    let Some(reply) = &outcome.reply else {
        return Some(format!("no JSON, status {code}: {}", outcome.told));
    };
    match reply.get("error") {
        Some(error) => lying_error(error, code, errno),
        None => lying_page(traced, reply, right, code, errno),
    }
}

/// An error must not say of the tree what is not so.
pub(super) fn lying_error(error: &Value, code: i32, errno: &str) -> Option<String> {
    let told = error["code"].as_str().unwrap();
    let absent = matches!(errno, "ENOENT" | "ENOTDIR" | "ELOOP");
    let claims_absence =
        matches!(told, "not_found" | "not_directory" | "not_a_repository" | "outside_root");
    if errno == "EINTR" {
        return Some(format!("an interrupted call was not tried again: {error}"));
    }
    if claims_absence && !absent {
        return Some(format!("{errno} was told as {error}"));
    }
    (code < 2).then(|| format!("status {code} with {error}"))
}

fn lying_page(
    traced: &Traced<'_>,
    reply: &Value,
    right: &Value,
    code: i32,
    errno: &str,
) -> Option<String> {
    let (tree, follows) = (traced.tree, traced.words.contains(&"--follow"));
    let (listed, truth) = (entries(reply), entries(right));
    let (told, usual) = (warnings(reply), warnings(right));
    let new: Vec<_> = told.iter().filter(|warning| !usual.contains(warning)).collect();
    let complete = reply["complete"].as_bool().unwrap();
    let gaps = told.iter().any(|(_, _, gap)| *gap);
    let rules = new.iter().any(|(_, code, _)| code.starts_with("ignore_"));
    let context = || format!("{new:?} listed {:?}", listed.symmetric_difference(&truth));
    if complete == gaps || (code == 0) != complete {
        return Some(format!("complete: {complete}, status {code}: {}", context()));
    }
    if errno == "EINTR" && (listed != truth || !new.is_empty()) {
        return Some(format!("an interrupted call was not tried again: {}", context()));
    }
    let beyond: Vec<_> = listed.difference(&truth).collect();
    // Without its rules a listing shows more, and says that the rules could not be read.
    // A file that is looked up by its name and not found is absent, and with it its rules.
    let is_absent = errno == "ENOENT" && beyond.iter().all(|(path, _)| path.ends_with(EXCLUDED));
    let is_there = |path: &str| tree.join(path).symlink_metadata().is_ok();
    // A link is followed where the directory that it leads to was not entered before.
    let followed = follows && gaps && beyond.iter().all(|(path, _)| is_there(path));
    if !beyond.is_empty() && !rules && !followed && !is_absent {
        return Some(format!("not in the tree: {beyond:?}: {}", context()));
    }
    let is_covered = |path: &str| {
        told.iter().any(|(at, _, gap)| {
            *gap && (at == "." || path == at || path.starts_with(&format!("{at}/")))
        })
    };
    let lost: Vec<_> = truth.difference(&listed).filter(|(path, _)| !is_covered(path)).collect();
    if !lost.is_empty() {
        return Some(format!("neither listed nor told: {lost:?}: {}", context()));
    }
    (complete && listed != truth && !rules && !is_absent)
        .then(|| format!("complete but wrong: {}", context()))
}
