//! Agent programs with a scripted model. Not in CI: together they are more than a gigabyte.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::ground::Ground;
use super::install::{lists, python};
use crate::run::{command, run};
use crate::tools::tools_dir;

/// The npm packages, each at one version.
const PACKAGES: &[&str] = &[
    "@openai/codex@0.171.0",
    "@anthropic-ai/claude-code@2.1.332",
    "opencode-ai@1.18.33",
    "@google/gemini-cli@0.61.0",
];

/// Installs the programs, if they are not there.
pub(super) fn install() -> Result<()> {
    let (dir, asked) = (dir(), PACKAGES.join("\n"));
    if fs::read_to_string(dir.join("installed")).is_ok_and(|installed| installed == asked) {
        return Ok(());
    }
    fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let quiet = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", "."];
    run(command("npm", &quiet).args(PACKAGES).current_dir(&dir))?;
    fs::write(dir.join("installed"), asked).context("cannot note what is installed")
}

/// One program, by the script that follows it from its configuration to its model.
pub(super) fn drive(ground: &Ground, name: &str) -> Result<Vec<String>> {
    let mut script = command(python(), &[]);
    script.arg(lists().join("agents.py")).arg(name).arg(dir());
    script.arg(&ground.program).arg(ground.root());
    Ok(super::drive::printed(&mut script)?.lines().map(str::to_owned).collect())
}

fn dir() -> PathBuf {
    tools_dir().join("clients-agents")
}
