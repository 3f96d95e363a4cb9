//! Behaviour of the ignore layers through the public interface, and against the
//! programs whose files they read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should fail")]
#![allow(clippy::disallowed_methods, reason = "tests make files and run programs")]
#![allow(clippy::print_stdout, reason = "a skipped oracle is said")]

mod builtin;
mod git;
mod git_oracle;
mod globs;
mod hostile;
mod pathspec;
mod ripgrep;
mod stack;
mod stack_oracle;
mod support;
