//! What may be listed, by options and by the user's configuration.

use insta::assert_snapshot;
use trilist_tests::{Tree, TreeBuilder};

use crate::support::trilist;

fn tree() -> Tree {
    TreeBuilder::new().repo().files(["src/a", "keys/pem", "docs/b"]).commit("one").build()
}

#[test]
fn options_close_directories() {
    let tree = tree();
    assert_snapshot!(trilist(&tree).args(["--deny", "keys", "-I"]).ok(), @r"
    /repo  mode=fs depth=2
    .git/ [skipped: protected]
    docs/
      b
    keys/ [skipped: protected]
    src/
      a
    6 entries, complete. Left out: nothing.
    ");
    let right = "denied_by_policy: the host's policy does not allow listing `/repo/keys`. The host \
                 keeps it closed, with everything below; list another directory.\n";
    for mode in ["fs", "files", "vcs"] {
        let answer = trilist(&tree).args(["-m", mode, "--deny", "keys", "--no-config", "keys"]);
        assert_eq!(answer.exits(3).stderr, right, "{mode}");
    }
    let allowed = trilist(&tree).args(["--allow", "src", "--allow", "docs", "-1", "src"]).ok();
    assert_eq!(allowed.stdout, "a\n");
    let answer = trilist(&tree).args(["--allow", "src", "--json"]).exits(3).json();
    assert_eq!(answer["error"]["code"], "denied_by_policy");
    let compared = trilist(&tree).args(["compare", "--deny", "keys", "--same", "--json"]).ok();
    assert!(!compared.stdout.contains("pem"));
    let explained = trilist(&tree).args(["explain", "--deny", "keys", "keys/pem", "-m", "fs"]).ok();
    assert_snapshot!(explained, @r"
    keys/pem
      fs     not listed (protected): it lies below `keys`, which the host keeps closed: not entered.
    ");
    let bad = trilist(&tree).args(["--deny", "["]).exits(2);
    assert!(bad.stderr.contains("the policy's `deny` cannot be used"), "{bad}");
}

#[test]
fn the_users_file_closes_and_the_trees_does_not() {
    let tree = tree();
    let home = tree.outside().join("home");
    std::fs::create_dir_all(home.join(".config/trilist")).unwrap();
    let user = "[policy]\ndeny = [\"keys\"]\nprotected = [\"docs\"]\n";
    std::fs::write(home.join(".config/trilist/config.toml"), user).unwrap();
    std::fs::write(tree.join(".trilist.toml"), "[policy]\ndeny = [\"src\"]\n").unwrap();
    let at_home = || trilist(&tree).env("HOME", home.to_str().unwrap());
    assert_snapshot!(at_home().args(["-m", "files"]).ok(), @r"
    /repo  mode=files
    .trilist.toml
    keys/ [skipped: protected]
    src/
      a
    3 entries, complete. Left out: 2 protected (.git/, docs/).
    Notice: `.trilist.toml`, left out: line 2: `policy.deny` is the host's to set
    ");
    at_home().arg("keys").exits(3);
    at_home().args(["keys", "--no-config"]).ok();
}

#[test]
fn the_home_is_listed_as_a_root_and_refused_as_a_path() {
    let tree = TreeBuilder::new().files(["home/me/x", "home/you/y"]).build();
    let home = tree.join("home/me").into_os_string().into_string().unwrap();
    let at_home = || trilist(&tree).env("HOME", &home);
    assert_eq!(at_home().args(["-1", &home]).ok().stdout, "x\n");
    let refused = at_home().args(["--root", ".", "home/me"]).exits(3);
    assert!(refused.stderr.contains("too wide"), "{refused}");
    assert_eq!(at_home().args(["-1", "--root", ".", "home/you"]).ok().stdout, "y\n");
}
