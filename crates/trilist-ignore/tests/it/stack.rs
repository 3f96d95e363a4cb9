//! The layered stack: precedence, scope, borders, and what it costs.

use trilist_ignore::{
    BadLine, BuiltinNames, Case, GlobOrigin, Globs, IgnoreFile, IgnoreStack, Layer, LayerSwitches,
    MAX_BAD_LINES, Verdict,
};

const GIT: Layer = Layer::GitIgnore;
const DOT: Layer = Layer::DotIgnore;

/// An ignore file in a tree: directory, layer, content.
type File<'a> = (&'a str, Layer, &'a str);

fn name(layer: Layer) -> &'static [u8] {
    match layer {
        Layer::Tool => b".toolignore",
        Layer::RgIgnore => b".rgignore",
        Layer::DotIgnore => b".ignore",
        Layer::InfoExclude => b".git/info/exclude",
        Layer::Global => b"global",
        _ => b".gitignore",
    }
}

/// Enters the directories above `path` and asks about it.
fn ask(stack: &mut IgnoreStack, repositories: &[&str], files: &[File<'_>], path: &str) -> String {
    let is_dir = path.ends_with('/');
    let path = path.trim_end_matches('/');
    let dirs: Vec<&str> = std::iter::once("")
        .chain(path.match_indices('/').map(|(slash, _)| &path[..slash]))
        .collect();
    for dir in &dirs {
        let here = files.iter().filter(|file| file.0 == *dir);
        let here: Vec<IgnoreFile<'_>> = here
            .map(|&(_, layer, text)| IgnoreFile {
                layer,
                name: name(layer),
                bytes: text.as_bytes(),
            })
            .collect();
        let repository = repositories.contains(dir).then_some(Case::Sensitive);
        stack.enter(dir.as_bytes(), repository, &here);
    }
    let said = say(stack.verdict(path.as_bytes(), is_dir));
    dirs.iter().for_each(|_| stack.leave());
    said
}

fn say(verdict: Verdict<'_>) -> String {
    let (sign, rule) = match verdict {
        Verdict::Undecided => return "undecided".to_owned(),
        Verdict::Ignored(rule) => ('+', rule),
        Verdict::Kept(rule) => ('-', rule),
    };
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    format!("{sign}{}:{} {}", text(rule.source), rule.line, text(rule.pattern))
}

fn plain() -> IgnoreStack {
    IgnoreStack::new(LayerSwitches::ALL, Globs::empty(), Globs::empty(), b"")
}

fn check(repositories: &[&str], files: &[File<'_>], expectations: &[(&str, &str)]) {
    let mut stack = plain();
    for (path, wanted) in expectations {
        assert_eq!(ask(&mut stack, repositories, files, path), *wanted, "{files:?}: {path}");
    }
}

#[test]
fn layers_rank_as_ripgrep_ranks_them() {
    let layers = [Layer::Tool, Layer::RgIgnore, DOT, GIT, Layer::InfoExclude, Layer::Global];
    for (i, &strong) in layers.iter().enumerate() {
        for &weak in &layers[i + 1..] {
            let files = [("", weak, "a\n!b\n"), ("", strong, "!a\nb\n")];
            let source = String::from_utf8_lossy(name(strong));
            check(
                &[""],
                &files,
                &[("a", &format!("-{source}:1 !a")), ("b", &format!("+{source}:2 b"))],
            );
            // The stronger layer wins from above, too.
            let files = [("d", weak, "a\n"), ("", strong, "!a\n")];
            check(&[""], &files, &[("d/a", &format!("-{source}:1 !a"))]);
        }
    }
}

#[test]
fn the_deepest_file_of_a_layer_decides() {
    let files = [("", GIT, "*.tmp\n/x/y\n"), ("x", GIT, "!a.tmp\n/z\n")];
    check(
        &[""],
        &files,
        &[
            ("x/a.tmp", "-x/.gitignore:1 !a.tmp"),
            ("x/b.tmp", "+.gitignore:1 *.tmp"),
            ("x/y", "+.gitignore:2 /x/y"),
            ("x/z", "+x/.gitignore:2 /z"),
            ("x/q/z", "undecided"),
            ("z", "undecided"),
        ],
    );
}

#[test]
fn gits_files_need_a_repository() {
    let files = [("", GIT, "*.log\n"), ("", DOT, "*.tmp\n"), ("", Layer::Global, "g\n")];
    check(
        &[],
        &files,
        &[("sub/a.log", "undecided"), ("sub/c.tmp", "+.ignore:1 *.tmp"), ("g", "undecided")],
    );
    check(&[""], &files, &[("sub/a.log", "+.gitignore:1 *.log"), ("g", "+global:1 g")]);
    check(
        &["sub"],
        &files,
        &[("sub/a.log", "undecided"), ("a.log", "undecided"), ("sub/g", "+global:1 g")],
    );
}

#[test]
fn a_nested_repository_is_a_border_for_git_only() {
    let files = [
        ("", GIT, "*\n!*/\n"),
        ("", Layer::InfoExclude, "z\n"),
        ("", DOT, "*.o\n"),
        ("in/d", GIT, "q\n"),
    ];
    check(
        &["", "in"],
        &files,
        &[
            ("x", "+.gitignore:1 *"),
            ("in/z", "undecided"),
            ("in/z.o", "+.ignore:1 *.o"),
            ("in/d/q", "+in/d/.gitignore:1 q"),
            ("in/", "-.gitignore:2 !*/"),
            ("other/z", "+.gitignore:1 *"),
        ],
    );
}

#[test]
fn global_excludes_are_anchored_at_the_repository() {
    let files = [("", Layer::Global, "/top\n")];
    check(
        &["", "in"],
        &files,
        &[("top", "+global:1 /top"), ("in/top", "+global:1 /top"), ("d/top", "undecided")],
    );
}

#[test]
fn a_root_inside_a_repository_can_be_assumed() {
    let mut stack = plain();
    stack.assume_repository(true);
    let files = [("", GIT, "a\n"), ("d", GIT, "b\n")];
    assert_eq!(ask(&mut stack, &[], &files, "d/a"), "+.gitignore:1 a");
    assert_eq!(ask(&mut stack, &["d"], &files, "d/a"), "undecided");
    assert_eq!(ask(&mut stack, &["d"], &files, "d/b"), "+d/.gitignore:1 b");
}

#[test]
fn builtin_comes_last_and_is_about_directories() {
    let check = |files: &[File<'_>], path: &str, wanted: &str| {
        let said = ask(&mut plain(), &[""], files, path);
        assert!(said.starts_with(wanted), "{path}: {said}");
    };
    check(&[], "x/node_modules/", "+builtin:");
    check(&[], "x/node_modules", "undecided");
    check(&[("", GIT, "node_modules\n")], "node_modules/", "+.gitignore:1");
    check(&[("", GIT, "!node_modules\n")], "node_modules/", "-.gitignore:1");
    let mut stack = IgnoreStack::new(LayerSwitches::NONE, Globs::empty(), Globs::empty(), b"");
    assert_eq!(ask(&mut stack, &[], &[], "node_modules/"), "undecided");
}

#[test]
fn switches_leave_layers_out() {
    let files: Vec<File<'_>> =
        [Layer::Tool, Layer::RgIgnore, DOT, GIT, Layer::InfoExclude, Layer::Global]
            .iter()
            .map(|&layer| ("", layer, "a\n"))
            .collect();
    let said = |switches| {
        let mut stack = IgnoreStack::new(switches, Globs::empty(), Globs::empty(), b"");
        (ask(&mut stack, &[""], &files, "a"), ask(&mut stack, &[""], &files[1..], "a"))
    };
    let both = |tool: &str, rest: &str| (tool.to_owned(), rest.to_owned());
    let (all, none) = (LayerSwitches::ALL, LayerSwitches::NONE);
    assert_eq!(said(none), both("+.toolignore:1 a", "undecided"));
    assert_eq!(
        said(LayerSwitches { git: true, ..none }),
        both("+.toolignore:1 a", "+.gitignore:1 a")
    );
    assert_eq!(
        said(LayerSwitches { git: false, ..all }),
        both("+.toolignore:1 a", "+.rgignore:1 a")
    );
    assert_eq!(
        said(LayerSwitches { dot_ignore: false, ..all }),
        both("+.toolignore:1 a", "+.gitignore:1 a")
    );
}

#[test]
fn the_request_comes_first_and_counts_from_its_directory() {
    let globs = |globs: &[&str]| Globs::new(globs).unwrap();
    let (exclude, keep) = (globs(&["*.c", "/x/", "node_modules"]), globs(&["keep.c", "/y/**"]));
    let mut stack = IgnoreStack::new(LayerSwitches::ALL, exclude, keep, b"src");
    let files = [("", GIT, "keep.c\nlog\n!a.c\n")];
    let mut check = |path: &str, wanted: &str| {
        assert_eq!(ask(&mut stack, &[""], &files, path), wanted, "{path}")
    };
    check("src/keep.c", "-request:1 keep.c");
    check("src/a.c", "+request:1 *.c");
    check("src/x/", "+request:2 /x/");
    check("src/x", "undecided");
    check("src/d/x/", "undecided");
    check("src/y/a.c", "-request:2 /y/**");
    check("src/log", "+.gitignore:2 log");
    check("src/node_modules", "+request:3 node_modules");
    // Above and beside the listed directory the request says nothing.
    check("a.c", "-.gitignore:3 !a.c");
    check("srcs/z.c", "undecided");
    check("src/", "undecided");
}

#[test]
fn what_keep_could_still_find_is_told() {
    let stack = |keep: &[&str]| {
        IgnoreStack::new(LayerSwitches::ALL, Globs::empty(), Globs::new(keep).unwrap(), b"src")
    };
    let kept = stack(&["out/a/*.c"]);
    let cases = [
        ("", true),
        ("src", true),
        ("src/out", true),
        ("src/out/a", true),
        ("src/out/b", false),
        ("sr", false),
        ("srcs", false),
    ];
    for (dir, wanted) in cases {
        assert_eq!(kept.may_keep_below(dir.as_bytes()), wanted, "{dir}");
    }
    assert!(!stack(&[]).may_keep_below(b""));
    assert!(stack(&["*.c"]).may_keep_below(b"src/out/b"));
}

#[test]
fn enter_and_leave_are_symmetric() {
    let mut stack = plain();
    let file =
        |text: &'static str| [IgnoreFile { layer: DOT, name: b".ignore", bytes: text.as_bytes() }];
    stack.enter(b"", None, &file("a\n"));
    stack.enter(b"d", None, &[]);
    stack.enter(b"d/e", None, &[]);
    stack.enter(b"d/e/f", None, &file("!a\n"));
    stack.enter(b"d/e/f/g", None, &[]);
    assert_eq!(say(stack.verdict(b"d/e/f/g/a", false)), "-d/e/f/.ignore:1 !a");
    stack.leave();
    assert_eq!(say(stack.verdict(b"d/e/f/a", false)), "-d/e/f/.ignore:1 !a");
    stack.leave();
    assert_eq!(say(stack.verdict(b"d/e/a", false)), "+.ignore:1 a");
    stack.leave();
    stack.leave();
    stack.enter(b"x", Some(Case::Sensitive), &[]);
    assert_eq!(say(stack.verdict(b"x/a", false)), "+.ignore:1 a");
    stack.leave();
    stack.leave();
    assert_eq!(say(stack.verdict(b"a", false)), "undecided");
}

#[test]
fn equal_content_keeps_its_own_source() {
    let mut stack = plain();
    let file = [IgnoreFile { layer: DOT, name: b".ignore", bytes: b"x\n[z-a]\n" }];
    for dir in [&b"a"[..], b"b"] {
        stack.enter(dir, None, &file);
        let path = [dir, b"/x"].concat();
        let source = String::from_utf8_lossy(dir).into_owned();
        assert_eq!(say(stack.verdict(&path, false)), format!("+{source}/.ignore:1 x"));
        stack.leave();
    }
    let bad: Vec<(Vec<u8>, u32)> =
        stack.take_bad_lines().into_iter().map(|bad| (bad.source, bad.line)).collect();
    assert_eq!(bad, [(b"a/.ignore".to_vec(), 2), (b"b/.ignore".to_vec(), 2)]);
    assert!(stack.take_bad_lines().is_empty());
}

#[test]
fn bad_lines_name_file_and_line_and_are_capped() {
    let mut stack = plain();
    let file = [IgnoreFile { layer: GIT, name: b".gitignore", bytes: b"ok\nend\\\n" }];
    stack.enter(b"d", Some(Case::Sensitive), &file);
    let [BadLine { source, line, text, .. }] = &stack.take_bad_lines()[..] else {
        panic!("not one")
    };
    assert_eq!((&source[..], *line, &text[..]), (&b"d/.gitignore"[..], 2, &b"end\\"[..]));
    for _ in 0..MAX_BAD_LINES + 5 {
        stack.enter(b"d", Some(Case::Sensitive), &file);
    }
    let bad = stack.take_bad_lines();
    assert_eq!((bad.len(), bad[MAX_BAD_LINES - 1].more), (MAX_BAD_LINES, 5));
    let many = "[\n".repeat(MAX_BAD_LINES + 7);
    let file = [IgnoreFile { layer: GIT, name: b".gitignore", bytes: many.as_bytes() }];
    for _ in 0..2 {
        stack.enter(b"d", Some(Case::Sensitive), &file);
    }
    let told: u64 = stack.take_bad_lines().iter().map(|bad| 1 + bad.more).sum();
    assert_eq!(told, 2 * (MAX_BAD_LINES as u64 + 7));
}

#[test]
fn dialects_follow_the_layer() {
    let said = |layer, name: &[u8], text: &str, path: &str| {
        let mut stack = plain();
        stack.enter(
            b"",
            Some(Case::Sensitive),
            &[IgnoreFile { layer, name, bytes: text.as_bytes() }],
        );
        say(stack.verdict(path.as_bytes(), false))
    };
    assert_eq!(said(GIT, b".gitignore", "{a,b}\n", "a"), "undecided");
    assert_eq!(said(DOT, b".ignore", "{a,b}\n", "a"), "+.ignore:1 {a,b}");
    assert_eq!(said(Layer::Tool, b".rooignore", "{a,b}\n", "a"), "undecided");
    assert_eq!(
        said(Layer::Tool, b".aiderignore", "build/\n!build/k\n", "build/k"),
        "-.aiderignore:2 !build/k"
    );
    assert_eq!(
        said(Layer::Tool, b".aiderignore", "build/\n", "build/x/y"),
        "+.aiderignore:1 build/"
    );
}

#[test]
fn case_is_the_repositorys_and_only_gits_files_have_one() {
    let mut stack = plain();
    let file = |layer, name| IgnoreFile { layer, name, bytes: b"BUILD\n" };
    let git = file(GIT, b".gitignore");
    let (exclude, global) = (file(Layer::InfoExclude, b"exclude"), file(Layer::Global, b"global"));
    let (dot, tool) = (file(DOT, b".ignore"), file(Layer::Tool, b".tool"));
    let mut check = |repository, file: IgnoreFile<'_>, wanted: &str| {
        stack.enter(b"", Some(Case::Insensitive), &[]);
        stack.enter(b"d", repository, &[file]);
        assert_eq!(say(stack.verdict(b"d/build", false)), wanted, "{file:?} {repository:?}");
        stack.leave();
        stack.leave();
    };
    check(None, git, "+d/.gitignore:1 BUILD");
    check(Some(Case::Insensitive), git, "+d/.gitignore:1 BUILD");
    check(Some(Case::Sensitive), git, "undecided");
    check(Some(Case::Insensitive), exclude, "+d/exclude:1 BUILD");
    check(Some(Case::Sensitive), exclude, "undecided");
    check(None, global, "+global:1 BUILD");
    check(Some(Case::Sensitive), global, "undecided");
    check(None, dot, "undecided");
    check(None, tool, "undecided");
}

#[test]
fn pathspec_decides_about_files_alone() {
    let mut stack = plain();
    let rules = b"build/\n!build/k\n";
    let tool = IgnoreFile { layer: Layer::Tool, name: b".aiderignore", bytes: rules };
    stack.enter(b"", None, &[tool]);
    // The directory is open for what comes back.
    assert_eq!(say(stack.verdict(b"build", true)), "undecided");
    assert_eq!(say(stack.verdict(b"build/k", false)), "-.aiderignore:2 !build/k");
    assert_eq!(say(stack.verdict(b"build/o", false)), "+.aiderignore:1 build/");
}

#[test]
fn patterns_name_the_source_they_come_from() {
    let exclude = Globs::new(&["a", "b", "c", "d"]).unwrap();
    let mut stack = IgnoreStack::new(LayerSwitches::ALL, exclude, Globs::empty(), b"");
    let origin = |first, source: &str, lines: &[u32]| GlobOrigin {
        first,
        source: source.to_owned(),
        lines: lines.to_vec(),
    };
    stack.set_origins(vec![origin(1, "config", &[]), origin(3, ".trilist.toml", &[7])]);
    let said = ["a", "b", "c", "d"].map(|path| say(stack.verdict(path.as_bytes(), false)));
    assert_eq!(said, ["+request:1 a", "+config:1 b", "+config:2 c", "+.trilist.toml:7 d"]);
}

#[test]
fn other_names_stand_in_place_of_the_builtin_list() {
    let mut stack = plain();
    stack.set_builtin(BuiltinNames::of(&["cache", "dist"]));
    assert_eq!(say(stack.verdict(b"x/dist", true)), "+builtin:2 dist");
    assert_eq!(say(stack.verdict(b"x/dist", false)), "undecided");
    assert_eq!(say(stack.verdict(b"node_modules", true)), "undecided");
}
