//! `cargo xtask fuzz`: the targets of `fuzz/` under libFuzzer.
//!
//! What they are built and find goes to `fuzz` in the target folder; the repository's kept inputs
//! are only read, unless `--minimize` renews them.

mod corpus;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::fuzz::report::Outcome;
use crate::run::{command, host, in_path, run as run_command};
use crate::setup::cargo_tool;
use crate::tools::CARGO_FUZZ;
use crate::{target_dir, workspace};

/// What is asked of the targets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Task {
    /// To run each for this long.
    Run(Duration),
    /// To renew the kept inputs from what earlier runs have found.
    Minimize,
}

/// How long a target runs when nothing is said.
pub const USUAL_TIME: Duration = Duration::from_secs(60);

/// How long a target runs where all is run in full.
pub const FULL_TIME: Duration = Duration::from_secs(600);

/// What bounds each run: no input may take longer, ask for more memory at once, or let the process
/// grow further. The sanitizer's own needs are part of the last.
const BOUNDS: &[&str] =
    &["-timeout=10", "-malloc_limit_mb=128", "-rss_limit_mb=1024", "-max_len=4096"];

/// Runs targets, all of them if none is named, and prints a table.
///
/// # Errors
///
/// Fails when there is no such target, or something that is needed can be neither found nor built.
/// A finding is in the exit code.
pub fn run(names: &[&str], task: Task) -> Result<ExitCode> {
    let all = targets()?;
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known == *name)) {
        bail!("there is no target {unknown:?}, only {}", all.join(", "));
    }
    let chosen = all.iter().filter(|name| names.is_empty() || names.contains(&name.as_str()));
    let chosen: Vec<Target> = chosen.map(|name| Target::new(name)).collect::<Result<_>>()?;
    build()?;
    match task {
        Task::Minimize => chosen.iter().try_for_each(corpus::renew).map(|()| ExitCode::SUCCESS),
        Task::Run(time) => {
            let outcomes: Vec<_> =
                chosen.iter().map(|target| target.run(time)).collect::<Result<_>>()?;
            print!("{}", report::table(&outcomes));
            if time >= FULL_TIME {
                report::keep(&outcomes)?;
            }
            let is_clean = outcomes.iter().all(|outcome| outcome.finding.is_none());
            Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

/// A time as it is written: `90s`, `10m`, `1h`.
///
/// # Errors
///
/// Fails when it is none of these.
pub fn time(text: &str) -> Result<Duration> {
    let units = [("s", 1), ("m", 60), ("h", 3600)];
    let read = units.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(*seconds)
    });
    let seconds = read.filter(|seconds| *seconds > 0);
    seconds.map(Duration::from_secs).with_context(|| format!("{text:?} is no time like 10m"))
}

/// The names of all targets, sorted.
fn targets() -> Result<Vec<String>> {
    let dir = workspace().join("fuzz/fuzz_targets");
    let files = fs::read_dir(&dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let stem = |file: fs::DirEntry| Some(file.path().file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = files.flatten().filter_map(stem).collect();
    names.sort();
    Ok(names)
}

/// Where everything goes that is no part of the repository.
fn place() -> PathBuf {
    target_dir().join("fuzz")
}

/// Builds all targets with the address sanitizer, which the stable toolchain has too if it is told
/// that it may.
fn build() -> Result<()> {
    cargo_tool(&CARGO_FUZZ)?;
    if ["c++", "g++", "clang++"].iter().all(|compiler| in_path(compiler).is_none()) {
        bail!("libFuzzer is built by a C++ compiler, and there is none in PATH");
    }
    let mut build = command(CARGO_FUZZ.path(), &["build"]);
    build.current_dir(workspace()).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", place());
    run_command(&mut build)
}

/// A target and its places.
struct Target {
    name: String,
    program: PathBuf,
    /// The inputs that the repository keeps.
    kept: PathBuf,
    /// Those that earlier runs have found.
    found: PathBuf,
    /// Where an input goes that makes the target fail.
    findings: PathBuf,
}

impl Target {
    fn new(name: &str) -> Result<Target> {
        let target = Target {
            name: name.to_owned(),
            program: place().join(host()?).join("release").join(name),
            kept: workspace().join("fuzz/corpus").join(name),
            found: place().join("corpus").join(name),
            findings: place().join("findings").join(name),
        };
        for dir in [&target.kept, &target.found, &target.findings] {
            make_dir(dir)?;
        }
        Ok(target)
    }

    fn run(&self, time: Duration) -> Result<Outcome> {
        println!("{}: {} s", self.name, time.as_secs());
        let log = self.findings.with_extension("log");
        let output = fs::File::create(&log).context("cannot write the log")?;
        let mut fuzz = command(&self.program, BOUNDS);
        // The sanitizer keeps less of what was given back, which is quicker and much smaller.
        fuzz.env("ASAN_OPTIONS", "quarantine_size_mb=8");
        fuzz.arg(format!("-max_total_time={}", time.as_secs()));
        fuzz.arg(format!("-artifact_prefix={}/", self.findings.display()));
        fuzz.args(["-print_final_stats=1", "-len_control=20"]);
        // What is new goes to the first folder.
        fuzz.args([&self.found, &self.kept]).stdout(Stdio::null()).stderr(output);
        let start = Instant::now();
        let status = fuzz.status().with_context(|| format!("cannot run {}", self.name))?;
        let seconds = start.elapsed().as_secs_f64();
        let text = fs::read(&log).context("cannot read the log")?;
        let text = String::from_utf8_lossy(&text);
        Ok(report::outcome(&self.name, seconds, &text, !status.success()))
    }
}

fn make_dir(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_have_a_number_and_a_unit() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("2h", 7200)] {
            assert_eq!(time(text).expect("it is a time").as_secs(), seconds);
        }
        for text in ["", "10", "m", "0m", "-1m", "1d", "1 m", "99999999999999999999s"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
