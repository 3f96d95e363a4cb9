//! Patterns made to be slow, deep or huge. The bounds are generous: the point is
//! that nothing grows beyond path times pattern.

use std::time::{Duration, Instant};

use trilist_ignore::{Case, Dialect, Globs, RuleSet};

const SLOW: &[&str] = &[
    "**/a*b*c",
    "**/**/**/**/**/**/**/**/**/**/**/**/x",
    "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
    "**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/b",
    "a**/a**/a**/a**/a**/a**/b",
    "*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/b",
    "?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*b",
    "[ab]*[ab]*[ab]*[ab]*[ab]*[ab]*[ab]*c",
    "**\\/**\\/**\\/**\\/**\\/**\\/b",
    "*****************a",
];

fn paths() -> Vec<Vec<u8>> {
    vec![
        b"a".repeat(255),
        b"a/".repeat(2_000)[..3_999].to_vec(),
        [b"a".repeat(250), b"/".to_vec()].concat().repeat(16)[..4_000].to_vec(),
        b"ab".repeat(127),
    ]
}

fn within(limit: Duration, what: &str, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    let took = start.elapsed();
    assert!(took < limit, "{what} took {took:?}");
}

#[test]
fn gits_dialect_is_bounded_by_path_times_pattern() {
    for &slow in SLOW {
        let repeated = slow.repeat(200).replace("b*", "*");
        for pattern in [slow, &repeated] {
            let (rules, _) = RuleSet::parse(Dialect::Git, pattern.as_bytes(), Case::Insensitive);
            within(Duration::from_secs(2), slow, || {
                for path in paths() {
                    rules.matched(&path, false);
                }
            });
        }
    }
}

/// T-44: five thousand patterns on a thousand long names.
#[test]
fn many_heavy_patterns_on_many_long_names() {
    let file = "**/a*b*c\n".repeat(5_000);
    let (rules, bad) = RuleSet::parse(Dialect::Git, file.as_bytes(), Case::Sensitive);
    assert!(bad.is_empty());
    let names: Vec<Vec<u8>> =
        (0..1_000).map(|i| format!("d/a{}{i:04}", "ab".repeat(120)).into()).collect();
    // Two seconds when optimised; a debug build is some twenty times slower.
    let limit = if cfg!(debug_assertions) { 40 } else { 2 };
    within(Duration::from_secs(limit), "T-44", || {
        assert!(names.iter().all(|name| rules.matched(name, false).is_none()));
    });
}

#[test]
fn the_other_dialects_are_bounded_too() {
    for dialect in [Dialect::Ripgrep, Dialect::Pathspec] {
        let file = SLOW.join("\n");
        let (rules, _) = RuleSet::parse(dialect, file.as_bytes(), Case::Sensitive);
        within(Duration::from_secs(20), &format!("{dialect:?}"), || {
            for path in paths() {
                rules.matched(&path, false);
            }
        });
    }
}

/// T-43: nesting, NUL bytes, no text at all, lines without an end.
#[test]
fn odd_content_neither_panics_nor_drops_the_good_line() {
    let pieces: Vec<Vec<u8>> = vec![
        b"{".repeat(50_000),
        [b"{".repeat(5_000), b"}".repeat(5_000)].concat(),
        b"[".repeat(50_000),
        b"\0".repeat(1_000),
        vec![0xff; 1_000],
        b"\\".repeat(9_999),
        b"*".repeat(100_000),
        b"?".repeat(100_000),
        b"**/".repeat(50_000),
        b"[a".repeat(20_000),
        b"[[:alpha:]]".repeat(10_000),
        b"{a,b}".repeat(700),
        b"!".repeat(1_000),
    ];
    for piece in &pieces {
        let file = [piece, b"\n*.log\n".as_slice()].concat();
        for dialect in [Dialect::Git, Dialect::Ripgrep, Dialect::Pathspec] {
            within(Duration::from_secs(20), &format!("{dialect:?} {:?}", &piece[..4]), || {
                let (rules, _) = RuleSet::parse(dialect, &file, Case::Sensitive);
                let index = rules.matched(b"d/x.log", false).unwrap();
                assert_eq!(rules.rule(index).line, 2, "{dialect:?} {:?}", &piece[..4]);
            });
        }
    }
}

/// A set too big to compile costs its own lines at most.
#[test]
fn wildcard_lines_by_the_thousand_do_not_drop_the_file() {
    let mut file: String = (0..4_000).map(|i| format!("a*b{i}*c?[d-f]/**/x{i}*\n")).collect();
    file.push_str("*.log\n");
    for dialect in [Dialect::Git, Dialect::Ripgrep, Dialect::Pathspec] {
        let (rules, bad) = RuleSet::parse(dialect, file.as_bytes(), Case::Sensitive);
        assert!(bad.is_empty(), "{dialect:?}: {bad:?}");
        for (path, line) in
            [("d/x.log", 4_001), ("aXb7Xcze/m/n/x7", 8), ("aXb3999Xcze/x3999y", 4_000)]
        {
            let found = rules.matched(path.as_bytes(), false).map(|index| rules.rule(index).line);
            assert_eq!(found, Some(line), "{dialect:?} {path}");
        }
    }
}

/// T-48: a request's glob is refused or fast.
#[test]
fn request_globs_are_refused_or_fast() {
    let nested = format!("{}a{}", "{a,".repeat(90), "}".repeat(90));
    let globs = [
        "*a".repeat(60),
        "**/".repeat(60) + "b",
        "*".repeat(60),
        nested,
        "{".repeat(300),
        format!("{}{}", "{".repeat(400), "}".repeat(400)),
        "{a,b,c,d}".repeat(100),
        "?*".repeat(500),
        "[!a]*".repeat(200),
    ];
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 1_000 } else { 100 });
    for glob in &globs {
        within(limit, glob, || {
            if let Ok(globs) = Globs::new(&[glob]) {
                for path in paths() {
                    globs.matched(&path, false);
                    globs.may_match_below(&path);
                }
            }
        });
    }
    let many: Vec<String> = (0..256).map(|i| "*a".repeat(500) + &i.to_string()).collect();
    within(Duration::from_secs(10), "256 globs", || drop(Globs::new(&many)));
}
