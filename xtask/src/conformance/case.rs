//! A recorded case.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

/// One call of one program on one tree, and its result.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// The tree's name; none where there is none.
    pub tree: Option<String>,
    /// The call.
    pub args: Value,
    /// The working directory, where it matters.
    pub cwd: Option<String>,
    /// Environment variables that differ from the common ones.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What the machine must offer.
    #[serde(default)]
    pub requires: Vec<String>,
    /// The result.
    pub expected: Value,
    /// Further results that are just as right.
    #[serde(default)]
    pub alternatives: Vec<Value>,
    /// Parts of the result that the source does not settle.
    #[serde(default)]
    pub unspecified: Vec<String>,
    /// `proposal` when the result was read from a proposal, not recorded.
    pub source: Option<String>,
}

impl Case {
    /// Reads every case of a folder, by name.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or is no case.
    pub fn all(dir: &Path) -> Result<BTreeMap<String, Case>> {
        let mut cases = BTreeMap::new();
        for entry in fs::read_dir(dir).with_context(|| format!("{}", dir.display()))? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let Some(name) = name.strip_suffix(".json") else { continue };
            let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
            let case =
                serde_json::from_str(&text).with_context(|| format!("{}", path.display()))?;
            cases.insert(name.to_owned(), case);
        }
        Ok(cases)
    }
}
