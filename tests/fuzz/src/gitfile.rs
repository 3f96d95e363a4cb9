//! The files that lead from a work tree to its repository and to its commit.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use trilist_core::{Cancel, Event, Events, ListError, ListSource, Query, RelPathBuf};
use trilist_root::gitdir::GitConfig;
use trilist_root::{Beneath, Root};
use trilist_vcs::{Memory, VcsSource};

use crate::choices::Choices;
use crate::place::{self, Place, hex};

thread_local! {
    static PLACE: (Place, Arc<Memory>) = (Place::new(), Arc::default());
}

/// Parses the bytes as a configuration, or makes a `.git` and what it leads to of them, and lists
/// that. The answer is a listing or a refusal, the same in both ways of opening, and whether or not
/// something is remembered from the inputs before; it tells nothing
/// from outside the roots but from where the place outside points back, names no place there, and
/// waits for nothing.
///
/// # Panics
///
/// When one of these does not hold.
pub fn gitfile(data: &[u8]) {
    let mut choices = Choices::new(data);
    if choices.one_in(8) {
        return config(choices.rest());
    }
    PLACE.with(|(place, memory)| {
        if place.is_known_to(data) {
            return;
        }
        make(&mut choices, place);
        let base = choices.pick(&["repo", "repo/src", "", "gd", "store", "repo/missing"]);
        let with_other = choices.one_in(3);
        let told = |beneath, memory| told(place, beneath, base, with_other, memory);
        let nothing = Arc::default();
        let kernel = told(Beneath::Kernel, &nothing);
        assert_eq!(kernel, told(Beneath::Stepwise, memory));
        for line in &kernel {
            place.assert_tells_nothing(line);
            let outside = place.base.join("outside").into_os_string().into_string();
            assert!(!line.contains(&outside.expect("a plain path")), "{line}");
        }
    });
}

fn config(bytes: &[u8]) {
    let Ok(config) = GitConfig::parse(bytes) else { return };
    for (section, key) in [("core", "bare"), ("core", "worktree"), ("extensions", "objectformat")] {
        let value = config.value(section, None, key);
        let last = config.section(section).filter(|(name, _)| *name == key.as_bytes()).last();
        assert_eq!(value, last.map(|(_, value)| value));
        let _ = (config.flag(section, None, key), config.any_flag(section, key));
    }
}

/// Lists to the end, as text: every event, or the refusal.
fn told(
    place: &Place,
    beneath: Beneath,
    base: &str,
    with_other: bool,
    memory: &Arc<Memory>,
) -> Vec<String> {
    let open = |path: &Path| Root::open_with(path, beneath).expect("it is there");
    let root = Arc::new(open(&place.inside));
    let listed = open(&place.base.join("listed"));
    let others: &[&Root] = if with_other { &[&listed] } else { &[] };
    let query = Query::new(RelPathBuf::new(base).expect("a relative path"));
    let source = VcsSource::open_among(root, others, query.base.as_path(), memory);
    match source.and_then(|source| list(&source, &query)) {
        Ok(lines) => lines,
        Err(error) => {
            let known = ["not_a_repository", "vcs_refused", "vcs_invalid", "invalid_argument"];
            let known = known.iter().chain(&["not_found", "not_directory", "io_error"]);
            assert!(known.clone().any(|code| *code == error.code()), "{error:?}");
            vec![format!("{}: {error}", error.code())]
        }
    }
}

fn list(source: &VcsSource, query: &Query) -> Result<Vec<String>, ListError> {
    let cancel = Cancel::new().with_deadline(Duration::from_secs(5));
    let mut events = source.open(query, &cancel)?;
    let (mut lines, mut last) = (vec![source.top().to_string()], Vec::new());
    while events.advance()? {
        let event = events.event();
        if let Event::Entry(entry) = event {
            let path = entry.path.as_bytes();
            crate::index::check_path(path);
            assert!(last.is_empty() || last.as_slice() < path, "{event:?}");
            last = path.to_vec();
        }
        lines.push(format!("{event:?}"));
    }
    lines.extend(source.notice());
    Ok(lines)
}

/// Puts a `.git` into `repo`, a directory or something that leads to one, and fills that.
fn make(choices: &mut Choices<'_>, place: &Place) {
    let (git, apart) = (place.inside.join("repo/.git"), place.inside.join("gd"));
    remove(&git);
    remove(&apart);
    let dir = match choices.below(4) {
        0 => &git,
        1 => {
            fs::write(&git, pointer(choices, place)).expect("written");
            &apart
        }
        2 => {
            link(&git, &target(choices, place));
            &apart
        }
        _ => {
            item(choices, place, &git, pointer);
            &apart
        }
    };
    if fs::create_dir(dir).is_ok() {
        fill(choices, place, dir);
    }
}

type Text = fn(&mut Choices<'_>, &Place) -> Vec<u8>;

fn fill(choices: &mut Choices<'_>, place: &Place, dir: &Path) {
    for folder in ["refs/heads", "objects/info"] {
        fs::create_dir_all(dir.join(folder)).expect("made");
    }
    let usual: [(&str, Text); 4] = [
        ("HEAD", head),
        ("config", config_text),
        ("objects/info/alternates", alternates),
        ("refs/heads/main", reference),
    ];
    for (name, text) in usual {
        item(choices, place, &dir.join(name), text);
    }
    let rare: [(&str, Text); 7] = [
        ("commondir", pointed),
        ("gitdir", pointed),
        ("packed-refs", packed),
        ("index", index),
        ("config.worktree", config_text),
        ("refs/heads/other", reference),
        ("objects/pack", pointed),
    ];
    for (name, text) in rare {
        if choices.one_in(3) {
            item(choices, place, &dir.join(name), text);
        }
    }
    if choices.one_in(8) {
        // In the place of a directory, too.
        let name = choices.pick(&["refs", "objects", "objects/info", "refs/heads"]);
        remove(&dir.join(name));
        item(choices, place, &dir.join(name), pointed);
    }
}

/// Mostly a file; or a link, a directory, a pipe, or nothing.
fn item(choices: &mut Choices<'_>, place: &Place, path: &Path, text: Text) {
    match choices.below(16) {
        12 => link(path, &target(choices, place)),
        13 => drop(fs::create_dir(path)),
        14 => drop(mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)),
        15 => {}
        // It fails where something stands in the way, which is as good a case.
        _ => drop(fs::write(path, text(choices, place))),
    }
}

fn remove(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).expect("removed"),
        Ok(_) => fs::remove_file(path).expect("removed"),
        Err(_) => {}
    }
}

fn link(path: &Path, target: &[u8]) {
    drop(symlink(OsStr::from_bytes(target), path));
}

/// A place to which a file or a link in `repo/.git` or `gd` may lead.
fn target(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    const RELATIVE: &[&str] = &[
        "../gd",
        "../../store",
        "../store",
        "../../outside/secret",
        "../../outside/back",
        "../../../outside/secret",
        "../../../outside/back",
        "../../listed/git",
        "..",
        ".",
        "../..",
        "store",
        "gd",
        "/",
        "/dev/null",
        "/proc/self/cwd",
        "HEAD",
        "refs/heads/main",
        "config",
        "../.git",
        "../../repo/.git",
        "../../gd",
        "../../inside/store",
        "../sub/link-top/store",
    ];
    const ABSOLUTE: &[&str] = &[
        "inside/gd",
        "inside/store",
        "outside/secret",
        "outside/back",
        "listed/git",
        "inside-too",
        "inside/repo/.git",
        "inside/link-out/secret",
        "inside/../outside/secret",
        "inside/repo",
        "inside/link-abs-out/secret",
        "inside/link-in/../store",
        "outside/missing",
        "inside/missing",
    ];
    match choices.below(8) {
        0..4 => choices.pick(RELATIVE).into(),
        7 => place::path(choices, place),
        _ => place.base.join(choices.pick(ABSOLUTE)).into_os_string().into_encoded_bytes(),
    }
}

fn pointed(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    let mut text = target(choices, place);
    text.extend_from_slice(choices.pick(&[
        &b"\n"[..],
        b"",
        b"\r\n",
        b"\n\n",
        b"/objects\n",
        b"\0",
    ]));
    text
}

fn pointer(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    let mut text = b"gitdir: ".to_vec();
    text.extend(pointed(choices, place));
    if choices.one_in(8) {
        choices.damage(&mut text);
    }
    text
}

fn alternates(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    let store = place.inside.join("store/objects").into_os_string().into_encoded_bytes();
    let mut text = [store, b"\n".to_vec()].concat();
    for _ in 0..choices.below(4) {
        text.extend(pointed(choices, place));
    }
    text
}

/// The commit of `store`, whose tree has one file.
fn commit(place: &Place) -> Vec<u8> {
    fs::read(place.inside.join("store/refs/heads/main")).expect("it is there")
}

fn head(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    const NAMES: &[&str] = &[
        "refs/heads/main",
        "refs/heads/other",
        "refs/heads/stored",
        "refs/heads/missing",
        "HEAD",
        "refs/../HEAD",
        "refs/heads/../../../store/HEAD",
        "../../outside/secret/HEAD",
        "/etc/passwd",
        "refs",
        "refs/heads",
        "refs/heads/",
        "refs/.hidden",
        "refs/worktree/x",
        "refs/bisect/../x",
        "refs//main",
        "",
        "refs/heads/\"\u{202e}",
        "objects/info/alternates",
        "refs/heads/main\0",
    ];
    let mut text = match choices.below(4) {
        2 => commit(place),
        3 => choices.bytes(64),
        _ => format!("ref: {}\n", choices.pick(NAMES)).into_bytes(),
    };
    if choices.one_in(8) {
        choices.damage(&mut text);
    }
    text
}

fn reference(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    match choices.below(4) {
        0..2 => commit(place),
        2 => head(choices, place),
        _ => hex(&choices.bytes(32)).into_bytes(),
    }
}

fn packed(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    let mut text = b"# pack-refs with: peeled fully-peeled sorted \n".to_vec();
    for _ in 0..choices.below(4) {
        let id = reference(choices, place);
        text.extend_from_slice(id.trim_ascii_end());
        text.extend_from_slice(choices.pick(&[
            &b" refs/heads/main\n"[..],
            b" refs/heads/other\n",
            b"\n^",
            b" ",
            b"\r\n",
            b"\0\n",
        ]));
    }
    text
}

fn config_text(choices: &mut Choices<'_>, place: &Place) -> Vec<u8> {
    const WORDS: &[&[u8]] = &[
        b"[core]\n",
        b"\tbare = true\n",
        b"\tbare = false\n",
        b"\trepositoryformatversion = 1\n",
        b"\trepositoryformatversion = 0\n",
        b"[extensions]\n",
        b"\tworktreeConfig = true\n",
        b"\tobjectformat = sha256\n",
        b"\trefstorage = reftable\n",
        b"\tpartialclone = origin\n",
        b"[include]\n\tpath = ",
        b"\tworktree = ",
        b"[remote \"origin\"]\n",
        b"\tpromisor = true\n",
        b"\"",
        b"\\\n",
        b"#",
        b";",
        b"=",
        b"[",
        b"]",
        b"\\t",
        b"\r\n",
        b"x",
        b" ",
        b"\xff",
        b"\0",
        b"\trepositoryformatversion = 2\n",
        b"\tnoop = 1\n",
        b"\tpreciousObjects\n",
        b"[a.b]\n",
        b"\tsplitIndex = true\n\tignorecase = true\n",
        b"[core] bare\n",
        b"\tfsmonitor = /bin/sh\n",
    ];
    let mut text = Vec::new();
    for _ in 0..choices.below(4) {
        text.extend(choices.words(WORDS, 4));
        if choices.one_in(3) {
            text.extend(pointed(choices, place));
        }
    }
    text
}

fn index(choices: &mut Choices<'_>, _: &Place) -> Vec<u8> {
    crate::index::damaged(choices).own
}
