//! `cargo xtask setup`: installs what `cargo xtask ci` needs. A second run finds everything there
//! and does nothing.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::clients;
use crate::run::{self, cargo, command, in_path, printed};
use crate::tools::{
    CARGO_DENY, CargoTool, PATHSPEC_VERSION, PLAYWRIGHT_VERSION, RIPGREP, has_pathspec,
    has_playwright, pathspec_python, tools_dir,
};

/// Installs what is missing and says so, line by line.
///
/// # Errors
///
/// Fails when something is missing that cannot be installed here.
pub fn run() -> Result<()> {
    system_packages()?;
    toolchain_parts()?;
    cargo_tool(&RIPGREP)?;
    cargo_tool(&CARGO_DENY)?;
    pathspec()?;
    playwright()?;
    clients::install::all()
}

fn system_packages() -> Result<()> {
    let missing: Vec<&str> = [
        ("git", in_path("git").is_some()),
        ("strace", in_path("strace").is_some()),
        ("python3", in_path("python3").is_some()),
        ("python3-venv", has_venv()),
        ("chromium", in_path("chromium").is_some()),
        ("nodejs", in_path("node").is_some()),
        ("npm", in_path("npm").is_some()),
    ]
    .into_iter()
    .filter_map(|(package, present)| (!present).then_some(package))
    .collect();
    if missing.is_empty() {
        println!("git, strace, python3 with venv, chromium, node with npm: present");
        return Ok(());
    }
    println!("installing {}", missing.join(", "));
    apt_install(&missing)
}

/// Debian splits the module that makes environments from Python itself.
fn has_venv() -> bool {
    printed(&mut command("python3", &["-c", "import venv, ensurepip"])).is_some()
}

fn apt_install(packages: &[&str]) -> Result<()> {
    if in_path("apt-get").is_none() {
        bail!("install these yourself, there is no apt-get here: {}", packages.join(" "));
    }
    // A failed update need not matter: the lists at hand may do.
    if let Err(error) = run::run(&mut command("apt-get", &["-qq", "update"])) {
        println!("going on with the package lists at hand: {error:#}");
    }
    let mut install = command("apt-get", &["-qq", "install", "-y", "--no-install-recommends"]);
    run::run(install.args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn toolchain_parts() -> Result<()> {
    for (part, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if printed(cargo().args([subcommand, "--version"])).is_some() {
            println!("{part}: present");
            continue;
        }
        println!("{part}: adding to the toolchain");
        run::run(&mut command("rustup", &["component", "add", part]))?;
    }
    Ok(())
}

/// Builds a program unless it is there.
pub(crate) fn cargo_tool(tool: &CargoTool) -> Result<()> {
    let CargoTool { package, version, optimised, .. } = tool;
    if tool.is_installed() {
        println!("{package} {version}: present");
        return Ok(());
    }
    println!("{package} {version}: building");
    let mut install = cargo();
    install.args(["install", "--quiet", "--locked", "--force", "--version", version]);
    if !optimised {
        install.env("CARGO_PROFILE_DEV_DEBUG", "false").arg("--debug");
    }
    // Built elsewhere than our own crates, so that a changed flag there does not build it again.
    run::run(install.arg("--root").arg(tools_dir()).arg(package).env_remove("CARGO_TARGET_DIR"))
}

fn pathspec() -> Result<()> {
    if has_pathspec() {
        println!("pathspec {PATHSPEC_VERSION}: present");
        return Ok(());
    }
    println!("pathspec {PATHSPEC_VERSION}: installing");
    let dir = tools_dir().join("py");
    make_parent(&dir)?;
    run::run(command("python3", &["-m", "venv", "--clear"]).arg(&dir))?;
    let package = format!("pathspec=={PATHSPEC_VERSION}");
    let args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &package];
    run::run(&mut command(pathspec_python(), &args))
}

/// The module that drives the browser, without a browser of its own.
fn playwright() -> Result<()> {
    if has_playwright() {
        println!("playwright-core {PLAYWRIGHT_VERSION}: present");
        return Ok(());
    }
    println!("playwright-core {PLAYWRIGHT_VERSION}: installing");
    let dir = tools_dir().join("js");
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let package = format!("playwright-core@{PLAYWRIGHT_VERSION}");
    let args = ["install", "--silent", "--no-audit", "--no-fund", "--no-save", &package];
    run::run(command("npm", &args).arg("--prefix").arg(&dir))
}

fn make_parent(dir: &Path) -> Result<()> {
    let parent = dir.parent().context("the tools' folder is not the root")?;
    std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))
}
