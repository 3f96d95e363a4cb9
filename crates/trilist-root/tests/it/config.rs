//! Git's configuration format.

use trilist_root::gitdir::GitConfig;

fn value(text: &str) -> Option<String> {
    let config = GitConfig::parse(text.as_bytes()).expect("the text is valid");
    let value = config.value("s", None, "k");
    value.map(|value| String::from_utf8_lossy(value).into_owned())
}

#[test]
fn values() {
    for (text, expected) in [
        ("[s]\nk=v", "v"),
        ("[S]\n\tK = v \n", "v"),
        ("[s] k = v", "v"),
        ("[s]\nk = a b  c ; comment", "a b  c"),
        ("[s]\nk = \"a ; b \" # c", "a ; b "),
        ("[s]\nk = a\" b \"c", "a b c"),
        ("[s]\nk = one \\\n  two", "one   two"),
        ("[s]\nk = a\\tb\\\\c\\\"d", "a\tb\\c\"d"),
        ("[s]\r\nk = v\r\n", "v"),
        ("\u{feff}[s]\nk = v", "v"),
        ("[s]\nk = first\nk = last", "last"),
        ("[s]\nk", "true"),
        ("[s]\nk =", ""),
        ("# c\n; d\n[s]\n# e\nk = v\n[t]\nk = w", "v"),
        ("[include]\npath = /etc/passwd\n[s]\nk = v", "v"),
    ] {
        assert_eq!(value(text).as_deref(), Some(expected), "{text:?}");
    }
    assert_eq!(value("[t]\nk = v"), None);
    assert_eq!(value("[s \"sub\"]\nk = v"), None);
}

#[test]
fn flags_of_any_subsection() {
    for (text, expected) in [
        ("[r \"a\"]\nk = false\n[r \"b\"]\nk\n", true),
        ("[R \"a\"]\nK = 1\n", true),
        ("[r \"a\"]\nk = no\n", false),
        ("[r \"a\"]\nk = maybe\n", false),
        ("[r]\nk = true\n[s \"a\"]\nk = true\n[r \"a\"]\nl = true\n", false),
    ] {
        let config = GitConfig::parse(text.as_bytes()).expect("the text is valid");
        assert_eq!(config.any_flag("r", "k"), expected, "{text:?}");
    }
}

#[test]
fn subsections() {
    let text = b"[a \"B c\\\"d\"]\nk = 1\n[a.Old]\nk = 2\n";
    let config = GitConfig::parse(text).expect("the text is valid");
    assert_eq!(config.value("A", Some(b"B c\"d"), "K"), Some(&b"1"[..]));
    assert_eq!(config.value("a", Some(b"b c\"d"), "k"), None);
    assert_eq!(config.value("a", Some(b"old"), "k"), Some(&b"2"[..]));
}

#[test]
fn flags_and_sections() {
    let text =
        b"[core]\nbare\na = no\nb = 2\nc = 0\nd = perhaps\n[extensions]\nobjectFormat = sha256\n";
    let config = GitConfig::parse(text).expect("the text is valid");
    let flag = |key| config.flag("core", None, key);
    assert_eq!(flag("bare"), Some(true));
    assert_eq!(
        ["a", "b", "c", "d", "e"].map(flag),
        [Some(false), Some(true), Some(false), None, None]
    );
    let extensions: Vec<_> = config.section("extensions").collect();
    assert_eq!(extensions, [(&b"objectformat"[..], &b"sha256"[..])]);
}

/// What `git config --type=bool` makes of each: false, true, or a complaint.
#[test]
fn numbers_are_flags_in_gits_notation() {
    let right = [
        ("2k", Some(true)),
        ("1M", Some(true)),
        ("1g", Some(true)),
        ("0g", Some(false)),
        ("0x1", Some(true)),
        ("0X0", Some(false)),
        ("010", Some(true)),
        ("08", None),
        ("0b1", None),
        ("-1", Some(true)),
        ("-0", Some(false)),
        ("-0x1", Some(true)),
        ("+1", Some(true)),
        ("\" 1\"", Some(true)),
        ("\"1 \"", None),
        ("1kb", None),
        ("1.5", None),
        ("k", None),
        ("+", None),
        ("0x", None),
        ("2147483647", Some(true)),
        ("2147483648", None),
        ("-2147483648", None),
        ("2g", None),
        ("4g", None),
        ("99999999999", None),
    ];
    for (text, flag) in right {
        let config = GitConfig::parse(format!("[s]\nk = {text}\n").as_bytes()).expect(text);
        assert_eq!(config.flag("s", None, "k"), flag, "{text}");
    }
}

#[test]
fn mistakes_name_their_line() {
    for (text, line) in [
        ("k = v", 1),
        ("[s]\nk = \"open\n", 3),
        ("[s]\nk = \\x", 2),
        ("[s\nk = v", 2),
        ("[s]\n= v", 2),
        ("[s]\nk v", 2),
        ("[s \"a\nb\"]", 2),
        ("[s]\n\n\nk_y = v", 4),
    ] {
        let error = GitConfig::parse(text.as_bytes()).expect_err(text);
        assert!(error.line.abs_diff(line) <= 1, "{text:?}: line {}", error.line);
    }
}

#[test]
fn a_long_header_is_kept_once() {
    let mut text = format!("[{}]\n", "s".repeat(400_000)).into_bytes();
    text.extend(b"k\n".repeat(200_000));
    let config = GitConfig::parse(&text).expect("the text is valid");
    assert_eq!(config.value("s", None, "k"), None);
}

#[test]
fn no_bytes_panic() {
    let alphabet = b"[]\"\\\n\r=#; abk.-\0\xff";
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let text: Vec<u8> = (0..24)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                alphabet[usize::try_from(state >> 48).expect("16 bits fit") % alphabet.len()]
            })
            .collect();
        let _ = GitConfig::parse(&text);
    }
}
