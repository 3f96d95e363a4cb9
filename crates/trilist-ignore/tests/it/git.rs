//! Git's dialect by the table; `git_oracle` checks it against the program.

use trilist_ignore::{Case, GitRules, MAX_BAD_LINES, MAX_RULES};

/// Which line decides about `path`, and whether it ignores (`+`) or re-includes
/// (`-`); a path that ends in a slash is a directory.
fn decide(file: &[u8], path: &str) -> String {
    let (rules, _) = GitRules::parse(file, Case::Sensitive);
    let found = rules.matched(path.trim_end_matches('/').as_bytes(), path.ends_with('/'));
    match found.map(|index| rules.rule(index)) {
        None => "none".to_owned(),
        Some(rule) => format!("{}{}", if rule.negated { '-' } else { '+' }, rule.line),
    }
}

fn check(file: &str, expectations: &[(&str, &str)]) {
    for (path, wanted) in expectations {
        assert_eq!(decide(file.as_bytes(), path), *wanted, "rules {file:?}, path {path:?}");
    }
}

#[test]
fn names_match_at_any_depth() {
    check(
        "a.log\n",
        &[("a.log", "+1"), ("x/y/a.log", "+1"), ("a.log/x", "none"), ("ba.log", "none")],
    );
    check("*.log\n", &[(".log", "+1"), ("x/a.log", "+1"), ("a.log.b", "none")]);
    check("a*b\n", &[("ab", "+1"), ("axxb", "+1"), ("a", "none"), ("x/a.b", "+1")]);
    check("aa*aa\n", &[("aaa", "none"), ("aaaa", "+1")]);
    check("*\n", &[("a", "+1"), ("a/b", "+1")]);
}

#[test]
fn a_slash_anchors() {
    check("/a\n", &[("a", "+1"), ("x/a", "none")]);
    check("x/a\n", &[("x/a", "+1"), ("y/x/a", "none")]);
    check("x/*\n", &[("x/a", "+1"), ("x/a/b", "none"), ("x", "none")]);
    check("a/\n", &[("a/", "+1"), ("a", "none"), ("x/a/", "+1")]);
    check("/a/\n", &[("a/", "+1"), ("x/a/", "none")]);
}

#[test]
fn double_stars_span_directories() {
    check("**/a\n", &[("a", "+1"), ("x/y/a", "+1")]);
    check("a/**\n", &[("a/", "none"), ("a/b", "+1"), ("a/b/c", "+1")]);
    check("a/**/b\n", &[("a/b", "+1"), ("a/x/y/b", "+1"), ("ab", "none"), ("a/xb", "none")]);
    check("**/a/**/b\n", &[("x/a/y/b", "+1"), ("a/b", "+1"), ("b/a", "none")]);
    check("a/**\\/b\n", &[("a/b", "none"), ("a/x/b", "+1")]);
}

/// Git compares the literal prefix apart, so that two stars behind it stand at
/// the start of what is left.
#[test]
fn the_literal_prefix_is_stripped_first() {
    check("a**/b\n", &[("ab", "+1"), ("a/b", "+1"), ("axy/z/b", "+1"), ("xa/b", "none")]);
    check("x/a**\n", &[("x/a", "+1"), ("x/ab/c", "+1"), ("x/b", "none")]);
    check("?a**/b\n", &[("xa/b", "+1"), ("xayy/b", "+1"), ("xa/y/b", "none")]);
}

#[test]
fn the_last_rule_wins() {
    check("*.log\n!keep.log\n", &[("a.log", "+1"), ("keep.log", "-2")]);
    check("!keep.log\n*.log\n", &[("keep.log", "+2")]);
    check("*\n!*/\n!*.md\n", &[("src/", "-2"), ("src", "+1"), ("a.md", "-3")]);
}

#[test]
fn blanks_comments_and_escapes() {
    check("#a\n\\#a\n\\!a\n", &[("#a", "+2"), ("!a", "+3"), ("a", "none")]);
    check("a  \nb\\ \n", &[("a", "+1"), ("b ", "+2"), ("b", "none")]);
    check("\\*\n[*]x\n", &[("*", "+1"), ("y", "none"), ("*x", "+2")]);
    check(
        "\u{feff}secret.txt\r\n*.log\r\n",
        &[("secret.txt", "+1"), ("x.log", "+2"), ("keep", "none")],
    );
}

#[test]
fn bytes_need_not_be_text() {
    let (rules, bad) = GitRules::parse(b"\xff*\n[\x80-\x90]\n", Case::Sensitive);
    assert!(bad.is_empty());
    assert_eq!(rules.matched(b"d/\xff\xfe", false), Some(0));
    assert_eq!(rules.matched(b"\x85", false), Some(1));
}

#[test]
fn case_can_be_folded() {
    let (rules, _) = GitRules::parse(b"Build\nA*Z\nx?/[a-c]/Y\n", Case::Insensitive);
    for path in ["bUILD", "amz", "X1/B/y"] {
        assert!(rules.matched(path.as_bytes(), false).is_some(), "{path}");
    }
}

#[test]
fn a_rule_keeps_its_text_as_written() {
    let (rules, _) = GitRules::parse(b"# c\n\n!/a b/ \r\n", Case::Sensitive);
    let rule = rules.rule(rules.matched(b"a b", true).unwrap());
    assert_eq!((rule.text, rule.line, rule.negated), (&b"!/a b/ "[..], 3, true));
}

#[test]
fn bad_lines_are_told_and_the_others_hold() {
    let (rules, bad) =
        GitRules::parse(b"[/]\nend\\\n*.log\n[\n[[:no:]]\na\0b\n!\n", Case::Sensitive);
    let told: Vec<_> = bad.iter().map(|bad| (bad.line, bad.reason.as_str())).collect();
    assert_eq!(
        told,
        [
            (1, "character class matches nothing"),
            (2, "backslash at the end escapes nothing"),
            (4, "unclosed character class"),
            (5, "unknown character class name"),
            (6, "line holds a NUL byte, and git reads only what precedes it"),
            (7, "pattern is empty and matches nothing"),
        ]
    );
    assert_eq!(rules.matched(b"x.log", false).map(|index| rules.rule(index).line), Some(3));
    assert_eq!(rules.matched(b"a", false).map(|index| rules.rule(index).line), Some(6));
}

/// A pattern that breaks off after `**/` must leave nothing to the next one.
#[test]
fn a_bad_pattern_leaves_no_trace() {
    check("x?/**/[\n**/a/b\n", &[("a/b", "+2"), ("x/a/b", "+2"), ("b", "none")]);
}

#[test]
fn patterns_and_bad_lines_are_capped() {
    let (rules, bad) = GitRules::parse("a\n".repeat(MAX_RULES + 7).as_bytes(), Case::Sensitive);
    assert_eq!(rules.len(), MAX_RULES);
    assert_eq!((bad.len(), bad[0].line as usize), (1, MAX_RULES + 1));
    let (_, bad) = GitRules::parse("[\n".repeat(MAX_BAD_LINES + 7).as_bytes(), Case::Sensitive);
    assert_eq!(bad.len(), MAX_BAD_LINES);
    assert_eq!((bad[0].more, bad[MAX_BAD_LINES - 1].more), (0, 7));
}
