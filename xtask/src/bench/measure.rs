//! Runs a process and takes its time and memory.

use std::io::Read;
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
    command.args(&side.args).current_dir(&side.dir).stdin(Stdio::null());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("HOME", "/nonexistent").env("XDG_CONFIG_HOME", "/nonexistent");
    command.env("LC_ALL", "C.UTF-8").env_remove("RIPGREP_CONFIG_PATH");
    command
}

fn sample(side: &Side) -> Result<Sample> {
    let mut command = command(side);
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        // What there is to know about a listing would fill the screen, a line for each run.
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot run {}", side.program.display()))?;
    drain(&mut child, side.lines_max)?;
    let (status, usage) = wait(&child)?;
    let wall = start.elapsed();
    // Who is hung up on may end by the signal or with an error; both are as it should be.
    let fine = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
    ensure!(fine || side.lines_max.is_some(), "{} {:?} failed", side.label, side.args);
    Ok(Sample {
        wall_ms: wall.as_secs_f64() * 1e3,
        cpu_ms: (time(usage.ru_utime) + time(usage.ru_stime)).as_secs_f64() * 1e3,
        // The kernel counts in KiB here. It starts from what this process held when it forked, so
        // nothing large may live in it.
        peak_mib: usage.ru_maxrss as f64 / 1024.0,
        disk_reads: usage.ru_inblock,
    })
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

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Side, median, sample};

    fn shell(script: &str, lines_max: Option<usize>) -> Side {
        let args = vec!["-c".to_owned(), script.to_owned()];
        Side { label: "sh", program: "/bin/sh".into(), args, dir: PathBuf::from("/"), lines_max }
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn a_run_has_time_and_memory() {
        let busy = shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", None);
        let sample = sample(&busy).expect("there is a shell");
        assert!(sample.cpu_ms > 0.0 && sample.wall_ms > 0.0 && sample.peak_mib > 0.1, "{sample:?}");
    }

    #[test]
    fn an_endless_program_can_be_cut() {
        sample(&shell("while echo x; do :; done", Some(100))).expect("being hung up on is fine");
    }

    #[test]
    fn a_failure_is_told() {
        assert!(sample(&shell("exit 3", None)).is_err());
    }
}
