//! Ripgrep's dialect: the same verdicts as the crate, with the right lines.

use std::{fs, path::Path};

use ignore::{Match, gitignore::GitignoreBuilder};
use trilist_ignore::{Case, Dialect, MAX_PATTERN_BYTES, RipgrepRules, RuleSet};

use crate::support::{self, Rng};

#[test]
fn random_files_agree_with_the_crate() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(".ignore");
    let mut rng = Rng::new(support::fuzz_seed(3));
    let (mut asked, mut matched) = (0, 0);
    for _ in 0..support::fuzz_files(150) {
        let patterns: Vec<String> =
            (0..1 + rng.below(6)).map(|_| support::pattern(&mut rng)).collect();
        let text = patterns.join(rng.pick(&["\n", "\r\n"])) + rng.pick(&["", "\n"]);
        fs::write(&file, &text).unwrap();
        // The crate's own reader of a file, rooted where the file is.
        let mut builder = GitignoreBuilder::new(dir.path());
        builder.add(&file);
        let whole = builder.build().unwrap();
        let (rules, _) = RipgrepRules::parse(text.as_bytes(), Case::Sensitive);
        for _ in 0..12 {
            let (path, is_dir) = (support::path(&mut rng, &patterns), rng.one_in(3));
            let wanted = match whole.matched(dir.path().join(&path), is_dir) {
                Match::None => None,
                Match::Ignore(_) => Some((last_line(&text, &path, is_dir), false)),
                Match::Whitelist(_) => Some((last_line(&text, &path, is_dir), true)),
            };
            let ours = rules.matched(path.as_bytes(), is_dir).map(|index| rules.rule(index));
            assert_eq!(
                ours.map(|rule| (rule.line, rule.negated)),
                wanted,
                "rules {text:?}, path {path:?}"
            );
            asked += 1;
            matched += u32::from(wanted.is_some());
        }
    }
    println!("{asked} paths agree with the crate, {matched} of them matched");
}

/// The last line that matches when each is a set of its own.
fn last_line(text: &str, path: &str, is_dir: bool) -> u32 {
    // A byte order mark is none on a later line.
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let matches = |line: &str| {
        let mut builder = GitignoreBuilder::new("");
        builder.add_line(None, line).is_ok()
            && !builder.build().unwrap().matched(Path::new(path), is_dir).is_none()
    };
    lines.iter().rposition(|line| matches(line)).expect("the whole file matches, so some line does")
        as u32
        + 1
}

#[test]
fn lines_are_cut_as_ripgrep_cuts_them() {
    let (rules, bad) = RipgrepRules::parse(
        b"\xef\xbb\xbfsecret\r\n\n# c\r\n*.log \n!k.log\nlast",
        Case::Sensitive,
    );
    assert!(bad.is_empty());
    let line = |path: &[u8]| {
        let rule = rules.rule(rules.matched(path, false)?);
        Some((rule.line, rule.text.to_vec(), rule.negated))
    };
    assert_eq!(line(b"secret"), Some((1, b"secret".to_vec(), false)));
    assert_eq!(line(b"d/x.log"), Some((4, b"*.log ".to_vec(), false)));
    assert_eq!(line(b"d/k.log"), Some((5, b"!k.log".to_vec(), true)));
    assert_eq!(line(b"last"), Some((6, b"last".to_vec(), false)));
    assert_eq!(line(b"# c"), None);
}

#[test]
fn the_dialect_differs_from_gits() {
    let (ours, _) = RuleSet::parse(Dialect::Ripgrep, b"*.{a,b}\n", Case::Sensitive);
    let (gits, _) = RuleSet::parse(Dialect::Git, b"*.{a,b}\n", Case::Sensitive);
    assert!(ours.matched(b"x.a", false).is_some());
    assert!(gits.matched(b"x.a", false).is_none());
}

#[test]
fn case_can_be_folded_and_bytes_need_not_be_text() {
    let (rules, _) = RipgrepRules::parse(b"BUILD\n", Case::Insensitive);
    assert!(rules.matched(b"x/build", false).is_some());
    assert!(RipgrepRules::parse(b"BUILD\n", Case::Sensitive).0.matched(b"build", false).is_none());
    let (rules, _) = RipgrepRules::parse(b"*.log\n", Case::Sensitive);
    assert!(!cfg!(unix) || rules.matched(b"\xff.log", false).is_some());
}

#[test]
fn bad_lines_are_told_and_the_others_hold() {
    let long = "a".repeat(MAX_PATTERN_BYTES + 1);
    let text = [b"[z-a]\nend\\\n\xff\n{a\n".as_slice(), long.as_bytes(), b"\n*.log\n"].concat();
    let (rules, bad) = RipgrepRules::parse(&text, Case::Sensitive);
    assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(rules.matched(b"x.log", false).map(|index| rules.rule(index).line), Some(6));
}

/// More rules than one set holds: chunks keep the order and the numbers.
#[test]
fn chunks_keep_order_and_lines() {
    let mut text: String = (0..2_000).map(|i| format!("f{i}\n")).collect();
    text.push_str("!f3\n");
    let (rules, bad) = RipgrepRules::parse(text.as_bytes(), Case::Sensitive);
    assert!(bad.is_empty());
    let line =
        |path: &str| rules.matched(path.as_bytes(), false).map(|index| rules.rule(index).line);
    assert_eq!(
        (line("f0"), line("f1999"), line("f3"), line("g")),
        (Some(1), Some(2_000), Some(2_001), None)
    );
}
