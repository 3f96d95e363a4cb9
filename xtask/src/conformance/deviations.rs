//! The results that differ from the recorded ones on purpose.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

/// All rows.
pub(super) struct Deviations {
    rows: Vec<Deviation>,
}

/// One row.
pub(super) struct Deviation {
    case: String,
    /// Whether `strict` brings the recorded result.
    pub(super) strict: bool,
    /// Our result, with placeholders.
    pub(super) ours: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    deviation: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    case: String,
    /// For people; `docs/contracts.md` tells it as well.
    #[expect(dead_code, reason = "a row without a reason does not parse")]
    reason: String,
    strict: bool,
    ours: String,
}

impl Deviations {
    pub(super) fn load(path: &Path) -> Result<Deviations> {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        let file: File = toml::from_str(&text).with_context(|| format!("{}", path.display()))?;
        let rows = file.deviation.into_iter().map(|row| {
            let ours = serde_json::from_str(&row.ours)
                .with_context(|| format!("our value of {}", row.case))?;
            Ok(Deviation { case: row.case, strict: row.strict, ours })
        });
        Ok(Deviations { rows: rows.collect::<Result<_>>()? })
    }

    pub(super) fn of(&self, peer: &str, name: &str) -> Option<&Deviation> {
        let case = format!("{peer}/{name}");
        self.rows.iter().find(|row| row.case == case)
    }
}
