//! What other programs say about a directory. All paths are relative to it and sorted as bytes.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::git::{git, git_command, isolate};
use crate::require::rg;

/// What `find` calls an entry.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum FoundKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, wherever it leads.
    Symlink,
    /// A pipe, socket or device.
    Other,
}

/// Everything below `dir`, hidden and `.git` included, as `find` sees it; links are not followed.
///
/// # Panics
///
/// Panics when `find` fails, as it does on a directory that it may not read.
pub fn find_paths(dir: &Path) -> Vec<(Vec<u8>, FoundKind)> {
    let args = [".", "-mindepth", "1", "-printf", "%y%P\\0"];
    let output = Command::new("/usr/bin/find").args(args).current_dir(dir).output();
    let output = output.expect("there is a /usr/bin/find");
    assert!(output.status.success(), "find: {}", String::from_utf8_lossy(&output.stderr));
    let mut found: Vec<_> = records(&output.stdout).map(typed).collect();
    found.sort();
    found
}

fn typed(record: &[u8]) -> (Vec<u8>, FoundKind) {
    let kind = match record[0] {
        b'f' => FoundKind::File,
        b'd' => FoundKind::Dir,
        b'l' => FoundKind::Symlink,
        _ => FoundKind::Other,
    };
    (record[1..].to_vec(), kind)
}

/// The paths that the index names at or below `dir`, each once even in a conflict.
///
/// # Panics
///
/// Panics when git fails.
pub fn git_ls_files(dir: &Path) -> Vec<Vec<u8>> {
    sorted(git(dir, &["ls-files", "-z"]))
}

/// The paths that HEAD names at or below `dir`, gitlinks included; none before the first commit.
///
/// # Panics
///
/// Panics when git fails.
pub fn git_ls_tree(dir: &Path) -> Vec<Vec<u8>> {
    git_ls_tree_modes(dir).into_iter().map(|(_, path)| path).collect()
}

/// As [`git_ls_tree`], with the octal mode before each path: `160000` is a gitlink.
///
/// # Panics
///
/// Panics when git fails.
pub fn git_ls_tree_modes(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let head = git_command(dir).args(["rev-parse", "-q", "--verify", "HEAD"]).output();
    if !head.expect("there is a shell at /bin/sh").status.success() {
        return Vec::new();
    }
    let output = git(dir, &["ls-tree", "-r", "-z", "HEAD"]);
    let mut found: Vec<_> = records(&output).map(moded).collect();
    found.sort_by(|a, b| a.1.cmp(&b.1));
    found
}

fn moded(record: &[u8]) -> (String, Vec<u8>) {
    let tab = record.iter().position(|byte| *byte == b'\t').expect("ls-tree puts a tab");
    (String::from_utf8_lossy(&record[..6]).into_owned(), record[tab + 1..].to_vec())
}

/// Which rule of git's ignore files decides about a path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IgnoreRule {
    /// The path that was asked about.
    pub path: Vec<u8>,
    /// File, line (from 1) and pattern; none when no rule matches. A pattern that starts with `!`
    /// means that the path is not ignored.
    pub rule: Option<(Vec<u8>, u64, Vec<u8>)>,
}

/// Asks `git check-ignore` about each path, in the order given. The index plays no part; a path
/// that ends in a slash is taken for a directory.
///
/// # Panics
///
/// Panics when git fails, as it does for a path beyond a symlink or in a submodule.
pub fn git_check_ignore(dir: &Path, paths: &[Vec<u8>]) -> Vec<IgnoreRule> {
    if paths.is_empty() {
        return Vec::new();
    }
    let mut command = git_command(dir);
    command.args(["check-ignore", "-v", "-n", "-z", "--no-index", "--stdin"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell at /bin/sh");
    let mut stdin = child.stdin.take().expect("it was asked for");
    let output = std::thread::scope(|scope| {
        // Written beside the reading: git answers before it has read everything.
        scope.spawn(move || {
            for path in paths {
                let _ = stdin.write_all(path).and_then(|()| stdin.write_all(b"\0"));
            }
        });
        child.wait_with_output().expect("a started child can be waited for")
    });
    let code = output.status.code();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(code, Some(0 | 1)), "git check-ignore: {message}");
    let fields: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
    fields.chunks_exact(4).map(rule).collect()
}

fn rule(fields: &[&[u8]]) -> IgnoreRule {
    let [source, line, pattern, path] = fields else { unreachable!("chunks of four") };
    let line = std::str::from_utf8(line).ok().and_then(|line| line.parse().ok());
    let rule = line.map(|line| (source.to_vec(), line, pattern.to_vec()));
    IgnoreRule { path: path.to_vec(), rule }
}

/// What `rg --files` lists in `dir` with further arguments, without any configuration.
///
/// # Panics
///
/// Panics when there is no ripgrep 15 (ask [`require`](crate::require) first) or it meets an error.
pub fn rg_files<S: AsRef<OsStr>>(dir: &Path, args: &[S]) -> Vec<Vec<u8>> {
    let mut command = Command::new(rg().expect("the test asked for rg first"));
    isolate(&mut command);
    command.args(["--no-config", "--files", "--null"]).args(args).current_dir(dir);
    let output = command.output().expect("a ripgrep that told its version can be run");
    // 1 is an empty listing.
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "rg: {message}");
    sorted(output.stdout)
}

fn sorted(output: Vec<u8>) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = records(&output).map(<[u8]>::to_vec).collect();
    paths.sort();
    paths.dedup();
    paths
}

fn records(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(|byte| *byte == 0).filter(|record| !record.is_empty())
}
