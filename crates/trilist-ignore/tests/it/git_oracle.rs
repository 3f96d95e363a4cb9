//! Git's dialect against `git check-ignore`: the same rule, by line, for every
//! path.

use std::{
    collections::HashSet,
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use tempfile::TempDir;
use trilist_ignore::{Case, GitRules};

use crate::support::{self, Rng};

#[test]
fn random_files_agree_with_git() {
    differential(Case::Sensitive, support::fuzz_files(1_200), support::fuzz_seed(1));
}

#[test]
fn random_files_agree_with_git_when_case_is_folded() {
    differential(Case::Insensitive, support::fuzz_files(600), support::fuzz_seed(2));
}

/// Each byte value against each class, name and single byte.
#[test]
fn every_byte_agrees_with_git() {
    let names = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit",
    ];
    let mut files: Vec<Vec<u8>> = Vec::new();
    for name in names {
        files.push(format!("x[[:{name}:]]\n").into());
        files.push(format!("x[![:{name}:]]\n").into());
    }
    files.extend([b"x[@-Z]\n".to_vec(), b"x[a-{]\n".to_vec(), b"x[\x80-\xff]\n".to_vec()]);
    files.extend([b"x?\n".to_vec(), b"x[!a]\n".to_vec(), b"x[A]\n".to_vec(), b"x\\A\n".to_vec()]);
    let bytes = (1..=255).filter(|&byte| byte != b'/').map(|byte| vec![b'x', byte]);
    let paths: Vec<Vec<u8>> = bytes.collect();
    for case in [Case::Sensitive, Case::Insensitive] {
        let cases = files.iter().map(|file| (file.clone(), paths.clone(), vec![])).collect();
        compare(case, cases);
    }
}

/// Where lines end and what is cut from them.
#[test]
fn line_endings_agree_with_git() {
    let files: &[&[u8]] = &[
        b"\xef\xbb\xbfa\nb\n",
        b"\xef\xbb\xbf\xef\xbb\xbfa\nb\n",
        b"\xef\xbb\xbf#a\nb\n",
        b"\xef\xbb\xbf!a\n*\n",
        b"a\r\nb\r\n\r\n",
        b"a\r",
        b"a\r\r\n",
        b"\r",
        b"\r\n\r\na",
        b"a \r\nb\\ \r\n",
        b"a\0b\nb\n",
        b"\0a\nb\n",
        b"a \0\nb",
        b"a\\ \nb \\ ",
        b"a\\\\ \nb",
        b"a\\",
        b"a\t\nb\t",
        b" \n  \na",
        b"#\n\\#a\n\\!b\n",
        b"!\n/\n//\n!/\n\\\n",
        b"a\x0bb\n\x0c\na",
    ];
    let paths: &[&[u8]] = &[
        b"a", b"b", b"a ", b"b ", b"a\r", b"\r", b"#a", b"!b", b"a\t", b"b\t", b"\\", b"a\\",
        b"b \\ ",
    ];
    let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.to_vec()).collect();
    let cases = files.iter().map(|file| (file.to_vec(), paths.clone(), vec![])).collect();
    compare(Case::Sensitive, cases);
}

/// One ignore file, the paths to ask about, and those that are made directories.
type Case_ = (Vec<u8>, Vec<Vec<u8>>, Vec<Vec<u8>>);

fn differential(case: Case, files: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let cases = (0..files).map(|_| random_case(&mut rng)).collect();
    compare(case, cases);
}

fn random_case(rng: &mut Rng) -> Case_ {
    let patterns: Vec<String> = (0..1 + rng.below(6)).map(|_| support::pattern(rng)).collect();
    let mut file = Vec::new();
    if rng.one_in(12) {
        file.extend_from_slice(b"\xef\xbb\xbf");
    }
    for pattern in &patterns {
        file.extend(raw(rng, pattern));
        file.extend_from_slice(if rng.one_in(8) { b"\r\n" } else { b"\n" });
    }
    if rng.one_in(3) {
        file.pop();
    }
    let count = 20;
    let paths: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let path = support::path(rng, &patterns);
            raw(rng, &path)
        })
        .collect();
    let dirs = paths.iter().filter(|_| rng.one_in(3)).cloned().collect();
    (file, paths, dirs)
}

/// Now and then a byte that is no text.
fn raw(rng: &mut Rng, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    if rng.one_in(10)
        && let Some(byte) = bytes.iter_mut().find(|byte| **byte == b'b')
    {
        *byte = rng.pick(&[0xff, 0x80, 0xc3]);
    }
    bytes
}

fn compare(case: Case, cases: Vec<Case_>) {
    if !support::available("git", Command::new("git").arg("--version")) {
        return;
    }
    let repo = repository(case);
    let mut input = Vec::new();
    for (i, (file, paths, dirs)) in cases.iter().enumerate() {
        let dir = repo.path().join(format!("d{i}"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(".gitignore"), file).unwrap();
        for made in dirs {
            // Names that the file system refuses stay files.
            let _ = fs::create_dir_all(dir.join(to_path(made)));
        }
        for path in paths {
            input.extend_from_slice(format!("d{i}/").as_bytes());
            input.extend_from_slice(path);
            input.push(0);
        }
    }
    let output = check_ignore(repo.path(), input);
    let mut fields = output.split(|&byte| byte == 0);
    let (mut asked, mut matched) = (0, 0);
    for (i, (file, paths, _)) in cases.iter().enumerate() {
        let (rules, _) = GitRules::parse(file, case);
        let dir = repo.path().join(format!("d{i}"));
        let exist: HashSet<&Vec<u8>> =
            paths.iter().filter(|path| dir.join(to_path(path)).is_dir()).collect();
        for path in paths {
            let [_, line, _, _] = [(); 4].map(|()| fields.next().unwrap());
            let line: u32 = std::str::from_utf8(line).unwrap().parse().unwrap_or(0);
            let ours = walk(&rules, path, exist.contains(path));
            assert_eq!(
                ours,
                line,
                "{case:?}: rules {:?}, path {:?}, directory {}",
                file.escape_ascii().to_string(),
                path.escape_ascii().to_string(),
                exist.contains(path)
            );
            asked += 1;
            matched += u32::from(line > 0);
        }
    }
    println!("{asked} paths of {} files agree with git, {matched} of them matched", cases.len());
}

/// What git does with one file: the first ignored parent, else the path itself.
fn walk(rules: &GitRules, path: &[u8], is_dir: bool) -> u32 {
    let slashes = (0..path.len()).filter(|&at| path[at] == b'/');
    let parent = slashes
        .filter_map(|at| rules.matched(&path[..at], true))
        .map(|index| rules.rule(index))
        .find(|rule| !rule.negated);
    let rule = parent.or_else(|| rules.matched(path, is_dir).map(|index| rules.rule(index)));
    rule.map_or(0, |rule| rule.line)
}

fn repository(case: Case) -> TempDir {
    let repo = TempDir::new().unwrap();
    let run = |args: &[&str]| {
        let status = git(repo.path()).args(args).status().unwrap();
        assert!(status.success());
    };
    run(&["init", "-q", "--template="]);
    let ignore_case = (case == Case::Insensitive).to_string();
    run(&["config", "core.ignorecase", &ignore_case]);
    repo
}

fn git(dir: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(dir);
    for (name, value) in [("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")] {
        git.env(name, value);
    }
    git.env("LC_ALL", "C").env("HOME", dir).env("XDG_CONFIG_HOME", dir);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    git
}

fn check_ignore(repo: &Path, input: Vec<u8>) -> Vec<u8> {
    let mut child = git(repo)
        .args(["check-ignore", "--no-index", "-v", "-n", "--stdin", "-z"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", output.status);
    output.stdout
}

#[cfg(unix)]
fn to_path(bytes: &[u8]) -> &Path {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn to_path(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or("not-text"))
}
