//! Roots whose path leads elsewhere while they are served.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use trilist::{Cancel, ListError, ListRequest, Lister, Mode, PathArg, Policy, View, render};
use trilist_tests::{Tree, TreeBuilder, skip};

use crate::harness::{page, paths};

/// What has this in its name lies outside.
const OUTSIDE: &str = "OUTSIDE";

fn at(path: &Path) -> ListRequest {
    ListRequest::new(Mode::Fs, path.to_str().unwrap())
}

fn open(roots: &[PathBuf]) -> Lister {
    Lister::open(roots, Policy::default()).unwrap()
}

fn is_available(lister: &Lister, root: &Path) -> bool {
    let roots = lister.roots();
    roots.iter().find(|info| info.path == root).unwrap().available
}

/// The root is served, headed by `canonical`, and has these rows.
#[track_caller]
fn check_served(lister: &Lister, root: &Path, canonical: &Path, rows: &[&str]) {
    assert!(is_available(lister, root));
    let page = page(lister, &at(root));
    assert_eq!((page.root.as_str(), paths(&page)), (canonical.to_str().unwrap(), rows.to_vec()));
}

/// The root is unavailable because it leads elsewhere, in every mode and to every question, and
/// nothing tells where it leads.
#[track_caller]
fn check_elsewhere(lister: &Lister, root: &Path, below: &str) {
    let right =
        format!("the root `{}` is not available: its path leads elsewhere now", root.display());
    let check = |error: ListError| {
        assert_eq!((error.code(), error.to_string()), ("io_error", right.clone()));
    };
    assert!(!is_available(lister, root));
    for path in [root.to_path_buf(), root.join(below), root.join("../r/.")] {
        for mode in Mode::ALL {
            let request = ListRequest::new(mode, path.to_str().unwrap());
            check(lister.list(&request, &Cancel::new()).unwrap_err());
            let path = PathArg::from(path.to_str().unwrap());
            let request = ListRequest::new(mode, ".");
            let explained =
                lister.explain(&request, &[mode], std::slice::from_ref(&path), &Cancel::new());
            check(explained.unwrap_err());
            check(lister.look(&path).unwrap_err());
        }
    }
}

/// `d/r` inside and `away` outside, each with a directory `s` and a file of its own.
fn tree() -> Tree {
    TreeBuilder::new().files(["d/r/s/in", &format!("away/s/{OUTSIDE}")]).build()
}

#[test]
fn a_root_replaced_by_a_link_to_elsewhere_is_unavailable_alone_and_beside_others() {
    let (d, r) = ("d", "d/r");
    for roots in [vec![r], vec![d, r], vec![r, d]] {
        let tree = tree();
        let roots: Vec<PathBuf> = roots.iter().map(|root| tree.join(root)).collect();
        let (root, moved) = (tree.join(r), tree.join("d/moved"));
        let lister = open(&roots);
        check_served(&lister, &root, &root, &["s", "s/in"]);
        fs::rename(&root, &moved).unwrap();
        symlink(tree.join("away"), &root).unwrap();
        check_elsewhere(&lister, &root, "s");
        // The root around it goes on: in it the link is a row.
        if roots.len() > 1 {
            assert_eq!(paths(&page(&lister, &at(&tree.join(d)))), ["moved", "moved/s", "r"]);
        }
        // Directories are there again: a new one, and the first.
        fs::remove_file(&root).unwrap();
        fs::create_dir(&root).unwrap();
        fs::write(root.join("new"), "").unwrap();
        check_served(&lister, &root, &root, &["new"]);
        fs::remove_dir_all(&root).unwrap();
        fs::rename(&moved, &root).unwrap();
        check_served(&lister, &root, &root, &["s", "s/in"]);
    }
}

#[test]
fn a_link_to_a_root_must_lead_where_it_led_first() {
    let tree = tree();
    let (link, first) = (tree.join("link"), tree.join("d/r"));
    let point = |target: PathBuf| {
        let _ = fs::remove_file(&link);
        symlink(target, &link).unwrap();
    };
    point(first.clone());
    let lister = open(std::slice::from_ref(&link));
    check_served(&lister, &link, &first, &["s", "s/in"]);
    point(tree.join("away"));
    check_elsewhere(&lister, &link, "s");
    // By another way to the same place, and with another directory in that place.
    symlink("d", tree.join("way")).unwrap();
    point(PathBuf::from("way/r"));
    check_served(&lister, &link, &first, &["s", "s/in"]);
    fs::rename(&first, tree.join("d/moved")).unwrap();
    fs::create_dir(&first).unwrap();
    check_served(&lister, &link, &first, &[]);
    // The link is the same, and the place that it leads to has become a link itself.
    fs::remove_dir(&first).unwrap();
    symlink(tree.join("away"), &first).unwrap();
    check_elsewhere(&lister, &link, "s");
    // The directory itself in the link's place is another path.
    fs::remove_file(&link).unwrap();
    fs::create_dir(&link).unwrap();
    check_elsewhere(&lister, &link, "s");
}

#[test]
fn a_link_above_a_root_must_lead_where_it_led_first() {
    let tree = TreeBuilder::new().files(["d/r/in", &format!("away/r/{OUTSIDE}")]).build();
    let (above, root) = (tree.join("d"), tree.join("d/r"));
    let lister = open(std::slice::from_ref(&root));
    check_served(&lister, &root, &root, &["in"]);
    fs::rename(&above, tree.join("moved")).unwrap();
    symlink("away", &above).unwrap();
    check_elsewhere(&lister, &root, "");
    // The very directory that the host named is still served, wherever it has gone.
    fs::remove_file(&above).unwrap();
    symlink("moved", &above).unwrap();
    check_served(&lister, &root, &root, &["in"]);
    // Another one is not.
    fs::rename(tree.join("moved/r"), tree.join("kept")).unwrap();
    fs::create_dir(tree.join("moved/r")).unwrap();
    check_elsewhere(&lister, &root, "");
}

#[test]
fn a_root_that_comes_late_is_settled_by_its_first_opening() {
    let tree = tree();
    let (late, first) = (tree.join("late"), tree.join("d/r"));
    let lister = open(&[tree.join("d"), late.clone()]);
    assert!(!is_available(&lister, &late));
    symlink(&first, &late).unwrap();
    check_served(&lister, &late, &first, &["s", "s/in"]);
    fs::remove_file(&late).unwrap();
    symlink(tree.join("away"), &late).unwrap();
    check_elsewhere(&lister, &late, "s");
}

#[test]
fn a_root_and_a_link_exchanged_all_the_time_lead_nowhere_else() {
    let tree = tree();
    let (root, link, other) = (tree.join("d/r"), tree.join("d/link"), tree.join("d/other"));
    symlink(tree.join("away"), &link).unwrap();
    fs::create_dir_all(other.join("s")).unwrap();
    let exchange = |one: &Path, other: &Path| {
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
    };
    if !(exchange(&root, &link) && exchange(&root, &link)) {
        return skip("the file system cannot exchange names");
    }
    let lister = open(std::slice::from_ref(&root));
    let stop = AtomicBool::new(false);
    let mut served = 0;
    thread::scope(|scope| {
        // Another directory comes into its place as well, so that it is opened anew.
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                assert!([&link, &link, &other, &link].iter().all(|with| exchange(&root, with)));
            }
        });
        for _ in 0..4000 {
            if let Ok(page) = lister.list(&at(&root), &Cancel::new()) {
                let text = render::json(&page) + &render::text(&page, View::Tree);
                if text.contains(OUTSIDE) {
                    stop.store(true, Ordering::Relaxed);
                    panic!("{text}");
                }
                served += 1;
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(served > 0);
}
