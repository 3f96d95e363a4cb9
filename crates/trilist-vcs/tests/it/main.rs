//! Mode `vcs` against real repositories, with git as the judge.

mod damage;
mod random;
mod states;
mod support;
