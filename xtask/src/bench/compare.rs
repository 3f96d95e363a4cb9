//! Whether two programs print the same paths.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};

use crate::bench::jobs::Side;
use crate::bench::measure::command;

/// How many paths, and the sum of their hashes.
///
/// Sets of a million paths held here would count as memory of every process started afterwards.
#[derive(Debug, Default, Eq, PartialEq)]
struct Digest {
    paths: u64,
    sum: u64,
}

/// Fails when the two sides print different sets.
pub(super) fn check(sides: &[Side; 2]) -> Result<()> {
    let [ours, rival] = sides;
    let (left, right) = (digest(ours)?, digest(rival)?);
    ensure!(left.paths > 0, "{} prints nothing", ours.label);
    if left == right {
        println!("  both print the same {} paths", left.paths);
        return Ok(());
    }
    let (left, right) = (set(ours)?, set(rival)?);
    bail!(
        "{} paths of {} and {} of {} differ; only the first: {:?}; only the second: {:?}",
        left.len(),
        ours.label,
        right.len(),
        rival.label,
        some(left.difference(&right)),
        some(right.difference(&left)),
    )
}

fn digest(side: &Side) -> Result<Digest> {
    let mut digest = Digest::default();
    each(side, |path| {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        digest.paths += 1;
        digest.sum = digest.sum.wrapping_add(hasher.finish());
    })?;
    Ok(digest)
}

fn set(side: &Side) -> Result<BTreeSet<Vec<u8>>> {
    let mut set = BTreeSet::new();
    each(side, |path| {
        set.insert(path.to_vec());
    })?;
    Ok(set)
}

fn some<'a>(paths: impl Iterator<Item = &'a Vec<u8>>) -> Vec<String> {
    paths.take(5).map(|path| String::from_utf8_lossy(path).into_owned()).collect()
}

/// Reads the paths that a side prints, each ended by NUL.
fn each(side: &Side, mut take: impl FnMut(&[u8])) -> Result<()> {
    let mut child = command(side)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", side.program.display()))?;
    let mut stdout = BufReader::new(child.stdout.take().context("it was asked for")?);
    let mut record = Vec::new();
    while stdout.read_until(0, &mut record).context("cannot read what it prints")? > 0 {
        if let Some(path) = plain(&record) {
            take(path);
        }
        record.clear();
    }
    let status = child.wait()?;
    ensure!(status.success(), "{} {:?}: {status}", side.label, side.args);
    Ok(())
}

/// The path without what only spells it; nothing for what lies below `.git`, where trilist does not
/// look and others do.
fn plain(record: &[u8]) -> Option<&[u8]> {
    let path = record.strip_suffix(b"\0").unwrap_or(record);
    let path = path.strip_prefix(b"./").unwrap_or(path);
    let path = path.strip_suffix(b"/").unwrap_or(path);
    (!path.is_empty() && !path.starts_with(b".git/")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn spellings_do_not_count() {
        assert_eq!(plain(b"./a/b\0"), Some(&b"a/b"[..]));
        assert_eq!(plain(b"a/\0"), Some(&b"a"[..]));
        assert_eq!(plain(b".git/HEAD\0"), None);
        assert_eq!(plain(b".github/x"), Some(&b".github/x"[..]));
    }
}
