//! The globs of a request.

use trilist_ignore::Globs;

use crate::choices::Choices;

const WORDS: &[&[u8]] = &[
    b"a",
    b"b",
    b".",
    b"/",
    b"*",
    b"**",
    b"?",
    b"[a-c]",
    b"[!b]",
    b"{a,b}",
    b"{",
    b"}",
    b",",
    b"[",
    b"]",
    b"\\",
    b"./",
    b"ab",
    b"..",
    b"\xc3\xa4",
    b"**/",
    b"/**",
    b"{a/b,c}",
    b"[/]",
    b"!",
];

/// Makes a list of globs and a path. The list names the first glob that matches alone, and where
/// one matches a path it may match below each of the path's directories.
///
/// # Panics
///
/// When one of these does not hold.
pub fn glob(data: &[u8]) {
    let mut choices = Choices::new(data);
    let path = crate::ignore::path(&mut choices);
    let is_dir = choices.one_in(2);
    let texts: Vec<String> = (0..1 + choices.below(4))
        .map(|_| String::from_utf8_lossy(&choices.words(WORDS, 8)).into_owned())
        .collect();
    let alone: Vec<_> = texts.iter().map(|text| Globs::new(&[text])).collect();
    let together = Globs::new(&texts);
    assert_eq!(together.is_ok(), alone.iter().all(Result::is_ok), "{texts:?}");
    let Ok(together) = together else { return };
    let matches = |one: &Result<Globs, _>| {
        one.as_ref().is_ok_and(|globs| globs.matched(&path, is_dir).is_some())
    };
    let found = together.matched(&path, is_dir);
    assert_eq!(found, alone.iter().position(matches), "{texts:?} {}", path.escape_ascii());
    let Some(found) = found else { return };
    assert_eq!(together.text(found), texts[found]);
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    for end in slashes.map(|(at, _)| at).chain([0]) {
        let dir = &path[..end];
        let context = format!("{:?}, {}, {}", texts[found], path.escape_ascii(), end);
        assert!(together.may_match_below(dir), "{context}");
    }
}
