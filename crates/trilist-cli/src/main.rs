//! The trilist command line.
//!
//! It turns arguments into a request, chooses the root as a person at a terminal would, and
//! writes what the library answers: data to standard output, notices to standard error, and an
//! exit status that scripts can tell apart. Environment, working directory, streams and signals
//! are read here and nowhere below. Nothing is ever written to disk, and nothing is executed.

mod args;
mod configured;
mod environment;
mod exit;
mod failure;
mod fence;
mod options;
mod output;
mod place;
mod request;
mod run;
mod session;
mod signals;
mod stdin;
mod usage;
mod values;
mod verbs;
mod waiting;

use std::process::ExitCode;

fn main() -> ExitCode {
    signals::watch();
    let words: Vec<_> = std::env::args_os().collect();
    let exit = match usage::parse(&words) {
        Ok(args) => run::run(&args),
        Err(stop) => stop.tell(),
    };
    exit.into()
}
