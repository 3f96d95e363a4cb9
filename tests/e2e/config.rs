//! Configuration: the user's, the tree's, and what shows it.

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::{Run, trilist};

/// A tree with a home beside it.
fn homed(user: &str) -> Tree {
    let tree = TreeBuilder::new()
        .repo()
        .file(".trilist.toml", "[ignore]\npatterns = [\"*.bak\"]\nkeep = [\"*\"]\n")
        .files(["a.bak", "b.log", "config/inside", "sub/c"])
        .build();
    let dir = tree.outside().join("home/.config/trilist");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), user).unwrap();
    tree
}

fn at_home<'t>(tree: &'t Tree) -> Run<'t> {
    let home = tree.outside().join("home");
    trilist(tree).env("HOME", home.to_str().unwrap())
}

const USER: &str = "[limits]\nlimit = 50\n\n[ignore]\npatterns = [\"*.log\"]\n\n[builtin]\nreplace = [\"venv\"]\nextend = [\"dist\"]\n";

#[test]
fn config_shows_what_is_in_force_and_where_it_comes_from() {
    let tree = homed(USER);
    assert_snapshot!(at_home(&tree).arg("config").ok(), @r#"
    # user: /around/home/.config/trilist/config.toml
    # tree: /repo/.trilist.toml
    # Notice: `.trilist.toml`, left out: line 3: `ignore.keep` would widen the listing

    [limits]
    limit = 50                       # user
    max_limit = 1000                 # default
    # max_bytes is not set           # default
    deadline_ms = 10000              # default
    max_deadline_ms = 60000          # default
    scan_cap = 5000000               # default

    [ignore]
    # builtin is not set             # default
    # git is not set                 # default
    # dot_ignore is not set          # default
    global_excludes = false          # default
    tool_files = []                  # default
    patterns = [
      "*.log",                       # user
      "*.bak",                       # tree
    ]
    keep = []                        # default
    show = "omit"                    # default

    [policy]
    deny = []                        # default
    allow = []                       # default
    protected = [
      ".git",                        # default
    ]

    [builtin]
    replace = [
      "venv",                        # user
    ]
    extend = [
      "dist",                        # user
    ]
    # Together, the directories that are shown without being entered:
    # "venv"                         # user
    # "dist"                         # user
    "#);
    let plain = at_home(&tree).args(["config", "--no-config", "sub"]).ok();
    assert!(plain.stdout.starts_with("# user: none\n# tree: none\n\n[limits]\nlimit = 100 "));
    let json = at_home(&tree).args(["config", "--json"]).ok().json();
    assert_eq!(json["files"]["user"], "/around/home/.config/trilist/config.toml");
    assert_eq!(json["files"]["tree"], "/repo/.trilist.toml");
    let settings = json["settings"].as_array().unwrap();
    let find = |name: &str| settings.iter().find(|setting| setting["name"] == name).unwrap();
    assert_eq!(find("limits.limit")["value"], 50);
    assert_eq!(find("limits.limit")["from"], "user");
    assert_eq!(find("ignore.patterns")["value"][1]["from"], "tree");
    assert_eq!(json["notices"].as_array().unwrap().len(), 1);
}

#[test]
fn what_config_prints_is_a_configuration_that_sets_the_same() {
    for user in [USER, ""] {
        sets_the_same(&homed(user));
    }
}

fn sets_the_same(tree: &Tree) {
    let printed = at_home(tree).args(["config", "--root", "sub"]).ok().stdout;
    let again = homed(&printed);
    let second = at_home(&again).args(["config", "--root", "sub"]).ok().stdout;
    let values = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split(" #").next().unwrap().trim_end().to_owned()).collect()
    };
    assert_eq!(values(&printed), values(&second));
}

#[test]
fn both_configurations_count_unless_told_otherwise() {
    let tree = homed(USER);
    let listed = |args: &[&str]| {
        let answer = at_home(&tree).args(["-m", "files", "-1", "--no-hidden"]).args(args).ok();
        answer.lines().join(" ")
    };
    assert_eq!(listed(&[]), "config/inside sub/c");
    assert_eq!(listed(&["--no-config"]), "a.bak b.log config/inside sub/c");
    assert_eq!(listed(&["-I"]), "a.bak b.log config/inside sub/c");
}

#[test]
fn a_directory_called_config_is_listed_by_its_path() {
    let tree = homed("");
    assert_snapshot!(at_home(&tree).args(["--no-config", "./config"]).ok(), @"
    /repo/config  mode=fs depth=2
    inside
    1 entry, complete. Left out: nothing.
    ");
    // A verb stands first; behind options the word is a path.
    assert_eq!(at_home(&tree).args(["-1", "config"]).ok().stdout, "inside\n");
}

#[test]
fn a_configuration_that_cannot_be_used_is_told() {
    let tree = homed("[limits]\nlimt = 5\n");
    assert_snapshot!(at_home(&tree).exits(2), @"
    --- standard error
    invalid_argument: /around/home/.config/trilist/config.toml, line 2: there is no key `limits.limt`. Did you mean `limits.limit`?
    ");
    assert_snapshot!(at_home(&tree).args(["config", "--json"]).exits(2), @r#"{"error":{"code":"invalid_argument","message":"/around/home/.config/trilist/config.toml, line 2: there is no key `limits.limt`","hint":"Did you mean `limits.limit`?"}}"#);
    assert_snapshot!(at_home(&homed("[ignore]\ngit = 1\n")).exits(2), @"
    --- standard error
    invalid_argument: /around/home/.config/trilist/config.toml, line 2: `ignore.git` is a number; it must be true or false. Give --no-config to go on without it.
    ");
    at_home(&tree).arg("--no-config").ok();
    assert_snapshot!(at_home(&homed("")).args(["config", "--root", "nowhere"]).exits(4), @"
    --- standard error
    not_found: no root can be opened: `/repo/nowhere`: No such file or directory (os error 2)
    ");
}

#[test]
fn gits_global_excludes_count_on_request() {
    let tree = TreeBuilder::new().repo().files(["a.log", "b.tmp", "c.txt"]).build();
    let home = tree.outside().join("home");
    std::fs::create_dir_all(home.join(".config/git")).unwrap();
    std::fs::create_dir_all(home.join("xdg/git")).unwrap();
    std::fs::write(home.join(".config/git/ignore"), "*.log\n").unwrap();
    std::fs::write(home.join("xdg/git/ignore"), "*.txt\n").unwrap();
    let listed = |more: &[&str], xdg: &str| {
        let run = at_home(&tree).args(["-m", "files", "-1"]).args(more);
        let run = if xdg.is_empty() { run } else { run.env("XDG_CONFIG_HOME", xdg) };
        run.ok().lines().join(" ")
    };
    let xdg = home.join("xdg");
    assert_eq!(listed(&[], ""), "a.log b.tmp c.txt");
    assert_eq!(listed(&["--global-excludes"], ""), "b.tmp c.txt");
    assert_eq!(listed(&["--global-excludes"], xdg.to_str().unwrap()), "a.log b.tmp");
    assert_eq!(listed(&["--global-excludes", "--no-gitignore"], ""), "a.log b.tmp c.txt");
    // What git's own configuration names comes before the usual place; the home's before the other.
    std::fs::write(home.join("named"), "*.tmp\n").unwrap();
    std::fs::write(home.join(".config/git/config"), "[core]\nexcludesFile = /nonexistent\n")
        .unwrap();
    assert_eq!(listed(&["--global-excludes"], ""), "a.log b.tmp c.txt");
    std::fs::write(home.join(".gitconfig"), "[core]\n\texcludesfile = ~/named\n").unwrap();
    assert_eq!(listed(&["--global-excludes"], ""), "a.log c.txt");
    let config = home.join(".config/trilist");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "[ignore]\nglobal_excludes = true\n").unwrap();
    assert_eq!(listed(&[], ""), "a.log c.txt");
    // Git says the same of the same home.
    let answer = std::process::Command::new("git")
        .args(["ls-files", "-co", "--exclude-standard"])
        .current_dir(tree.path())
        .env_clear()
        .env("HOME", &home)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(answer.stdout).unwrap(), "a.log\nc.txt\n");
}

#[test]
fn tool_files_and_marks_from_the_command_line() {
    let tree = TreeBuilder::new()
        .repo()
        .file(".toolignore", "/sub/.env.local\nassets/secret.json\n")
        .files(["sub/app.py", "sub/.env.local", "assets/icon", "assets/secret.json"])
        .build();
    let listed = |dir: &str, path: &str| {
        let run = trilist(&tree).in_dir(dir);
        run.args(["-m", "files", "-1", "--ignore-file", ".toolignore", path]).ok().lines().join(" ")
    };
    // TIG-01, with the working directory at the top and below it.
    assert_eq!(listed("", "."), ".toolignore assets/icon sub/app.py");
    assert_eq!(listed("", "sub"), "app.py");
    assert_eq!(listed("", "assets"), "icon");
    assert_eq!(listed("sub", "."), "app.py");
    assert_eq!(listed("sub", ".."), ".toolignore assets/icon sub/app.py");
    let marked = ["-m", "files", "--ignore-file", ".toolignore", "--mark-ignored"];
    assert_snapshot!(trilist(&tree).args(marked).ok(), @"
    /repo  mode=files
    .toolignore
    assets/
      icon
      secret.json [ignored: .toolignore:2]
    sub/
      .env.local [ignored: .toolignore:1]
      app.py
    5 entries, complete. Left out: 1 protected (.git/).
    ");
    assert_snapshot!(trilist(&tree).args(marked).args(["--json", "assets", "-n", "2"]).ok().json()["entries"], @r#"[{"path":"icon","kind":"file","depth":1},{"path":"secret.json","kind":"file","depth":1,"ignored_by":{"source":".toolignore","line":2,"pattern":"assets/secret.json"}}]"#);
}

#[test]
fn the_readmes_marks_are_true() {
    let tree = Tree::build("readme");
    let answer = trilist(&tree).args(["-m", "files", "--mark-ignored", "src"]).ok();
    let readme = std::fs::read_to_string(trilist_tests::workspace().join("README.md")).unwrap();
    let block = format!("$ trilist -m files --mark-ignored /repo/src\n{}```", answer.stdout);
    assert!(readme.contains(&block), "{block}");
}

#[test]
fn the_page_about_configuration_has_every_key_and_its_example_works() {
    let page = trilist_tests::workspace().join("docs/config.md");
    let page = std::fs::read_to_string(page).unwrap();
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let tree = homed(example);
    let json = at_home(&tree).args(["config", "--json"]).ok().json();
    let settings = json["settings"].as_array().unwrap();
    let mut keys: Vec<&str> = settings.iter().map(|one| one["name"].as_str().unwrap()).collect();
    keys.retain(|key| *key != "builtin.names");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.collect::<Vec<_>>(), keys);
    let from_user = settings.iter().filter(|one| one["from"] == "user").count();
    assert_eq!(from_user, 1, "the example sets one single value");
}
