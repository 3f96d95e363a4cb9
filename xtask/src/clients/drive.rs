//! One function a client.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::ground::Ground;
use super::install::{lists, node, npm, npm_dir, python};
use crate::run::command;

/// The Inspector's command line, in one era: the tools' schemas without a complaint, calls, errors.
pub(super) fn inspector(ground: &Ground, era: &str) -> Result<Vec<String>> {
    let tools = json(&mut inspect(ground, era, &["--strict", "--method", "tools/list"]))?;
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|t| t["name"].as_str())
        .collect();
    ensure!(names.first() == Some(&"list_dir"), "the tools are {names:?}");
    let call = ["--method", "tools/call", "--tool-name"];
    let listed = ["list_dir", "--tool-arg", "depth=1", "limit=2"];
    let page = json(inspect(ground, era, &call).args(listed))?;
    ensure!(page["structuredContent"]["returned"] == 2, "the page is {page}");
    let text = page["content"][0]["text"].as_str().unwrap_or_default();
    ensure!(text.starts_with("CUT after 2 entries"), "the text is {text}");
    let roots = json(inspect(ground, era, &call).arg("list_roots"))?;
    ensure!(roots["structuredContent"]["roots"][0]["available"] == true, "{roots}");
    Ok(vec![format!("no complaint about the schemas of {}", names.join(", ")), "calls".to_owned()])
}

fn inspect(ground: &Ground, era: &str, words: &[&str]) -> Command {
    let mut inspector = command(node(), &[]);
    inspector.arg(npm("@modelcontextprotocol/inspector/clients/launcher/build/index.js"));
    inspector.args(["--cli", "--protocol-era", era]).arg(&ground.program);
    inspector.args(["mcp", "--no-config", "--root"]).arg(ground.root()).args(words);
    inspector
}

/// The Python SDK, by a script.
pub(super) fn sdk(ground: &Ground) -> Result<Vec<String>> {
    script(ground, "sdk.py")
}

/// `fastmcp`, by a script.
pub(super) fn fastmcp(ground: &Ground) -> Result<Vec<String>> {
    script(ground, "fast.py")
}

fn script(ground: &Ground, name: &str) -> Result<Vec<String>> {
    let mut run = command(python(), &[]);
    run.arg(lists().join(name)).arg(&ground.program).arg(ground.root());
    Ok(printed(&mut run)?.lines().map(str::to_owned).collect())
}

/// What a model is told, counted in a model's own vocabulary.
pub(super) fn tokens(_: &Ground) -> Result<Vec<String>> {
    // A script finds its packages from where it lies.
    let script = npm_dir().join("tokens.mjs");
    std::fs::copy(lists().join("tokens.mjs"), &script).context("cannot copy a script")?;
    let schemas = std::fs::File::open(crate::workspace().join("schemas/tools.mcp.json"))?;
    let mut run = command(node(), &[]);
    let counted = printed(run.arg(Path::new(&script)).stdin(Stdio::from(schemas)))?;
    Ok(vec![counted.trim().to_owned()])
}

fn json(command: &mut Command) -> Result<Value> {
    let text = printed(command)?;
    serde_json::from_str(&text).with_context(|| format!("this is no JSON: {text}"))
}

/// Standard output of a run that has to go well and to say nothing else.
pub(super) fn printed(command: &mut Command) -> Result<String> {
    let Output { status, stdout, stderr } = command.output().context("cannot be run")?;
    let told = String::from_utf8_lossy(&stderr);
    if !status.success() || !told.trim().is_empty() {
        bail!("{status}: {}{told}", String::from_utf8_lossy(&stdout));
    }
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}
