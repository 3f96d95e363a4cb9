//! Behaviour of an opened root, in both ways of opening beneath it. Tests of a threat bear its
//! number.

#![allow(clippy::disallowed_methods, reason = "tests make files and run programs")]

mod config;
mod dir;
mod files;
mod gitdir;
mod gitdir_threats;
mod look;
mod process;
mod race;
mod resolve;
mod root;
mod support;
