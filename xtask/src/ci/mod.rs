//! `cargo xtask ci`: every check, one after another. A failed one does not keep the others from
//! running, so that one run tells everything.

mod examples;
pub(crate) mod tally;

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::bench::{self, Job, Size};
use crate::ci::tally::Tally;
use crate::run::{cargo, command, run as run_command};
use crate::schema::{self, Schemas};
use crate::security::{self, Record};
use crate::tools::{CARGO_DENY, RIPGREP, pathspec_python};
use crate::{clients, fuzz, tidy, workspace};

/// How much to run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Extent {
    /// What every change has to pass.
    Usual,
    /// Long runs as well: the counts that are promised, more random cases, ignored tests, ten
    /// minutes of each fuzz target, and the benches at full size.
    Full,
}

/// A check: its name, and what it does. It counts tests if it runs any.
type Check = (&'static str, fn(Extent) -> Result<Tally>);

const CHECKS: &[Check] = &[
    ("format", |_| quiet(cargo().args(["fmt", "--all", "--check"]))),
    ("clippy", clippy),
    ("without vcs", without_vcs),
    ("with tokio", with_tokio),
    ("examples", |_| examples::run()),
    ("tests", tests),
    ("threats", threats_page),
    ("docs", docs),
    ("tidy", house_rules),
    ("schemas", schemas),
    ("dependencies", dependencies),
    ("clients", |_| clients::check()),
];

/// Runs all checks and ends with one line: how many tests passed, failed and were skipped. A check
/// that is no test counts as one failure when it fails, and not at all when it does not.
///
/// # Errors
///
/// Fails only when a check cannot be told to have run; a failed check is in the exit code.
pub fn run(extent: Extent) -> Result<ExitCode> {
    let mut total = Tally::default();
    for (name, check) in CHECKS {
        total += timed(name, || check(extent));
    }
    if extent == Extent::Full {
        total += timed("fuzz", fuzzed);
        total += timed("figures", figures);
        total += timed("bench", benches);
    }
    println!();
    println!("{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn timed(name: &str, check: impl FnOnce() -> Result<Tally>) -> Tally {
    println!("\n== {name}");
    let start = Instant::now();
    let result = check();
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(tally) if tally.failed == 0 => {
            println!("== {name}: ok in {seconds:.1} s");
            tally
        }
        Ok(tally) => {
            println!("== {name}: {} FAILED in {seconds:.1} s", tally.failed);
            tally
        }
        Err(error) => {
            println!("== {name}: FAILED in {seconds:.1} s: {error:#}");
            Tally { failed: 1, ..Tally::default() }
        }
    }
}

fn clippy(_: Extent) -> Result<Tally> {
    let args = ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
    quiet(cargo().args(args))
}

/// The build for hosts that leave git out.
fn without_vcs(_: Extent) -> Result<Tally> {
    let part = ["--locked", "-p", "trilist", "--no-default-features"];
    run_command(cargo().arg("build").args(part))?;
    quiet(cargo().arg("clippy").args(part).args(["--all-targets", "--", "-D", "warnings"]))
}

/// The build for hosts that run on tokio, and its tests.
fn with_tokio(_: Extent) -> Result<Tally> {
    let part = ["--locked", "-p", "trilist", "--features", "tokio", "--all-targets"];
    quiet(cargo().arg("clippy").args(part).args(["--", "-D", "warnings"]))?;
    let part = &part[..part.len() - 1];
    counted(cargo().arg("test").args(part).args(["--test", "it"]))
}

fn tests(extent: Extent) -> Result<Tally> {
    let place = security::place();
    security::forget(&place)?;
    let mut record = Record::default();
    let mut usual = test_command(&[]);
    let tally = match extent {
        Extent::Usual => recorded(&mut usual, &mut record)?,
        Extent::Full => {
            let mut tally = recorded(full(&mut usual).env("PROPTEST_CASES", "4096"), &mut record)?;
            // Not the examples in docs: those marked `ignore` are not meant to run.
            let targets = ["--lib", "--bins", "--tests", "--", "--ignored"];
            tally += recorded(full(&mut test_command(&targets)), &mut record)?;
            tally
        }
    };
    record.keep(&place)?;
    Ok(tally)
}

/// The counts that are promised, and a file for what is measured.
fn full(command: &mut Command) -> &mut Command {
    command.env("TRILIST_FULL", "1").env(security::FIGURES, security::figures_file())
}

/// Runs the tests whose names hold one of these words, and records how they end.
///
/// # Errors
///
/// Fails when the tests cannot be run; a failed test is in the record.
pub(crate) fn threats(names: &[String]) -> Result<()> {
    let place = security::place();
    let mut record = Record::default();
    let mut words = vec!["--lib", "--bins", "--tests", "--"];
    words.extend(names.iter().map(String::as_str));
    recorded(&mut test_command(&words), &mut record)?;
    record.keep(&place)
}

/// The committed page has to be what the sources and this run of the tests say.
fn threats_page(_: Extent) -> Result<Tally> {
    let record = Record::read(&security::place());
    let broken = security::check_after(&workspace(), &record)?;
    broken.iter().for_each(|line| println!("{line}"));
    Ok(Tally { failed: broken.len() as u64, ..Tally::default() })
}

/// Ten minutes of each target.
fn fuzzed() -> Result<Tally> {
    let code = fuzz::run(&[], fuzz::Task::Run(fuzz::FULL_TIME))?;
    Ok(Tally { failed: u64::from(code != ExitCode::SUCCESS), ..Tally::default() })
}

/// Writes down what the long runs have measured.
fn figures() -> Result<Tally> {
    let code = security::run(security::Task::Write)?;
    Ok(Tally { failed: u64::from(code != ExitCode::SUCCESS), ..Tally::default() })
}

/// A missing tool, or a snapshot that would be written, is a failure here.
fn test_command(more: &[&str]) -> Command {
    let mut command = cargo();
    command.args(["test", "--locked", "--workspace", "--no-fail-fast"]).args(more);
    command.env("TRILIST_REQUIRE_ALL", "1").env("INSTA_UPDATE", "no");
    command.env("TRILIST_RG", RIPGREP.path());
    command.env("TRILIST_PATHSPEC_PYTHON", pathspec_python());
    command
}

/// Runs tests, shows what they print, and counts. A build that fails, or a binary that dies without
/// a summary, has no failed test to show for it, so it is made one.
fn counted(command: &mut Command) -> Result<Tally> {
    recorded(command, &mut Record::default())
}

/// The same, with how each test ended.
fn recorded(command: &mut Command, record: &mut Record) -> Result<Tally> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run cargo")?;
    let stdout = child.stdout.take().context("standard output was asked for")?;
    let mut tally = Tally::default();
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.context("cannot read what the tests print")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        tally.add_line(&line);
        record.add_line(&line);
    }
    let status = child.wait().context("cannot wait for the tests")?;
    if !status.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

fn docs(_: Extent) -> Result<Tally> {
    // Libraries alone: the program bears the name of one of them, and its pages would lie over it.
    let args = ["doc", "--locked", "--workspace", "--no-deps", "--lib"];
    quiet(cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
}

fn house_rules(_: Extent) -> Result<Tally> {
    let broken = tidy::check(&workspace())?;
    for line in &broken {
        println!("{line}");
    }
    Ok(Tally { failed: broken.len() as u64, ..Tally::default() })
}

/// The committed schemas have to be those of the types.
fn schemas(_: Extent) -> Result<Tally> {
    let failed = u64::from(schema::run(Schemas::Check)? != ExitCode::SUCCESS);
    Ok(Tally { failed, ..Tally::default() })
}

/// Advisories are left out: they have to be fetched, and a check must not depend on the network.
fn dependencies(_: Extent) -> Result<Tally> {
    if !CARGO_DENY.is_installed() {
        bail!("there is no cargo-deny {}: run `cargo xtask setup`", CARGO_DENY.version);
    }
    // Two versions of one crate are worth a look now and then, not a page of output each time.
    let args = ["check", "--allow", "duplicate", "bans", "licenses", "sources"];
    quiet(command(CARGO_DENY.path(), &args).current_dir(workspace()))
}

fn benches() -> Result<Tally> {
    let code = bench::run(Job::ALL, Size::Full)?;
    Ok(Tally { failed: u64::from(code != ExitCode::SUCCESS), ..Tally::default() })
}

fn quiet(command: &mut Command) -> Result<Tally> {
    run_command(command).map(|()| Tally::default())
}
