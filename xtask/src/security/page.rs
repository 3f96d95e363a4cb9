//! The page as text: written, and read back.

use std::fmt::Write as _;
use std::path::Path;

use super::figures::Figure;
use super::sources::Test;
use super::{PAGE, Threat};

const HEAD: &str = "\
# Threats and their tests

What is done to trilist, what has to come of it, and the tests that show it. What is promised stands
in [SECURITY.md](../SECURITY.md).

This page is made by `cargo xtask security --run` and held by `cargo xtask ci`: of
`tests/threats.toml`, of the tests, whose names begin with the number of the threat that they show,
and of how they ended. A threat without a test, a test that is gone and one that fails all fail the
checks. In CI the tests run as root on Linux, where none of these may be skipped.

| Threat | Attack or fault | What has to come of it | Tests | Result |
| --- | --- | --- | --- | --- |
";

const FIGURES_HEAD: &str = "
## Counts in full

The usual checks run a part of the counts that are promised. `cargo xtask ci --full` runs them all
and writes down here what came of it, on which day. Times are those of test builds on a machine of
two cores that had other work.

| Threat | What was done | What came of it | Day |
| --- | --- | --- | --- |
";

/// A line of the table of threats.
pub(super) struct Row<'a> {
    pub(super) number: &'a str,
    pub(super) threat: &'a Threat,
    pub(super) tests: String,
    pub(super) result: String,
}

/// The whole page.
pub(super) fn text<'a>(rows: impl Iterator<Item = Row<'a>>, figures: &[Figure]) -> String {
    let mut text = HEAD.to_owned();
    for Row { number, threat: Threat { attack, right }, tests, result } in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {number} | {attack} | {right} | {tests} | {result} |");
    }
    if !figures.is_empty() {
        text.push_str(FIGURES_HEAD);
    }
    for Figure { threat, what, value, date } in figures {
        let _ = writeln!(text, "| {threat} | {what} | {value} | {date} |");
    }
    text
}

/// Tests by their files.
pub(super) fn tests_cell(tests: &[Test]) -> String {
    let mut text = String::new();
    for group in tests.chunk_by(|one, other| one.file == other.file) {
        let separator = if text.is_empty() { "" } else { "; " };
        let names: Vec<String> = group.iter().map(|test| format!("`{}`", test.name)).collect();
        let _ = write!(text, "{separator}{}: {}", group[0].file, names.join(", "));
    }
    text
}

/// The page as it is; empty if there is none.
pub(super) fn read(root: &Path) -> String {
    std::fs::read_to_string(root.join(PAGE)).unwrap_or_default()
}

/// The result that the page has for a threat, if it has it for just these tests.
pub(super) fn result_in(page: &str, threat: &str, tests: &str) -> Option<String> {
    let rows = page.lines().filter_map(cells::<5>);
    let mut rows = rows.filter(|row| row[0] == threat && row[3] == tests);
    rows.next().map(|row| row[4].to_owned())
}

/// The figures that the page has.
pub(super) fn figures_in(page: &str) -> Vec<Figure> {
    let Some((_, table)) = page.split_once(FIGURES_HEAD) else { return Vec::new() };
    let figure = |[threat, what, value, date]: [&str; 4]| Figure {
        threat: threat.to_owned(),
        what: what.to_owned(),
        value: value.to_owned(),
        date: date.to_owned(),
    };
    table.lines().filter_map(cells::<4>).map(figure).collect()
}

fn cells<const N: usize>(line: &str) -> Option<[&str; N]> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    inner.split(" | ").collect::<Vec<_>>().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::{Figure, Row, Test, Threat, figures_in, result_in, tests_cell, text};

    #[test]
    fn what_is_written_is_read_back() {
        let threat = Threat { attack: "a".to_owned(), right: "r".to_owned() };
        let test = |file: &str, name: &str| Test { file: file.to_owned(), name: name.to_owned() };
        let tests =
            tests_cell(&[test("a.rs", "t01_a"), test("a.rs", "t01_b"), test("b.rs", "t01_c")]);
        assert_eq!(tests, "a.rs: `t01_a`, `t01_b`; b.rs: `t01_c`");
        let row =
            Row { number: "T-01", threat: &threat, tests: tests.clone(), result: "passed".into() };
        let figures = ["1", "2"].map(|value| Figure {
            threat: "T-01".to_owned(),
            what: "swaps".to_owned(),
            value: value.to_owned(),
            date: "2026-01-02".to_owned(),
        });
        let page = text([row].into_iter(), &figures);
        assert_eq!(result_in(&page, "T-01", &tests).as_deref(), Some("passed"));
        assert_eq!(result_in(&page, "T-01", "a.rs: `t01_a`"), None);
        assert_eq!(figures_in(&page), figures);
    }
}
