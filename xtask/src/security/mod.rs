//! `cargo xtask security`: which tests show which threat, and how they ended.
//!
//! `tests/threats.toml` has the threats, the names of tests bear their numbers, a run of the tests
//! records how each ended, and long runs record figures. `docs/security.md` is made of these four,
//! and fails the checks when it is not what they say.

mod figures;
mod page;
mod record;
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::{ci, target_dir, workspace};

pub(crate) use figures::FIGURES;
use figures::Figure;
pub(crate) use record::Record;
use sources::Test;

/// The page that is made.
const PAGE: &str = "docs/security.md";
/// What it is made of, besides the tests.
const THREATS: &str = "tests/threats.toml";

/// What to do with the page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Task {
    /// Changes nothing and reports what differs.
    Check,
    /// Brings the page up to date with the sources and with what was recorded.
    Write,
    /// Runs the tests that show a threat, records how they end, and writes the page.
    Run,
}

/// A threat as `tests/threats.toml` has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threat {
    /// What is done to trilist.
    attack: String,
    /// What has to come of it.
    right: String,
}

/// The threats by their numbers, as `T-01`.
type Threats = BTreeMap<String, Threat>;

/// Runs `security --check`, `--write` or `--run`, and says what is wrong.
///
/// # Errors
///
/// Fails when a file cannot be read or written, or the tests cannot be run. A page that differs, or
/// a threat without a test, is in the exit code.
pub fn run(task: Task) -> Result<ExitCode> {
    let root = workspace();
    if task == Task::Run {
        let begin = |threat: &String| threat.to_lowercase().replace('-', "") + "_";
        ci::threats(&threats(&root)?.keys().map(begin).collect::<Vec<_>>())?;
    }
    let broken = match task {
        Task::Check => check(&root)?,
        Task::Write | Task::Run => write_with(&root, &Record::read(&place()), &place())?,
    };
    for line in &broken {
        println!("{line}");
    }
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is wrong with the page, going by the sources alone: how tests ended, and figures, are taken
/// from the page itself.
///
/// # Errors
///
/// Fails when a file cannot be read.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let found = Found::below(root)?;
    let old = page::read(root);
    let results = |threat: &str, tests: &str| page::result_in(&old, threat, tests);
    Ok(found.compared(&old, &found.page(results, page::figures_in(&old))))
}

/// What is wrong with the page, going by the sources and by a run of all tests.
pub(crate) fn check_after(root: &Path, record: &Record) -> Result<Vec<String>> {
    let found = Found::below(root)?;
    let old = page::read(root);
    let results = |threat: &str, _: &str| Some(found.result(threat, record));
    Ok(found.compared(&old, &found.page(results, page::figures_in(&old))))
}

/// Writes the page with what was recorded, and says what is still wrong with it.
fn write_with(root: &Path, record: &Record, place: &Path) -> Result<Vec<String>> {
    let found = Found::below(root)?;
    let old = page::read(root);
    let results = |threat: &str, tests: &str| match found.result(threat, record) {
        result if result == record::NOT_RUN => page::result_in(&old, threat, tests),
        result => Some(result),
    };
    let figures = figures::merged(page::figures_in(&old), place)?;
    let text = found.page(results, figures);
    fs::write(root.join(PAGE), text).with_context(|| format!("cannot write {PAGE}"))?;
    // They have their day now, and must not get another one.
    let _ = fs::remove_file(figures::file(place));
    Ok(found.broken)
}

/// Where runs leave what they record.
pub(crate) fn place() -> PathBuf {
    target_dir().join("security")
}

/// Where tests write down what they measure.
pub(crate) fn figures_file() -> PathBuf {
    figures::file(&place())
}

/// Adds a figure that no test tells: to which threat it belongs, or a word for what has no number,
/// what was done, and what came of it.
pub(crate) fn add_figure(threat: &str, what: &str, value: &str) -> Result<()> {
    figures::add(&place(), threat, what, value)
}

/// Forgets what earlier runs have left, and makes the place for what comes.
pub(crate) fn forget(place: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(place);
    fs::create_dir_all(place).context("cannot make a folder for results")
}

fn threats(root: &Path) -> Result<Threats> {
    let text = fs::read_to_string(root.join(THREATS)).with_context(|| format!("no {THREATS}"))?;
    let threats: Threats = toml::from_str(&text).context(THREATS)?;
    if threats.is_empty() {
        bail!("{THREATS} has no threat");
    }
    Ok(threats)
}

/// What the sources say.
struct Found {
    threats: Threats,
    tests: BTreeMap<String, Vec<Test>>,
    /// What is wrong with them.
    broken: Vec<String>,
}

impl Found {
    fn below(root: &Path) -> Result<Found> {
        let threats = threats(root)?;
        let tests = sources::tests(root)?;
        let bare = threats.keys().filter(|threat| !tests.contains_key(*threat));
        let mut broken: Vec<String> =
            bare.map(|threat| format!("{threat}: no test bears its number")).collect();
        let unknown = tests.iter().filter(|(threat, _)| !threats.contains_key(*threat));
        broken.extend(unknown.map(|(threat, tests)| {
            format!("{threat}: no such threat, but a test of it: {}", tests[0])
        }));
        broken.extend(sources::twins(&tests));
        Ok(Found { threats, tests, broken })
    }

    fn page(&self, results: impl Fn(&str, &str) -> Option<String>, figures: Vec<Figure>) -> String {
        let rows = self.threats.iter().map(|(number, threat)| {
            let tests = page::tests_cell(self.tests_of(number));
            let result = results(number, &tests).unwrap_or_else(|| record::NOT_RUN.to_owned());
            page::Row { number, threat, tests, result }
        });
        page::text(rows, &figures)
    }

    fn result(&self, threat: &str, record: &Record) -> String {
        record.result(self.tests_of(threat))
    }

    fn tests_of(&self, threat: &str) -> &[Test] {
        self.tests.get(threat).map_or(&[], Vec::as_slice)
    }

    fn compared(&self, old: &str, new: &str) -> Vec<String> {
        let mut broken = self.broken.clone();
        let differing = new.lines().zip(old.lines().chain(std::iter::repeat("")));
        if let Some((right, found)) = differing.into_iter().find(|(new, old)| new != old) {
            broken.push(format!(
                "{PAGE}: it does not say what the tests do; `cargo xtask security --run` mends it\n\
                 \x20 it says      {found}\n  and not      {right}"
            ));
        } else if new != old {
            broken.push(format!("{PAGE}: there is more than is made"));
        }
        broken
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use trilist_tests::{Tree, TreeBuilder};

    use super::{PAGE, check, check_after, write_with};
    use crate::security::Record;

    fn ground(threats: &str, tests: &str) -> Tree {
        TreeBuilder::new()
            .file("tests/threats.toml", threats)
            .file("crates/a/tests/it/race.rs", tests)
            .dir("docs")
            .build()
    }

    const THREAT: &str = "[T-01]\nattack = \"a\"\nright = \"r\"\n";
    const TEST: &str = "#[test]\nfn t01_it_holds() {}\n";

    fn recorded(ended: &str) -> Record {
        let mut record = Record::default();
        record.add_line(&format!("test race::t01_it_holds ... {ended}"));
        record
    }

    #[test]
    fn a_page_that_says_what_was_run_is_right() {
        let tree = ground(THREAT, TEST);
        let page = || fs::read_to_string(tree.join(PAGE)).expect("it was written");
        let broken = write_with(tree.path(), &recorded("ok"), &tree.join("no-figures"));
        assert!(broken.expect("it is written").is_empty());
        assert!(
            page()
                .contains("| T-01 | a | r | crates/a/tests/it/race.rs: `t01_it_holds` | passed |")
        );
        assert_eq!(check(tree.path()).expect("it is read"), Vec::<String>::new());
        assert!(check_after(tree.path(), &recorded("ok")).expect("it is read").is_empty());
        // A run that fails, a test that is gone, and one that is new.
        assert_eq!(check_after(tree.path(), &recorded("FAILED")).expect("it is read").len(), 1);
        let sources = tree.join("crates/a/tests/it/race.rs");
        fs::write(&sources, TEST.replace("it_holds", "it_still_holds")).expect("it is there");
        assert_eq!(check(tree.path()).expect("it is read").len(), 1);
        fs::write(&sources, TEST.repeat(2).replacen("it_holds", "also", 1)).expect("it is there");
        assert_eq!(check(tree.path()).expect("it is read").len(), 1);
    }

    #[test]
    fn threats_without_tests_and_tests_without_threats_are_told() {
        let tree = ground(THREAT, "#[test]\nfn t02_other() {}\n");
        let broken = check(tree.path()).expect("it is read").join("\n");
        assert!(broken.contains("T-01: no test bears its number"), "{broken}");
        assert!(broken.contains("T-02: no such threat"), "{broken}");
    }
}
