//! Ignore files of every dialect.

use memchr::memmem;
use trilist_ignore::{
    BadLine, Case, Dialect, Globs, IgnoreFile, IgnoreStack, Layer, LayerSwitches, MAX_BAD_LINES,
    RuleSet, Verdict,
};

use crate::choices::Choices;

const WORDS: &[&[u8]] = &[
    b"a",
    b"b",
    b"/",
    b"*",
    b"**",
    b"?",
    b"\n",
    b"!",
    b"#",
    b"\\",
    b" ",
    b"[",
    b"]",
    b"[a-c]",
    b"[!a]",
    b"[^a]",
    b"[[:alpha:]]",
    b"{a,b}",
    b"**/",
    b"/**",
    b"a*b",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3\xa4",
    b"\t",
    b".",
    b"..",
    b"[]-a]",
    b"[a-",
    b"\0",
    b"\x0c",
    b"\xe2\x80\xa8",
];

/// Reads the bytes as an ignore file, in the dialect and case that the first ones choose, and asks
/// for a path's verdict, alone and as one layer among others. The rule that is named stands in the
/// file, and the same question has the same answer. How long it may take is the caller's to bound.
///
/// # Panics
///
/// When one of these does not hold.
pub fn ignore(data: &[u8]) {
    let mut choices = Choices::new(data);
    let dialect = choices.pick(&[Dialect::Git, Dialect::Ripgrep, Dialect::Pathspec]);
    let case = choices.pick(&[Case::Sensitive, Case::Insensitive]);
    let is_dir = choices.one_in(2);
    let path = path(&mut choices);
    let file = match choices.below(2) {
        0 => choices.words(WORDS, 48),
        _ => choices.rest().to_vec(),
    };
    let (rules, bad) = RuleSet::parse(dialect, &file, case);
    check_bad(&bad, &file);
    let found = rules.matched(&path, is_dir);
    assert_eq!(found, rules.matched(&path, is_dir));
    if let Some(found) = found {
        let rule = rules.rule(found);
        let context = format!("{dialect:?}, line {}: {}", rule.line, rule.text.escape_ascii());
        assert!(!rules.is_empty(), "{context}");
        assert!(memmem::find(&file, rule.text).is_some(), "{context}");
        assert!((1..=lines(&file)).contains(&u64::from(rule.line)), "{context}");
        // A rule for names applies to whatever has them, one for directories to these alone; but
        // pathspec decides about files only.
        let decides_dirs = dialect != Dialect::Pathspec;
        assert_eq!(rules.matched(&path, true).is_some(), decides_dirs, "{context}");
    }
    // Whether case counts is said to git's files alone.
    let case = if dialect == Dialect::Git { case } else { Case::Sensitive };
    stacked((dialect, case), &file, &path, is_dir);
}

/// Pathspec's files have more line ends than others, but counts lines as an editor does.
fn lines(file: &[u8]) -> u64 {
    1 + file.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64
}

fn check_bad(bad: &[BadLine], file: &[u8]) {
    assert!(bad.len() <= MAX_BAD_LINES + 1);
    for line in bad {
        assert!(u64::from(line.line) <= lines(file), "{line:?}");
        assert!(memmem::find(file, &line.text).is_some(), "{line:?}");
        assert!(!line.reason.is_empty());
    }
}

fn stacked((dialect, case): (Dialect, Case), file: &[u8], path: &[u8], is_dir: bool) {
    let (layer, name): (_, &[u8]) = match dialect {
        Dialect::Git => (Layer::GitIgnore, b".gitignore"),
        Dialect::Ripgrep => (Layer::DotIgnore, b".ignore"),
        Dialect::Pathspec => return,
    };
    let mut stack = IgnoreStack::new(LayerSwitches::ALL, Globs::empty(), Globs::empty(), b"");
    stack.enter(b"", Some(case), &[IgnoreFile { layer, name, bytes: file }]);
    let verdict = stack.verdict(path, is_dir);
    if let Verdict::Ignored(rule) | Verdict::Kept(rule) = verdict
        && rule.source == name
    {
        let (rules, _) = RuleSet::parse(dialect, file, case);
        let found = rules.matched(path, is_dir).map(|found| rules.rule(found));
        assert_eq!(found.map(|found| found.line), Some(rule.line));
        assert_eq!(found.map(|found| found.negated), Some(matches!(verdict, Verdict::Kept(_))));
    }
}

/// A path without empty components, neither absolute nor empty.
pub(crate) fn path(choices: &mut Choices<'_>) -> Vec<u8> {
    let words: &[&[u8]] = &[b"a", b"b", b"ab", b"/", b".", b"c", b"\xff", b" ", b"A", b"\xc3\xa4"];
    let text = choices.words(words, 12);
    let parts = text.split(|byte| matches!(byte, b'/' | 0));
    let good: Vec<_> = parts.filter(|part| !matches!(*part, b"" | b"." | b"..")).collect();
    if good.is_empty() { b"a".to_vec() } else { good.join(&b'/') }
}
