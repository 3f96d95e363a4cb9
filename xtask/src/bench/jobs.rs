//! What is timed against what, and the bars.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::bench::corpus::{monorepo, tree};
use crate::bench::{Programs, Size};
use crate::bench::{beyond, compat, explain, vcs};

/// A group of measurements.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Job {
    /// The first hundred entries of trees of three sizes.
    FirstPage,
    /// Every path in HEAD or the index.
    Vcs,
    /// Every file that the ignore files leave.
    Files,
    /// Every entry on disk.
    Full,
    /// Calls of other tools' contracts.
    Compat,
    /// The modes side by side.
    Compare,
    /// Whole trees in a few thousand bytes.
    Overview,
    /// Why single paths are listed or not.
    Explain,
}

impl Job {
    /// All jobs.
    pub const ALL: &[Job] = &[
        Job::FirstPage,
        Job::Vcs,
        Job::Files,
        Job::Full,
        Job::Compat,
        Job::Compare,
        Job::Overview,
        Job::Explain,
    ];

    /// The job of this name.
    ///
    /// # Errors
    ///
    /// Fails when there is none.
    pub fn named(name: &str) -> Result<Job> {
        Ok(match name {
            "first-page" => Job::FirstPage,
            "vcs" => Job::Vcs,
            "files" => Job::Files,
            "full" => Job::Full,
            "compat" => Job::Compat,
            "compare" => Job::Compare,
            "overview" => Job::Overview,
            "explain" => Job::Explain,
            _ => bail!(
                "no job {name:?}: there are first-page, vcs, files, full, compat, compare, \
                 overview, explain"
            ),
        })
    }
}

/// One program with its words, run in one directory.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) label: &'static str,
    pub(super) program: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) dir: PathBuf,
    /// After so many lines the reader hangs up, as `head` does.
    pub(super) lines_max: Option<usize>,
}

/// Two programs to be timed in turn.
pub(super) struct Duel {
    pub(super) title: String,
    pub(super) ours: Side,
    pub(super) rival: Side,
    /// The same two, printing paths that end in NUL, where they must print the same.
    pub(super) same: Option<[Side; 2]>,
    pub(super) bars: Vec<Bar>,
}

/// What the issue asks of our side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bar {
    /// At most so many milliseconds of CPU time more than the rival.
    CpuAboveMs(f64),
    /// At most so many times the rival's CPU time.
    CpuRatio(f64),
    /// At most this peak of memory.
    PeakMib(f64),
}

pub(super) fn duels(job: Job, size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    match job {
        Job::FirstPage => first_page(size, programs),
        Job::Vcs => vcs::duels(size, programs),
        Job::Files => files(size, programs),
        Job::Full => full(size, programs),
        Job::Compat => compat::duels(size, programs),
        Job::Compare => beyond::compare(size, programs),
        Job::Overview => beyond::overview(size, programs),
        Job::Explain => explain::duels(size, programs),
    }
}

fn first_page(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let mut duels = Vec::new();
    let counts = match size {
        Size::Full => [10_000, 100_000, 1_000_000],
        Size::Small => [1_000, 4_000, 16_000],
    };
    for count in counts {
        let dir = tree(count)?;
        let ours = page(programs, &dir);
        duels.push(Duel {
            title: format!("first-page {count}"),
            ours: ours.clone(),
            rival: side("println!", &programs.hello, &[], &dir),
            same: None,
            bars: vec![Bar::CpuAboveMs(2.0), Bar::PeakMib(8.0)],
        });
        let sorted = rg(programs, &dir, SORTED);
        duels.push(Duel {
            title: format!("first-page {count}"),
            ours,
            rival: Side { label: "rg --sort path, cut", lines_max: Some(100), ..sorted },
            same: None,
            bars: Vec::new(),
        });
    }
    let [smallest, _, largest] = counts;
    duels.push(Duel {
        title: format!("first-page {largest}"),
        ours: page(programs, &tree(largest)?),
        rival: Side { label: "trilist, smallest tree", ..page(programs, &tree(smallest)?) },
        same: None,
        // Two runs of one program differ by some percent; a cost that grows with the tree would
        // show a hundredfold.
        bars: vec![Bar::CpuRatio(1.1)],
    });
    Ok(duels)
}

fn page(programs: &Programs, dir: &Path) -> Side {
    let args = [&dir.display().to_string(), "-d", "64", "-n", "100"];
    side("trilist", &programs.trilist, &args, dir)
}

fn files(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let dir = tree(most(size))?;
    let mut duels = vec![
        all_files(programs, &dir, rg(programs, &dir, SORTED), 1.0 / 2.5),
        all_files(programs, &dir, rg(programs, &dir, ONE_THREAD), 1.0 / 2.0),
    ];
    let (tracked, ignored) = match size {
        Size::Full => (5_000, 300_000),
        Size::Small => (500, 4_000),
    };
    let repo = monorepo(tracked, ignored)?;
    duels.push(all_files(programs, &repo, rg(programs, &repo, TWO_THREADS), 1.0 / 2.0));
    duels.push(all_files(programs, &repo, git_files(&repo), 1.0));
    duels.push(Duel {
        title: format!("files, first 100 of {}", most(size)),
        ours: side("trilist", &programs.trilist, &["-m", "files", "-n", "100"], &dir),
        rival: side("println!", &programs.hello, &[], &dir),
        same: None,
        bars: vec![Bar::CpuAboveMs(2.5), Bar::PeakMib(16.0)],
    });
    Ok(duels)
}

/// Every file below `dir`, in path order, against a rival that lists the same, in at most this part
/// of its CPU time.
fn all_files(programs: &Programs, dir: &Path, rival: Side, ratio: f64) -> Duel {
    let words = ["-m", "files", "--no-builtin", "--no-config", "--all"];
    let ends_in_nul = match rival.label {
        GIT_FILES => "-z",
        _ => "--null",
    };
    let name = dir.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    Duel {
        title: format!("files {name}"),
        ours: side("trilist", &programs.trilist, &[&words[..], LINES].concat(), dir),
        same: Some([
            side("trilist", &programs.trilist, &[&words[..], &["-0"]].concat(), dir),
            Side { args: [&rival.args[..], &[ends_in_nul.to_owned()]].concat(), ..rival.clone() },
        ]),
        rival,
        bars: vec![Bar::CpuRatio(ratio), Bar::PeakMib(16.0)],
    }
}

/// How ripgrep is asked to list, and what it is called then.
type Ways = (&'static str, &'static [&'static str]);

const SORTED: Ways = ("rg --sort path", &["--sort", "path"]);
const ONE_THREAD: Ways = ("rg -j1", &["-j1"]);
const TWO_THREADS: Ways = ("rg -j2", &["-j2"]);
const GIT_FILES: &str = "git ls-files -co";

pub(super) fn rg(programs: &Programs, dir: &Path, (label, more): Ways) -> Side {
    let words = ["--no-config", "--files", "--hidden"];
    side(label, &programs.rg, &[&words[..], more].concat(), dir)
}

fn git_files(dir: &Path) -> Side {
    side(GIT_FILES, Path::new("git"), &["ls-files", "-co", "--exclude-standard"], dir)
}

fn full(size: Size, programs: &Programs) -> Result<Vec<Duel>> {
    let dir = tree(most(size))?;
    let words = ["--hidden", "-I", "--all", "-d", "4096"];
    let find = Path::new("find");
    Ok(vec![Duel {
        title: format!("full {}", most(size)),
        ours: side("trilist", &programs.trilist, &[&words[..], LINES].concat(), &dir),
        rival: side("find", find, &["."], &dir),
        same: Some([
            side("trilist", &programs.trilist, &[&words[..], &["-0"]].concat(), &dir),
            side("find", find, &[".", "-mindepth", "1", "-print0"], &dir),
        ]),
        bars: Vec::new(),
    }])
}

/// A path a line.
const LINES: &[&str] = &["--view", "paths"];

pub(super) fn side(label: &'static str, program: &Path, args: &[&str], dir: &Path) -> Side {
    Side {
        label,
        program: program.to_path_buf(),
        args: args.iter().map(|word| (*word).to_owned()).collect(),
        dir: dir.to_path_buf(),
        lines_max: None,
    }
}

/// The largest corpus of a size.
pub(super) fn most(size: Size) -> u64 {
    match size {
        Size::Full => 1_000_000,
        Size::Small => 16_000,
    }
}
