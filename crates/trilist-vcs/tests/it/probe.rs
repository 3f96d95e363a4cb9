//! What going to one path reads.

use std::fs;

use trilist_core::{Query, RelPathBuf};
use trilist_tests::{Tree, git};

use crate::support::{list_seen, query};

#[test]
fn a_repository_is_gone_through_once_and_only_up_to_the_path() {
    let tree = Tree::empty();
    git(tree.path(), &["init", "-q"]);
    for dir in ["a", "m", "z"] {
        for number in 0..400 {
            let dir = tree.join(format!("{dir}/d{}", number % 20));
            fs::create_dir_all(&dir).expect("made");
            fs::write(dir.join(format!("f{number}")), "").expect("made");
        }
    }
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["commit", "-q", "-m", "one"]);
    let seen = |path: &str| {
        let probe = RelPathBuf::new(path).ok();
        list_seen(tree.path(), &Query { probe, want: Some(1), ..query() }).expect("listed").1
    };
    for path in ["m/d3/f3", "m/d3/none", "m/none"] {
        let found = seen(path);
        // The trees of HEAD on the way, and the names up to the path.
        assert!(found.directories <= 3, "{path}: {found:?}");
        assert!((400..=804).contains(&found.entries), "{path}: {found:?}");
    }
    assert!(seen("a/d0/f0").entries <= 6);
}
