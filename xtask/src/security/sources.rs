//! Tests whose names bear the number of a threat.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::tidy::rust_files;

/// A test in the sources.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Test {
    /// Relative to the workspace.
    pub(super) file: String,
    pub(super) name: String,
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.file, self.name)
    }
}

impl Test {
    /// Whether a test that was run, as `module::module::name`, is this one.
    pub(super) fn is(&self, path: &str) -> bool {
        let mut parts: Vec<&str> = path.split("::").collect();
        let is_named = parts.pop() == Some(self.name.as_str());
        is_named && if self.is_top() { parts.is_empty() } else { parts.contains(&self.module()) }
    }

    /// Whether its file is the one that a test program begins with.
    fn is_top(&self) -> bool {
        self.file.ends_with("/main.rs")
    }

    /// The module that its file is.
    fn module(&self) -> &str {
        let path = Path::new(&self.file);
        let stem = if path.ends_with("mod.rs") { path.parent() } else { Some(path) };
        stem.and_then(|path| path.file_stem()?.to_str()).unwrap_or_default()
    }
}

/// The tests of each threat, in the order of files and names.
pub(super) fn tests(root: &Path) -> Result<BTreeMap<String, Vec<Test>>> {
    let mut tests: BTreeMap<String, Vec<Test>> = BTreeMap::new();
    for folder in ["crates", "tests"] {
        for path in rust_files(&root.join(folder))? {
            let text = fs::read_to_string(&path).context("a source is text")?;
            let file = path.strip_prefix(root).context("it was found below the root")?;
            for name in names(&text) {
                let test = Test { file: file.display().to_string(), name: name.to_owned() };
                for threat in numbers(name) {
                    tests.entry(threat).or_default().push(test.clone());
                }
            }
        }
    }
    tests.values_mut().for_each(|tests| tests.sort());
    Ok(tests)
}

/// Tests that a run could not tell apart.
pub(super) fn twins(tests: &BTreeMap<String, Vec<Test>>) -> Vec<String> {
    let all: BTreeSet<&Test> = tests.values().flatten().collect();
    let mut seen = BTreeSet::new();
    let twins = all.into_iter().filter(|test| !seen.insert((test.module(), test.name.as_str())));
    twins.map(|test| format!("{test}: another test has this name and module")).collect()
}

/// The names of the test functions in a source.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut is_test = false;
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if line.starts_with("#[") {
            is_test |= line.contains("test]") || line.contains("::test(");
            return None;
        }
        let head = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
        let name = head.and_then(|head| head.split_once('(')).map(|(name, _)| name);
        name.filter(|_| std::mem::take(&mut is_test))
    })
}

/// The threats that a name bears: `t05_t06_a_link` shows T-05 and T-06.
fn numbers(name: &str) -> Vec<String> {
    let number = |part: &str| {
        let digits = part.strip_prefix('t')?;
        let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| format!("T-{digits}"))
    };
    name.split('_').map_while(number).collect()
}

#[cfg(test)]
mod tests {
    use super::{Test, names, numbers};

    #[test]
    fn tests_are_found_by_their_attribute() {
        let text = "#[test]\nfn t01_a() {}\nfn t02_helper(x: u8) {}\n\
                    #[tokio::test(flavor = \"current_thread\")]\nasync fn t03_b() {}\n\
                    #[test]\n#[expect(dead_code, reason = \"…\")]\nfn c() {}\n";
        assert_eq!(names(text).collect::<Vec<_>>(), ["t01_a", "t03_b", "c"]);
    }

    #[test]
    fn a_name_bears_the_numbers_that_it_begins_with() {
        assert_eq!(numbers("t50_t51_what_t52_is"), ["T-50", "T-51"]);
        assert_eq!(numbers("t5_x"), Vec::<String>::new());
        assert_eq!(numbers("text_t05"), Vec::<String>::new());
    }

    #[test]
    fn a_run_test_is_known_by_module_and_name() {
        let test = |file: &str| Test { file: file.to_owned(), name: "t01_a".to_owned() };
        assert!(test("tests/it/threats/hung.rs").is("threats::hung::t01_a"));
        assert!(test("tests/it/threats/mod.rs").is("threats::t01_a"));
        assert!(test("crates/trilist-cli/src/fence.rs").is("fence::tests::t01_a"));
        assert!(test("crates/trilist-mcp/tests/threads/main.rs").is("t01_a"));
        assert!(!test("crates/trilist-mcp/tests/threads/main.rs").is("signals::t01_a"));
        assert!(!test("tests/e2e/mcp.rs").is("signals::t01_a"));
        assert!(!test("tests/e2e/mcp.rs").is("mcp::t01_ab"));
    }
}
