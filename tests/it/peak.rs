//! What this process has used: memory at its peak, and time of the processor.

use std::time::Duration;

/// The peak of memory at one moment.
pub(crate) struct Peak {
    bytes: u64,
}

impl Peak {
    /// The peak so far.
    pub(crate) fn now() -> Peak {
        Peak { bytes: Peak::total_bytes() }
    }

    /// By how much the peak has grown since.
    pub(crate) fn grown_bytes(&self) -> u64 {
        Peak::total_bytes() - self.bytes
    }

    /// `VmHWM`: the most memory that this process ever held at once.
    pub(crate) fn total_bytes() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        kib << 10
    }
}

/// What the processor has worked for this process, to a hundredth of a second.
pub(crate) fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The second field is a name in parentheses, which may hold anything.
    let fields = stat.rsplit_once(')').unwrap().1;
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}
