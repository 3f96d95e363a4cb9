//! Git without any configuration but ours, so that the same steps give the same object ids.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SETTINGS: &[&str] = &[
    "init.defaultBranch=main",
    "user.name=fixture",
    "user.email=fixture@example.invalid",
    "commit.gpgsign=false",
    "core.autocrlf=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.file.allow=always",
    "advice.detachedHead=false",
    // A tree may have been handed over to another user (see `Tree::hand_over`).
    "safe.directory=*",
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("LC_ALL", "C.UTF-8"),
    ("TZ", "UTC"),
    // Git looks for excludes and attributes in the home even when it reads no configuration there.
    ("HOME", "/nonexistent"),
    ("XDG_CONFIG_HOME", "/nonexistent"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_TEMPLATE_DIR", ""),
    ("GIT_AUTHOR_NAME", "fixture"),
    ("GIT_AUTHOR_EMAIL", "fixture@example.invalid"),
    ("GIT_AUTHOR_DATE", "2024-01-01T00:00:00+00:00"),
    ("GIT_COMMITTER_NAME", "fixture"),
    ("GIT_COMMITTER_EMAIL", "fixture@example.invalid"),
    ("GIT_COMMITTER_DATE", "2024-01-01T00:00:00+00:00"),
];

/// Runs git in `dir` and returns what it printed.
///
/// # Panics
///
/// Panics with git's own message when it exits with anything but 0.
pub fn git<S: AsRef<OsStr>>(dir: &Path, args: &[S]) -> Vec<u8> {
    let output = run(dir, args);
    check(args, &output, 0);
    output.stdout
}

/// A git command in `dir` with the kit's settings and environment, to be changed and run.
pub fn git_command(dir: &Path) -> Command {
    // The umask is that of the process; only a shell can change it for one child without unsafe
    // code. `$0` is the word after the script.
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "umask 022 && exec git \"$@\"", "git"]).current_dir(dir);
    isolate(&mut command);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
}

/// Takes from a command's environment everything that could change what git or ripgrep does.
pub(crate) fn isolate(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"GIT_") {
            command.env_remove(name);
        }
    }
    command.envs(ENVIRONMENT.iter().copied()).stdin(Stdio::null());
}

pub(crate) fn git_step(dir: &Path, args: &[String], status: i32) {
    check(args, &run(dir, args), status);
}

fn run<S: AsRef<OsStr>>(dir: &Path, args: &[S]) -> Output {
    git_command(dir).args(args).output().expect("there is a shell at /bin/sh")
}

fn check<S: AsRef<OsStr>>(args: &[S], output: &Output, status: i32) {
    if output.status.code() != Some(status) {
        let words: Vec<_> = args.iter().map(|word| word.as_ref().to_string_lossy()).collect();
        let message = String::from_utf8_lossy(&output.stderr);
        panic!("git {}: {}: {message}", words.join(" "), output.status);
    }
}
