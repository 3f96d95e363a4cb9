//! The ignore policy: tool files, marks, what is kept, and the user's global excludes.

use std::path::{Path, PathBuf};

use trilist::{IgnorePolicy, Kind, ListRequest, Lister, Mode, Policy, View, render};
use trilist_tests::{Tree, TreeBuilder};

use crate::forest::{Ground, plant};
use crate::harness::{
    Right, ask, check, check_error, check_with, lister, omitted, pages_by_cursor, policy, rows,
    sums, warned, whole,
};
use crate::props::for_forests;

fn with(mode: Mode, path: &str, ignore: IgnorePolicy) -> ListRequest {
    ListRequest { ignore, ..ask(mode, path) }
}

fn tool(names: &[&str]) -> IgnorePolicy {
    let tool_files = names.iter().map(|name| (*name).to_owned()).collect();
    IgnorePolicy { tool_files, ..IgnorePolicy::default() }
}

fn marked(ignore: IgnorePolicy) -> IgnorePolicy {
    IgnorePolicy { show: Some(trilist::Show::Mark), ..ignore }
}

fn secrets() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["sub/app.py", "sub/.env.local", "assets/icon", "assets/secret.json"])
        .file(".toolignore", "/sub/.env.local\nassets/secret.json\n")
        .git(&["add", "-A", "-f"])
        .git(&["commit", "-q", "-m", "one"])
        .build()
}

#[test]
fn tig01_rules_count_from_the_root_wherever_the_listing_starts() {
    let tree = secrets();
    let git = "protected 1: .git/";
    let both = "ignored 2: assets/secret.json sub/.env.local";
    for (path, right, left_out) in [
        (".", &[".toolignore", "assets/icon", "sub/app.py"][..], &[git, both][..]),
        ("sub", &["app.py"], &["ignored 1: .env.local"]),
        ("assets", &["icon"], &["ignored 1: secret.json"]),
    ] {
        let right = Right::rows(right);
        let files = with(Mode::Files, path, tool(&[".toolignore"]));
        check(&tree, &files, right.omitted(left_out));
        let vcs = with(Mode::Vcs, path, tool(&[".absent", ".toolignore"]));
        check(&tree, &vcs, right.omitted(&left_out[left_out.len() - 1..]));
        let mut vcs = ask(Mode::Vcs, path);
        vcs.ignore.aiderignore = vec![".toolignore".to_owned()];
        check(&tree, &vcs, right.omitted(&left_out[left_out.len() - 1..]));
    }
    // In mode `fs` they count as well.
    let fs =
        ListRequest { include_hidden: Some(true), ..with(Mode::Fs, "sub", tool(&[".toolignore"])) };
    check(&tree, &fs, Right::rows(&["app.py"]).omitted(&["ignored 1: .env.local"]));
}

fn locked() -> Tree {
    TreeBuilder::new()
        .files(["data/logs/1", "data/logs/2", "src/a", "key.pem"])
        .file(".rooignore", "data/\n*.pem\n")
        .build()
}

#[test]
fn tig02_locked_or_hidden() {
    let tree = locked();
    check(
        &tree,
        &with(Mode::Files, ".", tool(&[".rooignore"])),
        Right::rows(&[".rooignore", "src/a"]).omitted(&["ignored 2: data/ key.pem"]),
    );
    let mark = marked(tool(&[".rooignore"]));
    let (data, key) = ("data/ ignored .rooignore:1 data/", "key.pem ignored .rooignore:2 *.pem");
    check(
        &tree,
        &with(Mode::Files, ".", mark.clone()),
        Right::rows(&[".rooignore", data, key, "src/a"]),
    );
    let fs = ListRequest { include_hidden: Some(true), ..with(Mode::Fs, ".", mark.clone()) };
    check(&tree, &fs, Right::rows(&[".rooignore", data, key, "src/", "src/a"]));
    let text = render::text(&whole(&lister(tree.path()), &fs), View::Tree);
    let lines = ["\ndata/ [ignored: .rooignore:1]\n", "\nkey.pem [ignored: .rooignore:2]\n"];
    assert!(lines.iter().all(|line| text.contains(line)), "{text}");
    // Named in the path a locked directory is listed: asking by name is consent.
    check(&tree, &with(Mode::Files, "data", mark), Right::rows(&["logs/1", "logs/2"]));
}

#[test]
fn tig03_tool_rules_come_before_gits_with_or_without_a_repository() {
    for repository in [true, false] {
        let tree = TreeBuilder::new()
            .files(["poc/p", "gen/g", "keep"])
            .file(".gitignore", "gen/\n")
            .file(".geminiignore", "/poc\n!/gen/\n");
        let tree = if repository { tree.repo() } else { tree }.build();
        let protected = repository.then_some("protected 1: .git/");
        for git in [true, false] {
            let ignored = |what| protected.into_iter().chain([what]).collect::<Vec<_>>();
            let on = IgnorePolicy { git: Some(git), ..tool(&[".geminiignore"]) };
            check(
                &tree,
                &with(Mode::Files, ".", on),
                Right::rows(&[".geminiignore", ".gitignore", "gen/g", "keep"])
                    .omitted(&ignored("ignored 1: poc/")),
            );
            let off = IgnorePolicy { git: Some(git), ..IgnorePolicy::default() };
            let page = whole(&lister(tree.path()), &with(Mode::Files, ".", off));
            let hides = git && repository;
            assert_eq!(rows(&page).contains(&"gen/g".to_owned()), !hides);
            assert!(rows(&page).contains(&"poc/p".to_owned()));
            assert_eq!(omitted(&page).contains(&"ignored 1: gen/".to_owned()), hides);
        }
    }
}

#[test]
fn the_tool_file_named_last_decides_first_and_each_has_its_dialect() {
    let tree = TreeBuilder::new()
        .file(".aiderignore", "build/\n!build/keep\n")
        .file(".clineignore", "build/\n!build/keep\n!a\n")
        .file(".siiignore", "a\n")
        .files(["a", "build/keep", "build/other"])
        .build();
    let listed = |names: &[&str]| {
        let hidden =
            ListRequest { include_hidden: Some(false), ..with(Mode::Files, ".", tool(names)) };
        rows(&whole(&lister(tree.path()), &hidden))
    };
    // Pathspec lets files back in below what it ignores; git does not.
    assert_eq!(listed(&[".aiderignore"]), ["a", "build/keep"]);
    assert_eq!(listed(&[".clineignore"]), ["a"]);
    assert_eq!(listed(&[".clineignore", ".siiignore"]), Vec::<String>::new());
    assert_eq!(listed(&[".siiignore", ".clineignore"]), ["a"]);
    assert_eq!(listed(&[".absent"]), ["a", "build/keep", "build/other"]);
}

#[test]
fn tool_files_mean_the_same_to_tracked_names() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".aiderignore", "build/\n!build/keep\n")
        .file(".clineignore", "build/\n!build/keep\n*.log\n!sub/b.log\n")
        .files(["a.log", "build/keep", "build/other", "sub/b.log", "sub/build/x"])
        .commit("one")
        .build();
    for names in [&[".aiderignore"][..], &[".clineignore"], &[".aiderignore", ".clineignore"]] {
        for path in [".", "sub", "build"] {
            let listed = |mode| rows(&whole(&lister(tree.path()), &with(mode, path, tool(names))));
            assert_eq!(listed(Mode::Vcs), listed(Mode::Files), "{names:?} {path}");
        }
    }
    let page = whole(&lister(tree.path()), &with(Mode::Vcs, ".", tool(&[".clineignore"])));
    assert_eq!(omitted(&page), ["ignored 4: a.log build/keep build/other sub/build/x"]);
}

#[test]
fn a_tool_file_may_lie_deeper_and_at_the_top_of_an_inner_repository() {
    let tree = TreeBuilder::new()
        .file("etc/rules", "/x\n")
        .files(["x", "etc/x", "in/x", "in/deep/x"])
        .file("in/.git/HEAD", "ref: refs/heads/main\n")
        .file("in/etc/rules", "/deep\n")
        .build();
    let request = with(Mode::Files, ".", tool(&["etc/rules"]));
    check(
        &tree,
        &request,
        Right::rows(&["etc/rules", "etc/x", "in/etc/rules", "in/x"])
            .omitted(&["protected 1: in/.git/", "ignored 2: in/deep/ x"]),
    );
    let below = with(Mode::Files, "in", tool(&["etc/rules"]));
    check(
        &tree,
        &below,
        Right::rows(&["etc/rules", "x"]).omitted(&["protected 1: .git/", "ignored 1: deep/"]),
    );
}

#[test]
fn names_that_are_no_tool_files_are_refused() {
    let tree = locked();
    for name in ["", "/etc/passwd", "../x", "a//b", "./x", "a/../b", "nul\0"] {
        let error = check_error(&tree, &with(Mode::Files, ".", tool(&[name])), "invalid_argument");
        assert!(error.to_string().contains("`ignore.tool_files`"), "{error}");
    }
    check_error(&tree, &with(Mode::Fs, ".", tool(&["x"; 17])), "invalid_argument");
    let vcs = TreeBuilder::new().repo().commit("one").build();
    check_error(&vcs, &with(Mode::Vcs, ".", tool(&["../x"])), "invalid_argument");
    let marks = marked(IgnorePolicy::default());
    check_error(&vcs, &with(Mode::Vcs, ".", marks), "invalid_argument");
}

fn layers() -> Tree {
    TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\nout/\n")
        .file(".ignore", "tmp\n")
        .files(["a.log", "b.txt", "out/x.log", "out/deep/y", "sub/c.log", "sub/tmp", ".env"])
        .files(["node_modules/m/i.js"])
        .build()
}

#[test]
fn marks_name_the_rule_and_leave_the_rest_as_it_is() {
    let tree = layers();
    let request = ListRequest {
        include_hidden: Some(false),
        ..with(Mode::Files, ".", marked(IgnorePolicy::default()))
    };
    let exclude = IgnorePolicy { patterns: vec!["b.*".to_owned()], ..request.ignore.clone() };
    check(
        &tree,
        &ListRequest { ignore: exclude, ..request.clone() },
        Right::rows(&[
            "a.log ignored .gitignore:1 *.log",
            "b.txt ignored request:1 b.*",
            "node_modules/ builtin",
            "out/ ignored .gitignore:2 out/",
            "sub/c.log ignored .gitignore:1 *.log",
            "sub/tmp ignored .ignore:1 tmp",
        ])
        .omitted(&["protected 1: .git/", "hidden 3: .env .gitignore .ignore"]),
    );
    // Kinds and patterns choose among marked entries as among others, and what they leave out
    // stays ignored.
    let files = ListRequest { kinds: Some(vec![Kind::File]), ..request.clone() };
    let page = whole(&lister(tree.path()), &files);
    assert!(rows(&page).iter().all(|row| !row.starts_with("out/")));
    assert!(omitted(&page).contains(&"ignored 1: out/".to_owned()), "{:?}", omitted(&page));
    let pattern = ListRequest { pattern: vec!["*.log".to_owned()], ..request.clone() };
    let page = whole(&lister(tree.path()), &pattern);
    assert_eq!(
        rows(&page),
        ["a.log ignored .gitignore:1 *.log", "sub/c.log ignored .gitignore:1 *.log"]
    );
    assert!(omitted(&page).contains(&"ignored 2: out/ sub/tmp".to_owned()), "{:?}", omitted(&page));
    // Facts are read of them, too.
    let sized = ListRequest { metadata: true, ..request };
    let page = whole(&lister(tree.path()), &sized);
    assert!(page.entries.iter().all(|entry| entry.size.is_some() || entry.kind == Kind::Dir));
}

#[test]
fn below_a_marked_directory_only_what_is_kept_is_listed() {
    let tree = layers();
    let keep = IgnorePolicy { keep: vec!["out/deep/*".to_owned()], ..IgnorePolicy::default() };
    let request =
        ListRequest { include_hidden: Some(false), ..with(Mode::Files, ".", marked(keep)) };
    check(
        &tree,
        &request,
        Right::rows(&[
            "a.log ignored .gitignore:1 *.log",
            "b.txt",
            "node_modules/ builtin",
            "out/ ignored .gitignore:2 out/",
            "out/deep/y",
            "sub/c.log ignored .gitignore:1 *.log",
            "sub/tmp ignored .ignore:1 tmp",
        ])
        .omitted(&[
            "protected 1: .git/",
            "hidden 3: .env .gitignore .ignore",
            "ignored 1: out/x.log",
        ]),
    );
}

#[test]
fn keep_beats_every_layer_but_protection() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".git/info/exclude", "info\n")
        .file(".gitignore", "git\n")
        .file(".ignore", "dot\n")
        .file(".rgignore", "rg\n")
        .file(".tool", "tool\n")
        .files(["info", "git", "dot", "rg", "tool", "asked", "venv/x", "global"])
        .build();
    let global = tree.outside().join("excludes");
    std::fs::write(&global, "global\n").unwrap();
    let policy = Policy { global_excludes: Some(global), ..policy() };
    let lister = Lister::open(&[tree.path()], policy).unwrap();
    let ignore = IgnorePolicy { patterns: vec!["asked".to_owned()], ..tool(&[".tool"]) };
    let mut request = ListRequest { include_hidden: Some(false), ..with(Mode::Files, ".", ignore) };
    let page = whole(&lister, &request);
    assert_eq!(rows(&page), ["venv/ builtin"]);
    assert!(omitted(&page).iter().any(|line| line.starts_with("ignored 7: ")));
    request.ignore.keep = vec!["*".to_owned(), ".git".to_owned()];
    let right = ["asked", "dot", "git", "global", "info", "rg", "tool", "venv/x"];
    assert_eq!(rows(&whole(&lister, &request)), right);
}

#[test]
fn marked_and_omitted_are_the_same_entries() {
    for_forests(40, Ground { rules: true, bad_rules: false, git: true }, |forest| {
        let tree = plant(forest);
        let lister = lister(tree.path());
        for mode in [Mode::Files, Mode::Fs] {
            let layers = IgnorePolicy {
                git: Some(true),
                dot_ignore: Some(true),
                patterns: vec!["a0".to_owned()],
                ..IgnorePolicy::default()
            };
            let omits = ListRequest { depth: Some(9), ..with(mode, ".", layers.clone()) };
            let marks = ListRequest { ignore: marked(layers), ..omits.clone() };
            let (omits, all) = (whole(&lister, &omits), whole(&lister, &marks));
            let plain = all.entries.iter().filter(|entry| entry.ignored_by.is_none());
            let shown: Vec<&str> = plain.map(|entry| entry.path.as_str()).collect();
            assert_eq!(shown, crate::harness::paths(&omits), "{mode}");
            let ignored = |page| sums(std::slice::from_ref(page)).0.remove("ignored");
            let marked = (all.entries.len() - shown.len()) as u64;
            assert_eq!((marked, ignored(&all)), (ignored(&omits).unwrap_or(0), None), "{mode}");
            crate::reading::check(&all);
            let pages = pages_by_cursor(&lister, &ListRequest { limit: Some(3), ..marks });
            let joined: Vec<_> = pages.iter().flat_map(rows).collect();
            // Only a whole listing can say of each directory whether it shows anything.
            let bare = |row: &String| row.replace(" all-omitted", "").replace(" empty", "");
            let joined: Vec<_> = joined.iter().map(bare).collect();
            assert_eq!(joined, rows(&all).iter().map(bare).collect::<Vec<_>>(), "{mode}");
        }
    });
}

fn with_excludes(tree: &Tree, excludes: &Path) -> Lister {
    let global_excludes = Some(PathBuf::from(excludes));
    Lister::open(&[tree.path()], Policy { global_excludes, ..policy() }).unwrap()
}

#[test]
fn t46_global_excludes_count_where_the_host_opts_in() {
    let tree = TreeBuilder::new()
        .dir("repo/.git")
        .file("repo/.gitignore", "!kept.log\n")
        .files(["repo/a.log", "repo/kept.log", "repo/sub/top", "repo/top", "a.log"])
        .build();
    let excludes = tree.outside().join("excludes");
    std::fs::write(&excludes, "*.log\n/top\nbad\\\n").unwrap();
    let lister = with_excludes(&tree, &excludes);
    let request = ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") };
    // Outside a repository git has no say.
    check_with(
        &lister,
        &request,
        Right::rows(&["a.log", "repo/kept.log", "repo/sub/top"])
            .omitted(&[
                "protected 1: repo/.git/",
                "hidden 1: repo/.gitignore",
                "ignored 2: repo/a.log repo/top",
            ])
            .warned(&["ignore_pattern_invalid ."]),
    );
    let page = whole(&lister, &request);
    let sources: Vec<_> = page.omitted[2].rules.iter().map(|rule| rule.source.as_str()).collect();
    assert_eq!(sources, ["global", "global"]);
    assert!(page.warnings[0].message.starts_with("global excludes, line 3: "));
    // The layer is git's: switched off with it.
    let off = IgnorePolicy { git: Some(false), ..IgnorePolicy::default() };
    let page = whole(&lister, &ListRequest { ignore: off, ..request.clone() });
    assert_eq!(rows(&page), ["a.log", "repo/a.log", "repo/kept.log", "repo/sub/top", "repo/top"]);
    // From below the top the same rules count.
    let below = whole(&lister, &ListRequest { path: "repo/sub".into(), ..request.clone() });
    assert_eq!(rows(&below), ["top"]);
    // An exclude that changes between two pages is drift.
    let first = crate::harness::page(&lister, &ListRequest { limit: Some(1), ..request.clone() });
    std::fs::write(&excludes, "*.log\n").unwrap();
    let next = ListRequest { cursor: first.next_cursor, ..request };
    assert!(crate::harness::page(&lister, &next).drifted);
}

#[test]
fn global_excludes_that_are_no_plain_file_are_told() {
    let tree = TreeBuilder::new().dir(".git").file("a", "").build();
    let place = TreeBuilder::new().fifo("pipe").dir("dir").symlink("link", "rules").build();
    std::fs::write(place.join("large"), vec![b'a'; (1 << 20) + 1]).unwrap();
    for (name, told) in [
        (
            "pipe",
            "the global excludes are not in force: it is a pipe, socket or device, not a regular file",
        ),
        ("dir", "the global excludes are not in force: it is a directory, not a regular file"),
        ("large", "the global excludes are not in force: it is larger than 1048576 bytes"),
    ] {
        let page = whole(&with_excludes(&tree, &place.join(name)), &ask(Mode::Files, "."));
        assert_eq!(
            (rows(&page), &page.notices[..]),
            (vec!["a".to_owned()], &[told.to_owned()][..])
        );
        assert!(page.complete);
    }
    let page = whole(&with_excludes(&tree, &place.join("absent")), &ask(Mode::Files, "."));
    assert!(page.notices.is_empty() && warned(&page).is_empty());
    // The host's own path may lead through links, as dotfiles often do.
    std::fs::write(place.join("rules"), "a\n").unwrap();
    let page = whole(&with_excludes(&tree, &place.join("link")), &ask(Mode::Files, "."));
    assert_eq!(rows(&page), Vec::<String>::new());
}
