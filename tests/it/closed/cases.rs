//! Requests for closed directories, and listings that meet one.

use std::path::PathBuf;

use trilist::{
    Cancel, Cursor, ListRequest, Lister, Mode, OpenError, PathArg, Policy, RelPath, Skip,
};
use trilist_tests::TreeBuilder;

use super::{denying, is_denied, safe, says_denied};
use crate::harness::{MODES, Right, ask, check_with, omitted, page, policy, rows, whole};

#[test]
fn a_closed_directory_on_the_way_is_one_row_in_every_mode() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    let fs = [
        ".git/ protected",
        "link@",
        "public/",
        "public/a",
        "public/b",
        "public/out@",
        "secrets/ protected",
        "sub/",
        "sub/secrets/ protected",
        "sub/z",
    ];
    check_with(&lister, &ask(Mode::Fs, "."), Right::rows(&fs));
    let files = [
        "link@",
        "public/a",
        "public/b",
        "public/out@",
        "secrets/ protected",
        "sub/secrets/ protected",
        "sub/z",
    ];
    let git = ["protected 1: .git/"];
    check_with(&lister, &ask(Mode::Files, "."), Right::rows(&files).omitted(&git));
    let vcs = ["public/a", "public/b", "secrets/ protected", "sub/secrets/ protected", "sub/z"];
    check_with(&lister, &ask(Mode::Vcs, "."), Right::rows(&vcs));
    // Also where a depth, a link or a switch would enter it.
    let follow = ListRequest { follow_symlinks: true, depth: Some(9), ..ask(Mode::Fs, ".") };
    let followed = rows(&whole(&lister, &follow));
    assert!(followed.contains(&"link@ protected".to_owned()), "{followed:?}");
    assert!(followed.contains(&"public/out@ protected".to_owned()), "{followed:?}");
    assert!(!followed.iter().any(|row| row.contains("key") || row.contains("deep")));
    let everything = crate::harness::everything(".");
    assert!(!rows(&whole(&lister, &everything)).iter().any(|row| row.contains("key")));
    let keep = trilist::IgnorePolicy { keep: vec!["**".to_owned()], ..Default::default() };
    for mode in MODES {
        let kept = ListRequest { ignore: keep.clone(), ..ask(*mode, ".") };
        assert!(!rows(&whole(&lister, &kept)).iter().any(|row| row.contains("key")), "{mode}");
    }
}

#[test]
fn a_closed_directory_is_asked_for_in_vain_however_it_is_spelled() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    let absolute = tree.path().join("secrets").into_os_string().into_string().unwrap();
    let spellings = [
        "secrets",
        "secrets/",
        "./secrets//",
        "public/../secrets",
        "secrets/.",
        "secrets/deep",
        "secrets/deep/..",
        "sub/secrets",
        "\"secrets\"",
        "\"secrets\"/",
        "\"\\163ecrets\"",
        "SECRETS",
        "link",
        "link/",
        "link/deep",
        "public/out",
        // What does not exist there is not told, nor what is like it.
        "secrets/none",
        "secrets/kez",
        "secrets/key",
        "secrets/key/x",
        "link/kez",
        "link/key",
        "link/key/x",
        absolute.as_str(),
    ];
    for mode in MODES {
        for path in spellings {
            let request = ask(*mode, path);
            is_denied(&lister, &request);
            let streamed = lister
                .stream(&request, &Cancel::new(), &mut |_| std::ops::ControlFlow::Continue(()));
            says_denied(&streamed.unwrap_err());
        }
    }
    // A way that leads by it and out again goes nowhere it should not.
    assert_eq!(rows(&page(&lister, &ask(Mode::Fs, "secrets/../sub"))), ["secrets/ protected", "z"]);
}

#[test]
fn a_name_that_is_denied_is_closed_wherever_it_leads() {
    let tree = safe();
    let lister = denying(tree.path(), &["link"]);
    is_denied(&lister, &ask(Mode::Fs, "link"));
    is_denied(&lister, &ask(Mode::Fs, "link/deep"));
    assert_eq!(rows(&page(&lister, &ask(Mode::Files, "secrets"))), ["deep/x", "key"]);
    let follow = ListRequest { follow_symlinks: true, ..ask(Mode::Fs, ".") };
    let found = rows(&page(&lister, &follow));
    assert!(found.contains(&"link@ protected".to_owned()), "{found:?}");
    // A file of that name is no directory.
    let lister = denying(tree.path(), &["key"]);
    assert_eq!(rows(&page(&lister, &ask(Mode::Files, "secrets"))), ["deep/x", "key"]);
}

#[test]
fn patterns_close_the_same_however_their_slashes_are_spelled() {
    let tree = TreeBuilder::new().file("a/b/key", "").file("x/a/b/key", "").build();
    let absolute = |below: &str| format!("{}{below}", tree.path().display());
    let spelled = ["a//b", "a/./b", "./a/./b", "./a//b/", "a/b/.", "a/b//**", "a/./b/**/"];
    let whole_paths = [absolute("//a/b"), absolute("/./a/b/"), format!("/{}", absolute("/a/b/."))];
    let closed = ["a/", "a/b/ protected", "x/", "x/a/", "x/a/b/", "x/a/b/key"];
    let deep = ListRequest { depth: Some(9), ..ask(Mode::Fs, ".") };
    for pattern in spelled {
        check_with(&denying(tree.path(), &[pattern]), &deep, Right::rows(&closed));
    }
    for pattern in &whole_paths {
        check_with(&denying(tree.path(), &[pattern]), &deep, Right::rows(&closed));
    }
    let closed = ["a/", "a/b/ protected", "x/", "x/a/", "x/a/b/ protected"];
    for pattern in ["b//", "b/.", "b/./", "b/./**"] {
        check_with(&denying(tree.path(), &[pattern]), &deep, Right::rows(&closed));
        let allow = Policy { allow: vec![pattern.to_owned()], ..policy() };
        let lister = Lister::open(&[tree.path()], allow).unwrap();
        check_with(&lister, &ask(Mode::Fs, "a/b"), Right::rows(&["key"]));
        is_denied(&lister, &ask(Mode::Fs, "a"));
    }
    for pattern in ["../a", "a/../b", "/a/..", "a/{b,..}", "a{/,/b}/c"] {
        for (deny, allow) in [(vec![pattern], vec![]), (vec![], vec![pattern])] {
            let texts = |all: Vec<&str>| all.into_iter().map(str::to_owned).collect();
            let closed = Policy { deny: texts(deny), allow: texts(allow), ..policy() };
            let error = Lister::open(&[tree.path()], closed).err().unwrap();
            assert!(matches!(error, OpenError::Policy { .. }), "{pattern}: {error}");
        }
    }
}

#[test]
fn patterns_are_names_paths_below_a_root_or_whole_paths() {
    let tree = safe();
    let here = tree.path().display().to_string();
    let closed = |pattern: &str| -> Vec<String> {
        let lister = denying(tree.path(), &[pattern]);
        let page = whole(&lister, &ListRequest { depth: Some(9), ..ask(Mode::Fs, ".") });
        let shut = page.entries.iter().filter(|entry| entry.skipped == Some(Skip::Protected));
        shut.map(|entry| entry.path.clone()).filter(|path| path != ".git").collect()
    };
    for (pattern, right) in [
        ("secrets", &["secrets", "sub/secrets"][..]),
        ("secrets/", &["secrets", "sub/secrets"]),
        ("secrets/**", &["secrets", "sub/secrets"]),
        ("sec*", &["secrets", "sub/secrets"]),
        ("Secrets", &["secrets", "sub/secrets"]),
        ("./secrets", &["secrets"]),
        ("sub/secrets", &["sub/secrets"]),
        ("*/secrets", &["sub/secrets"]),
        ("**/secrets", &["secrets", "sub/secrets"]),
        ("secrets/deep", &["secrets/deep"]),
        ("/secrets", &[]),
        ("public/a", &[]),
    ] {
        assert_eq!(closed(pattern), right, "{pattern}");
    }
    assert_eq!(closed(&format!("{here}/secrets")), ["secrets"]);
    assert_eq!(closed(&format!("{here}/*/secrets/**")), ["sub/secrets"]);
    // A whole path may close a root; a name does not, for the host has opened it.
    is_denied(&denying(tree.path(), &[&here]), &ask(Mode::Fs, "."));
    let name = tree.path().file_name().unwrap().to_str().unwrap();
    assert!(!rows(&page(&denying(tree.path(), &[name]), &ask(Mode::Fs, "."))).is_empty());
    // Of a root in a closed directory of another one the same is true.
    let roots = [tree.path().to_path_buf(), tree.join("secrets")];
    let deny = vec!["secrets".to_owned()];
    let nested = Lister::open(&roots, Policy { deny, ..policy() }).unwrap();
    let deep = format!("{here}/secrets/deep");
    assert_eq!(rows(&page(&nested, &ask(Mode::Files, &deep))), ["x"]);
    is_denied(&nested, &ask(Mode::Files, "secrets/deep"));
    is_denied(&nested, &ask(Mode::Files, "sub/secrets"));
}

#[test]
fn only_what_is_allowed_is_listed() {
    let tree = safe();
    let allow = vec!["public".to_owned(), "sub/**".to_owned()];
    let lister = |deny: Vec<String>| {
        Lister::open(&[tree.path()], Policy { allow: allow.clone(), deny, ..policy() }).unwrap()
    };
    let open = lister(Vec::new());
    assert_eq!(rows(&page(&open, &ask(Mode::Files, "public"))), ["a", "b", "out@"]);
    assert_eq!(rows(&page(&open, &ask(Mode::Vcs, "sub"))), ["secrets/pin", "z"]);
    for path in [".", "secrets", "link", "public/out", "public/..", "none", "publik"] {
        is_denied(&open, &ask(Mode::Fs, path));
    }
    let error = open.list(&ask(Mode::Fs, "."), &Cancel::new()).unwrap_err();
    assert!(error.hint().unwrap().contains("`public`, `sub`"), "{:?}", error.hint());
    // A link that leads out of what is allowed is not followed.
    let follow = ListRequest { follow_symlinks: true, ..ask(Mode::Fs, "public") };
    assert_eq!(rows(&page(&open, &follow)), ["a", "b", "out@ protected"]);
    // The whole repository is more than that.
    let inventory = ListRequest { subtree: false, ..ask(Mode::Vcs, "public") };
    is_denied(&open, &inventory);
    // What is denied is denied all the same.
    let both = lister(vec!["secrets".to_owned()]);
    assert_eq!(rows(&page(&both, &ask(Mode::Vcs, "sub"))), ["secrets/ protected", "z"]);
    is_denied(&both, &ask(Mode::Vcs, "sub/secrets"));
    // Case counts.
    is_denied(&open, &ask(Mode::Fs, "PUBLIC"));
}

#[test]
fn a_tracked_directory_that_is_gone_from_disk_is_closed_too() {
    let tree = safe();
    std::fs::remove_dir_all(tree.join("secrets")).unwrap();
    std::fs::remove_file(tree.join("sub/z")).unwrap();
    let lister = denying(tree.path(), &["secrets"]);
    for path in ["secrets", "secrets/deep", "public/../secrets/", "secrets/none"] {
        is_denied(&lister, &ask(Mode::Vcs, path));
    }
    let right = ["public/a", "public/b", "secrets/ protected", "sub/secrets/ protected", "sub/z"];
    check_with(&lister, &ask(Mode::Vcs, "."), Right::rows(&right));
    // A name that sorts between the directory and its contents has to wait for its row.
    let tree = TreeBuilder::new().repo().files(["s/x", "s-y", "s.z", "t"]).commit("one").build();
    let lister = denying(tree.path(), &["s"]);
    check_with(&lister, &ask(Mode::Vcs, "."), Right::rows(&["s/ protected", "s-y", "s.z", "t"]));
}

#[test]
fn a_cursor_opens_nothing() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    for mode in MODES {
        let first = page(&lister, &ListRequest { limit: Some(1), ..ask(*mode, "public") });
        let honest = Cursor::decode(&first.next_cursor.unwrap()).unwrap();
        let forged = |change: &dyn Fn(&mut Cursor)| {
            let mut cursor = honest.clone();
            change(&mut cursor);
            ListRequest { cursor: cursor.encode(), ..ask(*mode, ".") }
        };
        for path in ["secrets", "secrets/deep", "link", "public/../secrets"] {
            is_denied(&lister, &forged(&|cursor| cursor.request.path = path.into()));
        }
        // A place to go on at is only compared.
        for after in ["secrets", "secrets/deep", "secrets/a"] {
            let request = forged(&|cursor| {
                cursor.request.path = PathArg::default();
                cursor.after = RelPath::new(after.as_bytes()).unwrap().to_buf();
            });
            let found = rows(&page(&lister, &request));
            let is_closed = |row: &String| row.contains("key") || row.contains("deep");
            assert!(!found.iter().any(is_closed), "{mode} {after}: {found:?}");
        }
    }
}

#[test]
fn what_is_too_wide_is_refused_unless_it_is_a_root() {
    let tree = TreeBuilder::new().files(["home/me/x", "home/you/y"]).build();
    tree.join("home");
    let home = tree.join("home/me");
    let lister = |roots: &[PathBuf], refused: Vec<PathBuf>| {
        Lister::open(roots, Policy { refused, ..policy() }).unwrap()
    };
    let top = [tree.path().to_path_buf()];
    let careful = lister(&top, vec![home.clone()]);
    is_denied(&careful, &ask(Mode::Fs, "home/me"));
    is_denied(&careful, &ask(Mode::Fs, "home/me/"));
    // It is what is asked for that is refused, not what is met.
    assert_eq!(rows(&page(&careful, &ask(Mode::Files, "home"))), ["me/x", "you/y"]);
    assert_eq!(rows(&page(&careful, &ask(Mode::Fs, "home/you"))), ["y"]);
    // A host that opens it has said that it may be listed.
    let roots = [tree.path().to_path_buf(), home.clone()];
    let asked = ask(Mode::Fs, home.to_str().unwrap());
    assert_eq!(rows(&page(&lister(&roots, vec![home.clone()]), &asked)), ["x"]);
    let own = lister(std::slice::from_ref(&home), vec![home.clone()]);
    assert_eq!(rows(&page(&own, &ask(Mode::Fs, "."))), ["x"]);
    // A linked spelling is the same place.
    std::os::unix::fs::symlink("home/me", tree.join("linked")).unwrap();
    let linked = lister(&top, vec![tree.join("linked")]);
    is_denied(&linked, &ask(Mode::Fs, "home/me"));
    is_denied(&linked, &ask(Mode::Fs, "linked"));
    // The root of the file system is one, without a word.
    assert_eq!(Policy::default().refused, [PathBuf::from("/")]);
    let whole = Lister::open(&["/"], policy()).unwrap();
    let shallow = ListRequest { limit: Some(1), depth: Some(1), ..ask(Mode::Fs, "/") };
    assert_eq!(page(&whole, &shallow).root, "/");
}

#[test]
fn protected_names_are_the_hosts_to_choose() {
    let tree = TreeBuilder::new()
        .repo()
        .files([".tool/state", "src/.tool/cache", "src/a", "b"])
        .commit("one")
        .build();
    let protected = vec![".git".to_owned(), ".tool".to_owned()];
    let lister = Lister::open(&[tree.path()], Policy { protected, ..policy() }).unwrap();
    let fs = [".git/ protected", ".tool/ protected", "b", "src/", "src/.tool/ protected", "src/a"];
    check_with(&lister, &ask(Mode::Fs, "."), Right::rows(&fs));
    let (right, out) = (["b", "src/a"], ["protected 3: .git/ .tool/ src/.tool/"]);
    check_with(&lister, &ask(Mode::Files, "."), Right::rows(&right).omitted(&out));
    let out = ["protected 2: .tool/ src/.tool/"];
    check_with(&lister, &ask(Mode::Vcs, "."), Right::rows(&right).omitted(&out));
    // To ask by name is consent, unless the name is denied as well.
    assert_eq!(rows(&page(&lister, &ask(Mode::Files, "src/.tool"))), ["cache"]);
    assert_eq!(rows(&page(&lister, &ask(Mode::Vcs, ".tool"))), ["state"]);
    is_denied(&denying(tree.path(), &[".git"]), &ask(Mode::Fs, ".git"));
    is_denied(&denying(tree.path(), &[".git"]), &ask(Mode::Fs, ".git/objects"));
}

#[test]
fn a_policy_that_cannot_be_meant_is_refused() {
    let tree = safe();
    let open = |policy: Policy| Lister::open(&[tree.path()], policy).map(|_| ()).unwrap_err();
    let bad = |text: &str| vec!["fine".to_owned(), text.to_owned()];
    for text in ["", "/", "[", "a{b"] {
        for (field, policy) in [
            ("deny", Policy { deny: bad(text), ..policy() }),
            ("allow", Policy { allow: bad(text), ..policy() }),
        ] {
            let error = open(policy);
            assert!(matches!(&error, OpenError::Policy { field: at, .. } if *at == field));
            assert!(error.to_string().contains(field), "{error}");
        }
    }
    for name in ["", "a/b"] {
        let error = open(Policy { protected: bad(name), ..policy() });
        assert!(matches!(error, OpenError::Policy { field: "protected", .. }), "{error}");
    }
}

#[test]
fn omissions_are_counted_beside_closed_rows() {
    let tree = safe();
    let lister = denying(tree.path(), &["secrets"]);
    let files = ListRequest { pattern: vec!["z".to_owned()], ..ask(Mode::Vcs, ".") };
    let found = whole(&lister, &files);
    assert_eq!(rows(&found), ["sub/z"]);
    let right = ["protected 2: secrets/ sub/secrets/", "pattern 2: public/a public/b"];
    assert_eq!(omitted(&found), right);
}
