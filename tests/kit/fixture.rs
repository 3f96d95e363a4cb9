//! Where the fixtures are, and the recorded cases among them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder that holds the workspace's manifest.
pub fn workspace() -> PathBuf {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    parent.expect("this package lies in the workspace").to_path_buf()
}

/// The folder of all fixtures.
pub fn fixtures() -> PathBuf {
    workspace().join("fixtures")
}

/// The names of all trees, sorted.
pub fn tree_names() -> Vec<String> {
    names(&fixtures().join("trees"))
}

/// All recorded cases of one program, sorted by name.
///
/// # Panics
///
/// Panics when there is no such program or a case is not JSON.
pub fn cases(program: &str) -> Vec<(String, Value)> {
    let dir = fixtures().join("conformance/cases").join(program);
    names(&dir).into_iter().map(|name| (name.clone(), case(program, &name))).collect()
}

/// One recorded case of one program.
///
/// # Panics
///
/// Panics when there is no such case or it is not JSON.
pub fn case(program: &str, name: &str) -> Value {
    let dir = fixtures().join("conformance/cases").join(program);
    let path = dir.join(format!("{name}.json"));
    serde_json::from_slice(&read(&path)).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

pub(crate) fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{dir:?}: {error}"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a fixture folder can be read").file_name())
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    names.sort();
    names
}
