//! `trilist explain` against a program that prints a line: the cost of one answer.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bench::corpus::{index, tree, wide};
use crate::bench::jobs::{Bar, Duel, most, side};
use crate::bench::{Programs, Size};
use crate::run::{command, printed};

/// What any answer may cost.
const BAR: Bar = Bar::CpuAboveMs(3.0);
/// A late path of a large index: every entry before it is passed over, at 40 ms a million.
const LATE: Bar = Bar::CpuAboveMs(43.0);

pub(super) fn duels(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let count = most(size);
    let (tree, wide, index) = (tree(count)?, wide(count)?, index(count)?);
    let (file, late) = (last_file(&tree)?, last_file(&wide)?);
    let ends = |from: &str| {
        let script = format!("git ls-files | {from} -n 1");
        printed(command("sh", &["-c", &script]).current_dir(&index)).context("git gave no name")
    };
    let (first, last) = (ends("head")?, ends("tail")?);
    let duel = |what: &str, dir: &Path, args: &[&str], bar: Bar| Duel {
        title: format!("explain, {what} of {count}"),
        ours: side("trilist", &programs.trilist, &[&["explain"], args].concat(), dir),
        rival: side("println!", &programs.hello, &[], dir),
        same: None,
        bars: vec![bar, Bar::PeakMib(16.0)],
    };
    let missing = format!("{file}-none");
    let parent = Path::new(&file).parent().map_or(String::new(), |dir| dir.display().to_string());
    Ok(vec![
        duel("a file", &tree, &["-d", "64", &file], BAR),
        duel("a directory", &tree, &["-d", "64", &parent], BAR),
        duel("no file", &tree, &["-d", "64", &missing], BAR),
        duel("a file in a wide directory", &wide, &["-d", "64", &late], BAR),
        duel("the first name", &index, &["-m", "vcs", &first], BAR),
        duel("the last name", &index, &["-m", "vcs", &last], LATE),
    ])
}

/// The file that is found by going into the last directory again and again.
fn last_file(top: &Path) -> Result<String> {
    let mut here = top.to_path_buf();
    loop {
        let mut below: Vec<PathBuf> = fs::read_dir(&here)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .with_context(|| format!("cannot read {}", here.display()))?;
        below.retain(|path| !path.ends_with(".git"));
        below.sort();
        let mut dirs = below.iter().filter(|path| path.is_dir());
        match (dirs.next_back(), below.last()) {
            (Some(dir), _) => here.clone_from(dir),
            (None, Some(file)) => {
                return Ok(file.strip_prefix(top).context("it lies below")?.display().to_string());
            }
            (None, None) => anyhow::bail!("{} is empty", here.display()),
        }
    }
}
