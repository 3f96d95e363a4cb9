//! A run of the binary, told step by step.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use trilist_tests::{Tree, Unprivileged, as_unprivileged};

/// A command line that will run in a tree's root.
pub(crate) fn trilist(tree: &Tree) -> Run<'_> {
    Run { command: Runner::Own(Command::new(PROGRAM)), tree }.in_dir("")
}

/// The same as an ordinary user, whom permissions bind.
pub(crate) fn trilist_unprivileged(tree: &Tree) -> Run<'_> {
    Run { command: Runner::Other(as_unprivileged(PROGRAM)), tree }.in_dir("")
}

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_trilist");

pub(crate) struct Run<'t> {
    command: Runner,
    tree: &'t Tree,
}

enum Runner {
    Own(Command),
    Other(Unprivileged),
}

impl Run<'_> {
    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command().args(args);
        self
    }

    pub(crate) fn arg(self, arg: impl AsRef<OsStr>) -> Self {
        self.args([arg])
    }

    /// The directory to run in, relative to the tree's root.
    pub(crate) fn in_dir(mut self, dir: &str) -> Self {
        let dir = self.tree.path().join(dir);
        // Nothing of what runs the tests may decide about colours or places.
        self.command().current_dir(dir).env_clear().stdin(Stdio::null());
        // The home of whoever runs the tests may hold a configuration.
        self.command().env("HOME", "/nonexistent");
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command().env(name, value);
        self
    }

    /// The command itself, for tests that hold its ends.
    pub(crate) fn command(&mut self) -> &mut Command {
        match &mut self.command {
            Runner::Own(command) => command,
            Runner::Other(command) => command,
        }
    }

    /// Runs; the exit status must be 0.
    pub(crate) fn ok(self) -> Answer {
        self.exits(0)
    }

    /// Runs; the exit status must be this one.
    #[track_caller]
    pub(crate) fn exits(mut self, status: i32) -> Answer {
        let output = self.command().output().unwrap();
        let answer = Answer::new(&output, self.tree.path());
        assert_eq!(output.status.code(), Some(status), "{answer}");
        answer
    }
}

/// What a run wrote, with the tree's root called `/repo` and the folder around it `/around`.
pub(crate) struct Answer {
    pub(crate) bytes: Vec<u8>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    fn new(output: &Output, root: &Path) -> Answer {
        let around = root.parent().unwrap().to_str().unwrap();
        let named = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.replace(root.to_str().unwrap(), "/repo").replace(around, "/around")
        };
        Answer {
            bytes: output.stdout.clone(),
            stdout: named(&output.stdout),
            stderr: named(&output.stderr),
        }
    }

    /// Standard output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Standard output as one JSON value a line.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn lines(&self) -> Vec<&str> {
        self.stdout.lines().collect()
    }
}

/// Both streams; cursors, which hold a digest of the root's path, are cut short.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short_cursors(&self.stdout))?;
        if !self.stderr.is_empty() {
            write!(f, "--- standard error\n{}", short_cursors(&self.stderr))?;
        }
        Ok(())
    }
}

fn short_cursors(text: &str) -> String {
    let mut parts = text.split("c1.");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-_".contains(c));
        out.push_str(if rest.len() < part.len() { "c1.…" } else { "c1." });
        out.push_str(rest);
    }
    out
}
