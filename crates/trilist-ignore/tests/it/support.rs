//! Shared by the modules: random rule sets, and the rule for missing tools.

use std::{env, process::Command};

pub(crate) use trilist_tests::rules::{Rng, fuzz_files, fuzz_seed, path, pattern};

/// Whether an oracle is there. A missing one is skipped, unless
/// `TRILIST_REQUIRE_ALL=1`.
pub(crate) fn available(what: &str, probe: &mut Command) -> bool {
    if probe.output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(env::var("TRILIST_REQUIRE_ALL").as_deref() != Ok("1"), "{what} is missing");
    println!("SKIP({what} is missing)");
    false
}
