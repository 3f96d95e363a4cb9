//! Which tools this machine has.

use std::env;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fixture::workspace;

/// Whether a tool is here. If not, the reason is printed as `SKIP(reason)` and the test should
/// return; with `TRILIST_REQUIRE_ALL=1` it fails instead.
///
/// `rg` means ripgrep 15, `pathspec` a Python with pathspec 1.0.4, `browser` what [`browser`] finds;
/// any other name is a program in `PATH`.
///
/// # Panics
///
/// Panics when the tool is missing and `TRILIST_REQUIRE_ALL` is `1`.
pub fn require(tool: &str) -> bool {
    let missing = match tool {
        "rg" => rg().err(),
        "pathspec" => pathspec_python().err(),
        "browser" => browser().err(),
        _ if in_path(tool).is_some() => None,
        _ => Some(format!("no {tool} in PATH")),
    };
    let Some(reason) = missing else { return true };
    skip(&reason);
    false
}

/// Whether the long runs are asked for: with `TRILIST_FULL=1` tests run the counts that are promised,
/// else a part of them that every change can afford.
pub fn is_full() -> bool {
    env::var_os("TRILIST_FULL").is_some_and(|set| set == "1")
}

/// Tells a figure that a test has measured: the threat that it belongs to, what was done, and what
/// came of it. It goes past the test harness to standard error, and to the file that
/// `TRILIST_FIGURES` names, a line for each with tabs between.
///
/// # Panics
///
/// Panics when that file cannot be written to.
pub fn figure(threat: &str, what: &str, value: &str) {
    let _ = writeln!(std::io::stderr(), "FIGURE({threat}: {what}: {value})");
    let Some(path) = env::var_os("TRILIST_FIGURES") else { return };
    let file = OpenOptions::new().append(true).create(true).open(path);
    // One write each, since several programs may add at once.
    let line = format!("{threat}\t{what}\t{value}\n");
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the file of figures can be written to");
}

/// Says why a test cannot be made here.
///
/// # Panics
///
/// Panics when `TRILIST_REQUIRE_ALL` is `1`.
pub fn skip(reason: &str) {
    assert!(env::var_os("TRILIST_REQUIRE_ALL").is_none_or(|set| set != "1"), "{reason}");
    // Written past the test harness, which would swallow a `println!` of a test that passes.
    let _ = writeln!(std::io::stderr(), "SKIP({reason})");
}

/// The ripgrep to compare with: `TRILIST_RG`, else what `cargo xtask setup` installed, else `PATH`.
///
/// # Errors
///
/// Says why there is none, or that it is not of version 15.
pub fn rg() -> Result<PathBuf, String> {
    let found = env::var_os("TRILIST_RG").map(PathBuf::from);
    let found = found.or_else(|| tool("bin/rg")).or_else(|| in_path("rg"));
    let rg = found.ok_or("no ripgrep: run `cargo xtask setup`")?;
    let version = first_line(&rg, &["--version"])?;
    match version.starts_with("ripgrep 15.") {
        true => Ok(rg),
        false => Err(format!("ripgrep 15 is needed, but {} is {version}", rg.display())),
    }
}

/// The Python that has pathspec: `TRILIST_PATHSPEC_PYTHON`, else what `cargo xtask setup` made.
///
/// # Errors
///
/// Says why there is none, or that its pathspec is not 1.0.4.
pub fn pathspec_python() -> Result<PathBuf, String> {
    let found = env::var_os("TRILIST_PATHSPEC_PYTHON").map(PathBuf::from);
    let python = found.or_else(|| tool("py/bin/python3"));
    let python = python.ok_or("no Python with pathspec: run `cargo xtask setup`")?;
    let script = "import importlib.metadata as m; print(m.version('pathspec'))";
    match first_line(&python, &["-c", script])?.as_str() {
        "1.0.4" => Ok(python),
        other => Err(format!("pathspec 1.0.4 is needed, but it is {other:?}")),
    }
}

/// What drives a browser: playwright-core, a module of Node.js, and Chromium.
///
/// # Errors
///
/// Says what of it there is not.
pub fn browser() -> Result<(PathBuf, PathBuf), String> {
    let playwright = tool("js/node_modules/playwright-core/package.json");
    let playwright = playwright.ok_or("no playwright-core: run `cargo xtask setup`")?;
    let chromium = in_path("chromium").ok_or("no chromium in PATH")?;
    in_path("node").ok_or("no node in PATH")?;
    Ok((playwright.with_file_name(""), chromium))
}

/// A file of the folder that `cargo xtask setup` fills, if it is there.
fn tool(rel: &str) -> Option<PathBuf> {
    let chosen = env::var_os("CARGO_TARGET_DIR").map(|dir| workspace().join(dir));
    let targets = chosen.into_iter().chain([workspace().join("target")]);
    targets.map(|target| target.join("tools").join(rel)).find(|path| path.is_file())
}

pub(crate) fn in_path(program: impl AsRef<Path>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|dir| dir.join(program.as_ref())).find(|found| found.is_file())
}

fn first_line(program: &Path, args: &[impl AsRef<OsStr>]) -> Result<String, String> {
    let output = Command::new(program)
        .args(args)
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}
