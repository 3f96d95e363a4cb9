//! Runs a process and takes its time and memory.

use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::bench::jobs::{Bar, Duel, Side};

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) wall_ms: f64,
    /// User and system time, of the process and of those that it waited for.
    pub(super) cpu_ms: f64,
    pub(super) peak_mib: f64,
    /// Reads that went to the disk; a run that has any measures the disk.
    pub(super) disk_reads: i64,
}

/// The outcome of a duel.
pub(super) struct Row {
    pub(super) title: String,
    pub(super) rival: &'static str,
    pub(super) bars: Vec<Bar>,
    pub(super) pairs: Vec<(Sample, Sample)>,
}

/// A figure of a sample.
pub(super) type Figure = fn(&Sample) -> f64;

impl Row {
    /// The median of a figure for our side and the rival's.
    pub(super) fn medians(&self, figure: Figure) -> (f64, f64) {
        let ours = self.pairs.iter().map(|(ours, _)| figure(ours)).collect();
        let rival = self.pairs.iter().map(|(_, rival)| figure(rival)).collect();
        (median(ours), median(rival))
    }

    /// The median of the ratios of each pair.
    pub(super) fn ratio(&self, figure: Figure) -> f64 {
        median(self.pairs.iter().map(|(ours, rival)| figure(ours) / figure(rival)).collect())
    }

    /// Whether any run read the disk.
    pub(super) fn is_cold(&self) -> bool {
        self.pairs.iter().any(|(ours, rival)| ours.disk_reads + rival.disk_reads > 0)
    }

    /// The bars that our side did not reach, in words.
    pub(super) fn missed(&self) -> Vec<String> {
        self.bars.iter().filter_map(|bar| self.miss(*bar)).collect()
    }

    fn miss(&self, bar: Bar) -> Option<String> {
        let (ours, rival) = self.medians(|sample| sample.cpu_ms);
        let peak = self.medians(|sample| sample.peak_mib).0;
        let ratio = self.ratio(|sample| sample.cpu_ms);
        match bar {
            Bar::CpuAboveMs(most) if ours - rival > most => Some(format!("CPU +{most} ms")),
            Bar::CpuRatio(most) if ratio > most => Some(format!("CPU {most}x")),
            Bar::PeakMib(most) if peak > most => Some(format!("{most} MiB")),
            _ => None,
        }
    }
}

/// Times both sides in turn: a warm-up, then as many pairs as the time of a run allows.
pub(super) fn duel(duel: &Duel) -> Result<Row> {
    let warm = sample(&duel.ours)?.wall_ms + sample(&duel.rival)?.wall_ms;
    let pairs = match warm {
        0.0..100.0 => 41,
        100.0..1_000.0 => 11,
        1_000.0..10_000.0 => 5,
        // Who takes that long cannot be near a bar.
        _ => 1,
    };
    let pairs: Result<Vec<_>> =
        (0..pairs).map(|_| Ok((sample(&duel.ours)?, sample(&duel.rival)?))).collect();
    Ok(Row {
        title: duel.title.clone(),
        rival: duel.rival.label,
        bars: duel.bars.clone(),
        pairs: pairs?,
    })
}

/// A command for a side, in an environment without configuration.
pub(super) fn command(side: &Side) -> Command {
    let mut command = Command::new(&side.program);
    dress(&mut command, side).args(&side.args);
    command
}

fn dress<'c>(command: &'c mut Command, side: &Side) -> &'c mut Command {
    command.current_dir(&side.dir).stdin(Stdio::null());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("HOME", "/nonexistent").env("XDG_CONFIG_HOME", "/nonexistent");
    command.env("LC_ALL", "C.UTF-8").env_remove("RIPGREP_CONFIG_PATH")
}

/// Runs a side below a fresh process: the kernel counts a program's peak from what the one held that
/// started it, which after some duels is more than what is to be measured.
fn sample(side: &Side) -> Result<Sample> {
    let itself = std::env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(itself);
    dress(&mut command, side).arg(TAKEN).arg(&side.program).args(&side.args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.context("cannot start this program again")?;
    drain(&mut child, side.lines_max)?;
    let output = child.wait_with_output().context("cannot wait for the process")?;
    let told = String::from_utf8_lossy(&output.stderr);
    let (is_fine, sample) = read(&told).with_context(|| format!("{} {told:?}", side.label))?;
    // Who is hung up on may end by the signal or with an error; both are as it should be.
    ensure!(is_fine || side.lines_max.is_some(), "{} {:?} failed", side.label, side.args);
    Ok(sample)
}

/// The command under which this program runs another one for itself.
pub const TAKEN: &str = "taken";

/// Runs a program with what it prints as its own, and tells on standard error what it took.
///
/// # Errors
///
/// Fails when it cannot be run.
pub fn tell(words: &[&str]) -> Result<()> {
    let [program, args @ ..] = words else { bail!("there is no program to run") };
    // What there is to know about a listing would fill the screen, a line for each run.
    let (is_fine, sample) = taken(Command::new(program).args(args).stderr(Stdio::null()))?;
    let Sample { wall_ms, cpu_ms, peak_mib, disk_reads } = sample;
    write!(std::io::stderr(), "{is_fine} {wall_ms} {cpu_ms} {peak_mib} {disk_reads}")
        .context("there is nobody to tell")
}

/// What [`tell`] told.
fn read(told: &str) -> Option<(bool, Sample)> {
    let mut words = told.split_whitespace();
    let is_fine = words.next()?.parse().ok()?;
    let mut number = || words.next()?.parse::<f64>().ok();
    let (wall_ms, cpu_ms, peak_mib) = (number()?, number()?, number()?);
    let disk_reads = words.next()?.parse().ok()?;
    Some((is_fine, Sample { wall_ms, cpu_ms, peak_mib, disk_reads }))
}

/// Whether a run went well, and what it took.
fn taken(command: &mut Command) -> Result<(bool, Sample)> {
    let start = Instant::now();
    let child = command.spawn();
    let child = child.with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let (status, usage) = wait(&child)?;
    let sample = Sample {
        wall_ms: start.elapsed().as_secs_f64() * 1e3,
        cpu_ms: (time(usage.ru_utime) + time(usage.ru_stime)).as_secs_f64() * 1e3,
        // The kernel counts in KiB here.
        peak_mib: usage.ru_maxrss as f64 / 1024.0,
        disk_reads: usage.ru_inblock,
    };
    Ok((libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, sample))
}

fn drain(child: &mut Child, lines_max: Option<usize>) -> Result<()> {
    let mut stdout = child.stdout.take().context("standard output was asked for")?;
    let mut buffer = vec![0; 64 * 1024];
    let mut lines = 0;
    loop {
        let count = stdout.read(&mut buffer).context("cannot read what it prints")?;
        if count == 0 {
            return Ok(());
        }
        if let Some(most) = lines_max {
            lines += buffer[..count].iter().filter(|byte| **byte == b'\n').count();
            if lines >= most {
                return Ok(());
            }
        }
    }
}

/// Waits for the child as `wait4` does, which alone tells the usage of one child.
#[expect(unsafe_code, reason = "no safe crate offers wait4")]
fn wait(child: &Child) -> Result<(libc::c_int, libc::rusage)> {
    let pid = child.id().try_into().context("a process number fits")?;
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::zeroed();
    loop {
        // SAFETY: both pointers are valid for writing, and the child was not waited for before.
        let found = unsafe { libc::wait4(pid, &mut status, 0, usage.as_mut_ptr()) };
        if found == pid {
            // SAFETY: the call succeeded, so it filled the usage in; all zeroes are valid anyway.
            return Ok((status, unsafe { usage.assume_init() }));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            bail!("cannot wait for the process: {error}");
        }
    }
}

fn time(value: libc::timeval) -> Duration {
    let seconds = u64::try_from(value.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(value.tv_usec.try_into().unwrap_or(0))
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::{drain, median, read, taken, wait};

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        command
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn a_run_has_time_and_memory() {
        let mut busy = shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");
        let (is_fine, sample) = taken(&mut busy).expect("there is a shell");
        assert!(is_fine && sample.cpu_ms > 0.0 && sample.wall_ms > 0.0, "{sample:?}");
        assert!(sample.peak_mib > 0.1, "{sample:?}");
    }

    #[test]
    fn an_endless_program_can_be_cut() {
        let mut child = shell("while echo x; do :; done").spawn().expect("there is a shell");
        drain(&mut child, Some(100)).expect("it prints");
        wait(&child).expect("it is hung up on");
    }

    #[test]
    fn a_failure_is_told() {
        assert!(!taken(&mut shell("exit 3")).expect("there is a shell").0);
        assert!(taken(&mut Command::new("/nonexistent/program")).is_err());
    }

    #[test]
    fn what_is_told_is_read() {
        let (is_fine, sample) = read("true 1.5 0.25 6.125 0").expect("it is whole");
        assert!(is_fine && sample.disk_reads == 0);
        assert_eq!((sample.wall_ms, sample.cpu_ms, sample.peak_mib), (1.5, 0.25, 6.125));
        assert!(read("xtask: cannot run it").is_none());
    }
}
