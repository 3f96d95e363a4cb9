//! What paths resolve to.

use std::fs;

use crate::support::{Tree, WAYS, check, outcome};

#[test]
fn t01_sibling_prefix() {
    let tree = Tree::new();
    fs::create_dir(tree.outside.join("rootless")).expect("it is new");
    check(&tree, &[("../rootless", "outside"), ("../root", "outside")]);
    for way in WAYS {
        let sibling = tree.outside.join("rootless");
        let sibling = sibling.as_os_str().as_encoded_bytes();
        assert_eq!(tree.root(way).relative(sibling), None);
    }
}

#[test]
fn t02_dot_dot() {
    let tree = Tree::new();
    tree.dirs(&["a/b"]);
    check(
        &tree,
        &[
            ("..", "outside"),
            ("../x", "outside"),
            ("../", "outside"),
            ("a/../../x", "outside"),
            ("a/b/../../../root/a", "outside"),
            ("missing/../../x", "outside"),
            ("missing/x/../y", "missing missing in "),
            ("/", "outside"),
            ("/etc", "outside"),
        ],
    );
    let many = "a/../".repeat(800);
    check(&tree, &[(many.trim_end_matches('/'), "dir ")]);
    check(&tree, &[(&"a/../".repeat(2000), "too long")]);
    let (longest, longer) = ("/.".repeat(2047), "/.".repeat(2048));
    check(&tree, &[(&format!("a{longest}/"), "dir a")]);
    check(&tree, &[(&format!("a{longer}"), "too long")]);
}

#[test]
fn t03_harmless_dots() {
    let tree = Tree::new();
    tree.dirs(&["..name", "a/c", "b", "..."]).file("f", "");
    check(
        &tree,
        &[
            ("", "dir "),
            (".", "dir "),
            ("./", "dir "),
            ("..name", "dir ..name"),
            ("...", "dir ..."),
            ("a/../b", "dir b"),
            ("a//c/", "dir a/c"),
            ("a/./c/.", "dir a/c"),
            ("a/c/..", "dir a"),
            ("missing/../b", "missing missing in "),
            ("f/../b", "file f"),
            ("f/.", "file f"),
        ],
    );
}

#[test]
fn t04_odd_strings() {
    let tree = Tree::new();
    tree.dirs(&["a"]);
    let long = "n".repeat(300);
    check(
        &tree,
        &[
            ("a\0b", "nul"),
            ("%2e%2e", "missing %2e%2e in "),
            ("~", "missing ~ in "),
            ("a\\b", "missing a\\b in "),
            ("a/x/y", "missing x in a"),
            (&long, "ENAMETOOLONG"),
        ],
    );
}

#[test]
fn t05_link_out() {
    let tree = Tree::new();
    fs::create_dir(tree.outside.join("secret")).expect("it is new");
    tree.dirs(&["d"]);
    tree.link("l", "/etc").link("d/up", "../../secret");
    check(
        &tree,
        &[
            ("l", "outside"),
            ("l/", "outside"),
            ("l/x", "outside"),
            ("l/../d", "outside"),
            ("d/up", "outside"),
            ("d/up/../root", "outside"),
        ],
    );
}

#[test]
fn t06_out_and_back() {
    let tree = Tree::new();
    tree.dirs(&["sub"]).link("l", "../root/sub");
    let absolute = tree.inside.join("sub");
    tree.link("absolute", absolute);
    check(&tree, &[("l", "outside"), ("absolute", "outside")]);
}

#[test]
fn t07_inside_link() {
    let tree = Tree::new();
    tree.dirs(&["a/b/c", "x"]).file("f", "");
    tree.link("l", "a/b").link("x/up", "../l/c").link("x/f", "../f");
    tree.link("to_root", ".").link("x/slash", "../a/b/");
    check(
        &tree,
        &[
            ("l", "dir a/b"),
            ("l/c", "dir a/b/c"),
            // `..` goes up from where the link leads.
            ("l/..", "dir a"),
            ("x/up", "dir a/b/c"),
            ("x/up/../../..", "dir "),
            ("x/up/../../../..", "outside"),
            ("to_root/to_root/x", "dir x"),
            ("x/slash", "dir a/b"),
            ("x/f", "file f"),
            ("x/f/y", "file f"),
        ],
    );
}

#[test]
fn t08_loops() {
    let tree = Tree::new();
    tree.link("a", "a").link("b", "c").link("c", "b");
    tree.dirs(&["end"]).link("n1", "end");
    for n in 2..=41 {
        tree.link(&format!("n{n}"), format!("n{}", n - 1));
    }
    check(&tree, &[("a", "ELOOP"), ("b/x", "ELOOP"), ("n40", "dir end"), ("n41", "ELOOP")]);
}

#[test]
fn t08_link_that_multiplies_steps() {
    let tree = Tree::new();
    let down = "d/".repeat(700);
    tree.dirs(&[&down]);
    // Each link goes down 700 levels and up and down again: 40 of them would take minutes.
    let wave = format!("{down}{}", "../d/".repeat(500));
    let back = "../".repeat(700);
    for n in 0..40 {
        let next = if n == 0 { "." } else { &format!("w{}", n - 1) };
        tree.link(&format!("w{n}"), format!("{next}/{wave}../"));
        tree.link(&format!("v{n}"), &back[..back.len() - 1]);
    }
    let started = std::time::Instant::now();
    check(&tree, &[("w30", "ELOOP")]);
    assert!(started.elapsed().as_secs() < 20, "the steps are bounded");
}

#[test]
fn t09_magic_links() {
    let tree = Tree::new();
    tree.link("proc_root", "/proc/self/root");
    check(&tree, &[("proc_root", "outside"), ("proc_root/etc", "outside")]);
}

#[test]
#[cfg(target_os = "linux")]
fn t09_magic_links_inside_a_root_on_proc() {
    for way in WAYS {
        let root = crate::support::open(std::path::Path::new("/proc"), way);
        assert!(root.dir().expect("it is readable").is_pseudo().expect("known"));
        let (read, _write) = std::io::pipe().expect("a pipe can be made");
        let pipe = std::os::fd::AsRawFd::as_raw_fd(&read);
        for link in ["root", "cwd", "exe", "ns/mnt", &format!("fd/{pipe}")] {
            let got = outcome(&root, format!("self/{link}").as_bytes());
            assert_eq!(got, "outside", "{link}, {way:?}");
        }
        // An ordinary link of the same file system.
        let own = format!("dir {}/net", std::process::id());
        assert_eq!(outcome(&root, b"self/net"), own);
    }
}

#[test]
fn t10_present_and_absent_targets_reply_alike() {
    let tree = Tree::new();
    fs::create_dir(tree.outside.join("present")).expect("it is new");
    tree.file("../file", "");
    tree.link("p", "../present").link("f", "../file").link("n", "../nothing");
    tree.link("ap", "/etc").link("an", "/nothing-of-that-name");
    for way in WAYS {
        let root = tree.root(way);
        let reply =
            |asked: &str| root.resolve(asked.as_bytes()).expect_err("it leads out").to_string();
        for asked in ["p", "f", "n", "ap", "an", "../present", "../nothing", "p/x", "n/x"] {
            assert_eq!(reply(asked), "the path leads outside the root", "{asked}");
        }
    }
}

#[test]
fn both_ways_agree_on_random_paths() {
    let tree = Tree::new();
    tree.dirs(&["a/b/c", "a/d", "e"]).file("a/f", "").file("g", "");
    tree.link("a/up", "..").link("a/b/over", "../../e").link("e/back", "../a/b");
    tree.link("out", "../outside").link("e/abs", "/").link("a/gone", "nothing");
    tree.link("loop", "e/loop").link("e/loop", "../loop");
    tree.fifo("a/pipe");
    let parts = [
        "a", "b", "c", "d", "e", "f", "g", "up", "over", "back", "out", "abs", "gone", "loop",
        "pipe", "..", "..", ".", "", "no",
    ];
    let [kernel, stepwise] = WAYS.map(|way| tree.root(way));
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 40).expect("24 bits fit") % below
    };
    let mut found = 0;
    for _ in 0..20_000 {
        let count = 1 + random(7);
        let asked: Vec<_> = (0..count).map(|_| parts[random(parts.len())]).collect();
        let asked = asked.join("/");
        let got = outcome(&kernel, asked.as_bytes());
        assert_eq!(got, outcome(&stepwise, asked.as_bytes()), "{asked}");
        // The system's own answer, where the path stays inside all the way.
        if let Some(path) = got.strip_prefix("dir ") {
            found += 1;
            let by_system = tree.inside.join(&asked).canonicalize().expect("it resolved");
            assert_eq!(
                by_system,
                tree.inside.join(path).components().collect::<std::path::PathBuf>()
            );
        }
    }
    assert!(found > 500, "only {found} paths existed");
}
