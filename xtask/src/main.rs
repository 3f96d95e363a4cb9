//! `cargo xtask COMMAND`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "developer commands read files, run programs and talk to a person"
)]

use std::process::ExitCode;

use anyhow::{Result, bail};
use xtask::bench::{Job, Size};
use xtask::ci::Extent;
use xtask::fuzz::Task;
use xtask::schema::{self, Schemas};
use xtask::{bench, ci, clients, conformance, dist, fuzz, security, setup, tidy};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup                  installs what `ci` needs, once
  ci [--full]            runs every check; --full adds the long runs
  dist                   builds the program as it is handed out: in one file, and without libraries
  tidy                   holds the house rules: arrows, absences, lengths, provenance
  schema --check|--write compares or writes the JSON Schemas under schemas/
  security --check|--write|--run
                         compares or writes docs/security.md, of threats and their tests; with
                         --run, runs these tests first
  conformance [--dir DIR] [--peer NAME] [--verbose]
                         replays the recorded calls of other programs' list tools
  clients [--agents]     drives `trilist mcp` with clients that others have written; with
                         --agents, agent programs and a scripted model
  bench mcp [--small]    measures the server against others
  bench [JOB] [--small]  measures against other programs: first-page, vcs, files,
                         full, compat, compare, overview, explain
  fuzz [TARGET…] [--time 10m]  runs fuzz targets, each that long (default 60s)
  fuzz [TARGET…] --minimize    renews the kept inputs from what runs have found
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<ExitCode> {
    match words {
        ["setup"] => setup::run().map(|()| ExitCode::SUCCESS),
        ["ci"] => ci::run(Extent::Usual),
        ["ci", "--full"] => ci::run(Extent::Full),
        ["dist"] => dist::run().map(|()| ExitCode::SUCCESS),
        ["tidy"] => run_tidy(),
        ["schema", "--check"] => schema::run(Schemas::Check),
        ["schema", "--write"] => schema::run(Schemas::Write),
        ["security", "--check"] => security::run(security::Task::Check),
        ["security", "--write"] => security::run(security::Task::Write),
        ["security", "--run"] => security::run(security::Task::Run),
        ["conformance", rest @ ..] => conformance::run(rest),
        ["clients", rest @ ..] => clients::run(rest),
        // For `bench` alone.
        [word, rest @ ..] if *word == bench::TAKEN => bench::tell(rest).map(|()| ExitCode::SUCCESS),
        ["bench", "mcp"] => bench::mcp::run(Size::Full),
        ["bench", "mcp", "--small"] => bench::mcp::run(Size::Small),
        ["bench", rest @ ..] => run_bench(rest),
        ["fuzz", rest @ ..] => run_fuzz(rest),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => bail!("this is not a command: {:?}\n\n{USAGE}", words.join(" ")),
    }
}

fn run_tidy() -> Result<ExitCode> {
    let broken = tidy::check(&xtask::workspace())?;
    for line in &broken {
        println!("{line}");
    }
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_bench(words: &[&str]) -> Result<ExitCode> {
    let mut jobs = Vec::new();
    let mut size = Size::Full;
    for word in words {
        match *word {
            "--small" => size = Size::Small,
            name => jobs.push(Job::named(name)?),
        }
    }
    if jobs.is_empty() {
        jobs = Job::ALL.to_vec();
    }
    bench::run(&jobs, size)
}

fn run_fuzz(words: &[&str]) -> Result<ExitCode> {
    let (mut names, mut task) = (Vec::new(), Task::Run(fuzz::USUAL_TIME));
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--minimize" => task = Task::Minimize,
            "--time" => task = Task::Run(fuzz::time(words.next().copied().unwrap_or_default())?),
            name => names.push(name),
        }
    }
    fuzz::run(&names, task)
}
