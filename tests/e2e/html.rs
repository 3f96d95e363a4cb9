//! `trilist compare --html`, in a real browser.

use std::path::PathBuf;
use std::process::Command;

use trilist_tests::{Tree, TreeBuilder, browser, require, workspace};

use crate::support::trilist;

/// A repository with a row for each reason.
fn reasons() -> Tree {
    TreeBuilder::new()
        .repo()
        .files(["src/main.rs", "src/lib.rs", "forced/kept.o", "gone/a", "gone/b", "old.rs"])
        .file(".gitignore", "*.log\n/target/\n/forced/\n")
        .git(&["add", "-A", "-f"])
        .git(&["commit", "-q", "-m", "one"])
        .remove("gone")
        .remove("old.rs")
        .files(["debug.log", "forced/b.o", "target/a", "target/d/b", "new.rs"])
        .files(["node_modules/p/index.js"])
        .dir("empty")
        .build()
}

/// Writes the page of a tree and hands it to the browser; says what the task printed.
fn browse(tree: &Tree, args: &[&str], task: &str, names: &[&str]) -> Option<String> {
    if !require("browser") {
        return None;
    }
    let (playwright, chromium) = browser().unwrap();
    let page = trilist(tree).args(["compare", "--html"]).args(args).ok();
    let file = write_page(tree, &page.bytes);
    let script = workspace().join("tests/e2e/browser/page.cjs");
    let mut node = Command::new("node");
    node.arg(script).arg(playwright).arg(chromium).arg(task).arg(&file);
    node.env("HOSTILE_NAMES", serde_json::to_string(names).unwrap());
    if let Some(folder) = std::env::var_os("TRILIST_SCREENSHOTS") {
        std::fs::create_dir_all(&folder).unwrap();
        node.arg(folder);
    }
    let output = node.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    Some(told)
}

/// Beside the tree, so that it is no part of it.
fn write_page(tree: &Tree, bytes: &[u8]) -> PathBuf {
    let file = tree.path().parent().unwrap().join("page.html");
    std::fs::write(&file, bytes).unwrap();
    file
}

#[test]
fn a_page_folds_filters_and_searches_by_mouse_and_keyboard() {
    browse(&reasons(), &["--same", "--chat", "new.rs"], "use", &[]);
}

#[test]
fn hostile_names_stay_text_and_nothing_leaves_the_page() {
    let names = [
        "<script>window.harmed=1<",
        "\"onload=\"window.harmed=1",
        "<img src=x onerror=window.harmed=1>",
        "<!--",
        "&lt;b&gt;",
        "</script><script>window.harmed=1",
        "bidi\u{202e}gpj.exe",
        "two\nlines",
        "${window.harmed=1}",
        "__proto__",
        "constructor",
    ];
    let mut tree = TreeBuilder::new().repo().commit("one");
    // A slash in a name makes it a path: its last part is a name of its own.
    for name in names {
        tree = tree.file(name, "x");
    }
    let tree = tree.file(b"bad\xffutf8", "x").build();
    let shown = [
        "<script>window.harmed=1<",
        "\"\\\"onload=\\\"window.harmed=1\"",
        "<img src=x onerror=window.harmed=1>",
        "<!--",
        "&lt;b&gt;",
        "</",
        "script><script>window.harmed=1",
        "\"bidi\\342\\200\\256gpj.exe\"",
        "\"two\\nlines\"",
        "${window.harmed=1}",
        "__proto__",
        "constructor",
        "\"bad\\377utf8\"",
    ];
    browse(&tree, &[], "hostile", &shown);
}

#[test]
fn a_page_of_many_rows_makes_few_at_a_time() {
    let mut tree = TreeBuilder::new().repo().commit("one");
    for dir in 0..60 {
        tree = tree.files((0..50).map(|file| format!("d{dir}/f{file}")));
    }
    if let Some(told) = browse(&tree.build(), &[], "many", &[]) {
        assert!(told.contains("3,001 rows"), "{told}");
    }
}

#[test]
fn a_page_is_one_file_that_allows_its_own_script_alone() {
    let tree = reasons();
    let page = trilist(&tree).args(["compare", "--html"]).ok().stdout;
    assert!(page.starts_with("<!doctype html>\n") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("default-src 'none'"));
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    for tag in ["style", "script"] {
        let (opening, closing) = (format!("<{tag}>"), format!("</{tag}>"));
        let inner = page.split(&opening).nth(1).unwrap().split(&closing).next().unwrap();
        let digest = format!("{tag}-src 'sha256-{}'", sha256(inner.as_bytes()));
        assert!(page.contains(&digest), "the page's policy has to say {digest}");
    }
}

/// In base64, as policies have it.
fn sha256(bytes: &[u8]) -> String {
    use base64::Engine as _;
    use sha2::Digest as _;
    base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(bytes))
}

#[test]
fn a_page_has_every_row_unless_a_limit_is_given() {
    let tree = TreeBuilder::new().repo().commit("one");
    let tree = tree.files((0..150).map(|n| format!("f{n}"))).build();
    let rows = |args: &[&str]| {
        let page = trilist(&tree).args(["compare", "--html"]).args(args).ok().stdout;
        let data = page.split("id=\"rows\">").nth(1).unwrap().split("</script>").next().unwrap();
        serde_json::from_str::<Vec<serde_json::Value>>(data).unwrap().len()
    };
    assert_eq!((rows(&[]), rows(&["--all"]), rows(&["-n", "7"])), (151, 151, 7));
}
