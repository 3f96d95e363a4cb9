//! How the tests of a run ended.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::sources::Test;

pub(super) const NOT_RUN: &str = "not run";

/// Whether each test passed that was run, by its path in its program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record(BTreeMap<String, bool>);

impl Record {
    /// Takes in one line of what `cargo test` prints.
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some((path, ended)) =
            line.strip_prefix("test ").and_then(|line| line.split_once(" ... "))
        else {
            return;
        };
        let passed = match ended.trim_end() {
            "ok" => true,
            "FAILED" => false,
            _ => return,
        };
        // A test that is run in several builds has to pass in each.
        let known = self.0.entry(path.trim().to_owned()).or_insert(true);
        *known &= passed;
    }

    /// How these tests ended together.
    pub(super) fn result(&self, tests: &[Test]) -> String {
        let ended: Vec<bool> = tests.iter().filter_map(|test| self.of(test)).collect();
        let passed = ended.iter().filter(|passed| **passed).count();
        match passed {
            _ if ended.is_empty() || ended.len() < tests.len() => NOT_RUN.to_owned(),
            all if all == tests.len() => "passed".to_owned(),
            some => format!("{} of {} FAILED", tests.len() - some, tests.len()),
        }
    }

    fn of(&self, test: &Test) -> Option<bool> {
        let paths = self.0.iter().filter(|(path, _)| test.is(path)).map(|(_, passed)| *passed);
        paths.reduce(|one, other| one && other)
    }

    /// What an earlier run has left.
    pub(crate) fn read(place: &Path) -> Record {
        let text = fs::read_to_string(place.join("results")).unwrap_or_default();
        let mut record = Record::default();
        text.lines().for_each(|line| record.add_line(line));
        record
    }

    /// Leaves it for the next one who writes the page.
    pub(crate) fn keep(&self, place: &Path) -> Result<()> {
        let word = |passed| if passed { "ok" } else { "FAILED" };
        let lines =
            self.0.iter().map(|(path, passed)| format!("test {path} ... {}\n", word(*passed)));
        fs::create_dir_all(place).context("cannot make a folder for results")?;
        fs::write(place.join("results"), lines.collect::<String>()).context("cannot keep results")
    }
}

#[cfg(test)]
mod tests {
    use super::{NOT_RUN, Record, Test};

    fn recorded(lines: &[&str]) -> Record {
        let mut record = Record::default();
        lines.iter().for_each(|line| record.add_line(line));
        record
    }

    fn test(name: &str) -> Test {
        Test { file: "tests/it/race.rs".to_owned(), name: name.to_owned() }
    }

    #[test]
    fn what_was_run_is_known_by_how_it_ended() {
        let record = recorded(&[
            "test race::t01_a ... ok",
            "test race::t01_b ... FAILED",
            "test race::t01_c ... ignored",
            "test result: ok. 1 passed; 0 failed",
        ]);
        assert_eq!(record.result(&[test("t01_a")]), "passed");
        assert_eq!(record.result(&[test("t01_a"), test("t01_b")]), "1 of 2 FAILED");
        assert_eq!(record.result(&[test("t01_a"), test("t01_c")]), NOT_RUN);
        assert_eq!(record.result(&[]), NOT_RUN);
    }

    #[test]
    fn a_test_that_fails_in_one_of_two_builds_has_failed() {
        let record = recorded(&["test race::t01_a ... FAILED", "test race::t01_a ... ok"]);
        assert_eq!(record.result(&[test("t01_a")]), "1 of 1 FAILED");
    }
}
