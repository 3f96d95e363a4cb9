//! `cargo xtask clients`: drives `trilist mcp` with clients that others have written. There is no
//! model and, once they are installed, no network.

mod agents;
mod drive;
mod ground;
pub(crate) mod install;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::ci::tally::Tally;
use crate::run::{cargo, run as run_command};
use ground::Ground;

/// A client, and how it is driven; what it returns is what was seen to work.
type Client = (&'static str, fn(&Ground) -> Result<Vec<String>>);

const CLIENTS: &[Client] = &[
    ("tokens of the descriptions", drive::tokens),
    ("MCP Inspector, legacy era, strict", |ground| drive::inspector(ground, "legacy")),
    ("MCP Inspector, modern era, strict", |ground| drive::inspector(ground, "modern")),
    ("Python SDK mcp", drive::sdk),
    ("fastmcp", drive::fastmcp),
];

/// Agent programs with a scripted model; for `--agents`.
const AGENTS: &[Client] = &[
    ("Codex", |ground| agents::drive(ground, "codex")),
    ("Claude Code", |ground| agents::drive(ground, "claude")),
    ("OpenCode", |ground| agents::drive(ground, "opencode")),
    ("Gemini CLI", |ground| agents::drive(ground, "gemini")),
];

/// Installs what is missing and runs all clients, or with `--agents` the agent programs.
///
/// # Errors
///
/// Fails when the server cannot be built or the words are unknown; a client's failure is in the
/// exit code.
pub fn run(words: &[&str]) -> Result<ExitCode> {
    install::all()?;
    let tally = match words {
        [] => check()?,
        ["--agents"] => {
            agents::install()?;
            each(AGENTS, &Ground::new(built()?)?)
        }
        _ => bail!("clients takes nothing, or --agents"),
    };
    Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Drives each client and says what worked.
///
/// # Errors
///
/// Fails when the server cannot be built or the clients are not installed.
pub(crate) fn check() -> Result<Tally> {
    if !install::are_installed() {
        bail!("the clients are not installed: run `cargo xtask setup`");
    }
    let ground = Ground::new(built()?)?;
    Ok(each(CLIENTS, &ground))
}

fn each(clients: &[Client], ground: &Ground) -> Tally {
    let mut tally = Tally::default();
    for (name, drive) in clients {
        let start = Instant::now();
        let seen = drive(ground);
        let seconds = start.elapsed().as_secs_f64();
        match seen {
            Ok(lines) => {
                println!("{name}: ok in {seconds:.1} s");
                lines.iter().for_each(|line| println!("  {line}"));
                tally.passed += 1;
            }
            Err(error) => {
                println!("{name}: FAILED in {seconds:.1} s: {error:#}");
                tally.failed += 1;
            }
        }
    }
    tally
}

/// The program, built as the tests build it.
fn built() -> Result<PathBuf> {
    run_command(cargo().args(["build", "--quiet", "--locked", "-p", "trilist-cli"]))?;
    let program = crate::target_dir().join("debug/trilist");
    ensure!(program.is_file(), "the program was not built");
    Ok(program)
}
