//! Names of any bytes through the binary: every stream of every output is visible.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use trilist_tests::rules::Rng;
use trilist_tests::{TreeBuilder, is_full};

use crate::support::trilist;

const PIECES: &[&[u8]] = &[
    b"\x1b]52;c;aGk=\x07",
    b"\r",
    b"\n",
    b"\x7f",
    "\u{9b}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{e0041}".as_bytes(),
    b"\xff",
    b"\"",
    b"\\",
    b"a",
    b" ",
    "é".as_bytes(),
];

fn name(rng: &mut Rng) -> Vec<u8> {
    let pieces: Vec<&[u8]> = (0..1 + rng.below(5)).map(|_| rng.pick(PIECES)).collect();
    pieces.concat()
}

/// Nothing changes how the text reads without being seen; of colours only those that are ours.
#[track_caller]
fn visible(text: &str) {
    let mut plain = text.to_owned();
    while let Some(start) = plain.find("\x1b[") {
        let end = plain[start + 2..].find('m').expect("a colour ends") + start + 2;
        let inner = &plain[start + 2..end];
        assert!(inner.chars().all(|c| c.is_ascii_digit() || c == ';'), "{inner:?} in {text:?}");
        plain.replace_range(start..=end, "");
    }
    let bad = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(*c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    if let Some(found) = plain.chars().find(bad) {
        panic!("{found:?} in {text:?}");
    }
}

#[test]
fn t58_t59_no_output_of_the_program_holds_what_cannot_be_seen() {
    let mut rng = Rng::new(59);
    for _ in 0..if is_full() { 200 } else { 8 } {
        let name = name(&mut rng);
        let tree = TreeBuilder::new()
            .repo()
            .file([&name[..], b"-d/in"].concat(), "")
            .file([&name[..], b"-f"].concat(), "")
            .file(".ignore", [b"[z-a", &name[..], b"\n*", &name, b"x\n"].concat())
            .commit("one")
            .symlink([&name[..], b"-l"].concat(), [&name[..], b"/t"].concat())
            .build();
        let typed = OsStr::from_bytes(&name);
        let lists: &[&[&str]] = &[
            &[],
            &["-1"],
            &["--metadata"],
            &["--json"],
            &["--jsonl"],
            &["-a"],
            &["-a", "-1"],
            &["-a", "--json"],
            &["--color", "always", "-a"],
            &["--view", "entries"],
            &["-n", "1", "-1"],
            &["-m", "files"],
            &["-m", "vcs"],
        ];
        for words in lists {
            let answer = trilist(&tree).args(*words).ok();
            visible(&answer.stdout);
            visible(&answer.stderr);
        }
        // Typed where it is nothing that there is, and where no such thing is expected.
        for words in [&[][..], &["--json"], &["-m"], &["-n"], &["--cursor"], &["-t"], &["--root"]] {
            let mut run = trilist(&tree).args(words).arg(typed);
            let output = run.command().output().unwrap();
            assert!(output.status.code().is_some_and(|code| (2..=8).contains(&code)), "{words:?}");
            visible(&String::from_utf8(output.stdout).unwrap());
            visible(&String::from_utf8(output.stderr).unwrap());
        }
    }
}
