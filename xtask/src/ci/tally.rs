//! Counting tests in what `cargo test` prints.

/// How many tests did what.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    /// Takes in one line of output; only the summary of a test binary counts.
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some(summary) = line.trim_start().strip_prefix("test result: ") else {
            return;
        };
        let counts = summary.split_once(". ").map_or("", |(_, counts)| counts);
        for part in counts.split(';') {
            let mut words = part.split_whitespace();
            let count: u64 = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
            match words.next() {
                Some("passed") => self.passed += count,
                Some("failed") => self.failed += count,
                Some("ignored") => self.skipped += count,
                _ => {}
            }
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn only_summaries_count() {
        let mut tally = Tally::default();
        for line in [
            "test a ... ok",
            "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 7 filtered out; in 0.1s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "all doctests ran in 0.37s; merged doctests compilation took 0.36s",
        ] {
            tally.add_line(line);
        }
        assert_eq!(tally, Tally { passed: 13, failed: 2, skipped: 3 });
    }
}
