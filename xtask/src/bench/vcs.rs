//! Mode `vcs` against git, sorting both of its listings, and Aider.

use std::path::Path;

use anyhow::Result;

use crate::bench::corpus::{index, index_staged, index_without_trees};
use crate::bench::jobs::{Bar, Duel, Side, most, side};
use crate::bench::{Programs, Size};
use crate::tools;

/// Every path, ending in NUL.
const OURS: &[&str] = &["-m", "vcs", "--all", "-0"];
const PATHS: &[&str] = &["-m", "vcs", "--all", "--view", "paths"];
const LS_FILES: &[&str] = &["ls-files", "-z"];
const LS_TREE: &[&str] = &["ls-tree", "-r", "-z", "--name-only", "HEAD"];
/// The only way to the union with git alone.
const UNION: &str = "{ git ls-files -z; git ls-tree -r -z --name-only HEAD; } | LC_ALL=C sort -zu";
/// How often a warm call is made, so that its cost shows.
const CALLS: &str = "1001";

pub(super) fn duels(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let count = most(size);
    let (clean, staged) = (index(count)?, index_staged(count)?);
    let without_trees = index_without_trees(count)?;
    let ours = |dir: &Path| side("trilist", &programs.trilist, OURS, dir);
    let git = |label, args: &[&str], dir: &Path| side(label, Path::new("git"), args, dir);
    let union = |dir: &Path| side("both, sort -u", Path::new("sh"), &["-c", UNION], dir);
    let duel = |title: &str, dir: &Path, rival: Side, bars: Vec<Bar>| Duel {
        title: format!("{title} {count}"),
        ours: ours(dir),
        rival,
        same: Some([ours(dir), union(dir)]),
        bars,
    };
    Ok(vec![
        duel(
            "vcs",
            &clean,
            git("git ls-files", LS_FILES, &clean),
            vec![Bar::CpuRatio(1.0 / 2.5), Bar::PeakMib(8.0)],
        ),
        Duel {
            ours: side("trilist", &programs.trilist, PATHS, &clean),
            ..duel(
                "vcs, a path a line",
                &clean,
                git("git ls-files", &["ls-files"], &clean),
                vec![Bar::CpuRatio(1.0), Bar::PeakMib(16.0)],
            )
        },
        duel("vcs", &clean, git("git ls-tree -r", LS_TREE, &clean), vec![Bar::CpuRatio(0.25)]),
        duel("vcs", &clean, union(&clean), vec![Bar::CpuRatio(1.0 / 12.0)]),
        duel("vcs", &clean, aider(&clean)?, vec![Bar::CpuRatio(1.0 / 500.0)]),
        duel("vcs, staged", &staged, union(&staged), vec![Bar::PeakMib(12.0)]),
        duel(
            "vcs, no cached trees",
            &without_trees,
            git("git ls-tree -r", LS_TREE, &without_trees),
            vec![Bar::CpuRatio(1.0)],
        ),
        first_page(count, &clean, programs),
        warm(count, &clean, programs),
        since(count, &clean, programs),
    ])
}

fn first_page(count: u64, dir: &Path, programs: &Programs) -> Duel {
    Duel {
        title: format!("vcs, first page {count}"),
        ours: side("trilist", &programs.trilist, &["-m", "vcs", "-n", "100"], dir),
        rival: side("println!", &programs.hello, &[], dir),
        same: None,
        bars: vec![Bar::CpuAboveMs(2.0)],
    }
}

/// A thousand calls more in one process: the bar is 0.2 ms each.
fn warm(count: u64, dir: &Path, programs: &Programs) -> Duel {
    let calls =
        |label, times| side(label, &programs.warm, &[&dir.display().to_string(), times], dir);
    Duel {
        title: format!("vcs, 1,000 warm calls {count}"),
        ours: calls("1,001 calls", CALLS),
        rival: calls("one call", "1"),
        same: None,
        bars: vec![Bar::CpuAboveMs(200.0)],
    }
}

/// A thousand questions more after what has changed, when nothing has: the bar is 1 ms each.
fn since(count: u64, dir: &Path, programs: &Programs) -> Duel {
    let calls = |label, times| {
        side(label, &programs.warm, &[&dir.display().to_string(), times, "since"], dir)
    };
    Duel {
        title: format!("vcs, 1,000 times since {count}"),
        ours: calls("1,001 calls", CALLS),
        rival: calls("one call", "1"),
        same: None,
        bars: vec![Bar::CpuAboveMs(1_000.0)],
    }
}

fn aider(dir: &Path) -> Result<Side> {
    let python = tools::aider_python()?;
    let script = crate::workspace().join("xtask/rivals/aider_tracked.py");
    let args = [script.display().to_string(), dir.display().to_string()];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    Ok(side("aider", &python, &args, dir))
}
