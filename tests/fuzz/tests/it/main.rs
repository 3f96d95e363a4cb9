//! The fuzz targets without a fuzzer: kept inputs, random ones, and git as the judge of what is
//! right.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests make files and run programs; what they check must not"
)]

mod git_oracle;
mod random;
mod replay;
