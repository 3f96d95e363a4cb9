//! Running one test again in a process of its own: as another user, with other limits, or with
//! mounts of its own.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use trilist_tests::as_unprivileged;

/// True when this process is an ordinary user's: the caller goes on. Else the test runs again as
/// an ordinary user, and the caller returns.
pub(crate) fn as_ordinary_user(module: &str, test: &str) -> bool {
    if !rustix::process::geteuid().is_root() {
        return true;
    }
    let mut command = as_unprivileged(this_program());
    run(command.args(["--exact", &name(module, test), "--nocapture"]));
    false
}

/// True in a process that runs only this test: the caller goes on. Else it runs again behind
/// `before`, the words of a shell, and the caller returns.
pub(crate) fn alone(module: &str, test: &str, before: &str) -> bool {
    const MARK: &str = "TRILIST_TEST_ALONE";
    let name = name(module, test);
    if env::var(MARK).is_ok_and(|mark| mark == name) {
        return true;
    }
    let script = format!("{before} exec \"$0\" --exact \"$1\" --nocapture");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &script]).arg(this_program()).arg(&name).env(MARK, &name);
    run(&mut command);
    false
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
}

fn name(module: &str, test: &str) -> String {
    let module = module.split_once("::").map_or(module, |(_, below)| below);
    format!("{module}::{test}")
}

fn this_program() -> PathBuf {
    env::current_exe().unwrap()
}

/// Whether this process may have mounts of its own. If not, the reason is printed as
/// `SKIP(reason)`; with `TRILIST_REQUIRE_ALL=1` root has to be able to.
pub(crate) fn may_mount() -> bool {
    let script = "mount -t tmpfs none /tmp";
    let tried = Command::new("unshare").args(["-m", "sh", "-c", script]).output();
    if tried.is_ok_and(|tried| tried.status.success()) {
        return true;
    }
    let required = env::var("TRILIST_REQUIRE_ALL").is_ok_and(|set| set == "1");
    assert!(!required || !rustix::process::geteuid().is_root(), "no mounts of its own");
    // Written past the test harness, which would swallow it.
    let _ = writeln!(std::io::stderr(), "SKIP(no permission for mounts of its own)");
    false
}
