//! The request's globs.

use trilist_ignore::{GlobError, Globs, MAX_GLOB_BYTES, MAX_GLOBS};

fn matches(glob: &str, path: &str) -> bool {
    let globs = Globs::new(&[glob]).unwrap();
    globs.matched(path.trim_end_matches('/').as_bytes(), path.ends_with('/')).is_some()
}

#[test]
fn slashes_say_what_is_matched() {
    let cases = [
        ("*.rs", "a.rs", true),
        ("*.rs", "x/y/a.rs", true),
        ("*.rs", "a.rs/x", false),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/x/a.rs", false),
        ("src/*.rs", "x/src/a.rs", false),
        ("src/**/*.rs", "src/a.rs", true),
        ("src/**/*.rs", "src/x/y/a.rs", true),
        ("**/b/*", "a/b/c", true),
        ("/a", "a", true),
        ("/a", "x/a", false),
        ("./a", "a", true),
        ("./a", "x/a", false),
        ("./src/a", "src/a", true),
        ("build/", "build/", true),
        ("build/", "x/build/", true),
        ("build/", "build", false),
        ("/build/", "x/build/", false),
        ("x/build/", "x/build/", true),
        ("a//b", "a/b", true),
        ("a/./b", "a/b", true),
        ("./a/./b", "a/b", true),
        ("./a//b/", "a/b/", true),
        ("./a//b/", "a/b", false),
        ("a\\/b", "a/b", true),
        ("a/\\./b", "a/b", true),
        ("s//", "x/s/", true),
        ("s/.", "x/s/", true),
        ("s/./", "s", false),
        ("//a/s", "a/s", true),
        (".//s", "s", true),
        (".//s", "x/s", false),
        ("[/]//b", "x", false),
        ("a//{b,c}", "a/c", true),
        ("...", "...", true),
        ("a/..b", "a/..b", true),
        ("{a,b}.c", "b.c", true),
        ("[!a].c", "b.c", true),
        ("\\*", "*", true),
        ("\\*", "a", false),
        ("a", "A", false),
        (".*", ".git", true),
        ("*", ".git", true),
    ];
    for (glob, path, wanted) in cases {
        assert_eq!(matches(glob, path), wanted, "{glob} on {path}");
    }
}

#[test]
fn the_first_glob_that_matches_is_named() {
    let globs = Globs::new(&["src/", "b*", "src/**", "*"]).unwrap();
    assert_eq!(globs.matched(b"src", true), Some(0));
    assert_eq!(globs.matched(b"src", false), Some(3));
    assert_eq!(globs.matched(b"src/bb", false), Some(1));
    assert_eq!(globs.matched(b"src/cc", false), Some(2));
    assert_eq!(globs.matched(b"\xff", false), Some(3));
    assert_eq!(globs.matched(b"", true), None);
    assert_eq!((globs.len(), globs.text(2)), (4, "src/**"));
    assert_eq!(Globs::empty().matched(b"a", false), None);
}

#[test]
fn reach_is_told_for_pruning() {
    let cases = [
        ("*.rs", "a/b", true),
        ("src/*.rs", "", true),
        ("src/*.rs", "src", true),
        ("src/*.rs", "tests", false),
        ("src/*.rs", "src/x", false),
        ("/a", "", true),
        ("/a", "a", false),
        ("src/**/*.rs", "src/x/y", true),
        ("src/**/*.rs", "tests/x", false),
        ("*/a/b", "x", true),
        ("*/a/b", "x/a", true),
        ("*/a/b", "x/c", false),
        ("*/a/b", "x/a/b", false),
        ("{src,x/y}/a", "x/y", true),
        ("s[r/]c/a", "src", true),
    ];
    for (glob, dir, wanted) in cases {
        let globs = Globs::new(&[glob]).unwrap();
        assert_eq!(globs.may_match_below(dir.as_bytes()), wanted, "{glob} below {dir:?}");
    }
    assert!(!Globs::empty().may_match_below(b""));
}

/// What is said to be out of reach never matches.
#[test]
fn reach_errs_on_the_side_of_true() {
    let mut rng = crate::support::Rng::new(11);
    for _ in 0..20_000 {
        let glob = crate::support::pattern(&mut rng);
        let Ok(globs) = Globs::new(&[&glob]) else {
            continue;
        };
        let path = crate::support::path(&mut rng, &[glob]);
        if globs.matched(path.as_bytes(), true).is_some() {
            for (slash, _) in path.match_indices('/') {
                let dir = &path[..slash];
                assert!(globs.may_match_below(dir.as_bytes()), "{:?} below {dir:?}", globs.text(0));
            }
            assert!(globs.may_match_below(b""));
        }
    }
}

#[test]
fn refusals_name_the_glob() {
    let error = |globs: &[&str]| Globs::new(globs).unwrap_err();
    assert_eq!(error(&vec!["a"; MAX_GLOBS + 1]), GlobError::TooMany { given: 257 });
    let long = "é".repeat(MAX_GLOB_BYTES / 2) + "x";
    assert!(matches!(error(&["a", &long]), GlobError::TooLong { index: 2, bytes: 1_025, .. }));
    for empty in ["", "/", ".", "./", "//", "/./", "./.", "\\./"] {
        assert!(matches!(error(&[empty]), GlobError::Empty { index: 1 }), "{empty}");
    }
    assert_eq!(
        error(&["a", "[z-a]"]).to_string(),
        "glob 2 is not valid at character 2: invalid range; 'z' > 'a', in \"[z-a]\""
    );
}

#[test]
fn globs_that_go_up_or_stand_for_no_path_are_refused() {
    let error = |glob: &str| Globs::new(&["a", glob]).unwrap_err();
    for up in ["..", "../a", "a/../b", "a/..", "a/../", "/..", "a/.\\./b", "{a,..}/b", "a/{b,..}"] {
        assert_eq!(error(up), GlobError::Parent { index: 2, glob: up.to_owned() });
    }
    for none in ["a{/,/b}/c", "{./a,b}", "{/a,b}", "a/{.,b}", "a/{,b}/c", "a{,/}", "a/{b,.}{,/c}"] {
        assert_eq!(error(none), GlobError::Alternative { index: 2, glob: none.to_owned() });
    }
    for plain in ["a{,/b}/c", "{a,b/c}/d", "{,a}", "{,.}a", "a/{b,c.{d,e}}", "{{a,b}/,}c", "[.]/a"]
    {
        assert!(Globs::new(&[plain]).is_ok(), "{plain}");
    }
}

/// The character that a refusal names, counted from 1, and why.
fn fault(glob: &str) -> Option<(usize, String)> {
    match Globs::new(&[glob]) {
        Ok(_) => None,
        Err(GlobError::Invalid { at, reason, .. }) => Some((at.expect("one place"), reason)),
        Err(other) => panic!("{glob:?}: {other}"),
    }
}

#[test]
fn refusals_name_the_character() {
    for (glob, at) in [
        ("[", 1),
        ("a[b", 2),
        ("é/[", 3),
        ("./é[", 4),
        ("/x/[!]", 4),
        ("a}", 2),
        ("{a}}", 4),
        ("{a,{b}", 1),
        ("x{a,{b", 2),
        ("[{]{", 4),
        ("\\[[", 3),
        ("ok\\", 3),
        ("[a-bz-y]", 5),
        ("[z-a", 2),
        ("[b-a[", 2),
        ("d[/", 2),
        ("x[/]{/", 5),
    ] {
        assert_eq!(fault(glob).map(|(at, _)| at), Some(at), "{glob:?}");
    }
}

/// Every short text of the characters that mean something: the engine says which are refused and
/// why; the character named is one of that kind, and without it the fault is gone or further on.
#[test]
fn the_character_named_is_the_one_at_fault() {
    const LETTERS: [char; 8] = ['[', ']', '{', '}', '-', '\\', 'a', 'z'];
    let mut refused = 0;
    for number in 0..LETTERS.len().pow(4) {
        let glob: String = (0..4).map(|at| LETTERS[(number >> (3 * at)) % 8]).collect();
        let Some((at, reason)) = fault(&glob) else { continue };
        refused += 1;
        let mut chars: Vec<char> = glob.chars().collect();
        let named = chars[at - 1];
        let right = match reason.split([';', ' ']).next() {
            Some("unclosed") => named == if reason.contains("class") { '[' } else { '{' },
            Some("unopened") => named == '}',
            Some("dangling") => named == '\\' && at == 4,
            Some("invalid") => reason.contains(&format!("; '{named}' > ")),
            _ => false,
        };
        assert!(right, "{glob:?}: {at}, {reason}");
        chars[at - 1] = '~';
        let without: String = chars.iter().collect();
        let goes_on = fault(&without).is_none_or(|(next, again)| next > at || again != reason);
        assert!(goes_on, "{glob:?}: {at}, {reason}, {without:?}");
    }
    assert!(refused > 1_000, "{refused}");
}
