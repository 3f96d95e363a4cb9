//! The orders in which other programs sort names.
//!
//! Two of them follow the locale: ICU's root collation, which is also that of `en-US`. The recorded
//! programs ran on Node 20 with ICU 78.2; `fixtures/conformance/cases/node` holds what that made of
//! nearly five hundred names, and a test compares.

use std::cmp::Ordering;

use icu_collator::options::{CollatorOptions, Strength};
use icu_collator::preferences::CollationNumericOrdering;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};

/// UTF-16 code units, as JavaScript compares strings by itself.
pub fn utf16(a: &str, b: &str) -> Ordering {
    // The two orders differ only where one side has characters beyond U+FFFF.
    if a.is_ascii() && b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// Sorts, and bears a comparison that is no order: equal entries keep their places, and what comes
/// out is some arrangement of what went in.
pub(crate) fn stable_sort<T>(items: &mut Vec<T>, compare: &mut dyn FnMut(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    let mut right = items.split_off(items.len() / 2);
    stable_sort(items, compare);
    stable_sort(&mut right, compare);
    let mut merged = Vec::with_capacity(items.len() + right.len());
    let (mut left, mut right) = (items.drain(..).peekable(), right.drain(..).peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let from = if compare(a, b).is_le() { &mut left } else { &mut right };
        merged.extend(from.next());
    }
    merged.extend(left);
    merged.extend(right);
    *items = merged;
}

/// A way to compare names by locale.
pub struct Locale {
    collator: CollatorBorrowed<'static>,
}

impl Locale {
    /// `a.localeCompare(b)`.
    ///
    /// # Panics
    ///
    /// Never: the data of the root collation is compiled in.
    pub fn plain() -> Locale {
        Locale::with(CollatorPreferences::default(), CollatorOptions::default())
    }

    /// `a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" })`.
    ///
    /// # Panics
    ///
    /// Never: the data of the root collation is compiled in.
    pub fn numeric_base() -> Locale {
        let mut preferences = CollatorPreferences::default();
        preferences.numeric_ordering = Some(CollationNumericOrdering::True);
        let mut options = CollatorOptions::default();
        options.strength = Some(Strength::Primary);
        Locale::with(preferences, options)
    }

    fn with(preferences: CollatorPreferences, options: CollatorOptions) -> Locale {
        let collator = Collator::try_new(preferences, options);
        Locale { collator: collator.expect("the root collation is compiled in") }
    }

    /// Compares two names; names that the locale takes as equal are equal.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        self.collator.compare(a, b)
    }
}
