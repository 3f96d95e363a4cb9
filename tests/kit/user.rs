//! Running a program as an ordinary user, since root passes every permission.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::git::isolate;
use crate::require::in_path;
use crate::tree::Tree;

/// The number of the user and group called nobody.
pub(crate) const NOBODY: u32 = 65534;

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A command that runs as an ordinary user; it is used like the [`Command`] that it holds.
#[derive(Debug)]
pub struct Unprivileged {
    command: Command,
    /// Holds the copy of the program; it must outlive the run.
    _stage: Option<Tree>,
}

/// A command for `program` as user 65534 if this process is root's, else as this user.
///
/// A program that the other user might not reach (a build folder below root's home) is copied to a
/// temporary folder first. Standard input is empty, and no configuration of git is in force.
///
/// # Panics
///
/// Panics when the program is not there or cannot be copied.
pub fn as_unprivileged(program: impl AsRef<Path>) -> Unprivileged {
    let program = program.as_ref();
    let program = match program.components().count() {
        1 => in_path(program).unwrap_or_else(|| panic!("no {} in PATH", program.display())),
        _ => program.to_path_buf(),
    };
    let stage = (is_root() && !reachable(&program)).then(|| copy(&program));
    let mut command = Command::new(stage.as_ref().map_or(program, |(_, copied)| copied.clone()));
    isolate(&mut command);
    command.current_dir("/");
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    Unprivileged { command, _stage: stage.map(|(tree, _)| tree) }
}

/// Does some work as user 65534 if this process is root's, else as this user. The process stays
/// as it is: the work has a thread of its own, and only that becomes somebody else.
///
/// # Panics
///
/// Panics when the work does, or the thread cannot become the other user.
pub fn unprivileged<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let worker = || {
        if is_root() {
            become_nobody().expect("root may become anybody");
        }
        work()
    };
    std::thread::scope(|scope| scope.spawn(worker).join()).expect("the work does not panic")
}

fn become_nobody() -> rustix::io::Result<()> {
    use rustix::process::{Gid, Uid};
    use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)
}

impl Deref for Unprivileged {
    type Target = Command;

    fn deref(&self) -> &Command {
        &self.command
    }
}

impl DerefMut for Unprivileged {
    fn deref_mut(&mut self) -> &mut Command {
        &mut self.command
    }
}

/// Whether every user may pass through all folders above the program.
fn reachable(program: &Path) -> bool {
    let Ok(program) = program.canonicalize() else {
        return false;
    };
    program
        .ancestors()
        .all(|path| path.metadata().is_ok_and(|found| found.permissions().mode() & 0o001 != 0))
}

fn copy(program: &Path) -> (Tree, PathBuf) {
    let stage = Tree::empty();
    let copied = stage.path().join(program.file_name().expect("a program has a name"));
    fs::copy(program, &copied).unwrap_or_else(|error| panic!("{program:?}: {error}"));
    fs::set_permissions(&copied, fs::Permissions::from_mode(0o755)).expect("the copy is ours");
    (stage, copied)
}
