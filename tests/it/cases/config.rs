//! The user's configuration, and that of the listed tree, which can only narrow.

use std::os::unix::fs::symlink;

use trilist::{
    Config, IgnorePolicy, ListRequest, Lister, Mode, Policy, SettingValue, Show, Source,
};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{Right, ask, check_with, omitted, page, policy, rows, whole};

fn user(text: &str) -> Config {
    let mut config = Config::new(Policy::default());
    config.read_user("config.toml", text.as_bytes()).unwrap();
    config
}

/// The error's text and hint.
fn refused(text: impl AsRef<[u8]>) -> (String, Option<String>) {
    let mut config = Config::new(Policy::default());
    let error = config.read_user("c.toml", text.as_ref()).unwrap_err();
    // Nothing is taken from a file that is refused.
    assert_eq!(config.settings(), Config::new(Policy::default()).settings());
    (error.to_string(), error.hint())
}

const EVERYTHING: &str = r#"
[limits]
limit = 7
max_limit = 70
max_bytes = 2048
deadline_ms = 5
max_deadline_ms = 50
scan_cap = 1_000

[ignore]
builtin = false
git = true
dot_ignore = false
global_excludes = true
tool_files = [".aiderignore"]
patterns = ["*.bak"]
keep = [".env.example"]
show = "mark"

[policy]
deny = ["secrets"]
allow = ["src"]
protected = [".tool"]

[builtin]
replace = ["node_modules"]
extend = ["cache"]
"#;

#[test]
fn every_key_reaches_the_policy_and_the_report() {
    let config = user(EVERYTHING);
    let policy = config.policy();
    assert_eq!((policy.default_limit, policy.max_limit), (7, 70));
    assert_eq!((policy.default_deadline_ms, policy.max_deadline_ms), (5, 50));
    assert_eq!((policy.default_max_bytes, policy.scan_cap), (Some(2048), 1_000));
    assert!(config.wants_global_excludes());
    let right = IgnorePolicy {
        builtin: Some(false),
        git: Some(true),
        dot_ignore: Some(false),
        tool_files: vec![".aiderignore".to_owned()],
        patterns: vec!["*.bak".to_owned()],
        keep: vec![".env.example".to_owned()],
        show: Some(Show::Mark),
        ..IgnorePolicy::default()
    };
    assert_eq!(policy.ignore, right);
    assert_eq!(policy.builtin.as_deref(), Some(&["node_modules", "cache"].map(str::to_owned)[..]));
    assert_eq!(
        (policy.deny.as_slice(), policy.allow.as_slice()),
        (&["secrets".to_owned()][..], &["src".to_owned()][..])
    );
    assert_eq!(policy.protected, [".git", ".tool"]);
    for setting in config.settings() {
        let from: Vec<_> = match setting.value {
            SettingValue::One(item) => vec![item.from],
            SettingValue::List { value } => value.iter().map(|item| item.from).collect(),
        };
        assert!(!from.is_empty(), "{}", setting.name);
        // What is protected anyway stays so.
        let own = from.iter().filter(|from| **from == Source::Default).count();
        assert_eq!(own, usize::from(setting.name == "policy.protected"), "{}", setting.name);
        assert!(from.contains(&Source::User), "{}", setting.name);
    }
}

#[test]
fn an_empty_configuration_is_the_default() {
    let config = user("");
    let (policy, default) = (config.policy(), Policy::default());
    assert_eq!(policy.ignore, default.ignore);
    assert_eq!((policy.default_limit, policy.builtin), (default.default_limit, default.builtin));
    // A default that would lie above a lower bound goes down with it.
    assert_eq!(user("[limits]\nmax_limit = 10\n").policy().default_limit, 10);
}

#[test]
fn what_cannot_be_used_is_named_with_its_line() {
    let at = |text: &str| refused(text).0;
    let hint = |text: &str| refused(text).1;
    let name = "c.toml, line 2: ";
    for (text, message) in [
        ("[limits]\nlimt = 5\n", "there is no key `limits.limt`"),
        ("\n[limts]\nlimit = 5\n", "there is no key `limts`"),
        ("\nlimit = 5\n", "there is no key `limit`"),
        ("\nlimits = 5\n", "`limits` is a section: write `[limits]`"),
        (
            "[limits]\nlimit = \"5\"\n",
            "`limits.limit` is a text; it must be a whole number from 1 to 1000000",
        ),
        ("[limits]\nlimit = 0\n", "`limits.limit` is out of range; it must be from 1 to 1000000"),
        ("[limits]\nlimit = -1\n", "`limits.limit` is out of range; it must be from 1 to 1000000"),
        (
            "[limits]\nlimit = 99999999999999999999\n",
            "`limits.limit` is out of range; it must be from 1 to 1000000",
        ),
        (
            "[limits]\nlimit = 1.5\n",
            "`limits.limit` is a fraction; it must be a whole number from 1 to 1000000",
        ),
        ("[ignore]\ngit = \"yes\"\n", "`ignore.git` is a text; it must be true or false"),
        ("[ignore]\nshow = \"hide\"\n", "`ignore.show` is a text; it must be \"omit\" or \"mark\""),
        ("[ignore]\npatterns = \"*\"\n", "`ignore.patterns` is a text; it must be a list of globs"),
        (
            "[ignore]\npatterns = [1]\n",
            "`ignore.patterns` is a list of other things; it must be a list of globs",
        ),
        (
            "[ignore]\ntool_files = [\"../x\"]\n",
            "`ignore.tool_files` is a list that cannot be used; `../x` is none: a tool file is a name such as `.rooignore`, or a path below the root without `..`",
        ),
        (
            "[builtin]\nreplace = [\"a/b\"]\n",
            "`builtin.replace` is a list that cannot be used; `a/b` is not the name of a directory",
        ),
    ] {
        assert_eq!(at(text), format!("{name}{message}"), "{text:?}");
    }
    assert!(
        at("[ignore]\nkeep = [\"[\"]\n").starts_with("c.toml, line 2: `ignore.keep` is a list")
    );
    assert!(at("[limits]\nlimit = \n").starts_with("c.toml, line 2: "));
    assert!(at("[limits]\nlimit = 5\nlimit = 6\n").starts_with("c.toml, line 3: "));
    assert_eq!(
        at("[limits]\nlimit = 2000\n"),
        "c.toml: `limits.limit` is 2000, more than `limits.max_limit`, which is 1000"
    );
    assert_eq!(refused(b"\n\n[lim\xff]").0, "c.toml, line 3: it is not UTF-8");
    assert_eq!(hint("[limits]\nlimt = 5\n").as_deref(), Some("Did you mean `limits.limit`?"));
    assert_eq!(hint("[limts]\n").as_deref(), Some("Did you mean `limits`?"));
    assert_eq!(hint("limit = 5\n").as_deref(), Some("Did you mean `limits.limit`?"));
    assert_eq!(hint("[colours]\n"), None);
    // Deep nesting ends in an error, not in a stack that overflows.
    let deep = format!("[ignore]\npatterns = {}", "[".repeat(50_000));
    assert!(at(&deep).starts_with("c.toml, line 2: "));
    let long = format!("[limits]\n{} = 1\n", "k".repeat(60_000));
    assert!(at(&long).len() < 200);
}

#[test]
fn a_file_that_is_none_is_told_and_an_absent_one_is_not() {
    let place = TreeBuilder::new().fifo("pipe").dir("dir").build();
    std::fs::write(place.join("large"), vec![b'#'; (64 << 10) + 1]).unwrap();
    std::fs::write(place.join("good"), "[limits]\nlimit = 3\n").unwrap();
    symlink("good", place.join("link")).unwrap();
    let load = |name: &str| Config::new(Policy::default()).load_user(&place.join(name));
    for (name, why) in [
        ("pipe", "it is a pipe, socket or device, not a regular file"),
        ("dir", "it is a directory, not a regular file"),
        ("large", "it is larger than 65536 bytes"),
    ] {
        let error = load(name).unwrap_err().to_string();
        assert!(error.ends_with(&format!("/{name}: {why}")), "{error}");
    }
    assert_eq!(load("absent"), Ok(false));
    // The user's own path may lead through links.
    assert_eq!((load("good"), load("link")), (Ok(true), Ok(true)));
}

fn tree() -> TreeBuilder {
    TreeBuilder::new()
        .repo()
        .file(".gitignore", "*.log\n")
        .files(["a.log", "b.bak", "c.txt", "dist/d", "keep.me"])
}

fn configured(tree: &Tree, text: &str) -> Lister {
    let mut config = Config::new(policy());
    config.read_user("config.toml", text.as_bytes()).unwrap();
    let policy = Policy { tree_config: true, ..config.policy() };
    Lister::open(&[tree.path()], policy).unwrap()
}

fn files() -> ListRequest {
    ListRequest { include_hidden: Some(false), ..ask(Mode::Files, ".") }
}

#[test]
fn the_users_configuration_gives_defaults_and_requests_come_first() {
    let tree = tree().build();
    let text = "[ignore]\ngit = false\npatterns = [\"*.bak\", \"keep.*\"]\nkeep = [\"keep.me\"]\n\
                [builtin]\nextend = [\"dist\"]\n";
    let lister = configured(&tree, text);
    let git = "protected 1: .git/";
    check_with(
        &lister,
        &files(),
        Right::rows(&["a.log", "c.txt", "dist/ builtin", "keep.me"]).omitted(&[
            git,
            "hidden 1: .gitignore",
            // A glob to keep that names no directory may match anywhere: `dist` was looked into, and
            // holds nothing of that kind.
            "ignored 1: b.bak",
        ]),
    );
    let rules = whole(&lister, &files()).omitted.remove(2).rules;
    assert_eq!((rules[0].source.as_str(), rules[0].line), ("config", 1));
    // In mode `vcs` its patterns count as well, and switches of layers on disk do not.
    let vcs = TreeBuilder::new().repo().files(["a.bak", "b"]).commit("one").build();
    let lister_of_vcs = configured(&vcs, text);
    let page = whole(&lister_of_vcs, &ask(Mode::Vcs, "."));
    assert_eq!(
        (rows(&page), omitted(&page)),
        (vec!["b".to_owned()], vec!["ignored 1: a.bak".to_owned()])
    );
    assert_eq!(page.omitted[0].rules[0].source, "config");
    // A request's own word comes first, and it can do without the configuration.
    let ignore = IgnorePolicy { git: Some(true), ..IgnorePolicy::default() };
    let page = whole(&lister, &ListRequest { ignore, ..files() });
    assert_eq!(rows(&page), ["c.txt", "dist/ builtin", "keep.me"]);
    let ignore = IgnorePolicy { config: Some(false), ..IgnorePolicy::default() };
    let page = whole(&lister, &ListRequest { ignore, ..files() });
    assert_eq!(rows(&page), ["b.bak", "c.txt", "dist/ builtin", "keep.me"]);
    let page = whole(&lister, &ListRequest { ignore: IgnorePolicy::none(), ..files() });
    assert_eq!(rows(&page), ["a.log", "b.bak", "c.txt", "dist/d", "keep.me"]);
}

#[test]
fn a_replaced_list_names_its_places() {
    let tree = TreeBuilder::new().files(["dist/d/x", "dist/y", "node_modules/x", "venv/x"]).build();
    let lister = configured(&tree, "[builtin]\nreplace = [\"venv\", \"dist\"]\n");
    let keep = IgnorePolicy { keep: vec!["dist/y".to_owned()], ..IgnorePolicy::default() };
    check_with(
        &lister,
        &ListRequest { ignore: keep.clone(), ..files() },
        Right::rows(&["dist/ builtin", "dist/y", "node_modules/x", "venv/ builtin"])
            .omitted(&["builtin 1: dist/d/"]),
    );
    let page = whole(&lister, &ListRequest { ignore: keep, ..files() });
    let rule = &page.omitted[0].rules[0];
    assert_eq!((rule.source.as_str(), rule.line, rule.pattern.as_str()), ("builtin", 2, "dist"));
}

#[test]
fn a_trees_own_configuration_narrows() {
    let text = "[limits]\nlimit = 2\n[ignore]\npatterns = [\n  \"x\",\n  \"b.*\",\n]\n\
                [builtin]\nextend = [\"dist\"]\n";
    let tree = tree().file(".trilist.toml", text).build();
    let lister = configured(&tree, "");
    let page = page(&lister, &files());
    assert_eq!(rows(&page), ["c.txt", "dist/ builtin"]);
    assert!(page.truncated && page.notices.is_empty(), "{:?}", page.notices);
    let all = ListRequest { limit: Some(9), ..files() };
    check_with(
        &lister,
        &all,
        Right::rows(&["c.txt", "dist/ builtin", "keep.me"]).omitted(&[
            "protected 1: .git/",
            "hidden 2: .gitignore .trilist.toml",
            "ignored 2: a.log b.bak",
        ]),
    );
    let rules = whole(&lister, &all).omitted.remove(2).rules;
    let places: Vec<_> = rules.iter().map(|rule| (rule.source.as_str(), rule.line)).collect();
    assert_eq!(places, [(".gitignore", 1), (".trilist.toml", 6)]);
    // What it hides can be shown.
    let ignore = IgnorePolicy { config: Some(false), ..IgnorePolicy::default() };
    let page = whole(&lister, &ListRequest { ignore, ..all });
    assert!(rows(&page).contains(&"b.bak".to_owned()));
}

#[test]
fn a_trees_own_configuration_never_widens() {
    let text = "[limits]\nlimit = 100000\nmax_limit = 1\nmax_bytes = 1024\nscan_cap = 1\n\
                [ignore]\ngit = false\nbuiltin = false\nkeep = [\"*\"]\nshow = \"mark\"\n\
                tool_files = [\".x\"]\nglobal_excludes = true\n[builtin]\nreplace = []\n";
    let tree = tree().file(".trilist.toml", text).file(".x", "!*\n").files(["venv/x"]).build();
    let lister = configured(&tree, "");
    let page = page(&lister, &ListRequest { max_bytes: Some(9_000), ..files() });
    assert_eq!(rows(&page), ["b.bak", "c.txt", "dist/d", "keep.me", "venv/ builtin"]);
    assert_eq!(omitted(&page)[2], "ignored 1: a.log");
    assert_eq!(
        page.notices,
        [
            "`.trilist.toml`, left out: line 2: `limits.limit` would widen the listing",
            "`.trilist.toml`, left out: line 3: `limits.max_limit` would widen the listing",
            "`.trilist.toml`, left out: line 5: `limits.scan_cap` would widen the listing",
            "`.trilist.toml`, left out: line 7: `ignore.git` would widen the listing",
            "`.trilist.toml`, left out: line 8: `ignore.builtin` would widen the listing",
            "`.trilist.toml`, left out: 5 more lines",
        ]
    );
}

#[test]
fn a_trees_own_configuration_that_is_bad_stops_nothing() {
    let right = ["b.bak", "c.txt", "dist/d", "keep.me"];
    let listed = |tree: &Tree| {
        let page = whole(&configured(tree, ""), &files());
        assert_eq!(rows(&page), right);
        page.notices
    };
    let with = |text: &[u8]| listed(&tree().file(".trilist.toml", text).build());
    let bad = "`.trilist.toml` is not in force: line 2 cannot be used";
    assert_eq!(with(b"\n[limits\n"), [bad]);
    assert_eq!(with(b"[limits]\nlimt = 1\n"), [bad]);
    assert_eq!(with(b"\n\xff"), [bad]);
    assert_eq!(
        with(b"[limits]\nlimit = \"1\"\n"),
        ["`.trilist.toml`, left out: line 2: `limits.limit` cannot be used"]
    );
    assert_eq!(
        with(&vec![b'#'; (64 << 10) + 1]),
        ["`.trilist.toml` is not in force: it is larger than 65536 bytes"]
    );
    let is =
        |kind: &str| format!("`.trilist.toml` is not in force: it is a {kind}, not a regular file");
    assert_eq!(listed(&tree().fifo(".trilist.toml").build()), [is("pipe, socket or device")]);
    assert_eq!(listed(&tree().dir(".trilist.toml").build()), [is("directory")]);
    // A link is not followed, wherever it leads.
    let linked = tree().file("real", "").symlink(".trilist.toml", "real").remove("real").build();
    assert_eq!(listed(&linked), [is("link")]);
}

#[test]
fn a_host_that_does_not_ask_for_it_reads_no_trees_configuration() {
    let tree = tree().file(".trilist.toml", "[ignore]\npatterns = [\"*\"]\n").build();
    let page = whole(&crate::harness::lister(tree.path()), &files());
    assert_eq!(rows(&page), ["b.bak", "c.txt", "dist/d", "keep.me"]);
}
