//! Counting what a listing leaves out and what went wrong, in bounded memory.

use std::collections::HashMap;

use crate::{
    Digest, FaultRef, Kind, Omission, OmissionRef, Reason, RuleCount, RuleRef, Warning, quote,
};

/// The most warnings that are kept; all are counted.
pub const MAX_WARNINGS: usize = 100;
const MAX_EXAMPLES: usize = 5;
const MAX_RULES: usize = 5;
// A tree can hold an ignore file in every directory: beyond this many different rules the rest
// is counted only in the sum of its reason.
const MAX_RULES_TRACKED: usize = 4096;

/// Omissions and warnings of one page.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// Whether anything was counted: asked once an entry.
    used: bool,
    reasons: [PerReason; Reason::COUNTED.len()],
    warnings: Vec<Warning>,
    warnings_total: u64,
    gaps: u64,
}

#[derive(Debug, Default, Clone)]
struct PerReason {
    count: u64,
    examples: Vec<String>,
    rules: Rules,
}

/// Rules in the order in which they were first seen, so that which of too many are tracked does
/// not hang on a hash.
#[derive(Debug, Default, Clone)]
struct Rules {
    counts: Vec<(u128, RuleCount)>,
    places: HashMap<u128, usize>,
}

impl Tally {
    /// Counts something left out.
    pub fn omit(&mut self, omission: &OmissionRef<'_>) {
        self.used = true;
        // What is told of single paths only is not counted.
        let Some(reason) = self.reasons.get_mut(omission.reason as usize) else { return };
        reason.count += 1;
        if reason.examples.len() < MAX_EXAMPLES {
            reason.examples.push(example(omission));
        }
        if let Some(rule) = omission.rule {
            reason.rules.count(rule);
        }
    }

    /// Counts a fault, and those that stand behind it.
    pub fn fault(&mut self, fault: &FaultRef<'_>) {
        self.used = true;
        let faults = 1 + fault.more;
        self.warnings_total += faults;
        self.gaps += if fault.gap { faults } else { 0 };
        if self.warnings.len() < MAX_WARNINGS {
            let path = if fault.path.is_empty() {
                ".".to_owned()
            } else {
                quote::shown(fault.path.as_bytes()).into_owned()
            };
            let message = message(fault.message);
            self.warnings.push(Warning { path, code: fault.code, gap: fault.gap, message });
        }
    }

    /// Adds what another tally counted after this one.
    pub fn append(&mut self, later: Tally) {
        self.used |= later.used;
        for (mine, theirs) in self.reasons.iter_mut().zip(later.reasons) {
            mine.append(theirs);
        }
        let room = MAX_WARNINGS - self.warnings.len();
        self.warnings.extend(later.warnings.into_iter().take(room));
        self.warnings_total += later.warnings_total;
        self.gaps += later.gaps;
    }

    /// Takes over what `later` has counted and leaves it empty.
    #[inline]
    pub fn absorb(&mut self, later: &mut Tally) {
        // Nearly always there is nothing, and this runs once an entry.
        if !later.is_empty() {
            self.append(std::mem::take(later));
        }
    }

    /// Forgets what the last of the kept faults was; it stays counted. Says whether there was one.
    pub fn forget_warning(&mut self) -> bool {
        self.warnings.pop().is_some()
    }

    /// True when nothing was counted.
    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.used
    }

    /// True when entries may be missing through a fault.
    pub fn has_gaps(&self) -> bool {
        self.gaps > 0
    }

    /// How many faults may hide entries.
    pub fn gaps(&self) -> u64 {
        self.gaps
    }

    /// How many faults there were.
    pub fn warnings_total(&self) -> u64 {
        self.warnings_total
    }

    /// An upper bound of the bytes that the warnings of `later` add to the reply when it is
    /// appended: those beyond [`MAX_WARNINGS`] add nothing.
    #[inline]
    pub fn added_cost(&self, later: &Tally) -> usize {
        if later.is_empty() {
            return 0;
        }
        // Paths stand in text and JSON with quotes doubled at worst; 80 covers keys and code.
        let kept = later.warnings.iter().take(MAX_WARNINGS - self.warnings.len());
        kept.map(|warning| 2 * warning.path.len() + 2 * warning.message.len() + 80).sum()
    }

    /// The first faults.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What was left out, by reason, in the order of reasons.
    pub fn omitted(&self) -> Vec<Omission> {
        let pairs = Reason::COUNTED.iter().zip(&self.reasons);
        pairs
            .filter(|(_, per)| per.count > 0)
            .map(|(reason, per)| Omission {
                reason: *reason,
                count: per.count,
                examples: per.examples.clone(),
                rules: per.rules.top(),
            })
            .collect()
    }
}

impl PerReason {
    fn append(&mut self, later: PerReason) {
        self.count += later.count;
        let room = MAX_EXAMPLES - self.examples.len();
        self.examples.extend(later.examples.into_iter().take(room));
        for (key, rule) in later.rules.counts {
            self.rules.add(key, rule.count, || rule);
        }
    }
}

impl Rules {
    fn count(&mut self, rule: RuleRef<'_>) {
        let mut digest = Digest::new();
        let key = digest.add(rule.source).add_u128(u128::from(rule.line)).identity().to_bytes();
        self.add(u128::from_le_bytes(key), 1, || RuleCount {
            source: quote::shown(rule.source).into_owned(),
            line: rule.line,
            pattern: rule.shown_pattern().into_owned(),
            count: 1,
        });
    }

    fn add(&mut self, key: u128, times: u64, new: impl FnOnce() -> RuleCount) {
        match self.places.get(&key) {
            Some(place) => self.counts[*place].1.count += times,
            None if self.counts.len() < MAX_RULES_TRACKED => {
                self.places.insert(key, self.counts.len());
                self.counts.push((key, new()));
            }
            None => {}
        }
    }

    /// Those that left out most; ties by file and line.
    fn top(&self) -> Vec<RuleCount> {
        let mut rules: Vec<&RuleCount> = self.counts.iter().map(|(_, rule)| rule).collect();
        rules.sort_by(|a, b| {
            b.count.cmp(&a.count).then_with(|| (&a.source, a.line).cmp(&(&b.source, b.line)))
        });
        rules.into_iter().take(MAX_RULES).cloned().collect()
    }
}

/// A message names what stands in the tree, as a line of an ignore file, which may hold anything.
fn message(text: &str) -> String {
    const MOST_CHARS: usize = 400;
    let end = text.char_indices().nth(MOST_CHARS).map(|(end, _)| end);
    let cut = if end.is_some() { "…" } else { "" };
    format!("{}{cut}", quote::printable(&text[..end.unwrap_or(text.len())]))
}

fn example(omission: &OmissionRef<'_>) -> String {
    let mut text = quote::shown(omission.path.as_bytes()).into_owned();
    if omission.kind == Kind::Dir {
        text.push('/');
    }
    text
}
