//! Lists the first page of a repository so many times in one process: `warm DIR TIMES`; or asks as
//! often what has changed in it since the beginning: `warm DIR TIMES since`.

#![allow(clippy::print_stdout, reason = "this is how a program tells its result")]

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use trilist::{Cancel, ListRequest, Lister, Mode, Policy};

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let dir = PathBuf::from(words.next().context("the repository is missing")?);
    let times: u32 = words.next().context("the number of calls is missing")?.parse()?;
    let policy = Policy { max_snapshot_bytes: 1 << 30, ..Policy::default() };
    let lister = Lister::open(&[dir], policy)?;
    let mut request = ListRequest::new(Mode::Vcs, ".");
    if words.next().is_some() {
        let pinned = lister.list(&ListRequest { pin: true, ..request.clone() }, &Cancel::new())?;
        ensure!(pinned.pinned, "it is too large to be pinned");
        request.since = Some(pinned.snapshot_id);
    }
    let mut returned = 0;
    for _ in 0..times {
        returned += lister.list(&request, &Cancel::new())?.returned;
    }
    println!("{returned}");
    Ok(())
}
