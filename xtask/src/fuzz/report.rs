//! What libFuzzer said, in a table.

use std::fmt::Write;

use anyhow::Result;

use crate::security;

/// How the run of a target ended.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) name: String,
    pub(super) seconds: f64,
    pub(super) executions: u64,
    pub(super) peak_mib: u64,
    /// What went wrong, and the file with the input.
    pub(super) finding: Option<String>,
}

/// Reads a log; `failed` says that the program did.
pub(super) fn outcome(name: &str, seconds: f64, log: &str, failed: bool) -> Outcome {
    let number = |name: &str| {
        let value = log.lines().rev().find_map(|line| line.strip_prefix(name));
        value.and_then(|value| value.trim().parse().ok()).unwrap_or(0)
    };
    Outcome {
        name: name.to_owned(),
        seconds,
        executions: number("stat::number_of_executed_units:"),
        peak_mib: number("stat::peak_rss_mb:"),
        finding: failed.then(|| finding(log)),
    }
}

/// A panic's message, or what libFuzzer or the sanitizer calls it; then where the input is.
fn finding(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let panic = lines.iter().position(|line| line.contains(" panicked at "));
    let told = match panic {
        Some(at) => lines.iter().skip(at + 1).take(1).next(),
        None => lines.iter().find(|line| line.contains("ERROR: ")),
    };
    let input = lines.iter().find_map(|line| line.split_once("Test unit written to "));
    let told = told.map_or("it ended without a word", |line| line.trim());
    format!("{told} ({})", input.map_or("no input was kept", |(_, path)| path))
}

/// One line for each target.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| target | seconds | executions | a second | peak MiB | finding |\n\
         | --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    for Outcome { name, seconds, executions, peak_mib, finding } in outcomes {
        let rate = *executions as f64 / seconds.max(1.0);
        let finding = finding.as_deref().unwrap_or("none");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {seconds:.0} | {executions} | {rate:.0} | {peak_mib} | {finding} |"
        );
    }
    text
}

/// Leaves the figures for the page of threats.
pub(super) fn keep(outcomes: &[Outcome]) -> Result<()> {
    outcomes.iter().try_for_each(|outcome| {
        let Outcome { name, seconds, executions, finding, .. } = outcome;
        let finding = finding.as_deref().unwrap_or("no finding");
        let value = format!("{executions} executions in {seconds:.0} s, {finding}");
        security::add_figure("fuzz", &format!("target `{name}`"), &value)
    })
}

#[cfg(test)]
mod tests {
    use super::{outcome, table};

    const STATS: &str =
        "stat::number_of_executed_units: 1200\nstat::peak_rss_mb:              77\n";

    #[test]
    fn a_clean_run_has_its_figures() {
        let clean = outcome("a", 60.0, &format!("#1 INITED\nDone 1200 runs\n{STATS}"), false);
        assert_eq!((clean.executions, clean.peak_mib, &clean.finding), (1200, 77, &None));
        assert!(table(&[clean]).ends_with("| a | 60 | 1200 | 20 | 77 | none |\n"));
    }

    #[test]
    fn a_finding_is_told_with_its_input() {
        let panic = "thread '<unnamed>' panicked at src/lib.rs:1:2:\nit is odd\nstack backtrace:\n";
        let written = "artifact_prefix='f/'; Test unit written to f/crash-12\n";
        let found = outcome("a", 2.0, &format!("{panic}{STATS}{written}"), true);
        assert_eq!(found.finding.as_deref(), Some("it is odd (f/crash-12)"));
        let slow = "==1== ERROR: libFuzzer: timeout after 11 seconds\n";
        let found = outcome("a", 2.0, slow, true).finding.expect("it failed");
        assert!(found.starts_with("==1== ERROR: libFuzzer: timeout"), "{found}");
        let silent = outcome("a", 2.0, "", true).finding;
        assert_eq!(silent.as_deref(), Some("it ended without a word (no input was kept)"));
    }
}
