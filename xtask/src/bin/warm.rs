//! Lists the first page of a repository so many times in one process: `warm DIR TIMES`.

#![allow(clippy::print_stdout, reason = "this is how a program tells its result")]

use std::path::PathBuf;

use anyhow::{Context, Result};
use trilist::{Cancel, ListRequest, Lister, Mode, Policy};

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let dir = PathBuf::from(words.next().context("the repository is missing")?);
    let times: u32 = words.next().context("the number of calls is missing")?.parse()?;
    let lister = Lister::open(&[dir], Policy::default())?;
    let request = ListRequest::new(Mode::Vcs, ".");
    let mut returned = 0;
    for _ in 0..times {
        returned += lister.list(&request, &Cancel::new())?.returned;
    }
    println!("{returned}");
    Ok(())
}
