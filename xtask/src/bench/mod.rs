//! `cargo xtask bench`: whole processes against each other, in turn (A B A B …), after a warm-up.
//!
//! CPU time is quoted beside wall time because it holds still on a shared machine. Before anything
//! is timed, both sides must have printed the same paths wherever they claim the same.

mod beyond;
mod compare;
mod compat;
mod corpus;
mod explain;
mod jobs;
pub mod mcp;
mod measure;
mod table;
mod vcs;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::dist;
pub use jobs::Job;
pub use measure::{TAKEN, tell};

/// How large the corpora are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Size {
    /// Up to a million files: what the bars are stated for.
    Full,
    /// Some thousand files: shows that the jobs work, not how fast anything is.
    Small,
}

/// The programs that are timed.
struct Programs {
    trilist: PathBuf,
    hello: PathBuf,
    warm: PathBuf,
    collect: PathBuf,
    rg: PathBuf,
}

/// Runs the jobs and prints a table; fails the exit code when a bar is missed at full size.
///
/// # Errors
///
/// Fails when a program cannot be built or run, or two sides print different paths.
pub fn run(jobs: &[Job], size: Size) -> Result<ExitCode> {
    let programs = build()?;
    let mut rows = Vec::new();
    for job in jobs {
        for duel in jobs::duels(*job, size, &programs)? {
            println!("{}: {} against {}", duel.title, duel.ours.label, duel.rival.label);
            if let Some(sides) = &duel.same {
                compare::check(sides).with_context(|| duel.title.clone())?;
            }
            rows.push(measure::duel(&duel)?);
        }
    }
    println!("\n{}", table::render(&rows));
    let missed = size == Size::Full && rows.iter().any(|row| !row.missed().is_empty());
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build() -> Result<Programs> {
    let release = dist::build(&["-p", "trilist-cli", "-p", "xtask"])?;
    let rg = crate::tools::RIPGREP;
    anyhow::ensure!(rg.is_installed(), "no ripgrep {}: run `cargo xtask setup`", rg.version);
    let program = |name| release.join(name);
    Ok(Programs {
        trilist: program("trilist"),
        hello: program("hello"),
        warm: program("warm"),
        collect: program("collect"),
        rg: rg.path(),
    })
}
