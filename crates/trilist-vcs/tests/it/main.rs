//! Mode `vcs` against real repositories, with git as the judge.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files and run programs; what they check must not"
)]

mod damage;
mod hostile;
mod objects;
mod random;
mod states;
mod support;
