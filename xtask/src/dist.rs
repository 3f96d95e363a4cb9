//! `cargo xtask dist`: the program as it is to be handed out.
//!
//! Linked static-pie, it needs no library of the system that it is started on, and starts in less
//! time: there is no loader to run first. The flag cannot stand in the workspace's configuration,
//! where it would also hold for procedural macros, which have to be dynamic.

use std::path::PathBuf;

use anyhow::Result;

use crate::run::{cargo, host, run as run_command};

/// Builds the program and says where it is.
///
/// # Errors
///
/// Fails when it cannot be built; where the C library has no static form, that is why.
pub fn run() -> Result<()> {
    let dir = build(&["-p", "trilist-cli"])?;
    println!("{}", dir.join("trilist").display());
    Ok(())
}

/// Builds packages as they are handed out, and gives the folder of their programs.
pub(crate) fn build(packages: &[&str]) -> Result<PathBuf> {
    let host = host()?;
    let flags = format!("target.{host}.rustflags=[\"-Ctarget-feature=+crt-static\"]");
    let mut command = cargo();
    command.args(["build", "--release", "--locked", "--target", &host]);
    // Elsewhere there is no static C library to link.
    if host.contains("-linux-") {
        command.args(["--config", &flags]);
    }
    run_command(command.args(packages).arg("--bins"))?;
    Ok(crate::target_dir().join(host).join("release"))
}
