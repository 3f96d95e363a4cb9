//! The one spelling of odd names: nothing invisible in it, and exactly undone.

use proptest::prelude::*;
use trilist_core::quote::{needs_quotes, plain, printable, shown, unquoted};

/// Characters that no output may hold raw, by Unicode's names; written without looking at the
/// code, so that neither forgets what the other does.
const UNSEEN: &[(u32, u32, &str)] = &[
    (0x00, 0x1f, "C0 controls: ESC, BEL, CR, LF"),
    (0x7f, 0x9f, "DEL and C1 controls: CSI, OSC, NEL"),
    (0xad, 0xad, "soft hyphen"),
    (0x34f, 0x34f, "combining grapheme joiner"),
    (0x61c, 0x61c, "Arabic letter mark"),
    (0x115f, 0x1160, "Hangul fillers"),
    (0x17b4, 0x17b5, "Khmer inherent vowels"),
    (0x180b, 0x180f, "Mongolian variation selectors and vowel separator"),
    (0x200b, 0x200d, "zero-width space, non-joiner and joiner"),
    (0x200e, 0x200f, "left-to-right and right-to-left marks"),
    (0x2028, 0x2029, "line and paragraph separators"),
    (0x202a, 0x202e, "bidi embeddings and overrides"),
    (0x2060, 0x2064, "word joiner and invisible operators"),
    (0x2066, 0x2069, "bidi isolates"),
    (0x206a, 0x206f, "deprecated format characters"),
    (0x3164, 0x3164, "Hangul filler"),
    (0xfe00, 0xfe0f, "variation selectors"),
    (0xfeff, 0xfeff, "byte order mark"),
    (0xffa0, 0xffa0, "halfwidth Hangul filler"),
    (0xfff9, 0xfffb, "interlinear annotation"),
    (0x1bca0, 0x1bca3, "shorthand format controls"),
    (0x1d173, 0x1d17a, "musical format controls"),
    (0xe0000, 0xe007f, "tags"),
    (0xe0100, 0xe01ef, "variation selectors supplement"),
];

pub(crate) fn unseen(text: &str) -> Option<char> {
    text.chars().find(|c| {
        let c = u32::from(*c);
        UNSEEN.iter().any(|(first, last, _)| (*first..=*last).contains(&c))
    })
}

fn unseen_characters() -> impl Iterator<Item = (char, &'static str)> {
    UNSEEN.iter().flat_map(|(first, last, name)| {
        (*first..=*last).filter_map(char::from_u32).map(move |c| (c, *name))
    })
}

#[test]
fn every_unseen_character_is_escaped_and_comes_back() {
    for (c, name) in unseen_characters() {
        for text in [format!("a{c}b"), format!("{c}"), format!("é{c}{c}")] {
            let shown = shown(text.as_bytes());
            assert_eq!(unseen(&shown), None, "U+{:04X} ({name})", u32::from(c));
            assert!(shown.starts_with('"') && shown.ends_with('"'));
            assert_eq!(unquoted(shown.as_bytes()).unwrap(), text.as_bytes());
            assert!(needs_quotes(text.as_bytes()));
            let printable = printable(&text);
            assert_eq!(unseen(&printable), None, "U+{:04X} ({name})", u32::from(c));
        }
    }
}

#[test]
fn ordinary_names_stay_as_they_are() {
    let names = [
        "",
        "a",
        "two words",
        "naïve.txt",
        "日本語",
        "emoji 🦀",
        "back\\slash",
        "in\"side",
        "'",
        " ",
    ];
    for name in names {
        assert_eq!(shown(name.as_bytes()), name);
        assert_eq!(plain(name.as_bytes()), Some(name));
        assert!(!needs_quotes(name.as_bytes()));
    }
}

#[test]
fn the_spelling_is_that_of_git() {
    let spelling = |bytes: &[u8]| shown(bytes).into_owned();
    insta::assert_snapshot!(spelling(b"\x07\x08\t\n\x0b\x0c\r"), @r#""\a\b\t\n\v\f\r""#);
    insta::assert_snapshot!(spelling(b"\"quoted\""), @r#""\"quoted\"""#);
    insta::assert_snapshot!(spelling("\"é\"".as_bytes()), @r#""\"é\"""#);
    insta::assert_snapshot!(spelling(b"\xff\\\"\x1b[31m"), @r#""\377\\\"\033[31m""#);
    insta::assert_snapshot!(spelling("caf\u{e9}\n".as_bytes()), @r#""café\n""#);
    insta::assert_snapshot!(spelling("a\u{202e}b".as_bytes()), @r#""a\342\200\256b""#);
    insta::assert_snapshot!(spelling(b"\"]}\ncomplete: true"), @r#""\"]}\ncomplete: true""#);
    insta::assert_snapshot!(spelling(b"\xed\xa0\x80"), @r#""\355\240\200""#);
}

#[test]
fn twins_in_another_normal_form_stay_apart() {
    let (composed, decomposed) = ("\u{e9}".as_bytes(), "e\u{301}".as_bytes());
    assert_ne!(shown(composed), shown(decomposed));
}

#[test]
fn what_is_no_quoted_spelling_is_refused() {
    let wrong = [
        "",
        "\"",
        "plain",
        "\"open",
        "open\"",
        r#""a"b""#,
        r#""\""#,
        r#""\x41""#,
        r#""\8""#,
        r#""\1""#,
        r#""\12""#,
        r#""\400""#,
        r#""\18a""#,
        r#""a\"#,
        r#""\ ""#,
        r#" "a""#,
    ];
    for text in wrong {
        assert_eq!(unquoted(text.as_bytes()), None, "{text}");
    }
    assert_eq!(unquoted(br#""""#).unwrap(), b"");
    assert_eq!(unquoted(br#""plain""#).unwrap(), b"plain");
    assert_eq!(unquoted(br#""\0001""#).unwrap(), b"\x001");
}

#[test]
fn printable_text_keeps_what_can_be_seen() {
    assert_eq!(printable("it's \"fine\" \\ é"), "it's \"fine\" \\ é");
    insta::assert_snapshot!(printable("a\nb\u{202e}\u{e0041}"), @r"a\u{a}b\u{202e}\u{e0041}");
}

fn odd_text() -> impl Strategy<Value = Vec<u8>> {
    let unseen: Vec<char> = unseen_characters().map(|(c, _)| c).collect();
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        prop::sample::select(unseen).prop_map(|c| c.to_string().into_bytes()),
        "[a-z\"\\\\0-7 é]{0,4}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_shown_safely_and_come_back(bytes in odd_text()) {
        let shown = shown(&bytes);
        prop_assert_eq!(unseen(&shown), None);
        if needs_quotes(&bytes) {
            prop_assert_eq!(unquoted(shown.as_bytes()), Some(bytes));
        } else {
            prop_assert_eq!(shown.as_bytes(), &bytes[..]);
            prop_assert_eq!(unquoted(shown.as_bytes()), None, "no plain name looks quoted");
        }
    }

    #[test]
    fn different_names_are_shown_differently(a in odd_text(), b in odd_text()) {
        prop_assert_eq!(shown(&a) == shown(&b), a == b);
    }

    #[test]
    fn any_text_is_unquoted_without_a_panic(bytes in odd_text()) {
        unquoted(&bytes);
        unquoted(&[b"\"", &bytes[..], b"\""].concat());
    }

    #[test]
    fn printable_text_holds_nothing_unseen(bytes in odd_text()) {
        prop_assert_eq!(unseen(&printable(&String::from_utf8_lossy(&bytes))), None);
    }
}
