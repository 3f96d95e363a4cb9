//! Mode `vcs` against real repositories, with git as the judge.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files and run programs; what they check must not"
)]

mod aiderignore;
mod checks;
mod damage;
mod hostile;
mod listing;
mod memory;
mod mutations;
mod objects;
mod probe;
mod random;
mod states;
mod support;
