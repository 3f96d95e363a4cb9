//! Replays recorded calls of other programs' list tools, and compares byte for byte.
//!
//! Every call goes the way that `trilist compat` goes. The results that differ on purpose are rows
//! of `fixtures/deviations.toml`, and what is expected there is checked as strictly as the rest.

mod case;
mod compare;
mod deviations;
mod replay;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::workspace;
use deviations::Deviations;
use replay::Replay;

pub use case::Case;

/// The programs of which there are cases but no contract: they are the ground truth of other
/// tests.
const NEUTRAL: &[&str] = &["git", "node", "pathspec", "ripgrep"];

/// What came out of one case.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// Exactly what was recorded.
    Passed,
    /// What the row of deviations says; and exactly what was recorded under `strict`, if true.
    Deviating {
        /// Whether `strict` brings the recorded result.
        exact_when_strict: bool,
    },
    /// Something else.
    Failed(String),
}

/// What came out of one program's cases.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The program.
    pub peer: String,
    /// Each case's name and verdict.
    pub verdicts: Vec<(String, Verdict)>,
}

impl Tally {
    fn count(&self, of: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| of(verdict)).count()
    }

    /// How many cases passed.
    pub fn passed(&self) -> usize {
        self.count(|verdict| *verdict == Verdict::Passed)
    }

    /// How many cases deviate on purpose.
    pub fn deviating(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Deviating { .. }))
    }

    /// How many of these are exact under `strict`.
    pub fn exact_when_strict(&self) -> usize {
        self.count(|verdict| *verdict == Verdict::Deviating { exact_when_strict: true })
    }

    /// How many cases failed.
    pub fn failed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_)))
    }
}

/// Where cases and trees are found.
#[derive(Clone, Debug)]
pub struct Data {
    /// The folder with one folder of cases for each program.
    pub cases: PathBuf,
    /// Folders of trees; the first that has one counts.
    pub trees: Vec<PathBuf>,
}

impl Data {
    /// Those that come with the source.
    pub fn built_in() -> Data {
        let fixtures = workspace().join("fixtures");
        Data { cases: fixtures.join("conformance/cases"), trees: vec![fixtures.join("trees")] }
    }

    /// Those of a folder in the same format; trees may also be the built-in ones.
    pub fn of(dir: &Path) -> Data {
        let nested = dir.join("cases");
        let cases = if nested.is_dir() { nested } else { dir.to_path_buf() };
        let mut trees = vec![dir.join("trees")];
        trees.extend(Data::built_in().trees);
        Data { cases, trees }
    }
}

/// Replays every case of the contracts that exist, or of one of them.
///
/// # Errors
///
/// Fails when cases, trees or deviations cannot be read.
pub fn replay(data: &Data, only: Option<&str>) -> Result<Vec<Tally>> {
    let deviations = Deviations::load(&workspace().join("fixtures/deviations.toml"))?;
    let mut replay = Replay::new(data, &deviations);
    let mut tallies = Vec::new();
    for peer in peers(&data.cases)? {
        if only.is_some_and(|only| only != peer) || NEUTRAL.contains(&peer.as_str()) {
            continue;
        }
        tallies.push(replay.peer(&peer)?);
    }
    if let Some(only) = only
        && tallies.is_empty()
    {
        bail!("there are no cases of `{only}` in {}", data.cases.display());
    }
    Ok(tallies)
}

/// `cargo xtask conformance`.
///
/// # Errors
///
/// As [`replay`], and for words that are no options.
pub fn run(words: &[&str]) -> Result<ExitCode> {
    let mut data = Data::built_in();
    let mut only = None;
    let mut verbose = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--verbose" => verbose = true,
            "--dir" => data = Data::of(Path::new(words.next().context("--dir needs a folder")?)),
            "--peer" => only = Some(*words.next().context("--peer needs a name")?),
            other => bail!("`conformance` has no option `{other}`"),
        }
    }
    let tallies = replay(&data, only)?;
    print(&tallies, verbose);
    let all_well = tallies.iter().all(|tally| tally.failed() == 0);
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(tallies: &[Tally], verbose: bool) {
    for tally in tallies {
        for (name, verdict) in &tally.verdicts {
            match verdict {
                Verdict::Failed(why) => println!("FAILED {}/{name}\n{why}", tally.peer),
                verdict if verbose => println!("{verdict:?} {}/{name}", tally.peer),
                _ => {}
            }
        }
    }
    let row = |cells: [&str; 6]| {
        let [peer, cases, passed, deviating, strict, failed] = cells;
        println!("{peer:<12} {cases:>6} {passed:>7} {deviating:>10} {strict:>13} {failed:>7}");
    };
    row(["peer", "cases", "passed", "deviating", "(strict exact)", "failed"]);
    for tally in tallies {
        let numbers = [
            tally.verdicts.len(),
            tally.passed(),
            tally.deviating(),
            tally.exact_when_strict(),
            tally.failed(),
        ];
        let [cases, passed, deviating, strict, failed] = numbers.map(|number| number.to_string());
        row([&tally.peer, &cases, &passed, &deviating, &strict, &failed]);
    }
}

fn peers(cases: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(cases).with_context(|| format!("{}", cases.display()))?;
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name != "trees")
        .collect();
    names.sort();
    Ok(names)
}
