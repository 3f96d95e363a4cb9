//! What goes beyond a listing, against the listings that it is made of.

use anyhow::Result;

use super::corpus::{monorepo, tree};
use super::jobs::{Bar, Duel, Side, side};
use super::{Programs, Size};

/// The modes side by side, against a listing of each, one after another.
pub(super) fn compare(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let (tracked, ignored) = match size {
        Size::Full => (60_000, 6_000),
        Size::Small => (500, 400),
    };
    let dir = monorepo(tracked, ignored)?;
    let program = programs.trilist.display();
    let list = |mode: &str| format!("{program} -m {mode} --hidden -a -0");
    let all = [list("fs"), list("files"), list("vcs")].join(" && ");
    let duel = |words: &[&str], label| Duel {
        title: format!("compare {tracked}"),
        ours: Side { label, ..side("trilist compare", &programs.trilist, words, &dir) },
        // The usage of a shell is that of all it has run, one after another.
        rival: side("three listings", "sh".as_ref(), &["-c", &all], &dir),
        same: None,
        bars: vec![Bar::CpuRatio(1.3), Bar::PeakMib(16.0)],
    };
    Ok(vec![
        duel(&["compare", "--all"], "trilist compare"),
        duel(&["compare", "--all", "--same", "--json"], "compare --same --json"),
    ])
}

/// A whole tree in 4,000 bytes, against the listing of all of it.
pub(super) fn overview(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let files = match size {
        Size::Full => 1_000_000,
        Size::Small => 4_000,
    };
    let dir = tree(files)?;
    let ours = |words: &[&str], label| {
        let words: Vec<&str> = [&["--view", "overview"], words].concat();
        Side { label, ..side("overview", &programs.trilist, &words, &dir) }
    };
    let mut duels: Vec<Duel> = ["fs", "files"]
        .into_iter()
        .map(|mode| Duel {
            title: format!("overview {files}, {mode}"),
            ours: ours(&["-m", mode], "overview"),
            rival: side("full listing", &programs.trilist, &["-m", mode, "-a", "-0"], &dir),
            same: None,
            bars: vec![Bar::CpuRatio(1.2), Bar::PeakMib(64.0)],
        })
        .collect();
    duels.push(Duel {
        title: format!("overview {files}, without counts"),
        ours: ours(&["--no-count"], "overview --no-count"),
        rival: side("println!", &programs.hello, &[], &dir),
        same: None,
        bars: vec![Bar::PeakMib(16.0)],
    });
    Ok(duels)
}
