//! Counting in bounded memory, the same however it is split.

use proptest::prelude::*;
use trilist_core::tally::{MAX_WARNINGS, Tally};
use trilist_core::{Event, Kind, Omission, Reason};

use crate::fake::{Said, file, gap, hidden, ignored, note, omitted};
use crate::random::listing;

fn count<'a>(said: impl IntoIterator<Item = &'a Said>) -> Tally {
    let mut tally = Tally::default();
    for said in said {
        match said.event() {
            Event::Omitted(omission) => tally.omit(&omission),
            Event::Fault(fault) => tally.fault(&fault),
            Event::Entry(_) => {}
        }
    }
    tally
}

fn rules(omission: &Omission) -> Vec<(String, u32, u64)> {
    omission.rules.iter().map(|rule| (rule.source.clone(), rule.line, rule.count)).collect()
}

#[track_caller]
fn assert_same(a: &Tally, b: &Tally) {
    assert_eq!(a.omitted(), b.omitted());
    assert_eq!(a.warnings(), b.warnings());
    assert_eq!(a.warnings_total(), b.warnings_total());
    assert_eq!(a.has_gaps(), b.has_gaps());
    assert_eq!(a.is_empty(), b.is_empty());
}

#[test]
fn nothing_counted_says_nothing() {
    let tally = count([&file("a")]);
    assert!(tally.is_empty() && !tally.has_gaps());
    assert_eq!(tally.omitted(), []);
    assert_eq!(tally.warnings(), []);
    assert!(!count([&hidden("a")]).is_empty());
    assert!(!count([&note("a")]).is_empty());
}

#[test]
fn the_first_five_are_examples() {
    let said: Vec<Said> = (0..9).map(|n| hidden(&format!(".h{n}"))).collect();
    let omitted = count(&said).omitted();
    assert_eq!(omitted.len(), 1);
    assert_eq!((omitted[0].reason, omitted[0].count), (Reason::Hidden, 9));
    assert_eq!(omitted[0].examples, [".h0", ".h1", ".h2", ".h3", ".h4"]);
    assert_eq!(omitted[0].rules, []);
}

#[test]
fn examples_show_directories_and_odd_names() {
    let said = [
        omitted("dir", Kind::Dir, Reason::Hidden),
        omitted("link", Kind::Symlink, Reason::Hidden),
        omitted(b"od\nd", Kind::File, Reason::Hidden),
        omitted(b"od\xffd", Kind::Dir, Reason::Hidden),
    ];
    let examples = count(&said).omitted().remove(0).examples;
    assert_eq!(examples, ["dir/", "link", r#""od\nd""#, r#""od\377d"/"#]);
}

#[test]
fn reasons_come_in_their_order() {
    let said: Vec<Said> =
        Reason::COUNTED.iter().rev().map(|reason| omitted("a", Kind::File, *reason)).collect();
    let reasons: Vec<Reason> = count(&said).omitted().iter().map(|o| o.reason).collect();
    assert_eq!(reasons, Reason::COUNTED);
}

#[test]
fn the_five_rules_that_left_out_most_come_first_and_ties_by_place() {
    let mut said = Vec::new();
    for (source, line, times) in
        [("b", 1, 2), ("a", 9, 2), ("a", 2, 2), ("c", 1, 7), ("d", 1, 1), ("d", 2, 1), ("e", 1, 3)]
    {
        said.extend((0..times).map(|n| ignored(format!("f{n}"), source, line, "*.o")));
    }
    for _ in 0..20 {
        // Every tally hashes with another seed; the answer is the same.
        let omitted = count(&said).omitted();
        assert_eq!(omitted[0].count, 18, "every rule counts in the sum");
        let expected = [("c", 1, 7), ("e", 1, 3), ("a", 2, 2), ("a", 9, 2), ("b", 1, 2)];
        assert_eq!(rules(&omitted[0]), expected.map(|(s, l, c)| (s.to_owned(), l, c)));
        assert_eq!(omitted[0].rules[0].pattern, "*.o");
    }
}

#[test]
fn the_same_line_of_two_files_is_two_rules() {
    let said = [ignored("x", "a", 12, "*"), ignored("y", "a1", 2, "*"), ignored("z", "a", 1, "*")];
    assert_eq!(count(&said).omitted()[0].rules.len(), 3);
}

#[test]
fn rules_are_shown_safely() {
    let rules =
        count([&ignored("x", "su\x1bb/.gitignore", 1, "\u{202e}*")]).omitted().remove(0).rules;
    assert_eq!(rules[0].source, r#""su\033b/.gitignore""#);
    assert_eq!(rules[0].pattern, r#""\342\200\256*""#);
}

#[test]
fn a_hundred_warnings_are_kept_and_all_are_counted() {
    for (faults, kept) in [(99, 99), (100, 100), (101, 100), (1000, 100)] {
        let said: Vec<Said> = (0..faults).map(|n| note(format!("d{n}"))).collect();
        let tally = count(&said);
        assert_eq!((tally.warnings().len(), tally.warnings_total()), (kept, faults));
        assert_eq!(tally.warnings()[kept - 1].path, format!("d{}", kept - 1));
        assert!(!tally.has_gaps());
    }
    assert_eq!(MAX_WARNINGS, 100);
}

#[test]
fn a_gap_behind_the_hundredth_warning_is_still_one() {
    let mut said: Vec<Said> = (0..200).map(|n| note(format!("d{n}"))).collect();
    said.push(gap("e"));
    assert!(count(&said).has_gaps());
    let mut appended = count(&said[..150]);
    appended.append(count(&said[150..]));
    assert!(appended.has_gaps());
    assert_same(&appended, &count(&said));
}

#[test]
fn warnings_name_the_listed_directory_with_a_dot() {
    let tally = count([&note(""), &note(b"b\xff")]);
    let warning = &tally.warnings()[0];
    assert_eq!((warning.path.as_str(), warning.message.as_str()), (".", "as scripted"));
    assert_eq!(tally.warnings()[1].path, r#""b\377""#);
}

#[test]
fn more_rules_than_are_tracked_are_still_counted_the_same_every_time() {
    // The rules seen first are tracked, so which ones does not hang on a hash.
    let said: Vec<Said> = (1..=5000).map(|line| ignored("f", "a", line, "x")).collect();
    let once = count(&said).omitted();
    assert_eq!(once[0].count, 5000);
    for split in [1, 1000, 4000, 4095] {
        let mut tally = count(&said[..split]);
        tally.append(count(&said[split..]));
        // The last lines come again: only the tracked ones, up to 4,096, can get ahead.
        let again = |first| -> Vec<Said> {
            (first..=5000).map(|line| ignored("f", "a", line, "x")).collect()
        };
        let top = |lines: std::ops::RangeInclusive<u32>, count| {
            lines.map(|line| ("a".to_owned(), line, count)).collect::<Vec<_>>()
        };
        tally.append(count(&again(4097)));
        assert_eq!(rules(&tally.omitted()[0]), top(1..=5, 1), "split at {split}");
        tally.append(count(&again(4090)));
        assert_eq!(rules(&tally.omitted()[0]), top(4090..=4094, 2), "split at {split}");
        assert_eq!(tally.omitted()[0].count, 5000 + 904 + 911);
    }
}

#[test]
fn the_cost_of_warnings_covers_text_and_json() {
    let said = [gap(b"\"\x1b\\".as_slice()), note(""), gap("plain/path"), note("é日本")];
    let tally = count(&said);
    let json: usize =
        tally.warnings().iter().map(|one| serde_json::to_string(one).unwrap().len() + 1).sum();
    assert!(Tally::default().added_cost(&tally) >= json);
    // Those that will not be kept cost nothing.
    let notes: Vec<Said> = (0..99).map(|_| note("")).collect();
    let full = count(&notes);
    let one = Tally::default().added_cost(&count(&notes[..1]));
    assert_eq!(full.added_cost(&full), one);
    assert_eq!(Tally::default().added_cost(&full), 99 * one);
}

proptest! {
    #[test]
    fn appending_is_counting_in_one_go(fake in listing(), at in any::<prop::sample::Index>()) {
        let said = fake.events();
        let at = at.index(said.len() + 1);
        let mut tally = count(&said[..at]);
        tally.append(count(&said[at..]));
        assert_same(&tally, &count(said));
    }
}
