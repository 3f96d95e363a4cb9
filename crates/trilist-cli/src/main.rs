//! The trilist command line.

fn main() {}
