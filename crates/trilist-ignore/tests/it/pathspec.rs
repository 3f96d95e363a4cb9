//! Pathspec's dialect, against pathspec itself and against recorded answers.

use std::{
    env, fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use trilist_ignore::{Case, Dialect, MAX_PATTERN_BYTES, PathspecRules, RuleSet};

use crate::support::{self, Rng};

/// Reads files and paths, answers like Aider: the pattern that decides, and the
/// patterns that cannot be compiled.
const ORACLE: &str = r#"
import json, sys, warnings
warnings.simplefilter("ignore")
from pathspec.patterns.gitwildmatch import GitWildMatchPattern
from pathspec.util import normalize_file
for line in sys.stdin:
    case = json.loads(line)
    patterns, bad = [], []
    for text in case["text"].removeprefix("\ufeff").splitlines():
        try:
            patterns.append((text, GitWildMatchPattern(text)))
        except Exception:
            bad.append(text)
    answers = []
    for path in case["paths"]:
        found = None
        for text, pattern in reversed(patterns):
            if pattern.include is not None and pattern.match_file(normalize_file(path)):
                found = [text, pattern.include]
                break
        answers.append(found)
    print(json.dumps([bad, answers]))
"#;

#[test]
fn random_files_agree_with_pathspec() {
    let python = env::var("TRILIST_PATHSPEC_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let version = "import pathspec; assert pathspec.__version__ == '1.0.4'";
    if !support::available("pathspec 1.0.4", Command::new(&python).args(["-c", version])) {
        return;
    }
    let mut rng = Rng::new(support::fuzz_seed(5));
    let cases: Vec<(String, Vec<String>)> = (0..support::fuzz_files(150))
        .map(|_| {
            let patterns: Vec<String> = (0..1 + rng.below(6)).map(|_| pattern(&mut rng)).collect();
            let bom = if rng.one_in(12) { "\u{feff}" } else { "" };
            let text = bom.to_owned() + &patterns.join(rng.pick(&["\n", "\r\n"]));
            (text, (0..15).map(|_| path(&mut rng, &patterns)).collect())
        })
        .collect();
    let answers = ask(&python, &cases);
    let (mut asked, mut matched) = (0, 0);
    for ((text, paths), answer) in cases.iter().zip(&answers) {
        let (rules, bad) = PathspecRules::parse(text.as_bytes());
        let bad: Vec<_> = bad.iter().map(|bad| String::from_utf8_lossy(&bad.text)).collect();
        assert_eq!(json!(bad), answer[0], "bad lines of {text:?}");
        for (path, wanted) in paths.iter().zip(answer[1].as_array().unwrap()) {
            let ours = rules.matched(path.as_bytes(), false).map(|index| {
                let rule = rules.rule(index);
                json!([String::from_utf8_lossy(rule.text), !rule.negated])
            });
            assert_eq!(&json!(ours), wanted, "rules {text:?}, path {path:?}");
            asked += 1;
            matched += u32::from(!wanted.is_null());
        }
    }
    println!("{asked} paths agree with pathspec, {matched} of them matched");
}

/// Python's further line ends and white space, and what its classes take as it
/// stands.
fn pattern(rng: &mut Rng) -> String {
    let mut pattern = support::pattern(rng);
    if rng.one_in(5) {
        let odd = [
            "\u{b}", "\u{1c}", "\u{1f}", "\u{85}", "\u{2028}", "\u{a0}", "[&&a]", "[a--b]", "[^^]",
            "[a~~]", "[[a]", "$", "(", "\u{3000}",
        ];
        pattern.push_str(rng.pick(&odd));
    }
    pattern
}

fn path(rng: &mut Rng, patterns: &[String]) -> String {
    let mut path = support::path(rng, patterns);
    if rng.one_in(10) {
        path.push_str(rng.pick(&["\n", "\n\n", "/x", "&", "^", "\u{a0}"]));
    }
    path
}

fn ask(python: &str, cases: &[(String, Vec<String>)]) -> Vec<Value> {
    let input: String = cases
        .iter()
        .map(|(text, paths)| json!({"text": text, "paths": paths}).to_string() + "\n")
        .collect();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(input.as_bytes()).unwrap();
    let output = Command::new(python)
        .args(["-c", ORACLE])
        .stdin(Stdio::from(fs::File::open(file.path()).unwrap()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The recorded pairs have the answers of pathspec, git and ripgrep.
#[test]
fn recorded_pairs_agree_in_all_three_dialects() {
    let dir = env::var_os("TRILIST_CONFORMANCE").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/conformance/cases")),
        PathBuf::from,
    );
    let Ok(files) = fs::read_dir(dir.join("pathspec")) else {
        assert!(env::var("TRILIST_REQUIRE_ALL").as_deref() != Ok("1"), "no recorded pairs");
        println!("SKIP(no recorded pairs)");
        return;
    };
    let mut pairs = 0;
    for file in files {
        let case: Value = serde_json::from_slice(&fs::read(file.unwrap().path()).unwrap()).unwrap();
        for pair in case["expected"]["pairs"].as_array().unwrap() {
            recorded_pair(pair);
            pairs += 1;
        }
    }
    println!("{pairs} recorded pairs agree");
}

/// The pairs were recorded with ripgrep 14. Ripgrep 15 reads POSIX classes,
/// takes an unclosed class as it stands, and lets no class match a slash.
const NEW_IN_RIPGREP_15: &[&str] = &["[[:digit:]]", "[a", "foo[/]bar"];

fn recorded_pair(pair: &Value) {
    let lines: Vec<&str> =
        pair["patterns"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let (text, path) = (lines.join("\n"), pair["path"].as_str().unwrap());
    // Pathspec normalises its argument; ours is normal already.
    let path = path.strip_prefix('/').or(path.strip_prefix("./")).unwrap_or(path);
    let (rules, bad) = RuleSet::parse(Dialect::Pathspec, text.as_bytes(), Case::Sensitive);
    if pair["pathspec_1.0.4"].is_string() {
        assert_eq!(bad.len(), 1, "{pair}");
    } else {
        assert!(bad.is_empty(), "{pair}");
        assert_eq!(json!(ignored(&rules, path.as_bytes())), pair["pathspec_1.0.4"], "{pair}");
    }
    for (dialect, answer) in [(Dialect::Git, &pair["git"]), (Dialect::Ripgrep, &pair["ripgrep"])] {
        let (rules, _) = RuleSet::parse(dialect, text.as_bytes(), Case::Sensitive);
        // The other two were asked about a file on disk, where `d//a` is `d/a`.
        let normal = path.split('/').all(|name| !matches!(name, "" | "." | ".."));
        let newer = dialect == Dialect::Ripgrep && NEW_IN_RIPGREP_15.contains(&&text[..]);
        if answer.is_boolean() && normal && !newer {
            let parents = path.match_indices('/').map(|(slash, _)| &path[..slash]);
            let mut pruned =
                parents.filter(|parent| decides(&rules, parent.as_bytes(), true) == Some(true));
            let ours = pruned.next().is_some() || ignored(&rules, path.as_bytes());
            assert_eq!(json!(ours), *answer, "{dialect:?} {pair}");
        }
    }
}

fn ignored(rules: &RuleSet, path: &[u8]) -> bool {
    decides(rules, path, false) == Some(true)
}

fn decides(rules: &RuleSet, path: &[u8], is_dir: bool) -> Option<bool> {
    Some(!rules.rule(rules.matched(path, is_dir)?).negated)
}

fn line(text: &[u8], path: &[u8]) -> Option<(u32, bool)> {
    let (rules, _) = PathspecRules::parse(text);
    let rule = rules.rule(rules.matched(path, false)?);
    Some((rule.line, rule.negated))
}

#[test]
fn a_directory_rule_covers_what_is_below_and_can_be_overruled() {
    let text = b"build/\n!build/keep.log\n";
    assert_eq!(line(text, b"build/x/y"), Some((1, false)));
    assert_eq!(line(text, b"build/keep.log"), Some((2, true)));
    assert_eq!(line(text, b"build"), None);
    let (rules, _) = PathspecRules::parse(text);
    assert_eq!(rules.matched(b"build", true), None);
}

#[test]
fn byte_order_mark_and_carriage_returns() {
    let text = b"\xef\xbb\xbfsecret.txt\r\n\r\n*.log\r*.tmp";
    assert_eq!(line(text, b"secret.txt"), Some((1, false)));
    assert_eq!(line(text, b"d/x.log"), Some((3, false)));
    assert_eq!(line(text, b"d/x.tmp"), Some((4, false)));
}

/// Python cuts at a form feed, an editor does not count it.
#[test]
fn lines_are_counted_as_an_editor_counts() {
    assert_eq!(line(b"a\x0cb\nc\n", b"b"), Some((1, false)));
    assert_eq!(line("a\u{2028}b\nc\n".as_bytes(), b"c"), Some((2, false)));
}

#[test]
fn bad_lines_are_told_and_the_others_hold() {
    let long = "a".repeat(MAX_PATTERN_BYTES + 1);
    let text = [b"!\n\\\na\\\n[z-a]\n\xff\n".as_slice(), long.as_bytes(), b"\n*.log\n"].concat();
    let (rules, bad) = PathspecRules::parse(&text);
    assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(rules.matched(b"x.log", false).map(|index| rules.rule(index).line), Some(7));
}

/// Python holds a stray byte as one character.
#[test]
fn a_stray_byte_is_one_character() {
    assert_eq!(line(b"a?c\n", b"a\xffc"), Some((1, false)));
    assert_eq!(line(b"a?c\n", b"a\xff\xfec"), None);
    assert_eq!(line(b"a?c\n", "aéc".as_bytes()), Some((1, false)));
}
