//! Links that lead round or out, and things that are no files.

use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, FileType, Mode as Bits, makedev, mknodat};
use trilist::{ListRequest, Mode};
use trilist_tests::{Tree, TreeBuilder};

use crate::harness::{Right, ask, check, check_error, everything, lister, paths, whole};

#[test]
fn t05_a_link_out_of_the_root_is_shown_and_not_followed() {
    let tree = TreeBuilder::new()
        .files(["outside/secret", "root/a"])
        .symlink("root/l", "../outside")
        .build();
    let inner = lister(&tree.join("root"));
    for mode in [Mode::Fs, Mode::Files] {
        for follow_symlinks in [false, true] {
            let page = whole(&inner, &ListRequest { follow_symlinks, ..ask(mode, ".") });
            assert_eq!(paths(&page), ["a", "l"]);
        }
        for path in ["l", "l/secret"] {
            let error = inner.list(&ask(mode, path), &trilist::Cancel::new()).unwrap_err();
            assert_eq!(error.code(), "outside_root");
        }
    }
}

#[test]
fn t07_a_link_inside_is_listed_when_asked_for_and_not_walked() {
    let tree = TreeBuilder::new().files(["a/b/x"]).symlink("l", "a/b").build();
    for mode in [Mode::Fs, Mode::Files] {
        check(&tree, &ask(mode, "l"), Right::rows(&["x"]));
    }
    check(&tree, &everything("."), Right::rows(&["a/", "a/b/", "a/b/x", "l@"]));
}

#[test]
fn t08_circles_of_links_are_errors_when_asked_for_and_rows_in_listings() {
    let chain = (0..41).fold(TreeBuilder::new().dir("end"), |tree, number| {
        let to = if number == 0 { "end".to_owned() } else { format!("c{:02}", number - 1) };
        tree.symlink(format!("c{number:02}"), to)
    });
    let tree = chain.symlink("a", "a").symlink("b", "c").symlink("c", "b").build();
    for mode in [Mode::Fs, Mode::Files] {
        for path in ["a", "b", "c", "c40"] {
            let error = check_error(&tree, &ask(mode, path), "io_error");
            assert!(error.to_string().contains("ELOOP"), "{error}");
        }
        let request = ListRequest { follow_symlinks: true, ..ask(mode, ".") };
        let page = whole(&lister(tree.path()), &request);
        let links = page.entries.iter().filter(|entry| entry.kind == trilist::Kind::Symlink);
        assert_eq!(links.count(), 44);
        assert!(page.complete);
    }
}

#[test]
fn t29_special_nodes_have_their_kind_and_are_not_opened() {
    let tree = TreeBuilder::new().fifo("fifo").dir("d").build();
    let _socket = UnixListener::bind(tree.join("socket")).unwrap();
    let mut right = vec!["d/ empty", "fifo?", "socket?"];
    let null = makedev(1, 3);
    if mknodat(CWD, tree.join("device"), FileType::CharacterDevice, Bits::RUSR, null).is_ok() {
        right.insert(1, "device?");
    }
    check(&tree, &everything("."), Right::rows(&right));
    let request = ListRequest {
        metadata: true,
        kinds: Some(vec![trilist::Kind::Other]),
        ..ask(Mode::Files, ".")
    };
    let page = whole(&lister(tree.path()), &request);
    assert!(page.entries.iter().all(|entry| entry.size.is_none() && entry.permissions.is_some()));
    assert_eq!(page.returned as usize, right.len() - 1);
}

#[test]
fn t35_a_fan_of_links_enters_each_directory_once() {
    let tree = Tree::empty();
    for level in 0..30 {
        let dir = tree.join(format!("d{level:02}"));
        std::fs::create_dir(&dir).unwrap();
        for name in ["a", "b"] {
            std::os::unix::fs::symlink(format!("../d{:02}", level + 1), dir.join(name)).unwrap();
        }
    }
    let request = ListRequest { follow_symlinks: true, ..everything(".") };
    let page = whole(&lister(tree.path()), &request);
    // Each is read once, and for each the listed one is asked once whether it is entered there.
    assert!(page.seen.directories <= 31 + 30, "{:?}", page.seen);
    let again = whole(&lister(tree.path()), &request);
    assert_eq!(paths(&page), paths(&again));
}
