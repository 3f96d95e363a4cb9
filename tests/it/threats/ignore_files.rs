//! Ignore files that are no files, too large, malformed, heavy, or unreadable.

use std::fs::File;
use std::os::unix::fs::symlink;

use trilist::{
    Cancel, CompareRequest, IgnorePolicy, ListRequest, Mode, PathArg, Show, View, render,
};
use trilist_tests::TreeBuilder;

use crate::again::{alone, as_ordinary_user};
use crate::harness::{Right, ask, check, check_error, lister, rows, warned, whole};

const NAMES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];

#[test]
fn t40_an_ignore_file_that_is_a_pipe_is_not_waited_for() {
    for name in NAMES {
        let tree = TreeBuilder::new()
            .dir(".git")
            .fifo(name)
            .fifo("sub/.ignore")
            .file("sub/a.log", "")
            .build();
        check(
            &tree,
            &ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") },
            Right::rows(&["sub/a.log"])
                .omitted(&["protected 1: .git/", &format!("hidden 2: {name} sub/.ignore")])
                .warned(&[&format!("ignore_not_regular {name}"), "ignore_not_regular sub/.ignore"]),
        );
    }
}

#[test]
fn t41_devices_directories_and_links_are_not_read_as_ignore_files() {
    let tree = TreeBuilder::new()
        .dir(".git")
        .symlink(".gitignore", "/dev/zero")
        .dir(".ignore")
        .symlink("sub/.gitignore", "../rules")
        .file("rules", "*\n")
        .file("sub/a", "")
        .build();
    // A link is not followed, wherever it leads: inside the root it is no other rule than outside.
    symlink(tree.outside().join("rules"), tree.join(".rgignore")).unwrap();
    std::fs::write(tree.outside().join("rules"), "*\n").unwrap();
    let page = whole(
        &lister(tree.path()),
        &ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") },
    );
    assert_eq!(rows(&page), ["rules", "sub/a"]);
    assert_eq!(
        warned(&page),
        [
            "ignore_not_regular .gitignore",
            "ignore_not_regular .ignore",
            "ignore_not_regular .rgignore",
            "ignore_not_regular sub/.gitignore"
        ]
    );
    assert!(page.complete);
}

#[test]
fn t42_an_ignore_file_that_is_too_large_is_told() {
    let tree = TreeBuilder::new().dir(".git").files([".gitignore", "a.log"]).build();
    File::options().write(true).open(tree.join(".gitignore")).unwrap().set_len(1 << 30).unwrap();
    std::fs::write(tree.join(".ignore"), vec![b'a'; 10 << 20]).unwrap();
    let page = whole(
        &lister(tree.path()),
        &ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") },
    );
    assert_eq!(rows(&page), ["a.log"]);
    assert_eq!(warned(&page), ["ignore_too_large .gitignore", "ignore_too_large .ignore"]);
}

#[test]
fn t43_only_bad_lines_are_dropped() {
    let braces = "{".repeat(50_000);
    let rules = [
        b"\xef\xbb\xbf*.log\r\n".as_slice(),
        b"[\n",
        braces.as_bytes(),
        b"\nnul\0byte\n",
        b"caf\xe9\n",
        b"*.tmp\r\n",
        b"trailing\\\n",
        b"last",
    ]
    .concat();
    for name in NAMES {
        let tree = TreeBuilder::new()
            .dir(".git")
            .file(name, &rules)
            .files(["a.log", "b.tmp", "last", "stays"])
            .file(b"caf\xe9", "")
            .build();
        let page = whole(
            &lister(tree.path()),
            &ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") },
        );
        assert!(rows(&page).contains(&"stays".to_owned()), "{name}");
        for gone in ["a.log", "b.tmp", "last"] {
            assert!(!rows(&page).contains(&gone.to_owned()), "{name}: {gone}");
        }
        assert!(page.complete);
        let invalid = format!("ignore_pattern_invalid {name}");
        assert!(
            !page.warnings.is_empty() && warned(&page).iter().all(|one| *one == invalid),
            "{:?}",
            page.warnings
        );
        assert!(page.warnings.iter().all(|warning| warning.message.starts_with("line ")));
        crate::harness::clean(&page);
    }
}

#[test]
fn t43_bad_lines_beyond_a_hundred_are_counted() {
    let many = "end\\\n".repeat(150) + "*.log\n";
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", &many)
        .file("sub/.gitignore", &many)
        .file(".aiderignore", "!\n".repeat(120))
        .files(["a.log", "b"])
        .build();
    let request = ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") };
    let page = whole(&lister(tree.path()), &request);
    assert_eq!((rows(&page), page.warnings.len()), (vec!["b".to_owned()], 100));
    assert_eq!((page.warnings_total, page.complete), (300, true));
    let text = render::text(&page, View::Tree);
    assert!(text.contains("\nWarning: and 200 more warnings\n"), "{text}");

    let ignore = IgnorePolicy { tool_files: vec![".aiderignore".to_owned()], ..request.ignore };
    for mode in [Mode::Files, Mode::Vcs] {
        let request = ListRequest { ignore: ignore.clone(), ..ask(mode, ".") };
        let told = if mode == Mode::Files { 420 } else { 120 };
        let page = whole(&lister(tree.path()), &request);
        assert_eq!((page.warnings.len(), page.warnings_total), (100, told), "{mode}");
    }
}

#[test]
fn t43_a_malformed_glob_of_the_request_is_told_with_its_place() {
    let tree = TreeBuilder::new().repo().file("a", "").build();
    let globs = || vec!["ok".to_owned(), format!("src/{}/[b", "x".repeat(900))];
    let patterns = IgnorePolicy { patterns: globs(), ..IgnorePolicy::default() };
    let keep = IgnorePolicy { keep: globs(), ..IgnorePolicy::default() };
    for mode in [Mode::Fs, Mode::Files, Mode::Vcs] {
        for request in [
            ListRequest { ignore: patterns.clone(), ..ask(mode, ".") },
            ListRequest { ignore: keep.clone(), ..ask(mode, ".") },
            ListRequest { pattern: globs(), ..ask(mode, ".") },
        ] {
            let message = check_error(&tree, &request, "invalid_argument").to_string();
            let place = "glob 2 is not valid at character 906: unclosed character class";
            assert!(message.contains(place), "{message}");
        }
    }
}

#[test]
fn t44_heavy_patterns_end() {
    let rules: String = (0..1_000).map(|number| format!("**/a*b*c{number}\n")).collect();
    let names: Vec<String> =
        (0..200).map(|number| format!("{number:03}{}", "ab".repeat(100))).collect();
    for name in NAMES {
        let tree = TreeBuilder::new().dir(".git").file(name, &rules).files(&names).build();
        let page = whole(
            &lister(tree.path()),
            &ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") },
        );
        assert_eq!(page.returned, 200);
    }
}

#[test]
fn t44_a_deadline_holds_among_heavy_patterns() {
    let rules: String = (0..5_000).map(|number| format!("**/a*b*c{number}\n")).collect();
    let names: Vec<String> =
        (0..1_000).map(|number| format!("{number:03}{}", "ab".repeat(110))).collect();
    for name in NAMES {
        let rules = format!("*\n!z\n{rules}");
        let tree = TreeBuilder::new().dir(".git").file(name, rules).files(&names).build();
        let request = ListRequest { deadline_ms: Some(50), ..ask(Mode::Files, ".") };
        // Everything is left out, so nothing was listed when the time is over.
        check_error(&tree, &request, "timeout");
    }
}

#[test]
fn t45_an_unreadable_ignore_file_is_told_and_the_walk_goes_on() {
    if !as_ordinary_user(
        module_path!(),
        "t45_an_unreadable_ignore_file_is_told_and_the_walk_goes_on",
    ) {
        return;
    }
    let tree = TreeBuilder::new()
        .file(".git/info/exclude", "*.tmp\n")
        .file(".gitignore", "*.log\n")
        .file("sub/.ignore", "*.log\n")
        .files(["a.log", "b.tmp", "sub/a.log"])
        .chmod(".gitignore", 0o000)
        .chmod("sub/.ignore", 0o000)
        .chmod(".git/info/exclude", 0o000)
        .build();
    let page = whole(
        &lister(tree.path()),
        &ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") },
    );
    assert_eq!(rows(&page), ["a.log", "b.tmp", "sub/a.log"]);
    assert_eq!(
        warned(&page),
        [
            "ignore_unreadable .gitignore",
            "ignore_unreadable .git/info/exclude",
            "ignore_unreadable sub/.ignore"
        ]
    );
    assert!(page.complete);
}

#[test]
fn t46_rules_beyond_the_root_are_not_in_force() {
    // Git's own places for excludes of the user, all of them naming the same rule.
    let home = "export HOME=\"$PWD/home\" XDG_CONFIG_HOME=\"$PWD/home/config\" GIT_CONFIG_GLOBAL=\"$PWD/home/.gitconfig\";";
    let make = "cd \"$(mktemp -d)\"; mkdir -p home/config/git; echo '*.log' > home/config/git/ignore; \
                printf '[core]\\n\\texcludesFile = %s/home/config/git/ignore\\n' \"$PWD\" > home/.gitconfig;";
    if !alone(
        module_path!(),
        "t46_rules_beyond_the_root_are_not_in_force",
        &format!("{make} {home}"),
    ) {
        return;
    }
    let outer = TreeBuilder::new()
        .file(".ignore", "*.log\n")
        .file(".rgignore", "*.log\n")
        .file(".gitignore", "*.log\n")
        .file("root/a.log", "")
        .file("root/.git/config", "[core]\n\texcludesFile = ../../.gitignore\n")
        .file("root/.git/HEAD", "ref: refs/heads/main\n")
        .build();
    let page = whole(&lister(&outer.join("root")), &ask(Mode::Files, "."));
    assert_eq!(rows(&page), ["a.log"]);
    // Not opened, but said to be there; the user's own excludes are nobody's business.
    assert_eq!(warned(&page), ["ignore_beyond_root ."]);
    assert!(page.complete);
}

#[test]
fn a_rule_of_a_megabyte_is_shown_by_its_first_bytes() {
    let long = |at: &str| format!("{at}.[l{}]og", "\u{e9}".repeat(500_000));
    let tree = TreeBuilder::new()
        .repo()
        .file(".gitignore", format!("{}\n\\\n", long("a")))
        .file("sub/.gitignore", format!("{}\n{}\n", "# b", long("b")))
        .files(["a.log", "a.x", "sub/b.log"])
        .build();
    let shown = |at: &str| format!("{at}.[l{}\u{2026}", "\u{e9}".repeat(98));
    let lister = lister(tree.path());
    let marked = IgnorePolicy { show: Some(Show::Mark), ..IgnorePolicy::default() };
    let texts = [ask(Mode::Files, "."), ListRequest { ignore: marked, ..ask(Mode::Files, ".") }];
    for request in texts {
        let request = ListRequest { max_bytes: Some(4_096), ..request };
        let page = whole(&lister, &request);
        assert!(render::text(&page, View::Tree).len() <= 4_096);
        assert!(render::json(&page).len() <= 4_096);
        let rules = page.omitted.iter().flat_map(|one| &one.rules);
        let rules = rules.map(|rule| (rule.source.clone(), rule.line, rule.pattern.clone()));
        let marks = page.entries.iter().filter_map(|entry| entry.ignored_by.clone());
        let marks = marks.map(|rule| (rule.source, rule.line, rule.pattern));
        let right = [
            (".gitignore".to_owned(), 1, shown("a")),
            ("sub/.gitignore".to_owned(), 2, shown("b")),
        ];
        assert_eq!(rules.chain(marks).collect::<Vec<_>>(), right);
    }
    let compared = lister.compare(&CompareRequest::new("."), &Cancel::new()).unwrap();
    let html = render::comparison_html(&compared);
    assert!(html.len() < 65_536, "{}", html.len());
    assert!(render::comparison_json(&compared).contains(&shown("b")));
    assert!(render::comparison_json(&compared).len() < 65_536);
    assert!(render::comparison(&compared).len() < 65_536);
    let args = [PathArg::from("a.log")];
    let request = ask(Mode::Files, ".");
    let told = lister.explain(&request, &Mode::ALL, &args, &Cancel::new()).unwrap();
    assert!(render::explanation(&told[0]).contains(&shown("a")));
    assert!(render::explanation(&told[0]).len() < 65_536);
    assert!(serde_json::to_string(&told).unwrap().len() < 65_536);
}
