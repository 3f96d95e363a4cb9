//! The inputs that the repository keeps.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::fuzz::{Target, make_dir, place};
use crate::run::{command, run};

/// The most inputs of one target, and the longest in bytes: together well below 200 KiB.
const MOST_INPUTS: usize = 100;
const MOST_BYTES: u64 = 1024;

/// Puts in the place of the kept inputs few that reach what they and those found since reach
/// together.
pub(super) fn renew(target: &Target) -> Result<()> {
    let chosen = place().join("chosen").join(&target.name);
    if chosen.exists() {
        fs::remove_dir_all(&chosen).context("cannot remove what was chosen before")?;
    }
    make_dir(&chosen)?;
    let mut merge = command(&target.program, &["-set_cover_merge=1", "-timeout=10"]);
    merge.arg(format!("-max_len={MOST_BYTES}"));
    run(merge.args([&chosen, &target.kept, &target.found]))?;
    let inputs = spread(files(&chosen)?);
    files(&target.kept)?.iter().try_for_each(fs::remove_file).context("cannot remove an input")?;
    for input in &inputs {
        let name = input.file_name().context("a file has a name")?;
        fs::copy(input, target.kept.join(name)).context("cannot keep an input")?;
    }
    println!("{}: {} inputs", target.name, inputs.len());
    Ok(())
}

/// So many of them, short ones and long ones.
fn spread(mut inputs: Vec<PathBuf>) -> Vec<PathBuf> {
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |found| found.len());
    inputs.sort_by_cached_key(|path| (size(path), path.clone()));
    inputs.retain(|path| size(path) <= MOST_BYTES);
    let count = inputs.len().min(MOST_INPUTS);
    (0..count).map(|at| inputs[at * inputs.len() / count].clone()).collect()
}

fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}
