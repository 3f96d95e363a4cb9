//! Making the recorded calls.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;
use trilist_compat::{Options, Surroundings, Tool, call};
use trilist_tests::{Manifest, Tree, unprivileged};

use super::compare::{difference, filled, filled_text, is_right, without_notice};
use super::deviations::{Deviation, Deviations};
use super::{Case, Data, Tally, Verdict};

/// Replays cases on trees, of which each is built once.
pub(super) struct Replay<'a> {
    data: &'a Data,
    deviations: &'a Deviations,
    trees: BTreeMap<String, Tree>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(data: &'a Data, deviations: &'a Deviations) -> Self {
        Replay { data, deviations, trees: BTreeMap::new() }
    }

    pub(super) fn peer(&mut self, peer: &str) -> Result<Tally> {
        let mut verdicts = Vec::new();
        for (name, case) in Case::all(&self.data.cases.join(peer))? {
            let verdict = match Tool::named(peer) {
                Some(tool) => self.case(tool, &name, &case)?,
                None => Verdict::Failed("  this contract is not there yet\n".to_owned()),
            };
            verdicts.push((name, verdict));
        }
        Ok(Tally { peer: peer.to_owned(), verdicts })
    }

    fn case(&mut self, tool: Tool, name: &str, case: &Case) -> Result<Verdict> {
        let root = match &case.tree {
            Some(tree) => self.tree(tree)?,
            None => "/".to_owned(),
        };
        let deviation = self.deviations.of(tool.name(), name);
        let answer = answer(tool, case, &root, Options::default());
        let verdict = match deviation {
            None if is_right(case, &answer, &root) => Verdict::Passed,
            None => Verdict::Failed(difference(&filled(&case.expected, &root), &answer)),
            Some(deviation) => deviating(tool, case, deviation, &answer, &root),
        };
        Ok(verdict)
    }

    fn tree(&mut self, name: &str) -> Result<String> {
        if !self.trees.contains_key(name) {
            let manifest = manifest(self.data, name)?;
            self.trees.insert(name.to_owned(), Tree::neutral(&manifest));
        }
        let path = self.trees[name].path();
        Ok(path.to_str().context("a tree's path is UTF-8")?.to_owned())
    }
}

/// Checks a row of deviations: our value, that it deviates at all, and what `strict` brings.
fn deviating(tool: Tool, case: &Case, deviation: &Deviation, ours: &Value, root: &str) -> Verdict {
    if is_right(case, ours, root) {
        return Verdict::Failed("  this is exact, so the row of deviations is wrong\n".to_owned());
    }
    let expected = filled(&deviation.ours, root);
    if *ours != expected {
        return Verdict::Failed(format!("  as deviating:\n{}", difference(&expected, ours)));
    }
    let strict = answer(tool, case, root, Options { strict: true });
    match is_right(case, &strict, root) {
        exact if exact == deviation.strict => Verdict::Deviating { exact_when_strict: exact },
        true => Verdict::Failed("  this is exact under strict, which its row denies\n".to_owned()),
        false => {
            let expected = filled(&case.expected, root);
            Verdict::Failed(format!("  under strict:\n{}", difference(&expected, &strict)))
        }
    }
}

/// What `trilist compat` prints, without the notice.
fn answer(tool: Tool, case: &Case, root: &str, options: Options) -> Value {
    let place = |text: &str| PathBuf::from(filled_text(text, root));
    let around = Surroundings {
        cwd: place(case.cwd.as_deref().unwrap_or("/")),
        home: case.env.get("HOME").map(|home| place(home)),
        config_dir: case.env.get("XDG_CONFIG_HOME").map(|dir| place(dir)),
    };
    let args = filled(&case.args, root);
    let cancel = trilist::Cancel::new();
    let make = || call(tool, &args, &around, options, &cancel);
    let is_bound = case.requires.iter().any(|word| word == "unprivileged");
    match if is_bound { unprivileged(make) } else { make() } {
        Ok(answer) => without_notice(answer),
        Err(error) => Value::String(error.message),
    }
}

fn manifest(data: &Data, name: &str) -> Result<Manifest> {
    let path = data.trees.iter().map(|dir| dir.join(format!("{name}.json")));
    let path = path.into_iter().find(|path| path.is_file());
    let path = path.with_context(|| format!("there is no tree `{name}`"))?;
    let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
}
