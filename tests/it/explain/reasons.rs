//! Each reason by name, judged by what git, ripgrep and the disk say.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use trilist::{
    Cancel, Explanation, IgnorePolicy, Kind, ListError, ListRequest, Lister, MAX_EXPLAINED, Mode,
    PathArg, Policy, Reason, RuleDialect, Standing, VcsState, render,
};
use trilist_tests::oracle::{git_check_ignore, rg_files};
use trilist_tests::{Tree, TreeBuilder, git, require, unprivileged};

use crate::harness::{ask, assert_clean, lister};

/// A repository in which every reason can be met.
fn project() -> Tree {
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\nbuild/\n!build/keep.txt\n")
        .file(".ignore", "secret.txt\n")
        .file(".aiderignore", "docs/\n")
        .files(["README.md", "src/main.rs", "src/deep/er/x.rs", "old.rs", "docs/a.md"])
        .files(["src/debug.log", "build/keep.txt", "build/out.o", "secret.txt", "only/a.log"])
        .files(["node_modules/p/index.js", ".hidden/x", "untracked.rs", "staged.rs"])
        .dir("empty")
        .symlink("link", "src")
        .symlink("out", "/etc")
        .symlink("broken", "nowhere/else")
        .git(&["add", "-f", "README.md", "src/main.rs", "src/deep/er/x.rs", "old.rs", "docs/a.md"])
        .git(&["commit", "-q", "-m", "one"])
        .git(&["rm", "-q", "--cached", "old.rs"])
        .git(&["add", "staged.rs"])
        .build();
    fs::remove_file(tree.join("old.rs")).unwrap();
    tree
}

fn explain(lister: &Lister, request: &ListRequest, path: &str) -> Explanation {
    let args = [PathArg::from(path)];
    let mut all = lister.explain(request, &Mode::ALL, &args, &Cancel::new()).unwrap();
    assert_eq!(all.len(), 1);
    let explained = all.remove(0);
    assert_clean(&render::explanation(&explained));
    explained
}

/// What one mode says of a path.
#[track_caller]
fn says(tree: &Tree, request: &ListRequest, path: &str) -> Standing {
    let explained = explain(&lister(tree.path()), request, path);
    explained.modes.of(request.mode).cloned().unwrap()
}

#[track_caller]
fn left_out(standing: &Standing, reason: Reason, at: Option<&str>) {
    let got = (standing.listed, standing.reason, standing.at.as_deref());
    assert_eq!(got, (Some(false), Some(reason), at), "{standing:?}");
    assert!(standing.cursor.is_none());
}

#[track_caller]
fn listed(standing: &Standing) {
    assert_eq!((standing.listed, standing.reason), (Some(true), None), "{standing:?}");
    assert!(standing.cursor.is_some());
}

#[test]
fn an_ignored_file_names_the_rule_that_git_names() {
    let tree = project();
    let request = ask(Mode::Files, ".");
    for (path, at) in [("src/debug.log", None), ("build/out.o", Some("build"))] {
        let standing = says(&tree, &request, path);
        left_out(&standing, Reason::Ignored, at);
        let rule = standing.rule.as_ref().unwrap();
        let asked = [path.as_bytes().to_vec()];
        let (source, line, pattern) =
            git_check_ignore(tree.path(), &asked)[0].rule.clone().unwrap();
        assert_eq!(rule.source.as_bytes(), source);
        assert_eq!((u64::from(rule.line), rule.pattern.as_bytes()), (line, pattern.as_slice()));
        assert_eq!(rule.dialect, RuleDialect::Git);
        // On disk and untracked.
        let all = explain(&lister(tree.path()), &request, path);
        listed(all.modes.fs.as_ref().unwrap());
        left_out(all.modes.vcs.as_ref().unwrap(), Reason::Untracked, None);
    }
}

#[test]
fn a_rule_that_cannot_bring_a_path_back_is_named() {
    let tree = project();
    let standing = says(&tree, &ask(Mode::Files, "."), "build/keep.txt");
    left_out(&standing, Reason::Ignored, Some("build"));
    // Git says so too: what decides is the directory's rule, not the later one.
    let theirs = git_check_ignore(tree.path(), &[b"build/keep.txt".to_vec()]);
    assert_eq!(theirs[0].rule.as_ref().unwrap().1, 2);
    let [rule] = &standing.overruled[..] else { panic!("{standing:?}") };
    assert_eq!(
        (rule.source.as_str(), rule.line, &*rule.pattern),
        (".gitignore", 3, "!build/keep.txt")
    );
    assert!(standing.notes[0].contains("`build` itself"), "{:?}", standing.notes);
    // Without the directory's rule it has its effect.
    fs::write(tree.join(".gitignore"), "build/*\n!build/keep.txt\n").unwrap();
    let standing = says(&tree, &ask(Mode::Files, "."), "build/keep.txt");
    listed(&standing);
    assert!(standing.overruled.is_empty());
}

#[test]
fn a_weaker_file_that_re_includes_is_named() {
    let tree = project();
    fs::write(tree.join(".gitignore"), "!secret.txt\n").unwrap();
    let standing = says(&tree, &ask(Mode::Files, "."), "secret.txt");
    left_out(&standing, Reason::Ignored, None);
    let rule = standing.rule.unwrap();
    assert_eq!((rule.source.as_str(), rule.dialect), (".ignore", RuleDialect::Ripgrep));
    assert_eq!(standing.overruled[0].source, ".gitignore");
    if require("rg") {
        let theirs = rg_files(tree.path(), &["--hidden"]);
        assert!(!theirs.contains(&b"secret.txt".to_vec()));
    }
}

#[test]
fn names_of_the_builtin_list_and_below() {
    let tree = project();
    for mode in [Mode::Fs, Mode::Files] {
        let request = ListRequest { depth: Some(9), ..ask(mode, ".") };
        let row = says(&tree, &request, "node_modules");
        listed(&row);
        assert_eq!(row.skipped, Some(trilist::Skip::Builtin));
        let below = says(&tree, &request, "node_modules/p/index.js");
        left_out(&below, Reason::Builtin, Some("node_modules"));
        // A row that the request does not select is left out for the same reason.
        let files = ListRequest { kinds: Some(vec![Kind::File]), ..request };
        left_out(&says(&tree, &files, "node_modules"), Reason::Builtin, None);
    }
}

#[test]
fn hidden_protected_depth_kind_and_pattern() {
    let tree = project();
    let fs = ask(Mode::Fs, ".");
    left_out(&says(&tree, &fs, ".hidden"), Reason::Hidden, None);
    left_out(&says(&tree, &fs, ".hidden/x"), Reason::Hidden, Some(".hidden"));
    left_out(&says(&tree, &fs, "src/deep/er/x.rs"), Reason::Depth, Some("src/deep"));
    assert!(says(&tree, &fs, "src/deep/er").message.contains("depth limit of 2"));
    let shown = ListRequest { include_hidden: Some(true), ..fs.clone() };
    left_out(&says(&tree, &shown, ".git/HEAD"), Reason::Protected, Some(".git"));
    left_out(&says(&tree, &ask(Mode::Files, "."), ".git"), Reason::Protected, None);
    left_out(&says(&tree, &ask(Mode::Vcs, "."), ".git/HEAD"), Reason::Protected, None);
    let dirs = ListRequest { kinds: Some(vec![Kind::Dir]), ..fs.clone() };
    left_out(&says(&tree, &dirs, "README.md"), Reason::Kind, None);
    let rust = ListRequest { pattern: vec!["*.rs".to_owned()], ..ask(Mode::Files, ".") };
    left_out(&says(&tree, &rust, "README.md"), Reason::Pattern, None);
    listed(&says(&tree, &rust, "src"));
}

#[test]
fn what_does_not_exist_names_what_does() {
    let tree = project();
    for mode in Mode::ALL {
        let standing = says(&tree, &ask(mode, "."), "src/mian.rs");
        left_out(&standing, Reason::Absent, Some("src"));
        assert_eq!(standing.similar, ["main.rs"], "{mode}");
        left_out(&says(&tree, &ask(mode, "."), "no/such/dir/x"), Reason::Absent, Some("."));
        left_out(&says(&tree, &ask(mode, "."), "README.md/x"), Reason::Absent, Some("README.md"));
    }
}

/// All names of a large directory are compared; of a huge one it is said that they were not.
#[test]
fn names_that_look_alike_are_found_in_large_directories() {
    let tree = TreeBuilder::new().files(["configuration.toml"]).build();
    let make = |numbers: std::ops::Range<u32>| {
        numbers.for_each(|number| drop(fs::File::create(tree.join(format!("f{number}"))).unwrap()));
    };
    let lister = lister(tree.path());
    let absent = |name: &str| {
        let error = lister.list(&ask(Mode::Fs, name), &Cancel::new()).unwrap_err();
        (explain(&lister, &ask(Mode::Fs, "."), name).modes.fs.unwrap(), error.hint())
    };
    make(0..15_000);
    let (told, hint) = absent("configuratoin.toml");
    assert_eq!(told.similar, ["configuration.toml"]);
    assert_eq!(hint.unwrap(), "Did you mean `configuration.toml`?");
    let (told, hint) = absent("nothing-like-it");
    assert_eq!((told.similar, told.notes, hint), (vec![], vec![], None));
    make(15_000..100_100);
    let (told, hint) = absent("nothing-like-it");
    assert!(told.notes[0].contains("the first 100,000 names"), "{told:?}");
    assert!(hint.unwrap().contains("the first 100,000 names"));
}

#[test]
fn links_say_where_they_lead_and_nothing_of_what_is_outside() {
    let tree = project();
    for mode in Mode::ALL {
        let standing = says(&tree, &ask(mode, "."), "link/main.rs");
        left_out(&standing, Reason::Link, Some("link"));
        let link = standing.link.unwrap();
        let got = (&*link.path, &*link.target, link.leads_to.as_deref());
        assert_eq!(got, ("link", "src", Some("src/main.rs")));
        // There is an /etc/passwd and no /etc/nothing: both answers are the same but for the name.
        let text = |name: &str| {
            let all = explain(&lister(tree.path()), &ask(mode, "."), &format!("out/{name}"));
            render::explanation(&all).replace(name, "NAME")
        };
        assert_eq!(text("passwd"), text("nothing"));
        assert!(text("passwd").contains("leads outside the root"));
        let broken = says(&tree, &ask(mode, "."), "broken/x");
        left_out(&broken, Reason::Link, Some("broken"));
        assert!(broken.message.ends_with("leads to nothing"), "{}", broken.message);
    }
    listed(&says(&tree, &ask(Mode::Fs, "."), "link"));
    let followed = ListRequest { follow_symlinks: true, ..ask(Mode::Fs, ".") };
    left_out(&says(&tree, &followed, "link/main.rs"), Reason::Loop, Some("link"));
    // Where the target is left out, the link is the way to it.
    let patterns = vec!["src".to_owned()];
    let ignore = IgnorePolicy { patterns, ..IgnorePolicy::default() };
    listed(&says(&tree, &ListRequest { ignore, ..followed }, "link/main.rs"));
}

#[test]
fn version_control_tells_where_a_name_is() {
    let tree = project();
    let request = ask(Mode::Vcs, ".");
    let state =
        |path: &str| says(&tree, &request, path).vcs.map(|vcs| (vcs.head, vcs.index, vcs.state));
    assert_eq!(state("README.md"), Some((true, true, VcsState::Tracked)));
    assert_eq!(state("old.rs"), Some((true, false, VcsState::Deleted)));
    assert_eq!(state("staged.rs"), Some((false, true, VcsState::Added)));
    left_out(&says(&tree, &request, "untracked.rs"), Reason::Untracked, None);
    left_out(&says(&tree, &request, "empty"), Reason::Untracked, None);
    let names = ["untracked.rs", "old.rs", "staged.rs"];
    let status = ["status", "--porcelain", "--no-renames"].into_iter().chain(names);
    let status = git(tree.path(), &status.collect::<Vec<_>>());
    assert_eq!(String::from_utf8_lossy(&status), "D  old.rs\nA  staged.rs\n?? untracked.rs\n");
    // It is gone from disk, so the other modes do not have it.
    left_out(&says(&tree, &ask(Mode::Fs, "."), "old.rs"), Reason::Absent, Some("."));
    let ignore =
        IgnorePolicy { aiderignore: vec![".aiderignore".to_owned()], ..IgnorePolicy::default() };
    let aider = ListRequest { ignore, ..request.clone() };
    let standing = says(&tree, &aider, "docs/a.md");
    left_out(&standing, Reason::Ignored, None);
    let rule = standing.rule.unwrap();
    assert_eq!((rule.source.as_str(), rule.line), (".aiderignore", 1));
    assert_eq!(rule.dialect, RuleDialect::Pathspec);
    let dir = says(&tree, &aider, "docs");
    left_out(&dir, Reason::Empty, None);
    assert_eq!((dir.omitted[0].reason, dir.omitted[0].count), (Reason::Ignored, 1));
}

#[test]
fn below_a_submodule_the_names_are_another_repositorys() {
    let tree = Tree::build("vcs-submodule");
    let request = ask(Mode::Vcs, "super");
    let page = lister(tree.path()).list(&request, &Cancel::new()).unwrap();
    let entry = page.entries.iter().find(|entry| entry.kind == Kind::Submodule).unwrap();
    let itself = says(&tree, &request, &format!("super/{}", entry.path));
    listed(&itself);
    assert_eq!((itself.kind, itself.vcs), (Some(Kind::Submodule), entry.vcs));
    assert_eq!(itself.message, "listed (tracked)");
    let standing = says(&tree, &request, &format!("super/{}/some/file", entry.path));
    left_out(&standing, Reason::Submodule, Some(&entry.path));
}

#[test]
fn outside_the_subtree_and_outside_the_root() {
    let tree = project();
    let request = ask(Mode::Vcs, "src");
    left_out(&says(&tree, &request, "README.md"), Reason::Subtree, None);
    left_out(&says(&tree, &request, "src"), Reason::Subtree, None);
    listed(&says(&tree, &ListRequest { subtree: false, ..request.clone() }, "README.md"));
    for mode in Mode::ALL {
        for path in ["/etc/passwd", "/etc/nothing", "../x"] {
            left_out(&says(&tree, &ask(mode, "."), path), Reason::OutsideRoot, None);
        }
        left_out(&says(&tree, &ask(mode, "src"), "link/main.rs"), Reason::Link, None);
    }
    // What leads out by `..` and back in is inside, by its names.
    let name = tree.path().file_name().unwrap().to_str().unwrap();
    let whole = tree.path().to_str().unwrap();
    for back in
        [format!("src/../../{name}/README.md"), format!("{whole}/src/../../{name}/README.md")]
    {
        listed(&says(&tree, &ask(Mode::Fs, "."), &back));
    }
    // A directory may be asked for through a link, and its paths too.
    listed(&says(&tree, &ask(Mode::Fs, "link"), "link/main.rs"));
    listed(&says(&tree, &ask(Mode::Fs, "link"), "src/main.rs"));
}

#[test]
fn directories_without_files() {
    let tree = project();
    let request = ask(Mode::Files, ".");
    left_out(&says(&tree, &request, "empty"), Reason::Empty, None);
    let only = says(&tree, &request, "only");
    left_out(&only, Reason::Empty, None);
    assert_eq!(only.omitted[0].rules[0].pattern, "*.log");
    assert!(only.message.contains("1 ignored"), "{}", only.message);
    listed(&says(&tree, &ask(Mode::Fs, "."), "empty"));
}

#[test]
fn what_cannot_be_read_is_told_apart_from_what_is_not_there() {
    let tree = TreeBuilder::new().files(["shut/a", "blind/b"]).unprivileged().build();
    for (dir, mode) in [("shut", 0o000), ("blind", 0o300)] {
        fs::set_permissions(tree.join(dir), fs::Permissions::from_mode(mode)).unwrap();
    }
    unprivileged(|| {
        for mode in [Mode::Fs, Mode::Files] {
            for path in ["shut/a", "shut/none", "blind/b"] {
                let standing = says(&tree, &ask(mode, "."), path);
                let dir = path.split('/').next();
                left_out(&standing, Reason::Unreadable, dir);
                assert_eq!(standing.fault.map(|code| code.name()), Some("permission_denied"));
            }
        }
    });
    for dir in ["shut", "blind"] {
        fs::set_permissions(tree.join(dir), fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[test]
fn names_in_a_directory_that_may_only_be_read_are_told() {
    let tree = TreeBuilder::new().files(["seen/a", "seen/b"]).unprivileged().build();
    fs::set_permissions(tree.join("seen"), fs::Permissions::from_mode(0o400)).unwrap();
    unprivileged(|| {
        // The listing has it: names can be read there, though nothing can be looked up.
        let page = lister(tree.path()).list(&ask(Mode::Fs, "."), &Cancel::new()).unwrap();
        assert!(page.entries.iter().any(|entry| entry.path == "seen/b"));
        listed(&says(&tree, &ask(Mode::Fs, "."), "seen/b"));
    });
    fs::set_permissions(tree.join("seen"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn one_file_under_two_spellings_is_two_entries() {
    // As in a directory where case does not count, another spelling finds the same file.
    let tree = TreeBuilder::new().files(["Name"]).build();
    fs::hard_link(tree.join("Name"), tree.join("nAME")).unwrap();
    for path in ["Name", "nAME"] {
        listed(&says(&tree, &ask(Mode::Fs, "."), path));
    }
    left_out(&says(&tree, &ask(Mode::Fs, "."), "NAME"), Reason::Absent, Some("."));
}

#[test]
fn a_mode_that_cannot_be_had_leaves_the_others_alone() {
    let tree = TreeBuilder::new().files(["a"]).build();
    let all = explain(&lister(tree.path()), &ask(Mode::Fs, "."), "a");
    listed(all.modes.fs.as_ref().unwrap());
    listed(all.modes.files.as_ref().unwrap());
    let vcs = all.modes.vcs.unwrap();
    assert_eq!((vcs.listed, vcs.reason), (None, Some(Reason::Unavailable)));
    assert_eq!(vcs.error.unwrap().code, "not_a_repository");
}

/// What no mode can list is refused as the listing itself is; what one of them can, is explained.
#[test]
fn a_request_that_is_impossible_in_every_mode_is_refused() {
    let tree = project();
    let lister = lister(tree.path());
    let explained = |request: &ListRequest, modes: &[Mode], path: &str| {
        lister.explain(request, modes, &[path.into()], &Cancel::new())
    };
    let plain = ask(Mode::Fs, ".");
    let at = |path: &str| ask(Mode::Fs, path);
    for (request, code) in [
        (at("gone"), "not_found"),
        (at("README.md"), "not_directory"),
        (at("/etc"), "outside_root"),
        (ListRequest { depth: Some(0), ..plain.clone() }, "invalid_argument"),
        (ListRequest { pattern: vec!["[".to_owned()], ..plain.clone() }, "invalid_argument"),
    ] {
        let listed = lister.list(&request, &Cancel::new()).unwrap_err();
        assert_eq!(listed.code(), code);
        for path in ["README.md", "gone/x", "/etc/passwd", "."] {
            assert_eq!(explained(&request, &Mode::ALL, path).unwrap_err(), listed, "{request:?}");
        }
    }
    // Only `fs` has directories as entries.
    let dirs = ListRequest { kinds: Some(vec![Kind::Dir]), ..plain };
    let all = explained(&dirs, &Mode::ALL, "src").unwrap().remove(0).modes;
    listed(all.fs.as_ref().unwrap());
    for standing in [all.files.unwrap(), all.vcs.unwrap()] {
        assert_eq!((standing.listed, standing.reason), (None, Some(Reason::Unavailable)));
        assert!(standing.message.contains("`kinds`"), "{}", standing.message);
    }
    let two = [Mode::Files, Mode::Vcs];
    assert_eq!(explained(&dirs, &two, "src").unwrap_err().code(), "invalid_argument");
    // What is gone from disk is tracked still.
    fs::remove_dir_all(tree.join("docs")).unwrap();
    let all = explained(&at("docs"), &Mode::ALL, "docs/a.md").unwrap().remove(0).modes;
    listed(all.vcs.as_ref().unwrap());
    assert_eq!(all.fs.unwrap().error.unwrap().code, "not_found");
}

#[test]
fn a_directory_that_cannot_be_read_has_no_listing_to_explain() {
    let tree = project();
    let shut = |mode| {
        fs::set_permissions(tree.join("docs"), fs::Permissions::from_mode(mode)).unwrap();
    };
    let lister = lister(tree.path());
    let request = ask(Mode::Fs, "docs");
    shut(0o000);
    let told = unprivileged(|| {
        lister.explain(&request, &Mode::ALL, &["docs/a.md".into()], &Cancel::new())
    });
    shut(0o755);
    assert_eq!(told.unwrap_err().code(), "permission_denied");
}

#[test]
fn options_of_one_mode_are_left_out_in_the_others() {
    let tree = project();
    let ignore =
        IgnorePolicy { aiderignore: vec![".aiderignore".to_owned()], ..IgnorePolicy::default() };
    let request = ListRequest { ignore, follow_symlinks: true, ..ask(Mode::Fs, ".") };
    let all = explain(&lister(tree.path()), &request, "docs/a.md");
    for (mode, option) in [(Mode::Fs, "ignore.aiderignore"), (Mode::Vcs, "follow_symlinks")] {
        let notes = &all.modes.of(mode).unwrap().notes;
        assert!(notes.iter().any(|note| note.contains(option)), "{mode}: {notes:?}");
    }
    listed(all.modes.fs.as_ref().unwrap());
    left_out(all.modes.vcs.as_ref().unwrap(), Reason::Ignored, None);
}

#[test]
fn a_call_is_bounded() {
    let tree = TreeBuilder::new().files(["a"]).build();
    let lister = lister(tree.path());
    let refused = |paths: &[PathArg], request: &ListRequest| match lister.explain(
        request,
        &Mode::ALL,
        paths,
        &Cancel::new(),
    ) {
        Err(ListError::InvalidArgument { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    let many = vec![PathArg::from("a"); MAX_EXPLAINED + 1];
    assert_eq!(refused(&many, &ask(Mode::Fs, ".")), "paths");
    assert_eq!(refused(&[], &ask(Mode::Fs, ".")), "paths");
    assert_eq!(refused(&["a\0b".into()], &ask(Mode::Fs, ".")), "path");
    assert_eq!(refused(&["a".repeat(5_000).as_str().into()], &ask(Mode::Fs, ".")), "path");
    let continued = ListRequest { cursor: Some("c1.x".to_owned()), ..ask(Mode::Fs, ".") };
    assert_eq!(refused(&["a".into()], &continued), "cursor");
    let all = lister.explain(&ask(Mode::Fs, "."), &[Mode::Fs], &many[1..], &Cancel::new());
    assert_eq!(all.unwrap().len(), MAX_EXPLAINED);
}

#[test]
fn a_bound_that_comes_first_is_no_answer() {
    let names = (0..50).map(|number| format!("a/b/{number}.log"));
    let tree = TreeBuilder::new().repo().files(names).file(".gitignore", "*.log\n").build();
    let policy = Policy { scan_cap: 20, ..Policy::default() };
    let lister = Lister::open(&[tree.path()], policy).unwrap();
    let standing = explain(&lister, &ask(Mode::Files, "."), "a").modes.files.unwrap();
    assert_eq!((standing.listed, standing.reason), (None, Some(Reason::Unknown)));
}

#[test]
fn a_kind_that_a_mode_does_not_have_is_left_out_there_and_said() {
    let tree = project();
    let kinds = Some(vec![Kind::File, Kind::Dir, Kind::Submodule]);
    let request = ListRequest { kinds, ..ask(Mode::Fs, ".") };
    for (mode, absent) in [
        (Mode::Fs, &["submodule"][..]),
        (Mode::Files, &["dir", "submodule"]),
        (Mode::Vcs, &["dir"]),
    ] {
        let told = says(&tree, &ListRequest { mode, ..request.clone() }, "README.md");
        listed(&told);
        let note =
            |kind| format!("kind `{kind}` has no meaning in mode `{mode}` and is left out there");
        assert_eq!(told.notes, absent.iter().map(note).collect::<Vec<_>>());
    }
}

#[test]
fn an_empty_path_is_the_directory_where_paths_start() {
    let tree = project();
    let lister = lister(tree.path());
    for listed in [".", "src"] {
        let request = ask(Mode::Fs, listed);
        let (empty, dot) = (explain(&lister, &request, ""), explain(&lister, &request, "."));
        assert_eq!((empty.path.as_str(), &empty), (".", &dot));
        assert!(render::explanation(&empty).starts_with(".\n"));
    }
}
