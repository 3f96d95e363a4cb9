//! The recorded calls of other programs' list tools.

use std::fs;

use trilist_tests::workspace;
use xtask::conformance::{Data, Tally, Verdict, replay};

/// How many cases there are of each contract.
const CASES: &[(&str, usize)] = &[
    ("aider", 32),
    ("codex", 70),
    ("gemini", 55),
    ("gemini-0.1", 55),
    ("gencode", 21),
    ("opencode", 55),
    ("roo", 69),
];

#[test]
fn every_case_is_exact_or_deviates_on_purpose() {
    let tallies = replay(&Data::built_in(), None).unwrap();
    let counts: Vec<(&str, usize)> =
        tallies.iter().map(|tally| (tally.peer.as_str(), tally.verdicts.len())).collect();
    assert_eq!(counts, CASES);
    let failures: String = tallies.iter().flat_map(failures).collect();
    assert!(failures.is_empty(), "{failures}");

    let rows = fs::read_to_string(workspace().join("fixtures/deviations.toml")).unwrap();
    let deviating: usize = tallies.iter().map(Tally::deviating).sum();
    assert_eq!(rows.matches("[[deviation]]").count(), deviating, "every row is of a case");
}

fn failures(tally: &Tally) -> Vec<String> {
    let failed = tally.verdicts.iter().filter_map(|(name, verdict)| match verdict {
        Verdict::Failed(why) => Some(format!("{}/{name}\n{why}", tally.peer)),
        _ => None,
    });
    failed.collect()
}

#[test]
fn every_deviation_is_in_the_documented_table() {
    let rows = fs::read_to_string(workspace().join("fixtures/deviations.toml")).unwrap();
    let page = fs::read_to_string(workspace().join("docs/contracts.md")).unwrap();
    for case in rows.lines().filter_map(|line| line.strip_prefix("case = ")) {
        let case = case.trim_matches('"');
        assert!(page.contains(&format!("`{case}`")), "docs/contracts.md does not name {case}");
    }
}
